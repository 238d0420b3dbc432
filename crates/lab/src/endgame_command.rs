//! `estr2048 lab endgame`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{files as user_files, interrupt, numbers};
use estr2048_training::starts;
use serde_json::json;

use crate::arguments::Teller;
use crate::endgame::backwards::{MOST_FREE, Problem, Rules};
use crate::endgame::files;
use crate::endgame::goal::Goal;
use crate::endgame::walled::{Layouts, free, walled};
use crate::grid::{DIRECTIONS, Grid};
use crate::retrograde::Chances;
use crate::walls::cells::{WALL, placed};
use crate::walls::summary::parse_picture;

/// From the end of the game backwards, or from a fill, with the largest tiles alike: the chance of 131070, or to come through,
/// of the boards that have the best ones, bounds from below, since what is not kept counts as lost.
#[derive(Debug, Args)]
pub struct Endgame {
    /// Cells that the largest tiles leave: 10 go back to the first 2 behind 129024, 11 to that behind 126976; with --fill 10, to
    /// those behind 64512 and 63488
    #[arg(long, value_name = "CELLS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FREE)))]
    free: u32,
    /// Not from the end of the game, but from the fill: where a second tile as large as the smallest of the largest is made while
    /// they leave so many cells, 10 for a second 1024 behind 64512. Before, from 32768 down, a cell is to spare
    #[arg(long, value_name = "CELLS", requires = "layouts", value_parser = clap::value_parser!(u32).range(3..=10))]
    fill: Option<u32>,
    /// Know only boards whose largest tiles stand as this file names, one layout a line like W..W/W..W/W..W/...., in all
    /// symmetries; a number of them for which it names none may stand anywhere
    #[arg(long, value_name = "FILE")]
    layouts: Option<PathBuf>,
    /// With --layouts: within so many points behind the last of the largest tiles they may stand anywhere, and in the last 24
    /// before the next one
    #[arg(long, value_name = "POINTS", default_value_t = 0, requires = "layouts")]
    anywhere: u32,
    /// Keep boards with at least this share of the best chance of their sum
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = numbers::share::<f32>)]
    floor: f32,
    /// Keep so many of them, the best ones
    #[arg(long, value_name = "N", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// The same from 8 points before a fill to 60 behind it, where new tiles fall anywhere while the chain falls together
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u32).range(1..))]
    most_at_fills: u32,
    /// A board is lost that lets so many moves pass at a fill before its chain has fallen together
    #[arg(long, value_name = "MOVES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=256))]
    late: u32,
    /// File of boards whose chances are told, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Folder for what is solved, a file for each sum; what is there already is gone on from
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Tell of every N-th sum
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print so many of the last boards, the best ones, walls as W
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

impl Endgame {
    fn rules(&self) -> Rules {
        let Self { floor, most, most_at_fills, late, .. } = *self;
        Rules { floor, most: most as usize, most_at_fills: most_at_fills as usize, late }
    }

    fn goal(&self) -> Goal {
        self.fill.map_or(Goal::End, |free| Goal::Fill { free, late: self.late })
    }

    fn layouts(&self, grid: &Grid) -> Result<Layouts> {
        let Some(path) = &self.layouts else { return Ok(Layouts::default()) };
        let name = || path.display().to_string();
        user_files::check_readable(path)?;
        let text = std::fs::read_to_string(path).with_context(name)?;
        let board = |line: &str| {
            let set = parse_picture(line).ok().filter(|&set| set >> 16 == 0 && set != 0);
            set.map(|set| placed(set, WALL))
        };
        let boards: Option<Vec<u64>> = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(board).collect();
        let boards = boards.filter(|boards| !boards.is_empty());
        let boards =
            boards.with_context(|| format!("{} has to name layouts like W..W/W..W/W..W/...., one a line", name()))?;
        if let Some(free) = self.fill {
            let walls = 16 - free;
            ensure!(
                self.free >= free,
                "--free {} is fewer cells than --fill {free}: give --free {free} or more",
                self.free
            );
            ensure!(self.late < 1 << (free - 2), "--late {} is too late for --fill {free}", self.late);
            let stand = |board: &u64| 16 - crate::endgame::walled::free(*board) == walls;
            ensure!(boards.iter().any(stand), "{} names no layout of {walls} tiles, as --fill {free} needs", name());
        }
        Ok(Layouts::new(grid, &boards, self.anywhere))
    }
}

/// The boards of a file, by the moves that are left, and what is known of them.
#[derive(Default)]
struct Asked {
    boards: BTreeMap<u32, Vec<u64>>,
    chances: Vec<f32>,
}

impl Asked {
    fn read(arguments: &Endgame, problem: &Problem) -> Result<Self> {
        let mut asked = Self::default();
        let Some(path) = &arguments.boards else { return Ok(asked) };
        let sums = match problem.goal {
            Goal::End => 65_536..=problem.grid.ceiling() - 2,
            Goal::Fill { late, .. } => 65_536 - (1 << MOST_FREE)..=65_536 + 2 * late,
        };
        for board in starts::read(path, &sums)? {
            let walled = walled(problem.grid, board, problem.goal);
            // Without a wall the goal is farther away than can be solved.
            let known = walled.map_or((u32::MAX, 0), |walled| (problem.moves_left(walled), walled));
            asked.boards.entry(known.0).or_default().push(known.1);
        }
        Ok(asked)
    }

