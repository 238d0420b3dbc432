//! `estr2048 cs61b`: Project 0 of CS 61B (UC Berkeley) without its window.

use std::process::ExitCode;

use estr2048::Course;
use estr2048::courses::{MAX_SIDE, cs61b};
use estr2048_play::cs61b::Options;
use estr2048_screen::{self as screen, Begin, Files, Start};

use super::seed::Seed;
use super::wrong_use::wrong_use;

/// Play Project 0 of CS 61B (UC Berkeley).
///
/// One command a line: w or Up, a or Left, s or Down, d or Right; n or New Game starts again, q or Quit ends. On a
/// terminal the arrow keys move and z takes back a move, too. The board is printed as the skeleton's Model.toString prints it, at the start and after every command.
#[derive(clap::Args)]
#[command(after_help = "Example: printf 'Up\\nLeft\\nq\\n' | estr2048 cs61b --seed 5")]
pub struct Cs61b {
    /// The side of the board, from 1 to 128
    #[arg(long, default_value_t = cs61b::BOARD_SIZE)]
    size: usize,
    /// The seed of java.util.Random; "random" or 0 is another one every time
    #[arg(long, value_name = "N|random", default_value = "5", allow_hyphen_values = true)]
    seed: Seed,
    /// Tiles before the first move: 1 by the text of the assignment, 2 in the skeleton's window
    #[arg(long, default_value_t = cs61b::START_TILES as u16, value_name = "TILES", value_parser = clap::value_parser!(u16).range(1..))]
    start_tiles: u16,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

pub fn run(arguments: &Cs61b) -> anyhow::Result<ExitCode> {
    if !Course::Cs61b.allows(arguments.size, arguments.size) {
        wrong_use(&format!("--size must be from 1 to {MAX_SIDE}, not {}", arguments.size));
    }
    if screen::wanted(arguments.screen) {
        let (side, more_tiles) = (arguments.size, arguments.start_tiles - cs61b::START_TILES as u16);
        let start = Start { rows: side, cols: side, more_tiles, ..Start::new(Course::Cs61b, arguments.seed.0) };
        let begin = if arguments.seed.0 == 0 { Begin::Sized(Course::Cs61b, side) } else { Begin::Game(start) };
        return screen::show(begin, Files::default(), &screen::Options::default());
    }
    estr2048_play::cs61b::run(Options {
        size: arguments.size,
        seed: arguments.seed.0,
        start_tiles: arguments.start_tiles,
    })
}
