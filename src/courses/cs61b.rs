//! CS 61B (UC Berkeley), Project 0: tilting as functions on a board, row 0 at the top.
//!
//! The game starts with one tile. A new tile draws a column, a row counted from the bottom and a value, 2 with
//! probability 0.9, all three again until that square is free. The game ends when no tilt changes the board or a 2048
//! is made; every combined tile adds its value to the score. The names are those of Spring 2025; Spring 2021's `tilt`
//! also reports whether the board changed.

use std::fmt::{self, Display};

use super::pa4;
use super::position::Position;
use super::rules::{Draw, Random, Rules};
use super::text::MAX_SIDE;
use crate::board::{Board, SizeError};
use crate::direction::Direction;
use crate::java_random::JavaRandom;
use crate::line::{Line, Shift};

/// The rules of the course. It has no files of its own: games are kept in PA4's.
pub static RULES: Rules = Rules {
    name: "CS 61B",
    size: |rows, cols| rows == cols,
    set_up: |_| {},
    start_tiles: START_TILES,
    draw: Draw::Java(add_tile),
    two_percent: None,
    score: |_, combined| combined,
    is_over: game_over,
    has_won: max_tile_exists,
    tile_after_end: false,
    look: |board, score, f| Look(board, score).fmt(f),
    load: pa4::read,
    save: pa4::save,
};

/// The seed in the skeleton's `Main.java`; 0 there means no seed.
pub const RANDOM_SEED: i64 = 5;
/// The side of the skeleton's board.
pub const BOARD_SIZE: usize = 4;
/// Tiles on a new board, by the text of the assignment. The skeleton's window shows a second one before the first
/// key is pressed, because its loop adds a tile before it waits.
pub const START_TILES: usize = 1;
/// The probability that a new tile is a 2.
pub const TILE2_PROBABILITY: f64 = 0.9;
/// The tile that ends the game.
pub const MAX_PIECE: i32 = 2048;

/// A side of the board; `tilt` moves the tiles towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The top, row 0.
    North,
    /// The right, the last column.
    East,
    /// The bottom, the last row.
    South,
    /// The left, column 0.
    West,
}

impl From<Side> for Direction {
    fn from(side: Side) -> Self {
        match side {
            Side::North => Self::Up,
            Side::East => Self::Right,
            Side::South => Self::Down,
            Side::West => Self::Left,
        }
    }
}

/// Moves the tile at row `r`, column `c` up as far as it can go, no higher than row `min_r`, and lets it combine
/// with an equal tile that it runs into (`moveTileUpAsFarAsPossible`).
///
/// Gives 1 + the row of the combined tile, or 0 if nothing combined. An empty square, and a tile above `min_r`, stay.
///
/// ```
/// use estr2048::Board;
/// use estr2048::courses::cs61b::move_tile_up_as_far_as_possible;
///
/// let mut column = Board::over(4, 1, [2, 0, 0, 2]).unwrap();
/// assert_eq!(move_tile_up_as_far_as_possible(&mut column, 3, 0, 0), 1);
/// assert_eq!(column.cells(), [4, 0, 0, 0]);
/// ```
///
/// # Panics
/// If there is no such square.
pub fn move_tile_up_as_far_as_possible<S>(board: &mut Board<S>, r: usize, c: usize, min_r: usize) -> usize
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    let (rows, cols) = (board.rows(), board.cols());
    assert!(r < rows && c < cols, "the board has {rows} rows and {cols} columns");
    if board.row(r)[c] == 0 || r <= min_r {
        return 0;
    }
    let above = (min_r..r).rev().find(|&row| board.row(row)[c] != 0);
    let landing = above.map_or(min_r, |row| row + 1);
    // From the landing down to the tile all squares are free, so that pulling this part moves that tile alone.
    let part = |first: usize, last: usize| (first * cols + c, cols as isize, last + 1 - first);
    let (start, stride, len) = part(landing, r);
    Line::strided(board.cells_mut(), start, stride, len).pull();
    let Some(row) = above else {
        return 0;
    };
    let (start, stride, len) = part(row, landing);
    let combined = Line::strided(board.cells_mut(), start, stride, len).combine().changed;
    if combined { row + 1 } else { 0 }
}

/// Tilts column `c` up (`tiltColumn`).
///
/// # Panics
/// If there is no such column.
pub fn tilt_column<S>(board: &mut Board<S>, c: usize) -> Shift
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    board.line(Direction::Up, c).shift()
}

/// Tilts the whole board up (`tiltUp`).
pub fn tilt_up<S>(board: &mut Board<S>) -> Shift
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    tilt(board, Side::North)
}

/// Tilts the board towards a side (`tilt`). [`Shift::changed`] is what Spring 2021's `tilt` returns, and
/// [`Shift::gain`] is what the score grows by.
///
/// ```
/// use estr2048::Board;
/// use estr2048::courses::cs61b::{Side, tilt};
///
/// let mut board = Board::over(2, 2, [2, 2, 4, 0]).unwrap();
/// assert!(tilt(&mut board, Side::East).changed);
/// assert_eq!(board.cells(), [0, 4, 0, 4]);
/// ```
pub fn tilt<S>(board: &mut Board<S>, side: Side) -> Shift
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    board.shift(side.into())
}

