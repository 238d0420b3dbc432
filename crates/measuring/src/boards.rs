//! Where the boards of many games go, in an order that does not depend on how many are played at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;

use anyhow::{Context, Result};

/// The file of the boards. Games may end in any order: they are written in that of their numbers, from 0 on, so that one
/// command always makes one file.
#[derive(Debug)]
pub struct Boards {
    file: File,
    /// The number of the game that comes next.
    next: u64,
    /// Games that have ended before it did.
    waiting: BTreeMap<u64, String>,
}

impl Boards {
    pub(crate) fn new(file: File) -> Self {
        Self { file, next: 0, waiting: BTreeMap::new() }
    }

    /// Takes the lines of a game, and writes all for which there is nothing left to wait.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, number: u64, lines: String) -> Result<()> {
        self.waiting.insert(number, lines);
        while let Some(lines) = self.waiting.remove(&self.next) {
            self.write(&lines)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Writes what waits for games that have not ended and never will.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        std::mem::take(&mut self.waiting).values().try_for_each(|lines| self.write(lines))
    }

    fn write(&mut self, lines: &str) -> Result<()> {
        self.file.write_all(lines.as_bytes()).context("cannot write to the file of --boards")
    }
}
