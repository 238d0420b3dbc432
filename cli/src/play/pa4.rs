//! `estr2048 pa4`: the program of PA4 (UCSD CSE 8B, Winter 2020).

use std::path::PathBuf;
use std::process::ExitCode;

use estr2048::Course;
use estr2048::courses::{MAX_SIDE, pa4};
use estr2048_screen::{self as screen, Begin, Files, Options, Start};

use super::seed::Seed;
use super::wrong_use::wrong_use;

/// Play PA4 (UCSD CSE 8B, Winter 2020).
///
/// One command a line: w up, a left, s down, d right, o saves, q quits. Prints exactly what the course's program
/// prints, so that its transcripts can be compared; on a terminal z takes back a move, too.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 after q or the end of the game, 1 if the input ends before it or SAVEFILE is \
                        damaged.\n\nExample: printf 'd\\ns\\na\\nq\\n' | estr2048 pa4\n         estr2048 pa4 --seed random --size 5 --two-prob 90")]
pub struct Pa4 {
    /// The game to go on with, and the file that o saves it to. A file that does not exist starts a new game.
    /// [default: save.2048 for saving only]
    #[arg(value_name = "SAVEFILE")]
    files: Vec<PathBuf>,
    /// RANDOM_SEED of the course's Config: the seed of java.util.Random, or "random" for another one every time
    #[arg(long, value_name = "N|random", default_value = "118", allow_hyphen_values = true)]
    seed: Seed,
    /// DEFAULT_SIZE of the course's Config: the side of a new board, from 1 to 128
    #[arg(long, value_name = "N", default_value_t = pa4::DEFAULT_SIZE)]
    size: usize,
    /// TWO_PROB of the course's Config: how many new tiles in 100 are a 2, the others being a 4
    #[arg(long, value_name = "PERCENT", default_value_t = pa4::TWO_PROB, value_parser = clap::value_parser!(i32).range(0..=100))]
    two_prob: i32,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

pub fn run(arguments: &Pa4) -> anyhow::Result<ExitCode> {
    let Pa4 { seed: Seed(seed), size, two_prob, .. } = *arguments;
    if !Course::Pa4.allows(size, size) {
        wrong_use(&format!("--size must be from 1 to {MAX_SIDE}, not {size}"));
    }
    if screen::wanted(arguments.screen) && arguments.files.len() <= 1 {
        if two_prob != pa4::TWO_PROB {
            wrong_use("--screen plays with the course's own --two-prob");
        }
        let start = Start { rows: size, cols: size, ..Start::new(Course::Pa4, seed) };
        let begin = match arguments.files.first() {
            Some(file) => Begin::File(file.clone(), start),
            None => Begin::Game(start),
        };
        return screen::show(begin, Files::default(), &Options::default());
    }
    let config = pa4::Config { random_seed: seed, two_prob, default_size: size, ..pa4::Config::default() };
    estr2048_play::pa4::run(&arguments.files, &config)
}
