//! What is known about one basic part.

use serde::{Deserialize, Serialize};

/// How the basic part, or one game of it, went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BasicVerdict {
    Passed,
    NeedsHuman,
    Wrong,
    Timeout,
    Crash,
    CompileError,
    MissingFile,
}

/// Everything about one basic part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BasicReport {
    pub verdict: BasicVerdict,
    pub detail: String,
    pub games: Vec<BasicGame>,
    /// Known causes of what went wrong.
    pub causes: Vec<String>,
    /// Messages that the assignment asks for and the program does not print.
    pub missing_messages: Vec<String>,
    pub compiler: String,
}

impl BasicReport {
    /// A report that one sentence says all of.
    pub fn only(verdict: BasicVerdict, detail: impl Into<String>) -> Self {
        let (games, causes, missing_messages) = (Vec::new(), Vec::new(), Vec::new());
        Self { verdict, detail: detail.into(), games, causes, missing_messages, compiler: String::new() }
    }

    /// Number of games without a fault.
    pub fn passed(&self) -> usize {
        self.games.iter().filter(|game| game.passed()).count()
    }
}

/// One scripted game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BasicGame {
    pub name: String,
    pub verdict: BasicVerdict,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
}

impl BasicGame {
    pub fn passed(&self) -> bool {
        self.verdict == BasicVerdict::Passed
    }
}
