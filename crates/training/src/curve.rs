//! The learning curve: a line of CSV now and then.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

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

/// The file of the curve, which grows at its end, with a head if it is new.
pub fn file(path: &Path) -> Result<std::fs::File> {
    let new = !path.exists();
    let name = || path.display().to_string();
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
    if new {
        let sums = SUMS.map(|sum| format!("r{sum}")).join(",");
        writeln!(file, "seconds,games,moves,mean,{sums},moves_per_s,restarts,restart_moves,restart_65536")?;
    }
    Ok(file)
}

/// A line: what happened in this window, and how far the training is.
pub fn line(window: &Window, progress: Progress, speed: f64) -> String {
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
