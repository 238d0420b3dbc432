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
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `std` | everything but what is listed below; needed by `weights` and `stdio` |
//! | `alloc` | without `std`: boards that own their cells |
//! | `weights` | the network inside the library, where the package has it: see [`network::weights`] |
//! | `stdio` | standard input and output as C has them, for the players behind the C interface; needs `libc` |
//! | `serde` | boards, directions and generators can be serialised |
//! | `header` | for the repository's `make header` alone |
//!
//! `std`, `weights` and `stdio` are on by default. Without any, the library is `no_std` and needs no allocator: then it
//! has [`tinymt32`], [`java_random`], [`direction`], [`line`](mod@line), [`board`], [`bitboard`] and [`notation`].

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(not(feature = "std"), allow(dead_code, reason = "some parts are only for the modules that need `std`"))]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod bitboard;
pub mod board;
pub mod direction;
pub mod java_random;
pub mod line;
pub mod notation;
#[cfg(feature = "serde")]
mod rows;
mod symmetry;
pub mod tinymt32;

#[cfg(feature = "std")]
pub mod atomic_file;
#[cfg(feature = "std")]
pub mod clairvoyant;
#[cfg(feature = "std")]
pub mod courses;
#[cfg(feature = "std")]
mod ffi;
#[cfg(feature = "std")]
pub mod game;
#[cfg(feature = "std")]
mod history;
#[cfg(feature = "std")]
mod interruption;
#[cfg(feature = "std")]
pub mod network;
#[cfg(feature = "std")]
pub mod player;
#[cfg(feature = "std")]
pub mod search;
#[cfg(feature = "stdio")]
pub mod stdio;

pub use bitboard::Bitboard;
pub use board::{Board, GameBoard};
#[cfg(feature = "std")]
pub use courses::Course;
pub use direction::Direction;
#[cfg(feature = "std")]
pub use game::Game;
pub use java_random::JavaRandom;
#[cfg(feature = "std")]
pub use network::Network;
#[cfg(feature = "std")]
pub use player::computer::Computer;
#[cfg(feature = "std")]
pub use search::Limit;
pub use tinymt32::{Parameters, TinyMt32};

/// The examples of the README run, too.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
