//! `estr2048 run`: many games of one player under the assignment's rules, and what came of them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use estr2048::board::GameBoard;
use estr2048_figures::Group;
use estr2048_measuring::{self as measuring, Boards, GameRecord, Sample, Summary};
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::results::Results;
use estr2048_toolbox::{ensure_use, files, interrupt, output, range, report};
use serde::Serialize;

use crate::players::{self, Effort, Identity};
use crate::tinymt::Tinymt;

/// Play many games and report scores, reach rates and times.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// Who plays: fair, hand-made, random, or a student's FILE.c, locked up as by the referee
    #[arg(long, default_value = "fair")]
    player: String,
    /// Number of games: the first so many of the seeds [default: all seeds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Seeds of the games, the last one included [default: 1..100, or 1..N with --games N]
    #[arg(long, value_name = "A..B", value_parser = range::parse)]
    seeds: Option<RangeInclusive<u32>>,
    /// Parameters of TinyMT32
    #[arg(long, default_value = "zero")]
    tinymt: Tinymt,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// File with a line for every finished game; games that are there already are not played again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sample: Sample,
    /// Draw the share of games that reach a score into this file (SVG)
    #[arg(long, value_name = "FILE", value_parser = estr2048_figures::file_name)]
    plot: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    effort: Effort,
}

/// What the command calls itself in its reports and files.
const COMMAND: &str = "run";

/// All that the results of a file depend on, and what a summary in JSON begins with.
#[derive(Clone, Debug, Serialize)]
struct MadeBy {
    #[serde(flatten)]
    who: Identity,
    tinymt: Tinymt,
}

/// Runs the games that are not in the file yet.
pub fn run(arguments: &Run) -> Result<ExitCode> {
    let seeds = seeds(arguments)?;
    let who = players::identify(&arguments.player, &arguments.effort)?;
    let made_by = MadeBy { who, tinymt: arguments.tinymt };
    files::check_outputs(arguments.plot.iter().chain(&arguments.out).chain(arguments.sample.path()))?;
    let mut records = Vec::new();
    let mut out = None;
    if let Some(path) = &arguments.out {
        let (file, old) = Results::open::<GameRecord>(path, &report::headed(COMMAND, &made_by))?;
        records = old;
        out = Some(file);
    }
    interrupt::catch()?;
    records.retain(|record| seeds.contains(&record.seed));
    let done: BTreeSet<u32> = records.iter().map(|record| record.seed).collect();
    let wanted = u64::from(seeds.end() - seeds.start()) + 1;
    records.extend(play_all(arguments, seeds, &done, out)?);
    records.sort_by_key(|record| record.seed);
    records.dedup_by_key(|record| record.seed);
    let played = records.len() as u64;
    if let Some(summary) = Summary::of(&records) {
        if let Some(path) = &arguments.plot {
            let scores = records.iter().map(|record| record.score).collect();
            files::write(path, estr2048_figures::scores(&[Group { label: made_by.who.label(), scores }]))?;
        }
        if arguments.json {
            report::print(COMMAND, &Report { made_by, summary })?;
        } else {
            output::print(summary)?;
        }
    }
    Ok(interrupt::status(played, wanted, "games", arguments.out.is_some()))
}

/// A summary and what made it.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    made_by: MadeBy,
    #[serde(flatten)]
    summary: Summary,
}

fn seeds(arguments: &Run) -> Result<RangeInclusive<u32>> {
    let games = arguments.games;
    let seeds = arguments.seeds.clone().unwrap_or(1..=games.unwrap_or(100));
    let Some(games) = games else { return Ok(seeds) };
    let count = u64::from(seeds.end() - seeds.start()) + 1;
    ensure_use!(
        u64::from(games) <= count,
        "--games {games} asks for more games than --seeds {}..{} has ({count})",
        seeds.start(),
        seeds.end()
    );
    Ok(*seeds.start()..=seeds.start() + (games - 1))
}

/// Plays the games with these seeds, but for those that are done.
fn play_all(
    arguments: &Run,
    seeds: RangeInclusive<u32>,
    done: &BTreeSet<u32>,
    out: Option<Results>,
) -> Result<Vec<GameRecord>> {
    let total = u64::from(seeds.end() - seeds.start()) + 1 - done.len() as u64;
    let bar = Progress::new(total, "games", arguments.quiet);
    let seeds = Mutex::new((0..).zip(seeds.filter(|seed| !done.contains(seed))));
    let next = || seeds.lock().unwrap_or_else(PoisonError::into_inner).next();
    let boards = arguments.sample.file()?;
    let shared = Mutex::new((Vec::new(), out, boards, 0_i64));
    let worker = || -> Result<()> {
        while let Some((number, seed)) = next() {
            let mut player = players::make(&arguments.player, &arguments.effort, seed)?;
            let mut sampled = String::new();
            let watch = |board: &GameBoard| arguments.sample.add(&mut sampled, board);
            let Some(record) = measuring::play(&mut *player, seed, arguments.tinymt.parameters(), watch)? else {
                break;
            };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (records, out, boards, total) = &mut *shared;
            if let Some(boards) = boards {
                boards.add(number, sampled)?;
            }
            if let Some(out) = out {
                out.add(&record)?;
            }
            *total += record.score;
            let count = records.len() as i64 + 1;
            bar.at(count as u64, &format!("last {}, mean {}", record.score, *total / count));
            records.push(record);
        }
        Ok(())
    };
    // A game whose thread cannot be had is played by another one.
    let jobs = u64::from(arguments.jobs).min(total);
    let played = std::thread::scope(|scope| {
        let extra = (1..jobs).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, worker).ok());
        let extra: Vec<_> = extra.collect();
        let own = worker();
        let others =
            extra.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        others.fold(own, Result::and)
    });
    let (records, _, boards, _) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let written = boards.map_or(Ok(()), Boards::finish);
    played.and(written)?;
    bar.finish();
    Ok(records)
}
