//! A game that somebody plays, with undo and redo.

use std::time::Duration;

use anyhow::{Result, ensure};
use estr2048::game::GameError;
use estr2048::{Board, Course, Direction, Game};
use serde::{Deserialize, Serialize};

use crate::start::Start;
use crate::tape::{Step, Tape};

/// Why a game does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No move is left by the course's rule.
    Over,
    /// The winning tile was made, which ends the game (CS 61B's 2048).
    Won,
}

/// A running game that can be taken back to its start and made again.
///
/// ```
/// use estr2048::{Course, Direction};
/// use estr2048_session::{Session, Start};
///
/// let mut session = Session::begin(Start::new(Course::Pa4, 118))?;
/// assert!(session.make_move(Direction::Right)?);
/// let after = session.board().clone();
/// assert!(session.undo() && session.redo()?);
/// assert_eq!(session.board(), &after);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug)]
pub struct Session {
    start: Start,
    game: Game,
    /// All moves, those that were taken back too.
    tape: Tape,
    /// How many of them are made.
    at: usize,
    /// How long it was played for.
    pub played: Duration,
    /// Whether a computer player made one of the moves.
    pub helped: bool,
}

impl Session {
    /// A new game.
    ///
    /// # Errors
    /// As [`Start::begin`].
    pub fn begin(start: Start) -> Result<Self> {
        let game = start.begin()?;
        let start = Start { rows: game.board().rows(), cols: game.board().cols(), ..start };
        let tape = Tape::new(start.course, game.board().clone(), game.score());
        Ok(Self { start, game, tape, at: 0, played: Duration::ZERO, helped: false })
    }

    /// The game after these moves. Those that change nothing are left out.
    ///
    /// # Errors
    /// As [`Start::begin`], or if there is no memory.
    pub fn after(start: Start, moves: impl IntoIterator<Item = Direction>) -> Result<Self> {
        let mut session = Self::begin(start)?;
        for direction in moves {
            match session.make_move(direction) {
                Err(GameError::Unreachable) => break,
                made => made?,
            };
        }
        Ok(session)
    }

    /// How it began.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Whose rules.
    #[must_use]
    pub fn course(&self) -> Course {
        self.start.course
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board()
    }

    /// The score, as the course counts it.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.game.score()
    }

    /// The whole game, with the moves that were taken back.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// How many moves are made.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Why no move can be made, if none can.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        match (self.game.is_over(), self.game.has_won()) {
            (true, true) => Some(End::Won),
            (true, false) => Some(End::Over),
            _ => None,
        }
    }

    /// The game's file in the course's own form; see [`Game::save`].
    #[must_use]
    pub fn save(&self) -> String {
        self.game.save()
    }

    /// Makes a move; false, and nothing changed, if it changes nothing or the game is over. What was taken back is
    /// forgotten, unless this is the move that was taken back.
    ///
    /// # Errors
    /// [`GameError::Memory`], [`GameError::Unreachable`]; the game is as before then.
    pub fn make_move(&mut self, direction: Direction) -> Result<bool, GameError> {
        let mut shifted = self.game.board().clone();
        if !self.game.make_move(direction)? {
            return Ok(false);
        }
        let again = self.tape.steps().get(self.at).is_some_and(|step| step.direction == direction);
        if !again {
            shifted.shift(direction);
            let board = self.game.board();
            let changed = shifted.cells().iter().zip(board.cells()).position(|(before, after)| before != after);
            let placed = changed.and_then(|cell| Some((cell, *board.cells().get(cell)?)));
            self.tape.truncate(self.at);
            self.tape.push(Step { direction, placed, score: self.game.score() }, board);
        }
        self.at += 1;
        Ok(true)
    }

    /// Takes back a move; false at the start.
    pub fn undo(&mut self) -> bool {
        let undone = self.at > 0 && self.game.undo();
        self.at -= usize::from(undone);
        undone
    }

    /// Makes the move again that was taken back last; false if there is none.
    ///
    /// # Errors
    /// As [`make_move`](Self::make_move).
    pub fn redo(&mut self) -> Result<bool, GameError> {
        match self.tape.steps().get(self.at) {
            Some(step) => self.make_move(step.direction),
            None => Ok(false),
        }
    }

    /// Goes to the board after `at` moves, as near as there are moves.
    ///
    /// # Errors
    /// As [`make_move`](Self::make_move).
    pub fn go_to(&mut self, at: usize) -> Result<(), GameError> {
        while self.at > at && self.undo() {}
        while self.at < at && self.redo()? {}
        Ok(())
    }

    /// All of it, to be kept.
    #[must_use]
    pub fn saved(&self) -> Saved {
        Saved {
            estr2048: FORMAT,
            start: self.start.clone(),
            moves: self.tape.letters(),
            at: self.at,
            seconds: self.played.as_secs_f64(),
            helped: self.helped,
        }
    }
}

/// The number of the form in which sessions are kept.
const FORMAT: u32 = 1;

/// A session as it is kept in a file, in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The number of this form, 1; by its name such a file is known.
    estr2048: u32,
    start: Start,
    /// `U D L R`.
    moves: String,
    at: usize,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    helped: bool,
}

impl Saved {
    /// The session again.
    ///
    /// # Errors
    /// If the file is of a later form, or damaged.
    pub fn resume(self) -> Result<Session> {
        ensure!(self.estr2048 == FORMAT, "the game was saved by a later version (form {})", self.estr2048);
        let letters = self.moves.bytes();
        let moves: Option<Vec<_>> = letters.map(Direction::from_letter).collect();
        ensure!(moves.is_some(), "its moves must be the letters U, D, L and R");
        let mut session = Session::after(self.start, moves.into_iter().flatten())?;
        ensure!(session.tape.len() == self.moves.len(), "move {} of it changes nothing", session.tape.len() + 1);
        session.go_to(self.at)?;
        session.played = Duration::try_from_secs_f64(self.seconds).unwrap_or_default();
        session.helped = self.helped;
        Ok(session)
    }
}
