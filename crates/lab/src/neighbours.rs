//! Boards near a board: with as many points, or with fewer.

use rand::RngExt;
use rand::rngs::SmallRng;

use crate::grid::{Grid, bits};

/// Tries at a tile that can be made smaller.
const TRIES: usize = 20;

fn code(board: u64, shift: u32) -> u64 {
    board >> shift & 15
}

fn with(board: u64, shift: u32, code: u64) -> u64 {
    board & !(15 << shift) | code << shift
}

/// One of the bits of a mask, none of 0.
pub fn one_of(mask: u64, random: &mut SmallRng) -> Option<u64> {
    bits(mask).nth(random.random_range(0..mask.count_ones().max(1)) as usize)
}

fn an_empty_cell(grid: &Grid, board: u64, random: &mut SmallRng) -> Option<u32> {
    one_of(grid.empty(board), random).map(u64::trailing_zeros)
}

/// Another board with as many points: one to three times, two cells are swapped, a tile is divided over two cells, or two
/// equal tiles are put together.
pub fn changed(grid: &Grid, board: u64, random: &mut SmallRng) -> Option<u64> {
    let shifts = grid.shifts();
    let any = |random: &mut SmallRng| shifts[random.random_range(0..shifts.len())];
    let times = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3][random.random_range(0..10)];
    let mut board = board;
    for _ in 0..times {
        let (one, other) = (any(random), any(random));
        let [tile, second] = [one, other].map(|shift| code(board, shift));
        board = match random.random_range(0..10) {
            0..7 => with(with(board, one, second), other, tile),
            7 | 8 if tile > 1 => {
                let empty = an_empty_cell(grid, board, random)?;
                with(with(board, one, tile - 1), empty, tile - 1)
            }
            9 if tile > 0 && tile < 15 => {
                let twin = shifts.iter().find(|&&shift| shift != one && code(board, shift) == tile)?;
                with(with(board, one, tile + 1), *twin, 0)
            }
            _ => return None,
        };
    }
    Some(board)
}

/// An afterstate of so many points less, a power of two: by moves and new tiles that are taken back, or by smaller tiles,
/// on any empty cells, in place of one.
pub fn lowered(grid: &Grid, after: u64, points: u32, random: &mut SmallRng) -> Option<u64> {
    if random.random_bool(0.6) { taken_back(grid, after, points, random) } else { divided(grid, after, points, random) }
}

fn taken_back(grid: &Grid, after: u64, points: u32, random: &mut SmallRng) -> Option<u64> {
    let mut boards = Vec::new();
    (0..points / 2).try_fold(after, |after, _| {
        boards.clear();
        grid.unmoved(after, &mut boards);
        let board = *boards.get(random.random_range(0..boards.len().max(1)))?;
        Some(board ^ one_of(grid.twos(board), random)?)
    })
}

fn divided(grid: &Grid, after: u64, points: u32, random: &mut SmallRng) -> Option<u64> {
    let lost = u64::from(points.trailing_zeros());
    let shifts = grid.shifts();
    for _ in 0..TRIES {
        let place = shifts[random.random_range(0..shifts.len())];
        let tile = code(after, place);
        // Small tiles more often than large ones.
        if tile < lost || tile > lost + 1 && random.random_bool(0.5) {
            continue;
        }
        if tile == lost {
            return Some(with(after, place, 0));
        }
        // 2^tile - 2^lost is 2^(tile-1) + ... + 2^lost.
        let board = (lost..tile - 1).rev().try_fold(with(after, place, tile - 1), |board, code| {
            an_empty_cell(grid, board, random).map(|empty| with(board, empty, code))
        });
        if board.is_some() {
            return board;
        }
    }
    None
}

/// Whether every tile that a game has put together long ago is there once: those of more than the next power of two above
/// the points that are missing.
pub fn is_tidy(grid: &Grid, board: u64, missing: u32) -> bool {
    let first = (missing + 1).next_power_of_two().trailing_zeros() + 1;
    let once =
        |wanted: u32| grid.shifts().iter().filter(|&&shift| code(board, shift) == u64::from(wanted)).count() == 1;
    (first..grid.cells()).all(once)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;
    use rand::SeedableRng;

    /// An afterstate 192 points before 65536.
    const AFTER: u64 = 0x5001_4169_278b_1aef_u64;

    #[test]
    fn sums_are_kept_or_lowered() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let mut random = SmallRng::seed_from_u64(1);
        let sum = grid.sum(AFTER);
        let (mut kept, mut less) = (0, 0);
        for _ in 0..1000 {
            if let Some(board) = changed(&grid, AFTER, &mut random) {
                assert_eq!(grid.sum(board), sum, "{}", grid.text(board));
                kept += 1;
            }
            for points in [2, 4, 8, 16] {
                if let Some(board) = lowered(&grid, AFTER, points, &mut random) {
                    assert_eq!(grid.sum(board), sum - points, "{}", grid.text(board));
                    less += 1;
                }
            }
        }
        assert!(kept > 500 && less > 1000, "{kept} {less}");
    }

    #[test]
    fn tidy_boards_have_the_large_tiles_once() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let board = 0x0000_0000_9abc_0fed;
        assert_eq!(grid.sum(board), 65536 - 512);
        assert!(is_tidy(&grid, board, 512));
        assert!(is_tidy(&grid, 0x0000_0000_9aac_bfed, 512), "1024 may be there in any form");
        assert!(!is_tidy(&grid, 0x0000_0000_9abb_cfed, 512), "2048 is there twice");
        assert!(!is_tidy(&grid, 0x0000_0000_9ab0_cfed & !0xf000, 256), "512 and 1024 are missing");
    }
}
