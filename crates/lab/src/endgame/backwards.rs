//! The chances to fill the board, from the end of the game backwards.
//!
//! There are too many boards to keep all of them. Those with the best chances are kept, and what is not counts as lost, so
//! all chances are bounds from below: what the best play gets that stays among these boards.

use rayon::prelude::*;

use super::walled::{free, is_in_time, moves_left, points, walls, with_two};
use crate::grid::{Grid, bits, holding};
use crate::retrograde::{Chances, Table, best_of_each};
use crate::walls::cells::WALL;

/// Points behind a fill within which more boards are kept, since new tiles fall anywhere while the chain falls together.
const BEHIND_A_FILL: u32 = 60;

/// Points before the next fill from which on the same goes, for the boards that have not made its wall yet.
const BEFORE_A_FILL: u32 = 8;

/// Which boards are kept.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Those with at least this share of the best chance among boards of the same sum with as many walls.
    pub floor: f32,
    /// Of these so many, the best ones.
    pub most: usize,
    /// The same at the fills.
    pub most_at_fills: usize,
    /// A board that makes no wall for so many moves after its points allow it is lost.
    pub late: u32,
}

/// The boards from which one move leaves an empty cell among walls, into which the last 2 falls.
pub fn last(grid: &Grid, rules: Rules) -> Chances {
    let cells = grid.empty(0);
    let afters = bits(cells).map(|cell| grid.canonical(WALL * (cells ^ cell)));
    best_of_each(afters.flat_map(|after| boards_before(grid, after, rules)).map(|board| (board, 1.0)).collect())
}

/// The boards with one more move to the end than these.
pub fn before(grid: &Grid, boards: &Chances, rules: Rules) -> Chances {
    let before = afters(grid, boards).into_par_iter().flat_map_iter(|(after, chance)| {
        boards_before(grid, after, rules).into_iter().map(move |board| (board, chance))
    });
    kept(grid, best_of_each(before.collect()), rules)
}

/// The afterstates that these boards follow, with their chances.
fn afters(grid: &Grid, boards: &Chances) -> Chances {
    let known = Table::new(boards);
    let without_two = |&(board, _): &(u64, f32)| bits(grid.twos(board)).map(move |two| grid.canonical(board ^ two));
    let mut afters: Vec<u64> = boards.par_iter().flat_map_iter(without_two).collect();
    afters.par_sort_unstable();
    afters.dedup();
    let valued = |after: u64| {
        let total: f32 = with_two(grid, after).map(|board| known.get(board)).sum();
        (after, total / grid.empty(after).count_ones() as f32)
    };
    afters.into_par_iter().map(valued).collect()
}

