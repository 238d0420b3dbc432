//! The recursion of expectimax over max nodes and chance nodes: one thread's part of the search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::network::{Evaluate, MAX_AFTERS};
use crate::search::transposition_table::Table;

/// What was known of an afterstate: its value, found with this budget.
type Searched = (f32, f32);

/// After so many visits, or evaluations, a thread says how much it has done and looks whether it is to stop.
const VISITS_PER_REPORT: u32 = 64;
/// Against the clock it is more often: 64 visits to parts of the network that were never used can take a millisecond.
const VISITS_PER_CLOCK: u32 = 16;
const NODES_PER_REPORT: u64 = 64;

/// When a step has to end, and how far all threads have come with it.
#[derive(Debug)]
pub(super) struct Bounds {
    max_nodes: u64,
    deadline: Option<Instant>,
    visits_per_report: u32,
    nodes: AtomicU64,
    passed: AtomicBool,
}

impl Bounds {
    /// A step that may make so many evaluations and has to end by this time.
    pub fn new(max_nodes: u64, deadline: Option<Instant>) -> Self {
        let visits_per_report = if deadline.is_some() { VISITS_PER_CLOCK } else { VISITS_PER_REPORT };
        Self { max_nodes, deadline, visits_per_report, nodes: AtomicU64::new(0), passed: AtomicBool::new(false) }
    }

    /// Whether some thread has found that the step cannot be finished.
    pub fn are_passed(&self) -> bool {
        self.passed.load(Ordering::Relaxed)
    }

    /// Evaluations that were reported so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds these evaluations, and gives the number of those that are left.
    fn report(&self, nodes: u64) -> u64 {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if nodes > self.max_nodes || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.pass();
        }
        self.max_nodes.saturating_sub(nodes)
    }

    fn pass(&self) {
        self.passed.store(true, Ordering::Relaxed);
    }
}

/// One thread's memory for searching.
#[derive(Debug)]
pub(super) struct Walker {
    table: Table<Searched>,
    /// Evaluations that were not reported yet, and how many there may be before the next report.
    nodes: u64,
    quota: u64,
    visits: u32,
    stopped: bool,
    /// Largest number of moves looked ahead.
    pub depth: u32,
}

/// What one thread needs for its part of a step.
pub(super) struct Walk<'a, E> {
    pub walker: &'a mut Walker,
    pub network: &'a E,
    pub bounds: &'a Bounds,
}

impl Walker {
    /// A walker with 2^`table_bits` entries of 16 bytes in its transposition table.
    pub fn new(table_bits: u32) -> Self {
        Self { table: Table::new(table_bits), nodes: 0, quota: 0, visits: 0, stopped: false, depth: 0 }
    }

    /// The same, or `None` if there is not enough memory.
    pub fn try_new(table_bits: u32) -> Option<Self> {
        let table = Table::try_new(table_bits)?;
        Some(Self { table, nodes: 0, quota: 0, visits: 0, stopped: false, depth: 0 })
    }

    /// Forgets all that was searched before.
    pub fn forget(&mut self) {
        self.table.forget();
    }
}

