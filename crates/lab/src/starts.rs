//! Boards of 4×4, sure ones or those of a ladder, as positions that `estr2048 train` starts its games from.

use std::path::Path;

use anyhow::Result;

use crate::grid::{Grid, bits};
use crate::retrograde::spread;
use crate::store;

/// Boards to be moved that follow the afterstates of a folder, up to `down_to` points before the target: at most `each` of
/// a sum, evenly spread over its set, a line of numbers in reading order for each.
///
/// # Errors
/// If no such set is in the folder, or one was made for another board.
pub fn lines(folder: &Path, grid: &Grid, down_to: u32, each: usize) -> Result<String> {
    let mut lines = String::new();
    let is_there = |points: &u32| store::path(folder, *points).exists();
    let mut sums: Vec<u32> = (2..=down_to).step_by(2).filter(is_there).collect();
    if sums.is_empty() {
        // What is said of a missing set tells which command makes it.
        sums.push(2);
    }
    for points in sums {
        let afters = store::load_as_made(folder, grid, points)?;
        for (index, (after, _)) in spread(&afters, each).enumerate() {
            let cells: Vec<u64> = bits(grid.empty(after)).collect();
            // The new tile falls on another of the empty cells each time.
            let board = after | cells[index % cells.len()];
            let tiles: Vec<String> = grid.unpacked(board).iter().flatten().map(u32::to_string).collect();
            lines.push_str(&tiles.join(" "));
            lines.push('\n');
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;
    use crate::retrograde::Made;

    #[test]
    fn boards_follow_their_afterstates() {
        let folder = tempfile::tempdir().unwrap();
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        let made = Made { floor: 1.0, last_moves: 5, halves: false, corner: false };
        let afters = vec![(0x0020_0345, 1.0), (0x0023_0054, 1.0), (0x0023_0504, 1.0)];
        store::save(folder.path(), &grid, 60, made, &afters).unwrap();
        assert_eq!(lines(folder.path(), &grid, 4, 9).unwrap(), "32 16 8 2 4 0\n16 32 0 8 4 2\n16 2 32 8 4 0\n");
        assert_eq!(lines(folder.path(), &grid, 4, 2).unwrap(), "32 16 8 2 4 0\n16 0 32 8 4 2\n");
        assert_eq!(
            lines(folder.path(), &grid, 6, 9).unwrap(),
            lines(folder.path(), &grid, 4, 9).unwrap(),
            "the others are not there"
        );
        assert!(lines(&folder.path().join("none"), &grid, 2, 2).is_err());
    }
}
