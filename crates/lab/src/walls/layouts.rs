//! Where the walls lie, up to symmetry, and the half of the next one, if its place is known.

use super::arrangements::BITS;
use super::cells::{VIEWS, WALL, gathered, placed, viewed};
use super::family::Family;
use crate::grid::holding;

/// The cells of the walls in the lower sixteen bits, that of the half in the upper ones.
pub type Set = u32;

/// The layouts of a family: all of them, or some.
#[derive(Debug)]
pub struct Layouts {
    /// For every set of cells the number of its layout, and the view that shows it so.
    known: Vec<(u16, u8)>,
    /// The code of a half whose place is known.
    half: Option<u64>,
    /// The cells of each layout.
    sets: Vec<Set>,
    /// For each layout how far the other cells of every row are shifted in the number of an arrangement.
    shifts: Vec<[u8; 4]>,
    /// For every row the codes of the tiles that are no wall, side by side.
    rows: Vec<u16>,
}

const UNKNOWN: (u16, u8) = (u16::MAX, 0);

impl Layouts {
    /// All layouts.
    pub fn new(family: Family) -> Self {
        let walls = (0..=u32::from(u16::MAX)).filter(|set| set.count_ones() == family.walls);
        if !family.has_half() {
            return Self::of_sets(family, walls);
        }
        let with_half = |walls: Set| (0..16).map(|cell| 1 << cell).filter(move |half| walls & half == 0);
        Self::of_sets(family, walls.flat_map(|walls| with_half(walls).map(move |half| walls | half << 16)))
    }

    /// The layouts of these sets of cells.
    pub fn of_sets(family: Family, sets: impl IntoIterator<Item = Set>) -> Self {
        let half = family.has_half().then(|| family.target().into());
        let rows = (0..=u16::MAX).map(|row| without_walls(row, half)).collect();
        let keys = if half.is_some() { 1 << 20 } else { 1 << 16 };
        let mut layouts = Self { known: vec![UNKNOWN; keys], half, sets: Vec::new(), shifts: Vec::new(), rows };
        sets.into_iter().for_each(|set| layouts.add(set));
        layouts
    }

    fn add(&mut self, set: Set) {
        let board = self.board_of(set);
        let key = self.key(walls_of(board), board);
        if self.known[key] != UNKNOWN {
            return;
        }
        let number = self.sets.len() as u16;
        for view in 0..VIEWS as u8 {
            // Every view of these walls is shown as this set by the view that leads back.
            let seen = viewed(board, view.into());
            let back = (0..VIEWS).find(|&back| viewed(seen, back) == board);
            let key = self.key(walls_of(seen), seen);
            self.known[key] = (number, back.unwrap_or(0) as u8);
        }
        let mut shifts = [0; 4];
        let taken = set | set >> 16;
        let free = |row: usize| BITS as u8 * (4 - (taken >> (4 * row) & 15).count_ones() as u8);
        (1..4).for_each(|row| shifts[row] = shifts[row - 1] + free(row - 1));
        self.sets.push(set);
        self.shifts.push(shifts);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// The cells of each layout, in the order of their numbers.
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }

    /// The walls of a layout, and its half.
    pub fn board(&self, layout: usize) -> u64 {
        self.board_of(self.sets[layout])
    }

    fn board_of(&self, set: Set) -> u64 {
        placed(set, WALL) | placed(set >> 16, self.half.unwrap_or(0))
    }

    /// Where a layout is known: by its walls and, in the next four bits, the cell of the half.
    #[inline]
    fn key(&self, walls: u16, board: u64) -> usize {
        let half = self.half.map_or(0, |half| holding(board, half).trailing_zeros() / 4 % 16);
        usize::from(walls) | (half as usize) << 16
    }

    /// How far the cells of a layout that are left to small tiles are shifted in its board.
    pub fn free(&self, layout: usize) -> Vec<u32> {
        let taken = self.sets[layout] | self.sets[layout] >> 16;
        (0..16).filter(|cell| taken >> cell & 1 == 0).map(|cell| 4 * cell).collect()
    }

    /// The layout of walls in these cells of a board, and the number of the arrangement as it is seen then: `None` if it
    /// is none of these layouts.
    #[inline]
    pub fn find(&self, walls: u16, board: u64) -> Option<(usize, u64)> {
        let known @ (layout, view) = self.known[self.key(walls, board)];
        if known == UNKNOWN {
            return None;
        }
        let layout = usize::from(layout);
        let seen = viewed(board, view.into());
        let part = |row: u32| u64::from(self.rows[usize::from((seen >> (16 * row)) as u16)]);
        let [_, second, third, fourth] = self.shifts[layout];
        Some((layout, part(0) | part(1) << second | part(2) << third | part(3) << fourth))
    }

    /// The layout that walls in these cells have, and the half, if it is one of these.
    pub fn of(&self, set: Set) -> Option<usize> {
        let board = self.board_of(set);
        self.find(walls_of(board), board).map(|(layout, _)| layout)
    }

    /// The cells of a board in which walls lie, and the half.
    pub fn set_of(&self, board: u64) -> Set {
        Set::from(walls_of(board)) | self.half.map_or(0, |half| Set::from(gathered(holding(board, half))) << 16)
    }
}

/// The cells of a board in which walls lie.
#[inline]
pub fn walls_of(board: u64) -> u16 {
    gathered(holding(board, WALL))
}

fn without_walls(row: u16, half: Option<u64>) -> u16 {
    let is_small = |&code: &u16| u64::from(code) != WALL && Some(u64::from(code)) != half;
    let codes = (0..4).map(|cell| row >> (4 * cell) & 15).filter(is_small);
    codes.zip(0..).fold(0, |packed, (code, place)| packed | (code & ((1 << BITS) - 1)) << (BITS * place))
}

#[cfg(test)]
mod tests {
    use super::super::family::Goal;
    use super::*;

    fn family(walls: u32, goal: Goal) -> Family {
        Family { walls, slack: 8, goal }
    }

    #[test]
    fn a_layout_is_found_in_all_its_views() {
        let mut counts = Vec::new();
        let families =
            [family(7, Goal::Wall(8)), family(8, Goal::Second), family(12, Goal::Second), family(6, Goal::Halves(8))];
        for family in families {
            let layouts = Layouts::new(family);
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
                assert_eq!(layouts.of(layouts.set_of(board)), Some(layout));
            }
            assert_eq!(layouts.of(1), None);
        }
        assert_eq!(counts, [1465, 1674, 252, 10075]);
    }

    #[test]
    fn some_layouts_know_no_others() {
        let twelve = family(12, Goal::Second);
        let all = Layouts::new(twelve);
        let some = Layouts::of_sets(twelve, [0xf0ff, all.sets()[0], 0x7fff & !0x18, 0x0fff]);
        assert_eq!((some.count(), some.sets()), (3, &[0xf0ff, 0x0fff, 0x7fe7][..]), "two of the four are alike");
        for (set, layout) in [(0x0fff, Some(1)), (0xfff0, Some(1)), (0xff0f, Some(0)), (0xf7f7, None)] {
            assert_eq!(some.of(set), layout);
        }
        let halves = Layouts::of_sets(family(6, Goal::Halves(8)), [0x0040_003f, 0x0020_00cf, 0x0080_003f]);
        assert_eq!(halves.sets(), [0x0040_003f, 0x0080_003f], "the second is a view of the first");
        for (set, layout) in [(0x0400_f300, Some(0)), (0x0010_00cf, Some(1)), (0x0100_003f, None), (0x003f, None)] {
            assert_eq!(halves.of(set), layout, "{set:x}");
        }
    }
}
