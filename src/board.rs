//! A board of any size and any ints, on top of [`Line`].

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;

use crate::direction::Direction;
use crate::line::{Line, Shift};

/// ESTR1002's `int game_board[4][4]`: `[row][col]`, row 0 at the top, 0 for an empty cell.
pub type GameBoard = [[i32; 4]; 4];

/// A board of `rows` × `cols` tiles in reading order; 0 is an empty cell, every other `i32` is a tile.
///
/// `S` is where the cells live: `Vec<i32>` for an owned board, `&mut [i32]` to work on somebody else's array in place.
///
/// ```
/// use estr2048::{Board, Direction};
///
/// let mut cells = [2, 2, 4, 0];
/// let mut board = Board::over(1, 4, &mut cells[..]).unwrap();
/// assert_eq!(board.shift(Direction::Left).gain, 4);
/// assert_eq!(cells, [4, 4, 0, 0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board<S = Owned> {
    rows: usize,
    cols: usize,
    cells: S,
}

/// Where a board keeps cells of its own. Without an allocator no board does.
#[cfg(feature = "alloc")]
type Owned = Vec<i32>;
#[cfg(not(feature = "alloc"))]
type Owned = core::convert::Infallible;

/// Why a board could not be made: a side is zero, or the number of cells is not rows × cols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a board needs at least one row and one column, and rows x cols cells")
    }
}

impl core::error::Error for SizeError {}

#[cfg(feature = "alloc")]
impl Board {
    /// An empty board.
    ///
    /// # Errors
    /// [`SizeError`] if a side is zero or rows × cols does not fit a `usize`.
    pub fn empty(rows: usize, cols: usize) -> Result<Self, SizeError> {
        let size = rows.checked_mul(cols).ok_or(SizeError)?;
        Self::over(rows, cols, vec![0; size])
    }
}

impl<'a, const ROWS: usize, const COLS: usize> From<&'a [[i32; COLS]; ROWS]> for Board<&'a [i32]> {
    fn from(board: &'a [[i32; COLS]; ROWS]) -> Self {
        const { assert!(ROWS > 0 && COLS > 0) };
        Self { rows: ROWS, cols: COLS, cells: board.as_flattened() }
    }
}

impl<'a, const ROWS: usize, const COLS: usize> From<&'a mut [[i32; COLS]; ROWS]> for Board<&'a mut [i32]> {
    fn from(board: &'a mut [[i32; COLS]; ROWS]) -> Self {
        const { assert!(ROWS > 0 && COLS > 0) };
        Self { rows: ROWS, cols: COLS, cells: board.as_flattened_mut() }
    }
}

impl<S: AsRef<[i32]>> Board<S> {
    /// A board over these cells, given in reading order.
    ///
    /// # Errors
    /// [`SizeError`] if a side is zero or `cells` does not hold exactly rows × cols values.
    pub fn over(rows: usize, cols: usize, cells: S) -> Result<Self, SizeError> {
        let size = rows.checked_mul(cols).ok_or(SizeError)?;
        if size == 0 || cells.as_ref().len() != size {
            return Err(SizeError);
        }
        Ok(Self { rows, cols, cells })
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// All cells in reading order.
    #[must_use]
    pub fn cells(&self) -> &[i32] {
        self.cells.as_ref()
    }

    /// One row, from left to right.
    ///
    /// # Panics
    /// If `row` is not below [`rows`](Self::rows).
    #[must_use]
    pub fn row(&self, row: usize) -> &[i32] {
        &self.cells()[row * self.cols..][..self.cols]
    }

    /// The sum of all tiles: the score of the ESTR1002 game.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.cells().iter().map(|&tile| i64::from(tile)).sum()
    }

    /// Number of empty cells.
    #[must_use]
    pub fn count_empty(&self) -> usize {
        self.cells().iter().filter(|&&tile| tile == 0).count()
    }

    /// The indices of the empty cells, in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> + '_ {
        let cells = self.cells().iter().enumerate();
        cells.filter(|&(_, &tile)| tile == 0).map(|(index, _)| index)
    }

    /// Whether a move in this direction would change anything.
    #[must_use]
    pub fn can_move(&self, direction: Direction) -> bool {
        let (lines, len) = self.lines(direction);
        (0..lines).any(|line| {
            let (start, stride) = self.line_place(direction, line);
            (1..len).any(|place| {
                let here = start.wrapping_add_signed(stride * place as isize);
                let nearer = here.wrapping_add_signed(-stride);
                let (nearer, tile) = (self.cells()[nearer], self.cells()[here]);
                tile != 0 && (nearer == 0 || (nearer == tile && tile.checked_mul(2).is_some()))
            })
        })
    }

    /// Whether no direction changes anything. An empty board counts as over, since nothing on it can move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !Direction::ALL.into_iter().any(|direction| self.can_move(direction))
    }

    /// How many lines lie along this direction, and how long each is.
    fn lines(&self, direction: Direction) -> (usize, usize) {
        match direction {
            Direction::Up | Direction::Down => (self.cols, self.rows),
            Direction::Left | Direction::Right => (self.rows, self.cols),
        }
    }

    /// Where line `line` starts (at the edge the tiles move to), and the step to its next place.
    fn line_place(&self, direction: Direction, line: usize) -> (usize, isize) {
        let (rows, cols) = (self.rows, self.cols);
        match direction {
            Direction::Up => (line, cols as isize),
            Direction::Down => ((rows - 1) * cols + line, -(cols as isize)),
            Direction::Left => (line * cols, 1),
            Direction::Right => (line * cols + cols - 1, -1),
        }
    }
}

