//! Who chooses a move: a person at the keyboard, or a program.

pub mod analysis;
pub mod computer;
pub mod handmade;
#[cfg(feature = "stdio")]
pub mod human;
#[cfg(feature = "stdio")]
mod keys;
pub mod settings;
pub mod signature;
