//! The earlier boards of a game, packed so that a long game on a large board fits in memory.
//!
//! A tile that is a power of two takes one byte and up to 128 empty cells in a row take one byte, so no board of a real
//! game takes more bytes than it has cells. Any other number takes five.

use std::collections::TryReserveError;

/// A stack of boards of one size, each with what else belongs to it.
#[derive(Debug)]
pub(crate) struct History<T> {
    /// All boards behind one another.
    bytes: Vec<u8>,
    steps: Vec<Step<T>>,
}

#[derive(Debug)]
struct Step<T> {
    /// Where the board starts in `bytes`.
    start: usize,
    rest: T,
}

/// Codes up to this one are exponents: the tile is 2 to the power of the code.
const LARGEST_EXPONENT: u8 = 30;
/// The tile follows in four bytes, the lowest first.
const ANY_TILE: u8 = 31;
/// With this bit the other seven count empty cells, less one.
const EMPTY: u8 = 0x80;
const LONGEST_RUN: usize = 128;
const LONGEST_CODE: usize = 5;

impl<T> History<T> {
    pub fn new() -> Self {
        Self { bytes: Vec::new(), steps: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.steps.clear();
    }

    /// Puts a board on top.
    ///
    /// # Errors
    /// [`TryReserveError`] if there is no memory for it; nothing has changed then.
    pub fn push(&mut self, cells: &[i32], rest: T) -> Result<(), TryReserveError> {
        self.steps.try_reserve(1)?;
        self.bytes.try_reserve(cells.len().saturating_mul(LONGEST_CODE))?;
        let start = self.bytes.len();
        for run in cells.chunk_by(|&left, &right| (left == 0) == (right == 0)) {
            match run {
                [0, ..] => self.bytes.extend(run.chunks(LONGEST_RUN).map(|run| EMPTY | (run.len() - 1) as u8)),
                tiles => tiles.iter().for_each(|&tile| self.push_tile(tile)),
            }
        }
        self.steps.push(Step { start, rest });
        Ok(())
    }

    fn push_tile(&mut self, tile: i32) {
        if tile > 0 && tile.count_ones() == 1 {
            self.bytes.push(tile.trailing_zeros() as u8);
        } else {
            self.bytes.push(ANY_TILE);
            self.bytes.extend(tile.to_le_bytes());
        }
    }

    /// Takes the board on top and writes it over `cells`, as many as were pushed. `None`, and nothing written, if there
    /// is none.
    pub fn pop(&mut self, cells: &mut [i32]) -> Option<T> {
        let Step { start, rest } = self.steps.pop()?;
        cells.fill(0);
        let mut cells = cells.iter_mut();
        let mut bytes = self.bytes.drain(start..);
        while let Some(code) = bytes.next() {
            match code {
                ..=LARGEST_EXPONENT => put(&mut cells, 1 << code),
                EMPTY.. => _ = cells.nth(usize::from(code & !EMPTY)),
                _ => {
                    let tile = std::array::from_fn(|_| bytes.next().unwrap_or(0));
                    put(&mut cells, i32::from_le_bytes(tile));
                }
            }
        }
        Some(rest)
    }
}

fn put(cells: &mut std::slice::IterMut<'_, i32>, tile: i32) {
    if let Some(cell) = cells.next() {
        *cell = tile;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boards(cells: usize) -> impl Strategy<Value = Vec<Vec<i32>>> {
        let tile = prop_oneof![4 => Just(0), 3 => (0..31).prop_map(|exponent| 1 << exponent), 1 => any::<i32>()];
        prop::collection::vec(prop::collection::vec(tile, cells), 0..8)
    }

    proptest! {
        /// The last board pushed is the first one popped, whatever is on it.
        #[test]
        fn a_stack_of_boards(boards in (1_usize..400).prop_flat_map(boards), twice in any::<bool>()) {
            let mut history = History::new();
            for _ in 0..=u8::from(twice) {
                for (number, board) in boards.iter().enumerate() {
                    history.push(board, number).unwrap();
                }
                prop_assert_eq!(history.len(), boards.len());
                for (number, board) in boards.iter().enumerate().rev() {
                    let mut cells = vec![-1; board.len()];
                    prop_assert_eq!(history.pop(&mut cells), Some(number));
                    prop_assert_eq!(&cells, board);
                }
                prop_assert_eq!((history.len(), history.bytes.len()), (0, 0));
                prop_assert_eq!(history.pop(&mut [7]), None);
            }
        }
    }

    #[test]
    fn long_runs_and_odd_tiles() {
        let mut board = vec![0; 1000];
        for (place, tile) in [(0, i32::MIN), (1, -2), (129, 3), (130, 1), (131, i32::MAX), (260, 1 << 30), (999, 2)] {
            board[place] = tile;
        }
        let mut history = History::new();
        history.push(&board, ()).unwrap();
        let mut cells = vec![5; 1000];
        assert_eq!(history.pop(&mut cells), Some(()));
        assert_eq!(cells, board);
    }

    /// What the packing is for.
    #[test]
    fn boards_of_real_games_take_at_most_a_byte_for_each_cell() {
        let mut history = History::new();
        let full: Vec<i32> = (0..16_384).map(|cell| 2 << (cell % 17)).collect();
        history.push(&full, ()).unwrap();
        assert_eq!(history.bytes.len(), 16_384);
        history.push(&vec![0; 16_384], ()).unwrap();
        assert_eq!(history.bytes.len(), 16_384 + 128);
    }
}