impl<E: Evaluate> Walk<'_, E> {
    /// Begins a step or a part of one.
    pub fn begin(&mut self) {
        self.walker.depth = 0;
        self.report();
    }

    /// Reports what is left to be reported. Whether the step goes on.
    pub fn end(&mut self) -> bool {
        self.report();
        !self.walker.stopped
    }

    fn report(&mut self) {
        let nodes = std::mem::take(&mut self.walker.nodes);
        self.walker.visits = 0;
        self.walker.quota = self.bounds.report(nodes).min(NODES_PER_REPORT);
        self.walker.stopped = self.bounds.are_passed();
    }

    /// The values of a board's moves.
    pub fn root(&mut self, board: Bitboard, sum: u32, budget: f32) -> [Option<f32>; 4] {
        let (mut afters, mut directions) = ([board; MAX_AFTERS], Direction::ALL);
        let mut legal = 0;
        for (direction, after) in board.moves() {
            (afters[legal], directions[legal]) = (after, direction);
            legal += 1;
        }
        let found = self.afters(&afters[..legal], sum, budget / legal as f32, 1);
        let mut values = [None; 4];
        for (&direction, value) in directions[..legal].iter().zip(found) {
            values[direction as usize] = Some(1.0 + value);
        }
        values
    }

    /// The values of the afterstates of one board, in the first places. Those of leaves are found together, unless it is
    /// time for a report: the outcome and the number of evaluations are the same as one by one.
    fn afters(&mut self, afters: &[Bitboard], sum: u32, budget: f32, ply: u32) -> [f32; MAX_AFTERS] {
        let mut values = [0.0; MAX_AFTERS];
        let is_leaf = |after: &Bitboard| budget / (after.count_empty() as f32) < 1.0;
        let count = afters.len() as u32;
        let is_time = self.walker.visits + count >= self.bounds.visits_per_report
            || self.walker.nodes + u64::from(count) > self.walker.quota;
        if is_time || self.walker.stopped || !afters.iter().all(is_leaf) {
            for (value, &after) in values.iter_mut().zip(afters) {
                *value = self.chance_node(after, sum, budget, ply);
            }
            return values;
        }
        self.walker.visits += count;
        self.walker.nodes += u64::from(count);
        self.walker.depth = self.walker.depth.max(ply);
        self.network.values(afters, sum, &mut values);
        // No game goes on for less than no moves, whatever the network says.
        values.map(|value| value.max(0.0))
    }

    /// The value of an afterstate, a chance node: the mean over the cells where the next tile may fall.
    pub fn chance_node(&mut self, after: Bitboard, sum: u32, budget: f32, ply: u32) -> f32 {
        self.walker.visits += 1;
        if self.walker.visits >= self.bounds.visits_per_report {
            self.report();
        }
        if self.walker.stopped {
            return 0.0;
        }
        let empty = after.count_empty() as f32;
        let share = budget / empty;
        if share < 1.0 {
            return self.leaf(after, sum, ply);
        }
        if let Some((known, value)) = self.walker.table.get(after)
            && known >= budget
        {
            return value;
        }
        let mut total = 0.0;
        for cell in after.empty_cells() {
            total += self.max_node(after.with_two(cell), sum + 2, share, ply);
            if self.walker.stopped {
                return 0.0;
            }
        }
        let value = total / empty;
        self.walker.table.put(after, (budget, value));
        value
    }

    fn leaf(&mut self, after: Bitboard, sum: u32, ply: u32) -> f32 {
        if self.walker.nodes >= self.walker.quota {
            self.report();
            if self.walker.quota == 0 {
                self.bounds.pass();
                self.walker.stopped = true;
                return 0.0;
            }
        }
        self.walker.depth = self.walker.depth.max(ply);
        self.walker.nodes += 1;
        // No game goes on for less than no moves, whatever the network says.
        self.network.value(after, sum).max(0.0)
    }

    /// The value of a board, a max node: that of its best move, 0 if there is none.
    fn max_node(&mut self, board: Bitboard, sum: u32, budget: f32, ply: u32) -> f32 {
        let (afters, legal) = board.afterstates();
        let share = budget / legal as f32;
        let values = self.afters(&afters[..legal], sum, share, ply + 1);
        values[..legal].iter().fold(0.0, |best, value| best.max(1.0 + value))
    }
}

/// The direction of the highest value, the first of several.
pub(super) fn best_direction(values: &[Option<f32>; 4]) -> Option<Direction> {
    let mut best: Option<(Direction, f32)> = None;
    for direction in Direction::ALL {
        if let Some(value) = values[direction as usize]
            && best.is_none_or(|(_, most)| value > most)
        {
            best = Some((direction, value));
        }
    }
    best.map(|(direction, _)| direction)
}
