//! `estr2048 layouts`: weights that know where all the largest tiles lie, for the last points before a fill.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048::network::{layout, weights};
use estr2048_toolbox::{ensure_use, files, interrupt, numbers, outln, report};
use estr2048_training::layouts::file::Progress;
use estr2048_training::layouts::seen;
use estr2048_training::layouts::session::{self, Settings, Trained};
use estr2048_training::{lessons, starts};
use serde_json::json;

/// Train weights of layouts: the chances to come through a fill, on the last 1024 points before it.
///
/// `estr2048 pack --layouts` puts them into a network file. Both take 2 GB of memory; the weights are written every five
/// minutes.
#[derive(Debug, clap::Args)]
pub struct Layouts {
    /// File of boards that games begin from, 16 numbers a line; with several, a file is drawn, then a board of it
    #[arg(long, value_name = "FILE", required = true)]
    starts: Vec<PathBuf>,
    /// File for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists: what it learned is lost
    #[arg(long)]
    force: bool,
    /// Go on from these weights
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Afterstates with known chances (`estr2048 lab wall-starts --lessons`), to learn from before any game
    #[arg(long, value_name = "FILE")]
    lessons: Vec<PathBuf>,
    /// How often to go through them, each time in another order; the step size falls from 1 to 0.03
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// What the chances of lessons are multiplied by: below 1, so that boards that no game has come to yet are held for
    /// worse than those that games are won from
    #[arg(long, value_name = "F", default_value_t = 0.8, value_parser = numbers::share::<f32>)]
    trust: f32,
    /// Share of the games that begin from boards of earlier games, not from those of --starts
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = numbers::share::<f64>)]
    own: f64,
    /// Random moves with which a game begins, none to N: a search looks at such boards, though no game comes there. All
    /// games from own boards do, and three of ten others
    #[arg(long, value_name = "N", default_value_t = 3)]
    stray: u32,
    /// Share of the games that are played by a search; nothing is learned from them, but others begin from their boards
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = numbers::share::<f64>)]
    searched: f64,
    /// Evaluations a move of these games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// λ of TD(λ)
    #[arg(long, default_value_t = 0.5, value_parser = numbers::share::<f32>)]
    lambda: f32,
    /// Step size of the games at the beginning
    #[arg(long, default_value_t = 0.3, value_parser = numbers::positive::<f32>)]
    alpha: f32,
    /// Step size at the end of the limit; each part of it falls by the same factor
    #[arg(long, default_value_t = 0.01, value_parser = numbers::positive::<f32>)]
    alpha_end: f32,
    /// Stop after so many minutes
    #[arg(long, value_parser = numbers::positive::<f64>, required_unless_present = "games")]
    minutes: Option<f64>,
    /// Stop after so many games (this run's)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Threads; more than one make the result depend on the order of their updates
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Trains until the limit or Ctrl-C.
pub fn layouts(arguments: &Layouts) -> Result<ExitCode> {
    let settings = settings(arguments)?;
    interrupt::catch()?;
    let Trained { progress: Progress { games, moves }, share } = session::train(&settings, interrupt::flag())?;
    let out = &arguments.out;
    if arguments.json {
        report::print("layouts", &json!({ "games": games, "moves": moves, "share": share, "out": out }))?;
    } else {
        outln!("{games} games, {moves} moves, {share:.3} of the last ones came through: {}", out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(arguments: &Layouts) -> Result<Settings> {
    let Layouts { out, resume, trust, .. } = arguments;
    files::check_kept(out, resume.as_ref(), arguments.force)?;
    files::check_outputs([out])?;
    let sums = layout::FROM..=layout::TO - 2;
    let mut all = Vec::new();
    for path in &arguments.lessons {
        all.extend(lessons::read(path, &sums)?);
    }
    all.iter_mut().for_each(|lesson| lesson.chance *= trust);
    let starts = arguments.starts.iter().map(|path| {
        let mut boards = starts::read(path, &sums)?;
        boards.retain(|&board| seen(board).is_some());
        ensure_use!(!boards.is_empty(), "{}: no board has the chain from 32768 to 2048", path.display());
        Ok(boards)
    });
    Ok(Settings {
        starts: starts.collect::<Result<_>>()?,
        out: out.clone(),
        resume: resume.clone(),
        lessons: all,
        passes: arguments.passes,
        own: arguments.own,
        stray: arguments.stray,
        searched: arguments.searched,
        nodes: arguments.nodes,
        network: weights::standard()?.context("this program holds no network: name one by ESTR_WEIGHTS")?,
        lambda: arguments.lambda,
        alpha: (arguments.alpha, arguments.alpha_end),
        minutes: arguments.minutes,
        games: arguments.games,
        threads: arguments.threads,
        seed: arguments.seed,
        quiet: arguments.quiet,
    })
}
