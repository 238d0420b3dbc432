//! Weights of [layouts](estr2048::network::layout) in training: chances to come through a fill, learned from lessons and
//! from games on the last thousand points before it.
//!
//! [`weights`] are those in training, [`mod@file`] keeps them on disk; a [`game`] is played and learned from; [`session::train`]
//! keeps threads at it until it is time to stop; [`pack`] makes them small.

pub mod file;
pub mod game;
pub mod pack;
pub mod session;
pub mod weights;

#[cfg(test)]
mod tests;
