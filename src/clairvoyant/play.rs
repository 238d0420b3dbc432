//! The clairvoyant player: it watches, recovers the seed, plans, and plays the plan as long as every new cell is the
//! one that was foreseen. In all other cases it plays fair, like the ordinary computer player.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::bitboard::Bitboard;
use crate::board::GameBoard;
use crate::clairvoyant::observation::{NewCell, moved, positions_after};
use crate::clairvoyant::plan::{DEFAULT_WIDTH, MAX_WIDTH, Planner, Progress};
use crate::clairvoyant::recover::{BITS_TO_TRUST, Candidate, PARAMETER_SETS, Recovery};
use crate::clairvoyant::stream::Stream;
use crate::direction::Direction;
use crate::interruption::Shielded;
use crate::network::Network;
use crate::player::computer::Computer;
use crate::search::Limit;
use crate::tinymt32::Parameters;

/// The longest time for one call that can be asked for: the assignment allows five seconds.
pub const MAX_BUDGET: Duration = Duration::from_millis(4_500);

/// The effort of a fair move, while the seed is unknown: about a millisecond, near a fill too.
const FAIR_LIMIT: Limit = Limit::Nodes(5000);

/// How much a player may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most time that one call spends on recovery and planning; never more than [`MAX_BUDGET`] is used.
    pub budget: Duration,
    /// The sets of parameters that the game may have, in the order of trying.
    pub parameters: Vec<Parameters>,
    /// Boards in the beam.
    pub width: usize,
    /// Threads for the search of the seed.
    pub threads: usize,
}

