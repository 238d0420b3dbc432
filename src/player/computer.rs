//! The computer player: any board in, a legal move out.
//!
//! It uses nothing but the board that it is handed.

use std::sync::Arc;
use std::time::Instant;

use crate::bitboard::Bitboard;
use crate::board::GameBoard;
use crate::direction::Direction;
use crate::network::Network;
use crate::network::tablebase::Goal;
use crate::player::handmade;
use crate::search::fill::{self, Solver};
use crate::search::{Decision, Limit, MARGIN, Search, TABLE_BITS};

/// What a move of the computer player may cost. Every [`Limit`] is an effort, too: that limit, by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// What the search may cost.
    pub limit: Limit,
    /// Boards that the exact solution of a [fill] may look at beside a limit in evaluations. 0: the solution has to do
    /// with one half of the limit, and the search with the other, as it always is with a limit in time. With a limit in
    /// budget no fill is solved, nor with a network that [has something](Network::has_endgame) for the fills: what
    /// ships has.
    pub fill_boards: u64,
    /// Threads of the search, 1 to [`MAX_THREADS`](crate::search::MAX_THREADS).
    pub threads: u32,
}

impl Effort {
    /// The effort of a player that was told nothing: about a millisecond a move in the mean. It is counted in network
    /// evaluations and boards, so that the same game comes out the same everywhere. The two million boards are enough
    /// from the first move in [reach](fill::REACH) of a fill on and take a second at worst.
    pub const USUAL: Self = Self { limit: Limit::Nodes(5000), fill_boards: 2_000_000, threads: 1 };

    /// The same effort by so many threads.
    #[must_use]
    pub fn with_threads(self, threads: u32) -> Self {
        Self { threads, ..self }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::USUAL
    }
}

impl From<Limit> for Effort {
    fn from(limit: Limit) -> Self {
        Self { limit, fill_boards: 0, threads: 1 }
    }
}

/// A move, and what it was chosen for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub direction: Direction,
    /// What the search found; its own best move may be another one.
    pub search: Decision,
    /// The exact probability of coming through the fill ahead or just behind, if it was computed; the move is best by
    /// this then. Of a board that the network's [tablebase](crate::network::tablebase) knows for the fill, or that a move leads back to
    /// from beside it, what that says; of one that it knows for the way to 131070, nothing.
    pub fill: Option<f32>,
}

/// A player with its network and the memory of its search. A player belongs to one thread; any number of them can
/// share a network.
///
/// ```
/// use estr2048::{Computer, Direction, Limit};
///
/// // Without a network it is the small hand-made player.
/// let mut computer = Computer::new(None, Limit::Nodes(500));
/// let board = [[2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 64], [16, 32, 64, 64]];
/// assert!(computer.choose(&board).is_some_and(|best| [Direction::Left, Direction::Right].contains(&best)));
/// ```
#[derive(Debug)]
pub struct Computer {
    network: Option<Arc<Network>>,
    effort: Effort,
    search: Search,
    /// Made when the first fill comes into sight: many players never see one.
    fills: Option<Solver>,
}

impl Computer {
    /// A player with this network, or without one the small hand-made player.
    #[must_use]
    pub fn new(network: Option<Arc<Network>>, effort: impl Into<Effort>) -> Self {
        let effort = effort.into();
        Self { network, effort, search: Search::with_threads(TABLE_BITS, effort.threads), fills: None }
    }

    /// The same, or `None` if there is not enough memory for its search.
    #[must_use]
    pub fn try_new(network: Option<Arc<Network>>, effort: impl Into<Effort>) -> Option<Self> {
        let effort = effort.into();
        Some(Self { network, effort, search: Search::try_with_threads(TABLE_BITS, effort.threads)?, fills: None })
    }

    /// What this player judges boards by.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// What its moves may cost.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The move for this board, or `None` if no direction changes it.
    ///
    /// Boards that no game reaches, with other numbers than powers of two or with tiles above 65536, get a legal move
    /// too, from the small hand-made player.
    pub fn choose(&mut self, board: &GameBoard) -> Option<Direction> {
        match (Bitboard::from_board(board), &self.network) {
            (Some(packed), Some(_)) => self.decide(packed).map(|choice| choice.direction),
            _ => handmade::choose(board),
        }
    }

    /// The move for a packed board with all that was found, or `None` if no direction changes it or the player has no
    /// network.
    pub fn decide(&mut self, board: Bitboard) -> Option<Choice> {
        let start = Instant::now();
        let network = self.network.as_deref()?;
        if let Some(known) = network.tablebase().and_then(|solved| solved.best_move(board)) {
            // What the network itself says of the moves is told beside it.
            let search = self.search.decide(network, board, Limit::Budget(1))?;
            let fill = (known.goal == Goal::Fill).then_some(known.chance);
            return Some(Choice { direction: known.direction, search, fill });
        }
        // A network that was made for the fills knows more of how their chains fall together than their solution does.
        let fill = fill::at(board.sum()).filter(|_| !network.has_endgame());
        let near = fill.and_then(|fill| Some((fill, shared(self.effort, start)?)));
        let limit = near.map_or(self.effort.limit, |(_, (limit, _))| limit);
        let search = self.search.decide(network, board, limit)?;
        let choice = Choice { direction: search.direction, search, fill: None };
        let Some((fill, (_, limits))) = near else { return Some(choice) };
        if search.values.iter().flatten().count() == 1 {
            return Some(choice);
        }
        if self.fills.is_none() {
            self.fills = Solver::try_default();
        }
        let Some(fills) = &mut self.fills else { return Some(choice) };
        if limits.deadline.is_none() {
            // The move must not depend on what was solved before.
            fills.forget();
        }
        let mut preferred = Direction::ALL;
        let value = |direction: Direction| search.values[direction as usize].unwrap_or(0.0);
        preferred.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        match fills.best_move(board, fill, preferred, limits) {
            Some((direction, chance)) if chance > 0.0 => Some(Choice { direction, fill: Some(chance), ..choice }),
            _ => Some(choice),
        }
    }
}

/// What a move near a fill may cost: by the search, and by the exact solution.
fn shared(effort: Effort, start: Instant) -> Option<(Limit, fill::Limits)> {
    let Effort { limit, fill_boards, .. } = effort;
    match limit {
        Limit::Nodes(nodes) if fill_boards == 0 => {
            let boards = nodes / 2;
            Some((Limit::Nodes(nodes - boards), fill::Limits { boards, deadline: None }))
        }
        Limit::Nodes(_) => Some((limit, fill::Limits { boards: fill_boards, deadline: None })),
        Limit::Time(time) => {
            let deadline = start.checked_add(time - time / MARGIN)?;
            Some((Limit::Time(time / 2), fill::Limits { boards: u64::MAX, deadline: Some(deadline) }))
        }
        Limit::Budget(_) => None,
    }
}
