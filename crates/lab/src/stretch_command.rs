//! The command line of games over one stretch.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use clap::Args;
use estr2048::Computer;
use estr2048::player::computer::Effort;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{ensure_use, files, interrupt, position, range};
use estr2048_training::starts;
use serde_json::json;

use crate::arguments::{Fair, Teller, stopped};
use crate::stretch::{Course, End, play};

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
    /// Random moves with which a game begins, none to N
    #[arg(long, value_name = "N", default_value_t = 0)]
    stray: u32,
    #[command(flatten)]
    fair: Fair,
    /// Boards that the exact solution of a fill may look at for a move; with 0 half of --nodes is for it
    #[arg(long, value_name = "N", default_value_t = Effort::USUAL.fill_boards)]
    fill_boards: u64,
    /// File for boards that are moved, 16 numbers a line, as `estr2048 train --starts` reads them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Moves from one such board of a game to the next; where a game begins to count hangs on its seed
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..), requires = "out")]
    every: u64,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// A game that was played, and the boards of it that are kept.
struct Played {
    number: u64,
    end: End,
    lines: String,
}

pub fn run(arguments: &Stretch, teller: Teller) -> Result<ExitCode> {
    let Stretch { sums, to, games, seed, stray, fill_boards, out, every, .. } = arguments;
    let course = Course { stray: *stray, to: i64::from(*to) };
    ensure_use!(sums.start() < to, "--sums begins at {}, behind --to {to}", sums.start());
    let sums = *sums.start()..=*sums.end().min(&(to - 1));
    let boards = starts::read(&arguments.boards, &sums)?;
    if let Some(out) = out {
        files::check_writable(out)?;
    }
    let (network, effort) = (arguments.fair.network()?, arguments.fair.effort());
    let effort = Effort { fill_boards: *fill_boards, ..effort };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.into()).build()?;
    interrupt::catch()?;
    let bar = Progress::new(*games, "games", arguments.quiet);
    let (next, finished) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut played: Vec<Played> = pool
        .broadcast(|_| {
            let mut player = Computer::new(Some(network.clone()), effort);
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let games = numbers.take_while(|number| number < games && !interrupt::asked()).map(|number| {
                let (mut moves, mut lines) = (seed.wrapping_add(number), String::new());
                let end = play(&mut player, &boards, course, moves, |board| {
                    if out.is_some() && moves % every == 0 {
                        lines.push_str(&position::line(&board.to_board()));
                    }
                    moves = moves.wrapping_add(1);
                });
                bar.at(finished.fetch_add(1, Ordering::Relaxed) + 1, "");
                Played { number, end, lines }
            });
            games.collect::<Vec<Played>>()
        })
        .into_iter()
        .flatten()
        .collect();
    bar.finish();
    if let Some(out) = out {
        played.sort_unstable_by_key(|game| game.number);
        let lines: String = played.iter().map(|game| game.lines.as_str()).collect();
        files::write(out, &lines)?;
    }
    let lost = |game: &Played| if let End::Lost(sum) = game.end { Some(sum) } else { None };
    let mut lost: Vec<i64> = played.iter().filter_map(lost).collect();
    lost.sort_unstable();
    let (count, came) = (played.len(), played.len() - lost.len());
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
