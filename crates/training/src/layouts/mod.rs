//! Weights of [layouts](estr2048::network::layout) in training: chances to come through a fill, learned from lessons and
//! from games on the last thousand points before it.
//!
//! [`weights`] are those in training, [`mod@file`] keeps them on disk; a [`game`] is played and learned from; [`session::train`]
//! keeps threads at it until it is time to stop; [`pack`] makes them small.

use estr2048::Bitboard;
use estr2048::network::layout::{self, Keys};

pub mod file;
pub mod game;
pub mod pack;
pub mod session;
pub mod weights;

/// The keys of a board or an afterstate as it is, without a 65536; `None` if weights of layouts do not see it.
#[must_use]
pub fn seen(board: Bitboard) -> Option<Keys> {
    if board.top() > 0 { None } else { layout::keys(board.cells(), board.sum() as u32) }
}

#[cfg(test)]
mod tests;
