//! How a game begins: enough to play it again.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use estr2048::{Course, Game};
use serde::{Deserialize, Serialize};

use crate::course;

/// Everything that decides how a game goes, but for its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Whose rules.
    #[serde(with = "course::by_name")]
    pub course: Course,
    /// Rows of the board, as the course allows.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// The seed of TinyMT32 with zero parameters (ESTR1002, from 0 to 4294967295) or of `java.util.Random`.
    pub seed: i64,
    /// Tiles on the first board beyond those that the course starts with.
    #[serde(default)]
    pub more_tiles: u16,
    /// The saved game that it starts from, in the form of [`Game::save`], instead of a new board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
}

impl Start {
    /// A new game on a 4 × 4 board with this seed.
    #[must_use]
    pub fn new(course: Course, seed: i64) -> Self {
        Self { course, rows: 4, cols: 4, seed, more_tiles: 0, board: None }
    }

    /// A new game on a 4 × 4 board, with the seed of the course's own program or, if it has none, any seed.
    #[must_use]
    pub fn usual(course: Course) -> Self {
        Self::new(course, course::usual_seed(course).unwrap_or_else(|| random_seed(course)))
    }

    /// The same with another seed that nobody knows.
    #[must_use]
    pub fn reseeded(&self) -> Self {
        Self { seed: random_seed(self.course), board: None, ..self.clone() }
    }

    /// The game before its first move.
    ///
    /// # Errors
    /// If the course has no such board or seed, if the saved game is none, or if there is no memory.
    pub fn begin(&self) -> Result<Game> {
        let Self { course, rows, cols, seed, .. } = *self;
        ensure!(
            course != Course::Estr1002 || u32::try_from(seed).is_ok(),
            "a seed of ESTR1002 is a whole number from 0 to 4294967295, not {seed}"
        );
        let mut game = match &self.board {
            Some(board) => Game::load(course, board.as_bytes(), seed)?,
            None => Game::new(course, rows, cols, seed)?,
        };
        for _ in 0..self.more_tiles {
            game.add_tile()?;
        }
        Ok(game)
    }
}

/// A seed from the clock, another one every time; short enough to be typed again.
fn random_seed(course: Course) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut random = estr2048::JavaRandom::new(now.as_nanos() as i64);
    let seed = i64::from(random.next_int().unsigned_abs() % 1_000_000);
    // With zero parameters a few seeds only ever draw eight of the sixteen cells: nobody wants those by chance.
    match course {
        Course::Estr1002 if !reaches_all_cells(seed as u32) => random_seed(course),
        _ => seed,
    }
}

fn reaches_all_cells(seed: u32) -> bool {
    /// Draws in which sixteen equally likely cells are all hit but for a chance below 10^-25.
    const ENOUGH: usize = 1024;
    let mut random = estr2048::TinyMt32::new(seed, estr2048::Parameters::ZERO);
    let draw = |seen, _| seen | 1_u16 << (estr2048::courses::estr1002::draw_cell(&mut random) & 15);
    (0..ENOUGH).fold(0, draw) == u16::MAX
}
