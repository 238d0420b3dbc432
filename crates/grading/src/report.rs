//! What is known about one submission.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::basic::BasicReport;
use crate::slug::slug;
use crate::statistics::Scores;
use estr2048_referee::game::{Flag, GameRecord};
use estr2048_referee::verdict::Verdict;

/// Which parts of the assignment are graded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    #[default]
    Both,
    /// The computer player alone.
    Ai,
    /// The basic part alone.
    Basic,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Both => "both",
            Self::Ai => "ai",
            Self::Basic => "basic",
        })
    }
}

/// How one check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Pass,
    /// Worth a word, but it costs nothing.
    Warn,
    Fail,
    /// Could not be made because of an earlier one.
    Skipped,
}

/// One line of a student's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub name: String,
    pub status: Status,
    pub text: String,
}

/// Everything about one submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub id: String,
    pub digest: String,
    pub verdict: Verdict,
    pub detail: String,
    pub checks: Vec<Check>,
    pub flags: BTreeMap<Flag, String>,
    /// What the compiler said.
    pub compiler: String,
    #[serde(skip)]
    pub games: Vec<GameRecord>,
    /// A C program that repeats the failing game.
    pub repro: Option<String>,
    /// What the sanitizers said about it.
    pub sanitizer: Option<String>,
    pub basic: Option<BasicReport>,
    /// What was graded.
    #[serde(default)]
    pub part: Part,
    /// Handed in after the end.
    #[serde(default)]
    pub late: bool,
    /// The student's name on the roster; it stands in no page that others get.
    #[serde(skip)]
    pub name: Option<String>,
    /// What only the staff should read: it may name others.
    #[serde(skip)]
    pub for_staff: Vec<String>,
    /// The files, for the comparison of the class.
    #[serde(skip)]
    pub files: Vec<std::path::PathBuf>,
}

impl Report {
    pub fn new(id: &str, digest: String) -> Self {
        Self {
            id: id.into(),
            digest,
            verdict: Verdict::Finished,
            detail: String::new(),
            checks: Vec::new(),
            flags: BTreeMap::new(),
            compiler: String::new(),
            games: Vec::new(),
            repro: None,
            sanitizer: None,
            basic: None,
            part: Part::Both,
            late: false,
            name: None,
            for_staff: Vec::new(),
            files: Vec::new(),
        }
    }

    pub fn check(&mut self, name: &str, status: Status, text: impl Into<String>) {
        self.checks.push(Check { name: name.into(), status, text: text.into() });
    }

    pub fn flag(&mut self, flag: Flag, text: impl Into<String>) {
        self.flags.entry(flag).or_insert(text.into());
    }

    /// Records what decides the submission's fate, unless something did so before.
    pub fn decide(&mut self, verdict: Verdict, detail: impl Into<String>) {
        if self.verdict == Verdict::Finished {
            self.verdict = verdict;
            self.detail = detail.into();
        }
    }

    /// The verdict in a word: the player's, or the basic part's where only that was graded.
    pub fn result(&self) -> String {
        match (self.part, &self.basic) {
            (Part::Basic, Some(basic)) => slug(basic.verdict).replace('-', " "),
            (Part::Basic, None) => Verdict::MissingFile.to_string(),
            _ => self.verdict.to_string(),
        }
    }

    /// The scores of all games.
    pub fn scores(&self) -> Scores {
        Scores::of(&self.games.iter().map(|game| game.score).collect::<Vec<_>>())
    }

    /// The first game that did not finish.
    pub fn first_failure(&self) -> Option<&GameRecord> {
        self.games.iter().find(|game| game.verdict != Verdict::Finished)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A finished game of this score.
    pub fn game(score: i64) -> GameRecord {
        let text = format!(
            r#"{{"seed":"1","verdict":"finished","detail":"","sum":{score},"score":{score},"tile":16,"moves":2,"move_string":"LU",
            "spawns":"012","times_us":[5,7],"cpu_us":9,"slowest_cpu_us":5,"board":[2,2,2,0,0,0,0,0,0,0,0,0,0,0,0,0],"flags":{{}},
            "printed":""}}"#
        );
        serde_json::from_str(&text).expect("a game")
    }
}
