//! What a player thinks of a board: every direction's value, the best line, and what can be proved.

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::player::computer::{Choice, Computer};
use crate::search::survival::Survival;

/// Boards that the proof of survival may look at: a fraction of a second.
const SURVIVAL_BOARDS: u64 = 500_000;

/// A move of the best line, and the new tile after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub direction: Direction,
    /// The cell of the new 2 that hurts most, row * 4 + column.
    pub cell: usize,
}

/// For how long a board can be played on whatever cells are drawn: the number of moves, and whether it is exact or only
/// proved to be reached.
#[must_use]
pub fn survival(board: Bitboard) -> (u32, bool) {
    Survival::default().moves(board, SURVIVAL_BOARDS)
}

/// At most so many of the best moves, each answered by the new tile that hurts most. `first` is the choice for the board
/// itself; `computer` chooses on.
pub fn best_line(computer: &mut Computer, board: Bitboard, first: Choice, moves: usize) -> Vec<Step> {
    let mut line = Vec::new();
    let mut board = board;
    let mut choice = Some(first);
    while line.len() < moves {
        let Some(Choice { direction, .. }) = choice else { break };
        let after = board.moved(direction);
        let replies = after.empty_cells().map(|cell| {
            let board = after.with_two(cell);
            let reply = computer.decide(board);
            let value = reply.map_or(0.0, |reply| reply.search.values[reply.direction as usize].unwrap_or(0.0));
            (value, cell, board, reply)
        });
        let worst = replies.min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, cell, next, reply)) = worst else { break };
        line.push(Step { direction, cell });
        board = next;
        choice = reply;
    }
    line
}
