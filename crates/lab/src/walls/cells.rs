//! Cells of a packed board: four bits each, 0 for an empty one, k for 2^k, 15 for a wall.

use crate::grid::{flipped, reversed_rows, transposed};

/// What lies in the cell of a wall.
pub const WALL: u64 = 15;

/// The marked cells, one by one.
pub fn each(marks: u64) -> impl Iterator<Item = u64> {
    (0..16).map(|cell| 1 << (4 * cell)).filter(move |bit| marks & bit != 0)
}

/// A board with this code in the cells of a set, whose lowest sixteen bits are one for each cell.
pub fn placed(set: u32, code: u64) -> u64 {
    (0..16).filter(|cell| set >> cell & 1 == 1).fold(0, |board, cell| board | code << (4 * cell))
}

/// Views of a square.
pub const VIEWS: u32 = 8;

/// One bit for each cell, from the lowest bit of each.
#[inline]
pub const fn gathered(marks: u64) -> u16 {
    let marks = (marks | marks >> 3) & 0x0303_0303_0303_0303;
    let marks = (marks | marks >> 6) & 0x000f_000f_000f_000f;
    let marks = (marks | marks >> 12) & 0x0000_00ff_0000_00ff;
    (marks | marks >> 24) as u16
}

/// One of the eight views of a board, itself first.
#[inline]
pub const fn viewed(board: u64, view: u32) -> u64 {
    let board = if view & 1 != 0 { reversed_rows(board) } else { board };
    let board = if view & 2 != 0 { flipped(board) } else { board };
    if view & 4 != 0 { transposed(board) } else { board }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::holding;
    use estr2048::Bitboard;

    #[test]
    fn cells_are_found_and_views_are_symmetries() {
        let board = 0xf012_3f45_6f00_0f0f;
        assert_eq!(gathered(holding(board, WALL)), 0b1000_0100_0100_0101);
        assert_eq!(gathered(holding(board, 0)), 0b0100_0000_0011_1010);
        assert_eq!(placed(0b1000_0100_0100_0101, WALL), WALL * holding(board, WALL));
        let mut views: Vec<u64> = (0..VIEWS).map(|view| viewed(board, view)).collect();
        let mut known = Bitboard::from_cells(board).symmetries().map(Bitboard::cells);
        views.sort_unstable();
        known.sort_unstable();
        assert_eq!(views, known);
    }
}
