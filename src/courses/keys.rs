//! The keys `w a s d`, which PSA3, PA4 and COMP 1020 use.

use crate::direction::Direction;

/// The direction of one of the keys `w a s d`.
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
