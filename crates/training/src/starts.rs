//! Boards to start training games from.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::Bitboard;
use estr2048_toolbox::{files, position};

/// The boards of a file, 16 numbers a line, whose sums are in this range and on which a move exists, by ascending sum.
///
/// # Errors
/// If the file cannot be read, a line is no board, or no board is left.
pub fn read(path: &Path, sums: &RangeInclusive<u32>) -> Result<Vec<Bitboard>> {
    files::check_readable(path)?;
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut starts = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let board = position::parse(line).and_then(|board| Bitboard::from_board(&board).context("no board of a game"));
        let board = board.with_context(|| format!("{}, line {}", path.display(), number + 1))?;
        if sums.contains(&(board.sum() as u32)) && !board.is_over() {
            starts.push(board);
        }
    }
    ensure!(!starts.is_empty(), "{} holds no boards of these sums", path.display());
    starts.sort_by_key(|board| board.sum());
    Ok(starts)
}
