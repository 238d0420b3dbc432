//! Boards as text: tiles with blanks between them, rows with a `/` or a line end between them.
//!
//! ```
//! use estr2048::{Bitboard, Board};
//!
//! let board: Board = "2 0 4/0 16 2".parse()?;
//! assert_eq!((board.rows(), board.cols()), (2, 3));
//! assert_eq!(board.to_string(), "2 0 4/0 16 2");
//! // A row to a line.
//! assert_eq!(format!("{board:#}"), "2 0 4\n0 16 2");
//!
//! let packed: Bitboard = "2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 65536\n".parse()?;
//! assert_eq!(packed.sum(), 65538);
//! # Ok::<(), estr2048::notation::ParseBoardError>(())
//! ```

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::bitboard::{Bitboard, PackError};
use crate::board::{Board, GameBoard};

impl<S: AsRef<[i32]>> fmt::Display for Board<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows() {
            for (col, tile) in self.row(row).iter().enumerate() {
                let before = match (row, col) {
                    (0, 0) => "",
                    (_, 0) if f.alternate() => "\n",
                    (_, 0) => "/",
                    _ => " ",
                };
                write!(f, "{before}{tile}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Board::from(&self.to_board()).fmt(f)
    }
}

/// Why a text is no board. Rows and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseBoardError {
    /// This word is no tile: no whole number, or one that does not fit an `i32`.
    Tile {
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// This row is empty, or not as long as the first.
    Row(usize),
    /// The text is a board, but not one that can be packed.
    Pack(PackError),
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile { row, col } => write!(f, "row {row}, column {col} is no tile"),
            Self::Row(row) => write!(f, "row {row} is empty or not as long as the first"),
            Self::Pack(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseBoardError {}

/// Hands over the tiles in reading order, and gives the number of rows and columns.
fn read(text: &str, mut keep: impl FnMut(i32)) -> Result<(usize, usize), ParseBoardError> {
    let (mut rows, mut cols) = (0, 0);
    for line in text.trim_end().split(['/', '\n']) {
        rows += 1;
        let mut len = 0;
        for word in line.split_whitespace() {
            len += 1;
            keep(word.parse().map_err(|_| ParseBoardError::Tile { row: rows, col: len })?);
        }
        if rows == 1 {
            cols = len;
        }
        if len == 0 || len != cols {
            return Err(ParseBoardError::Row(rows));
        }
    }
    Ok((rows, cols))
}

#[cfg(feature = "alloc")]
impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let mut cells = Vec::new();
        let (rows, cols) = read(text, |tile| cells.push(tile))?;
        // All rows are of one length, so that the sides fit.
        Self::over(rows, cols, cells).map_err(|_| ParseBoardError::Row(1))
    }
}

impl FromStr for Bitboard {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let mut board = GameBoard::default();
        let mut cells = board.as_flattened_mut().iter_mut();
        let size = read(text, |tile| {
            if let Some(cell) = cells.next() {
                *cell = tile;
            }
        })?;
        if size != (4, 4) {
            return Err(ParseBoardError::Pack(PackError));
        }
        Self::try_from(board).map_err(ParseBoardError::Pack)
    }
}
