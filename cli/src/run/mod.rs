//! `estr2048 run`: many games of one player under the assignment's rules, and what came of them.

mod game;
mod sample;
mod summary;

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use estr2048::board::GameBoard;
use estr2048_toolbox::range;
use indicatif::{ProgressBar, ProgressStyle};

use crate::players::{self, Effort};
use crate::tinymt::Tinymt;
use game::GameRecord;
use sample::Sample;

/// Play many games and report scores, reach rates and times.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// Who plays: fair, hand-made, random, or a student's FILE.c, locked up as by the referee
    #[arg(long, default_value = "fair")]
    player: String,
    /// Number of games [default: all seeds]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Seeds of the games, the last one included
    #[arg(long, value_name = "A..B", default_value = "1..100", value_parser = range::parse)]
    seeds: RangeInclusive<u32>,
    /// Parameters of TinyMT32
    #[arg(long, default_value = "zero")]
    tinymt: Tinymt,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// File with a line for every finished game; games that are there already are not played again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sample: Sample,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
}

/// Runs the games that are not in the file yet.
pub fn run(arguments: &Run) -> Result<ExitCode> {
    ensure!(arguments.jobs > 0, "--jobs must be at least 1");
    let seeds = arguments.seeds.clone().take(arguments.games.unwrap_or(usize::MAX));
    let seeds: BTreeSet<u32> = seeds.collect();
    let mut records = match &arguments.out {
        Some(path) if path.exists() => read_records(path)?,
        _ => Vec::new(),
    };
    records.retain(|record| seeds.contains(&record.seed));
    let done: BTreeSet<u32> = records.iter().map(|record| record.seed).collect();
    let todo: Vec<u32> = seeds.difference(&done).copied().collect();
    let out = match &arguments.out {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    records.extend(play_all(arguments, &todo, out)?);
    records.sort_by_key(|record| record.seed);
    let summary = summary::Summary::of(&records).context("no games were played")?;
    if arguments.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        print!("{summary}");
    }
    Ok(ExitCode::SUCCESS)
}

fn play_all(arguments: &Run, seeds: &[u32], out: Option<File>) -> Result<Vec<GameRecord>> {
    let bar = ProgressBar::new(seeds.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg} ETA {eta}")?);
    let next = AtomicUsize::new(0);
    let boards = arguments.sample.file()?;
    let shared = Mutex::new((Vec::new(), out, boards, 0_i64));
    let worker = || -> Result<()> {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut player = players::make(&arguments.player, &arguments.effort, seed)?;
            let mut sampled = String::new();
            let watch = |board: &GameBoard| arguments.sample.add(&mut sampled, board);
            let record = game::play(&mut *player, seed, arguments.tinymt.parameters(), watch)?;
            let mut shared = shared.lock().expect("no worker panics while it holds the records");
            let (records, out, boards, total) = &mut *shared;
            if let Some(boards) = boards {
                boards.write_all(sampled.as_bytes())?;
            }
            if let Some(out) = out {
                writeln!(out, "{}", serde_json::to_string(&record)?)?;
            }
            *total += record.score;
            bar.set_message(format!("last {}, mean {},", record.score, *total / (records.len() as i64 + 1)));
            bar.inc(1);
            records.push(record);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })?;
    bar.finish_and_clear();
    Ok(shared.into_inner().expect("all workers have ended").0)
}

fn read_records(path: &Path) -> Result<Vec<GameRecord>> {
    let name = || path.display().to_string();
    let lines = BufReader::new(File::open(path).with_context(name)?).lines();
    lines.map(|line| serde_json::from_str(&line?).with_context(name)).collect()
}