    fn look_up(&mut self, left: u32, boards: &Chances) {
        let chance =
            |board: &u64| boards.binary_search_by_key(board, |&(board, _)| board).map_or(0.0, |at| boards[at].1);
        self.chances.extend(self.boards.get(&left).into_iter().flatten().map(chance));
    }
}

pub fn run(arguments: &Endgame, teller: Teller) -> Result<ExitCode> {
    let grid = Grid::new(4, 4, &DIRECTIONS)?;
    let (goal, layouts) = (arguments.goal(), arguments.layouts(&grid)?);
    let problem = Problem { grid: &grid, goal, layouts: &layouts, rules: arguments.rules() };
    // The last boards are those of two points: the first tiles are a given.
    let most_left = goal.moves_left(arguments.free, 2);
    let mut asked = Asked::read(arguments, &problem)?;
    let solved = solved(arguments)?.min(most_left);
    let load = |left| match &arguments.out {
        Some(folder) if left <= solved => files::load(folder, left, &problem),
        _ => Ok(problem.last()),
    };
    let lefts: Vec<u32> = asked.boards.keys().copied().filter(|&left| left <= solved.max(1)).collect();
    for left in lefts {
        asked.look_up(left, &load(left)?);
    }
    let mut left = solved.max(1);
    let mut boards = load(left)?;
    if let Some(folder) = arguments.out.as_ref().filter(|_| solved == 0) {
        files::save(folder, left, &problem, &boards)?;
    }
    interrupt::catch()?;
    let start = Instant::now();
    let bar = Progress::new(u64::from(most_left), "sums", arguments.quiet);
    teller.head(format_args!("{:>7} {:>6} {:>10} {:>9} {:>9}", "sum", "walls", "boards", "best", "seconds"))?;
    loop {
        bar.at(u64::from(left), "");
        if left.is_multiple_of(arguments.every) || left == most_left || boards.is_empty() {
            bar.aside(|| tell(teller, goal.sum(left), &boards, start))?;
        }
        if left == most_left || boards.is_empty() {
            break;
        }
        if interrupt::asked() {
            bar.finish();
            return Ok(interrupt::status(left.into(), most_left.into(), "sums", arguments.out.is_some()));
        }
        left += 1;
        boards = problem.before(&boards, left);
        if let Some(folder) = &arguments.out {
            files::save(folder, left, &problem, &boards)?;
        }
        asked.look_up(left, &boards);
    }
    bar.finish();
    if arguments.boards.is_some() {
        tell_asked(teller, &asked)?;
    }
    boards.sort_by(|a, b| b.1.total_cmp(&a.1));
    for &(board, chance) in boards.iter().take(arguments.examples) {
        teller.tell(
            format_args!("\n{}\n{chance:.6}", text(board)),
            json!({ "example": text(board), "chance": chance }),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The most moves left of which the folder has boards; makes the folder if it is not there.
fn solved(arguments: &Endgame) -> Result<u32> {
    let Some(folder) = &arguments.out else { return Ok(0) };
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    user_files::check_writable(&files::path(folder, 1))?;
    files::solved(folder)
}

/// Tells of the boards of a sum, by the number of their walls.
fn tell(teller: Teller, sum: u32, boards: &Chances, start: Instant) -> Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    let mut by_walls: BTreeMap<u32, (usize, f32)> = BTreeMap::new();
    for &(board, chance) in boards {
        let (count, best) = by_walls.entry(16 - free(board)).or_default();
        *count += 1;
        *best = best.max(chance);
    }
    if boards.is_empty() {
        return teller.tell(
            format_args!("no board of sum {sum} is left: keep more of them (--most, --most-at-fills, --floor)"),
            json!({ "sum": sum, "boards": 0 }),
        );
    }
    for (walls, (count, best)) in by_walls {
        teller.tell(
            format_args!("{sum:>7} {walls:>6} {count:>10} {best:>9.6} {seconds:>9.1}"),
            json!({ "sum": sum, "walls": walls, "boards": count, "best": best, "seconds": seconds }),
        )?;
    }
    Ok(())
}

/// Tells of the boards that were asked for.
fn tell_asked(teller: Teller, asked: &Asked) -> Result<()> {
    let count: usize = asked.boards.values().map(Vec::len).sum();
    let known = asked.chances.iter().filter(|&&chance| chance > 0.0).count();
    let (total, best) =
        asked.chances.iter().fold((0.0, 0.0_f32), |(total, best), &chance| (total + chance, best.max(chance)));
    let mean = f64::from(total) / count as f64;
    teller.tell(
        format_args!("{known} of {count} boards are among these; mean chance of all {mean:.6}, best {best:.6}"),
        json!({ "asked": count, "known": known, "mean": mean, "best": best }),
    )
}

/// A board as rows of tiles, walls as W.
fn text(board: u64) -> String {
    let cell = |cell: u32| match board >> (4 * cell) & 15 {
        0 => ".".to_owned(),
        WALL => "W".to_owned(),
        code => (1 << code).to_string(),
    };
    let row = |row: u32| (0..4).map(|col| format!("{:>5}", cell(4 * row + col))).collect::<String>();
    (0..4).map(row).collect::<Vec<_>>().join("\n")
}
