//! `estr2048 estr1002`: the assignment's game, byte for byte as `./game` plays it.

use std::fmt::Write;
use std::process::ExitCode;

use clap::ValueEnum;
use estr2048::courses::estr1002::{GameBoard, Look, new_cell};
use estr2048::player::human;
use estr2048::stdio::{Stdout, read_byte};
use estr2048::{Board, Parameters, TinyMt32};

/// Play the game of ESTR1002.
///
/// Reads the random seed (0 to 4294967295) from standard input, then the moves: U up, D down, L left, R right.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 the game or the input ended, 2 bad option or seed, 3 the seed's random numbers \
                        never reach an empty cell.\n\nExample: estr2048 estr1002 < moves.txt"
)]
pub struct Estr1002 {
    /// The generator's parameters: all 0, as in the assignment, or those that TinyMT's authors publish
    #[arg(long, value_enum, default_value = "zero")]
    tinymt: TinyMt,
}

#[derive(Clone, Copy, ValueEnum)]
enum TinyMt {
    Zero,
    Official,
}

const BAD_SEED: u8 = 2;
const NO_CELL: u8 = 3;

// Input and output go through C's stdio, as in `./game`, because the library's human player uses it.
pub fn run(arguments: &Estr1002) -> anyhow::Result<ExitCode> {
    let played = play(arguments);
    Stdout.flush();
    played
}

fn play(arguments: &Estr1002) -> anyhow::Result<ExitCode> {
    let parameters = match arguments.tinymt {
        TinyMt::Zero => Parameters::ZERO,
        TinyMt::Official => Parameters::OFFICIAL,
    };
    write!(Stdout, "Please enter the random seed: ")?;
    Stdout.flush();
    let seed = match read_seed() {
        Ok(seed) => seed,
        Err(problem) => {
            Stdout.flush();
            eprintln!("estr2048: {problem}\nTry 'estr2048 estr1002 --help'.");
            return Ok(BAD_SEED.into());
        }
    };
    let mut random = TinyMt32::new(seed, parameters);
    let mut board: GameBoard = [[0; 4]; 4];
    // An empty board with a cell that is never drawn shows as a game that is over at once, as in ./game.
    let _ = new_cell(&mut board, &mut random);
    while !view(&board)?.is_over() {
        let Some(direction) = human::choose(&board) else {
            return finish(&board, "The input ended before the game did.", ExitCode::SUCCESS);
        };
        Board::over(4, 4, board.as_flattened_mut())?.shift(direction);
        if new_cell(&mut board, &mut random).is_err() {
            write!(Stdout, "{}", Look(&view(&board)?))?;
            return finish(&board, "The random numbers of this seed never reach an empty cell.", NO_CELL.into());
        }
    }
    write!(Stdout, "{}", Look(&view(&board)?))?;
    finish(&board, "The game is over!", ExitCode::SUCCESS)
}

fn view(board: &GameBoard) -> anyhow::Result<Board<&[i32]>> {
    Ok(Board::over(4, 4, board.as_flattened())?)
}

fn finish(board: &GameBoard, reason: &str, status: ExitCode) -> anyhow::Result<ExitCode> {
    write!(Stdout, "Your score is {}.\n{reason}\n", view(board)?.sum())?;
    Ok(status)
}

/// The seed as `scanf("%31s")` reads it: one word of at most 31 characters, which must be a number of 32 bits.
fn read_seed() -> Result<u32, String> {
    const LONGEST: usize = 31;
    let is_space = |byte: u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let mut word = Vec::new();
    while word.len() < LONGEST
        && let Some(byte) = read_byte()
    {
        match is_space(byte) {
            true if word.is_empty() => {}
            true => break,
            false => word.push(byte),
        }
    }
    if word.is_empty() {
        return Err("no random seed: the input is empty".into());
    }
    writeln!(Stdout).map_err(|error| error.to_string())?;
    let digits = word.iter().all(u8::is_ascii_digit).then_some(word.as_slice());
    let seed = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    let shown = word.escape_ascii();
    seed.ok_or_else(|| format!("the random seed must be a whole number from 0 to 4294967295, not {shown}"))
}
