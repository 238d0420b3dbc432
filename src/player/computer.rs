//! The computer player: any board in, a legal move out.
//!
//! It uses nothing but the board that it is handed.

use std::sync::Arc;
use std::time::Instant;

use crate::bitboard::Bitboard;
use crate::courses::estr1002::GameBoard;
use crate::direction::Direction;
use crate::network::Network;
use crate::player::handmade;
use crate::search::fill::{self as barrier, Barrier, Effort};
use crate::search::{Decision, Limit, MARGIN, Search, TABLE_BITS};

/// A player with its network and the memory of its search. A player belongs to one thread; any number of them can
/// share a network.
#[derive(Debug)]
pub struct Computer {
    network: Option<Arc<Network>>,
    limit: Limit,
    search: Search,
    /// Made when the first fill comes into sight: many players never see one.
    barrier: Option<Barrier>,
}

/// The effort of a player that was told nothing: about a millisecond a move in the mean. It is counted in network
/// evaluations and boards, so that the same game comes out the same everywhere.
pub const DEFAULT_LIMIT: Limit = Limit::NodesAndBarriers(5000);

/// Boards that the solution of a barrier may look at for every evaluation of [`Limit::NodesAndBarriers`]: with the usual
/// effort two millions, which is enough from the first move in [reach](barrier::REACH) on and takes a second at worst.
const BOARDS_PER_EVALUATION: u64 = 400;

impl Computer {
    /// A player with this network, or without one the small hand-made player.
    #[must_use]
    pub fn new(network: Option<Arc<Network>>, limit: Limit) -> Self {
        Self::with_threads(network, limit, 1)
    }

    /// A player whose search uses so many threads, 1 to [`MAX_THREADS`](crate::search::MAX_THREADS).
    #[must_use]
    pub fn with_threads(network: Option<Arc<Network>>, limit: Limit, threads: u32) -> Self {
        Self { network, limit, search: Search::with_threads(TABLE_BITS, threads), barrier: None }
    }

    /// The move for this board, or `None` if no direction changes it.
    ///
    /// Boards that no game reaches, with other numbers than powers of two or with tiles above 65536, get a legal move
    /// too, from the small hand-made player.
    pub fn choose(&mut self, board: &GameBoard) -> Option<Direction> {
        match (Bitboard::from_board(board), &self.network) {
            (Some(packed), Some(_)) => self.decide(packed).map(|decision| decision.direction),
            _ => handmade::choose(board),
        }
    }

    /// The move for a packed board with all that the search found, or `None` if no direction changes it or the player
    /// has no network.
    pub fn decide(&mut self, board: Bitboard) -> Option<Decision> {
        let start = Instant::now();
        let network = self.network.as_deref()?;
        let ahead = barrier::ahead(board.sum());
        let (Some(target), Some((limit, effort))) = (ahead, halved(self.limit, start)) else {
            return self.search.decide(network, board, self.limit);
        };
        let decision = self.search.decide(network, board, limit)?;
        if decision.values.iter().flatten().count() == 1 {
            return Some(decision);
        }
        let barrier = self.barrier.get_or_insert_with(Barrier::default);
        if effort.deadline.is_none() {
            // The move must not depend on what was solved before.
            barrier.forget();
        }
        let mut preferred = Direction::ALL;
        let value = |direction: Direction| decision.values[direction as usize].unwrap_or(0.0);
        preferred.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        match barrier.best_move(board, target, preferred, effort) {
            Some((direction, chance)) if chance > 0.0 => {
                Some(Decision { direction, passing: Some(chance), ..decision })
            }
            _ => Some(decision),
        }
    }
}

/// What a move near a barrier may cost: by the search, and by the exact solution. Together they keep to the limit.
fn halved(limit: Limit, start: Instant) -> Option<(Limit, Effort)> {
    match limit {
        Limit::Nodes(nodes) => {
            let boards = nodes / 2;
            Some((Limit::Nodes(nodes - boards), Effort { boards, deadline: None }))
        }
        Limit::NodesAndBarriers(nodes) => {
            let boards = nodes.saturating_mul(BOARDS_PER_EVALUATION);
            Some((Limit::Nodes(nodes), Effort { boards, deadline: None }))
        }
        Limit::Time(time) => {
            let deadline = start.checked_add(time - time / MARGIN)?;
            Some((Limit::Time(time / 2), Effort { boards: u64::MAX, deadline: Some(deadline) }))
        }
        Limit::Budget(_) => None,
    }
}
