//! The exact probability of coming through a fill.
//!
//! Games end where the board is needed whole: just before tiles combine all along the chain. A sum of 65536, for
//! example, is first reached as 32768, 16384, ..., 4, 2 and 2, on all sixteen cells. Such a sum is called a *fill*. In
//! the last moves before it hardly a cell is free, so that all that can still happen can be counted:
//! [`Solver::best_move`] finds the move whose chance to come through is the highest, without a network. Tiles need not
//! combine at the very sum: a board may come through some moves later, and often only then.

use std::time::Instant;

use crate::bitboard::{Bitboard, MAX_SUM};
use crate::direction::Direction;
use crate::search::transposition_table::Table;

/// Fills lie at multiples of this sum.
const STRIDE: i64 = 64;

/// How many points before a fill it is in sight: 31 moves.
pub const REACH: i64 = 62;

/// A fill is behind when so many cells are empty again. Not all tiles have combined then, but 0.92 of the games go on to
/// 65536 even without search, and to ask for more costs up to a hundred times as much (docs/experiments.md, "Through the
/// fill some moves later").
const EMPTY_AFTERWARDS: u32 = 3;

/// How many points behind a fill a board can still come through.
pub const SLACK: i64 = 40;

/// The clock is looked at once in so many boards.
const BOARDS_PER_CLOCK: u64 = 32;

/// Probabilities that are closer than this are equal.
const ROUNDING: f32 = 1e-6;

/// The next fill, if it is at most [`REACH`] points away: a sum at which a chain of tiles combines that takes all
/// sixteen cells.
#[must_use]
pub fn ahead(sum: i64) -> Option<i64> {
    if !(0..MAX_SUM).contains(&sum) {
        return None;
    }
    let fill = (sum / STRIDE + 1) * STRIDE;
    (fill - sum <= REACH && is_fill(fill)).then_some(fill)
}

/// The fill that a board of this sum has to come through: the one [ahead], or one that is less than [`SLACK`] points
/// behind.
#[must_use]
pub fn at(sum: i64) -> Option<i64> {
    let before = sum / STRIDE * STRIDE;
    ahead(sum).or_else(|| ((0..SLACK).contains(&(sum - before)) && is_fill(before)).then_some(before))
}

fn is_fill(sum: i64) -> bool {
    // Before its tiles combine, the chain is made of different tiles and one more 2.
    (STRIDE..MAX_SUM).contains(&sum) && (sum - 2).count_ones() + 1 >= 16
}

/// The usual size of a solver's table: 2^20 entries, 16 MB.
const TABLE_BITS: u32 = 20;

/// What a solution may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Boards that are looked at, at most.
    pub boards: u64,
    /// When the solution must be there.
    pub deadline: Option<Instant>,
}

/// What is known of a board: a probability, and whether it is exact or only a bound from above.
#[derive(Clone, Copy, Debug, Default)]
struct Chance {
    value: f32,
    exact: bool,
}

/// A solver with its memory, which is allocated once.
#[derive(Debug)]
pub struct Solver {
    table: Table<Chance>,
    target: i64,
    boards: u64,
    limits: Limits,
    stopped: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(TABLE_BITS)
    }
}

impl Solver {
    /// A solver with 2^`table_bits` entries of 16 bytes.
    #[must_use]
    pub fn new(table_bits: u32) -> Self {
        let limits = Limits { boards: 0, deadline: None };
        Self { table: Table::new(table_bits), target: 0, boards: 0, limits, stopped: false }
    }

    /// The usual solver, or `None` if there is not enough memory.
    #[must_use]
    pub fn try_default() -> Option<Self> {
        let limits = Limits { boards: 0, deadline: None };
        Some(Self { table: Table::try_new(TABLE_BITS)?, target: 0, boards: 0, limits, stopped: false })
    }

    /// Forgets what was found before. That is always true and never has to be forgotten; but how much a solution costs,
    /// and whether the limits are enough for it, depends on it.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Boards that the last solution looked at.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// The move with the highest probability of three empty cells after a move at the sum `target` or at most [`SLACK`]
    /// points behind it, and that probability, under best play and with all empty cells equally likely. Of equal moves,
    /// it is the first in the order of `preferred`. `None` if the limits were passed or no move changes the board.
    pub fn best_move(
        &mut self,
        board: Bitboard,
        target: i64,
        preferred: [Direction; 4],
        limits: Limits,
    ) -> Option<(Direction, f32)> {
        if self.target != target {
            self.table.forget();
            self.target = target;
        }
        self.boards = 0;
        self.limits = limits;
        self.stopped = false;
        let sum = board.sum();
        let mut best: Option<(Direction, f32)> = None;
        for direction in preferred {
            let after = board.moved(direction);
            if after == board {
                continue;
            }
            // Another move must be better than the best so far, so it is enough to know that it is not.
            let least = best.map_or(-1.0, |(_, value)| value);
            let value = if self.is_through(after, sum) { 1.0 } else { self.chance_node(after, sum, least) };
            if self.stopped {
                return None;
            }
            if value > least + ROUNDING {
                best = Some((direction, value));
            }
            if value >= 1.0 {
                break;
            }
        }
        best
    }

    fn is_through(&self, after: Bitboard, sum: i64) -> bool {
        sum >= self.target && after.count_empty() >= EMPTY_AFTERWARDS
    }

    /// The probability from a board to be moved. It is exact if it is above `least`, and otherwise a bound from above.
    fn max_node(&mut self, board: Bitboard, sum: i64, least: f32) -> f32 {
        if self.stopped || sum > self.target + SLACK {
            return 0.0;
        }
        let canonical = board.canonical();
        if let Some(known) = self.table.get(canonical)
            && (known.exact || known.value <= least + ROUNDING)
        {
            return known.value;
        }
        self.count();
        let (mut afters, legal) = board.afterstates();
        let afters = &mut afters[..legal];
        if afters.iter().any(|&after| self.is_through(after, sum)) {
            self.table.put(canonical, Chance { value: 1.0, exact: true });
            return 1.0;
        }
        afters.sort_unstable_by_key(|after| (16 - after.count_empty(), *after));
        let mut best = 0.0_f32;
        for &after in &*afters {
            best = best.max(self.chance_node(after, sum, best.max(least)));
            if best >= 1.0 {
                break;
            }
        }
        if !self.stopped {
            self.table.put(canonical, Chance { value: best, exact: best > least + ROUNDING || best == 0.0 });
        }
        best
    }

    /// The probability from an afterstate. It is exact if it is above `least`, and otherwise a bound from above.
    fn chance_node(&mut self, after: Bitboard, sum: i64, least: f32) -> f32 {
        let empty = after.count_empty() as f32;
        let mut total = 0.0;
        let mut left = empty;
        for cell in after.empty_cells() {
            left -= 1.0;
            // What this cell must bring at least, if all that are left bring 1.
            let needed = least * empty - total - left;
            total += self.max_node(after.with_two(cell), sum + 2, needed.min(1.0 - ROUNDING));
            if self.stopped || total + left <= least * empty {
                return (total + left) / empty;
            }
        }
        total / empty
    }

    fn count(&mut self) {
        self.boards += 1;
        let late = || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.boards > self.limits.boards || (self.boards.is_multiple_of(BOARDS_PER_CLOCK) && late()) {
            self.stopped = true;
        }
    }
}
