//! From one sum of a set to the one before, the ceiling included.

use rayon::prelude::*;

use crate::full::each_full;
use crate::grid::Grid;
use crate::retrograde::{self, Chances, Layer, Made, boards_before};

/// What [`retrograde::before`] finds, and behind the ceiling, where no full boards are listed, their last boards.
pub fn before(grid: &Grid, layer: &Layer, made: Made) -> Layer {
    if layer.sum == grid.ceiling() { before_the_ceiling(grid, made) } else { retrograde::before(grid, layer, made) }
}

/// The last boards before the ceiling: their 2s combine, and the next 2 fills the board.
fn before_the_ceiling(grid: &Grid, made: Made) -> Layer {
    let boards = each_full(grid, true, || (), |(), board| Some(board));
    let afters = boards.par_iter().flat_map_iter(|&board| grid.afters(board)).filter(|&after| made.counts(grid, after));
    let mut afters: Vec<u64> = afters.map(|after| grid.canonical(after)).collect();
    afters.par_sort_unstable();
    afters.dedup();
    let afters: Chances = afters.into_iter().map(|after| (after, 1.0)).collect();
    Layer { sum: grid.ceiling() - 2, boards: boards_before(grid, &afters), afters }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::full::full_boards;
    use crate::grid::{DIRECTIONS, bits};

    fn sure(corner: bool) -> Made {
        Made { floor: 1.0, last_moves: 30, halves: false, corner }
    }

    #[test]
    fn on_small_boards_the_ceiling_is_sure_from_the_first_two_on() {
        // Known of 2×2, 2×3 and 2×4 from an independent solution. The first boards are symmetric in many ways.
        let sizes: &[(u32, u32)] = if std::env::var_os("ESTR_TEST_ALL").is_none() {
            eprintln!("skipped: 2×4 and 3×3 (make test-all)");
            &[(2, 2), (2, 3), (3, 2)]
        } else {
            &[(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]
        };
        for &(rows, cols) in sizes {
            let grid = Grid::new(rows, cols, &DIRECTIONS).unwrap();
            let grid = grid.clone().with_fill(grid.ceiling()).unwrap();
            for made in [sure(false), sure(true)] {
                let mut layer = full_boards(&grid, made, true);
                while layer.sum > 2 {
                    layer = before(&grid, &layer, made);
                }
                let first: HashSet<u64> = bits(grid.empty(0)).map(|two| grid.canonical(two)).collect();
                let found: HashSet<u64> = layer.boards.iter().map(|&(board, _)| board).collect();
                assert_eq!(found, first, "{rows}×{cols} {made:?}");
            }
        }
    }

    #[test]
    fn two_points_before_the_ceiling_some_way_must_combine_the_twos() {
        for (ways, corner) in [(&DIRECTIONS[..], false), (&DIRECTIONS[2..], false), (&DIRECTIONS[1..], true)] {
            let grid = Grid::new(2, 3, ways).unwrap().with_fill(126).unwrap();
            let last = before(&grid, &full_boards(&grid, sure(corner), true), sure(corner));
            assert!(!last.afters.is_empty());
            assert!(last.afters.iter().all(|&(after, _)| !corner || grid.has_top_in_corner(after)));
            assert_eq!(last.boards, boards_before(&grid, &last.afters), "what goes on from the file is the same");
            for &(board, _) in &last.boards {
                let mut afters = grid.afters(board);
                assert!(afters.any(|after| grid.empty(after).count_ones() == 1), "{}", grid.text(board));
            }
        }
    }

    /// Whether the fill is passed for sure, by the rules alone.
    fn naive(grid: &Grid, board: u64, known: &mut HashMap<u64, bool>) -> bool {
        if grid.is_passed(board) {
            return true;
        }
        if let Some(&sure) = known.get(&board) {
            return sure;
        }
        let mut afters = grid.afters(board);
        let sure = grid.sum(board) < grid.ceiling()
            && afters.any(|after| {
                grid.is_passed(after) || bits(grid.empty(after)).all(|cell| naive(grid, after | cell, known))
            });
        known.insert(board, sure);
        sure
    }

    #[test]
    fn the_sets_of_a_later_fill_hold_what_is_sure_by_the_rules_and_nothing_else() {
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap().with_fill(96).unwrap();
        // Whatever play reaches from a 64 alone.
        let follow = |after: u64| bits(grid.empty(after)).map(move |cell| after | cell);
        let mut reached: HashSet<u64> = bits(grid.empty(0)).flat_map(|cell| follow(6 * cell)).collect();
        let mut levels = Vec::new();
        for _ in (66..grid.fill()).step_by(2) {
            let next = reached.iter().flat_map(|&board| grid.afters(board).flat_map(follow)).collect();
            levels.push(std::mem::replace(&mut reached, next));
        }
        let mut known = HashMap::new();
        let mut layer = full_boards(&grid, sure(false), true);
        let mut corner = full_boards(&grid, sure(true), true);
        let (mut held, mut others) = (0, 0);
        for level in levels.iter().rev() {
            layer = before(&grid, &layer, sure(false));
            corner = before(&grid, &corner, sure(true));
            assert!(corner.afters.iter().all(|after| layer.afters.contains(after) && grid.has_top_in_corner(after.0)));
            let boards: HashSet<u64> = layer.boards.iter().map(|&(board, _)| board).collect();
            for &board in level {
                let sure = naive(&grid, board, &mut known);
                assert_eq!(boards.contains(&grid.canonical(board)), sure, "{}", grid.text(board));
                *(if sure { &mut held } else { &mut others }) += 1;
            }
        }
        assert!(held > 100 && others > 100, "{held} sure, {others} not");
    }
}
