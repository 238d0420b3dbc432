//! Where the walls lie, up to symmetry.

use super::arrangements::BITS;
use super::cells::{VIEWS, WALL, gathered, viewed};
use crate::grid::holding;

/// The layouts of so many walls: all of them, or some.
#[derive(Debug)]
pub struct Layouts {
    /// For every set of cells the number of its layout, and the view that shows it so.
    known: Vec<(u16, u8)>,
    /// The cells of the walls of each layout.
    sets: Vec<u16>,
    /// For each layout how far the other cells of every row are shifted in the number of an arrangement.
    shifts: Vec<[u8; 4]>,
    /// For every row the codes of the tiles that are no wall, side by side.
    rows: Vec<u16>,
}

const UNKNOWN: (u16, u8) = (u16::MAX, 0);

impl Layouts {
    /// All layouts of so many walls.
    pub fn new(walls: u32) -> Self {
        Self::of_sets((0..=u16::MAX).filter(|set| set.count_ones() == walls))
    }

    /// The layouts of walls in these sets of cells.
    pub fn of_sets(sets: impl IntoIterator<Item = u16>) -> Self {
        let rows = (0..=u16::MAX).map(without_walls).collect();
        let mut layouts = Self { known: vec![UNKNOWN; 1 << 16], sets: Vec::new(), shifts: Vec::new(), rows };
        sets.into_iter().for_each(|set| layouts.add(set));
        layouts
    }

    fn add(&mut self, set: u16) {
        if self.known[usize::from(set)] != UNKNOWN {
            return;
        }
        let number = self.sets.len() as u16;
        for view in 0..VIEWS as u8 {
            // Every view of these walls is shown as this set by the view that leads back.
            let seen = walls_of(viewed(board_of(set), view.into()));
            let back = (0..VIEWS).find(|&back| walls_of(viewed(board_of(seen), back)) == set);
            self.known[usize::from(seen)] = (number, back.unwrap_or(0) as u8);
        }
        let mut shifts = [0; 4];
        let free = |row: usize| BITS as u8 * (4 - (set >> (4 * row) & 15).count_ones() as u8);
        (1..4).for_each(|row| shifts[row] = shifts[row - 1] + free(row - 1));
        self.sets.push(set);
        self.shifts.push(shifts);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// The cells of the walls of each layout, in the order of their numbers.
    pub fn sets(&self) -> &[u16] {
        &self.sets
    }

    /// The walls of a layout.
    pub fn board(&self, layout: usize) -> u64 {
        board_of(self.sets[layout])
    }

    /// How far the cells of a layout that are free of walls are shifted in its board.
    pub fn free(&self, layout: usize) -> Vec<u32> {
        (0..16).filter(|cell| self.sets[layout] >> cell & 1 == 0).map(|cell| 4 * cell).collect()
    }

    /// The layout of walls in these cells of a board, and the number of the arrangement as it is seen then: `None` if it
    /// is none of these layouts.
    #[inline]
    pub fn find(&self, walls: u16, board: u64) -> Option<(usize, u64)> {
        let known @ (layout, view) = self.known[usize::from(walls)];
        if known == UNKNOWN {
            return None;
        }
        let layout = usize::from(layout);
        let seen = viewed(board, view.into());
        let part = |row: u32| u64::from(self.rows[usize::from((seen >> (16 * row)) as u16)]);
        let [_, second, third, fourth] = self.shifts[layout];
        Some((layout, part(0) | part(1) << second | part(2) << third | part(3) << fourth))
    }

    /// The layout that walls in these cells have, if it is one of these.
    pub fn of(&self, walls: u16) -> Option<usize> {
        let known = self.known[usize::from(walls)];
        (known != UNKNOWN).then_some(known.0.into())
    }
}

/// The cells of a board in which walls lie.
#[inline]
pub fn walls_of(board: u64) -> u16 {
    gathered(holding(board, WALL))
}

fn board_of(set: u16) -> u64 {
    (0..16).filter(|cell| set >> cell & 1 == 1).fold(0, |board, cell| board | WALL << (4 * cell))
}

fn without_walls(row: u16) -> u16 {
    let codes = (0..4).map(|cell| row >> (4 * cell) & 15).filter(|&code| u64::from(code) != WALL);
    codes.zip(0..).fold(0, |packed, (code, place)| packed | (code & ((1 << BITS) - 1)) << (BITS * place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_is_found_in_all_its_views() {
        let mut counts = Vec::new();
        for walls in [7, 8, 12] {
            let layouts = Layouts::new(walls);
            counts.push(layouts.count());
            for layout in (0..layouts.count()).step_by(7) {
                let codes = [1, 7, 0, 3, 2, 5, 6, 4, 1];
                let free = layouts.free(layout);
                let board = layouts.board(layout);
                let board = free.iter().zip(codes).fold(board, |board, (shift, code)| board | code << shift);
                let number = codes[..free.len()].iter().rev().fold(0, |number, code| number << BITS | code);
                let mut found = Vec::new();
                for view in 0..VIEWS {
                    let seen = viewed(board, view);
                    let (same, seen_number) = layouts.find(walls_of(seen), seen).unwrap();
                    assert_eq!(same, layout);
                    found.push(seen_number);
                }
                // A layout that is symmetric is seen in several ways.
                assert!(found.contains(&number), "{board:x}");
                assert_eq!(layouts.of(walls_of(board)), Some(layout));
            }
            assert_eq!(layouts.of(1), None);
        }
        assert_eq!(counts, [1465, 1674, 252]);
    }

    #[test]
    fn some_layouts_know_no_others() {
        let all = Layouts::new(12);
        let some = Layouts::of_sets([0xf0ff, all.sets()[0], 0x7fff & !0x18, 0x0fff]);
        assert_eq!((some.count(), some.sets()), (3, &[0xf0ff, 0x0fff, 0x7fe7][..]), "two of the four are alike");
        for (set, layout) in [(0x0fff, Some(1)), (0xfff0, Some(1)), (0xff0f, Some(0)), (0xf7f7, None)] {
            assert_eq!(some.of(set), layout);
            assert_eq!(some.find(set, board_of(set)).map(|(layout, _)| layout), layout);
        }
    }
}
