//! Solved boards on disk: a file for each number of moves that are left.
//!
//! A Zstandard stream, little endian: the magic, the moves (32 bits), the [rules](Rules) (a 32-bit float, twice 64 and once
//! 32 bits), the free cells at the fill (32 bits; 0 for the end), the [layouts](super::walled::Layouts) (the points, their
//! number, 32 bits each, and their cells, 64 bits each), the number of boards (64 bits), and for each, by ascending boards,
//! its packed cells (64 bits) and its chance (a 32-bit float).

use std::array;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file::AtomicFile;

use super::backwards::{Problem, Rules};
use super::goal::Goal;
use crate::retrograde::Chances;

const MAGIC: &[u8; 8] = b"ESTREND2";

/// Bytes of what comes before the layouts.
const FIXED_LEN: usize = 8 + 4 + 4 + 8 + 8 + 4 * 4;

/// Bytes of a board and its chance.
const ENTRY_LEN: usize = 12;

/// The name of the file for boards with so many moves left.
pub fn path(folder: &Path, left: u32) -> PathBuf {
    folder.join(format!("{left:05}.end"))
}

fn header(left: u32, problem: &Problem) -> Vec<u8> {
    let Rules { floor, most, most_at_fills, late } = problem.rules;
    let at_fill = match problem.goal {
        Goal::End => 0,
        Goal::Fill { free, .. } => free,
    };
    let layouts = problem.layouts.sets();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(left.to_le_bytes());
    bytes.extend(floor.to_le_bytes());
    bytes.extend((most as u64).to_le_bytes());
    bytes.extend((most_at_fills as u64).to_le_bytes());
    bytes.extend([late, at_fill, problem.layouts.anywhere(), layouts.len() as u32].map(u32::to_le_bytes).concat());
    layouts.into_iter().for_each(|set| bytes.extend(set.to_le_bytes()));
    bytes
}

/// Writes the boards with so many moves left; a file of that name is replaced only when the new one is whole.
///
/// # Errors
/// If the file cannot be written.
pub fn save(folder: &Path, left: u32, problem: &Problem, boards: &Chances) -> Result<()> {
    let path = path(folder, left);
    let write = || {
        let mut packer = zstd::Encoder::new(AtomicFile::create(&path)?, 1)?;
        packer.include_checksum(true)?;
        let mut out = BufWriter::with_capacity(1 << 20, packer);
        out.write_all(&header(left, problem))?;
        out.write_all(&(boards.len() as u64).to_le_bytes())?;
        for (board, chance) in boards {
            out.write_all(&board.to_le_bytes())?;
            out.write_all(&chance.to_le_bytes())?;
        }
        let packed = out.into_inner().map_err(|error| error.into_error())?;
        packed.finish().and_then(AtomicFile::finish)
    };
    write().with_context(|| path.display().to_string())
}

/// The most moves left of which a folder has boards, if every smaller number is there as well; 0 if it has none.
///
/// # Errors
/// If the folder cannot be read.
pub fn solved(folder: &Path) -> Result<u32> {
    let mut there = Vec::new();
    for file in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let name = file.with_context(|| folder.display().to_string())?.file_name();
        there.extend(name.to_str().and_then(|name| name.strip_suffix(".end")?.parse::<u32>().ok()));
    }
    there.sort_unstable();
    Ok(there.iter().zip(1..).take_while(|&(&left, number)| left == number).count() as u32)
}

/// The goal that the boards with so many moves left in this folder were solved for, and their chances.
///
/// # Errors
/// If the file cannot be read, or is no such file.
pub fn load_any(folder: &Path, left: u32) -> Result<(Goal, Chances)> {
    let path = path(folder, left);
    let other = || not_ours(&path);
    let mut input = unpacked(&path)?;
    let mut fixed = [0; FIXED_LEN];
    input.read_exact(&mut fixed).with_context(other)?;
    let word = |at: usize| u32::from_le_bytes(array::from_fn(|byte| fixed[at + byte]));
    ensure!(fixed.starts_with(MAGIC) && word(MAGIC.len()) == left, other());
    let [late, free, _, layouts] = array::from_fn(|place| word(FIXED_LEN - 16 + 4 * place));
    let mut layouts = input.by_ref().take(8 * u64::from(layouts));
    std::io::copy(&mut layouts, &mut std::io::sink()).with_context(other)?;
    let goal = if free == 0 { Goal::End } else { Goal::Fill { free, late } };
    ensure!(free < 16 && late < 1 << 16, other());
    Ok((goal, boards(&mut input).with_context(other)?))
}

