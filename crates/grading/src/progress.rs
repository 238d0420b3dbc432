//! How far a class has come: a bar on a terminal, a line every ten seconds in a log.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use estr2048_toolbox::output;
use indicatif::{ProgressBar, ProgressStyle};

/// Counts submissions and games.
pub struct Progress {
    bar: ProgressBar,
    log: Option<Mutex<Log>>,
}

struct Log {
    start: Instant,
    last: Instant,
    submissions: usize,
    done: usize,
    games: u64,
    played: u64,
    /// Games that were known before; they say nothing about the time.
    known: u64,
}

/// Time between two lines of a log.
const EVERY: Duration = Duration::from_secs(10);

impl Progress {
    /// For so many submissions and games. `quiet` shows nothing.
    pub fn new(submissions: usize, games: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || !terminal { ProgressBar::hidden() } else { ProgressBar::new(games as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg} ETA {eta}") {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        let now = Instant::now();
        let new = || Log { start: now, last: now, submissions, done: 0, games: games as u64, played: 0, known: 0 };
        Self { bar, log: (!quiet && !terminal).then(|| Mutex::new(new())) }
    }

    /// What is going on now.
    pub fn doing(&self, what: String) {
        self.bar.set_message(what);
    }

    /// So many games more are over; `known` if an earlier run played them.
    pub fn games(&self, count: usize, known: bool) {
        self.bar.inc(count as u64);
        self.log(|log| {
            log.played += count as u64;
            log.known += if known { count as u64 } else { 0 };
        });
    }

    /// One submission more is done.
    pub fn submission(&self) {
        self.log(|log| log.done += 1);
    }

    fn log(&self, change: impl FnOnce(&mut Log)) {
        let Some(log) = &self.log else { return };
        let Ok(mut log) = log.lock() else { return };
        change(&mut log);
        if log.last.elapsed() >= EVERY {
            log.last = Instant::now();
            output::tell(log.line());
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Log {
    fn line(&self) -> String {
        let new = self.played - self.known;
        let left = self.games.saturating_sub(self.played);
        let rest = match new {
            0 => "time left unknown".into(),
            _ => format!("about {} left", in_words(self.start.elapsed().mul_f64(left as f64 / new as f64))),
        };
        format!(
            "{} of {} submissions, {} of {} games after {}, {rest}",
            self.done,
            self.submissions,
            self.played,
            self.games,
            in_words(self.start.elapsed())
        )
    }
}

/// A time in the two units that fit it.
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_is_left() {
        let start = Instant::now() - Duration::from_secs(60);
        let log = Log { start, last: start, submissions: 60, done: 12, games: 300, played: 80, known: 20 };
        assert_eq!(log.line(), "12 of 60 submissions, 80 of 300 games after 1 min 0 s, about 3 min 40 s left");
        assert_eq!(in_words(Duration::from_secs(7320)), "2 h 2 min");
    }
}
