//! What a computer player thinks of a board.

use std::sync::Arc;

use anyhow::Result;
use estr2048::Computer;
use estr2048::network::{Network, weights};
use estr2048::player::computer::Effort;
use estr2048::search::survival::Survival;
use estr2048::search::{Decision, Limit};
use estr2048::{Bitboard, Board, Course, Direction};
use serde::Serialize;

use crate::any_size;
use crate::course;

/// What the values of an [`Advice`] count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Expected further moves, by the network, which was trained on ESTR1002's rules.
    Moves,
    /// Points of the small player for boards that the network does not know; only their order means something.
    Points,
}

/// The value of each direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// The best direction.
    pub best: Direction,
    /// The value of each direction, in the order of their numbers; `None` if it changes nothing.
    pub values: [Option<f32>; 4],
    /// What they count.
    pub unit: Unit,
    /// Moves looked ahead.
    pub depth: u32,
    /// Boards valued.
    pub nodes: u64,
    /// The exact chance to pass the next fill of the board under best play, if it is near and the way beyond, to 131070, is not
    /// what is played by.
    pub passing: Option<f32>,
}

/// For how long a board can be played on whatever cells are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Survives {
    /// So many moves are proved.
    pub moves: u32,
    /// Whether one more is refuted.
    pub exact: bool,
}

/// The packed form of a board, if it is one that the network knows.
#[must_use]
pub fn packed(board: &Board) -> Option<Bitboard> {
    let rows: Vec<[i32; 4]> = board.cells().chunks(4).filter_map(|row| row.try_into().ok()).collect();
    let square = (board.rows(), board.cols()) == (4, 4);
    Bitboard::from_board(&rows.try_into().ok().filter(|_| square)?)
}

/// The network of the computer player, read once.
///
/// # Errors
/// If `ESTR_WEIGHTS` names a file that is none.
pub fn network() -> Result<Option<Arc<Network>>> {
    Ok(weights::standard()?)
}

/// Who gives advice: a computer player with the memory of its search, for any board.
#[derive(Debug)]
pub struct Adviser {
    network: Option<Arc<Network>>,
    computer: Option<(Effort, Computer)>,
}

impl Adviser {
    /// With this network; without one, every board is valued by hand.
    #[must_use]
    pub fn new(network: Option<Arc<Network>>) -> Self {
        Self { network, computer: None }
    }

    /// The value of each direction with this effort; `None` if nothing can move.
    pub fn advise(&mut self, board: &Board, effort: Effort) -> Option<Advice> {
        if let Some(packed) = packed(board).filter(|_| self.network.is_some()) {
            let choice = self.computer(effort).decide(packed)?;
            let (best, passing) = (choice.direction, choice.fill);
            let Decision { values, depth, nodes, .. } = choice.search;
            return Some(Advice { best, values, unit: Unit::Moves, depth, nodes, passing });
        }
        let values = any_size::values(board);
        let legal = Direction::ALL.into_iter().filter_map(|direction| Some((direction, values[direction as usize]?)));
        let (best, _) = legal.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Advice { best, values, unit: Unit::Points, depth: 2, nodes: 0, passing: None })
    }

    fn computer(&mut self, effort: Effort) -> &mut Computer {
        let network = &self.network;
        let (known, computer) = self.computer.get_or_insert_with(|| (effort, Computer::new(network.clone(), effort)));
        if *known != effort {
            (*known, *computer) = (effort, Computer::new(network.clone(), effort));
        }
        computer
    }

    /// The best moves, each answered by the new tile that hurts most, as cells in reading order.
    pub fn best_line(&mut self, board: Bitboard, moves: usize, stopped: &dyn Fn() -> bool) -> Vec<(Direction, usize)> {
        let effort = Effort::from(Limit::Nodes(2000));
        let mut line = Vec::new();
        let mut board = board;
        let mut decision = self.computer(effort).decide(board);
        for _ in 0..moves {
            let Some(choice) = decision.filter(|_| !stopped()) else { break };
            let after = board.moved(choice.direction);
            let replies = after.empty_cells().map(|cell| {
                let board = after.with_two(cell);
                let reply = self.computer(effort).decide(board);
                let value = reply.map_or(0.0_f32, |reply| reply.search.values[reply.direction as usize].unwrap_or(0.0));
                (value, cell, board, reply)
            });
            let Some((_, cell, next, reply)) = replies.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            line.push((choice.direction, cell));
            (board, decision) = (next, reply);
        }
        line
    }
}

/// For how long this board can be played on whatever cells are drawn, as far as looking at `boards` boards tells.
/// `None` if the course draws other tiles than 2, or the board is not one of those that the proof knows.
#[must_use]
pub fn survival(board: &Board, course: Course, boards: u64) -> Option<Survives> {
    let packed = packed(board).filter(|_| course::only_twos(course))?;
    let (moves, exact) = Survival::default().moves(packed, boards);
    Some(Survives { moves, exact })
}

/// How much worse a move was than the best one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// The best direction's number.
    pub best: i32,
    /// What the best one is worth.
    pub value: f32,
    /// How much less the move that was made is worth, in the same unit; 0 if it was the best.
    pub loss: f32,
    /// What they count.
    pub unit: Unit,
}

impl Mark {
    /// What this advice says of a move.
    #[must_use]
    pub fn of(advice: &Advice, made: Direction) -> Self {
        let value = advice.values[advice.best as usize].unwrap_or(0.0);
        let loss = advice.values[made as usize].map_or(0.0, |made| (value - made).max(0.0));
        let loss = if made == advice.best { 0.0 } else { loss };
        Self { best: advice.best.number(), value, loss, unit: advice.unit }
    }

    /// A sign as under games of chess: `??` lost a tenth of what was to be expected, `?` a fiftieth, `?!` a two
    /// hundredth. Nothing for smaller losses, which may be errors of the network.
    #[must_use]
    pub fn sign(&self) -> &'static str {
        let part = match self.unit {
            Unit::Moves => self.loss / self.value.max(1.0),
            Unit::Points => self.loss / 10_000.0,
        };
        match part {
            0.1.. => "??",
            0.02.. => "?",
            0.005.. => "?!",
            _ => "",
        }
    }
}
