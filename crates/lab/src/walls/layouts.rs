//! Where the walls and the special tiles lie, up to symmetry.

use super::cells::{VIEWS, WALL, back, gathered, viewed};
use crate::grid::holding;

/// No more cells than this are free of walls.
const MOST_FREE: usize = 8;

/// All layouts of so many walls and these special tiles.
#[derive(Debug)]
pub struct Layouts {
    special: Vec<u32>,
    /// The number of a set of cells among all sets of so many.
    numbers: Vec<u16>,
    /// For every placement the number of its layout, times eight, and the view that shows it so.
    known: Vec<u32>,
    /// Walls and special tiles of each layout.
    boards: Vec<u64>,
    /// How far the cells for small tiles are shifted, for each layout.
    shifts: Vec<[u8; MOST_FREE]>,
    free: usize,
}

const UNKNOWN: u32 = u32::MAX;

impl Layouts {
    /// The layouts of so many walls, at least eight, and these special tiles, like ones side by side.
    pub fn new(walls: u32, special: &[u32]) -> Self {
        let mut numbers = vec![u16::MAX; 1 << 16];
        let mut count = 0;
        let sets = (0..=u16::MAX).filter(|cells| cells.count_ones() == walls);
        sets.clone().for_each(|cells| {
            numbers[usize::from(cells)] = count;
            count += 1;
        });
        let mut layouts = Self {
            special: special.to_vec(),
            numbers,
            known: vec![UNKNOWN; usize::from(count) << (3 * special.len())],
            boards: Vec::new(),
            shifts: Vec::new(),
            free: 16 - walls as usize - special.len(),
        };
        let backs: Vec<u32> = (0..VIEWS).map(back).collect();
        for cells in sets {
            let board = (0..16).filter(|cell| cells >> cell & 1 == 1).fold(0, |board, cell| board | WALL << (4 * cell));
            layouts.place(board, 0, 0, &backs);
        }
        layouts
    }

    /// Adds all placements of the special tiles from this one on; like ones lie in ascending cells.
    fn place(&mut self, board: u64, index: usize, from: u32, backs: &[u32]) {
        let Some(&code) = self.special.get(index) else { return self.add(board, backs) };
        let like_next = self.special.get(index + 1) == Some(&code);
        for cell in (from..16).filter(|cell| board >> (4 * cell) & 15 == 0) {
            self.place(board | u64::from(code) << (4 * cell), index + 1, if like_next { cell + 1 } else { 0 }, backs);
        }
    }

    fn add(&mut self, board: u64, backs: &[u32]) {
        if self.known[self.placement(board)] != UNKNOWN {
            return;
        }
        let number = self.boards.len() as u32;
        for (view, &back) in (0..).zip(backs) {
            let placement = self.placement(viewed(board, view));
            self.known[placement] = number << 3 | back;
        }
        let mut shifts = [0; MOST_FREE];
        let free = (0..16).map(|cell| 4 * cell).filter(|shift| board >> shift & 15 == 0);
        shifts.iter_mut().zip(free).for_each(|(place, shift)| *place = shift);
        self.boards.push(board);
        self.shifts.push(shifts);
    }

    /// The walls as a set of cells, then each special tile's place among the other cells.
    #[inline]
    fn placement(&self, board: u64) -> usize {
        let walls = gathered(holding(board, WALL));
        let mut placement = usize::from(self.numbers[usize::from(walls)]);
        let (mut last, mut cells) = (0, 0);
        for &code in &self.special {
            cells = if code == last { cells & (cells - 1) } else { holding(board, code.into()) };
            last = code;
            let cell = cells.trailing_zeros() / 4;
            placement = placement << 3 | (!walls & ((1 << cell) - 1)).count_ones() as usize;
        }
        placement
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.boards.len()
    }

    /// Number of cells for small tiles.
    pub fn free(&self) -> usize {
        self.free
    }

    /// Walls and special tiles of a layout.
    pub fn board(&self, layout: usize) -> u64 {
        self.boards[layout]
    }

    /// How far the cells for small tiles are shifted in the board of a layout.
    #[inline]
    pub fn shifts(&self, layout: usize) -> &[u8] {
        &self.shifts[layout][..self.free]
    }

    /// The layout of a board, and the board as it is seen then.
    #[inline]
    pub fn find(&self, board: u64) -> (usize, u64) {
        let known = self.known[self.placement(board)];
        ((known >> 3) as usize, viewed(board, known & 7))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_is_found_in_all_its_views() {
        let mut counts = Vec::new();
        for (walls, special) in [(8, &[][..]), (8, &[7]), (12, &[3, 2]), (12, &[3, 2, 2]), (11, &[4, 4])] {
            let layouts = Layouts::new(walls, special);
            counts.push(layouts.count());
            for layout in (0..layouts.count()).step_by(7) {
                let tiles = layouts.shifts(layout).iter().fold(0, |tiles, shift| tiles | 1 << shift);
                let board = layouts.board(layout) | tiles;
                assert_eq!(holding(board, 0), 0);
                for view in 0..VIEWS {
                    let seen = viewed(board, view);
                    assert_eq!(layouts.find(seen), (layout, board), "{board:x} {view}");
                }
            }
        }
        assert_eq!(counts[0], 1674);
    }
}
