//! How good a board of the beam is.

use crate::bitboard::Bitboard;
use crate::network::Evaluate;
use crate::network::downgraded;

/// From this sum on, boards are valued as if they were one size smaller, and from twice this sum two sizes.
const FIRST_HALVING: u32 = 32_768;

/// The value of the best move from this board whose tiles add up to `sum`, or minus infinity if the game is over.
///
/// A network knows early boards well and late boards hardly at all. A late board is valued as the board that has every
/// tile above its largest missing tile halved: what lies above the gap waits until the gap is filled, so the two boards
/// play alike. All boards of a beam have the same sum and so are halved equally often.
pub fn rank(evaluate: &impl Evaluate, board: Bitboard, sum: u32) -> f32 {
    let halvings = sum / FIRST_HALVING;
    let values = board.moves().map(|(_, after)| match halvings {
        0 => evaluate.value(after, sum),
        1 => value_as_is(evaluate, downgraded(after)),
        _ => value_as_is(evaluate, downgraded(downgraded(after))),
    });
    values.fold(f32::NEG_INFINITY, f32::max)
}

fn value_as_is(evaluate: &impl Evaluate, after: Bitboard) -> f32 {
    evaluate.value(after, after.sum() as u32)
}
