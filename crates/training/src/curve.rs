//! The learning curve: a line of CSV now and then.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::checkpoint::Progress;
use crate::worker::Outcome;

/// What happened since the last line of the learning curve.
#[derive(Debug, Default)]
pub struct Window {
    pub games: u64,
    pub sum: u64,
    reached: [u64; SUMS.len()],
    restarts: u64,
    restart_moves: u64,
    restart_tops: u64,
}

const SUMS: [u32; 6] = [16384, 32768, 49152, 57344, 61440, 65536];

impl Window {
    /// Counts a game.
    pub fn add(&mut self, outcome: Outcome) {
        if outcome.restarted {
            self.restarts += 1;
            self.restart_moves += outcome.moves;
            self.restart_tops += u64::from(outcome.sum > 65536);
            return;
        }
        self.games += 1;
        self.sum += u64::from(outcome.sum);
        for (count, sum) in self.reached.iter_mut().zip(SUMS) {
            *count += u64::from(outcome.sum >= sum);
        }
    }
}

/// The file of a learning curve, and where its last line was.
#[derive(Debug)]
pub struct Curve {
    file: File,
    seconds: f64,
    moves: u64,
}

impl Curve {
    /// The curve of a new training, in place of any older one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        std::fs::write(path, head()).with_context(|| path.display().to_string())?;
        Self::go_on(path, 0)
    }

    /// The curve of a training that goes on after so many moves: the file grows at its end, with a head if it is new.
    ///
    /// # Errors
    /// If it cannot be read and written, or is no learning curve.
    pub fn go_on(path: &Path, moves: u64) -> Result<Self> {
        let name = || path.display().to_string();
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.with_context(name)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(name)?;
        let known = text.is_empty() || text.starts_with(&head());
        ensure!(known, "{} is no learning curve: name another --out, or move that file away", name());
        if text.is_empty() {
            file.write_all(head().as_bytes()).with_context(name)?;
        }
        Ok(Self { file, seconds: 0.0, moves })
    }

    /// Seconds since the last line, `seconds` after the start of this run.
    pub fn since(&self, seconds: f64) -> f64 {
        seconds - self.seconds
    }

    /// Moves a second since the last line.
    pub fn speed(&self, progress: Progress, seconds: f64) -> f64 {
        (progress.moves - self.moves) as f64 / self.since(seconds).max(1e-9)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, window: &Window, progress: Progress, seconds: f64) -> Result<()> {
        let line = line(window, progress, self.speed(progress, seconds));
        (self.seconds, self.moves) = (seconds, progress.moves);
        writeln!(self.file, "{line}").context("cannot write the learning curve")
    }
}

fn head() -> String {
    let sums = SUMS.map(|sum| format!("r{sum}")).join(",");
    format!("seconds,games,moves,mean,{sums},moves_per_s,restarts,restart_moves,restart_65536\n")
}

/// A line: what happened in this window, and how far the training is.
fn line(window: &Window, progress: Progress, speed: f64) -> String {
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let reached = window.reached.map(|count| format!("{:.4}", share(count, window.games))).join(",");
    format!(
        "{:.0},{},{},{:.0},{reached},{speed:.0},{},{:.0},{:.4}",
        progress.seconds,
        progress.games,
        progress.moves,
        share(window.sum, window.games),
        window.restarts,
        share(window.restart_moves, window.restarts),
        share(window.restart_tops, window.restarts)
    )
}
