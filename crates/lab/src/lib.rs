//! `estr2048 lab`: exact solutions of small boards, and learners that are held against them.
//!
//! The game is the assignment's on a board of another size: new tiles are 2s, every empty cell equally likely.

mod arguments;
mod ceiling;
mod command;
pub mod endgame;
mod endgame_command;
mod endgame_play_command;
pub mod fills;
pub mod full;
pub mod grid;
pub mod ladder;
mod ladder_command;
pub mod late_binding;
mod learner_command;
pub mod neighbours;
pub mod network;
pub mod player;
pub mod retrograde;
pub mod starts;
pub mod store;
pub mod stretch;
mod stretch_command;
pub mod sure;
mod tablebase_command;
mod wall_starts_command;
pub mod walls;
mod walls_command;
pub mod whole;

pub use command::{Lab, run};
