//! `estr2048 comp1020`: the console game of COMP 1020 (University of Manitoba), with undo.

use std::process::ExitCode;

use estr2048::Course;
use estr2048::courses::{MAX_SIDE, comp1020};
use estr2048_screen::{self as screen, Begin, Files, Options, Start};

use super::seed::Seed;
use super::wrong_use::wrong_use;

/// Play the console game of COMP 1020 (University of Manitoba), Assignment 2.
///
/// One move a line: i or w up, j or a left, k or s down, l or d right. z takes back a move, as often as there are
/// moves. As in the course's program only the first letter counts, in either case, and an unknown letter is tried as
/// the direction typed before it at this turn, or as up.
/// On a terminal q quits, the arrow keys move, and the last move can be taken back, too.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 at the end of the game, 1 if the input ends before it.\n\n\
                        Example: printf 'i\\nj\\nz\\n' | estr2048 comp1020 5 --seed 7")]
pub struct Comp1020 {
    /// The side of the board, from 1 to 128
    #[arg(default_value_t = comp1020::GAME_SIZE)]
    size: usize,
    /// The seed of java.util.Random, or "random" [default: random]
    #[arg(long, value_name = "N|random", allow_hyphen_values = true)]
    seed: Option<Seed>,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

pub fn run(arguments: &Comp1020) -> anyhow::Result<ExitCode> {
    if !Course::Comp1020.allows(arguments.size, arguments.size) {
        wrong_use(&format!("SIZE must be from 1 to {MAX_SIDE}, not {}", arguments.size));
    }
    if screen::wanted(arguments.screen) {
        let side = arguments.size;
        let begin = match arguments.seed {
            Some(Seed(seed)) => Begin::Game(Start { rows: side, cols: side, ..Start::new(Course::Comp1020, seed) }),
            None => Begin::Sized(Course::Comp1020, side),
        };
        return screen::show(begin, Files::default(), &Options::default());
    }
    estr2048_play::comp1020::run(arguments.size, arguments.seed.map(|Seed(seed)| seed))
}
