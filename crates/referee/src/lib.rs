//! The referee: a student's C file becomes a player that can do nothing but play.
//!
//! Three steps lead from a file to a move: [`compile::Compiler`] makes a shared object, [`player::Player::start`] loads
//! it into a locked process of its own, [`player::Player::ask`] hands it a board and gives its answer or a
//! [`player::Failure`]. [`game::play`] is the whole game under the assignment's rules.
//!
//! The locked processes are cells of the [`sandbox`], which knows nothing of 2048. They are started from the program
//! that uses this library: its `main` must hand over to [`cell`] when it was started as one ([`is_cell`]).

pub mod compile;
pub mod game;
mod guest;
pub mod player;
pub mod sandbox;
pub mod student;
pub mod verdict;

/// Whether this process was started to be a cell.
#[must_use]
pub fn is_cell() -> bool {
    std::env::args_os().nth(1).is_some_and(|argument| argument == sandbox::cell::SUBCOMMAND)
}

/// Is a cell, to its end. Nothing else may have been done in this process.
pub fn cell() -> ! {
    sandbox::cell::main(guest::seat)
}
