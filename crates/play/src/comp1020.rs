//! `estr2048 comp1020`: the console game of COMP 1020 (University of Manitoba), with undo.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use estr2048::courses::{MAX_SIDE, comp1020};
use estr2048::{Course, Direction, Game};

use crate::console::{self, Input, seed_from_clock, wrong_use};

/// Play the console game of COMP 1020 (University of Manitoba), Assignment 2.
///
/// One move a line: i or w up, j or a left, k or s down, l or d right. z takes back a move, as often as there are
/// moves. As in the course's program only the first letter counts, in either case, and an unknown letter is tried as
/// the direction typed before it at this turn, or as up.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 at the end of the game, 1 if the input ends before it.\n\n\
                        Example: printf 'i\\nj\\nz\\n' | estr2048 comp1020 5 --seed 7")]
pub struct Comp1020 {
    /// The side of the board, from 1 to 128
    #[arg(default_value_t = comp1020::GAME_SIZE)]
    size: usize,
    /// The seed of java.util.Random [default: another one every time]
    #[arg(long, allow_hyphen_values = true)]
    seed: Option<i64>,
}

pub fn run(arguments: &Comp1020) -> anyhow::Result<ExitCode> {
    if !Course::Comp1020.allows(arguments.size, arguments.size) {
        wrong_use(&format!("SIZE must be from 1 to {MAX_SIDE}, not {}", arguments.size));
    }
    console::play(|input, out| play(arguments, input, out))
}

fn play(arguments: &Comp1020, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let seed = arguments.seed.unwrap_or_else(seed_from_clock);
    let mut game = Game::new(Course::Comp1020, arguments.size, arguments.size, seed)?;
    writeln!(out, "{}\n{game}", comp1020::THE_BOARD)?;
    while !game.is_over() {
        match ask(&game, input, out)? {
            Answer::Move(direction) => _ = game.make_move(direction)?,
            Answer::Undo => _ = game.undo(),
        }
        writeln!(out, "{}\n{game}", comp1020::THE_BOARD)?;
    }
    writeln!(out, "{}", comp1020::GAME_OVER)?;
    Ok(ExitCode::SUCCESS)
}

enum Answer {
    Move(Direction),
    Undo,
}

/// Asks until the answer changes the board.
fn ask(game: &Game, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<Answer> {
    // The direction that an unknown letter stands for; the course's variable starts as 0, up.
    let mut direction = Direction::Up;
    loop {
        write!(out, "{}", comp1020::PROMPT)?;
        out.flush()?;
        let Some(line) = input.next_line()? else {
            bail!("the input ended before the game did");
        };
        match line.to_lowercase().chars().next() {
            Some('z') if game.history_len() > 0 => return Ok(Answer::Undo),
            None | Some('z') => {}
            Some(key) => {
                direction = comp1020::direction_of_key(key).unwrap_or(direction);
                if game.can_move(direction) {
                    return Ok(Answer::Move(direction));
                }
            }
        }
        writeln!(out, "{}", comp1020::INVALID_MOVE)?;
    }
}
