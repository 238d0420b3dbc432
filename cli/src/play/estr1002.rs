//! `estr2048 estr1002`: the assignment's game, byte for byte as `./game` plays it.

use std::process::ExitCode;

use estr2048::Course;
use estr2048_screen::{self as screen, Begin, Files, Options};

use super::wrong_use::wrong_use;
use crate::tinymt::Tinymt;

/// Play the game of ESTR1002.
///
/// Reads the random seed (0 to 4294967295) from standard input, then the moves: U up, D down, L left, R right.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 the game or the input ended, 1 the output could not be written, 2 bad option or seed, \
                        3 the seed's random numbers never reach an empty cell.\n\nExample: estr2048 estr1002 < moves.txt"
)]
pub struct Estr1002 {
    /// Parameters of TinyMT32
    #[arg(long, value_enum, default_value = "zero")]
    tinymt: Tinymt,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

pub fn run(arguments: &Estr1002) -> anyhow::Result<ExitCode> {
    if screen::wanted(arguments.screen) {
        if arguments.tinymt != Tinymt::Zero {
            wrong_use("--screen plays with the assignment's own parameters, zero");
        }
        return screen::show(Begin::Resume(Course::Estr1002), Files::default(), &Options::default());
    }
    estr2048_play::estr1002::run(arguments.tinymt.parameters())
}
