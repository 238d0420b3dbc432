//! Moves among walls.

use estr2048::Bitboard;

use super::cells::WALL;

/// Every row after a move to the left and to the right.
#[derive(Debug)]
pub struct Moves {
    left: Vec<u16>,
    right: Vec<u16>,
}

impl Default for Moves {
    fn default() -> Self {
        let left: Vec<u16> = (0..=u16::MAX).map(slid).collect();
        let right = (0..=u16::MAX).map(|row| reversed(left[usize::from(reversed(row))])).collect();
        Self { left, right }
    }
}

impl Moves {
    /// The board after each of the four moves; one that changes nothing leaves the board itself.
    #[inline]
    pub fn of(&self, board: u64) -> [u64; 4] {
        let turned = transposed(board);
        let [left, right] = [&self.left, &self.right].map(|rows| by_rows(rows, board));
        let [up, down] = [&self.left, &self.right].map(|rows| transposed(by_rows(rows, turned)));
        [left, right, up, down]
    }
}

#[inline]
fn transposed(board: u64) -> u64 {
    Bitboard::from_cells(board).transposed().cells()
}

#[inline]
fn by_rows(rows: &[u16], board: u64) -> u64 {
    let row = |shift: u32| u64::from(rows[usize::from((board >> shift) as u16)]) << shift;
    row(0) | row(16) | row(32) | row(48)
}

const fn reversed(row: u16) -> u16 {
    row >> 12 | row >> 4 & 0xf0 | row << 4 & 0xf00 | row << 12
}

/// A row after a move towards its first cell.
fn slid(row: u16) -> u16 {
    let mut cells: Vec<u16> = (0..4).map(|cell| row >> (4 * cell) & 15).filter(|&code| code != 0).collect();
    let mut cell = 0;
    while cell + 1 < cells.len() {
        if cells[cell] == cells[cell + 1] && u64::from(cells[cell]) != WALL {
            cells[cell] += 1;
            cells.remove(cell + 1);
        }
        cell += 1;
    }
    cells.iter().rev().fold(0, |row, code| row << 4 | code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use estr2048::Direction;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn smaller_tiles_move_as_on_any_board(cells in proptest::array::uniform16(0_u64..9)) {
            let board = cells.iter().fold(0, |board, code| board << 4 | code);
            let moved = |way: usize| Bitboard::from_cells(board).moved(Direction::ALL[way]).cells();
            let expected = [2, 3, 0, 1].map(moved);
            prop_assert_eq!(Moves::default().of(board), expected);
        }
    }

    #[test]
    fn walls_slide_and_never_combine() {
        assert_eq!(Moves::default().of(0xf0f0)[0], 0xff);
        assert_eq!(Moves::default().of(0x1ff1)[1], 0x1ff1);
        assert_eq!(Moves::default().of(0xf011)[0], 0xf2);
    }
}
