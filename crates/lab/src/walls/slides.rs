//! Rows among walls, slid.

use std::sync::LazyLock;

use super::cells::WALL;
use crate::grid::{reversed, shifted, transposed};

/// Every row slid to either side, with a mark for each wall in the bits above.
#[derive(Debug)]
pub struct Slides {
    to_first: Vec<u32>,
    to_last: Vec<u32>,
}

impl Default for Slides {
    fn default() -> Self {
        Self {
            to_first: (0..=u16::MAX).map(|row| marked(shifted(row, 4))).collect(),
            to_last: (0..=u16::MAX).map(|row| marked(reversed(shifted(reversed(row), 4)))).collect(),
        }
    }
}

impl Slides {
    /// The rows, which are made once.
    pub fn shared() -> &'static Self {
        static SLIDES: LazyLock<Slides> = LazyLock::new(Slides::default);
        &SLIDES
    }

    /// The afterstates of the legal moves, each with the cells of its walls: two of the board itself, two of the
    /// transposed board.
    #[inline]
    pub fn afters(&self, board: u64) -> impl Iterator<Item = (u64, u16)> {
        let turned = transposed(board);
        let ways = [(board, &self.to_first), (board, &self.to_last), (turned, &self.to_first), (turned, &self.to_last)];
        ways.into_iter().filter_map(|(board, table)| {
            let row = |row: u32| table[usize::from((board >> (16 * row)) as u16)];
            let rows = [row(0), row(1), row(2), row(3)];
            let after = rows.iter().rev().fold(0, |after, row| after << 16 | u64::from(row & 0xffff));
            let walls = rows.iter().rev().fold(0, |walls, row| walls << 4 | row >> 16);
            (after != board).then_some((after, walls as u16))
        })
    }
}

fn marked(row: u16) -> u32 {
    let walls = (0..4).filter(|cell| u64::from(row >> (4 * cell) & 15) == WALL);
    u32::from(row) | walls.fold(0, |walls, cell| walls | 1 << (16 + cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Way};
    use crate::walls::layouts::walls_of;

    #[test]
    fn slides_are_those_of_the_grid() {
        let slides = Slides::default();
        let rows = Grid::new(4, 4, &[Way::Left, Way::Right]).unwrap();
        let columns = Grid::new(4, 4, &[Way::Up, Way::Down]).unwrap();
        for board in [0xff01_f10f_2f00_33f1, 0, 0x1234_5671_1234_5671, 0xffff_ffff_1122_0000, 0x00f7_7000_f7f7_0070] {
            let expected = rows.afters(board).chain(columns.afters(board).map(transposed));
            let expected: Vec<(u64, u16)> = expected.map(|after| (after, walls_of(after))).collect();
            assert_eq!(slides.afters(board).collect::<Vec<_>>(), expected, "{board:x}");
        }
    }
}
