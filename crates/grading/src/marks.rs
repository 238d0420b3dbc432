//! The marking scheme: the assignment's, or the staff's own in a TOML file.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::basic::{BasicReport, BasicVerdict};
use estr2048_referee::verdict::Verdict;

/// How scores become marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scheme {
    /// Marks by best score: each step says from which score on it holds. In percent of the course.
    pub steps: Vec<Step>,
    /// Bonus by class rank: each says down to which rank it holds.
    pub bonus: Vec<Bonus>,
    /// What a game counts that did not finish.
    pub policy: Policy,
    /// Marks of the basic part.
    pub basic: Basic,
}

/// Marks of the basic part: the share of its scripted games that came out right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Basic {
    /// For all games right. The assignment leaves this to the staff.
    pub full: f64,
}

impl Default for Basic {
    fn default() -> Self {
        Self { full: 10.0 }
    }
}

/// A mark, from a score on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub from: i64,
    pub mark: f64,
}

/// A bonus, down to a rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bonus {
    pub to_rank: usize,
    pub mark: f64,
}

/// What the score of a game that stopped early is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// The sum on the board when the game stopped.
    Keep,
    /// Nothing.
    Zero,
}

/// One rule for each way to stop early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Policy {
    pub timeout: Counts,
    pub illegal_direction: Counts,
    pub illegal_move: Counts,
    pub crash: Counts,
    pub exit: Counts,
    pub memory: Counts,
    pub output_flood: Counts,
    pub sandbox_violation: Counts,
}

impl Default for Policy {
    fn default() -> Self {
        let keep = Counts::Keep;
        Self {
            timeout: keep,
            illegal_direction: keep,
            illegal_move: keep,
            crash: keep,
            exit: keep,
            memory: keep,
            output_flood: keep,
            sandbox_violation: Counts::Zero,
        }
    }
}

impl Policy {
    /// The score of a game that ended with this sum in this way.
    pub fn score(&self, verdict: Verdict, sum: i64) -> i64 {
        let counts = match verdict {
            Verdict::Finished => Counts::Keep,
            Verdict::Timeout => self.timeout,
            Verdict::IllegalDirection => self.illegal_direction,
            Verdict::IllegalMove => self.illegal_move,
            Verdict::Crash => self.crash,
            Verdict::Exit => self.exit,
            Verdict::Memory => self.memory,
            Verdict::OutputFlood => self.output_flood,
            Verdict::SandboxViolation => self.sandbox_violation,
            _ => Counts::Zero,
        };
        if counts == Counts::Keep { sum } else { 0 }
    }

    /// Changes rules by a text like `timeout=zero,illegal-move=zero`.
    pub fn change(&mut self, text: &str) -> Result<()> {
        let mut table = toml::Table::try_from(&*self)?;
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let (name, value) =
                part.split_once('=').with_context(|| format!("--policy {part:?} is not NAME=keep|zero"))?;
            let name = name.trim();
            ensure!(
                table.contains_key(name),
                "--policy has no {name:?}; there are {}",
                table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
            );
            table.insert(name.into(), toml::Value::String(value.trim().into()));
        }
        *self = table.try_into().context("--policy: a value must be keep or zero")?;
        Ok(())
    }
}

impl Default for Scheme {
    fn default() -> Self {
        let steps = [(40, 1.0), (60, 2.0), (80, 3.0), (100, 4.0)];
        let bonus = [(1, 3.0), (3, 2.2), (7, 1.4), (15, 0.6)];
        Self {
            steps: steps.map(|(from, mark)| Step { from, mark }).into(),
            bonus: bonus.map(|(to_rank, mark)| Bonus { to_rank, mark }).into(),
            policy: Policy::default(),
            basic: Basic::default(),
        }
    }
}

impl Scheme {
    /// The scheme in a TOML file; what the file does not mention stays as in the assignment.
    pub fn read(path: &Path) -> Result<Self> {
        estr2048_toolbox::files::check_readable(path)?;
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut scheme: Self = toml::from_str(&text).with_context(|| path.display().to_string())?;
        scheme.steps.sort_by_key(|step| step.from);
        scheme.bonus.sort_by_key(|bonus| bonus.to_rank);
        Ok(scheme)
    }

    /// The mark for a best score.
    pub fn mark(&self, best: i64) -> f64 {
        self.steps.iter().rev().find(|step| best >= step.from).map_or(0.0, |step| step.mark)
    }

    /// The mark for a basic part, to two digits; none where a human must look first.
    pub fn basic_mark(&self, report: &BasicReport) -> Option<f64> {
        match report.verdict {
            BasicVerdict::NeedsHuman => None,
            _ if report.games.iter().any(|game| game.verdict == BasicVerdict::NeedsHuman) => None,
            _ => {
                let share = report.passed() as f64 / report.games.len().max(1) as f64;
                Some((self.basic.full * share * 100.0).round() / 100.0)
            }
        }
    }

    /// The highest mark that a score can bring.
    pub fn full(&self) -> f64 {
        self.steps.iter().map(|step| step.mark).fold(0.0, f64::max)
    }

    /// The bonus for a rank, counted from 1.
    pub fn bonus(&self, rank: usize) -> f64 {
        self.bonus.iter().find(|bonus| rank <= bonus.to_rank).map_or(0.0, |bonus| bonus.mark)
    }
}

/// The rank of each best score, counted from 1; equal scores share the better rank, a score of 0 has none.
pub fn ranks(best: &[i64]) -> Vec<Option<usize>> {
    let better = |score: i64| best.iter().filter(|&&other| other > score).count();
    best.iter().map(|&score| (score > 0).then(|| better(score) + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_assignments() {
        let scheme = Scheme::default();
        let marks = [0, 39, 40, 59, 60, 79, 80, 99, 100, 131_070].map(|best| scheme.mark(best));
        assert_eq!(marks, [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]);
        let bonus = [1, 2, 3, 4, 7, 8, 15, 16].map(|rank| scheme.bonus(rank));
        assert_eq!(bonus, [3.0, 2.2, 2.2, 1.4, 1.4, 0.6, 0.6, 0.0]);
    }

    #[test]
    fn ties_share_the_better_rank() {
        assert_eq!(ranks(&[100, 300, 300, 0, 50]), [Some(3), Some(1), Some(1), None, Some(4)]);
    }

    #[test]
    fn a_policy_is_changed_by_name() {
        let mut policy = Policy::default();
        policy.change("timeout=zero, illegal-move=zero").unwrap();
        assert_eq!(policy.score(Verdict::Timeout, 90), 0);
        assert_eq!(policy.score(Verdict::Crash, 90), 90);
        assert!(policy.change("weather=zero").is_err());
        assert!(policy.change("timeout=sometimes").is_err());
    }
}
