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
    let mut starts = parsed(path, board)?;
    starts.retain(|&board| sums.contains(&(board.sum() as u32)) && !board.is_over());
    ensure!(!starts.is_empty(), "{} holds no boards of these sums", path.display());
    starts.sort_by_key(|board| board.sum());
    Ok(starts)
}

/// A board of a game, from 16 numbers.
pub(crate) fn board(text: &str) -> Result<Bitboard> {
    Bitboard::from_board(&position::parse(text)?).context("no board of a game")
}

/// What the lines of a file say; blank ones say nothing.
pub(crate) fn parsed<T>(path: &Path, parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    files::check_readable(path)?;
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let place = |number| format!("{}, line {}", path.display(), number + 1);
    lines.map(|(number, line)| parse(line).with_context(|| place(number))).collect()
}
