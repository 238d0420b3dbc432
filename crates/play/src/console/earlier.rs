//! The states that a person can go back to, in the programs of courses that know no undo.

use std::io::{self, BufRead, Write};

use super::input::Input;
use super::person::takes_it_back;

/// What a person is told, beside the course's own texts.
const UNDO: &str = "(z takes the last move back.)";

/// The states before each move, if there is somebody who may want them.
pub struct Earlier<S>(Option<Vec<S>>);

impl<S: Clone> Earlier<S> {
    /// Tells a person that moves can be taken back; where nobody is to be told, no state is kept.
    pub fn offered(offered: bool, out: &mut impl Write) -> io::Result<Self> {
        if offered {
            writeln!(out, "{UNDO}")?;
        }
        Ok(Self(offered.then(Vec::new)))
    }

    pub fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Makes a move, which tells whether it changed something: then the state before it is one to go back to.
    pub fn play(&mut self, state: &mut S, make: impl FnOnce(&mut S) -> bool) {
        let before = self.are_kept().then(|| state.clone());
        if make(state)
            && let Some(states) = &mut self.0
        {
            states.extend(before);
        }
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self, state: &mut S) {
        if let Some(before) = self.0.as_mut().and_then(Vec::pop) {
            *state = before;
        }
    }

    /// Asks, after the last move, whether it is taken back, and does so.
    ///
    /// # Errors
    /// If input or output fails.
    pub fn offer_last(
        &mut self,
        state: &mut S,
        input: &mut Input<impl BufRead>,
        out: &mut impl Write,
    ) -> anyhow::Result<bool> {
        let any = self.0.as_ref().is_some_and(|states| !states.is_empty());
        let wanted = any && takes_it_back(input, out)?;
        if wanted {
            self.take_back(state);
        }
        Ok(wanted)
    }
}
