//! A game of any course as somebody plays it: what the terminal's screen and the page in the browser share.
//!
//! A [`Session`] is a game with undo and redo to its start. [`store`] keeps it between two runs, [`record`] reads and
//! writes every file of moves that the project knows, and a [`Thinker`](think::Thinker) gives hints and plays, on a
//! thread of its own that stops when nobody waits for it any more.

pub mod advice;
mod any_size;
pub mod chances;
pub mod course;
pub mod foresight;
pub mod record;
mod session;
pub mod slide;
mod start;
pub mod store;
mod tape;
pub mod think;

pub use session::{End, Session};
pub use start::Start;
pub use tape::{Step, Tape};
