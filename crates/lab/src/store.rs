//! Sets of boards on disk: one file for every sum, sorted boards as differences.
//!
//! Little endian: the magic, rows, columns, one bit for each way that tiles may go, one for `--halves` and one for
//! `--corner`, the moves from the full board (one byte each), the sum (32 bits), the floor (a 32-bit float), the number of
//! afterstates (64 bits; full boards, which are to be moved, for the last sum); the differences between ascending boards (7
//! bits a byte, the high bit means that more follow); then, if the floor is below 1, a 32-bit float for each chance.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file;

use crate::grid::Grid;
use crate::retrograde::{Chances, Made};

/// Magic, board, sum and floor.
const HEADER_LEN: usize = 20;

const MAGIC: &[u8; 8] = b"ESTRSET2";

/// The name of the file for boards so many points before the fill.
pub fn path(folder: &Path, points: u32) -> PathBuf {
    folder.join(format!("{points:05}.set"))
}

fn header(grid: &Grid, sum: u32, made: Made) -> Vec<u8> {
    let ways = grid.ways().iter().fold(0, |ways, &way| ways | 1_u8 << way as u8);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([
        grid.rows() as u8,
        grid.cols() as u8,
        ways | u8::from(made.halves) << 4 | u8::from(made.corner) << 5,
        made.last_moves,
    ]);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(made.floor.to_le_bytes());
    bytes
}

/// The fill that the sets of a folder lead to, by the one so many points before it.
pub fn fill(folder: &Path, points: u32) -> Result<u32> {
    let path = path(folder, points);
    let name = || path.display().to_string();
    let bytes = first_bytes(&path)?;
    let sum = bytes.get(12..16).and_then(|sum| sum.try_into().ok()).map(u32::from_le_bytes);
    let fill = sum.filter(|_| bytes.starts_with(MAGIC)).and_then(|sum| sum.checked_add(points));
    fill.with_context(|| format!("{} is no set, or one of an earlier format", name()))
}

fn first_bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(HEADER_LEN as u64).read_to_end(&mut bytes))
        .with_context(|| format!("{}, which `estr2048 lab sets` makes", path.display()))?;
    Ok(bytes)
}

/// How the set so many points before the fill was made.
pub fn made(folder: &Path, grid: &Grid, points: u32) -> Result<Made> {
    let path = path(folder, points);
    let name = || path.display().to_string();
    let bytes = first_bytes(&path)?;
    let no_set = || format!("{} is no set of this board, these ways and this fill, or of an earlier format", name());
    let [ways, last_moves] = *bytes.get(10..).and_then(|rest| rest.first_chunk()).with_context(no_set)?;
    let floor = f32::from_le_bytes(*bytes.last_chunk().with_context(no_set)?);
    let made = Made { floor, last_moves, halves: ways >> 4 & 1 == 1, corner: ways >> 5 & 1 == 1 };
    let sum = grid.fill().checked_sub(points).with_context(no_set)?;
    ensure!(bytes == header(grid, sum, made), no_set());
    Ok(made)
}

/// Writes the afterstates of one sum, or the full boards; a file of that name is replaced only when the new one is whole.
pub fn save(folder: &Path, grid: &Grid, sum: u32, made: Made, afters: &Chances) -> Result<()> {
    let path = path(folder, grid.fill() - sum);
    let mut bytes = header(grid, sum, made);
    bytes.extend((afters.len() as u64).to_le_bytes());
    let mut last = 0;
    for &(board, _) in afters {
        let mut step = board - last;
        last = board;
        while step >= 0x80 {
            bytes.push(step as u8 | 0x80);
            step >>= 7;
        }
        bytes.push(step as u8);
    }
    if made.floor < 1.0 {
        afters.iter().for_each(|&(_, chance)| bytes.extend(chance.to_le_bytes()));
    }
    atomic_file::write(&path, bytes).with_context(|| path.display().to_string())
}

/// Whether the set so many points before the fill was made in this way: an error if not.
pub fn check(folder: &Path, grid: &Grid, points: u32, wanted: Made) -> Result<()> {
    let found = made(folder, grid, points)?;
    ensure!(
        found == wanted,
        "{} was made with{}{} --floor {} and --last-moves {}{}: name another folder, or take these",
        path(folder, points).display(),
        if found.halves { " --halves," } else { "" },
        if found.corner { " --corner," } else { "" },
        found.floor,
        found.last_moves,
        if wanted.corner && !found.corner { ", without --corner" } else { "" }
    );
    Ok(())
}

