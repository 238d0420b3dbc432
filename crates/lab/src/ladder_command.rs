//! `estr2048 lab ladder`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use estr2048_toolbox::progress::Progress as Bar;
use estr2048_toolbox::{ensure_use, files, interrupt, numbers, output};
use estr2048_training::checkpoint::{self, Division, Progress};
use serde_json::json;

use crate::arguments::{Teller, parse_points};
use crate::grid::{DIRECTIONS, Grid};
use crate::ladder::{Climbed, Ladder, Rung, next};
use crate::retrograde::{Made, spread};
use crate::store;

/// A network learns the way to the sure boards of 4×4, backwards: rungs of boards with ever fewer points.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder of the sure sets that the ladder stands on (`lab sets --board 4x4 --halves --out`)
    #[arg(long, value_name = "FOLDER")]
    sets: PathBuf,
    /// Points before the target of the first rung, a set that is there
    #[arg(long, value_name = "POINTS", default_value_t = 192, value_parser = parse_points)]
    from: u32,
    /// Points before the target of the last rung
    #[arg(long, value_name = "POINTS", default_value_t = 4096, value_parser = parse_points)]
    down_to: u32,
    /// Network or checkpoint that knows the game up to the ladder
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// Sums at which a new stage begins
    #[arg(
        long,
        value_name = "SUMS",
        value_delimiter = ',',
        default_value = "16384,32768,49152,57344,61440,63488,64512,65024,65280,65408"
    )]
    stages: Vec<u32>,
    /// The stages that begin at this sum or above start anew; 65536 keeps all, to climb again with what was learned
    #[arg(long, value_name = "SUM", default_value_t = 61440)]
    fresh_from: u32,
    /// Boards on a rung
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(8..=100_000))]
    boards: u32,
    /// Moves of games to learn from, in millions: on the sure boards first, and then on each rung
    #[arg(long, value_name = "M", num_args = 2, value_names = ["FIRST", "RUNG"], default_values_t = [150, 12])]
    moves: Vec<u64>,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the network, network.ckp, and one file for each rung; what is there already goes on
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 5.0, value_parser = numbers::positive::<f64>)]
    checkpoint_minutes: f64,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// How a file of a rung is marked: its numbers are values, not chances.
const MARK: Made = Made { floor: 0.0, last_moves: 0, halves: true, corner: false };

/// Climbs until the last rung or Ctrl-C.
pub fn run(arguments: &Arguments, teller: Teller) -> Result<ExitCode> {
    let grid = Grid::new(4, 4, &DIRECTIONS)?;
    let Arguments { from, down_to, out, .. } = arguments;
    ensure_use!(from < down_to && *down_to <= 8192, "a ladder goes from --from to --down-to, 8192 at most");
    let sets = sure(arguments, &grid)?;
    files::check_readable(&arguments.weights)?;
    std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let checkpoint = out.join("network.ckp");
    files::check_writable(&checkpoint)?;
    // Without what was learned, the rungs of a run before lead nowhere.
    let known = if checkpoint.exists() { known_rungs(out, &grid, *from)? } else { Vec::new() };
    let goes_on = !known.is_empty();
    let (tables, before) = if goes_on {
        checkpoint::load(&checkpoint, &Division::default())?
    } else {
        let (tables, _) = checkpoint::load(
            &arguments.weights,
            &Division { bounds: Some(arguments.stages.clone()), ..Division::default() },
        )?;
        tables.renew(&(arguments.fresh_from..=u32::MAX), 0.0);
        (tables, Progress::default())
    };
    interrupt::catch()?;

    let seed = arguments.seed ^ known.len() as u64;
    let mut ladder = Ladder::new(&grid, &tables, arguments.boards as usize, seed);
    ladder.rungs = sets;
    teller.head(format_args!(
        "{:>7} {:>8} {:>8} {:>10} {:>8} {:>8}",
        "points", "boards", "layouts", "value", "passed", "seconds"
    ))?;
    let total = rungs_between(*from, *down_to);
    let bar = Bar::new(total, "rungs", arguments.quiet);
    let start = Instant::now();
    let mut saved = start;
    let save = || {
        let seconds = before.seconds + start.elapsed().as_secs_f64();
        checkpoint::save(&checkpoint, &tables, Progress { seconds, ..before })
    };
    let mut done = known.len() as u64;
    if goes_on {
        ladder.rungs.extend(known);
    } else {
        let climbed = ladder.learn(arguments.moves[0].saturating_mul(1_000_000));
        if interrupt::asked() {
            bar.finish();
            output::tell("stopped before the first rung: nothing is kept");
            return Ok(ExitCode::from(interrupt::STATUS));
        }
        bar.aside(|| tell(teller, &ladder, climbed, start))?;
    }
    while ladder.rungs.last().is_some_and(|rung| rung.points < *down_to) {
        if interrupt::asked() {
            bar.finish();
            save()?;
            return Ok(interrupt::status(done, total, "rungs", true));
        }
        let climbed = ladder.climb(arguments.moves[1].saturating_mul(1_000_000))?;
        done += 1;
        bar.at(done, "");
        bar.aside(|| tell(teller, &ladder, climbed, start))?;
        keep(out, &grid, &ladder)?;
        if saved.elapsed().as_secs_f64() >= 60.0 * arguments.checkpoint_minutes {
            save()?;
            saved = Instant::now();
        }
    }
    bar.finish();
    save()?;
    Ok(ExitCode::SUCCESS)
}

