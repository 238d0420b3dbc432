//! Survival whatever is drawn: does a line of play exist that goes on for some moves wherever the new tiles fall?
//!
//! An AND-OR search: some move must survive, and it must do so for every empty cell. What was proved or refuted is
//! remembered for the eight symmetric boards together. The answer is exact or there is none: a survival is never
//! claimed because the effort ran out.

use crate::bitboard::Bitboard;
use crate::search::transposition_table::Table;

/// Longer survivals than this many moves are not proved.
pub const MAX_MOVES: u32 = 1000;

/// What is known of a board: it survives `proved` moves whatever is drawn, and not `refuted` moves (0: not known).
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    proved: u32,
    refuted: u32,
}

/// A survival search with its memory, which is allocated once.
#[derive(Debug)]
pub struct Survival {
    table: Table<Known>,
    boards: u64,
    max_boards: u64,
}

impl Default for Survival {
    fn default() -> Self {
        Self::new(18)
    }
}

impl Survival {
    /// A search with 2^`table_bits` entries of 16 bytes.
    #[must_use]
    pub fn new(table_bits: u32) -> Self {
        Self { table: Table::new(table_bits), boards: 0, max_boards: 0 }
    }

    /// Whether this board can be played on for `moves` moves whatever cells are drawn; `None` if that cannot be said
    /// after looking at `max_boards` boards, or if `moves` is above [`MAX_MOVES`].
    pub fn survives(&mut self, board: Bitboard, moves: u32, max_boards: u64) -> Option<bool> {
        self.boards = 0;
        self.max_boards = max_boards;
        if moves > MAX_MOVES { None } else { self.board(board, moves) }
    }

    /// The largest number of moves, up to [`MAX_MOVES`], that is proved to be survived whatever cells are drawn, and
    /// whether one more is refuted, for the cost of `max_boards` boards.
    pub fn moves(&mut self, board: Bitboard, max_boards: u64) -> (u32, bool) {
        self.boards = 0;
        self.max_boards = max_boards;
        for moves in 1..=MAX_MOVES {
            match self.board(board, moves) {
                Some(true) => {}
                Some(false) => return (moves - 1, true),
                None => return (moves - 1, false),
            }
        }
        (MAX_MOVES, false)
    }

    fn board(&mut self, board: Bitboard, moves: u32) -> Option<bool> {
        if moves == 0 {
            return Some(true);
        }
        let canonical = board.canonical();
        let mut known = self.table.get(canonical).unwrap_or_default();
        if known.proved >= moves {
            return Some(true);
        }
        if known.refuted != 0 && known.refuted <= moves {
            return Some(false);
        }
        if self.boards >= self.max_boards {
            return None;
        }
        self.boards += 1;
        let mut answer = Some(false);
        for (_, after) in board.moves() {
            match self.after(after, moves - 1) {
                Some(true) => {
                    answer = Some(true);
                    break;
                }
                Some(false) => {}
                None => answer = None,
            }
        }
        match answer {
            Some(true) => known.proved = moves,
            Some(false) => known.refuted = moves,
            None => return None,
        }
        self.table.put(canonical, known);
        answer
    }

    /// Whether every new tile leaves a board that survives so many moves.
    fn after(&mut self, after: Bitboard, moves: u32) -> Option<bool> {
        let mut answer = Some(true);
        for cell in after.empty_cells() {
            match self.board(after.with_two(cell), moves) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => answer = None,
            }
        }
        answer
    }
}