impl<S: AsRef<[i32]> + AsMut<[i32]>> Board<S> {
    /// All cells in reading order, to be changed.
    pub fn cells_mut(&mut self) -> &mut [i32] {
        self.cells.as_mut()
    }

    /// Line number `line` along `direction`, its place 0 at the edge that the tiles move to. Lines are counted from
    /// the left (columns) or from the top (rows).
    ///
    /// # Panics
    /// If there is no such line.
    pub fn line(&mut self, direction: Direction, line: usize) -> Line<'_> {
        let (lines, len) = self.lines(direction);
        assert!(line < lines, "the board has {lines} lines in this direction");
        let (start, stride) = self.line_place(direction, line);
        Line::strided(self.cells.as_mut(), start, stride, len)
    }

    fn each_line(&mut self, direction: Direction, mut step: impl FnMut(&mut Line<'_>) -> Shift) -> Shift {
        let mut total = Shift::default();
        for line in 0..self.lines(direction).0 {
            total += step(&mut self.line(direction, line));
        }
        total
    }

    /// Packs the tiles of every line towards the edge. True if a tile moved.
    pub fn pull(&mut self, direction: Direction) -> bool {
        let pull = |line: &mut Line<'_>| Shift { changed: line.pull(), gain: 0 };
        self.each_line(direction, pull).changed
    }

    /// Combines equal neighbours of every line, from the edge on; see [`Line::combine`].
    pub fn combine(&mut self, direction: Direction) -> Shift {
        self.each_line(direction, |line| line.combine())
    }

    /// Pull, combine, pull again: one whole move, without a new tile.
    pub fn shift(&mut self, direction: Direction) -> Shift {
        self.each_line(direction, |line| line.shift())
    }
}

/// Copies: the whole board, lines as lists, and turns.
#[cfg(feature = "alloc")]
impl<S: AsRef<[i32]>> Board<S> {
    /// A board of its own with the same cells.
    #[must_use]
    pub fn to_owned_board(&self) -> Board {
        Board { rows: self.rows, cols: self.cols, cells: self.cells().to_vec() }
    }

    /// The tiles of one line along `direction`, the one at the edge that the tiles move to first.
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn extract_line(&self, direction: Direction, line: usize) -> Vec<i32> {
        let (lines, len) = self.lines(direction);
        assert!(line < lines, "the board has {lines} lines in this direction");
        let (start, stride) = self.line_place(direction, line);
        (0..len).map(|place| self.cells()[start.wrapping_add_signed(stride * place as isize)]).collect()
    }

    /// The board turned a quarter to the left: its last column becomes the first row.
    #[must_use]
    pub fn rotated_counter_clockwise(&self) -> Board {
        self.turned(false, Vec::with_capacity(self.cells().len()))
    }

    /// The board turned a quarter to the right: its first column, from the bottom up, becomes the first row.
    #[must_use]
    pub fn rotated_clockwise(&self) -> Board {
        self.turned(true, Vec::with_capacity(self.cells().len()))
    }

    /// The board turned a quarter, with `cells` as the room for its tiles.
    pub(crate) fn turned(&self, clockwise: bool, mut cells: Vec<i32>) -> Board {
        for place in 0..self.cols {
            let col = if clockwise { place } else { self.cols - 1 - place };
            let rows = (0..self.rows).map(|step| if clockwise { self.rows - 1 - step } else { step });
            cells.extend(rows.map(|row| self.row(row)[col]));
        }
        Board { rows: self.cols, cols: self.rows, cells }
    }
}

impl<S: AsRef<[i32]> + AsMut<[i32]>> Board<S> {
    /// Puts `tiles` where [`extract_line`](Self::extract_line) with the same arguments takes them from.
    ///
    /// # Panics
    /// If there is no such line, or `tiles` is not as long as it.
    pub fn insert_line(&mut self, direction: Direction, line: usize, tiles: &[i32]) {
        let (lines, len) = self.lines(direction);
        assert!(line < lines, "the board has {lines} lines in this direction");
        assert!(tiles.len() == len, "the line has {len} places");
        let (start, stride) = self.line_place(direction, line);
        for (place, &tile) in tiles.iter().enumerate() {
            self.cells.as_mut()[start.wrapping_add_signed(stride * place as isize)] = tile;
        }
    }
}
