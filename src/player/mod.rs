//! Who chooses a move: a person at the keyboard, or a program.

pub mod computer;
pub mod handmade;
#[cfg(feature = "stdio")]
pub mod human;
pub mod settings;
pub mod signature;
