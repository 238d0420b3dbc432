//! The command line of the laboratory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use estr2048::network::weights;
use estr2048::player::computer::Effort;
use estr2048::search::Limit;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{ensure_use, files, interrupt, numbers, output};
use serde_json::json;

use crate::arguments::{Teller, parse_points};
use crate::fills::{Games, Settings};
use crate::full::{full_boards, usual_last_moves};
use crate::grid::{DIRECTIONS, Grid, Way};
use crate::ladder_command;
use crate::network::{TUPLES_3X4, Tuples};
use crate::player::{End, Gate, Player};
use crate::retrograde::{Chances, Layer, Made, before, boards_before, spread};
use crate::starts;
use crate::store;
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
    Learn(Learn),
    Play(Play),
    Fills(Fills),
}

#[derive(Debug, Args)]
struct Board {
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
    fn grid(&self) -> Result<Grid> {
        let ways: Vec<Way> = DIRECTIONS.into_iter().filter(|way| !self.without.contains(way)).collect();
        Grid::new(self.board.0, self.board.1, &ways)
    }
}

/// Solve a whole game on a board of up to nine cells or so.
#[derive(Debug, Args)]
struct Solve {
    #[command(flatten)]
    board: Board,
}

/// From the full board backwards: the boards from which the tile 2^cells is made for sure, or with a chance of at least
/// --floor.
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

#[derive(Debug, Args)]
struct Network {
    /// A tuple: its cells in reading order; repeat for more [default: the four six-tuples for 3×4]
    #[arg(long = "tuple", value_name = "CELLS", value_parser = parse_tuple)]
    tuples: Vec<Tuple>,
    /// Folder of sure sets (`lab sets --out`) that decide a game at --gate
    #[arg(long, value_name = "FOLDER", requires = "gate")]
    sets: Option<PathBuf>,
    /// So many points before the full board, a game in the sure set has won
    #[arg(long, value_name = "POINTS", requires = "sets", value_parser = parse_points)]
    gate: Option<u32>,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Debug)]
struct Tuple(Vec<u32>);

fn parse_tuple(text: &str) -> Result<Tuple, String> {
    let cells = text.split(',').map(|cell| cell.trim().parse().map_err(|_| format!("{cell:?} is no cell")));
    let cells: Vec<u32> = cells.collect::<Result<_, _>>()?;
    if (1..=6).contains(&cells.len()) { Ok(Tuple(cells)) } else { Err("a tuple has 1 to 6 cells".to_owned()) }
}

impl Network {
    fn player<'a>(&self, grid: &'a Grid, file: Option<&PathBuf>) -> Result<Player<'a>> {
        ensure_use!(grid.cells() < 16, "4×4 has no learner here: `estr2048 train` and `run` have");
        let tuples: Vec<Vec<u32>> = match &self.tuples[..] {
            [] => TUPLES_3X4.map(Vec::from).into(),
            own => own.iter().map(|tuple| tuple.0.clone()).collect(),
        };
        let mut network = Tuples::new(grid, &tuples)?;
        if let Some(file) = file {
            network.read(file)?;
        }
        let gate = match (&self.sets, self.gate) {
            (Some(folder), Some(points)) => Some(Gate::load(folder, grid, points)?),
            _ => None,
        };
        Ok(Player::new(grid, network, gate, self.seed))
    }
}

