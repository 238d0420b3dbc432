//! What a search asks at the end of a branch: how good is this afterstate?

use crate::bitboard::Bitboard;

/// Values afterstates (boards after a move, before the new tile) by the expected number of further moves.
pub trait Evaluate {
    /// The value of this afterstate, whose tiles add up to `sum`. In moves; never below 0 for a sensible game, but a
    /// search makes sure of that itself.
    fn value(&self, after: Bitboard, sum: u32) -> f32;
}
