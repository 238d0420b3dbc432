//! The command line of the last points before the fill, the largest tiles alike.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use estr2048::Bitboard;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{ensure_use, files, interrupt};
use estr2048_training::{starts, tablebase};
use serde_json::{Map, Value, json};

use crate::arguments::{Teller, parse_points};
use crate::walls::family::{Family, Goal};
use crate::walls::files::{Folder, MOST_SLACK, WALLS, layouts_in};
use crate::walls::layouts::{Layouts, Set};
use crate::walls::solve::{Layer, STEP, SURE, Solver, stored};
use crate::walls::summary::{OVER, Summary, parse_picture, picture};
use crate::walls::table::Table;

/// The last points before the fill of 65536 on 4×4, its largest tiles taken to be alike: with eight, 256 points and the
/// chance that a second 256 is made.
#[derive(Debug, Args)]
pub struct Walls {
    /// Folder for the tables, a file for each sum: 1 GB with eight walls, 17 with seven. A run that was stopped goes on by
    /// the same command; where all of them are there the last is told and nothing is solved. Without a folder they are only
    /// told
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many points before the fill to go [default: all, 256 with eight walls]
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    down_to: Option<u32>,
    /// How many of the largest tiles are alike: with 9 the fill is the last 128 points and a second 128 is to be made,
    /// and so on. With 7 name the tables of eight (--behind); it takes 6 GB of memory. With 6 the next wall is made in two
    /// steps (--halves)
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(i64::from(*WALLS.start())..=i64::from(*WALLS.end())))]
    walls: u32,
    /// Folder of the tables with one wall more (`lab walls --out`): only the points before these are solved, and what
    /// they say is what a board is worth once the next wall is made. Upon tables of --halves with as many walls, what a
    /// board is worth once half of the next wall is made
    #[arg(long, value_name = "FOLDER")]
    behind: Option<PathBuf>,
    /// Half of the next wall lies there, in a place that is known (h), and the other one is to be made: with six walls a 256
    /// beside a 256. Halves that no move combines then count as lost. Name the layouts: there are too many with six walls
    #[arg(long, requires = "behind")]
    halves: bool,
    /// The tables go so many points beyond the sum at which the tile is due, and what comes later counts as lost
    #[arg(long, value_name = "POINTS", default_value_t = 48, value_parser = parse_slack)]
    slack: u32,
    /// Know only those layouts that boards of this tablebase have (`lab tablebase`, or a packed network with one); every other
    /// one counts as lost. Where a player always comes to the same few, this takes a tenth of the time and of the disk
    #[arg(long, value_name = "FILE")]
    layouts_of: Option<PathBuf>,
    /// Know only the layouts that this file names, one a line, like --layout; with --layouts-of those, too
    #[arg(long, value_name = "FILE")]
    layouts: Option<PathBuf>,
    /// With --layouts-of: only those that so many of its boards have
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    least: u64,
    /// Tell of this layout too: four rows of W and . like WWWW/WWW./..../.... (and an h with --halves)
    #[arg(long, value_name = "ROWS", value_parser = parse_picture)]
    layout: Option<Set>,
    /// Tell of these boards too, 16 numbers a line: for every sum how many there are on which each wall lies once and the tile
    /// to be made does not yet, and what they are worth in the mean when they are to be moved
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Show so many layouts of the last sum, the best ones
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Threads to solve with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// A table that is not whole can be gone on with from what was solved so long ago, whatever happens.
const KEEP_EVERY: Duration = Duration::from_secs(600);

/// A layer of more chances would take more memory than there is: all layouts of seven walls have 1.3 thousand million.
const MOST_CHANCES: usize = 1 << 32;

/// What the columns are called behind those for the points and the afterstates.
const COLUMNS: [&str; 10] =
    ["best", "layout", "layouts", "over .4", "over .5", "over .7", "over .9", "boards", "worth", "seconds"];

fn parse_slack(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(points) if points <= MOST_SLACK && points % 2 == 0 => Ok(points),
        _ => Err(format!("expected an even number of points from 0 to {MOST_SLACK}")),
    }
}

