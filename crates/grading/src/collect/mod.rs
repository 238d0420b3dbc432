//! Finds the submissions in what the staff hand over: zips, folders, and exports of learning systems.
//!
//! Everything is first read into a tree, then cut into units, each of which was sent by one person; a unit can only
//! speak for its own sender. At last each student number gets the unit that has the best right to it.

pub mod export;
pub mod names;
pub mod roster;
mod settle;
mod tree;
mod units;
pub mod unpack;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jiff::civil::DateTime;
use jiff::{Timestamp, Zoned};
use sha2::{Digest, Sha256};

use self::roster::Roster;

/// Everything that one student handed in.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    pub id: String,
    /// The student on the roster.
    pub name: Option<String>,
    /// `aiplayer_<id>.c`
    pub source: Option<PathBuf>,
    /// `aiplayer_<id>.h`
    pub header: Option<PathBuf>,
    /// Other `.h` files beside them.
    pub companions: Vec<PathBuf>,
    /// `basic_<id>.zip`
    pub basic: Option<PathBuf>,
    /// Files that cannot be taken under their names, each with the reason.
    pub misnamed: Vec<String>,
    /// What else was wrong, in words for the student.
    pub trouble: Vec<String>,
    /// Two hand-ins claim this number; only a human can say which one is right. Nobody's name stands in it.
    pub conflict: Option<String>,
    /// What only the staff should read: it may name others.
    pub for_staff: Vec<String>,
    pub late: bool,
}

impl Submission {
    /// A hash of all files, so that a changed submission is not taken for an old one.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for path in [&self.source, &self.header, &self.basic].into_iter().flatten().chain(&self.companions) {
            hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
            hash.update(fs::read(path).unwrap_or_default());
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether there is anything of a computer player, well named or not.
    pub fn has_player(&self) -> bool {
        self.source.is_some() || self.header.is_some() || self.misnamed.iter().any(|name| !name.contains("asic"))
    }
}

/// A file or folder that is no submission, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    pub place: String,
    pub what: String,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// One for each student number, in order.
    pub submissions: Vec<Submission>,
    pub odd: Vec<Odd>,
}

/// When hand-ins begin to be late.
#[derive(Clone, Debug)]
pub struct Due(Zoned);

impl std::str::FromStr for Due {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim().replacen(' ', "T", 1);
        let wrong = || format!("{text:?} is no time; write 2026-11-20T23:59, or with a zone 2026-11-20T23:59+08:00");
        if let Some(at) = text.rfind(['+', 'Z']).or_else(|| text.rfind('-').filter(|&at| at > 10)) {
            let civil: DateTime = text[..at].parse().map_err(|_| wrong())?;
            let instant: Timestamp = format!("{civil}{}", &text[at..]).parse().map_err(|_| wrong())?;
            let offset =
                civil.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| wrong())?.timestamp().duration_since(instant);
            let offset = jiff::tz::Offset::from_seconds(offset.as_secs() as i32).map_err(|_| wrong())?;
            return Ok(Self(instant.to_zoned(offset.to_time_zone())));
        }
        let civil: DateTime = text.parse().map_err(|_| wrong())?;
        civil.to_zoned(jiff::tz::TimeZone::system()).map(Self).map_err(|_| wrong())
    }
}

impl Due {
    /// Whether a system's time lies after this one. Blackboard writes local time, Gradescope an instant.
    fn passed(&self, attempt: &str) -> bool {
        let civil = |text: &str| -> Option<DateTime> {
            let numbers: Vec<i16> = text.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
            let &[year, month, day, hour, minute, second] = &numbers[..] else { return None };
            let small = |number: i16| i8::try_from(number).ok();
            DateTime::new(year, small(month)?, small(day)?, small(hour)?, small(minute)?, small(second)?, 0).ok()
        };
        if let Some(time) = civil(attempt) {
            return time > self.0.datetime();
        }
        let text = attempt.trim().replacen(' ', "T", 1).replace(' ', "");
        text.parse::<Timestamp>().is_ok_and(|time| time > self.0.timestamp())
    }
}

/// What is known beside the files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    pub roster: Option<&'a Roster>,
    pub due: Option<&'a Due>,
    /// A folder that is no submission: the one that results go into.
    pub skip: Option<&'a Path>,
}

/// Finds all submissions below these paths. Zips are unpacked below `work`.
///
/// # Errors
/// For a path that does not exist. Whatever is wrong inside is told in the result.
pub fn collect(paths: &[PathBuf], work: &Path, known: Known<'_>) -> Result<Class> {
    let skip = known.skip.and_then(|path| path.canonicalize().ok());
    let mut reader = tree::Reader::new(work, skip);
    let mut cutter = units::Cutter::new(known);
    for path in paths {
        ensure!(path.exists(), "{} does not exist", path.display());
        let path = path.canonicalize().with_context(|| path.display().to_string())?;
        if path.is_dir() {
            let inside = reader.folder(&path, "", 0, None);
            cutter.survey(inside, units::OWN_NAME);
        } else {
            let alone = paths.len() == 1;
            cutter.named_file(&mut reader, &path, alone);
        }
    }
    let (units, mut odd) = cutter.finish();
    odd.append(&mut reader.odd);
    Ok(settle::settle(units, odd, known.roster))
}

#[cfg(test)]
mod tests;
