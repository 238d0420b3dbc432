//! How far long work has come: a bar on a terminal, a line every ten seconds elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;

/// The time between two lines where standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The time after which a bar is drawn anew though nothing has happened: its times go on.
const DRAW_EVERY: Duration = Duration::from_millis(500);

/// The progress of one piece of work, on standard error.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Dropped with the progress, which ends the thread that prints the lines.
    _lines: Option<Sender<()>>,
}

impl Progress {
    /// Work of this many pieces (`None`: nobody knows), which are called `what` ("games"). `quiet` shows nothing.
    #[must_use]
    pub fn new(total: impl Into<Option<u64>>, what: &'static str, quiet: bool) -> Self {
        let total = total.into();
        let lines = !quiet && !stderr().is_terminal();
        let target = if quiet || lines { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let template = match total {
            Some(_) => format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}{{msg}}, ETA {{eta}}"),
            None => format!("{{spinner}} {{human_pos}} {what}{{msg}}, {{elapsed}}"),
        };
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(total, target).with_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(DRAW_EVERY);
        }
        Self { _lines: lines.then(|| print_lines(bar.clone(), what)), bar }
    }

    /// So many pieces are done; `message` follows their number.
    pub fn at(&self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(if message.is_empty() { String::new() } else { format!(", {message}") });
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
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a line now and then until the other end is dropped. Work whose pieces take long is told about, too.
fn print_lines(bar: ProgressBar, what: &'static str) -> Sender<()> {
    let (end, ended) = mpsc::channel();
    // Without a thread there are no lines, and the work goes on all the same.
    let _ = thread::Builder::new().spawn(move || {
        while ended.recv_timeout(LINE_EVERY) == Err(RecvTimeoutError::Timeout) {
            output::tell(line(bar.position(), bar.length(), what, &bar.message()));
        }
    });
    end
}

fn line(done: u64, total: Option<u64>, what: &str, message: &str) -> String {
    match total {
        Some(total) => format!("{done}/{total} {what}{message}"),
        None => format!("{done} {what}{message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_far_the_work_is() {
        assert_eq!(line(3, Some(10), "games", ", mean 7"), "3/10 games, mean 7");
        assert_eq!(line(3, None, "games", ""), "3 games");
    }

    #[test]
    fn what_was_done_is_known_without_a_terminal() {
        let progress = Progress::new(10, "games", true);
        progress.at(4, "mean 7");
        assert_eq!(progress.done(), 4);
        progress.finish();
    }
}
