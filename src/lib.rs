//! estr2048: the 2048 of a university C course, as a Rust library with a C ABI.
//!
//! The rules are those of the ESTR1002 project: the game starts with one 2, every round adds one 2 at a cell drawn
//! with TinyMT32, there is no winning tile, and the score is the sum of all tiles. [`courses`] has four more
//! assignments on the same engine, and [`Game`] plays any of the five.
//!
//! ```
//! use estr2048::{Computer, Course, Direction, Game, Limit};
//!
//! let mut game = Game::new(Course::Estr1002, 4, 4, 1234)?;
//! assert!(game.make_move(Direction::Down)?);
//! println!("{game}Your score is {}.", game.score());
//!
//! // The computer player goes on. With `network::weights::standard()` in place of `None` it plays with the network.
//! let mut computer = Computer::new(None, Limit::Nodes(500));
//! let board = [[0, 0, 2, 4], [0, 0, 8, 16], [0, 0, 0, 2], [0, 0, 0, 0]];
//! let direction = computer.choose(&board).expect("some direction changes this board");
//! println!("best {}", direction.letter());
//! # Ok::<(), estr2048::game::GameError>(())
//! ```
//!
//! `examples/` has a game, a computer game and the analysis of a position, in Rust and in C.

pub mod atomic_file;
pub mod bitboard;
pub mod board;
pub mod clairvoyant;
pub mod courses;
pub mod direction;
mod ffi;
pub mod game;
mod history;
mod interruption;
pub mod java_random;
pub mod line;
pub mod network;
pub mod player;
pub mod search;
#[cfg(feature = "stdio")]
pub mod stdio;
mod symmetry;
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
