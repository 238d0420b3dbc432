//! Who chooses a move: a person at the keyboard, or a program.

pub mod analysis;
pub mod computer;
pub mod handmade;
pub mod human;
mod keys;
pub mod settings;
