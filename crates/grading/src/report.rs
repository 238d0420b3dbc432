//! What is known about one submission.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::basic::BasicReport;
use crate::statistics::Scores;
use estr2048_referee::game::{Flag, GameRecord};
use estr2048_referee::verdict::Verdict;

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

    /// The scores of all games.
    pub fn scores(&self) -> Scores {
        Scores::of(&self.games.iter().map(|game| game.score).collect::<Vec<_>>())
    }

    /// The first game that did not finish.
    pub fn first_failure(&self) -> Option<&GameRecord> {
        self.games.iter().find(|game| game.verdict != Verdict::Finished)
    }
}
