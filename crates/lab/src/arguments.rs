//! What the command lines of the experiments share.

use std::fmt::Display;

use anyhow::Result;
use estr2048_toolbox::{outln, report};
use serde_json::Value;

/// How an experiment tells what it finds.
#[derive(Clone, Copy)]
pub struct Teller {
    pub json: bool,
    pub command: &'static str,
}

impl Teller {
    pub fn head(self, words: impl Display) -> Result<()> {
        if self.json { Ok(()) } else { outln!("{words}") }
    }

    pub fn tell(self, words: impl Display, object: Value) -> Result<()> {
        if self.json { report::print(self.command, &object) } else { outln!("{words}") }
    }
}

/// A number of points before the full board.
pub fn parse_points(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(points) if points >= 2 && points % 2 == 0 => Ok(points),
        _ => Err("expected an even number of points from 2 on".to_owned()),
    }
}
