//! The assignments: one file for each course, with its rules, its texts and its files.
//!
//! The sliding itself is the same everywhere and lives in [`Line`](crate::line::Line) and [`Board`]. A course adds
//! what is its own: the tiles of the start, how a new tile is drawn, when the game ends, what counts as score, how a
//! board looks as text, and the names that its students know.

pub mod comp1020;
pub mod cs61b;
pub mod estr1002;
pub mod pa4;
pub mod psa3;
mod text;

use crate::board::Board;
use crate::direction::Direction;
use crate::java_random::JavaRandom;

pub use text::ReadError;

/// The largest side of a board that is made by a running game or read from a file.
///
/// The assignments set no limit. This one keeps a damaged file from asking for all the memory there is.
pub const MAX_SIDE: usize = 128;

/// Puts a 2 or a 4 in an empty cell and gives its value; `None`, without a draw, if no cell is empty.
///
/// Exactly two draws: the cell's number among the empty cells in reading order, then a number below 100 that makes a
/// 2 if it is below `two_percent`.
fn add_tile<S>(board: &mut Board<S>, random: &mut JavaRandom, two_percent: i32) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    let location = random.next_index(board.count_empty())?;
    let cell = board.empty_cells().nth(location)?;
    let tile = if random.next_int_below(100)? < two_percent { 2 } else { 4 };
    *board.cells_mut().get_mut(cell)? = tile;
    Some(tile)
}

/// The direction of one of the keys `w a s d`, which PSA3, PA4 and COMP1020 use.
#[must_use]
pub fn direction_of_key(key: char) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| key_of_direction(direction) == key)
}

/// The key of a direction: `w` up, `a` left, `s` down, `d` right.
#[must_use]
pub fn key_of_direction(direction: Direction) -> char {
    match direction {
        Direction::Up => 'w',
        Direction::Down => 's',
        Direction::Left => 'a',
        Direction::Right => 'd',
    }
}
