//! COMP 1020 (University of Manitoba), Assignment 2: boards of any size, made new by every shift, and any ints.
//!
//! One start tile. A new tile is equally likely in every empty place and is a 2 in 90 of 100 cases, else a 4. The
//! game is over when no place is empty and no move is valid. The course keeps no score and has no files.

use std::fmt::{self, Display};

use super::rules::{Draw, Rules, add_2_or_4};
use super::{keys, pa4};
use crate::board::{Board, SizeError};
use crate::direction::Direction;
use crate::game::{Game, GameError};
use crate::java_random::JavaRandom;
use crate::line::Line;

/// The rules of the course. The assignment keeps no score, and no files: games are kept in PA4's.
pub static RULES: Rules = Rules {
    name: "COMP 1020",
    size: |rows, cols| rows == cols,
    set_up: |_| {},
    start_tiles: START_TILES,
    draw: Draw::Java(new_tile),
    two_percent: Some(TWO_PROBABILITY),
    score: |_, combined| combined,
    is_over: game_over,
    has_won: |_| false,
    tile_after_end: true,
    look: |board, _, f| Look(board).fmt(f),
    load: pa4::read,
    save: pa4::save,
};

/// The side of the console game's board.
pub const GAME_SIZE: usize = 4;
/// Tiles on a new board of the console game.
pub const START_TILES: usize = 1;
/// How many new tiles in 100 are a 2.
pub const TWO_PROBABILITY: i32 = 90;

/// What stands before the board.
pub const THE_BOARD: &str = "The board:";
/// What asks for a move.
pub const PROMPT: &str = "Type i,j,k,l or w,a,s,d for up,left,down,right:";
/// The answer to an empty line and to a move that changes nothing.
pub const INVALID_MOVE: &str = "Invalid move.";
/// What the program says at the end.
pub const GAME_OVER: &str = "Game Over!";

/// The direction of a key of this course: `i j k l` or `w a s d` for up, left, down, right.
#[must_use]
pub fn direction_of_key(key: char) -> Option<Direction> {
    match key {
        'i' => Some(Direction::Up),
        'j' => Some(Direction::Left),
        'k' => Some(Direction::Down),
        'l' => Some(Direction::Right),
        _ => keys::direction_of_key(key),
    }
}

/// Shifts one line of any length towards place 0. True if it changed (`alterOneLine`).
///
/// ```
/// let mut line = [2, 0, 2, 4, 0, 0, 4];
/// assert!(estr2048::courses::comp1020::alter_one_line(&mut line));
/// assert_eq!(line, [4, 8, 0, 0, 0, 0, 0]);
/// ```
pub fn alter_one_line(line: &mut [i32]) -> bool {
    Line::new(line).shift().changed
}

/// Adds a tile by this course's rules, in two draws; see [`Board2048::new_tile`].
pub fn new_tile<S>(board: &mut Board<S>, random: &mut JavaRandom) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    add_2_or_4(board, random, TWO_PROBABILITY)
}

/// Whether no place is empty and no move is valid.
///
/// Unlike [`Board::is_over`], a board without any tile is not over: it has empty places.
pub fn game_over<S: AsRef<[i32]>>(board: &Board<S>) -> bool {
    board.count_empty() == 0 && board.is_over()
}

/// The assignment's class `Board2048`. `==` is its `equals`.
///
/// ```
/// use estr2048::Direction;
/// use estr2048::courses::comp1020::Board2048;
///
/// let board = Board2048::from_grid(2, &[2, 2, 0, 4])?;
/// let shifted = board.shift(Direction::Left);
/// assert_eq!(shifted.to_string(), "4\t-\n4\t-\n");
/// assert_eq!(board.to_string(), "2\t2\n-\t4\n");
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board2048 {
    grid: Board,
}

