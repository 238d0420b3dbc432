//! `estr2048 pa4`: the program of PA4 (UCSD CSE 8B, Winter 2020).

use std::path::PathBuf;
use std::process::ExitCode;

use estr2048::Course;
use estr2048_screen::{self as screen, Begin, Files, Options, Start};

/// Play PA4 (UCSD CSE 8B, Winter 2020).
///
/// One command a line: w up, a left, s down, d right, o saves, q quits. Prints exactly what the course's program
/// prints, so that its transcripts can be compared.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 after q or the end of the game, 1 if the input ends before it or SAVEFILE is \
                        damaged.\n\nExample: printf 'd\\ns\\na\\nq\\n' | estr2048 pa4")]
pub struct Pa4 {
    /// The game to go on with, and the file that o saves it to. A file that does not exist starts a new game.
    /// [default: save.2048 for saving only]
    #[arg(value_name = "SAVEFILE")]
    files: Vec<PathBuf>,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

pub fn run(arguments: &Pa4) -> anyhow::Result<ExitCode> {
    if screen::wanted(arguments.screen) && arguments.files.len() <= 1 {
        let start = Start::usual(Course::Pa4);
        let begin = match arguments.files.first() {
            Some(file) => Begin::File(file.clone(), start),
            None => Begin::Game(start),
        };
        return screen::show(begin, Files::default(), &Options::default());
    }
    estr2048_play::pa4::run(&arguments.files)
}
