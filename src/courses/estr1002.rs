//! ESTR1002: one 2 a round, drawn with TinyMT32 by rejection; no winning tile; the score is the sum of all tiles.

use std::fmt::{self, Display};

use super::pa4;
use super::rules::{Draw, Rules};
use crate::bitboard::Bitboard;
use crate::board::{Board, GameBoard};
use crate::direction::Direction;
use crate::tinymt32::TinyMt32;

/// The rules of the course. It has no files of its own: games are kept in PA4's.
pub static RULES: Rules = Rules {
    name: "ESTR1002",
    size: |rows, cols| (rows, cols) == (4, 4),
    set_up: |_| {},
    start_tiles: 1,
    draw: Draw::TinyMt(add_tile),
    two_percent: None,
    score: |board, _| board.sum(),
    is_over: |board| board.is_over(),
    has_won: |_| false,
    tile_after_end: true,
    look: |board, _, f| Look(board).fmt(f),
    load: pa4::read,
    save: pa4::save,
};

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

/// [`new_cell`] on a board that is 4 × 4.
fn add_tile(board: &mut Board, random: &mut TinyMt32) -> Option<i32> {
    let (rows, _) = board.cells_mut().as_chunks_mut::<4>();
    let cell = new_cell(rows.try_into().ok()?, random).ok()?;
    board.cells().get(cell).copied()
}

/// A board that the game can be played on: the assignment's, or the packed one of a search.
pub trait Cells: Default {
    /// Whether there is no tile in this cell, `row * 4 + col`.
    fn is_empty(&self, cell: usize) -> bool;

    /// Puts a 2 in an empty cell.
    fn put_two(&mut self, cell: usize);

    /// One whole move, without a new tile. True if the board changed.
    fn shift(&mut self, direction: Direction) -> bool;

    /// Whether no direction changes the board.
    fn is_over(&self) -> bool;

    /// The sum of all tiles.
    fn sum(&self) -> i64;
}

impl Cells for GameBoard {
    fn is_empty(&self, cell: usize) -> bool {
        self.as_flattened()[cell] == 0
    }

    fn put_two(&mut self, cell: usize) {
        self.as_flattened_mut()[cell] = 2;
    }

    fn shift(&mut self, direction: Direction) -> bool {
        Board::from(self).shift(direction).changed
    }

    fn is_over(&self) -> bool {
        Board::from(self).is_over()
    }

    fn sum(&self) -> i64 {
        Board::from(self).sum()
    }
}

impl Cells for Bitboard {
    #[inline]
    fn is_empty(&self, cell: usize) -> bool {
        self.code(cell) == 0
    }

    #[inline]
    fn put_two(&mut self, cell: usize) {
        *self = self.with_two(cell);
    }

    #[inline]
    fn shift(&mut self, direction: Direction) -> bool {
        let before = std::mem::replace(self, self.moved(direction));
        before != *self
    }

    fn is_over(&self) -> bool {
        Bitboard::is_over(*self)
    }

    fn sum(&self) -> i64 {
        Bitboard::sum(*self)
    }
}

/// A game of this course with any TinyMT32, on the assignment's board or a packed one.
///
/// ```
/// use estr2048::courses::estr1002::Game;
/// use estr2048::{Direction, Parameters, TinyMt32};
///
/// let mut game: Game = Game::new(TinyMt32::new(1234, Parameters::ZERO));
/// assert_eq!(game.score(), 2);
/// assert_eq!(game.play(Direction::Down), Ok(true));
/// assert_eq!((game.score(), game.is_over()), (4, false));
/// ```
#[derive(Clone, Debug)]
pub struct Game<B = GameBoard> {
    board: B,
    random: TinyMt32,
    newest: Option<usize>,
}

impl<B: Cells> Game<B> {
    /// A game with its first 2.
    #[must_use]
    pub fn new(random: TinyMt32) -> Self {
        let mut game = Self { board: B::default(), random, newest: None };
        // Every cell of an empty board is one that can be hit.
        let _ = game.draw();
        game
    }

    /// The first half of a round: moves all tiles. False if that changes nothing.
    #[inline]
    pub fn slide(&mut self, direction: Direction) -> bool {
        self.newest.is_some() && self.board.shift(direction)
    }

    /// The second half of a round: puts a 2 in the next cell that is drawn and empty, and gives it.
    ///
    /// # Errors
    /// [`NewCellError::Unreachable`] if the generator reaches none; the game is over then.
    #[inline]
    pub fn draw(&mut self) -> Result<usize, NewCellError> {
        self.newest = draw_empty_cell(&mut self.random, |cell| self.board.is_empty(cell));
        let cell = self.newest.ok_or(NewCellError::Unreachable)?;
        self.board.put_two(cell);
        Ok(cell)
    }

    /// Draws the cells of all further moves with another generator.
    pub fn reseed(&mut self, random: TinyMt32) {
        self.random = random;
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The cell of the newest 2, `row * 4 + col`; `None` once the generator has reached no empty cell.
    pub fn newest(&self) -> Option<usize> {
        self.newest
    }

    /// A whole round: makes a move and, if it changed the board, adds a 2. False if it changed nothing.
    ///
    /// # Errors
    /// [`NewCellError::Unreachable`] if the generator reaches no empty cell. The move is made, and the game is over.
    #[inline]
    pub fn play(&mut self, direction: Direction) -> Result<bool, NewCellError> {
        let changed = self.slide(direction);
        if changed {
            self.draw()?;
        }
        Ok(changed)
    }

    /// Whether no direction changes the board, or the generator has reached no empty cell.
    pub fn is_over(&self) -> bool {
        self.newest.is_none() || self.board.is_over()
    }

    /// The score: the sum of all tiles.
    pub fn score(&self) -> i64 {
        self.board.sum()
    }
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
