//! estr2048: the 2048 of a university C course, as a Rust library with a C ABI.
//!
//! The rules are those of the ESTR1002 project: the game starts with one 2, every round adds one 2 at a cell drawn
//! with TinyMT32, there is no winning tile, and the score is the sum of all tiles. [`courses`] has four more
//! assignments on the same engine, and [`Game`] plays any of the five.

pub mod atomic_file;
pub mod bitboard;
pub mod board;
pub mod clairvoyant;
pub mod courses;
pub mod direction;
mod ffi;
pub mod game;
mod history;
pub mod java_random;
pub mod line;
pub mod network;
pub mod player;
pub mod search;
#[cfg(feature = "stdio")]
pub mod stdio;
pub mod tinymt32;

pub use bitboard::Bitboard;
pub use board::{Board, GameBoard};
pub use courses::Course;
pub use direction::Direction;
pub use game::Game;
pub use java_random::JavaRandom;
pub use network::Network;
pub use player::computer::Computer;
pub use search::Limit;
pub use tinymt32::{Parameters, TinyMt32};
