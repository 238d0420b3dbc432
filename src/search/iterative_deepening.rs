//! Expectimax search, with an effort that is spent by probability and branching.
//!
//! The search is given a *budget*. Every choice divides it: a board with m legal moves gives each of them an m-th, an
//! afterstate with e empty cells gives each new tile an e-th. A branch ends at the evaluation when less than 1 is
//! left. So a nearly full board, where the new tile is all but forced, is searched many plies deep, and an open one
//! is hardly searched: games are decided on nearly full boards.
//!
//! [`Search::decide`] raises the budget step by step until the limit in nodes or time is used up, and plays the best
//! move of the last step that was finished. Large steps are searched in parts, by as many threads as the search was
//! given; with a limit in nodes their number does not change the move.

use std::time::{Duration, Instant};

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::network::Evaluate;
use crate::search::expectimax::{Bounds, Walk, Walker, best_direction};
use crate::search::parallel::Split;

/// What a decision may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This many network evaluations, at most: the same board always gets the same move.
    Nodes(u64),
    /// This much time.
    Time(Duration),
    /// One search with this budget, whatever it costs. 1 is play without search.
    Budget(u32),
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The best move.
    pub direction: Direction,
    /// The expected number of further moves after each direction by the network, in the order of their numbers; `None`
    /// for a direction that changes nothing.
    pub values: [Option<f32>; 4],
    /// Network evaluations made.
    pub nodes: u64,
    /// Largest number of moves looked ahead, the move itself included.
    pub depth: u32,
    /// The budget of the last finished step.
    pub budget: f32,
}

/// The most threads that a search uses.
pub const MAX_THREADS: u32 = 64;

/// This part of a time limit is left for what comes after the last look at the clock.
pub const MARGIN: u32 = 32;

/// The usual size of a transposition table: 2^18 entries, 4 MB.
pub const TABLE_BITS: u32 = 18;

/// Steps beyond this budget change nothing any more: the search would see the end of every game.
const MAX_BUDGET: f32 = 1e12;

/// How much the budget may grow from one step to the next.
const MAX_GROWTH: f32 = 16.0;

/// A limit in nodes from here on is worth the loss that parts of a step know nothing of each other.
const SPLIT_NODES: u64 = 20_000;

/// A step that is expected to take less time than this ends before a second thread has well begun.
const SPLIT_TIME: Duration = Duration::from_micros(250);

/// A search with its transposition tables, which are allocated once.
#[derive(Debug)]
pub struct Search {
    /// One for each thread.
    walkers: Vec<Walker>,
    split: Split,
}

impl Default for Search {
    fn default() -> Self {
        Self::new(TABLE_BITS)
    }
}

/// How a step is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// As a whole, by the calling thread.
    Whole,
    /// In parts. They know nothing of each other if `isolated`, and the outcome does not depend on who searches them.
    Parts { isolated: bool },
}

impl Search {
    /// A search by one thread, with 2^`table_bits` entries of 16 bytes in its transposition table.
    #[must_use]
    pub fn new(table_bits: u32) -> Self {
        Self::with_threads(table_bits, 1)
    }

    /// A search by so many threads, 1 to [`MAX_THREADS`], each with a transposition table of that size.
    ///
    /// Threads are started for steps that are worth it and end with the step; if the system refuses one, the search
    /// goes on with fewer.
    #[must_use]
    pub fn with_threads(table_bits: u32, threads: u32) -> Self {
        let threads = threads.clamp(1, MAX_THREADS);
        Self { walkers: (0..threads).map(|_| Walker::new(table_bits)).collect(), split: Split::new() }
    }

    /// The same with fewer threads where memory is short, or `None` if there is not enough for one.
    #[must_use]
    pub fn try_with_threads(table_bits: u32, threads: u32) -> Option<Self> {
        let threads = threads.clamp(1, MAX_THREADS);
        let walkers: Vec<Walker> = (0..threads).map_while(|_| Walker::try_new(table_bits)).collect();
        (!walkers.is_empty()).then(|| Self { walkers, split: Split::new() })
    }

    /// The best move that the limit allows to find, or `None` if no move changes the board.
    ///
    /// With a limit in nodes, threads that search at the same time may make up to 64 evaluations each beyond the limit
    /// before a step that passes it is given up.
    pub fn decide<E: Evaluate + Sync>(&mut self, network: &E, board: Bitboard, limit: Limit) -> Option<Decision> {
        self.walkers.iter_mut().for_each(Walker::forget);
        let position = (board, board.sum() as u32);
        let unbounded = Bounds::new(u64::MAX, None);
        let (max_nodes, time) = match limit {
            Limit::Budget(budget) => {
                return self.step(network, position, budget.max(1) as f32, Mode::Whole, &unbounded);
            }
            Limit::Nodes(nodes) => (nodes, None),
            Limit::Time(time) => (u64::MAX, Some(time)),
        };
        let start = Instant::now();
        let deadline = time.and_then(|time| start.checked_add(time - time / MARGIN));
        let mut decision = self.step(network, position, 1.0, Mode::Whole, &unbounded)?;
        if decision.values.iter().flatten().count() == 1 {
            return Some(decision);
        }
        // How much of the limit the last step took decides how far the next one goes: steps are few, and the last of
        // them takes most of the limit.
        let mut nodes = decision.nodes;
        let mut budget = 16.0;
        let mut mode = Mode::Whole;
        while budget <= MAX_BUDGET {
            let before = start.elapsed();
            let bounds = Bounds::new(max_nodes.saturating_sub(nodes), deadline);
            let Some(step) = self.step(network, position, budget, mode, &bounds) else {
                nodes = nodes.saturating_add(bounds.nodes()).min(max_nodes);
                break;
            };
            let cost = step.nodes;
            nodes += cost;
            decision = step;
            if cost == 0 {
                break;
            }
            let growth = match time {
                None => {
                    if max_nodes >= SPLIT_NODES {
                        mode = Mode::Parts { isolated: true };
                    }
                    max_nodes.saturating_sub(nodes) as f32 / cost as f32
                }
                Some(time) => {
                    let left = time.saturating_sub(start.elapsed());
                    let cost = (start.elapsed() - before).as_secs_f32().max(1e-6);
                    let mut growth = left.as_secs_f32() / cost;
                    if self.walkers.len() > 1 && mode == Mode::Whole && left > SPLIT_TIME {
                        mode = Mode::Parts { isolated: false };
                        growth *= self.walkers.len() as f32;
                    }
                    growth
                }
            };
            // Twice the budget costs a little less than twice the time, for the table holds the shallower half.
            if growth < 1.5 {
                break;
            }
            budget *= growth.min(MAX_GROWTH);
        }
        Some(Decision { nodes, ..decision })
    }

    /// One search with this budget; `None` if the bounds were passed or no move changes the board.
    fn step<E: Evaluate + Sync>(
        &mut self,
        network: &E,
        (board, sum): (Bitboard, u32),
        budget: f32,
        mode: Mode,
        bounds: &Bounds,
    ) -> Option<Decision> {
        let (values, depth) = match mode {
            Mode::Whole => {
                let mut walk = Walk { walker: self.walkers.first_mut()?, network, bounds };
                walk.begin();
                let values = walk.root(board, sum, budget);
                if !walk.end() {
                    return None;
                }
                (values, walk.walker.depth)
            }
            Mode::Parts { isolated } => {
                self.split.root(&mut self.walkers, network, bounds, (board, sum, budget), isolated)?
            }
        };
        let direction = best_direction(&values)?;
        Some(Decision { direction, values, nodes: bounds.nodes(), depth, budget })
    }
}
