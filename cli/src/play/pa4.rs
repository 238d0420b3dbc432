//! `estr2048 pa4`: the program of PA4 (UCSD CSE 8B, Winter 2020).

use std::path::PathBuf;
use std::process::ExitCode;

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
}

pub fn run(arguments: &Pa4) -> anyhow::Result<ExitCode> {
    estr2048_play::pa4::run(&arguments.files)
}
