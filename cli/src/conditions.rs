//! What a submission may use: the options that `estr2048 grade` and `estr2048 check` share.

use std::time::Duration;

use anyhow::{Result, ensure};
use estr2048_referee::compile;
use estr2048_referee::game::GameRules;
use estr2048_referee::player::Limits;
use estr2048_referee::sandbox::isolation::Level;
use estr2048_referee::sandbox::probe;

use crate::named::{Named, one_of};

/// What a submission may use: the same for `grade` and `check`.
#[derive(Clone, Debug, clap::Args)]
pub struct Conditions {
    /// Wall time of a move: 5s, 200ms [default: 5s]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub move_limit: Option<Duration>,
    /// Wall time of a whole game, or `none` [default: 15m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub game_limit: Option<Limit>,
    /// Memory of a player, in MB [default: 1024]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub memory: Option<u64>,
    /// Options for the C compiler [default: those of `estr2048 check`, see docs/grading.md]
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,
    /// Refuse to run if submissions cannot be locked up at least this far [default: L2 to grade, L1 to check]
    #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS))]
    pub require_isolation: Option<Level>,
    /// Lock submissions up this far, even if more is possible
    #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS))]
    pub isolation: Option<Level>,
}

const LEVELS: [Named<Level>; 3] = [
    (&["L1", "l1", "1"], Level::L1, "Resource limits only"),
    (&["L2", "l2", "2"], Level::L2, "Also no files (Landlock) and only harmless system calls (seccomp)"),
    (&["L3", "l3", "3"], Level::L3, "Also namespaces of its own: no other process, no network, an empty file system"),
];

impl Conditions {
    /// The level that holds here, and a sentence about it. Below `least` it is refused, unless it is asked for by name.
    pub fn level(&self, least: Level) -> Result<(Level, String)> {
        let (strongest, reasons) = probe::strongest_level()?;
        let level = self.isolation.map_or(strongest, |wanted| wanted.min(strongest));
        if let Some(required) = self.require_isolation {
            ensure!(
                level >= required,
                "isolation {required} is required, but only {level} is there ({}). Use another machine, or lower --require-isolation",
                if reasons.is_empty() { "chosen by --isolation".into() } else { reasons.join("; ") }
            );
        } else if self.isolation != Some(level) {
            ensure!(
                level >= least,
                "this machine cannot lock submissions up: only {level} is there ({}). `estr2048 grade --doctor` says what \
                 to install or allow; --isolation {level} runs all the same, and then a submission can read, change and \
                 kill whatever you can",
                reasons.join("; ")
            );
        }
        let mut text = format!("isolation {level}: {}", level.explanation());
        for reason in reasons {
            text.push_str(&format!("\n  not {reason}"));
        }
        Ok((level, text))
    }

    /// Wall time of a move.
    pub fn move_limit(&self) -> Duration {
        self.move_limit.unwrap_or(Duration::from_secs(5))
    }

    /// Wall time of a game, if it is limited. A player that takes nearly its five seconds for every move would take
    /// hours otherwise.
    pub fn game_limit(&self) -> Option<Duration> {
        self.game_limit.map_or(Some(Duration::from_secs(15 * 60)), |limit| limit.0)
    }

    /// Memory of a player, in MB.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(1024)
    }

    /// Options for the C compiler.
    pub fn cflags(&self) -> &str {
        self.cflags.as_deref().unwrap_or(compile::DEFAULT_FLAGS)
    }

    /// The rules of every game at this level.
    pub fn rules(&self, level: Level) -> GameRules {
        let memory = self.memory() << 20;
        let limits = Limits { level, move_time: self.move_limit(), memory, output: 1 << 20 };
        GameRules { limits, game_time: self.game_limit(), output: 16 << 20, most_moves: usize::MAX }
    }
}

/// A time, or none.
#[derive(Clone, Copy, Debug)]
pub struct Limit(pub Option<Duration>);

fn parse_limit(text: &str) -> Result<Limit, String> {
    if text.trim() == "none" { Ok(Limit(None)) } else { parse_time(text).map(|time| Limit(Some(time))) }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = match text.find(|letter: char| letter.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is no unit; use ms, s, m or h")),
    };
    let number: f64 = number.trim().parse().map_err(|_| format!("{text:?} is no time; write 5s or 200ms"))?;
    let time = Duration::try_from_secs_f64(number * factor).map_err(|error| error.to_string())?;
    if time < Duration::from_millis(1) { Err("at least 1ms".into()) } else { Ok(time) }
}
