//! What the command lines of the experiments share.

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use estr2048::network::{Network, weights};
use estr2048::player::computer::Effort;
use estr2048::search::Limit;
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{interrupt, outln, output, report};
use serde_json::Value;

use crate::grid::{DIRECTIONS, Grid, Way};

/// How an experiment tells what it finds.
#[derive(Clone, Copy)]
pub struct Teller {
    pub json: bool,
    pub command: &'static str,
}

impl Teller {
    pub fn head(self, words: impl Display) -> Result<()> {
        if self.json { Ok(()) } else { outln!("{words}") }
    }

    pub fn tell(self, words: impl Display, object: Value) -> Result<()> {
        if self.json { report::print(self.command, &object) } else { outln!("{words}") }
    }
}

/// A number of points before the full board.
pub fn parse_points(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(points) if points >= 2 && points % 2 == 0 => Ok(points),
        _ => Err("expected an even number of points from 2 on".to_owned()),
    }
}

/// The exit status of games that cannot be gone on with.
pub fn stopped(played: u64, wanted: u64) -> ExitCode {
    if played >= wanted {
        return ExitCode::SUCCESS;
    }
    output::tell(format_args!("stopped after {played} of {wanted} games"));
    ExitCode::from(interrupt::STATUS)
}

#[derive(Debug, Args)]
pub struct Board {
    /// Rows and columns, 2 to 16 cells
    #[arg(long, value_name = "ROWSxCOLS", default_value = "3x4", value_parser = parse_size)]
    board: (u32, u32),
    /// Directions that are not allowed, as if that side of the board leant on tiles that must not move
    #[arg(long, value_name = "WAY")]
    without: Vec<Way>,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (rows, cols) = text.split_once(['x', '×']).ok_or("expected ROWSxCOLS, such as 3x4")?;
    let number = |text: &str| text.parse().map_err(|error| format!("{text:?}: {error}"));
    let size = (number(rows)?, number(cols)?);
    Grid::new(size.0, size.1, &DIRECTIONS).map_err(|error| error.to_string())?;
    Ok(size)
}

impl Board {
    pub fn grid(&self) -> Result<Grid> {
        let ways: Vec<Way> = DIRECTIONS.into_iter().filter(|way| !self.without.contains(way)).collect();
        Grid::new(self.board.0, self.board.1, &ways)
    }
}

/// The fair player of 4×4: its network, and what a move may cost.
#[derive(Debug, Args)]
pub struct Fair {
    /// Evaluations a move, 1 for no search [default: the usual effort]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Network file, instead of the one named by ESTR_WEIGHTS or inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl Fair {
    pub fn network(&self) -> Result<Arc<Network>> {
        let network = match &self.weights {
            Some(path) => Some(Arc::new(weights::load(path)?)),
            None => weights::standard()?,
        };
        network.context("this program holds no network: name one with --weights")
    }

    pub fn effort(&self) -> Effort {
        self.nodes.map_or(Effort::USUAL, |nodes| Effort { limit: Limit::Nodes(nodes), ..Effort::USUAL })
    }
}

/// The same board with the fill that an argument names.
pub fn with_fill(grid: Grid, sum: u32) -> Result<Grid> {
    grid.with_fill(sum).map_err(|error| WrongUse(error.to_string()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_make_no_board_are_refused() {
        assert_eq!(parse_size("3x4"), Ok((3, 4)));
        assert_eq!(parse_size("4x4"), Ok((4, 4)));
        for text in ["4x5", "0x3", "1x1", "3", "3x", "x", "5x2"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
