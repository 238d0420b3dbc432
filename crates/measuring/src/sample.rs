//! Boards of the games that are played, for those who train a network from late positions.

use std::fs::OpenOptions;
use std::path::PathBuf;

use anyhow::{Context, Result};
use estr2048::Board;
use estr2048::board::GameBoard;
use estr2048_toolbox::{files, position};

use crate::boards::Boards;

/// Which boards are kept, and where.
#[derive(Clone, Debug, clap::Args)]
pub struct Sample {
    /// File for boards of the games, 16 numbers a line, as `estr2048 train --starts` reads them
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Moves from one such board to the next
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..), requires = "boards")]
    boards_every: u32,
    /// Smallest sum of such a board
    #[arg(long, value_name = "SUM", default_value_t = 0, requires = "boards")]
    boards_from: i64,
}

impl Sample {
    /// The file that boards go to.
    #[must_use]
    pub fn path(&self) -> Option<&PathBuf> {
        self.boards.as_ref()
    }

    /// The file for the boards, which grows at its end.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn file(&self) -> Result<Option<Boards>> {
        let Some(path) = &self.boards else { return Ok(None) };
        files::check_readable(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        Ok(Some(Boards::new(file)))
    }

    /// Adds a line for this board, if it is one that is kept.
    pub fn add(&self, lines: &mut String, board: &GameBoard) {
        if self.boards.is_none() {
            return;
        }
        let sum = Board::from(board).sum();
        if sum < self.boards_from || sum / 2 % i64::from(self.boards_every) != 0 {
            return;
        }
        lines.push_str(&position::line(board));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_boards_are_kept_now_and_then() {
        let board = |tile: i32| [[tile, 0, 0, 2], [0; 4], [0; 4], [0; 4]];
        let sample = Sample { boards: Some(PathBuf::new()), boards_every: 3, boards_from: 8 };
        let mut lines = String::new();
        for tile in [2, 4, 6, 8, 10, 16] {
            sample.add(&mut lines, &board(tile));
        }
        assert_eq!(lines, "10 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0\n16 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0\n");
        let mut lines = String::new();
        Sample { boards: None, ..sample }.add(&mut lines, &board(10));
        assert_eq!(lines, "");
    }
}
