//! The computer player: any board in, a legal move out.
//!
//! It uses nothing but the board that it is handed.

use std::sync::Arc;

use crate::bitboard::Bitboard;
use crate::courses::estr1002::GameBoard;
use crate::direction::Direction;
use crate::player::expectimax::{Decision, Limit, Search};
use crate::player::handmade;
use crate::player::network::Network;

/// A player with its network and the memory of its search. A player belongs to one thread; any number of them can
/// share a network.
#[derive(Debug)]
pub struct Computer {
    network: Option<Arc<Network>>,
    limit: Limit,
    search: Search,
}

/// The effort of a player that was told nothing: somewhat below a millisecond a move on a desktop core. It is counted in
/// network evaluations, so that the same game comes out the same everywhere.
pub const DEFAULT_LIMIT: Limit = Limit::Nodes(5000);

impl Computer {
    /// A player with this network, or without one the small hand-made player.
    #[must_use]
    pub fn new(network: Option<Arc<Network>>, limit: Limit) -> Self {
        Self { network, limit, search: Search::default() }
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
        let network = self.network.as_deref()?;
        self.search.decide(network, board, self.limit)
    }
}
