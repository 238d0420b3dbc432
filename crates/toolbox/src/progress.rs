//! How far long work has come: a bar on a terminal, a line every ten seconds elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Seconds between two lines where standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one piece of work, on standard error.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    what: &'static str,
    /// When the last line was printed; `None` if no lines are.
    last_line: Option<Mutex<Instant>>,
}

impl Progress {
    /// Work of this many pieces, which are called `what` ("games"). `quiet` shows nothing.
    #[must_use]
    pub fn new(total: u64, what: &'static str, quiet: bool) -> Self {
        let lines = !quiet && !stderr().is_terminal();
        let target = if quiet || lines { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}{{msg}}, ETA {{eta}}");
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let last_line = lines.then(|| Mutex::new(Instant::now()));
        Self { bar: bar.with_style(style), what, last_line }
    }

    /// So many pieces are done; `message` follows their number.
    pub fn at(&self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(if message.is_empty() { String::new() } else { format!(", {message}") });
        let Some(last_line) = &self.last_line else { return };
        let mut last_line = last_line.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            let separator = if message.is_empty() { "" } else { ", " };
            eprintln!("{done}/{} {}{separator}{message}", self.bar.length().unwrap_or(0), self.what);
        }
    }

    /// Does something that prints, with the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// How many pieces are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.bar.position()
    }

    /// The work is over: the bar goes away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
