//! `estr2048 psa3`: the program of PSA3 (UCSD CSE 8B, Winter 2018), with its extra credit: records and replays.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use estr2048::courses::{MAX_SIDE, psa3};
use estr2048::{Course, atomic_file};
use estr2048_play::psa3::Session;
use estr2048_screen::{self as screen, Begin, Files, Options, Start};

use super::seed::Seed;
use super::wrong_use::wrong_use;

/// Play PSA3 (UCSD CSE 8B, Winter 2018).
///
/// Commands, with blanks or newlines between them: w up, s down, a left, d right, q quits. The board is saved on q, at
/// the end of the game, at the end of the input, and on Ctrl-C, SIGTERM and SIGHUP. On a terminal z takes back a
/// move, and any key shows the rest of a replay at once.
#[derive(clap::Args)]
#[command(
    args_override_self = true,
    after_help = "Exit status: 0 the game or the input ended, 1 a file or the output failed, 2 bad option, 130 stopped by \
    Ctrl-C, SIGTERM or SIGHUP, the board being saved.\n\nExamples:\n  estr2048 psa3 -s 5 -o mine.board\n  estr2048 psa3 -i \
    mine.board -o mine.board\n  estr2048 psa3 --record game.log\n  estr2048 psa3 --replay game.log --delay 0.1"
)]
pub struct Psa3 {
    /// Go on with the board of this file
    #[arg(short, value_name = "FILE", allow_hyphen_values = true)]
    input: Option<PathBuf>,
    /// Save the board to this file [default: 2048.board]
    #[arg(short, value_name = "FILE", allow_hyphen_values = true)]
    output: Option<PathBuf>,
    /// The side of a new board, up to 128; 4 if it is below 2; without meaning if -i gives a board [default: 4]
    #[arg(short, value_name = "N", allow_hyphen_values = true)]
    size: Option<String>,
    /// Write every command to this file as it is typed, instead of saving a board (so not with -i or -o)
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    record: Option<PathBuf>,
    /// Show the game of a record, then go on with it and with the record; all other options but --delay mean nothing
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    replay: Option<PathBuf>,
    /// The seed of java.util.Random, or "random" for another one every time; a record of a game with another seed than the course's carries it
    #[arg(long, value_name = "N|random", default_value_t = psa3::SEED.to_string(), allow_hyphen_values = true)]
    seed: String,
    /// Seconds between the moves of a replay
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    delay: Duration,
    /// On the whole screen, as estr2048 play does, if there is a terminal
    #[arg(long)]
    screen: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|&delay| delay <= Duration::from_secs(3600)).ok_or("not a number from 0 to 3600".into())
}

pub fn run(arguments: &Psa3) -> anyhow::Result<ExitCode> {
    if screen::wanted(arguments.screen) {
        return arguments.show();
    }
    estr2048_play::psa3::run(&arguments.session())
}

impl Psa3 {
    fn show(&self) -> anyhow::Result<ExitCode> {
        let usual = Options::default();
        if let Some(file) = &self.replay {
            return screen::show(Begin::Replay(file.clone()), Files::default(), &usual);
        }
        if self.record.is_some() {
            wrong_use(
                "--record writes commands as they are typed; on the screen o saves a record to a file named .log",
            );
        }
        let (side, file) = (self.size(), self.output.clone());
        if let Some(file) = &file {
            atomic_file::check(file).with_context(|| format!("cannot save to {}", file.display()))?;
        }
        let start = Start { rows: side, cols: side, ..Start::new(Course::Psa3, self.seed()) };
        let begin = match &self.input {
            Some(input) => {
                File::open(input).with_context(|| format!("cannot open {}", input.display()))?;
                Begin::File(input.clone(), start)
            }
            None => Begin::Game(start),
        };
        screen::show(begin, Files { save_at_end: file.is_some(), file }, &usual)
    }

    fn session(&self) -> Session {
        if let Some(file) = &self.replay {
            return Session::Replay { file: file.clone(), delay: self.delay };
        }
        let (seed, size) = (self.seed(), self.size());
        let Some(file) = &self.record else {
            let output = self.output.clone().unwrap_or_else(|| psa3::DEFAULT_FILE.into());
            return Session::Board { input: self.input.clone(), output, size, seed };
        };
        if self.output.is_some() || self.input.is_some() {
            wrong_use("--record cannot be used with -o or -i: the record itself is what is saved, from its own start");
        }
        Session::Record { file: file.clone(), size, seed }
    }

    /// What has no meaning is not looked at: the size beside -i, and both numbers beside --replay.
    fn size(&self) -> usize {
        let Some(text) = self.size.as_ref().filter(|_| self.input.is_none()) else {
            return psa3::DEFAULT_SIZE;
        };
        match text.parse::<i64>().map(usize::try_from) {
            Ok(Ok(size)) if size > MAX_SIDE => wrong_use(&format!("-s must not be above {MAX_SIDE}: {size}")),
            Ok(Ok(size)) if size >= psa3::MIN_SIZE => size,
            Ok(_) => psa3::DEFAULT_SIZE,
            Err(_) => wrong_use(&format!("-s must be a whole number: {text}")),
        }
    }

    fn seed(&self) -> i64 {
        match self.seed.parse() {
            Ok(Seed(seed)) => seed,
            Err(_) => wrong_use(&format!("--seed must be a 64-bit whole number or random: {}", self.seed)),
        }
    }
}
