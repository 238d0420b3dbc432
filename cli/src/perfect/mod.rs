//! `estr2048 perfect`: plans whole games with known cells.

mod many;
mod one;
mod plan;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use estr2048_toolbox::range;

use plan::How;

/// Plan whole games with all cells known, up to the highest score that the rules allow
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("games").required(true))]
pub struct Perfect {
    /// Seed of the game
    #[arg(long, value_name = "N", group = "games")]
    seed: Option<u32>,
    /// Seeds of many games, the last one included: prints the best score of each
    #[arg(long, value_name = "A..B", group = "games", value_parser = range::parse)]
    seeds: Option<RangeInclusive<u32>>,
    /// File for a line per 64 moves of one game: depth,sum,boards,width,value,deaths
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

/// The older name of `perfect --seeds`
#[derive(Debug, clap::Args)]
pub struct Ceiling {
    /// Seeds of the games, the last one included
    #[arg(long, value_name = "A..B", default_value = "1..100", value_parser = range::parse)]
    seeds: RangeInclusive<u32>,
    #[command(flatten)]
    how: How,
}

/// Plans one game, or many.
pub fn perfect(arguments: &Perfect) -> Result<ExitCode> {
    match (arguments.seed, &arguments.seeds) {
        (Some(seed), _) => one::plan(seed, &arguments.how, arguments.trace.as_ref()),
        (None, seeds) => many::plan(seeds.clone().unwrap_or(1..=100), &arguments.how),
    }
}

/// Plans many games.
pub fn ceiling(arguments: &Ceiling) -> Result<ExitCode> {
    many::plan(arguments.seeds.clone(), &arguments.how)
}