fn rungs_between(from: u32, down_to: u32) -> u64 {
    std::iter::successors(Some(from), |&points| Some(next(points))).take_while(|&points| points < down_to).count()
        as u64
}

/// The sure sets up to the first rung.
fn sure(arguments: &Arguments, grid: &Grid) -> Result<Vec<Rung>> {
    let Arguments { sets, from, boards, .. } = arguments;
    let mut rungs = Vec::new();
    for points in (2..=*from).step_by(2) {
        let afters = store::load_as_made(sets, grid, points)?;
        ensure!(
            !afters.is_empty(),
            "{} holds no board {points} points before the target: --from is too far",
            sets.display()
        );
        rungs.push(Rung { points, boards: spread(&afters, *boards as usize).collect() });
    }
    Ok(rungs)
}

/// The rungs that a run before left in the folder.
fn known_rungs(out: &Path, grid: &Grid, from: u32) -> Result<Vec<Rung>> {
    let mut rungs = Vec::new();
    let mut points = next(from);
    while store::path(out, points).exists() {
        let mut boards = store::load(out, grid, points, MARK)?;
        boards.sort_by(|one, other| other.1.total_cmp(&one.1));
        rungs.push(Rung { points, boards });
        points = next(points);
    }
    Ok(rungs)
}

fn keep(out: &Path, grid: &Grid, ladder: &Ladder) -> Result<()> {
    let rung = &ladder.rungs[ladder.rungs.len() - 1];
    let mut boards = rung.boards.clone();
    boards.sort_unstable_by_key(|&(board, _)| board);
    store::save(out, grid, grid.fill() - rung.points, MARK, &boards)
}

fn tell(teller: Teller, ladder: &Ladder, climbed: Climbed, start: Instant) -> Result<()> {
    let rung = &ladder.rungs[ladder.rungs.len() - 1];
    let Climbed { games, passed } = climbed;
    let layouts = ladder.layouts();
    let (place, boards) = (-i64::from(rung.points), rung.boards.len());
    let value = rung.boards[boards / 2].1;
    let share = passed as f64 / games.max(1) as f64;
    let seconds = start.elapsed().as_secs_f64();
    teller.tell(
        format_args!("{place:>7} {boards:>8} {layouts:>8} {value:>10.1} {share:>8.3} {seconds:>8.0}"),
        json!({ "points": place, "boards": boards, "layouts": layouts, "value": value, "games": games, "passed": passed,
            "seconds": seconds }),
    )
}
