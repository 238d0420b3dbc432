//! The command line of the boards to which the best play by what `lab endgame` solved comes.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{files as user_files, interrupt, numbers, output};
use estr2048_training::{starts, tablebase};
use serde_json::json;

use crate::arguments::Teller;
use crate::endgame::best_play::{Found, Rules, find};
use crate::endgame::files;
use crate::grid::{DIRECTIONS, Grid};

/// The best play through a fill, or to the end of the game, from given boards, by what `lab endgame` solved, for `estr2048 pack
/// --tablebase`: all boards to which it comes, whatever cells are drawn, with their moves, their largest tiles alike.
#[derive(Debug, Args)]
pub struct EndgamePlay {
    /// Folder of the solved boards (`lab endgame --out`)
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// File of boards, 16 numbers a line: those are taken that the folder knows
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,
    /// Leave out boards to which less than this share of the games comes, where a game from one of the given boards counts 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = numbers::not_negative::<f64>)]
    least: f64,
    /// Give away so much of the chance with a move at most, where it comes to a board to which others come as well
    #[arg(long, value_name = "CHANCE", default_value_t = 0.002, value_parser = numbers::share::<f32>)]
    spare: f32,
    /// File for the boards and their moves
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &EndgamePlay, teller: Teller) -> Result<ExitCode> {
    let EndgamePlay { folder, boards, least, spare, out, quiet } = arguments;
    user_files::check_outputs([out])?;
    let most = files::solved(folder)?;
    let read = starts::read(boards, &(0..=131_070))?;
    let grid = Grid::new(4, 4, &DIRECTIONS)?;
    interrupt::catch()?;
    let bar = Progress::new(u64::from(most), "sums", *quiet);
    let rules = Rules { least: *least, spare: *spare };
    let found = find(&grid, folder, &read, rules, |left| {
        bar.at((most - left).into(), "");
        !interrupt::asked()
    })?;
    bar.finish();
    let Some(Found { entries, starts, won, lost, left_out }) = found else {
        output::tell("stopped: nothing is written");
        return Ok(ExitCode::from(interrupt::STATUS));
    };
    tablebase::write(out, &entries)?;
    teller.tell(
        format_args!(
            "{} boards in {}, to which the best play from {starts} boards comes\n\
             it comes to the goal in {won:.4} of the games, has no chance left in {lost:.4}, and comes to boards that are left \
             out in {left_out:.4}",
            entries.len(),
            out.display()
        ),
        json!({ "boards": entries.len(), "from": starts, "made": won, "lost": lost, "left_out": left_out }),
    )?;
    Ok(ExitCode::SUCCESS)
}
