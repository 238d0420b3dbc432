//! `journal.jsonl`: one line for each thing that happened, only ever appended to.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::report::Report;
use crate::seeds::Seed;
use estr2048_referee::game::GameRecord;

/// What must be the same for a class to be continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub seeds: Vec<Seed>,
    pub move_limit_ms: u64,
    pub memory: u64,
    pub flags: String,
}

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Line {
    Settings { settings: Settings, level: String, program: String },
    Game { id: String, digest: String, game: usize, record: Box<GameRecord> },
    Submission { report: Box<Report> },
}

/// The file, open for appending.
pub struct Journal {
    file: Mutex<File>,
}

impl Journal {
    /// Opens or makes the journal, and gives the lines that are there. A line that a kill cut off is removed.
    pub fn open(path: &Path, resume: bool) -> Result<(Self, Vec<Line>)> {
        let name = || path.display().to_string();
        let old = if path.exists() { fs::read(path).with_context(name)? } else { Vec::new() };
        ensure!(
            old.is_empty() || resume,
            "{} is there already: continue with --resume, or choose another --out",
            path.display()
        );
        let whole = old.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = Vec::new();
        for (number, line) in String::from_utf8_lossy(&old[..whole]).lines().enumerate() {
            lines.push(serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1))?);
        }
        let mut file =
            OpenOptions::new().create(true).append(false).write(true).truncate(false).open(path).with_context(name)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file: Mutex::new(file) }, lines))
    }

    /// Adds a line and hands it to the kernel at once.
    pub fn write(&self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        let mut file = self.file.lock().expect("nobody panics while writing the journal");
        file.write_all(&text).context("journal.jsonl")?;
        file.flush()?;
        Ok(())
    }
}
