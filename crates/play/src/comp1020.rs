//! `estr2048 comp1020`: the console game of COMP 1020 (University of Manitoba), with undo.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use estr2048::courses::comp1020;
use estr2048::{Course, Direction, Game};

use crate::console::{self, Input, seed_from_clock};

/// Plays on a board of this side, with this seed of `java.util.Random` or another one every time.
///
/// # Errors
/// If the input ends before the game, or input or output fails.
pub fn run(size: usize, seed: Option<i64>) -> anyhow::Result<ExitCode> {
    console::play(|input, out| play(size, seed, input, out))
}

fn play(
    size: usize,
    seed: Option<i64>,
    input: &mut Input<impl io::BufRead>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut game = Game::new(Course::Comp1020, size, size, seed.unwrap_or_else(seed_from_clock))?;
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
