//! The prompt loop behind `human_player`.

use std::fmt::{self, Write};

use super::keys::{self, Key};
use crate::board::{Board, GameBoard};
use crate::courses::estr1002::Look;
use crate::direction::Direction;
use crate::stdio::Stdout;

/// Shows the board and asks for a move until one is given that changes the board; `None` at the end of the input.
///
/// Only the assignment's letters `U D L R` are commands. White space between them is skipped, so that letters may
/// come one to a line or all on one line. A board without moves asks nothing.
#[must_use]
pub fn choose(game_board: &GameBoard) -> Option<Direction> {
    // Writing to C's stdout cannot fail as far as `fmt` is concerned.
    ask(game_board, Stdout).unwrap_or(None)
}

fn ask(game_board: &GameBoard, mut out: Stdout) -> Result<Option<Direction>, fmt::Error> {
    let board = Board::from(game_board);
    write!(out, "{}", Look(&board))?;
    if board.is_over() {
        writeln!(out, "No move is left.")?;
        return Ok(None);
    }
    loop {
        write!(out, "Your move (U, D, L or R): ")?;
        out.flush();
        let Some(key) = read_key() else {
            writeln!(out)?;
            return Ok(None);
        };
        match key.as_byte().and_then(Direction::from_letter) {
            None => writeln!(
                out,
                "'{key}' is not a command. Type U for up, D for down, L for left or R for right, in capital letters."
            )?,
            Some(direction) if board.can_move(direction) => {
                writeln!(out)?;
                return Ok(Some(direction));
            }
            Some(direction) => {
                writeln!(out, "{} changes nothing on this board. Try another direction.", direction.letter())?;
            }
        }
    }
}

/// The next key that is no white space.
fn read_key() -> Option<Key> {
    loop {
        let key = keys::read()?;
        if !key.is_white_space() {
            return Some(key);
        }
    }
}
