//! ESTR1002: one 2 a round, drawn with TinyMT32 by rejection; no winning tile; the score is the sum of all tiles.

use std::fmt;

use crate::board::{Board, GameBoard};
use crate::tinymt32::TinyMt32;

/// After this many draws without an empty cell the generator is taken to be one that never reaches it: with all cells
/// equally likely the chance of that many misses is below 10^-1800.
pub const MAX_DRAWS: u32 = 1 << 16;

/// Why no new cell could be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewCellError {
    /// The board has no empty cell.
    Full,
    /// [`MAX_DRAWS`] draws hit no empty cell: the generator only ever draws cells that are taken.
    Unreachable,
}

impl fmt::Display for NewCellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the board has no empty cell",
            Self::Unreachable => "the random numbers of this seed never reach an empty cell",
        })
    }
}

impl std::error::Error for NewCellError {}

/// One draw of the assignment: the row first, then the column, as `row * 4 + col`.
#[inline]
pub fn draw_cell(random: &mut TinyMt32) -> usize {
    let row = random.generate_u32() % 4;
    let col = random.generate_u32() % 4;
    (row * 4 + col) as usize
}

/// Draws cells until one is empty, and gives it; `None` if [`MAX_DRAWS`] draws hit none.
#[inline]
pub fn draw_empty_cell(random: &mut TinyMt32, is_empty: impl Fn(usize) -> bool) -> Option<usize> {
    (0..MAX_DRAWS).map(|_| draw_cell(random)).find(|&cell| is_empty(cell))
}

/// Draws cells until one is empty, puts a 2 there, and gives its index `row * 4 + col`.
///
/// # Errors
/// [`NewCellError`]; the board is unchanged then. A full board draws nothing.
pub fn new_cell(board: &mut GameBoard, random: &mut TinyMt32) -> Result<usize, NewCellError> {
    let cells = board.as_flattened_mut();
    if !cells.contains(&0) {
        return Err(NewCellError::Full);
    }
    let cell = draw_empty_cell(random, |cell| cells[cell] == 0).ok_or(NewCellError::Unreachable)?;
    cells[cell] = 2;
    Ok(cell)
}

/// The assignment's look of a board: cells of four characters between `+`, `-` and `|`, an empty cell blank. A column
/// with a wider tile is as wide as that tile.
///
/// ```
/// # use estr2048::courses::estr1002::Look;
/// # use estr2048::Board;
/// let board = Board::over(1, 2, [2, 0]).unwrap();
/// assert_eq!(Look(&board).to_string(), "+----+----+\n|   2|    |\n+----+----+\n");
/// ```
#[derive(Debug)]
pub struct Look<'a, S>(pub &'a Board<S>);

const CELL_WIDTH: usize = 4;

impl<S: AsRef<[i32]>> fmt::Display for Look<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        let width = |col: usize| {
            let tiles = (0..board.rows()).map(|row| digits(board.row(row)[col]));
            tiles.max().unwrap_or(0).max(CELL_WIDTH)
        };
        let border = |f: &mut fmt::Formatter<'_>| {
            for col in 0..board.cols() {
                write!(f, "+{:-<1$}", "", width(col))?;
            }
            f.write_str("+\n")
        };
        border(f)?;
        for row in 0..board.rows() {
            for (col, &tile) in board.row(row).iter().enumerate() {
                match tile {
                    0 => write!(f, "|{:1$}", "", width(col))?,
                    _ => write!(f, "|{tile:0$}", width(col))?,
                }
            }
            f.write_str("|\n")?;
            border(f)?;
        }
        Ok(())
    }
}

/// The number of characters of a tile, its sign included.
fn digits(tile: i32) -> usize {
    let digits = tile.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 1;
    digits + usize::from(tile < 0)
}