/// Reads what [`save`] wrote for the same problem.
///
/// # Errors
/// If the file cannot be read, is no such file, or was written for another problem.
pub fn load(folder: &Path, left: u32, problem: &Problem) -> Result<Chances> {
    let path = path(folder, left);
    let other = || not_ours(&path);
    let mut input = unpacked(&path)?;
    let wanted = header(left, problem);
    let mut found = Vec::new();
    input.by_ref().take(wanted.len() as u64).read_to_end(&mut found).with_context(other)?;
    let its_own = MAGIC.len() + size_of_val(&left);
    ensure!(found.get(..its_own) == wanted.get(..its_own), other());
    ensure!(
        found == wanted,
        "{} was made with another --floor, --most, --most-at-fills, --late, --fill or other --layouts: name another folder, or \
         take these",
        path.display()
    );
    boards(&mut input).with_context(other)
}

/// The bytes of a file of boards.
fn unpacked(path: &Path) -> Result<impl Read> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    Ok(BufReader::with_capacity(1 << 20, zstd::Decoder::new(file).with_context(name)?))
}

fn not_ours(path: &Path) -> String {
    format!("{} is no file of `estr2048 lab endgame`, or was damaged", path.display())
}

/// What follows the header: all boards, and nothing else.
fn boards(input: &mut impl Read) -> Result<Chances> {
    let mut count = [0; 8];
    input.read_exact(&mut count)?;
    let mut boards = Chances::new();
    for _ in 0..u64::from_le_bytes(count) {
        let mut entry = [0; ENTRY_LEN];
        input.read_exact(&mut entry)?;
        let [board @ .., a, b, c, d] = entry;
        boards.push((u64::from_le_bytes(board), f32::from_le_bytes([a, b, c, d])));
    }
    ensure!(input.read(&mut [0])? == 0, "more follows");
    ensure!(boards.is_sorted_by(|a, b| a.0 < b.0), "boards are out of order");
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::walled::Layouts;
    use crate::grid::{DIRECTIONS, Grid};

    const RULES: Rules = Rules { floor: 0.5, most: 7, most_at_fills: 70, late: 3 };

    fn problem<'a>(grid: &'a Grid, layouts: &'a Layouts) -> Problem<'a> {
        Problem { grid, goal: Goal::End, layouts, rules: RULES }
    }

    #[test]
    fn what_was_written_comes_back_and_only_for_the_same_problem() {
        let folder = tempfile::tempdir().unwrap();
        let boards: Chances = vec![(3, 0.25), (0x1234_5678_9abc_def0, 1.0)];
        let (grid, all) = (Grid::new(4, 4, &DIRECTIONS).unwrap(), Layouts::default());
        let some = Layouts::new(&grid, &[0xff], 3);
        let problem = problem(&grid, &all);
        for left in [1, 2, 4] {
            save(folder.path(), left, &problem, &boards).unwrap();
        }
        assert_eq!(solved(folder.path()).unwrap(), 2);
        assert_eq!(load(folder.path(), 4, &problem).unwrap(), boards);
        let others = [
            Problem { rules: Rules { most: 8, ..RULES }, ..problem },
            Problem { goal: Goal::Fill { free: 10, late: 3 }, ..problem },
            Problem { layouts: &some, ..problem },
        ];
        for other in others {
            let error = load(folder.path(), 1, &other).unwrap_err().to_string();
            assert!(error.contains("--most"), "{error}");
            save(folder.path(), 9, &other, &boards).unwrap();
            assert_eq!(load(folder.path(), 9, &other).unwrap(), boards);
            assert_eq!(load_any(folder.path(), 9).unwrap(), (other.goal, boards.clone()));
            assert!(load(folder.path(), 9, &problem).is_err());
        }
        fs::rename(path(folder.path(), 1), path(folder.path(), 3)).unwrap();
        let moved = load(folder.path(), 3, &problem).unwrap_err().to_string();
        assert!(moved.contains("is no file of"), "{moved}");
        assert!(load(folder.path(), 1, &problem).is_err());
        assert!(load_any(folder.path(), 3).is_err());
    }

    #[test]
    fn damaged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (grid, all) = (Grid::new(4, 4, &DIRECTIONS).unwrap(), Layouts::default());
        let problem = problem(&grid, &all);
        save(folder.path(), 1, &problem, &vec![(3, 0.25), (9, 1.0)]).unwrap();
        let whole = fs::read(path(folder.path(), 1)).unwrap();
        for length in 0..whole.len() {
            fs::write(path(folder.path(), 1), &whole[..length]).unwrap();
            assert!(load(folder.path(), 1, &problem).is_err(), "{length} bytes");
            assert!(load_any(folder.path(), 1).is_err(), "{length} bytes");
        }
    }
}
