//! The command line of games by the tables of `lab walls`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{files, interrupt, numbers, output, position};
use estr2048_training::{lessons, starts};
use rayon::prelude::*;
use serde_json::json;

use crate::arguments::Teller;
use crate::grid::{DIRECTIONS, Grid};
use crate::walls::family::{Family, Goal};
use crate::walls::files::Folder;
use crate::walls::guide::Guide;
use crate::walls::play::{Game, Rules};

/// Games by the tables of `lab walls` as positions for `estr2048 train --starts`: every board that is moved until the
/// smallest of the walls is made a second time or the tables give the game no chance. Where the tables are of those before
/// others, the games go on by the others.
#[derive(Debug, Args)]
pub struct WallStarts {
    /// Folder of the tables (`lab walls --out`)
    #[arg(value_name = "FOLDER")]
    tables: PathBuf,
    /// File of boards, 16 numbers a line: those are taken on which every wall from 256 to 32768 lies once (with eight
    /// walls; from 512 with seven, and no 256), and whose other tiles sum to less than the tile to be made, but to no less
    /// than the tables reach down to
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,
    /// The tables behind these ones, if they were solved so (`lab walls --behind`)
    #[arg(long, value_name = "FOLDER")]
    behind: Option<PathBuf>,
    /// File for the boards to be moved, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File for all afterstates of the boards to be moved, 16 numbers and their chance by the tables a line: what `estr2048
    /// train --lessons` learns from
    #[arg(long, value_name = "FILE")]
    lessons: Option<PathBuf>,
    /// Share of the moves that are drawn, among those with a chance, in place of the best: so the lessons know boards
    /// beside the best way
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = numbers::share::<f64>)]
    stray: f64,
    /// Leave a game after N moves: with 1 and --lessons, the boards are labelled as they are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    moves: Option<u64>,
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
    let WallStarts { boards, out, lessons, stray, moves, games, seed, quiet, .. } = arguments;
    let folder = Folder::open(&arguments.tables)?;
    let behind = folder.behind(arguments.behind.as_deref())?;
    let family = folder.family;
    let has_halves = matches!(family.goal, Goal::Half(_) | Goal::Halves(_));
    ensure!(!has_halves, "{}: games by tables of halves are not played", arguments.tables.display());
    files::check_outputs([out].into_iter().chain(lessons))?;
    let lowest = folder.lowest()?;
    let sums = family.walls_sum() + lowest..=family.walls_sum() + family.due() - 2;
    let mut boards = starts::read(boards, &sums)?;
    boards.retain(|&board| family.walled(board).is_some());
    ensure!(
        !boards.is_empty(),
        "{} holds no board with {}, no 65536, and {lowest} to {} points of other tiles",
        arguments.boards.display(),
        family.tiles(),
        family.due() - 2
    );
    interrupt::catch()?;
    let starts = (0..*games).zip(boards.iter().cycle());
    let rules = Rules { stray: *stray, most_moves: moves.unwrap_or(u64::MAX), lessons: lessons.is_some() };
    let mut played: Vec<Game> =
        starts.map(|(number, &board)| Game::new(board, seed.wrapping_add(number), rules)).collect();
    let first = played.iter().map(|game| game.sum(family)).min().unwrap_or(family.most());
    let sums = |family: Family, first: u32| u64::from((family.most() - first) / 2 + 1);
    let before = sums(family, first);
    let bar = Progress::new(before + behind.map_or(0, |behind| sums(behind.family, 0)), "sums", *quiet);
    let mut whole = play(folder, behind, &mut played, &bar)?;
    if let Some(behind) = behind.filter(|_| whole) {
        bar.at(before, "");
        played.iter_mut().for_each(|game| game.go_on(behind.family));
        whole = play(behind, None, &mut played, &bar)?;
    }
    bar.finish();
    if !whole {
        output::tell("stopped: nothing is written");
        return Ok(ExitCode::from(interrupt::STATUS));
    }
    let moved = played.iter().flat_map(|game| &game.boards);
    let lines: String = moved.map(|board| position::line(&board.to_board())).collect();
    files::write(out, &lines)?;
    if let Some(path) = lessons {
        lessons::write(path, played.iter().flat_map(|game| &game.lessons))?;
    }
    let (count, made) = (played.len(), played.iter().filter(|game| game.made == Some(true)).count());
    let promised = played.iter().map(|game| game.promised).sum::<f64>() / count as f64;
    let share = made as f64 / count as f64;
    let (low, high) = rate_ci95(made, count);
    let (from, written) = (boards.len(), lines.lines().count());
    let tile = behind.unwrap_or(folder).family.due();
    // The share of those that made it before they were left says nothing.
    let to_the_end = moves.is_none();
    let ends = match moves {
        Some(moves) => format!("left after {moves} moves"),
        None => format!("{made} made a second {tile}: {share:.3} (95 %: {low:.3} to {high:.3})"),
    };
    teller.tell(
        format_args!(
            "{count} games from {from} boards, {ends}, {promised:.3} by the tables\n{written} boards in {}",
            out.display()
        ),
        json!({ "games": count, "from": from, "tile": tile, "moves": moves, "made": to_the_end.then_some(made),
            "share": to_the_end.then_some(share), "ci95": to_the_end.then_some([low, high]), "promised": promised,
            "boards": written }),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Plays all games by these tables, sum after sum, so that few layers have to be at hand. Whether it was done: not if
/// the work was asked to stop.
fn play(folder: Folder, behind: Option<Folder>, played: &mut [Game], bar: &Progress) -> Result<bool> {
    let family = folder.family;
    let behind = behind.map(|behind| behind.table_behind(family)).transpose()?;
    let mut guide = Guide { grid: Grid::new(4, 4, &DIRECTIONS)?, table: folder.table()?, behind: behind.as_ref() };
    let open = played.iter().filter(|game| game.is_open());
    let Some(first) = open.map(|game| game.sum(family)).min() else { return Ok(true) };
    for sum in (first..=family.most()).step_by(2) {
        if interrupt::asked() {
            return Ok(false);
        }
        let is_next = |game: &Game| game.is_open() && game.sum(family) == sum;
        if played.iter().any(is_next) {
            guide.table.forget();
            if sum < family.most() {
                let layer = folder.load(sum + 2, guide.table.size(sum + 2))?;
                guide.table.keep(sum + 2, layer);
            }
            played.par_iter_mut().filter(|game| is_next(game)).for_each(|game| game.play(&guide));
        }
        bar.at(bar.done() + 1, "");
    }
    Ok(true)
}
