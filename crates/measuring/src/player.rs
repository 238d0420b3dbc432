//! Whoever plays a game.

use anyhow::Result;
use estr2048::Direction;
use estr2048::board::GameBoard;
use estr2048::player::computer::Computer;

/// Somebody who plays one game: sees boards, names directions.
pub trait Player {
    /// The move for this board, or `None` if the player sees no move.
    ///
    /// # Errors
    /// If the player cannot go on, for example because its process died.
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>>;
}

impl Player for Computer {
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>> {
        Ok(Computer::choose(self, board))
    }
}
