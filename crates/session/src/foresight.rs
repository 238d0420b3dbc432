//! The clairvoyant player of a game whose seed is known: it plans all moves with the cells that will come.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use estr2048::clairvoyant::plan::{DEFAULT_WIDTH, Planner, Progress};
use estr2048::clairvoyant::stream::Stream;
use estr2048::network::Network;
use estr2048::{Bitboard, Course, Direction, Parameters};
use serde::Serialize;

use crate::advice::packed;
use crate::start::Start;
use crate::tape::Tape;

/// A plan in the making.
#[derive(Debug)]
pub struct Foresight {
    planner: Planner,
}

/// How far a plan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// Moves.
    pub moves: usize,
    /// The sum of all tiles after them.
    pub sum: i64,
    /// How often all lines ended, and the search went back.
    pub dead_ends: usize,
    /// Whether the search is over.
    pub finished: bool,
}

impl Foresight {
    /// A plan from the board after `at` moves on.
    ///
    /// # Errors
    /// If it is no game of ESTR1002 from its beginning, whose seed alone tells all cells.
    pub fn new(start: &Start, tape: &Tape, at: usize) -> Result<Self> {
        ensure!(
            start.course == Course::Estr1002 && start.board.is_none() && start.more_tiles == 0,
            "the clairvoyant player knows ESTR1002 only"
        );
        let seed = u32::try_from(start.seed).context("the seed is no 32-bit number")?;
        let mut stream = Stream::new(seed, Parameters::ZERO);
        let lost = "the board holds tiles that the plan does not know";
        let (cell, mut position) = stream.next_cell(0, 0).context(lost)?;
        let mut board = Bitboard::default().with_two(cell.into());
        for step in tape.steps().iter().take(at) {
            let after = board.moved(step.direction);
            let (cell, next) = stream.next_cell(position, taken(after)).context(lost)?;
            (board, position) = (after.with_two(cell.into()), next);
        }
        ensure!(packed(&tape.board(at)) == Some(board), lost);
        Ok(Self { planner: Planner::new(stream, board, position, DEFAULT_WIDTH) })
    }

    /// Goes on for about so long.
    pub fn advance(&mut self, network: &Network, time: Duration) -> Planned {
        let progress = self.planner.advance(network, Instant::now() + time);
        let state = self.planner.state();
        let finished = progress != Progress::Working;
        Planned { moves: state.depth, sum: state.sum, dead_ends: state.deaths, finished }
    }

    /// The best line so far.
    #[must_use]
    pub fn line(&self) -> Vec<Direction> {
        self.planner.line()
    }
}

/// One bit for every taken cell.
fn taken(board: Bitboard) -> u16 {
    board.empty_cells().fold(u16::MAX, |taken, cell| taken & !(1 << cell))
}
