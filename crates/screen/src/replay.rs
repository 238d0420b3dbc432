//! A game that is looked at again, with what each move lost.

use std::time::Instant;

use estr2048::Board;
use estr2048_session::advice::Mark;
use estr2048_session::{Session, Start, Tape};

use crate::keys::ReplayAction;

/// A game, a place in it, and what is known of its moves.
pub struct Replay {
    pub title: String,
    pub tape: Tape,
    /// How it began, if it can be gone on with.
    pub start: Option<Start>,
    /// Moves that are shown as made.
    pub at: usize,
    /// For each move, once it was compared with the best one.
    pub marks: Vec<Option<Mark>>,
    /// When the next move is shown, if it runs.
    pub runs: Option<Instant>,
}

impl Replay {
    pub fn of_session(session: &Session, title: String, at: usize) -> Self {
        Self { start: Some(session.start().clone()), ..Self::new(title, session.tape().clone(), at) }
    }

    pub fn new(title: String, tape: Tape, at: usize) -> Self {
        let marks = vec![None; tape.len()];
        Self { title, tape, start: None, at, marks, runs: None }
    }

    pub fn board(&self) -> Board {
        self.tape.board(self.at)
    }

    /// Moves that were compared so far.
    pub fn compared(&self) -> usize {
        self.marks.iter().flatten().count()
    }

    /// The nearest move that lost something before or behind this place, as the board before it.
    fn marked(&self, forward: bool) -> Option<usize> {
        let lost = |&number: &usize| self.marks[number].is_some_and(|mark| !mark.sign().is_empty());
        match forward {
            true => (self.at + 1..self.marks.len()).find(lost),
            false => (0..self.at.min(self.marks.len())).rev().find(lost),
        }
    }

    /// Goes elsewhere in the game; false if there is nowhere to go.
    pub fn go(&mut self, action: ReplayAction) -> bool {
        let to = match action {
            ReplayAction::By(moves) => self.at.saturating_add_signed(moves).min(self.tape.len()),
            ReplayAction::Start => 0,
            ReplayAction::End => self.tape.len(),
            ReplayAction::NextMark => self.marked(true).unwrap_or(self.at),
            ReplayAction::LastMark => self.marked(false).unwrap_or(self.at),
            _ => self.at,
        };
        std::mem::replace(&mut self.at, to) != to
    }

    /// The session at this place, to be gone on with.
    pub fn session(&self) -> Option<Session> {
        let moves = self.tape.steps().iter().map(|step| step.direction);
        let mut session = Session::after(self.start.clone()?, moves).ok()?;
        session.go_to(self.at).ok()?;
        Some(session)
    }
}
