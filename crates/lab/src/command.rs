//! The command line of the laboratory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{ensure_use, files, interrupt, numbers};
use serde_json::json;

use crate::arguments::{Board, Fair, Teller, parse_points, stopped, with_fill};
use crate::ceiling::before;
use crate::endgame_command;
use crate::endgame_play_command;
use crate::fills::{Games, Settings};
use crate::full::{full_boards, usual_last_moves};
use crate::grid::{DIRECTIONS, Grid};
use crate::ladder_command;
use crate::learner_command;
use crate::retrograde::{Chances, Layer, Made, boards_before, spread};
use crate::starts;
use crate::store;
use crate::stretch_command;
use crate::tablebase_command;
use crate::wall_starts_command;
use crate::walls_command;
use crate::whole;

/// Exact solutions of small boards, and learners that are held against them.
#[derive(Debug, Args)]
pub struct Lab {
    /// Print what is found as JSON, an object for each line
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Solve(Solve),
    Sets(Sets),
    Starts(Starts),
    Ladder(ladder_command::Arguments),
    Learn(learner_command::Learn),
    Play(learner_command::Play),
    Fills(Fills),
    Stretch(stretch_command::Stretch),
    Walls(walls_command::Walls),
    WallStarts(wall_starts_command::WallStarts),
    Tablebase(tablebase_command::Tablebase),
    Endgame(endgame_command::Endgame),
    EndgamePlay(endgame_play_command::EndgamePlay),
}

/// Solve a whole game on a board of up to nine cells or so.
#[derive(Debug, Args)]
struct Solve {
    #[command(flatten)]
    board: Board,
}

