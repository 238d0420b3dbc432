//! What a search asks at the end of a branch: how good is this afterstate?

use crate::bitboard::Bitboard;

/// The most afterstates that a board has: one for each direction.
pub const MAX_AFTERS: usize = 4;

/// Values afterstates (boards after a move, before the new tile) by the expected number of further moves.
pub trait Evaluate {
    /// The value of this afterstate, whose tiles add up to `sum`. In moves; never below 0 for a sensible game, but a
    /// search makes sure of that itself.
    fn value(&self, after: Bitboard, sum: u32) -> f32;

    /// The values of up to four afterstates whose tiles add up to `sum`, one by one the same as by
    /// [`value`](Self::value), in the first places of `values`. Together they may be found sooner.
    fn values(&self, afters: &[Bitboard], sum: u32, values: &mut [f32; MAX_AFTERS]) {
        for (value, &after) in values.iter_mut().zip(afters) {
            *value = self.value(after, sum);
        }
    }
}
