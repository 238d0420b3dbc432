//! `journal.jsonl`: one line for each thing that happened, only ever appended to.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::report::{Part, Report};
use crate::seeds::Seed;
use estr2048_referee::game::GameRecord;
use estr2048_referee::sandbox;

/// What must be the same for a class to be continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub seeds: Vec<Seed>,
    /// The name of the run, from which its seeds are made together with the secret.
    #[serde(default)]
    pub run: String,
    pub move_limit_ms: u64,
    /// 0 for none.
    #[serde(default)]
    pub game_limit_ms: u64,
    pub memory: u64,
    pub flags: String,
    /// How far submissions are locked up.
    #[serde(default)]
    pub isolation: String,
    /// A hash of the staff's games for the basic part, empty without any.
    #[serde(default)]
    pub basic_games: String,
    #[serde(default)]
    pub part: Part,
}

impl Settings {
    /// The options in which two runs differ, each with both values.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut all = Vec::new();
        let mut compare = |option: &str, then: String, now: String| {
            if then != now {
                all.push(format!("{option} (then {then}, now {now})"));
            }
        };
        let time = |ms: u64| if ms == 0 { "none".into() } else { format!("{ms}ms") };
        compare("--move-limit", time(self.move_limit_ms), time(now.move_limit_ms));
        compare("--game-limit", time(self.game_limit_ms), time(now.game_limit_ms));
        compare("--memory", self.memory.to_string(), now.memory.to_string());
        compare("--cflags", format!("{:?}", self.flags), format!("{:?}", now.flags));
        compare("--isolation", self.isolation.clone(), now.isolation.clone());
        compare("--part", self.part.to_string(), now.part.to_string());
        compare("--games", self.seeds.len().to_string(), now.seeds.len().to_string());
        compare("--run", format!("{:?}", self.run), format!("{:?}", now.run));
        if self.basic_games != now.basic_games {
            all.push("--basic-games (the files are others)".into());
        }
        if self.seeds.len() == now.seeds.len() && self.seeds != now.seeds {
            all.push("--seeds or --secret (the seeds are others)".into());
        }
        all
    }
}

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Line {
    Settings {
        settings: Settings,
        level: String,
        program: String,
    },
    Game {
        id: String,
        digest: String,
        game: usize,
        record: Box<GameRecord>,
    },
    Submission {
        report: Box<Report>,
    },
    /// What was known of a submission counts no more.
    Redo {
        id: String,
    },
}

/// The whole lines of a journal, and where they end. What a kill cut off is not counted.
///
/// # Errors
/// For a line that no journal has.
pub fn parse(bytes: &[u8]) -> Result<(Vec<Line>, usize)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = Vec::new();
    for (number, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
        if !line.is_empty() {
            lines.push(serde_json::from_slice(line).with_context(|| format!("line {}", number + 1))?);
        }
    }
    Ok((lines, whole))
}

/// The file, open for appending.
pub struct Journal {
    file: Mutex<File>,
}

impl Journal {
    /// Opens or makes the journal, and gives the lines that are there. A line that a kill cut off is removed, and so is
    /// a beginning without any game.
    pub fn open(path: &Path, resume: bool) -> Result<(Self, Vec<Line>)> {
        let name = || path.display().to_string();
        let old = if path.exists() { fs::read(path).with_context(name)? } else { Vec::new() };
        let (mut lines, mut whole) = parse(&old).with_context(name)?;
        if !resume && lines.iter().all(|line| matches!(line, Line::Settings { .. })) {
            (lines, whole) = (Vec::new(), 0);
        }
        ensure!(
            lines.is_empty() || resume,
            "{} is there already: continue with --resume, or choose another --out",
            path.display()
        );
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
        // Its folder is being taken away, and players fail for want of it.
        sandbox::not_leaving()?;
        file.write_all(&text).context("journal.jsonl cannot be written")?;
        file.flush()?;
        Ok(())
    }
}

/// Keeps every other run out of a folder until it is dropped.
///
/// # Errors
/// If another run holds it.
pub fn lock(out: &Path) -> Result<File> {
    let path = out.join(".lock");
    let name = || path.display().to_string();
    let mut file =
        OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&path).with_context(name)?;
    if rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
        let mut owner = String::new();
        let _ = Read::by_ref(&mut file).take(20).read_to_string(&mut owner);
        bail!(
            "another run (process {}) is writing to {}: wait for its end, or choose another --out",
            owner.trim(),
            out.display()
        );
    }
    file.set_len(0)?;
    file.write_all(std::process::id().to_string().as_bytes()).with_context(name)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_without_a_game_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let settings = Settings {
            seeds: vec![Seed::Narrow(7)],
            run: String::new(),
            move_limit_ms: 1,
            game_limit_ms: 0,
            memory: 16,
            flags: String::new(),
            isolation: "L2".into(),
            basic_games: String::new(),
            part: Part::Both,
        };
        let (journal, _) = Journal::open(&path, false).unwrap();
        journal.write(&Line::Settings { settings: settings.clone(), level: "L2".into(), program: "0".into() }).unwrap();
        let (journal, lines) = Journal::open(&path, false).unwrap();
        assert!(lines.is_empty());
        journal.write(&Line::Redo { id: "1".into() }).unwrap();
        assert!(Journal::open(&path, false).is_err());
        assert_eq!(Journal::open(&path, true).unwrap().1.len(), 1);
        let other = Settings { game_limit_ms: 9, part: Part::Ai, ..settings.clone() };
        assert_eq!(settings.differences(&other).len(), 2);
        assert!(settings.differences(&settings).is_empty());
    }

    #[test]
    fn a_cut_line_is_left_out_and_a_strange_one_is_named() {
        let (lines, whole) = parse(b"{\"event\":\"redo\",\"id\":\"7\"}\n{\"event\":\"red").unwrap();
        assert_eq!((lines.len(), whole), (1, 26));
        assert!(parse(b"{\"event\":\"redo\",\"id\":\"7\"}\nnonsense\n").unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn a_folder_is_for_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let error = lock(folder.path()).unwrap_err().to_string();
        assert!(error.contains(&std::process::id().to_string()), "{error}");
        drop(first);
        lock(folder.path()).unwrap();
    }
}
