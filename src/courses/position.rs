//! Where a game of any course stands: board, score and generator, under the rules of its course.

use std::fmt;

use super::rules::{Random, Rules, draw_2_or_4};
use crate::board::Board;
use crate::direction::Direction;

/// A position of a game. It has no history; [`Game`](crate::game::Game) keeps one beside it.
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) rules: &'static Rules,
    pub(crate) board: Board,
    /// The sum of all tiles that were made by combining.
    pub(crate) combined: i64,
    pub(crate) random: Random,
}

impl Position {
    /// This board with a score of 0, and the generator that its next tiles come from.
    pub(crate) fn new(rules: &'static Rules, board: Board, random: Random) -> Self {
        Self { rules, board, combined: 0, random }
    }

    /// Clears the board, draws the course's start tiles on it and sets the score to 0. The generator goes on where it
    /// is. False if a tile could not be drawn.
    pub(crate) fn start(&mut self) -> bool {
        self.combined = 0;
        self.board.cells_mut().fill(0);
        (self.rules.set_up)(&mut self.board);
        let missing = self.rules.start_tiles.min(self.board.count_empty());
        (0..missing).all(|_| self.add_tile().is_some())
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The score by the course's rule.
    #[must_use]
    pub fn score(&self) -> i64 {
        (self.rules.score)(&self.board, self.combined)
    }

    /// Moves all tiles and counts what combines. True if the board changed. No tile is added.
    pub fn slide(&mut self, direction: Direction) -> bool {
        let shift = self.board.shift(direction);
        self.combined = self.combined.saturating_add(shift.gain);
        shift.changed
    }

    /// Adds a tile as the course draws it, and gives its value; `None`, and nothing has changed, if no cell is empty or
    /// the generator reaches none of them.
    pub fn add_tile(&mut self) -> Option<i32> {
        self.rules.add_tile(&mut self.board, &mut self.random)
    }

    /// Draws the value of a new tile as the course does, and puts it nowhere; `None`, without a draw, in a course that does
    /// not draw it apart from its cell.
    pub fn random_tile(&mut self) -> Option<i32> {
        let two_percent = self.rules.two_percent?;
        Some(draw_2_or_4(self.random.java()?, two_percent))
    }

    /// Whether the game is over by the course's own rule.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (self.rules.is_over)(&self.board)
    }

    /// The text of the course's file.
    #[must_use]
    pub fn save(&self) -> String {
        (self.rules.save)(&self.board, self.score())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.rules, other.rules)
            && self.board == other.board
            && self.combined == other.combined
            && self.random == other.random
    }
}

impl Eq for Position {}

/// The board as the course prints it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.rules.look)(&self.board, self.score(), f)
    }
}