/// The boards of a game that a move turns into this afterstate, in one of their symmetric forms.
fn boards_before(grid: &Grid, after: u64, rules: Rules) -> Vec<u64> {
    let mut boards = Vec::new();
    grid.unmoved(after, &mut boards);
    add_boards_before_walls(grid, after, free(after) + 1, rules, &mut boards);
    // No tile is a half of a wall, and one is the 2 that was just added.
    boards.retain(|&board| holding(board, WALL - 1) == 0 && grid.twos(board) != 0 && is_in_time(grid, board));
    boards.iter_mut().for_each(|board| *board = grid.canonical(*board));
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// Adds the boards on which 2^`code` was no wall yet: the move made it. Then the next larger one may have been none, too.
fn add_boards_before_walls(grid: &Grid, after: u64, code: u32, rules: Rules, boards: &mut Vec<u64>) {
    if points(grid, after) > 2 * rules.late {
        return;
    }
    for wall in bits(walls(after)) {
        let named = after ^ (wall * (WALL ^ u64::from(code)));
        let start = boards.len();
        grid.unmoved(named, boards);
        let others = boards.split_off(start);
        boards.extend(others.into_iter().filter(|&board| holding(board, code.into()) == 0));
        add_boards_before_walls(grid, named, code + 1, rules, boards);
    }
}

/// The boards that the rules keep.
fn kept(grid: &Grid, boards: Chances, rules: Rules) -> Chances {
    let Some(&(some, _)) = boards.first() else { return boards };
    let left = moves_left(grid, some);
    let mut by_walls: Vec<Chances> = vec![Vec::new(); 17];
    for (board, chance) in boards {
        by_walls[free(board) as usize].push((board, chance));
    }
    let mut kept = Chances::new();
    for (free, mut boards) in by_walls.into_iter().enumerate().filter(|(_, boards)| !boards.is_empty()) {
        let points = (2 << free) - 2 - 2 * left;
        if points > (1 << free) + 2 * rules.late {
            continue;
        }
        let best = boards.iter().map(|&(_, chance)| chance).fold(0.0, f32::max);
        boards.retain(|&(_, chance)| chance > 0.0 && chance >= best * rules.floor);
        let at_fill = points <= BEHIND_A_FILL || points + BEFORE_A_FILL >= 1 << free;
        let most = if at_fill { rules.most_at_fills } else { rules.most };
        if boards.len() > most {
            boards.par_sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            boards.truncate(most);
        }
        kept.extend(boards);
    }
    kept.par_sort_unstable_by_key(|&(board, _)| board);
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::grid::DIRECTIONS;

    const ALL: Rules = Rules { floor: 0.0, most: usize::MAX, most_at_fills: usize::MAX, late: 8 };

    fn grid() -> Grid {
        Grid::new(4, 4, &DIRECTIONS).unwrap()
    }

    /// An afterstate whose tiles that are as large as all free cells are walls.
    fn settled(grid: &Grid, mut after: u64) -> u64 {
        while let made @ 1.. = holding(after, free(after).into()) {
            after |= WALL * made;
        }
        grid.canonical(after)
    }

    /// The greatest chance to fill the board, by all moves and all new tiles.
    fn chance(grid: &Grid, board: u64, known: &mut HashMap<u64, f32>) -> f32 {
        if free(board) == 1 {
            return 1.0;
        }
        if points(grid, board) > (1 << free(board)) + 2 * ALL.late {
            return 0.0;
        }
        if let Some(&chance) = known.get(&board) {
            return chance;
        }
        let afters: Vec<u64> = grid.afters(board).map(|after| settled(grid, after)).collect();
        let mut best = 0.0_f32;
        for after in afters {
            let boards: Vec<u64> = with_two(grid, after).collect();
            let total: f32 = boards.iter().map(|&board| chance(grid, board, known)).sum();
            best = best.max(total / boards.len() as f32);
        }
        known.insert(board, best);
        best
    }

    fn layers(grid: &Grid, count: usize, rules: Rules) -> Vec<Chances> {
        let next = |boards: &Chances| Some(before(grid, boards, rules));
        std::iter::successors(Some(last(grid, rules)), next).take(count).collect()
    }

    #[test]
    fn with_all_boards_kept_the_chances_are_those_of_all_moves() {
        let (grid, mut known) = (grid(), HashMap::new());
        for (number, boards) in layers(&grid, 30, ALL).iter().enumerate() {
            assert!(!boards.is_empty(), "{} moves left", number + 1);
            for &(board, found) in boards.iter().step_by(boards.len().div_ceil(200)) {
                assert_eq!(moves_left(&grid, board), number as u32 + 1);
                let right = chance(&grid, board, &mut known);
                assert!((found - right).abs() < 1e-5, "{board:016x}: {found}, not {right}");
            }
        }
    }

    #[test]
    fn a_board_that_games_come_to_is_kept_if_it_has_a_chance() {
        let (grid, mut known) = (grid(), HashMap::new());
        let layers = layers(&grid, 30, ALL);
        let found = |board: u64| {
            let boards = layers.get(moves_left(&grid, board) as usize - 1)?;
            boards.binary_search_by_key(&board, |&(board, _)| board).ok().map(|place| boards[place].1)
        };
        let mut compared = 0;
        for seed in 0..400 {
            let mut random = SmallRng::seed_from_u64(seed);
            let starts = &layers[layers.len() - 1];
            let (mut board, _) = starts[random.random_range(0..starts.len())];
            while moves_left(&grid, board) > 1 {
                assert!(is_in_time(&grid, board), "{board:016x}");
                let right = chance(&grid, board, &mut known);
                assert!((found(board).unwrap_or(0.0) - right).abs() < 1e-5, "{board:016x}: {right}");
                compared += u32::from(right > 0.0);
                let afters: Vec<u64> = grid.afters(board).collect();
                if afters.is_empty() {
                    break;
                }
                let after = settled(&grid, afters[random.random_range(0..afters.len())]);
                let boards: Vec<u64> = with_two(&grid, after).collect();
                board = boards[random.random_range(0..boards.len())];
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn what_is_left_out_makes_the_chances_smaller_but_not_larger() {
        let grid = grid();
        let exact = layers(&grid, 40, ALL);
        let few = layers(&grid, 40, Rules { floor: 0.2, most: 60, most_at_fills: 200, late: 6 });
        for (all, some) in exact.iter().zip(&few) {
            assert!(some.iter().filter(|(board, _)| free(*board) > 5).count() <= 200);
            for &(board, chance) in some {
                let place = all.binary_search_by_key(&board, |&(board, _)| board).expect("a board of the game");
                assert!(chance <= all[place].1 + 1e-6, "{board:016x}");
            }
        }
        assert!(exact.iter().zip(&few).any(|(all, some)| some.len() < all.len()));
    }
}
