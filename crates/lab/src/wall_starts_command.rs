//! The command line of games by the tables of `lab walls`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{files, interrupt, output, position};
use estr2048_training::starts;
use rayon::prelude::*;
use serde_json::json;

use crate::arguments::Teller;
use crate::grid::{DIRECTIONS, Grid};
use crate::walls::files::Folder;
use crate::walls::play::Game;
use crate::walls::table::Table;

/// Games by the tables of `lab walls` as positions for `estr2048 train --starts`: every board that is moved until the
/// smallest of the walls is made a second time or the tables give the game no chance.
#[derive(Debug, Args)]
pub struct WallStarts {
    /// Folder of the tables (`lab walls --out`)
    #[arg(value_name = "FOLDER")]
    tables: PathBuf,
    /// File of boards, 16 numbers a line: those are taken on which every tile from 256 to 32768 lies once (with eight
    /// walls) and whose other tiles sum to less than 256, but to no less than the tables reach down to
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,
    /// File for the boards to be moved, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games, from one of the boards after the other
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &WallStarts, teller: Teller) -> Result<ExitCode> {
    let WallStarts { boards, out, games, seed, quiet, .. } = arguments;
    let folder = Folder::open(&arguments.tables)?;
    folder.check()?;
    files::check_writable(out)?;
    let family = folder.family;
    let parts = family.parts();
    let lowest = folder.lowest()?;
    let sums = family.walls_sum() + lowest..=family.walls_sum() + family.points() - 2;
    let mut boards = starts::read(boards, &sums)?;
    boards.retain(|&board| family.walled(board).is_some());
    ensure!(
        !boards.is_empty(),
        "{} holds no board with each tile from {} to 32768 once, no 65536, and {lowest} to {} points of other tiles",
        arguments.boards.display(),
        family.points(),
        family.points() - 2
    );
    interrupt::catch()?;
    let grid = Grid::new(4, 4, &DIRECTIONS)?;
    let mut tables: Vec<Table> = parts.iter().map(|part| Table::new(family, part.clone())).collect();
    let starts = (0..*games).zip(boards.iter().cycle());
    let mut played: Vec<Game> = starts.map(|(number, &board)| Game::new(board, seed.wrapping_add(number))).collect();
    let end = parts.iter().map(|part| part.end()).max().unwrap_or(0);
    let first = played.iter().map(|game| game.sum(family)).min().unwrap_or(end);
    let bar = Progress::new(u64::from((end - first) / 2) + 1, "sums", *quiet);
    for sum in (first..=end).step_by(2) {
        if interrupt::asked() {
            bar.finish();
            output::tell("stopped: nothing is written");
            return Ok(ExitCode::from(interrupt::STATUS));
        }
        let is_next = |game: &Game| game.made.is_none() && game.sum(family) == sum;
        if played.iter().any(is_next) {
            for (number, table) in tables.iter_mut().enumerate() {
                let ahead = sum + 2;
                table.forget();
                if (table.part.held..=table.part.end()).contains(&ahead) {
                    let layer = folder.load(number, ahead, table)?;
                    table.layers[(ahead - table.part.held) as usize / 2] = layer;
                }
            }
            played.par_iter_mut().filter(|game| is_next(game)).for_each(|game| game.play(family, &grid, &tables));
        }
        bar.at(u64::from((sum - first) / 2) + 1, "");
    }
    bar.finish();
    let moved = played.iter().flat_map(|game| &game.boards);
    let lines: String = moved.map(|board| position::line(&board.to_board())).collect();
    files::write(out, &lines)?;
    let (count, made) = (played.len(), played.iter().filter(|game| game.made == Some(true)).count());
    let promised = played.iter().map(|game| game.promised).sum::<f64>() / count as f64;
    let share = made as f64 / count as f64;
    let (low, high) = rate_ci95(made, count);
    let (from, tile, written) = (boards.len(), family.points(), lines.lines().count());
    teller.tell(
        format_args!(
            "{count} games from {from} boards, {made} made a second {tile}: {share:.3} (95 %: {low:.3} to {high:.3}), \
             {promised:.3} by the tables\n{written} boards in {}",
            out.display()
        ),
        json!({ "games": count, "from": from, "tile": tile, "made": made, "share": share, "ci95": [low, high],
            "promised": promised, "boards": written }),
    )?;
    Ok(ExitCode::SUCCESS)
}
