//! Sets of boards on disk: one file for every sum, sorted boards as differences.
//!
//! Little endian: the magic, rows, columns, one bit for each way that tiles may go, a zero byte, the sum (32 bits), the
//! floor (a 32-bit float), the number of afterstates (64 bits; full boards, which are to be moved, for the last sum); the differences between ascending boards (7 bits a byte,
//! the high bit means that more follow); then, if the floor is below 1, a 32-bit float for each chance.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file;

use crate::grid::Grid;
use crate::retrograde::Chances;

const MAGIC: &[u8; 8] = b"ESTRSET1";

/// The name of the file for boards so many points before the target.
pub fn path(folder: &Path, points: u32) -> PathBuf {
    folder.join(format!("{points:05}.set"))
}

fn header(grid: &Grid, sum: u32, floor: f32) -> Vec<u8> {
    let ways = grid.ways().iter().fold(0, |ways, &way| ways | 1_u8 << way as u8);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([grid.rows() as u8, grid.cols() as u8, ways, 0]);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(floor.to_le_bytes());
    bytes
}

/// Writes the afterstates of one sum, or the full boards; a file of that name is replaced only when the new one is whole.
pub fn save(folder: &Path, grid: &Grid, sum: u32, floor: f32, afters: &Chances) -> Result<()> {
    let path = path(folder, grid.target() - sum);
    let mut bytes = header(grid, sum, floor);
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
    if floor < 1.0 {
        afters.iter().for_each(|&(_, chance)| bytes.extend(chance.to_le_bytes()));
    }
    atomic_file::write(&path, bytes).with_context(|| path.display().to_string())
}

/// Reads what [`save`] wrote for the same board and floor.
pub fn load(folder: &Path, grid: &Grid, points: u32, floor: f32) -> Result<Chances> {
    let path = path(folder, points);
    let name = || path.display().to_string();
    let bytes = fs::read(&path).with_context(name)?;
    let header = header(grid, grid.target() - points, floor);
    ensure!(bytes.starts_with(&header), "{} is no set of this board, these ways and this floor", name());
    let damaged = || format!("{} is damaged", name());
    let (count, mut rest) = bytes[header.len()..].split_first_chunk::<8>().with_context(damaged)?;
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
        afters.push((board, 1.0));
    }
    if floor < 1.0 {
        for (_, chance) in &mut afters {
            let (bytes, others) = rest.split_first_chunk::<4>().with_context(damaged)?;
            *chance = f32::from_le_bytes(*bytes);
            rest = others;
        }
    }
    ensure!(rest.is_empty(), damaged());
    Ok(afters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DIRECTIONS, Way};

    #[test]
    fn sets_come_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        let afters = vec![(1, 0.5), (0x0112_0034, 0.75), (0x0221_0034, 1.0)];
        save(folder.path(), &grid, 60, 0.5, &afters).unwrap();
        assert_eq!(load(folder.path(), &grid, 4, 0.5).unwrap(), afters);
        assert!(load(folder.path(), &grid, 4, 1.0).is_err(), "another floor");
        assert!(load(folder.path(), &grid, 6, 0.5).is_err(), "another sum");
        let other = Grid::new(2, 3, &[Way::Up, Way::Left]).unwrap();
        assert!(load(folder.path(), &other, 4, 0.5).is_err(), "other ways");
        let file = path(folder.path(), 4);
        let bytes = fs::read(&file).unwrap();
        for length in 0..bytes.len() {
            fs::write(&file, &bytes[..length]).unwrap();
            assert!(load(folder.path(), &grid, 4, 0.5).is_err(), "cut to {length} bytes");
        }
    }
}
