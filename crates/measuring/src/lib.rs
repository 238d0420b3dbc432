//! Many games of one player under the assignment's rules, and what came of them.

mod boards;
mod game;
mod player;
mod sample;
mod summary;

pub use boards::Boards;
pub use game::{GameRecord, play};
pub use player::Player;
pub use sample::Sample;
pub use summary::Summary;
