//! Boards whose largest tiles are walls.

use estr2048::Bitboard;
use estr2048::network::tops;

use crate::grid::{Grid, bits, holding};
use crate::walls::cells::WALL;

/// The lowest bits of the cells with walls.
#[inline]
pub fn walls(board: u64) -> u64 {
    holding(board, WALL)
}

/// The cells that the walls leave: the smallest wall is the tile 2^(n+1) for n of them.
#[inline]
pub fn free(board: u64) -> u32 {
    16 - walls(board).count_ones()
}

/// A board of a game that has a 65536, with its tiles from there down to the largest missing one as walls, in one of its
/// symmetric forms.
pub fn walled(grid: &Grid, board: Bitboard) -> u64 {
    let least = 17 - tops(board);
    let code = |cell| {
        let code = board.code(cell);
        if usize::from(code) < least { u64::from(code) } else { WALL }
    };
    grid.canonical((0..16).fold(0, |cells, cell| cells | code(cell) << (4 * cell)))
}

/// The points of all tiles but the walls.
#[inline]
pub fn points(grid: &Grid, board: u64) -> u32 {
    grid.sum(board & !(WALL * walls(board)))
}

/// The moves to the end of the game from a board that is to be moved.
#[inline]
pub fn moves_left(grid: &Grid, board: u64) -> u32 {
    ((2 << free(board)) - 2 - points(grid, board)) / 2
}

/// The boards that a new 2 makes of an afterstate, in one of their symmetric forms.
#[inline]
pub fn with_two(grid: &Grid, after: u64) -> impl Iterator<Item = u64> {
    bits(grid.empty(after)).map(move |two| grid.canonical(after | two))
}

/// Whether a game can come to this board that is to be moved. From the 2 that was added last of those in it, a tile 2^k takes
/// k - 1 moves: as long as the points are fewer moves behind a multiple of 2^k, the tiles from 2^k on do not add up to it.
pub fn is_in_time(grid: &Grid, board: u64) -> bool {
    let (free, points) = (free(board), points(grid, board));
    let in_time = |code: u32| {
        let made: u32 = (code..WALL as u32).map(|code| holding(board, code.into()).count_ones() << code).sum();
        let behind = points % (1 << code) / 2;
        made == 0 || behind + 1 >= code || made + behind * 2 < points
    };
    // The smallest wall is a tile that was made, too.
    points / 2 >= free && (2..=free).all(in_time)
}
