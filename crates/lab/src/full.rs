//! The full boards from which the target tile is made, where the sets begin: {2^(n-1), ..., 4, 2, 2} for the tile 2^n, and
//! the same with larger tiles, once each, for the tile of a later fill.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use estr2048_toolbox::interrupt;
use estr2048_toolbox::progress::Progress;
use rayon::prelude::*;

use crate::grid::Grid;
use crate::late_binding;
use crate::retrograde::{Chances, Layer, Made, Solver};
use crate::sure::Sure;

/// Boards of so many cells have few enough full boards to try them all.
const TRIED: u32 = 12;

/// Full boards that share what a search remembers.
const BOARDS_OF_ONE_MEMORY: usize = 1 << 10;

/// Full boards between two reports of how many were tried.
const BOARDS_PER_REPORT: u64 = 1 << 14;

/// The last moves that are worth their time on this board.
pub fn usual_last_moves(grid: &Grid) -> u8 {
    if grid.cells() <= TRIED { 16 } else { least(grid) }
}

/// The moves from a full board to the target if every move combines two tiles of the chain.
fn least(grid: &Grid) -> u8 {
    (grid.target_code() - 1) as u8
}

/// The full boards whose chance to make the target tile within the last moves is at least the floor (and above 0); not
/// all of them if the work was asked to stop. On a board that is too large to try all, only those that may be sure in the
/// least possible moves: these are all that are, but others have a chance, or are sure with detours.
pub fn full_boards(grid: &Grid, made: Made, quiet: bool) -> Layer {
    if grid.fill() == grid.ceiling() {
        // All full boards with every tile once; nothing is gained by a list of them.
        return Layer { sum: grid.ceiling(), afters: Vec::new(), boards: Vec::new() };
    }
    let least_and_sure = made.floor >= 1.0 && made.last_moves <= least(grid) && grid.target_code() == grid.cells();
    let mut boards =
        if least_and_sure || grid.cells() > TRIED { chosen(grid, made, quiet) } else { every(grid, made, quiet) };
    boards.par_sort_unstable_by_key(|&(board, _)| board);
    Layer { sum: grid.fill(), afters: Vec::new(), boards }
}

/// Values full boards, and remembers what follows them.
struct Judge<'a> {
    made: Made,
    solver: Solver<'a>,
    sure: Sure<'a>,
}

impl<'a> Judge<'a> {
    fn new(grid: &'a Grid, made: Made) -> Self {
        let sure = if made.halves { Sure::of_halves(grid) } else { Sure::new(grid) };
        Self { made, solver: Solver::new(grid), sure }
    }

    fn kept(&mut self, board: u64) -> Option<(u64, f32)> {
        let Made { floor, last_moves, .. } = self.made;
        let moves = last_moves.into();
        let chance = if floor < 1.0 {
            self.solver.chance(board, moves)
        } else {
            f32::from(u8::from(self.sure.board(board, moves)))
        };
        (chance > 0.0 && chance >= floor).then_some((board, chance))
    }
}

/// Those among the candidates that late binding finds.
fn chosen(grid: &Grid, made: Made, quiet: bool) -> Chances {
    let mut boards = late_binding::candidates(grid, quiet);
    if made.floor >= 1.0 && !made.halves {
        let moves = made.last_moves.into();
        // What follows one board seldom follows another, and a large memory is slow.
        boards = each(
            &boards,
            "candidates",
            quiet,
            || (),
            |(), board| Sure::of_halves(grid).board(board, moves).then_some(board),
        );
    }
    each(
        &boards,
        "full boards",
        quiet,
        || Judge::new(grid, made),
        |judge, board| {
            judge.sure.forget();
            judge.kept(board)
        },
    )
}

/// What is found on each of the boards, or of those tried until the work was asked to stop.
fn each<M, T: Send>(
    boards: &[u64],
    what: &'static str,
    quiet: bool,
    memory: impl Fn() -> M + Sync,
    find: impl Fn(&mut M, u64) -> Option<T> + Sync,
) -> Vec<T> {
    let bar = Progress::new(boards.len() as u64, what, quiet);
    let done = AtomicU64::new(0);
    let found = boards
        .par_chunks(BOARDS_OF_ONE_MEMORY)
        .flat_map_iter(|boards| {
            let mut memory = memory();
            let tried = boards.iter().take_while(|_| !interrupt::asked());
            let find = |&board: &u64| {
                let found = find(&mut memory, board);
                bar.at(done.fetch_add(1, Relaxed) + 1, "");
                found
            };
            tried.filter_map(find).collect::<Vec<T>>()
        })
        .collect();
    bar.finish();
    found
}

