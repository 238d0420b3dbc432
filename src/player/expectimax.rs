//! Expectimax search, with an effort that is spent by probability and branching.
//!
//! The search is given a *budget*. Every choice divides it: a board with m legal moves gives each of them an m-th, an
//! afterstate with e empty cells gives each new tile an e-th. A branch ends at the evaluation when less than 1 is
//! left. So a nearly full board, where the new tile is all but forced, is searched many plies deep, and an open one
//! is hardly searched: games are decided on nearly full boards.
//!
//! [`Search::decide`] raises the budget step by step until the limit in nodes or time is used up, and plays the best
//! move of the last step that was finished.

mod table;

use std::time::{Duration, Instant};

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::player::evaluate::Evaluate;
use table::Table;

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
    /// The expected number of further moves after each direction, in the order of their numbers; `None` for a
    /// direction that changes nothing.
    pub values: [Option<f32>; 4],
    /// Network evaluations made.
    pub nodes: u64,
    /// Largest number of moves looked ahead, the move itself included.
    pub depth: u32,
    /// The budget of the last finished step.
    pub budget: f32,
}

/// Time is looked at once in so many evaluations.
const NODES_PER_CLOCK: u64 = 256;

/// Steps beyond this budget change nothing any more: the search would see the end of every game.
const MAX_BUDGET: f32 = 1e12;

/// How much the budget may grow from one step to the next.
const MAX_GROWTH: f32 = 16.0;

/// A search with its transposition table, which is allocated once.
#[derive(Debug)]
pub struct Search {
    table: Table,
    nodes: u64,
    max_nodes: u64,
    deadline: Option<Instant>,
    stopped: bool,
    depth: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self::new(18)
    }
}

impl Search {
    /// A search with 2^`table_bits` entries of 16 bytes in its transposition table.
    #[must_use]
    pub fn new(table_bits: u32) -> Self {
        let table = Table::new(table_bits);
        Self { table, nodes: 0, max_nodes: u64::MAX, deadline: None, stopped: false, depth: 0 }
    }

    /// The best move that the limit allows to find, or `None` if no move changes the board.
    pub fn decide(&mut self, network: &impl Evaluate, board: Bitboard, limit: Limit) -> Option<Decision> {
        let start = Instant::now();
        let sum = board.sum() as u32;
        self.table.forget();
        self.nodes = 0;
        self.max_nodes = u64::MAX;
        self.deadline = None;
        let mut decision = self.step(network, board, sum, 1.0)?;
        match limit {
            Limit::Budget(budget) if budget <= 1 => return Some(decision),
            Limit::Budget(budget) => return self.step(network, board, sum, budget as f32),
            Limit::Nodes(nodes) => self.max_nodes = nodes,
            Limit::Time(time) => self.deadline = start.checked_add(time),
        }
        if decision.values.iter().flatten().count() == 1 {
            return Some(decision);
        }
        // How much of the limit the last step took decides how far the next one goes: steps are few, and the last of
        // them takes most of the limit.
        let mut budget = 16.0;
        while budget <= MAX_BUDGET {
            let (nodes_before, time_before) = (self.nodes, start.elapsed());
            let Some(step) = self.step(network, board, sum, budget) else { break };
            let exhausted = self.nodes == nodes_before;
            decision = Decision { nodes: self.nodes, ..step };
            if exhausted {
                break;
            }
            let growth = match limit {
                Limit::Nodes(nodes) => {
                    let cost = (self.nodes - nodes_before) as f32;
                    nodes.saturating_sub(self.nodes) as f32 / cost
                }
                Limit::Time(time) => {
                    let cost = (start.elapsed() - time_before).as_secs_f32();
                    time.saturating_sub(start.elapsed()).as_secs_f32() / cost.max(1e-6)
                }
                Limit::Budget(_) => break,
            };
            // Twice the budget costs a little less than twice the time, for the table holds the shallower half.
            if growth < 1.5 {
                break;
            }
            budget *= growth.min(MAX_GROWTH);
        }
        decision.nodes = self.nodes;
        Some(decision)
    }

    /// One search with this budget; `None` if the limit was passed or no move changes the board.
    fn step(&mut self, network: &impl Evaluate, board: Bitboard, sum: u32, budget: f32) -> Option<Decision> {
        self.stopped = false;
        self.depth = 0;
        let legal = board.moves().count();
        let mut values = [None; 4];
        let mut best: Option<(Direction, f32)> = None;
        for (direction, after) in board.moves() {
            let value = 1.0 + self.after(network, after, sum, budget / legal as f32, 1);
            values[direction as usize] = Some(value);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((direction, value));
            }
        }
        if self.stopped {
            return None;
        }
        best.map(|(direction, _)| Decision { direction, values, nodes: self.nodes, depth: self.depth, budget })
    }

    /// The value of an afterstate: the mean over the cells where the next tile may fall.
    fn after(&mut self, network: &impl Evaluate, after: Bitboard, sum: u32, budget: f32, ply: u32) -> f32 {
        if self.stopped {
            return 0.0;
        }
        let empty = after.count_empty() as f32;
        let share = budget / empty;
        if share < 1.0 {
            self.depth = self.depth.max(ply);
            return self.leaf(network, after, sum);
        }
        if let Some(value) = self.table.get(after, budget) {
            return value;
        }
        let mut total = 0.0;
        for cell in after.empty_cells() {
            total += self.best(network, after.with_two(cell), sum + 2, share, ply);
            if self.stopped {
                return 0.0;
            }
        }
        let value = total / empty;
        self.table.put(after, budget, value);
        value
    }

    /// The value of a board: that of its best move, 0 if there is none.
    fn best(&mut self, network: &impl Evaluate, board: Bitboard, sum: u32, budget: f32, ply: u32) -> f32 {
        let mut afters = [Bitboard::default(); 4];
        let mut legal = 0;
        for (_, after) in board.moves() {
            afters[legal] = after;
            legal += 1;
        }
        let share = budget / legal as f32;
        let mut best = 0.0_f32;
        for &after in &afters[..legal] {
            best = best.max(1.0 + self.after(network, after, sum, share, ply + 1));
        }
        best
    }

    fn leaf(&mut self, network: &impl Evaluate, after: Bitboard, sum: u32) -> f32 {
        self.nodes += 1;
        if self.nodes >= self.max_nodes {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(NODES_PER_CLOCK)
            && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.stopped = true;
        }
        // No game goes on for less than no moves, whatever the network says.
        network.value(after, sum).max(0.0)
    }
}
