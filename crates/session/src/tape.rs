//! A game that can be looked at again, whoever played it.

use estr2048::{Board, Course, Direction};

use crate::course;

/// A move and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub direction: Direction,
    /// The cell in reading order and the value of the new tile; `None` if the game ended without one.
    pub placed: Option<(usize, i32)>,
    /// The score after the move, as the course counts it.
    pub score: i64,
}

/// A first board and all that was made of it. Boards are made anew from the steps, with a few kept on the way.
#[derive(Clone, Debug)]
pub struct Tape {
    course: Course,
    first: Board,
    first_score: i64,
    steps: Vec<Step>,
    /// The board before every [`KEPT_EVERY`]-th step.
    kept: Vec<Board>,
}

/// Few enough to be found again in no time, far enough apart to take little memory.
const KEPT_EVERY: usize = 64;

impl Tape {
    /// A tape before the first move.
    #[must_use]
    pub fn new(course: Course, first: Board, first_score: i64) -> Self {
        Self { course, kept: vec![first.clone()], first, first_score, steps: Vec::new() }
    }

    /// Whose rules.
    #[must_use]
    pub fn course(&self) -> Course {
        self.course
    }

    /// The moves, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The board before the first move.
    #[must_use]
    pub fn first(&self) -> &Board {
        &self.first
    }

    /// The board after `at` moves; after the last one if there are fewer.
    #[must_use]
    pub fn board(&self, at: usize) -> Board {
        let at = at.min(self.steps.len());
        let kept = at / KEPT_EVERY;
        let mut board = self.kept.get(kept).unwrap_or(&self.first).clone();
        for step in self.steps.get(kept * KEPT_EVERY..at).unwrap_or_default() {
            apply(&mut board, step);
        }
        board
    }

    /// The score after `at` moves.
    #[must_use]
    pub fn score(&self, at: usize) -> i64 {
        let last = at.min(self.steps.len()).checked_sub(1);
        last.and_then(|last| self.steps.get(last)).map_or(self.first_score, |step| step.score)
    }

    /// Adds a move. `after` is the board that it led to.
    pub fn push(&mut self, step: Step, after: &Board) {
        self.steps.push(step);
        if self.steps.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push(after.clone());
        }
    }

    /// Makes the move on the last board and adds it, with the score of the course; false, and nothing added, if it
    /// changes nothing or the cell is taken.
    pub fn make_move(&mut self, direction: Direction, placed: Option<(usize, i32)>) -> bool {
        let mut board = self.board(self.len());
        let shift = board.shift(direction);
        if !shift.changed || placed.is_some_and(|(cell, _)| board.cells().get(cell) != Some(&0)) {
            return false;
        }
        let step = Step { direction, placed, score: 0 };
        place(&mut board, &step);
        let score = match course::scores_by_sum(self.course) {
            true => board.sum(),
            false => self.score(self.len()) + shift.gain,
        };
        self.push(Step { score, ..step }, &board);
        true
    }

    /// Forgets all moves from number `at` on.
    pub fn truncate(&mut self, at: usize) {
        self.steps.truncate(at);
        self.kept.truncate(self.steps.len() / KEPT_EVERY + 1);
    }

    /// The moves as the letters `U D L R`.
    #[must_use]
    pub fn letters(&self) -> String {
        self.steps.iter().map(|step| step.direction.letter()).collect()
    }
}

fn apply(board: &mut Board, step: &Step) {
    board.shift(step.direction);
    place(board, step);
}

fn place(board: &mut Board, step: &Step) {
    if let Some((cell, tile)) = step.placed
        && let Some(cell) = board.cells_mut().get_mut(cell)
    {
        *cell = tile;
    }
}