/// Whether a square is free (`emptySpaceExists`).
pub fn empty_space_exists<S: AsRef<[i32]>>(board: &Board<S>) -> bool {
    board.count_empty() > 0
}

/// Whether a tile of 2048 is on the board (`maxTileExists`).
pub fn max_tile_exists<S: AsRef<[i32]>>(board: &Board<S>) -> bool {
    board.cells().contains(&MAX_PIECE)
}

/// Whether a square is free or two neighbours are equal (`atLeastOneMoveExists`).
///
/// A board without any tile has a move by this rule, though no tilt changes it. Two equal tiles whose double does not
/// fit an `i32` do not count: they cannot combine.
pub fn at_least_one_move_exists<S: AsRef<[i32]>>(board: &Board<S>) -> bool {
    empty_space_exists(board) || !board.is_over()
}

/// Whether a 2048 has been made or no move exists (`gameOver`).
pub fn game_over<S: AsRef<[i32]>>(board: &Board<S>) -> bool {
    max_tile_exists(board) || !at_least_one_move_exists(board)
}

/// After this many draws without a free square a new tile is given up. With one free square among 128 × 128 the
/// chance of that is below 10^-27.
pub const MAX_DRAWS: u32 = 1 << 20;

/// Draws tiles until one falls on a free square, and puts it there. Gives its value; `None` if no square is free
/// (nothing is drawn), or after [`MAX_DRAWS`].
///
/// Each try draws `nextInt(columns)`, then `nextInt(rows)` counted from the bottom, then `nextDouble()`: up to 0.9 it
/// is a 2.
pub fn add_tile<S>(board: &mut Board<S>, random: &mut JavaRandom) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    if !empty_space_exists(board) {
        return None;
    }
    for _ in 0..MAX_DRAWS {
        let (cell, tile) = draw_tile(board.rows(), board.cols(), random)?;
        let square = board.cells_mut().get_mut(cell)?;
        if *square == 0 {
            *square = tile;
            return Some(tile);
        }
    }
    None
}

/// One try of the skeleton's `generateNewTile`: the square's index in reading order, and the tile.
fn draw_tile(rows: usize, cols: usize, random: &mut JavaRandom) -> Option<(usize, i32)> {
    let col = random.next_index(cols)?;
    let row_from_bottom = random.next_index(rows)?;
    let tile = if random.next_double() <= TILE2_PROBABILITY { 2 } else { 4 };
    Some(((rows - 1 - row_from_bottom) * cols + col, tile))
}

/// The skeleton's class `Model`: a board and its score, with the generator of its tiles.
///
/// ```
/// use estr2048::courses::cs61b::{Model, RANDOM_SEED, Side};
/// use estr2048::JavaRandom;
///
/// let mut model = Model::new(4, JavaRandom::new(RANDOM_SEED))?;
/// model.add_tile();
/// assert!(model.tilt(Side::West));
/// assert_eq!(model.to_string().lines().nth(5), Some("|   2|    |    |    |"));
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model(Position);

impl Model {
    /// A board of `size` × `size` without tiles, score 0.
    ///
    /// # Errors
    /// [`SizeError`] if `size` is not from 1 to [`MAX_SIDE`].
    pub fn new(size: usize, random: JavaRandom) -> Result<Self, SizeError> {
        if size > MAX_SIDE {
            return Err(SizeError);
        }
        Ok(Self(Position::new(&RULES, Board::empty(size, size)?, Random::Java(random))))
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.0.board()
    }

    /// The score: the sum of all tiles made by combining.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.0.score()
    }

    /// Adds a tile; see [`add_tile`].
    pub fn add_tile(&mut self) -> Option<i32> {
        self.0.add_tile()
    }

    /// Tilts towards a side and scores what combines. True if the board changed. No tile is added.
    pub fn tilt(&mut self, side: Side) -> bool {
        self.0.slide(side.into())
    }

    /// Whether the game has ended; see [`game_over`].
    #[must_use]
    pub fn game_over(&self) -> bool {
        self.0.is_over()
    }
}

/// The look of a board with its score, as the skeleton's `Model.toString` of Spring 2025 gives it.
#[derive(Debug)]
pub struct Look<'a, S>(pub &'a Board<S>, pub i64);

impl<S: AsRef<[i32]>> fmt::Display for Look<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(board, score) = self;
        f.write_str("\n[\n")?;
        for row in 0..board.rows() {
            for tile in board.row(row) {
                match tile {
                    0 => f.write_str("|    ")?,
                    tile => write!(f, "|{tile:4}")?,
                }
            }
            f.write_str("|\n")?;
        }
        let over = if game_over(board) { "over" } else { "not over" };
        // The blank before the newline is the skeleton's.
        writeln!(f, "] {score} (game is {over}) ")
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
