//! `estr2048 estr1002`: the assignment's game, byte for byte as `./game` plays it.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Context;
use estr2048::courses::estr1002::{Game, Look};
use estr2048::player::human;
use estr2048::stdio::{Stdout, read_byte};
use estr2048::{Board, Parameters, TinyMt32};

use crate::console;

const BAD_SEED: u8 = 2;
const NO_CELL: u8 = 3;

/// Plays the game with these parameters of TinyMT32.
// Input and output go through C's stdio, as in `./game`, because the library's human player uses it.
pub fn run(parameters: Parameters) -> anyhow::Result<ExitCode> {
    let played = play(parameters);
    Stdout.flush();
    console::finish(match Stdout.error() {
        None => played,
        Some(error) => Err(error).context("the output could not be written to standard output"),
    })
}

fn play(parameters: Parameters) -> anyhow::Result<ExitCode> {
    write!(Stdout, "Please enter the random seed: ")?;
    Stdout.flush();
    let seed = match read_seed() {
        Ok(seed) => seed,
        Err(problem) => {
            Stdout.flush();
            console::tell(format_args!("{problem}\nTry 'estr2048 estr1002 --help'."));
            return Ok(BAD_SEED.into());
        }
    };
    let mut game: Game = Game::new(TinyMt32::new(seed, parameters));
    while !game.is_over() {
        let Some(direction) = human::choose(game.board()) else {
            return finish(&game, "The input ended before the game did.", ExitCode::SUCCESS);
        };
        if game.play(direction).is_err() {
            write!(Stdout, "{}", Look(&Board::from(game.board())))?;
            return finish(&game, "The random numbers of this seed never reach an empty cell.", NO_CELL.into());
        }
    }
    write!(Stdout, "{}", Look(&Board::from(game.board())))?;
    finish(&game, "The game is over!", ExitCode::SUCCESS)
}

fn finish(game: &Game, reason: &str, status: ExitCode) -> anyhow::Result<ExitCode> {
    write!(Stdout, "Your score is {}.\n{reason}\n", game.score())?;
    Ok(status)
}

/// The seed as `./game` reads it: a word of at most 31 digits, then a blank or the end of the input.
fn read_seed() -> Result<u32, &'static str> {
    const LONGEST: usize = 31;
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
    let mut next = read_byte();
    // Windows' editor puts it at the start of a file.
    let mut mark = BYTE_ORDER_MARK;
    while let Some((first, rest)) = mark.split_first()
        && next.as_ref() == Some(first)
    {
        (next, mark) = (read_byte(), rest);
    }
    let broken = !mark.is_empty() && mark.len() < BYTE_ORDER_MARK.len();
    while !broken && next.as_ref().is_some_and(is_space) {
        next = read_byte();
    }
    if !broken && next.is_none() {
        return Err("no random seed: the input is empty");
    }
    let mut digits = String::new();
    while digits.len() < LONGEST
        && let Some(digit @ b'0'..=b'9') = next
    {
        digits.push(digit.into());
        next = read_byte();
    }
    let _ = writeln!(Stdout);
    let ended = next.as_ref().is_none_or(is_space);
    let seed = digits.parse().ok().filter(|_| ended && !broken);
    seed.ok_or("bad random seed: it must be a whole number from 0 to 4294967295")
}
