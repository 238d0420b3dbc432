//! Whether the target tile is made for sure, solved forwards from a full board: an AND-OR search.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::grid::{Grid, bits};

/// What is known of a board: sure within `proved` moves (0: not known), not sure within `refuted`.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    proved: u32,
    refuted: u32,
}

/// A search with its memory.
#[derive(Debug)]
pub struct Sure<'a> {
    grid: &'a Grid,
    known: HashMap<u64, Known, BuildHasherDefault<Mixed>>,
}

impl<'a> Sure<'a> {
    /// A search that knows nothing yet.
    pub fn new(grid: &'a Grid) -> Self {
        Self { grid, known: HashMap::default() }
    }

    /// Whether some play makes the target tile within so many moves, wherever the new tiles fall.
    pub fn board(&mut self, board: u64, moves: u32) -> bool {
        if moves < least_moves(self.grid, board) {
            return false;
        }
        // A full board is soon lost or won, and there are many.
        if self.grid.empty(board) == 0 {
            return self.some_move(board, moves);
        }
        let form = self.grid.canonical(board);
        let known = self.known.get(&form).copied().unwrap_or_default();
        if known.proved != 0 && known.proved <= moves {
            return true;
        }
        if known.refuted >= moves {
            return false;
        }
        let sure = self.some_move(board, moves);
        let known = self.known.entry(form).or_default();
        *(if sure { &mut known.proved } else { &mut known.refuted }) = moves;
        sure
    }

    fn some_move(&mut self, board: u64, moves: u32) -> bool {
        let grid = self.grid;
        grid.afters(board).any(|after| self.every_cell(after, moves - 1))
    }

    fn every_cell(&mut self, after: u64, moves: u32) -> bool {
        let grid = self.grid;
        grid.holds(after, grid.cells()) || bits(grid.empty(after)).all(|cell| self.board(after | cell, moves))
    }
}

/// So many moves at least lie before the target tile: tiles that do not lie there twice have to be made first, one after
/// the other.
pub fn least_moves(grid: &Grid, board: u64) -> u32 {
    let (mut once, mut twice) = (0_u32, 0_u32);
    for shift in (0..64).step_by(4) {
        let tile = 1 << (board >> shift & 15);
        twice |= once & tile;
        once |= tile;
    }
    let largest_pair = 31 - (twice & !1).leading_zeros().min(31);
    grid.cells().saturating_sub(largest_pair).max(1)
}

/// Boards are scattered already by their tiles; they need no better hash.
#[derive(Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("boards are numbers");
    }

    fn write_u64(&mut self, board: u64) {
        let mixed = (board ^ board >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
