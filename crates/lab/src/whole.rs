//! A whole game on a small board: every board that play can reach, and what best play makes of it.

use rayon::prelude::*;

use crate::grid::{Grid, bits};
use crate::retrograde::Table;

/// What a whole solution says.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// Boards to be moved that some play reaches, symmetric ones counted once.
    pub states: usize,
    /// Those of them that a game begins with: a single 2.
    pub first: usize,
    /// Chance to make the tile 2^cells under the play that is best for that.
    pub target: f32,
    /// Chance of the highest sum, every tile from 2 to 2^cells once, under the play that is best for that.
    pub ceiling: f32,
}

/// Solves the game; for at most nine cells or so.
pub fn solve(grid: &Grid) -> Solution {
    let follow = |after: u64| bits(grid.empty(after)).map(move |cell| grid.canonical(after | cell));
    let mut layers = vec![sorted(follow(0).collect())];
    while let Some(last) = layers.last().filter(|layer| !layer.is_empty()) {
        let next = last.par_iter().flat_map_iter(|&board| grid.afters(board).flat_map(follow));
        layers.push(sorted(next.collect()));
    }
    let first = layers[0].len();
    let states = layers.iter().map(Vec::len).sum();
    let highest = 2 * grid.target() - 2;
    let target = |after: u64| grid.holds(after, grid.cells()).then_some(1.0);
    let ceiling = |board: u64| if grid.sum(board) == highest { 1.0 } else { 0.0 };
    Solution {
        states,
        first,
        target: backwards(grid, &layers, target, |_| 0.0),
        ceiling: backwards(grid, &layers, |_| None, ceiling),
    }
}

fn sorted(mut boards: Vec<u64>) -> Vec<u64> {
    boards.par_sort_unstable();
    boards.dedup();
    boards
}

/// The value of the empty afterstate: `won` says whether an afterstate is decided, `end` what a lost board is worth.
fn backwards(
    grid: &Grid,
    layers: &[Vec<u64>],
    won: impl Fn(u64) -> Option<f32> + Sync,
    end: impl Fn(u64) -> f32 + Sync,
) -> f32 {
    let mut later = Table::new(&[]);
    let mean = |later: &Table, after: u64| {
        let empty = grid.empty(after);
        bits(empty).map(|cell| later.get(grid.canonical(after | cell))).sum::<f32>() / empty.count_ones() as f32
    };
    for layer in layers.iter().rev() {
        let value = |board: u64| {
            let values = grid.afters(board).map(|after| won(after).unwrap_or_else(|| mean(&later, after)));
            values.reduce(f32::max).unwrap_or_else(|| end(board))
        };
        later = Table::new(&layer.par_iter().map(|&board| (board, value(board))).collect::<Vec<_>>());
    }
    mean(&later, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;

    fn solution(rows: u32, cols: u32) -> Solution {
        solve(&Grid::new(rows, cols, &DIRECTIONS).unwrap())
    }

    #[test]
    fn on_small_boards_the_ceiling_is_sure() {
        // 2×2: 30, 2×3: 126 whatever cells are drawn; known from an independent solution.
        for (rows, cols) in [(2, 2), (2, 3), (3, 2)] {
            let Solution { target, ceiling, .. } = solution(rows, cols);
            assert_eq!((target, ceiling), (1.0, 1.0), "{rows}×{cols}");
        }
    }

    #[test]
    fn in_a_single_row_it_is_not() {
        let Solution { target, .. } = solution(1, 4);
        assert!((0.0..0.9).contains(&target), "{target}");
    }

    #[test]
    fn on_three_by_three_the_ceiling_is_sure() {
        if std::env::var_os("ESTR_TEST_ALL").is_none() {
            eprintln!("skipped: the whole game on 3×3 (make test-all)");
            return;
        }
        let Solution { states, first, target, ceiling } = solution(3, 3);
        // An independent solution begins to count with the second tile.
        assert_eq!((states - first, first, target, ceiling), (7_035_334, 3, 1.0, 1.0));
    }
}
