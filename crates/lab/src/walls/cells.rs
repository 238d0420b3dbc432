//! Cells of a packed board: four bits each, 0 for an empty one, k for 2^k, 15 for a wall.

use estr2048::Bitboard;

/// What lies in the cell of a wall.
pub const WALL: u64 = 15;

/// Views of a square.
pub const VIEWS: u32 = 8;

const EACH_CELL: u64 = 0x1111_1111_1111_1111;

const EVERY_OTHER: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The lowest bit of every cell that holds this.
#[inline]
pub const fn holding(board: u64, code: u64) -> u64 {
    let other = board ^ (EACH_CELL * code);
    let other = other | other >> 1;
    !(other | other >> 2) & EACH_CELL
}

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
pub fn viewed(board: u64, view: u32) -> u64 {
    let mut board = Bitboard::from_cells(board);
    if view & 1 != 0 {
        board = board.mirrored();
    }
    if view & 2 != 0 {
        // Upside down: all cells in reverse order.
        let cells = board.cells().swap_bytes();
        board = Bitboard::from_cells((cells & EVERY_OTHER) << 4 | cells >> 4 & EVERY_OTHER);
    }
    if view & 4 != 0 {
        board = board.transposed();
    }
    board.cells()
}

/// The view that shows the board again where this one is seen.
pub fn back(view: u32) -> u32 {
    const ALL_DIFFERENT: u64 = 0x0123_4567_89ab_cdef;
    let turned = viewed(ALL_DIFFERENT, view);
    (0..VIEWS).find(|&back| viewed(turned, back) == ALL_DIFFERENT).unwrap_or(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_and_views_lead_back() {
        let board = 0xf012_3f45_6f00_0f0f;
        assert_eq!(gathered(holding(board, WALL)), 0b1000_0100_0100_0101);
        assert_eq!(gathered(holding(board, 0)), 0b0100_0000_0011_1010);
        let mut views: Vec<u64> = (0..VIEWS).map(|view| viewed(board, view)).collect();
        for view in 0..VIEWS {
            assert_eq!(viewed(views[view as usize], back(view)), board);
        }
        let mut known = Bitboard::from_cells(board).symmetries().map(Bitboard::cells);
        views.sort_unstable();
        known.sort_unstable();
        assert_eq!(views, known);
    }
}