/// From the full board backwards: the boards from which the tile 2^cells, or what --fill names, is made for sure, or with
/// a chance of at least --floor.
#[derive(Debug, Args)]
struct Sets {
    #[command(flatten)]
    board: Board,
    /// How many points before the full board to go
    #[arg(long, value_name = "POINTS", default_value_t = 64, value_parser = parse_points)]
    down_to: u32,
    /// Smallest chance that counts: 1 gives the sure sets, 0 the exact chances of all boards, anything between bounds
    /// from below
    #[arg(long, value_name = "CHANCE", default_value_t = 1.0, value_parser = numbers::share::<f32>)]
    floor: f32,
    /// Moves in which the tile must be made once the board is full [default: 16; on 4×4 15, the least possible]. On 4×4
    /// only those full boards are looked at that may be sure with 15, and when two 32768 lie there, up to eight moves more
    /// may bring them together: the sets are bounds from below
    #[arg(long, value_name = "N")]
    last_moves: Option<u8>,
    /// Be content when both halves of the target lie there, on the board that they leave nearly empty: the sets are larger
    /// and sooner made, but whether the halves come together is not proved
    #[arg(long)]
    halves: bool,
    /// The fill to go back from, a sum that needs every cell: 4096, 6144, 7168 and so on to 8190, the highest sum, on 3×4. On
    /// 4×4 only the first [default: the first]
    #[arg(long, value_name = "SUM")]
    fill: Option<u32>,
    /// Behind the first fill: before the board is full, only afterstates count with the tile 2^cells, once it is made, in a
    /// corner. Smaller sets, bounds from below
    #[arg(long)]
    corner: bool,
    /// Folder for the sets, one file for each sum; what is there already is not made again
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show so many afterstates of the last sum, spread over the set
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Stop before a sum with more boards than this: each takes 16 bytes, and about five times that while the next sum
    /// is made
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    most: usize,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Sure boards of 4×4, or those of a ladder, as positions for `estr2048 train --starts`.
#[derive(Debug, Args)]
struct Starts {
    /// Folder of the sets (`lab sets --board 4x4 --out`), or of a ladder (`lab ladder --out`)
    #[arg(value_name = "FOLDER")]
    sets: PathBuf,
    /// How many points before the full board to go; sums that are not there are left out
    #[arg(long, value_name = "POINTS", default_value_t = 64, value_parser = parse_points)]
    down_to: u32,
    /// Boards of each sum at most
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    each: u32,
    /// File for the boards to be moved, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Where the fair player's games end on 4×4 between a sum and a fill, by layout or by choice.
#[derive(Debug, Args)]
struct Fills {
    /// Number of games; those that the network loses before --from do not count
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Below this sum the network plays without search
    #[arg(long, value_name = "SUM", default_value_t = 57408, value_parser = clap::value_parser!(i64).range(2..131070))]
    from: i64,
    /// The games end behind this sum
    #[arg(long, value_name = "SUM", default_value_t = 65536, value_parser = clap::value_parser!(i64).range(2..131070))]
    to: i64,
    /// Points before a fill at which its best chance is solved
    #[arg(long, value_name = "POINTS", default_value_t = 24, value_parser = clap::value_parser!(i64).range(2..=62))]
    reach: i64,
    /// Boards that such a solution may look at; what is not solved then does not count among the solved
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    boards: u64,
    #[command(flatten)]
    fair: Fair,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Runs an experiment.
///
/// # Errors
/// If the board, a file or a limit is impossible.
pub fn run(lab: &Lab) -> Result<ExitCode> {
    let teller = |command| Teller { json: lab.json, command };
    match &lab.experiment {
        Experiment::Solve(arguments) => solve(arguments, teller("lab solve")),
        Experiment::Sets(arguments) => sets(arguments, teller("lab sets")),
        Experiment::Starts(arguments) => starts(arguments, teller("lab starts")),
        Experiment::Ladder(arguments) => ladder_command::run(arguments, teller("lab ladder")),
        Experiment::Learn(arguments) => learner_command::learn(arguments, teller("lab learn")),
        Experiment::Play(arguments) => learner_command::play(arguments, teller("lab play")),
        Experiment::Fills(arguments) => fills(arguments, teller("lab fills")),
        Experiment::Stretch(arguments) => stretch_command::run(arguments, teller("lab stretch")),
        Experiment::Walls(arguments) => walls_command::run(arguments, teller("lab walls")),
        Experiment::WallStarts(arguments) => wall_starts_command::run(arguments, teller("lab wall-starts")),
        Experiment::Tablebase(arguments) => tablebase_command::run(arguments, teller("lab tablebase")),
        Experiment::Endgame(arguments) => endgame_command::run(arguments, teller("lab endgame")),
        Experiment::EndgamePlay(arguments) => endgame_play_command::run(arguments, teller("lab endgame-play")),
    }
}

fn solve(arguments: &Solve, teller: Teller) -> Result<ExitCode> {
    let grid = arguments.board.grid()?;
    ensure_use!(grid.cells() <= 10, "a board of {} cells has too many states: try `lab sets`", grid.cells());
    let solution = whole::solve(&grid);
    let (target, ceiling) = (grid.target(), 2 * grid.target() - 2);
    let whole::Solution { states, first, target: chance, ceiling: highest } = solution;
    teller.tell(
        format_args!(
            "states             {states}\n  with one tile    {first}\n\
             chance of {target:<8} {chance}\nchance of {ceiling:<8} {highest}"
        ),
        json!({ "states": states, "states_with_one_tile": first,
            "chances": { target.to_string(): chance, ceiling.to_string(): highest } }),
    )?;
    Ok(ExitCode::SUCCESS)
}

fn sets(arguments: &Sets, teller: Teller) -> Result<ExitCode> {
    let mut grid = arguments.board.grid()?;
    if let Some(fill) = arguments.fill {
        grid = with_fill(grid, fill)?;
    }
    let Sets { floor, halves, corner, .. } = *arguments;
    ensure_use!(!halves || floor >= 1.0, "--halves goes with --floor 1");
    ensure_use!(!corner || grid.fill() > grid.target(), "--corner goes with a --fill beyond the first");
    let last_moves = arguments.last_moves.unwrap_or_else(|| usual_last_moves(&grid));
    let made = Made { floor, last_moves, halves, corner };
    let down_to = arguments.down_to;
    ensure_use!(down_to < grid.fill(), "the game has no {down_to} points before {}", grid.fill());
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    interrupt::catch()?;
    let start = Instant::now();
    let is_there = |points: &u32| arguments.out.as_ref().is_some_and(|folder| store::path(folder, *points).exists());
    let last = (0..=down_to).step_by(2).take_while(is_there).last();
    teller
        .head(format_args!("{:>7} {:>12} {:>12} {:>9} {:>9}", "points", "afterstates", "boards", "best", "seconds"))?;
    let mut layer = match (&arguments.out, last) {
        (Some(folder), Some(0)) => {
            Layer { sum: grid.fill(), afters: Vec::new(), boards: store::load(folder, &grid, 0, made)? }
        }
        (Some(folder), Some(points)) => {
            let afters = store::load(folder, &grid, points, made)?;
            Layer { sum: grid.fill() - points, boards: boards_before(&grid, &afters), afters }
        }
        _ => full_boards(&grid, made, arguments.quiet),
    };
    let total = u64::from(down_to / 2) + 1;
    let bar = Progress::new(total, "sums", arguments.quiet);
    loop {
        let points = grid.fill() - layer.sum;
        if interrupt::asked() {
            // The last layer may lack boards.
            bar.finish();
            return Ok(interrupt::status(u64::from(points / 2), total, "sums", arguments.out.is_some()));
        }
        let best = layer.boards.iter().map(|&(_, chance)| chance).fold(0.0, f32::max);
        let seconds = start.elapsed().as_secs_f64();
        let (place, afters, boards) = (-i64::from(points), layer.afters.len(), layer.boards.len());
        bar.aside(|| {
            teller.tell(
                format_args!("{place:>7} {afters:>12} {boards:>12} {best:>9.6} {seconds:>9.1}"),
                json!({ "points": place, "afterstates": afters, "boards": boards, "best": best, "seconds": seconds }),
            )
        })?;
        bar.at(u64::from(points / 2) + 1, "");
        if let Some(folder) = arguments.out.as_ref().filter(|_| last != Some(points)) {
            let kept = if points == 0 { &layer.boards } else { &layer.afters };
            store::save(folder, &grid, layer.sum, made, kept)?;
        }
        // At the ceiling every full board is one, and none is listed.
        if points >= down_to || (boards == 0 && layer.sum != grid.ceiling()) {
            bar.finish();
            show(&grid, &layer.afters, arguments.examples, teller)?;
            return Ok(ExitCode::SUCCESS);
        }
        ensure!(boards <= arguments.most, "{boards} boards at -{points} are more than --most {}", arguments.most);
        layer = before(&grid, &layer, made);
    }
}

/// Prints so many of the afterstates, evenly spread.
fn show(grid: &Grid, afters: &Chances, count: usize, teller: Teller) -> Result<()> {
    for (after, chance) in spread(afters, count) {
        let object = json!({ "example": grid.unpacked(after), "chance": chance });
        teller.tell(format_args!("\n{}", grid.text(after)), object)?;
    }
    Ok(())
}

fn starts(arguments: &Starts, teller: Teller) -> Result<ExitCode> {
    let grid = Grid::new(4, 4, &DIRECTIONS)?;
    let Starts { sets, down_to, each, out } = arguments;
    files::check_writable(out)?;
    let lines = starts::lines(sets, &grid, *down_to, *each as usize)?;
    ensure!(!lines.is_empty(), "{} holds no boards down to {down_to} points before the target", sets.display());
    files::write(out, &lines)?;
    let count = lines.lines().count();
    teller.tell(format_args!("{count} boards in {}", out.display()), json!({ "boards": count }))?;
    Ok(ExitCode::SUCCESS)
}

fn fills(arguments: &Fills, teller: Teller) -> Result<ExitCode> {
    ensure_use!(arguments.from < arguments.to, "--from {} must be below --to {}", arguments.from, arguments.to);
    let (network, effort) = (arguments.fair.network()?, arguments.fair.effort());
    let Fills { from, reach, boards, to, .. } = *arguments;
    let mut games = Games::new(&network, Settings { from, effort, reach, boards, to });
    interrupt::catch()?;
    let bar = Progress::new(arguments.games, "games", arguments.quiet);
    let mut count = 0;
    while count < arguments.games && !interrupt::asked() {
        games.play(arguments.seed.wrapping_add(count));
        count += 1;
        bar.at(count, "");
    }
    bar.finish();
    let begun = games.begun;
    teller.tell(
        format_args!(
            "{count} games, {begun} of them from {from} on\n\
             \x20  fill  lost before    met  lost at  solved   best chance  passed of these"
        ),
        json!({ "games": count, "begun": begun, "from": from }),
    )?;
    for fill in &games.fills {
        let (sum, met, solved) = (fill.sum, fill.met, fill.solved);
        let share = |sum: f64| sum / f64::from(solved.max(1));
        let (chance, passed) = (share(fill.chances), share(fill.passed.into()));
        let (before, at) = (fill.lost_before.len(), fill.lost_at.len());
        teller.tell(
            format_args!("{sum:>7} {before:>12} {met:>6} {at:>8} {solved:>7} {chance:>13.4} {passed:>16.4}"),
            json!({ "fill": sum, "lost_before": fill.lost_before, "met": met, "lost_at": fill.lost_at,
                "solved": solved, "best_chance": chance, "passed": passed }),
        )?;
    }
    let ends = games.fills.iter().flat_map(|fill| fill.lost_before.iter().chain(&fill.lost_at));
    let mut ends: Vec<i64> = ends.copied().collect();
    ends.sort_unstable();
    let words: Vec<String> = ends.iter().map(i64::to_string).collect();
    teller.tell(format_args!("ends: {}", words.join(" ")), json!({ "ends": ends }))?;
    Ok(stopped(count, arguments.games))
}