pub fn run(arguments: &Walls, teller: Teller) -> Result<ExitCode> {
    let Walls { walls, slack, quiet, behind, .. } = arguments;
    ensure_use!(*walls > 7 || behind.is_some(), "with {walls} walls --behind has to name the tables of {}", walls + 1);
    ensure_use!(*walls < 12 || behind.is_none(), "with {walls} walls there are no tables for --behind");
    let behind = behind.as_deref().map(Folder::open).transpose()?;
    let family = Family { walls: *walls, slack: *slack, goal: goal(behind.map(|behind| behind.family), arguments) };
    ensure_use!(family.is_possible(), "with 6 walls the next one is made in two steps: give --halves");
    if let Some(behind) = behind {
        check_behind(behind, family)?;
    }
    let (fill, down_to) = (family.points(), arguments.down_to.unwrap_or(family.points()));
    let nearest = fill - family.due();
    ensure_use!(
        (nearest..=fill).contains(&down_to),
        "with {walls} walls there are {nearest} to {fill} points before the fill, not {down_to}"
    );
    let lowest = fill - down_to;
    let has_all = arguments.layout.is_none_or(|asked| family.has_layout(asked));
    ensure_use!(has_all, "--layout has to have {}", family.layout());
    let named = arguments.layouts.as_deref().map(|path| named_layouts(path, family)).transpose()?;
    let of = arguments.layouts_of.as_deref().map(|path| layouts_of(path, family, arguments.least)).transpose()?;
    let sets =
        [named, of].into_iter().flatten().map(|some| some.sets().to_vec()).reduce(|one, other| [one, other].concat());
    let some = sets.map(|sets| Layouts::of_sets(family, sets));
    let are_named = some.is_some();
    let table = Table::of_layouts(family, some.unwrap_or_else(|| Layouts::new(family)));
    let largest = (lowest..=family.most()).step_by(2).map(|sum| table.size(sum)).max().unwrap_or(0);
    let (count, free) = (table.layouts.count(), family.free());
    ensure_use!(
        largest <= MOST_CHANCES,
        "{count} layouts have up to {largest} afterstates of a sum on {free} free cells, which is too much: name some (--layouts)"
    );
    let named = are_named.then_some(&table.layouts);
    let folder = arguments.out.as_deref().map(|path| folder_for(path, family, lowest, named)).transpose()?;
    let boards = arguments.boards.as_deref().map(|path| walled(path, family, lowest)).transpose()?.unwrap_or_default();
    let asked = arguments.layout.map(|asked| table.layouts.of(asked));
    ensure!(asked != Some(None), "--layout is none of the layouts that are to be known");
    interrupt::catch()?;
    let columns = COLUMNS.map(|name| format!("{name:>8}")).join(" ");
    teller.head(format_args!("{:>6} {:>12} {columns}", "points", "afterstates"))?;
    let total = u64::from((family.most() - lowest) / 2 + 1);
    let bar = Progress::new(total, "sums", *quiet);
    let examples = arguments.examples;
    let solved = folder.filter(|folder| folder.holds(lowest));
    let behind = behind.filter(|_| solved.is_none() || !boards.is_empty());
    let behind = behind.map(|behind| behind.table_behind(family)).transpose()?;
    let solver = Solver::new(arguments.threads.map_or(0, usize::from))?;
    let run =
        Run { table: &table, lowest, asked: asked.flatten(), boards, examples, teller, start: Instant::now(), bar };
    if let Some(folder) = solved {
        let chances = folder.load(lowest, table.size(lowest))?;
        let chances: Vec<u16> = chances.into_iter().map(|chance| u16::from(chance) * STEP).collect();
        let places = table.arrangements.places(lowest, false);
        run.bar.at(total, "");
        run.tell(solver.layer(&table, behind.as_ref(), lowest, &places, &chances))?;
    } else {
        let begun = folder.map(|folder| folder.left(&table)).transpose()?.flatten();
        let done = |sum: u32| u64::from((family.most() - sum) / 2 + 1);
        run.bar.at(begun.as_ref().map_or(0, |&(sum, _)| done(sum)), "");
        let mut kept = Instant::now();
        let last = solver.solve(&table, behind.as_ref(), begun, lowest, |layer| {
            if let Some(folder) = folder {
                let bytes: Vec<u8> = layer.chances.iter().copied().map(stored).collect();
                folder.save(layer.sum, &bytes)?;
                if kept.elapsed() > KEEP_EVERY {
                    folder.leave(layer.sum, layer.chances)?;
                    kept = Instant::now();
                }
            }
            run.bar.at(done(layer.sum), "");
            run.tell(layer)
        })?;
        match (folder, last) {
            (Some(folder), Some((0, _))) => folder.finish()?,
            (Some(folder), Some((sum, chances))) => folder.leave(sum, &chances)?,
            _ => (),
        }
    }
    let done = run.bar.done();
    run.bar.finish();
    Ok(interrupt::status(done, total, "sums", folder.is_some()))
}

/// What is to be made, with these tables behind.
fn goal(behind: Option<Family>, arguments: &Walls) -> Goal {
    match behind {
        None => Goal::Second,
        Some(behind) if arguments.halves => Goal::Halves(behind.slack),
        Some(behind) if behind.has_half() && behind.walls == arguments.walls => Goal::Half(behind.slack),
        Some(behind) => Goal::Wall(behind.slack),
    }
}

/// Complains about tables that cannot be behind these, or are not whole.
fn check_behind(behind: Folder, family: Family) -> Result<()> {
    behind.check()?;
    let (path, walls) = (behind.path.display(), family.walls);
    let made = if family.has_half() { "made without --halves" } else { "made without --behind" };
    ensure!(family.is_before(behind.family), "{path} has to hold tables of {} walls, {made}", walls + 1);
    behind.check_whole()
}

