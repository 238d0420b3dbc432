//! Looking ahead: expectimax over the network's values, and the exact searches of the end of a game.

mod expectimax;
pub mod fill;
mod iterative_deepening;
mod parallel;
pub mod survival;
mod transposition_table;

pub use iterative_deepening::{Decision, Limit, MARGIN, MAX_THREADS, Search, TABLE_BITS};
