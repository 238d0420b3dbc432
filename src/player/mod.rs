//! Who chooses a move: a person at the keyboard, or a program.

pub mod barrier;
pub mod clairvoyant;
pub mod computer;
pub mod evaluate;
pub mod expectimax;
pub mod handmade;
pub mod human;
pub mod network;
pub mod survival;
pub mod weights;
