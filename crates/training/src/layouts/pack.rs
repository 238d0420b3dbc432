//! From weights of layouts in training to those of a network.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use estr2048::network::layouts::{Entry, FILLS, Layouts};

use super::file;
use super::weights::Weights;

/// The chance that one unit of a packed weight stands for.
const STEP: f32 = 1.0 / 8192.0;

/// What to pack.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The trainings; with several, the mean of their weights.
    pub trainings: Vec<PathBuf>,
    /// Weights whose errors add up to less than this in magnitude are dropped.
    pub prune: f32,
    /// What a passed fill is worth, in moves.
    pub worths: [f32; FILLS],
}

/// Packs them; how many weights are kept, and how many were dropped, comes with them.
///
/// # Errors
/// If a file cannot be read, or there is not enough memory.
pub fn pack(settings: &Settings) -> Result<(Layouts, usize)> {
    let Settings { trainings, prune, worths } = settings;
    ensure!(!trainings.is_empty(), "there are no weights of layouts to pack");
    let weights = Weights::zero(false)?;
    for path in trainings {
        file::add(path, &weights, 1.0 / trainings.len() as f32)?;
    }
    let mut dropped = 0;
    let mut entries = Vec::new();
    for (key, [value, _, magnitudes]) in weights.learned() {
        if magnitudes < *prune {
            dropped += 1;
            continue;
        }
        // A float cast to an integer stops at the ends of the range.
        entries.push(Entry { key, weight: (value / STEP).round() as i16, importance: magnitudes });
    }
    let (layouts, without_room) = Layouts::new(STEP, *worths, entries);
    Ok((layouts, dropped + without_room))
}