/// Learn to make the tile 2^cells, alone or with sure sets as a teacher.
#[derive(Debug, Args)]
struct Learn {
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    network: Network,
    /// File for the network, written at every line of the curve
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists: what it learned is lost
    #[arg(long)]
    force: bool,
    /// Go on from this network
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Games to learn from
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games between two lines of the curve
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Step size at the beginning
    #[arg(long, default_value_t = 1.0, value_parser = numbers::not_negative::<f32>)]
    alpha: f32,
    /// Step size at the end; falls evenly [default: as at the beginning]
    #[arg(long, value_parser = numbers::not_negative::<f32>)]
    alpha_end: Option<f32>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Measure a learned network, with search and with sure sets.
#[derive(Debug, Args)]
struct Play {
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    network: Network,
    /// The network that `lab learn` wrote
    #[arg(value_name = "NETWORK")]
    file: PathBuf,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Evaluations a move: divided among the moves and the cells
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = numbers::positive::<f32>)]
    budget: f32,
    /// Play the sure games on by the sets to the target tile, which all of them must make
    #[arg(long, requires = "sets")]
    follow: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
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
    /// Evaluations a move from there on [default: the usual effort]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Points before a fill at which its best chance is solved
    #[arg(long, value_name = "POINTS", default_value_t = 24, value_parser = clap::value_parser!(i64).range(2..=62))]
    reach: i64,
    /// Boards that such a solution may look at; what is not solved then does not count among the solved
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    boards: u64,
    /// Network file, instead of the one named by ESTR_WEIGHTS or inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
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
        Experiment::Learn(arguments) => learn(arguments, teller("lab learn")),
        Experiment::Play(arguments) => play(arguments, teller("lab play")),
        Experiment::Fills(arguments) => fills(arguments, teller("lab fills")),
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
    let grid = arguments.board.grid()?;
    let Sets { floor, halves, .. } = *arguments;
    ensure_use!(!halves || floor >= 1.0, "--halves goes with --floor 1");
    let made = Made { floor, last_moves: arguments.last_moves.unwrap_or_else(|| usual_last_moves(&grid)), halves };
    let down_to = arguments.down_to;
    ensure_use!(down_to < grid.target(), "the game has no {down_to} points before {}", grid.target());
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
            Layer { sum: grid.target(), afters: Vec::new(), boards: store::load(folder, &grid, 0, made)? }
        }
        (Some(folder), Some(points)) => {
            let afters = store::load(folder, &grid, points, made)?;
            Layer { sum: grid.target() - points, boards: boards_before(&grid, &afters), afters }
        }
        _ => full_boards(&grid, made, arguments.quiet),
    };
    let total = u64::from(down_to / 2) + 1;
    let bar = Progress::new(total, "sums", arguments.quiet);
    loop {
        let points = grid.target() - layer.sum;
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
        if points >= down_to || boards == 0 {
            bar.finish();
            show(&grid, &layer.afters, arguments.examples, teller)?;
            return Ok(ExitCode::SUCCESS);
        }
        ensure!(boards <= arguments.most, "{boards} boards at -{points} are more than --most {}", arguments.most);
        layer = before(&grid, &layer, made.floor);
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

fn learn(arguments: &Learn, teller: Teller) -> Result<ExitCode> {
    let grid = arguments.board.grid()?;
    let out = &arguments.out;
    // A learned network may be the work of hours.
    ensure_use!(
        arguments.force || !out.exists() || arguments.resume.as_ref().is_some_and(|from| files::are_one(from, out)),
        "{0} exists: --resume {0} goes on with it, --force replaces it",
        out.display()
    );
    files::check_writable(out)?;
    let mut player = arguments.network.player(&grid, arguments.resume.as_ref())?;
    interrupt::catch()?;
    let start = Instant::now();
    let bar = Progress::new(arguments.games, "games", arguments.quiet);
    teller.head(format_args!("{:>9} {:>9} {:>9} {:>9} {:>9}", "games", "made", "sure", "lost at", "seconds"))?;
    let (mut made, mut sure, mut lost) = (0, 0, 0_u64);
    for game in 0..arguments.games {
        let done = game as f32 / arguments.games as f32;
        let alpha = arguments.alpha + (arguments.alpha_end.unwrap_or(arguments.alpha) - arguments.alpha) * done;
        match player.learn(alpha) {
            End::Made => made += 1,
            End::Sure(_) => sure += 1,
            End::Lost(sum) => lost += u64::from(sum),
        }
        let (count, stopped) = (game + 1, interrupt::asked());
        bar.at(count, "");
        if stopped || count % arguments.every == 0 || count == arguments.games {
            let games = game % arguments.every + 1;
            let share = |count: u64| count as f64 / games as f64;
            let at = lost / (games - made - sure).max(1);
            let seconds = start.elapsed().as_secs_f64();
            let (made_share, sure_share) = (share(made), share(sure));
            player.network.save(out)?;
            bar.aside(|| {
                teller.tell(
                    format_args!("{count:>9} {made_share:>9.4} {sure_share:>9.4} {at:>9} {seconds:>9.0}"),
                    json!({ "games": count, "made": made_share, "sure": sure_share, "lost_at": at,
                        "seconds": seconds }),
                )
            })?;
            (made, sure, lost) = (0, 0, 0);
        }
        if stopped {
            bar.finish();
            let (total, out) = (arguments.games, out.display());
            output::tell(format_args!(
                "stopped after {count} of {total} games; --resume {out} goes on with what was learned"
            ));
            return Ok(ExitCode::from(interrupt::STATUS));
        }
    }
    bar.finish();
    Ok(ExitCode::SUCCESS)
}

fn play(arguments: &Play, teller: Teller) -> Result<ExitCode> {
    let grid = arguments.board.grid()?;
    let mut player = arguments.network.player(&grid, Some(&arguments.file))?;
    interrupt::catch()?;
    let bar = Progress::new(arguments.games, "games", arguments.quiet);
    let mut ends: Vec<End> = Vec::new();
    while (ends.len() as u64) < arguments.games && !interrupt::asked() {
        ends.push(player.play(arguments.budget));
        bar.at(ends.len() as u64, "");
    }
    bar.finish();
    let made = ends.iter().filter(|&&end| end == End::Made).count();
    let sure: Vec<u64> =
        ends.iter().filter_map(|end| if let End::Sure(after) = end { Some(*after) } else { None }).collect();
    let mut lost: Vec<u32> =
        ends.iter().filter_map(|end| if let End::Lost(sum) = end { Some(*sum) } else { None }).collect();
    lost.sort_unstable();
    let (passed, games) = (made + sure.len(), ends.len());
    let (low, high) = rate_ci95(passed, games);
    let (target, share, at_gate) = (grid.target(), passed as f64 / games.max(1) as f64, sure.len());
    let mut words = format!(
        "{games} games: {made} made by play, sure at the gate {at_gate}\n\
         share with {target}: {share:.4} ({low:.4} to {high:.4})"
    );
    let mut object = json!({ "games": games, "made": made, "sure": at_gate, "target": target, "share": share,
        "share_ci95": [low, high] });
    if let (Some(first), Some(last)) = (lost.first(), lost.last()) {
        let half = lost[lost.len() / 2];
        words += &format!("\nlost at {first} to {last}, half of them before {half}");
        object["lost_at"] = json!({ "first": first, "median": half, "last": last });
    }
    let follow = (arguments.follow && !interrupt::asked(), &arguments.network.sets, arguments.network.gate);
    if let (true, Some(folder), Some(points)) = follow {
        let count = sure.len();
        let made = player.follow(folder, points, sure)?;
        ensure!(made == count, "{} of {count} sure games were lost: the sets are wrong", count - made);
        words += &format!("\nfollowed by the sets: {made} of {count} made {target}");
        object["followed"] = json!({ "games": count, "made": made });
    }
    teller.tell(words, object)?;
    Ok(stopped(games as u64, arguments.games))
}

fn fills(arguments: &Fills, teller: Teller) -> Result<ExitCode> {
    ensure_use!(arguments.from < arguments.to, "--from {} must be below --to {}", arguments.from, arguments.to);
    let network = match &arguments.weights {
        Some(path) => Some(Arc::new(weights::load(path)?)),
        None => weights::standard()?,
    };
    let network = network.context("this program holds no network: name one with --weights")?;
    let effort = arguments.nodes.map_or(Effort::USUAL, |nodes| Effort { limit: Limit::Nodes(nodes), ..Effort::USUAL });
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

/// The exit status of games that cannot be gone on with.
fn stopped(played: u64, wanted: u64) -> ExitCode {
    if played >= wanted {
        return ExitCode::SUCCESS;
    }
    output::tell(format_args!("stopped after {played} of {wanted} games"));
    ExitCode::from(interrupt::STATUS)
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