/// The layouts that a file names.
fn named_layouts(path: &Path, family: Family) -> Result<Layouts> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let layouts = layouts_in(&text, family);
    layouts.with_context(|| format!("{} has to name layouts of {}, one a line", path.display(), family.layout()))
}

/// The layouts that so many boards of a tablebase have.
fn layouts_of(path: &Path, family: Family, least: u64) -> Result<Layouts> {
    let all = Layouts::new(family);
    let mut counts = vec![0_u64; all.count()];
    for entry in tablebase::read(&[path.to_owned()])?.entries() {
        let set = family.walled(Bitboard::from_cells(entry.board).canonical()).map(|board| all.set_of(board));
        set.and_then(|set| all.of(set)).into_iter().for_each(|layout| counts[layout] += 1);
    }
    let chosen = all.sets().iter().zip(counts).filter(|&(_, count)| count >= least);
    let some = Layouts::of_sets(family, chosen.map(|(&set, _)| set));
    let path = path.display();
    ensure!(
        some.count() > 0,
        "no layout of {} walls has {least} boards of {path}: take a smaller --least",
        family.walls
    );
    Ok(some)
}

/// The folder to keep tables in: of some layouts, or of all.
fn folder_for<'a>(path: &'a Path, family: Family, lowest: u32, some: Option<&Layouts>) -> Result<Folder<'a>> {
    std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    let folder = Folder { path, family };
    folder.check()?;
    files::check_writable(&folder.file(lowest))?;
    folder.name_layouts(some)?;
    Ok(folder)
}

/// Boards by what their tiles but the walls sum to.
type Boards = BTreeMap<u32, Vec<u64>>;

/// The boards of a file on which the walls lie.
fn walled(path: &Path, family: Family, lowest: u32) -> Result<Boards> {
    let sums = family.walls_sum() + lowest..=family.walls_sum() + family.most();
    let mut boards = Boards::new();
    for board in starts::read(path, &sums)? {
        if let Some(walled) = family.walled(board) {
            boards.entry(board.sum() as u32 - family.walls_sum()).or_default().push(walled);
        }
    }
    ensure!(
        !boards.is_empty(),
        "{} holds no board with {}, no 65536, and {lowest} to {} points of other tiles, none of \
         them the tile to be made",
        path.display(),
        family.tiles(),
        family.most()
    );
    Ok(boards)
}

/// What is solved, and how it is told.
struct Run<'a> {
    table: &'a Table,
    /// The sum of all tiles but the walls to go down to.
    lowest: u32,
    /// The layout to tell of.
    asked: Option<usize>,
    /// The boards to tell of.
    boards: Boards,
    examples: usize,
    teller: Teller,
    start: Instant,
    bar: Progress,
}

impl Run<'_> {
    /// Prints what a layer comes to, and of the last one the best layouts.
    fn tell(&self, layer: Layer) -> Result<()> {
        let Layer { sum, chances, .. } = layer;
        let points = i64::from(sum) - i64::from(self.table.family.points());
        let (layouts, summary) = (self.table.layouts.count(), Summary::new(chances, self.table.layouts.count()));
        let (size, best, over) = (chances.len(), summary.best(), summary.over());
        let asked = self.asked.map(|layout| summary.of(layout));
        let layout = asked.map_or_else(|| "-".to_owned(), |chance| format!("{chance:.4}"));
        let boards = self.boards.get(&sum).map_or(&[][..], Vec::as_slice);
        let total: f64 = boards.iter().map(|&board| f64::from(layer.best_move(board))).sum();
        let worth = (!boards.is_empty()).then(|| total / boards.len() as f64 / f64::from(SURE));
        let (count, mean) = (boards.len(), worth.map_or_else(|| "-".to_owned(), |worth| format!("{worth:.4}")));
        let seconds = self.start.elapsed().as_secs_f64();
        let [fours, fives, sevens, nines] = over;
        let counts: Map<String, Value> = OVER.iter().map(f64::to_string).zip(over.map(Value::from)).collect();
        self.bar.aside(|| {
            self.teller.tell(
                format_args!(
                    "{points:>6} {size:>12} {best:>8.4} {layout:>8} {layouts:>8} {fours:>8} {fives:>8} {sevens:>8} \
                     {nines:>8} {count:>8} {mean:>8} {seconds:>8.1}"
                ),
                json!({ "points": points, "afterstates": size, "best": best, "layout": asked, "layouts": layouts,
                    "over": counts, "boards": count, "worth": worth, "seconds": seconds }),
            )?;
            for (chance, layout) in summary.first(if sum == self.lowest { self.examples } else { 0 }) {
                let rows = picture(self.table.layouts.sets()[layout], "\n");
                let object = json!({ "example": rows, "chance": chance });
                self.teller.tell(format_args!("\n{chance:.4}\n{rows}"), object)?;
            }
            Ok(())
        })
    }
}
