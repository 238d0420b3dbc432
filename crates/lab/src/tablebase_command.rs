//! The command line of the boards to which the best play by the tables of `lab walls` comes.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use estr2048::network;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{files, interrupt, numbers, output, position};
use estr2048_training::{starts, tablebase};
use serde_json::json;

use crate::arguments::Teller;
use crate::grid::{DIRECTIONS, Grid};
use crate::walls::best_play::{BestPlay, EXPECTED, Ends, Found, Rules};
use crate::walls::files::Folder;

/// The best play through the fill of 65536 from given boards, for `estr2048 pack --tablebase`: all boards to which it comes,
/// whatever cells are drawn, with their moves. The tables of `lab walls` say which moves are promising, a network what a board
/// is worth on which the second 256 is made.
#[derive(Debug, Args)]
pub struct Tablebase {
    /// Folder of the tables (`lab walls --out`)
    #[arg(value_name = "FOLDER")]
    tables: PathBuf,
    /// File of boards, 16 numbers a line: those are taken that the tables know, or those behind them
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,
    /// The tables behind these ones, if they were solved so (`lab walls --behind`), and those behind them, one by one
    #[arg(long, value_name = "FOLDER", num_args = 1..=3)]
    behind: Vec<PathBuf>,
    /// Network file for the boards on which the second 256 is made
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// What that network holds a good end for worth: that of a 65536 (`estr2048 train --worth-of-top`), or what it says of a
    /// board that has come through. With much more no end looks good enough, and boards that are not solved better
    #[arg(long, value_name = "MOVES", required_unless_present = "playouts", value_parser = numbers::positive::<f32>)]
    worth: Option<f32>,
    /// In place of the network's value, the share of N games by it without search from each of these boards that come 164
    /// points behind the fill: the play looks for the best of many ends, and so for those that a value overestimates
    #[arg(long, value_name = "N", conflicts_with = "worth", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    playouts: Option<u32>,
    /// The fill that is solved: 65536, or 98304, 114688 and so on, from boards that have come through those before it, and
    /// with what the network holds them for worth behind it
    #[arg(long, value_name = "SUM", default_value_t = 65536, value_parser = parse_fill)]
    fill: u32,
    /// Leave out boards to which less than this share of the games comes
    #[arg(long, value_name = "SHARE", default_value_t = 1e-6, value_parser = numbers::share::<f64>)]
    least: f64,
    /// Look for better play so many times, from what the time before has found
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// File for the boards and their moves
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File for the boards behind the second 256 to which promising moves come, 16 numbers a line: what `estr2048 train
    /// --starts` learns the end from, for --weights
    #[arg(long, value_name = "FILE")]
    ends: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

fn parse_fill(text: &str) -> Result<u32, String> {
    let is_fill =
        |sum: &u32| sum.is_multiple_of(2) && (65536..131_072).contains(sum) && (131_072 - sum).is_power_of_two();
    text.parse().ok().filter(is_fill).ok_or_else(|| "expected 65536, 98304, 114688 or a later fill".to_owned())
}

pub fn run(arguments: &Tablebase, teller: Teller) -> Result<ExitCode> {
    let Tablebase { tables, boards, behind, weights, worth, playouts, fill, least, rounds, out, ends, quiet } =
        arguments;
    let folder = Folder::open(tables)?;
    let (family, lowest) = (folder.family, folder.lowest()?);
    let mut folders = vec![folder];
    let mut paths = behind.iter().map(PathBuf::as_path);
    while let Some(next) = folders[folders.len() - 1].behind(paths.next())? {
        folders.push(next);
    }
    files::check_outputs([out].into_iter().chain(ends))?;
    let network = network::weights::load(weights)?;
    let read = starts::read(boards, &(fill - 65536 + family.walls_sum() + lowest..=fill - 2))?;
    let sums: u32 = folders.iter().map(|folder| folder.family.most() / 2 + 1).sum();
    let tile = folders[folders.len() - 1].family.due();
    let by_value = Ends::Value(worth.unwrap_or(1.0));
    let ends_by = playouts.map_or(by_value, Ends::Playouts);
    let fills = 16 - (131_072 - fill).ilog2();
    let rules = Rules { least: *least, rounds: *rounds, ends: ends_by, fills };
    let mut play = BestPlay::new(Grid::new(4, 4, &DIRECTIONS)?, folders, &network, &read, rules);
    let starts = play.starts();
    ensure!(
        starts > 0,
        "{} holds no board with {}, {}, and {lowest} to {} points of other tiles",
        boards.display(),
        family.tiles(),
        if fills == 0 { "no 65536" } else { "once its tiles from 65536 down to the largest missing one are halved" },
        family.due() - 2
    );
    interrupt::catch()?;
    let total = u64::from(sums) * u64::from(rounds + 1);
    let bar = Progress::new(total, "sums", *quiet);
    let found = play.find(|| bar.at((bar.done() + 1).min(total), ""))?;
    bar.finish();
    let Some(Found { entries, made, passed, lost, left_out }) = found else {
        output::tell("stopped: nothing is written");
        return Ok(ExitCode::from(interrupt::STATUS));
    };
    tablebase::write(out, &entries)?;
    if let Some(path) = ends {
        let lines: String = play.ends().map(|board| position::line(&board.to_board())).collect();
        files::write(path, &lines)?;
    }
    let (count, chance, best_end) = (entries.len(), play.chance(), play.best_end());
    if let Some(worth) = worth.filter(|_| best_end < EXPECTED) {
        output::tell(format_args!(
            "no end is worth more than {:.0} moves to the network, {best_end:.3} of --worth: boards that are not solved looked \
             better than all that are, so the play may be far from the best; give a --worth of about that, or a network that \
             knows these ends",
            best_end * f64::from(worth)
        ));
    }
    teller.tell(
        format_args!(
            "{count} boards in {}, to which the best play from {starts} boards comes\n\
             it makes a second {tile} in {made:.4} of the games and comes through in {passed:.4}, has no chance left in \
             {lost:.4}, and comes to boards that are left out in {left_out:.4}; by the boards that were solved, {chance:.4} come \
             through",
            out.display()
        ),
        json!({ "boards": count, "from": starts, "tile": tile, "made": made, "passed": passed, "lost": lost,
            "left_out": left_out, "chance": chance, "best_end": best_end }),
    )?;
    Ok(ExitCode::SUCCESS)
}
