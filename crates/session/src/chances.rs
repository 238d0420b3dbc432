//! How far a game goes from a board on, by games played to their end.

use estr2048::Computer;
use estr2048::search::Limit;
use estr2048::{Bitboard, Parameters, TinyMt32};
use serde::Serialize;

/// Outcomes of games that the computer player played on from one board, with new cells drawn at random and without
/// looking ahead: with search it goes further, so that these are chances of a weaker player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Chances {
    /// Games played.
    pub games: u32,
    /// Those with a tile of 32768.
    pub reached_32768: u32,
    /// Those with a tile of 65536.
    pub reached_65536: u32,
    /// Those that made 131070, the highest score.
    pub reached_131070: u32,
    /// The mean score at the end.
    pub mean: f64,
}

/// The effort of the games: the network alone.
pub const EFFORT: Limit = Limit::Budget(1);

impl Chances {
    /// Plays one more game; false, and nothing counted, if it was stopped. The same numbers give the same game.
    pub fn add(
        &mut self,
        computer: &mut Computer,
        board: Bitboard,
        random: &mut TinyMt32,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        let mut board = board;
        while let Some(decision) = computer.decide(board) {
            if stopped() {
                return false;
            }
            let after = board.moved(decision.direction);
            let empty = after.count_empty();
            let chosen = random.generate_u32() % empty.max(1);
            let Some(cell) = after.empty_cells().nth(chosen as usize) else { break };
            board = after.with_two(cell);
        }
        let cells = board.to_board();
        let largest = cells.as_flattened().iter().max().copied().unwrap_or(0);
        self.games += 1;
        self.reached_32768 += u32::from(largest >= 32_768);
        self.reached_65536 += u32::from(largest >= 65_536);
        self.reached_131070 += u32::from(board.sum() >= estr2048::bitboard::MAX_SUM);
        self.mean += (board.sum() as f64 - self.mean) / f64::from(self.games);
        true
    }

    /// The random numbers of the games from this board.
    #[must_use]
    pub fn random(board: Bitboard) -> TinyMt32 {
        let cells = board.cells();
        TinyMt32::new((cells ^ (cells >> 32)) as u32, Parameters::OFFICIAL)
    }
}
