//! The command line of games over one stretch.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use clap::Args;
use estr2048::Computer;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{ensure_use, interrupt, range};
use estr2048_training::starts;
use serde_json::json;

use crate::arguments::{Fair, Teller, stopped};
use crate::stretch::{End, play};

/// How many of the fair player's games from given boards of 4×4 come to a sum.
#[derive(Debug, Args)]
pub struct Stretch {
    /// File of boards, 16 numbers a line, as `estr2048 run --boards` writes them
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,
    /// Sums of the boards that are taken from that file, both ends included
    #[arg(long, value_name = "A..B", default_value = "0..131070", value_parser = range::parse)]
    sums: RangeInclusive<u32>,
    /// A game ends at this sum, and has come there if a move exists
    #[arg(long, value_name = "SUM", value_parser = clap::value_parser!(u32).range(2..=131_070))]
    to: u32,
    /// Number of games, each from one of the boards by chance
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    #[command(flatten)]
    fair: Fair,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &Stretch, teller: Teller) -> Result<ExitCode> {
    let Stretch { sums, to, games, seed, .. } = arguments;
    ensure_use!(sums.start() < to, "--sums begins at {}, behind --to {to}", sums.start());
    let sums = *sums.start()..=*sums.end().min(&(to - 1));
    let boards = starts::read(&arguments.boards, &sums)?;
    let (network, effort) = (arguments.fair.network()?, arguments.fair.effort());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.into()).build()?;
    interrupt::catch()?;
    let bar = Progress::new(*games, "games", arguments.quiet);
    let (next, finished) = (AtomicU64::new(0), AtomicU64::new(0));
    let ends: Vec<End> = pool
        .broadcast(|_| {
            let mut player = Computer::new(Some(network.clone()), effort);
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let games = numbers.take_while(|number| number < games && !interrupt::asked()).map(|number| {
                let end = play(&mut player, &boards, i64::from(*to), seed.wrapping_add(number));
                bar.at(finished.fetch_add(1, Ordering::Relaxed) + 1, "");
                end
            });
            games.collect::<Vec<End>>()
        })
        .concat();
    bar.finish();
    let lost = |end: &End| if let End::Lost(sum) = end { Some(*sum) } else { None };
    let mut lost: Vec<i64> = ends.iter().filter_map(lost).collect();
    lost.sort_unstable();
    let (count, came) = (ends.len(), ends.len() - lost.len());
    let share = came as f64 / count.max(1) as f64;
    let (low, high) = rate_ci95(came, count);
    let words: Vec<String> = lost.iter().map(i64::to_string).collect();
    teller.tell(
        format_args!(
            "{count} games from {} boards, {came} came to {to}: {share:.3} (95 %: {low:.3} to {high:.3})\nends: {}",
            boards.len(),
            words.join(" ")
        ),
        json!({ "games": count, "boards": boards.len(), "to": to, "came": came, "share": share, "ci95": [low, high],
            "ends": lost }),
    )?;
    Ok(stopped(count as u64, *games))
}
