//! The computer at the controls: who it is, how fast, and what it has in mind.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use estr2048::Direction;
use estr2048_session::foresight::Planned;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The player that knows the board alone.
    Fair,
    /// The player that knows the cells to come.
    Clairvoyant,
}

/// Moves a second; the last is as many as can be made.
const SPEEDS: [u32; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 0];
const USUAL: usize = 2;

/// A player that plays, waits or thinks.
pub struct Computer {
    /// Who has the move; `None` if a person has.
    pub who: Option<Who>,
    /// It stops after its next move.
    pub once: bool,
    speed: usize,
    /// The thought that is waited for.
    pub waits_for: Option<u64>,
    /// The move that was chosen.
    pub chosen: Option<Direction>,
    /// Not before this is the next move made.
    due: Instant,
    /// The moves that the clairvoyant player goes on with.
    pub plan: VecDeque<Direction>,
    pub planned: Option<Planned>,
}

impl Computer {
    pub fn new() -> Self {
        Self {
            who: None,
            once: false,
            speed: USUAL,
            waits_for: None,
            chosen: None,
            due: Instant::now(),
            plan: VecDeque::new(),
            planned: None,
        }
    }

    pub fn start(&mut self, who: Who, once: bool) {
        (self.who, self.once, self.chosen, self.waits_for) = (Some(who), once, None, None);
        self.due = Instant::now();
    }

    pub fn stop(&mut self) {
        (self.who, self.once, self.chosen, self.waits_for, self.planned) = (None, false, None, None, None);
    }

    /// By one step, up or down.
    pub fn change_speed(&mut self, faster: bool) {
        self.speed = match faster {
            true => (self.speed + 1).min(SPEEDS.len() - 1),
            false => self.speed.saturating_sub(1),
        };
        self.due = self.due.min(Instant::now() + self.pause());
    }

    /// The time from one move to the next.
    pub fn pause(&self) -> Duration {
        match SPEEDS[self.speed] {
            0 => Duration::ZERO,
            moves => Duration::from_secs(1) / moves,
        }
    }

    pub fn speed(&self) -> String {
        match SPEEDS[self.speed] {
            0 => "as fast as it can".into(),
            1 => "1 move a second".into(),
            moves => format!("{moves} moves a second"),
        }
    }

    pub fn is_due(&self, now: Instant) -> bool {
        now >= self.due
    }

    pub fn due(&self) -> Instant {
        self.due
    }

    /// After a move: the next one is due a pause later, but what was missed is not made up for.
    pub fn moved(&mut self, now: Instant) {
        self.chosen = None;
        self.due = (self.due + self.pause()).max(now);
    }
}
