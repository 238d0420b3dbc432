//! `estr2048 comp1020`: the console game of COMP 1020 (University of Manitoba), with undo.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use estr2048::Direction;
use estr2048::courses::comp1020::{self, Game2048};

use crate::console::{self, Input, arrow, leave_prompt, seed_from_clock, somebody_types, takes_it_back};

/// What a key that is no letter begins with.
const ESCAPE: char = '\x1b';

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
    let mut game = Game2048::new(size, seed.unwrap_or_else(seed_from_clock))?;
    writeln!(out, "{}\n{game}", comp1020::THE_BOARD)?;
    loop {
        if game.game_over() {
            writeln!(out, "{}", comp1020::GAME_OVER)?;
            if !(somebody_types() && game.can_undo() && takes_it_back(input, out)?) {
                return Ok(ExitCode::SUCCESS);
            }
            game.undo();
        } else {
            match ask(&game, input, out)? {
                Answer::Move(direction) => _ = game.try_move(direction)?,
                Answer::Undo => _ = game.undo(),
                Answer::Quit => return Ok(ExitCode::SUCCESS),
            }
        }
        writeln!(out, "{}\n{game}", comp1020::THE_BOARD)?;
    }
}

enum Answer {
    Move(Direction),
    Undo,
    Quit,
}

/// Asks until the answer changes the board.
fn ask(game: &Game2048, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<Answer> {
    // The direction that an unknown letter stands for; the course's variable starts as 0, up.
    let mut direction = Direction::Up;
    let typed = somebody_types();
    loop {
        write!(out, "{}", comp1020::PROMPT)?;
        out.flush()?;
        let Some(line) = input.next_line()? else {
            leave_prompt(out)?;
            bail!("the input ended before the game did");
        };
        match line.to_lowercase().chars().next() {
            Some('z') if game.can_undo() => return Ok(Answer::Undo),
            None | Some('z') => {}
            Some('q') if typed => return Ok(Answer::Quit),
            // An arrow key; any other key that is no letter moves nothing.
            Some(ESCAPE) if typed => {
                if let Some(direction) = arrow(&line).filter(|&direction| game.valid_move(direction)) {
                    return Ok(Answer::Move(direction));
                }
            }
            Some(key) => {
                direction = comp1020::direction_of_key(key).unwrap_or(direction);
                if game.valid_move(direction) {
                    return Ok(Answer::Move(direction));
                }
            }
        }
        writeln!(out, "{}", comp1020::INVALID_MOVE)?;
    }
}
