//! The command line of the last points before the fill, the largest tiles alike.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{ensure_use, files, interrupt};
use serde_json::{Map, Value, json};

use crate::arguments::{Teller, parse_points};
use crate::walls::family::Family;
use crate::walls::files::{Folder, MOST_SLACK, WALLS};
use crate::walls::solve::{STEP, Solver, stored};
use crate::walls::summary::{OVER, Summary, parse_picture, picture};
use crate::walls::table::Table;

/// The last points before the fill of 65536 on 4×4, its largest tiles taken to be alike: with eight, 256 points and the
/// chance that a second 256 is made.
#[derive(Debug, Args)]
pub struct Walls {
    /// Folder for the tables, a file for each sum: 14 GB with eight walls, 89 with seven. Where all of them are there
    /// the last is told and nothing is solved, whatever is behind; else all are solved anew. Without a folder they are only
    /// told
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many points before the fill to go [default: all, 256 with eight walls]
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    down_to: Option<u32>,
    /// How many of the largest tiles are alike: with 9 the fill is the last 128 points and a second 128 is to be made,
    /// and so on. With 7 name the tables of eight (--behind); it takes 6 GB of memory
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(i64::from(*WALLS.start())..=i64::from(*WALLS.end())))]
    walls: u32,
    /// Folder of the tables with one wall more (`lab walls --out`): only the points before these are solved, and what
    /// they say is what a board is worth once the next wall is made
    #[arg(long, value_name = "FOLDER")]
    behind: Option<PathBuf>,
    /// The tables go so many points beyond the sum at which the tile is due, and what comes later counts as lost
    #[arg(long, value_name = "POINTS", default_value_t = 48, value_parser = parse_slack)]
    slack: u32,
    /// Tell of this layout too: four rows of W and . like WWWW/WWW./..../....
    #[arg(long, value_name = "ROWS", value_parser = parse_picture)]
    layout: Option<u16>,
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
    let Walls { walls, slack, quiet, behind, .. } = arguments;
    let family = Family { walls: *walls, slack: *slack, goes_on: behind.is_some() };
    ensure_use!(family.is_possible() || family.goes_on, "with 7 walls --behind has to name the tables of 8");
    ensure_use!(family.is_possible(), "with {walls} walls there are no tables for --behind");
    let (fill, down_to) = (family.points(), arguments.down_to.unwrap_or(family.points()));
    let nearest = fill - family.due();
    ensure_use!(
        (nearest..=fill).contains(&down_to),
        "with {walls} walls there are {nearest} to {fill} points before the fill, not {down_to}"
    );
    let lowest = fill - down_to;
    let table = Table::new(family);
    let asked = arguments.layout.map(|walls| table.layouts.of(walls));
    ensure_use!(asked != Some(None), "--layout has to have {walls} walls");
    let folder = arguments.out.as_deref().map(|path| folder_for(path, family, lowest)).transpose()?;
    let behind = behind.as_deref().map(|path| folder_behind(path, family)).transpose()?;
    interrupt::catch()?;
    teller.head(format_args!(
        "{:>6} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "points", "afterstates", "best", "layout", "layouts", "over .4", "over .5", "over .7", "over .9", "seconds"
    ))?;
    let total = u64::from((family.most() - lowest) / 2 + 1);
    let bar = Progress::new(total, "sums", *quiet);
    let examples = arguments.examples;
    let run = Run { table: &table, lowest, asked: asked.flatten(), examples, teller, start: Instant::now(), bar };
    match folder {
        Some(folder) if folder.holds(lowest) => {
            let chances = folder.load(lowest, table.size(lowest))?;
            let chances: Vec<u16> = chances.into_iter().map(|chance| u16::from(chance) * STEP).collect();
            run.bar.at(total, "");
            run.tell(lowest, &chances)?;
        }
        _ => {
            let behind = behind.map(|behind| behind.table_behind(family)).transpose()?;
            let solver = Solver::new(arguments.threads.map_or(0, usize::from))?;
            solver.solve(&table, behind.as_ref(), lowest, |sum, chances| {
                if let Some(folder) = folder {
                    let bytes: Vec<u8> = chances.iter().copied().map(stored).collect();
                    folder.save(sum, &bytes)?;
                }
                run.bar.at(run.bar.done() + 1, "");
                run.tell(sum, chances)
            })?;
        }
    }
    let done = run.bar.done();
    run.bar.finish();
    Ok(interrupt::status_with(done, total, "sums", "the same command begins anew"))
}

/// The folder of the tables with one wall more.
fn folder_behind(path: &Path, family: Family) -> Result<Folder<'_>> {
    let folder = Folder::open(path)?;
    folder.check()?;
    ensure!(
        family.leads_to(folder.family),
        "{} has to hold tables of {} walls, made without --behind",
        path.display(),
        family.walls + 1
    );
    folder.check_whole()?;
    Ok(folder)
}

/// The folder to keep tables in.
fn folder_for(path: &Path, family: Family, lowest: u32) -> Result<Folder<'_>> {
    std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    let folder = Folder { path, family };
    folder.check()?;
    files::check_writable(&folder.file(lowest))?;
    Ok(folder)
}

/// What is solved, and how it is told.
struct Run<'a> {
    table: &'a Table,
    /// The sum of all tiles but the walls to go down to.
    lowest: u32,
    /// The layout to tell of.
    asked: Option<usize>,
    examples: usize,
    teller: Teller,
    start: Instant,
    bar: Progress,
}

impl Run<'_> {
    /// Prints what a layer comes to, and of the last one the best layouts.
    fn tell(&self, sum: u32, chances: &[u16]) -> Result<()> {
        let points = i64::from(sum) - i64::from(self.table.family.points());
        let (layouts, summary) = (self.table.layouts.count(), Summary::new(chances, self.table.layouts.count()));
        let (size, best, over) = (chances.len(), summary.best(), summary.over());
        let asked = self.asked.map(|layout| summary.of(layout));
        let layout = asked.map_or_else(|| "-".to_owned(), |chance| format!("{chance:.4}"));
        let seconds = self.start.elapsed().as_secs_f64();
        let [fours, fives, sevens, nines] = over;
        let counts: Map<String, Value> = OVER.iter().map(f64::to_string).zip(over.map(Value::from)).collect();
        self.bar.aside(|| {
            self.teller.tell(
                format_args!(
                    "{points:>6} {size:>12} {best:>8.4} {layout:>8} {layouts:>8} {fours:>8} {fives:>8} {sevens:>8} \
                     {nines:>8} {seconds:>8.1}"
                ),
                json!({ "points": points, "afterstates": size, "best": best, "layout": asked, "layouts": layouts,
                    "over": counts, "seconds": seconds }),
            )?;
            for (chance, layout) in summary.first(if sum == self.lowest { self.examples } else { 0 }) {
                let rows = picture(&self.table.layouts, layout);
                let object = json!({ "example": rows, "chance": chance });
                self.teller.tell(format_args!("\n{chance:.4}\n{rows}"), object)?;
            }
            Ok(())
        })
    }
}
