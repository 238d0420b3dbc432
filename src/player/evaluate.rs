//! What a search asks at the end of a branch: how good is this afterstate?

use crate::bitboard::Bitboard;

/// Values afterstates (boards after a move, before the new tile) by the expected number of further moves.
pub trait Evaluate {
    /// The value of this afterstate, whose tiles add up to `sum`. In moves; never below 0 for a sensible game, but a
    /// search makes sure of that itself.
    fn value(&self, after: Bitboard, sum: u32) -> f32;
}

/// The small hand-made player: empty cells, and large tiles in order along the edges. It is what the library plays
/// with where no network is at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

impl Evaluate for HandMade {
    fn value(&self, after: Bitboard, _sum: u32) -> f32 {
        let rows = after.cells();
        let columns = after.transposed().cells();
        let lines = (0..4).flat_map(|line| [rows >> (16 * line) & 0xffff, columns >> (16 * line) & 0xffff]);
        let score: f32 = lines.map(|line| line_score(line as u16)).sum();
        // Only the order of values matters: this keeps them above 0, the value of a lost board.
        (1_000.0 + score).max(1.0)
    }
}

/// Open cells and equal neighbours are good; a line whose tiles do not rise towards one end is bad, the more so the
/// larger they are.
fn line_score(line: u16) -> f32 {
    let codes = [0, 4, 8, 12].map(|shift| f32::from(line >> shift & 0xf));
    let empty = codes.iter().filter(|&&code| code == 0.0).count() as f32;
    let mut equal = 0.0;
    let (mut rising, mut falling) = (0.0, 0.0);
    for pair in codes.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if a == b && a != 0.0 {
            equal += 1.0;
        } else if a < b {
            rising += b.powi(3) - a.powi(3);
        } else {
            falling += a.powi(3) - b.powi(3);
        }
    }
    8.0 * empty + 6.0 * equal - 0.03 * f32::min(rising, falling)
}