/// Those among all full boards.
fn every(grid: &Grid, made: Made, quiet: bool) -> Chances {
    each_full(grid, quiet, || Judge::new(grid, made), Judge::kept)
}

/// What is found on each of the full boards with two 2s side by side and every other tile but the target once.
pub fn each_full<M, T: Send>(
    grid: &Grid,
    quiet: bool,
    memory: impl Fn() -> M + Sync,
    find: impl Fn(&mut M, u64) -> Option<T> + Sync,
) -> Vec<T> {
    let shifts = grid.shifts();
    let beside = |a: u32, b: u32| b - a == 4 || b - a == 16;
    let pairs = shifts.iter().flat_map(|&a| shifts.iter().map(move |&b| (a, b)));
    let pairs: Vec<(u32, u32)> = pairs.filter(|&(a, b)| a < b && beside(a, b)).collect();
    // Two points before the ceiling the board is full as well, for the tile 4.
    let target = u64::from(grid.target_code().max(2));
    let codes: Vec<u64> = (2..=u64::from(grid.cells())).filter(|&code| code != target).collect();
    let each = (1..=codes.len() as u64).product::<u64>();
    let bar = Progress::new(each * pairs.len() as u64, "full boards", quiet);
    let done = AtomicU64::new(0);
    let tried = |count: u64| {
        let before = done.fetch_add(count, Relaxed);
        bar.at(before + count, "");
    };
    let all = pairs
        .into_par_iter()
        .flat_map_iter(|(a, b)| {
            let mut kept = Vec::new();
            let mut memory = memory();
            let mut rest: Vec<u32> = shifts.iter().copied().filter(|&shift| shift != a && shift != b).collect();
            let mut untold = 0;
            place(1 << a | 1 << b, &codes, &mut rest, &mut |board| {
                if interrupt::asked() {
                    return;
                }
                untold += 1;
                if untold == BOARDS_PER_REPORT {
                    tried(std::mem::take(&mut untold));
                }
                if grid.canonical(board) == board {
                    kept.extend(find(&mut memory, board));
                }
            });
            tried(untold);
            kept
        })
        .collect();
    bar.finish();
    all
}

/// Puts the tiles of these codes into as many cells, in every order.
fn place(board: u64, codes: &[u64], cells: &mut [u32], found: &mut impl FnMut(u64)) {
    let Some((code, codes)) = codes.split_first() else { return found(board) };
    for index in 0..cells.len() {
        cells.swap(0, index);
        place(board | code << cells[0], codes, &mut cells[1..], found);
        cells.swap(0, index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DIRECTIONS, Way};

    /// How many boards are sure in the least possible moves, the same by late binding as by trying all.
    fn sure(rows: u32, cols: u32, ways: &[Way]) -> usize {
        let grid = Grid::new(rows, cols, ways).unwrap();
        let made = Made { floor: 1.0, last_moves: least(&grid), halves: false, corner: false };
        let mut all = every(&grid, made, true);
        all.sort_unstable_by_key(|&(board, _)| board);
        assert_eq!(full_boards(&grid, made, true).boards, all, "{rows}×{cols} {ways:?}");
        all.len()
    }

    #[test]
    fn in_the_least_moves_late_binding_finds_the_same_sure_boards_as_trying_all() {
        for (rows, cols) in [(1, 2), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
            assert!(sure(rows, cols, &DIRECTIONS) > 0, "{rows}×{cols}");
        }
        assert!(sure(3, 3, &[Way::Up, Way::Left, Way::Right]) > 0);
        let grid = Grid::new(3, 4, &DIRECTIONS).unwrap();
        assert_eq!(
            full_boards(&grid, Made { floor: 1.0, last_moves: 11, halves: false, corner: false }, true).boards.len(),
            2426
        );
    }

    #[test]
    fn on_three_by_four_as_well() {
        if std::env::var_os("ESTR_TEST_ALL").is_none() {
            eprintln!("skipped: all full boards on 3×4 (make test-all)");
            return;
        }
        assert_eq!(sure(3, 4, &DIRECTIONS), 2426);
        assert_eq!(sure(3, 4, &[Way::Up, Way::Left, Way::Right]), 826);
    }
}
