//! Afterstates with known chances, to learn from without games: `estr2048 lab wall-starts --lessons` writes them.

use std::io::{BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::Bitboard;
use estr2048::atomic_file::AtomicFile;
use estr2048_toolbox::position;

use crate::starts;

/// An afterstate and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    pub after: Bitboard,
    /// The chance, from 0 to 1, to make the tile that games end with (`--worth-of-top`).
    pub chance: f32,
}

/// Writes lessons, 16 numbers and the chance a line.
///
/// # Errors
/// If the file cannot be written.
pub fn write<'a>(path: &Path, lessons: impl Iterator<Item = &'a Lesson>) -> Result<()> {
    let name = || format!("cannot save to {}", path.display());
    let mut out = BufWriter::new(AtomicFile::create(path).with_context(name)?);
    for Lesson { after, chance } in lessons {
        let line = position::line(&after.to_board());
        writeln!(out, "{} {chance:.4}", line.trim_end()).with_context(name)?;
    }
    let file = out.into_inner().map_err(|error| error.into_error()).with_context(name)?;
    file.finish().with_context(name)
}

/// The lessons of a file whose sums are in this range.
///
/// # Errors
/// If the file cannot be read, a line is no lesson, or none is left.
pub fn read(path: &Path, sums: &RangeInclusive<u32>) -> Result<Vec<Lesson>> {
    let mut lessons = starts::parsed(path, parse)?;
    lessons.retain(|lesson| sums.contains(&(lesson.after.sum() as u32)));
    ensure!(!lessons.is_empty(), "{} holds no lessons of these sums", path.display());
    Ok(lessons)
}

fn parse(line: &str) -> Result<Lesson> {
    let words = line.split_whitespace().count();
    ensure!(words == 17, "expected 16 numbers and a chance, 17 in all, not {words}");
    let (board, chance) = line.trim().rsplit_once(char::is_whitespace).unwrap_or_default();
    let after = starts::board(board)?;
    ensure!(after.count_empty() > 0, "no board after a move: it has no empty cell");
    let known: Option<f32> = chance.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    let chance = known.with_context(|| format!("{chance:?} is no chance from 0 to 1"))?;
    Ok(Lesson { after, chance })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lessons.txt");
        let after = |two| Bitboard::default().with_two(two);
        let lessons = [Lesson { after: after(3), chance: 0.25 }, Lesson { after: after(5).with_two(6), chance: 1.0 }];
        write(&path, lessons.iter()).unwrap();
        assert_eq!(read(&path, &(0..=4)).unwrap(), lessons);
        assert_eq!(read(&path, &(0..=2)).unwrap(), lessons[..1]);
        assert!(read(&path, &(6..=8)).unwrap_err().to_string().contains("no lessons of these sums"));
    }

    #[test]
    fn what_is_no_lesson_is_refused() {
        let full = [2, 4].repeat(8).iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let empty = "0 ".repeat(15);
        for (line, complaint) in [
            (format!("{empty}2"), "17 in all, not 16"),
            (format!("{empty}2 1.5"), "\"1.5\" is no chance"),
            (format!("{empty}2 NaN"), "\"NaN\" is no chance"),
            (format!("{empty}3 0.5"), "no board of a game"),
            (format!("{full} 0.5"), "no empty cell"),
            ("0.5".to_string(), "17 in all, not 1"),
        ] {
            let error = parse(&line).unwrap_err().to_string();
            assert!(error.contains(complaint), "{line}: {error}");
        }
    }
}
