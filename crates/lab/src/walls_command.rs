//! The command line of the last points before the fill, the largest tiles alike.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{ensure_use, files, interrupt};
use serde_json::{Map, Value, json};

use crate::arguments::{Teller, parse_points};
use crate::walls::family::{Family, Part};
use crate::walls::files::{Folder, MOST_SLACK, WALLS};
use crate::walls::solve::{STEP, Solver, stored};
use crate::walls::summary::{OVER, Summary, picture};
use crate::walls::table::Table;

/// The last 256 points before the fill of 65536 on 4×4, its eight largest tiles taken to be alike: the chance that a
/// second 256 is made. Bounds from below, in tables for each kind of board.
#[derive(Debug, Args)]
pub struct Walls {
    /// Folder for the tables, a file for each sum: 13 GB. Tables that are there already are not solved again
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// How many points before the fill to go [default: all, 256 with eight walls]
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    down_to: Option<u32>,
    /// How many of the largest tiles are alike: with 9 the fill is the last 128 points and a second 128 is to be made,
    /// and so on
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(i64::from(*WALLS.start())..=i64::from(*WALLS.end())))]
    walls: u32,
    /// A table goes so many points beyond the sum at which its next tile is due (16 more when none is but the last),
    /// and what comes later counts as lost
    #[arg(long, value_name = "POINTS", default_value_t = 24, value_parser = parse_slack)]
    slack: u32,
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

fn parse_slack(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(points) if points <= MOST_SLACK && points % 2 == 0 => Ok(points),
        _ => Err(format!("expected an even number of points from 0 to {MOST_SLACK}")),
    }
}

pub fn run(arguments: &Walls, teller: Teller) -> Result<ExitCode> {
    let Walls { walls, slack, quiet, out, .. } = arguments;
    let family = Family { walls: *walls, slack: *slack };
    let fill = family.points();
    let down_to = arguments.down_to.unwrap_or(fill);
    ensure_use!(down_to <= fill, "with {walls} walls there are {fill} points before the fill, not {down_to}");
    std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let folder = Folder { path: out, family };
    folder.check()?;
    files::check_writable(&folder.file(0, fill))?;
    interrupt::catch()?;
    teller.head(format_args!(
        "{:>11} {:>6} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "tiles", "points", "afterstates", "best", "layouts", "over .4", "over .5", "over .7", "over .9", "seconds"
    ))?;
    let lowest = fill - down_to;
    let parts: Vec<Part> = family.parts().into_iter().filter(|part| part.end() >= lowest).collect();
    let total = parts.iter().map(|part| u64::from((part.end() - part.held.max(lowest)) / 2 + 1)).sum();
    let bar = Progress::new(total, "sums", *quiet);
    let run = Run { folder, parts, lowest, examples: arguments.examples, teller, start: Instant::now(), bar };
    let solver = Solver::new(family, arguments.threads.map_or(0, usize::from))?;
    let mut tables = Vec::new();
    while tables.len() < run.parts.len() && run.add_table(&solver, &mut tables)? {}
    let done = run.bar.done();
    run.bar.finish();
    Ok(interrupt::status(done, total, "sums", true))
}

/// What is solved, and how it is told.
struct Run<'a> {
    folder: Folder<'a>,
    parts: Vec<Part>,
    /// The sum of all tiles but the walls to go down to.
    lowest: u32,
    examples: usize,
    teller: Teller,
    start: Instant,
    bar: Progress,
}

impl Run<'_> {
    /// Solves the next table, or takes it from the folder. Whether it was done: not if the work was asked to stop.
    fn add_table(&self, solver: &Solver, tables: &mut Vec<Table>) -> Result<bool> {
        let Self { folder, lowest, .. } = *self;
        let number = tables.len();
        let part = &self.parts[number];
        // No board of these parts and the later ones has more.
        let end = |from: usize| self.parts[from..].iter().map(Part::end).max();
        let is_needed = |sum: u32| Some(sum) <= end(number + 1);
        for table in tables.iter_mut().filter(|table| Some(table.part.held) > end(number)) {
            table.forget();
        }
        let mut table = Table::new(folder.family, part.clone());
        let mut layers = vec![Vec::new(); table.layers.len()];
        let last = lowest.saturating_sub(part.held);
        if folder.holds(number, lowest) {
            let sums = (last..=part.most).step_by(2);
            for small in sums.clone().filter(|small| is_needed(part.held + small)) {
                layers[small as usize / 2] = folder.load(number, part.held + small, &table)?;
            }
            if number + 1 == self.parts.len() {
                let chances = folder.load(number, part.held + last, &table)?;
                let chances: Vec<u16> = chances.into_iter().map(|chance| u16::from(chance) * STEP).collect();
                self.tell(&table, last, &chances)?;
            }
            self.bar.at(self.bar.done() + sums.count() as u64, "");
        } else {
            let whole = solver.solve(tables, &table, last, |small, chances| {
                let bytes: Vec<u8> = chances.iter().copied().map(stored).collect();
                folder.save(number, part.held + small, &bytes)?;
                if is_needed(part.held + small) {
                    layers[small as usize / 2] = bytes;
                }
                self.bar.at(self.bar.done() + 1, "");
                self.tell(&table, small, chances)
            })?;
            if !whole {
                return Ok(false);
            }
        }
        table.layers = layers;
        tables.push(table);
        Ok(true)
    }

    /// Prints what a layer comes to, and of the last one the best layouts.
    fn tell(&self, table: &Table, small: u32, chances: &[u16]) -> Result<()> {
        let sum = table.part.held + small;
        let points = i64::from(sum) - i64::from(self.folder.family.points());
        let (layouts, summary) = (table.layouts.count(), Summary::new(chances, table.layouts.count()));
        let (name, size, best, over) = (table.part.name(), chances.len(), summary.best(), summary.over());
        let seconds = self.start.elapsed().as_secs_f64();
        let [fours, fives, sevens, nines] = over;
        let counts: Map<String, Value> = OVER.iter().map(f64::to_string).zip(over.map(Value::from)).collect();
        let is_last = table.part == self.parts[self.parts.len() - 1] && sum == self.lowest.max(table.part.held);
        self.bar.aside(|| {
            self.teller.tell(
                format_args!(
                    "{name:>11} {points:>6} {size:>12} {best:>8.4} {layouts:>8} {fours:>8} {fives:>8} {sevens:>8} \
                     {nines:>8} {seconds:>8.1}"
                ),
                json!({ "tiles": name, "points": points, "afterstates": size, "best": best, "layouts": layouts,
                    "over": counts, "seconds": seconds }),
            )?;
            for (chance, layout) in summary.first(if is_last { self.examples } else { 0 }) {
                let rows = picture(&table.layouts, layout);
                let object = json!({ "example": rows, "chance": chance });
                self.teller.tell(format_args!("\n{chance:.4}\n{rows}"), object)?;
            }
            Ok(())
        })
    }
}