/// Reads what [`save`] wrote for the same board and in the same way.
pub fn load(folder: &Path, grid: &Grid, points: u32, wanted: Made) -> Result<Chances> {
    check(folder, grid, points, wanted)?;
    let path = path(folder, points);
    let name = || path.display().to_string();
    let bytes = fs::read(&path).with_context(name)?;
    let damaged = || format!("{} is damaged", name());
    let rest = bytes.get(HEADER_LEN..).with_context(damaged)?;
    let (count, mut rest) = rest.split_first_chunk::<8>().with_context(damaged)?;
    let count = u64::from_le_bytes(*count);
    let mut afters = Vec::new();
    let mut board = 0_u64;
    for _ in 0..count {
        let (mut step, mut shift) = (0_u64, 0);
        loop {
            let (&byte, others) = rest.split_first().with_context(damaged)?;
            rest = others;
            step |= u64::from(byte & 0x7f).checked_shl(shift).with_context(damaged)?;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        board = board.checked_add(step).with_context(damaged)?;
        ensure!(grid.fits(board) && grid.sum(board) == grid.fill() - points, damaged());
        afters.push((board, 1.0));
    }
    if wanted.floor < 1.0 {
        for (_, chance) in &mut afters {
            let (bytes, others) = rest.split_first_chunk::<4>().with_context(damaged)?;
            *chance = f32::from_le_bytes(*bytes);
            rest = others;
        }
    }
    ensure!(rest.is_empty(), damaged());
    Ok(afters)
}

/// Reads what [`save`] wrote for the same board, in whatever way.
pub fn load_as_made(folder: &Path, grid: &Grid, points: u32) -> Result<Chances> {
    load(folder, grid, points, made(folder, grid, points)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DIRECTIONS, Way};

    #[test]
    fn sets_come_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        let afters = vec![(0x0002_0345, 0.5), (0x0020_0345, 0.75), (0x0200_0345, 1.0)];
        let as_made = Made { floor: 0.5, last_moves: 20, halves: false, corner: false };
        save(folder.path(), &grid, 60, as_made, &afters).unwrap();
        assert_eq!(made(folder.path(), &grid, 4).unwrap(), as_made);
        assert_eq!(load(folder.path(), &grid, 4, as_made).unwrap(), afters);
        for other in
            [Made { floor: 1.0, ..as_made }, Made { last_moves: 11, ..as_made }, Made { halves: true, ..as_made }]
        {
            let error = load(folder.path(), &grid, 4, other).unwrap_err().to_string();
            assert!(error.contains("--floor 0.5 and --last-moves 20: "), "{error}");
        }
        let error = load(folder.path(), &grid, 4, Made { corner: true, ..as_made }).unwrap_err().to_string();
        assert!(error.contains("--last-moves 20, without --corner: "), "{error}");
        assert!(load(folder.path(), &grid, 6, as_made).is_err(), "another sum");
        let other = Grid::new(2, 3, &[Way::Up, Way::Left]).unwrap();
        assert!(load(folder.path(), &other, 4, as_made).is_err(), "other ways");
        let file = path(folder.path(), 4);
        let bytes = fs::read(&file).unwrap();
        for length in 0..bytes.len() {
            fs::write(&file, &bytes[..length]).unwrap();
            assert!(load(folder.path(), &grid, 4, as_made).is_err(), "cut to {length} bytes");
        }
        for board in [0x0002_0344, 0x1002_0345, 0x0345_0000_0002] {
            save(folder.path(), &grid, 60, as_made, &vec![(board, 0.5)]).unwrap();
            let error = load(folder.path(), &grid, 4, as_made).unwrap_err().to_string();
            assert!(error.contains("is damaged"), "{board:x}: {error}");
        }
        let later = grid.clone().with_fill(96).unwrap();
        save(folder.path(), &later, 92, as_made, &vec![(0x0003_0456, 0.5)]).unwrap();
        assert_eq!(fill(folder.path(), 4).unwrap(), 96);
        assert!(load(folder.path(), &grid, 4, as_made).is_err(), "another fill");
    }
}
