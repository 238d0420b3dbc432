//! What makes a course: one value of [`Rules`] holds all that it has of its own.

use std::fmt;

use super::text::{MAX_SIDE, ReadError};
use crate::board::Board;
use crate::java_random::JavaRandom;
use crate::tinymt32::{Parameters, TinyMt32};

/// The rules of a course.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The course's name, as in "PSA3".
    pub name: &'static str,
    /// Whether the course plays on a board of so many rows and columns, each of them from 1 to
    /// [`MAX_SIDE`].
    pub size: fn(usize, usize) -> bool,
    /// Puts on an empty board what lies there before the first tile is drawn; in most courses that is nothing.
    pub set_up: fn(&mut Board),
    /// How many tiles are drawn on a new board.
    pub start_tiles: usize,
    /// How a new tile is drawn, and with which generator.
    pub draw: Draw,
    /// How many new tiles in 100 are a 2 and not a 4, where a number below 100 decides that and nothing else.
    pub two_percent: Option<i32>,
    /// The score, of the board and the sum of all tiles that were made by combining.
    pub score: fn(&Board, i64) -> i64,
    /// Whether the game is over.
    pub is_over: fn(&Board) -> bool,
    /// Whether a winning tile is on the board.
    pub has_won: fn(&Board) -> bool,
    /// Whether a move that ends the game is still followed by a new tile.
    pub tile_after_end: bool,
    /// Prints board and score as the course does.
    pub look: fn(&Board, i64, &mut fmt::Formatter<'_>) -> fmt::Result,
    /// Reads board and score from a file of the course.
    pub load: fn(&[u8]) -> Result<Saved, ReadError>,
    /// The text of the course's file.
    pub save: fn(&Board, i64) -> String,
}

/// What a file of a course holds: the board and the score.
pub type Saved = (Board, i64);

/// How a new tile is drawn: puts it in an empty cell and gives its value. `None`, and nothing has changed, if no cell is
/// empty or the generator reaches none of them.
#[derive(Clone, Copy, Debug)]
pub enum Draw {
    /// With TinyMT32, its three parameters zero.
    TinyMt(fn(&mut Board, &mut TinyMt32) -> Option<i32>),
    /// With `java.util.Random`.
    Java(fn(&mut Board, &mut JavaRandom) -> Option<i32>),
}

/// The generator of a game's tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Random {
    /// For [`Draw::TinyMt`].
    TinyMt(TinyMt32),
    /// For [`Draw::Java`].
    Java(JavaRandom),
}

impl Rules {
    /// Whether the course plays on a board of these sides. No side is larger than [`MAX_SIDE`].
    #[must_use]
    pub fn allows(&self, rows: usize, cols: usize) -> bool {
        let is_side = |side| (1..=MAX_SIDE).contains(&side);
        is_side(rows) && is_side(cols) && (self.size)(rows, cols)
    }

    /// The generator of this course with this seed, of which TinyMT32 takes the low 32 bits.
    #[must_use]
    pub fn random(&self, seed: i64) -> Random {
        match self.draw {
            Draw::TinyMt(_) => Random::TinyMt(TinyMt32::new(seed as u32, Parameters::ZERO)),
            Draw::Java(_) => Random::Java(JavaRandom::new(seed)),
        }
    }

    /// Adds a tile; `None`, and nothing has changed, if none can be added.
    pub(super) fn add_tile(&self, board: &mut Board, random: &mut Random) -> Option<i32> {
        match (self.draw, random) {
            (Draw::TinyMt(draw), Random::TinyMt(random)) => draw(board, random),
            (Draw::Java(draw), Random::Java(random)) => draw(board, random),
            _ => None,
        }
    }
}

impl Random {
    /// The generator of a course with [`Draw::Java`].
    pub(super) fn java(&mut self) -> Option<&mut JavaRandom> {
        match self {
            Self::Java(random) => Some(random),
            Self::TinyMt(_) => None,
        }
    }
}

/// Puts a 2 or a 4 in an empty cell and gives its value; `None`, without a draw, if no cell is empty.
///
/// Exactly two draws: the cell's number among the empty cells in reading order, then a number below 100 that makes a
/// 2 if it is below `two_percent`.
pub(super) fn add_2_or_4<S>(board: &mut Board<S>, random: &mut JavaRandom, two_percent: i32) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    let location = random.next_index(board.count_empty())?;
    let cell = board.empty_cells().nth(location)?;
    let tile = draw_2_or_4(random, two_percent);
    *board.cells_mut().get_mut(cell)? = tile;
    Some(tile)
}

/// A 2 in `two_percent` of 100 cases, else a 4.
pub(super) fn draw_2_or_4(random: &mut JavaRandom, two_percent: i32) -> i32 {
    if random.next_int_below(100) < Some(two_percent) { 2 } else { 4 }
}
