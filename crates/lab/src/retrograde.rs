//! Chances to fill the board, exactly, from its last moment backwards.
//!
//! On a board of n cells the tile 2^n is out of reach before the tiles add up to 2^n, and with that sum every cell is
//! taken: 2^(n-1), ..., 4, 2 and one more 2. Later fills need every cell as well. From these full boards the chances are
//! solved forwards, unless they are the end of the game; then sum by sum backwards: an afterstate (a board after a move,
//! before the new 2) has the mean of the boards that may follow, a board to be moved the best of its afterstates. Boards
//! are kept in one of their symmetric forms.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::grid::{Grid, bits};
use crate::sure::least_moves;

/// Boards with their chances, by ascending board.
pub type Chances = Vec<(u64, f32)>;

/// So many of these boards at most, evenly spread.
pub fn spread(boards: &Chances, count: usize) -> impl Iterator<Item = (u64, f32)> {
    let step = boards.len().div_ceil(count.max(1)).max(1);
    boards.iter().copied().step_by(step).take(count)
}

/// What all sets of one run have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The smallest chance that counts.
    pub floor: f32,
    /// Moves in which the target was made from the full board.
    pub last_moves: u8,
    /// Whether it was enough that both halves of the target lay there.
    pub halves: bool,
    /// Whether only afterstates count on which the tile 2^cells, once it is made, lies in a corner.
    pub corner: bool,
}

impl Made {
    /// Whether an afterstate counts at all.
    pub fn counts(&self, grid: &Grid, after: u64) -> bool {
        !self.corner || grid.has_top_in_corner(after)
    }
}

/// All that is known of one sum.
#[derive(Debug)]
pub struct Layer {
    /// Sum of all tiles.
    pub sum: u32,
    /// Afterstates; none for the full boards.
    pub afters: Chances,
    /// Boards to be moved.
    pub boards: Chances,
}

/// Solves forwards, where few boards follow.
#[derive(Debug)]
pub struct Solver<'a> {
    grid: &'a Grid,
    known: HashMap<(u64, u32), f32>,
}

impl<'a> Solver<'a> {
    /// A solver that knows nothing yet.
    pub fn new(grid: &'a Grid) -> Self {
        Self { grid, known: HashMap::new() }
    }

    /// The chance to make the target tile from a board that is to be moved, under best play, within so many moves.
    pub fn chance(&mut self, board: u64, moves: u32) -> f32 {
        if moves < least_moves(self.grid, board) {
            return 0.0;
        }
        // A full board is soon lost or won, and there are many.
        if self.grid.empty(board) == 0 {
            return self.best(board, moves);
        }
        let form = (self.grid.canonical(board), moves);
        if let Some(&chance) = self.known.get(&form) {
            return chance;
        }
        let best = self.best(board, moves);
        self.known.insert(form, best);
        best
    }

    fn best(&mut self, board: u64, moves: u32) -> f32 {
        if self.grid.makes_target(board) {
            return 1.0;
        }
        let mut best = 0.0_f32;
        for after in self.grid.afters(board) {
            best = best.max(self.after(after, moves - 1));
            if best >= 1.0 {
                break;
            }
        }
        best
    }

    /// The chance from an afterstate.
    fn after(&mut self, after: u64, moves: u32) -> f32 {
        let empty = self.grid.empty(after);
        let mut total = 0.0;
        for cell in bits(empty) {
            let chance = self.chance(after | cell, moves);
            total += chance;
        }
        total / empty.count_ones() as f32
    }
}

/// The layer two points before this one: all afterstates with a chance of at least `floor`, and the boards that lead
/// to them. What lies below the floor counts as lost, so that a floor above 0 gives bounds from below, exact where
/// they are 1.
pub fn before(grid: &Grid, layer: &Layer, made: Made) -> Layer {
    let floor = made.floor;
    let known = Table::new(&layer.boards);
    // Every afterstate as often as there are kept boards that follow it: too few of them, and it is below the floor.
    let mut candidates: Vec<u64> = layer
        .boards
        .par_iter()
        .flat_map_iter(|&(board, _)| bits(grid.twos(board)).map(move |cell| grid.canonical(board ^ cell)))
        .collect();
    candidates.par_sort_unstable();
    let afters: Chances = candidates
        .par_chunk_by(|a, b| a == b)
        .filter_map(|same| {
            let after = same[0];
            let empty = grid.empty(after);
            let count = empty.count_ones() as f32;
            if !made.counts(grid, after) {
                return None;
            }
            // On a symmetric afterstate, several cells lead to one board.
            let too_few = |times: usize| ((same.len() * times) as f32) < floor * count;
            if too_few(1) && too_few(grid.symmetries(after).filter(|&same| same == after).count()) {
                return None;
            }
            let chance = |cell| known.get(grid.canonical(after | cell));
            let mut total = 0.0;
            let mut left = count;
            for cell in bits(empty) {
                left -= 1.0;
                total += chance(cell);
                if total + left < floor * count {
                    return None;
                }
            }
            Some((after, total / count)).filter(|&(_, chance)| chance > 0.0 && chance >= floor)
        })
        .collect();
    drop(candidates);
    drop(known);
    Layer { sum: layer.sum - 2, boards: boards_before(grid, &afters), afters }
}

/// The boards that some move turns into one of these afterstates, with the best of their chances.
pub fn boards_before(grid: &Grid, afters: &Chances) -> Chances {
    let origins = |after: u64| {
        let mut boards = Vec::new();
        grid.unmoved(after, &mut boards);
        // One of its tiles is the 2 that was just added.
        boards.retain(|&board| grid.twos(board) != 0);
        boards
    };
    let boards = afters
        .par_iter()
        .flat_map_iter(|&(after, chance)| origins(after).into_iter().map(move |board| (grid.canonical(board), chance)));
    best_of_each(boards.collect())
}

/// Each board once, with the best of its chances.
pub fn best_of_each(mut boards: Chances) -> Chances {
    boards.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    boards.dedup_by_key(|&mut (board, _)| board);
    boards
}

/// Finds the chance of a board.
#[derive(Debug)]
pub struct Table {
    slots: Vec<(u64, f32)>,
}

impl Table {
    /// A table of these boards.
    pub fn new(boards: &[(u64, f32)]) -> Self {
        let size = (boards.len() * 3 / 2).max(4).next_power_of_two();
        let mut slots = vec![(0, 0.0); size];
        for &entry in boards {
            let mut slot = hash(entry.0) & (size - 1);
            while slots[slot].0 != 0 {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = entry;
        }
        Self { slots }
    }

    /// Its chance, 0 if it is not there.
    #[inline]
    pub fn get(&self, board: u64) -> f32 {
        let mut slot = hash(board) & (self.slots.len() - 1);
        loop {
            match self.slots[slot] {
                (0, _) => return 0.0,
                (found, chance) if found == board => return chance,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}

#[inline]
fn hash(board: u64) -> usize {
    let mixed = (board ^ board >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32) as usize
}