impl Board2048 {
    /// A blank board of `size` × `size`.
    ///
    /// # Errors
    /// [`SizeError`] if `size` is 0 or its square does not fit a `usize`.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        Ok(Self { grid: Board::empty(size, size)? })
    }

    /// A board with these cells, in reading order; any ints.
    ///
    /// # Errors
    /// [`SizeError`] if `size` is 0 or there are not `size` × `size` cells.
    pub fn from_grid(size: usize, grid: &[i32]) -> Result<Self, SizeError> {
        Ok(Self { grid: Board::over(size, size, grid.to_vec())? })
    }

    /// The cells.
    #[must_use]
    pub fn grid(&self) -> &Board {
        &self.grid
    }

    /// Column `i` if `vertical`, else row `i`; from the bottom or the right if `reverse` (`extractLine`).
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn extract_line(&self, i: usize, vertical: bool, reverse: bool) -> Vec<i32> {
        self.grid.extract_line(towards(vertical, reverse), i)
    }

    /// Puts `line` where [`extract_line`](Self::extract_line) with the same arguments takes it from (`insertLine`).
    ///
    /// # Panics
    /// If there is no such line, or `line` is not as long as it.
    pub fn insert_line(&mut self, line: &[i32], i: usize, vertical: bool, reverse: bool) {
        self.grid.insert_line(towards(vertical, reverse), i, line);
    }

    /// A new board with all lines shifted; this one stays as it is (`shift`).
    #[must_use]
    pub fn shift(&self, direction: Direction) -> Self {
        let mut shifted = self.clone();
        shifted.grid.shift(direction);
        shifted
    }

    /// Number of empty places (`numEmpty`).
    #[must_use]
    pub fn num_empty(&self) -> usize {
        self.grid.count_empty()
    }

    /// Adds a 2 or a 4 in an empty place and gives its value; `None`, without a draw, if there is none (`newTile`).
    ///
    /// The assignment does not say how to draw. Here it is `nextInt(number of empty places)` for the place, counted
    /// in reading order, then `nextInt(100)`: below 90 it is a 2.
    pub fn new_tile(&mut self, random: &mut JavaRandom) -> Option<i32> {
        new_tile(&mut self.grid, random)
    }

    /// Whether a shift in this direction changes the board (`validMove`).
    #[must_use]
    pub fn valid_move(&self, direction: Direction) -> bool {
        self.grid.can_move(direction)
    }

    /// Whether no place is empty and no move is valid (`gameOver`).
    #[must_use]
    pub fn game_over(&self) -> bool {
        game_over(&self.grid)
    }
}

/// The assignment's class `Game2048`: the board now and all boards before it, so that every move of the whole game can
/// be undone.
///
/// ```
/// use estr2048::Direction;
/// use estr2048::courses::comp1020::Game2048;
///
/// let mut game = Game2048::new(4, 7)?;
/// let start = game.board().clone();
/// let moved = game.try_move(Direction::Up)? || game.try_move(Direction::Down)?;
/// assert!(moved);
/// assert!(game.undo());
/// assert_eq!(game.board(), &start);
/// assert!(!game.undo(), "this is the first board");
/// # Ok::<(), estr2048::game::GameError>(())
/// ```
#[derive(Debug)]
pub struct Game2048(Game);

impl Game2048 {
    /// A new game of `size` × `size` with one tile, and this seed of `java.util.Random`.
    ///
    /// # Errors
    /// [`GameError::Size`] if `size` is not from 1 to [`MAX_SIDE`](super::MAX_SIDE); [`GameError::Memory`].
    pub fn new(size: usize, seed: i64) -> Result<Self, GameError> {
        Game::new(&RULES, size, size, seed).map(Self)
    }

    /// Shifts the board and adds a tile. False, and nothing has changed, if the move is not valid (`tryMove`).
    ///
    /// # Errors
    /// [`GameError::Memory`] if there is none to keep the board for [`undo`](Self::undo); nothing has changed then.
    pub fn try_move(&mut self, direction: Direction) -> Result<bool, GameError> {
        self.0.make_move(direction)
    }

    /// Takes back the last move, its tile and its random numbers. False at the first board (`undo`).
    pub fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Whether there is a move to take back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.0.history_len() > 0
    }

    /// The board now.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.0.board()
    }

    /// Whether a shift in this direction changes the board (`validMove`).
    #[must_use]
    pub fn valid_move(&self, direction: Direction) -> bool {
        self.0.can_move(direction)
    }

    /// Whether no place is empty and no move is valid (`gameOver`).
    #[must_use]
    pub fn game_over(&self) -> bool {
        self.0.is_over()
    }
}

/// The board as the assignment prints it.
impl fmt::Display for Game2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The direction that a line of `extractLine` moves in: towards its own place 0.
fn towards(vertical: bool, reverse: bool) -> Direction {
    match (vertical, reverse) {
        (true, false) => Direction::Up,
        (true, true) => Direction::Down,
        (false, false) => Direction::Left,
        (false, true) => Direction::Right,
    }
}

/// The assignment's look of a board: tabs between the columns, `-` for an empty place.
#[derive(Debug)]
pub struct Look<'a, S>(pub &'a Board<S>);

impl<S: AsRef<[i32]>> fmt::Display for Look<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.0.rows() {
            for (col, tile) in self.0.row(row).iter().enumerate() {
                f.write_str(if col == 0 { "" } else { "\t" })?;
                match tile {
                    0 => f.write_str("-")?,
                    tile => write!(f, "{tile}")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// The assignment's `toString`.
impl fmt::Display for Board2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Look(&self.grid).fmt(f)
    }
}