impl Default for Options {
    /// Two seconds, zero and official parameters, [`DEFAULT_WIDTH`], as many threads as there are processors.
    fn default() -> Self {
        Self {
            budget: Duration::from_secs(2),
            parameters: PARAMETER_SETS.to_vec(),
            width: DEFAULT_WIDTH,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The player of one game. It takes the boards of a game in order; a board that does not follow from its last move is
/// taken for a game of its own.
#[derive(Debug)]
pub struct Clairvoyant {
    options: Options,
    network: Option<Arc<Network>>,
    fair: Computer,
    last: Option<Answer>,
    knowledge: Knowledge,
}

#[derive(Debug)]
struct Answer {
    board: GameBoard,
    direction: Direction,
    after: GameBoard,
}

/// What is known about the generator of the game.
#[derive(Debug)]
enum Knowledge {
    /// Nothing can be known: the game was not seen from its first board on, no seed fits, or a cell came otherwise.
    Blind,
    /// Boards are collected and seeds tested.
    Watching(Box<Recovery>),
    /// The seed is known, and every cell so far came as foreseen.
    Foreseeing(Box<Foresight>),
}

#[derive(Debug)]
struct Foresight {
    seed: Candidate,
    stream: Stream,
    /// The position in the stream after the present board.
    position: usize,
    /// The best line so far; its first moves have been played.
    line: Vec<Direction>,
    played: usize,
    /// `None` once the line is final.
    planner: Option<Planner>,
}

impl Clairvoyant {
    /// A player that plans with this network. Without a network it only plays fair.
    #[must_use]
    pub fn new(network: Option<Arc<Network>>, options: Options) -> Self {
        let fair = Computer::new(network.clone(), FAIR_LIMIT);
        Self { options, network, fair, last: None, knowledge: Knowledge::Blind }
    }

    /// The move for this board, or `None` if no direction changes it.
    pub fn choose(&mut self, board: &GameBoard) -> Option<Direction> {
        let deadline = Instant::now() + self.options.budget.min(MAX_BUDGET);
        if let Some(answer) = self.last.as_ref().filter(|answer| answer.board == *board) {
            return Some(answer.direction);
        }
        self.learn(board);
        let foreseen = self.foresee(board, deadline);
        let foreseen = foreseen.and_then(|direction| Some((direction, moved(board, direction)?)));
        let (direction, after) = match foreseen {
            Some(answer) => answer,
            None => {
                let direction = self.fair.choose(board)?;
                // Whatever was planned does not fit a move of another kind.
                if matches!(self.knowledge, Knowledge::Foreseeing(_)) {
                    self.knowledge = Knowledge::Blind;
                }
                (direction, moved(board, direction)?)
            }
        };
        self.last = Some(Answer { board: *board, direction, after });
        Some(direction)
    }

    /// Whether this board is one that can follow, or is the board of the last call.
    #[must_use]
    pub fn expects(&self, board: &GameBoard) -> bool {
        let follows = |answer: &Answer| answer.board == *board || NewCell::between(&answer.after, board).is_some();
        self.last.as_ref().is_some_and(follows)
    }

    /// The seed of the game, if it is known.
    #[must_use]
    pub fn seed(&self) -> Option<Candidate> {
        match &self.knowledge {
            Knowledge::Foreseeing(foresight) => Some(foresight.seed),
            _ => None,
        }
    }

    /// Compares the new cell with what is known.
    fn learn(&mut self, board: &GameBoard) {
        if let Some(first) = NewCell::between(&GameBoard::default(), board) {
            let mut recovery = Recovery::new(&self.options.parameters);
            recovery.observe(first.into());
            self.knowledge = Knowledge::Watching(Box::new(recovery));
            return;
        }
        let answer = self.last.take();
        let Some(new) = answer.and_then(|answer| NewCell::between(&answer.after, board)) else {
            self.knowledge = Knowledge::Blind;
            return;
        };
        match &mut self.knowledge {
            Knowledge::Blind => {}
            Knowledge::Watching(recovery) => recovery.observe(new.into()),
            Knowledge::Foreseeing(foresight) => {
                if !foresight.confirm(new) {
                    self.knowledge = Knowledge::Blind;
                }
            }
        }
    }

    /// The next move of the plan, if there is a plan.
    fn foresee(&mut self, board: &GameBoard, deadline: Instant) -> Option<Direction> {
        let network = self.network.as_deref()?;
        let packed = Bitboard::from_board(board)?;
        if let Knowledge::Watching(recovery) = &mut self.knowledge {
            if recovery.bits() < BITS_TO_TRUST {
                return None;
            }
            recovery.search(self.options.threads, Some(deadline));
            if let Some(seed) = recovery.trusted() {
                let mut stream = seed.stream();
                let position = positions_after(&mut stream, recovery.observations()).pop()?;
                let foresight = Foresight { seed, stream, position, line: Vec::new(), played: 0, planner: None };
                self.knowledge = Knowledge::Foreseeing(Box::new(foresight));
            } else if recovery.is_complete() {
                self.knowledge = Knowledge::Blind;
            }
        }
        match &mut self.knowledge {
            Knowledge::Foreseeing(foresight) => foresight.next_move(network, packed, self.options.width, deadline),
            _ => None,
        }
    }
}

impl Foresight {
    /// Whether the new cell is the one that the stream draws.
    fn confirm(&mut self, new: NewCell) -> bool {
        match self.stream.next_cell(self.position, new.taken) {
            Some((cell, position)) if cell == new.cell => {
                self.position = position;
                true
            }
            _ => false,
        }
    }

    fn next_move(&mut self, network: &Network, board: Bitboard, width: usize, deadline: Instant) -> Option<Direction> {
        if self.line.is_empty() {
            let planner = Planner::new(self.stream.clone(), board, self.position, width.clamp(1, MAX_WIDTH));
            self.planner = Some(planner);
            self.played = 0;
        }
        if let Some(planner) = &mut self.planner {
            let progress = planner.advance(network, deadline);
            self.line = planner.line();
            if progress != Progress::Working {
                self.planner = None;
            }
        }
        let direction = self.line.get(self.played).copied()?;
        self.played += 1;
        if let Some(planner) = &mut self.planner
            && !planner.keep_only(&self.line[..self.played])
        {
            // The line that is played has died in the beam: plan anew from the next board on.
            self.planner = None;
            self.line.clear();
        }
        Some(direction)
    }
}

/// The players of several games at once, for callers that only show boards: a board goes to the player that expects
/// it, or to a new one.
#[derive(Debug)]
pub struct Players {
    /// The one that played last is the last one.
    waiting: Shielded<Vec<Clairvoyant>>,
}

/// So many games are remembered; of more games at once, some are played fair.
const MAX_GAMES: usize = 8;

impl Players {
    /// No game yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { waiting: Shielded::new(Vec::new()) }
    }

    /// The move for this board, or `None` if no direction changes it. `new_player` makes the player of a new game.
    ///
    /// Threads do not wait for each other's moves.
    pub fn choose(&self, board: &GameBoard, new_player: impl FnOnce() -> Clairvoyant) -> Option<Direction> {
        let expecting = self.waiting.with(|waiting| {
            let place = waiting.iter().rposition(|player| player.expects(board));
            place.map(|place| waiting.remove(place))
        });
        let mut player = expecting.unwrap_or_else(new_player);
        let direction = player.choose(board);
        if direction.is_some() {
            let oldest = self.waiting.with(|waiting| {
                let oldest = if waiting.len() >= MAX_GAMES { Some(waiting.remove(0)) } else { None };
                waiting.push(player);
                oldest
            });
            drop(oldest);
        }
        direction
    }

    /// Forgets all games.
    pub fn forget(&self) {
        drop(self.waiting.with(std::mem::take));
    }
}

impl Default for Players {
    fn default() -> Self {
        Self::new()
    }
}
