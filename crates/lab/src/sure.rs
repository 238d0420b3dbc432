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

/// On 4×4, where the board is nearly empty when both halves of the target lie there, so many moves are allowed to bring
/// them together, whatever is left of the others.
const MEETING: u32 = 8;

type Memory = HashMap<u64, Known, BuildHasherDefault<Mixed>>;

/// A search with its memory.
#[derive(Debug)]
pub struct Sure<'a> {
    grid: &'a Grid,
    known: Memory,
    /// The same for boards with both halves, which many plays share.
    meetings: Memory,
    /// Whether it is enough that both halves lie there.
    halves_are_enough: bool,
}

impl<'a> Sure<'a> {
    /// A search that knows nothing yet.
    pub fn new(grid: &'a Grid) -> Self {
        Self { grid, known: HashMap::default(), meetings: HashMap::default(), halves_are_enough: false }
    }

    /// A search for the halves of the target alone: sooner done, and what it refutes is not sure.
    pub fn of_halves(grid: &'a Grid) -> Self {
        Self { halves_are_enough: true, ..Self::new(grid) }
    }

    /// Forgets what belongs to one full board.
    pub fn forget(&mut self) {
        self.known.clear();
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
        let known = self.memory(board).get(&form).copied().unwrap_or_default();
        if known.proved != 0 && known.proved <= moves {
            return true;
        }
        if known.refuted >= moves {
            return false;
        }
        let sure = self.some_move(board, moves);
        let known = self.memory(board).entry(form).or_default();
        *(if sure { &mut known.proved } else { &mut known.refuted }) = moves;
        sure
    }

    fn memory(&mut self, board: u64) -> &mut Memory {
        if self.grid.has_halves(board) { &mut self.meetings } else { &mut self.known }
    }

    fn some_move(&mut self, board: u64, moves: u32) -> bool {
        let grid = self.grid;
        grid.makes_target(board) || grid.afters(board).any(|after| self.after(board, after, moves))
    }

    /// Whether this is true of a board behind one of its moves.
    pub fn after(&mut self, board: u64, after: u64, moves: u32) -> bool {
        let grid = self.grid;
        if grid.has_halves(after) && !grid.has_halves(board) {
            if self.halves_are_enough {
                return true;
            }
            if grid.cells() == 16 {
                // The shortest way first: without an end in sight, the search would wander over the empty board.
                return (1..=MEETING).any(|moves| self.every_cell(after, moves));
            }
        }
        self.every_cell(after, moves - 1)
    }

    fn every_cell(&mut self, after: u64, moves: u32) -> bool {
        let grid = self.grid;
        bits(grid.empty(after)).all(|cell| self.board(after | cell, moves))
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
    grid.target_code().saturating_sub(largest_pair).max(1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;
    use estr2048::Bitboard;
    use estr2048_training::worker::with_new_two;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    #[test]
    fn on_four_by_four_65536_is_made_by_the_rules_of_the_engine_where_it_is_sure() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let full = [[32768, 16384, 8192, 4096], [2048, 1024, 512, 256], [128, 64, 32, 16], [8, 4, 2, 2]];
        let full = Bitboard::from_board(&full).unwrap();
        let mut random = SmallRng::seed_from_u64(1);
        let mut sure = Sure::new(&grid);
        assert!(!sure.board(full.cells(), 14) && sure.board(full.cells(), 15));
        for game in 0..50 {
            let (mut board, mut moves) = (full, 15);
            loop {
                if grid.has_halves(board.cells()) {
                    moves = (1..=MEETING).find(|&moves| sure.board(board.cells(), moves)).unwrap();
                }
                let leads = |after: &Bitboard, sure: &mut Sure<'_>| sure.after(board.cells(), after.cells(), moves);
                let mut afters = board.moves().map(|(_, after)| after);
                let after = afters.find(|after| after.top() != 0 || leads(after, &mut sure));
                let after = after.unwrap_or_else(|| panic!("game {game} is lost:\n{}", grid.text(board.cells())));
                if after.top() != 0 {
                    break;
                }
                moves -= 1;
                board = with_new_two(after, &mut random);
            }
        }
        // No two tiles can come together.
        let other = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 2, 16], [8, 4, 32, 2]];
        assert!(!sure.board(Bitboard::from_board(&other).unwrap().cells(), 15));
    }
}
