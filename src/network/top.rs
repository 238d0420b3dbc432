//! Boards with a 65536, seen as the boards one size smaller that they play like.

use crate::bitboard::Bitboard;

/// The packed cells and the sum that a network values an afterstate by, before stages see its
/// [largest tiles alike](crate::network::Shape::with_walls_from).
///
/// A board with a 65536 is valued as the board that has every tile above its largest missing tile halved: it has the
/// same structure, and the network knows it.
#[inline]
#[must_use]
pub fn known(after: Bitboard, sum: u32) -> (u64, u32) {
    if after.top() == 0 {
        return (after.cells(), sum);
    }
    let halved = downgraded(after);
    (halved.cells(), halved.sum() as u32)
}

/// How many fills a board has come through: the tiles from 65536 down to where the chain is first broken.
#[inline]
#[must_use]
pub fn tops(board: Bitboard) -> usize {
    if board.top() == 0 {
        return 0;
    }
    (present(board) << 15).leading_ones() as usize
}

/// The board with every tile above its largest missing tile halved, once; the board itself if no tile below its
/// largest one is missing.
///
/// The largest missing tile is where the chain of tiles is broken: what lies above it does not take part in the game
/// before that gap is filled, so the board plays the same one size smaller.
#[must_use]
pub fn downgraded(board: Bitboard) -> Bitboard {
    let present = present(board);
    let largest = present.ilog2();
    let Some(missing) = (1..largest).rev().find(|&code| present >> code & 1 == 0) else {
        return board;
    };
    let cells = (0..16).fold(0_u64, |cells, cell| {
        let code = u64::from(board.code(cell));
        // A 65536 has at least one tile missing below it unless the game is at its very end.
        cells | (code - u64::from(code > u64::from(missing))).min(15) << (4 * cell)
    });
    Bitboard::from_cells(cells)
}

/// The codes of a board's cells, a bit for each.
#[inline]
fn present(board: Bitboard) -> u32 {
    (0..16).fold(0, |present, cell| present | 1 << board.code(cell))
}
