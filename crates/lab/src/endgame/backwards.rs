//! The chances to come to a goal, from there backwards.
//!
//! There are too many boards to keep all of them. Those with the best chances are kept, and what is not counts as lost, so
//! all chances are bounds from below: what the best play gets that stays among these boards.

use rayon::prelude::*;

use super::goal::Goal;
use super::walled::{Layouts, free, is_in_time, points, walls, with_two};
use crate::grid::{Grid, bits, holding};
use crate::retrograde::{Chances, Table, best_of_each};
use crate::walls::cells::WALL;

/// Points behind a fill within which more boards are kept, since new tiles fall anywhere while the chain falls together.
const BEHIND_A_FILL: u32 = 60;

/// Points before the next fill from which on the same goes, for the boards that have not made its wall yet.
const BEFORE_A_FILL: u32 = 8;

/// The most free cells that are solved.
pub const MOST_FREE: u32 = 13;

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

/// What is solved, and how.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board.
    pub grid: &'a Grid,
    /// What the chances are of.
    pub goal: Goal,
    /// Where the walls may stand.
    pub layouts: &'a Layouts,
    /// Which boards are kept.
    pub rules: Rules,
}

impl Problem<'_> {
    /// The moves to the goal from a board that is to be moved.
    pub fn moves_left(&self, board: u64) -> u32 {
        self.goal.moves_left(free(board), points(self.grid, board))
    }

    /// The boards with one move to the goal: it leaves an empty cell among walls, into which the last 2 falls, or makes the
    /// second tile.
    pub fn last(&self) -> Chances {
        let grid = self.grid;
        if let Goal::Fill { free, .. } = self.goal {
            return self.with_goal_in_reach(free, 1);
        }
        let cells = grid.empty(0);
        let afters = bits(cells).map(|cell| grid.canonical(WALL * (cells ^ cell)));
        best_of_each(afters.flat_map(|after| self.boards_before(after)).map(|board| (board, 1.0)).collect())
    }

    /// The boards with `left` moves to the goal, from those with one move less.
    pub fn before(&self, boards: &Chances, left: u32) -> Chances {
        let afters = self.afters(boards).into_par_iter();
        let before = afters
            .flat_map_iter(|(after, chance)| self.boards_before(after).into_iter().map(move |board| (board, chance)));
        let mut before: Chances = before.collect();
        if let Goal::Fill { free, .. } = self.goal {
            before.extend(self.with_goal_in_reach(free, left));
        }
        self.kept(best_of_each(before), left)
    }

    /// The boards with `free` free cells and so many moves left on which a move makes the second tile.
    fn with_goal_in_reach(&self, free: u32, left: u32) -> Chances {
        let Some(over) = self.goal.points(free, left).and_then(|points| points.checked_sub(1 << free)) else {
            return Chances::new();
        };
        let layouts = self.layouts.with(self.grid, 16 - free).into_par_iter();
        let boards = layouts.flat_map_iter(|layout| {
            let cells: Vec<u64> = bits(self.grid.empty(layout)).collect();
            let mut boards = Vec::new();
            self.add_placed(&cells, WALL * layout, (2, over), u64::from(free) - 1, &mut boards);
            boards
        });
        best_of_each(boards.map(|board| (board, 1.0)).collect())
    }

    /// Adds the boards of these cells with so many more tiles 2^`half` and so many points of smaller ones.
    fn add_placed(&self, cells: &[u64], board: u64, (halves, points): (u32, u32), half: u64, boards: &mut Vec<u64>) {
        let Some((cell, cells)) = cells.split_first() else {
            let makes_it = || self.grid.afters(board).any(|after| holding(after, half + 1) != 0);
            if (halves, points) == (0, 0) && self.is_of_a_game(board) && makes_it() {
                boards.push(self.grid.canonical(board));
            }
            return;
        };
        self.add_placed(cells, board, (halves, points), half, boards);
        if halves > 0 {
            self.add_placed(cells, board | (half * cell), (halves - 1, points), half, boards);
        }
        for code in (1..half).take_while(|code| 1 << code <= points) {
            self.add_placed(cells, board | (code * cell), (halves, points - (1 << code)), half, boards);
        }
    }

    /// The afterstates that these boards follow, with their chances.
    fn afters(&self, boards: &Chances) -> Chances {
        let grid = self.grid;
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
    fn boards_before(&self, after: u64) -> Vec<u64> {
        let mut boards = Vec::new();
        self.grid.unmoved(after, &mut boards);
        self.add_boards_before_walls(after, &mut boards);
        boards.retain(|&board| self.is_of_a_game(board) && self.layouts.allow(self.grid, board, self.goal));
        boards.iter_mut().for_each(|board| *board = self.grid.canonical(*board));
        boards.sort_unstable();
        boards.dedup();
        boards
    }

    /// Whether a game may come to this board. No tile is a half of a wall, and one is the 2 that was just added.
    fn is_of_a_game(&self, board: u64) -> bool {
        holding(board, WALL - 1) == 0 && self.grid.twos(board) != 0 && is_in_time(self.grid, board, self.goal)
    }

    /// Adds the boards on which a wall was none yet: the move made it. Then the next larger one may have been none, too.
    fn add_boards_before_walls(&self, after: u64, boards: &mut Vec<u64>) {
        let before = free(after) + 1;
        if points(self.grid, after) > 2 * self.rules.late || before > MOST_FREE {
            return;
        }
        let code = self.goal.next_wall(before).into();
        for wall in bits(walls(after)) {
            let named = after ^ (wall * (WALL ^ code));
            let start = boards.len();
            self.grid.unmoved(named, boards);
            let others = boards.split_off(start);
            boards.extend(others.into_iter().filter(|&board| holding(board, code) == 0));
            self.add_boards_before_walls(named, boards);
        }
    }

    /// The boards, with `left` moves to the goal, that the rules keep.
    fn kept(&self, boards: Chances, left: u32) -> Chances {
        let rules = self.rules;
        let mut by_walls: Vec<Chances> = vec![Vec::new(); 17];
        for (board, chance) in boards {
            by_walls[free(board) as usize].push((board, chance));
        }
        let mut kept = Chances::new();
        for (free, mut boards) in by_walls.into_iter().enumerate().filter(|(_, boards)| !boards.is_empty()) {
            let free = free as u32;
            let Some(points) = self.goal.points(free, left) else { continue };
            let due = 1 << self.goal.next_wall(free);
            if points > due + 2 * rules.late {
                continue;
            }
            let best = boards.iter().map(|&(_, chance)| chance).fold(0.0, f32::max);
            boards.retain(|&(_, chance)| chance > 0.0 && chance >= best * rules.floor);
            let at_fill = points <= BEHIND_A_FILL || points + BEFORE_A_FILL >= due;
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
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::endgame::walled::{is_goal, settled};
    use crate::grid::DIRECTIONS;

    const ALL: Rules = Rules { floor: 0.0, most: usize::MAX, most_at_fills: usize::MAX, late: 8 };

    /// The second 32 on five free cells.
    const SMALL_FILL: Goal = Goal::Fill { free: 5, late: 6 };

    fn grid() -> Grid {
        Grid::new(4, 4, &DIRECTIONS).unwrap()
    }

    /// The greatest chance to come to the goal, by all moves and all new tiles.
    fn chance(problem: &Problem, board: u64, known: &mut HashMap<u64, f32>) -> f32 {
        let Problem { grid, goal, rules, .. } = *problem;
        let next = goal.next_wall(free(board));
        if free(board) == 1 {
            return 1.0;
        }
        if points(grid, board) > (1 << next) + 2 * rules.late {
            return 0.0;
        }
        if let Some(&chance) = known.get(&board) {
            return chance;
        }
        let afters: Vec<u64> = grid.afters(board).map(|after| settled(after, goal)).collect();
        if afters.iter().any(|&after| is_goal(after, goal)) {
            return 1.0;
        }
        let mut best = 0.0_f32;
        for after in afters {
            let boards: Vec<u64> = with_two(grid, after).collect();
            let total: f32 = boards.iter().map(|&board| chance(problem, board, known)).sum();
            best = best.max(total / boards.len() as f32);
        }
        known.insert(board, best);
        best
    }

    fn layers(problem: &Problem, count: usize) -> Vec<Chances> {
        let mut layers = vec![problem.last()];
        while layers.len() < count {
            layers.push(problem.before(&layers[layers.len() - 1], layers.len() as u32 + 1));
        }
        layers
    }

    /// Every place of so many walls.
    fn everywhere(grid: &Grid, walls: u32) -> Layouts {
        let board = |set: u64| bits(grid.empty(0)).enumerate().map(|(at, cell)| (set >> at & 1) * WALL * cell).sum();
        let boards: Vec<u64> = (0..1 << 16_u64).filter(|set: &u64| set.count_ones() == walls).map(board).collect();
        Layouts::new(grid, &boards, 0)
    }

    fn are_those_of_all_moves(problem: &Problem, count: usize) {
        let mut known = HashMap::new();
        for (number, boards) in layers(problem, count).iter().enumerate() {
            assert!(!boards.is_empty(), "{} moves left", number + 1);
            for &(board, found) in boards.iter().step_by(boards.len().div_ceil(200)) {
                assert_eq!(problem.moves_left(board), number as u32 + 1);
                let right = chance(problem, board, &mut known);
                assert!((found - right).abs() < 1e-5, "{board:016x}: {found}, not {right}");
            }
        }
    }

    #[test]
    fn with_all_boards_kept_the_chances_are_those_of_all_moves() {
        let (grid, layouts) = (grid(), Layouts::default());
        are_those_of_all_moves(&Problem { grid: &grid, goal: Goal::End, layouts: &layouts, rules: ALL }, 30);
    }

    #[test]
    fn before_a_fill_as_well() {
        let grid = grid();
        let layouts = everywhere(&grid, 11);
        let rules = Rules { late: 6, ..ALL };
        let problem = Problem { grid: &grid, goal: SMALL_FILL, layouts: &layouts, rules };
        are_those_of_all_moves(&problem, 20);
    }

    #[test]
    fn a_board_that_games_come_to_is_kept_if_it_has_a_chance() {
        let (grid, layouts, mut known) = (grid(), Layouts::default(), HashMap::new());
        let problem = Problem { grid: &grid, goal: Goal::End, layouts: &layouts, rules: ALL };
        let layers = layers(&problem, 30);
        let found = |board: u64| {
            let boards = layers.get(problem.moves_left(board) as usize - 1)?;
            boards.binary_search_by_key(&board, |&(board, _)| board).ok().map(|place| boards[place].1)
        };
        let mut compared = 0;
        for seed in 0..400 {
            let mut random = SmallRng::seed_from_u64(seed);
            let starts = &layers[layers.len() - 1];
            let (mut board, _) = starts[random.random_range(0..starts.len())];
            while problem.moves_left(board) > 1 {
                assert!(is_in_time(&grid, board, Goal::End), "{board:016x}");
                let right = chance(&problem, board, &mut known);
                assert!((found(board).unwrap_or(0.0) - right).abs() < 1e-5, "{board:016x}: {right}");
                compared += u32::from(right > 0.0);
                let afters: Vec<u64> = grid.afters(board).collect();
                if afters.is_empty() {
                    break;
                }
                let after = settled(afters[random.random_range(0..afters.len())], Goal::End);
                let boards: Vec<u64> = with_two(&grid, after).collect();
                board = boards[random.random_range(0..boards.len())];
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn what_is_left_out_makes_the_chances_smaller_but_not_larger() {
        let (grid, layouts) = (grid(), Layouts::default());
        let all = Problem { grid: &grid, goal: Goal::End, layouts: &layouts, rules: ALL };
        let rules = Rules { floor: 0.2, most: 60, most_at_fills: 200, late: 6 };
        let (exact, few) = (layers(&all, 40), layers(&Problem { rules, ..all }, 40));
        for (all, some) in exact.iter().zip(&few) {
            assert!(some.iter().filter(|(board, _)| free(*board) > 5).count() <= 200);
            for &(board, chance) in some {
                let place = all.binary_search_by_key(&board, |&(board, _)| board).expect("a board of the game");
                assert!(chance <= all[place].1 + 1e-6, "{board:016x}");
            }
        }
        assert!(exact.iter().zip(&few).any(|(all, some)| some.len() < all.len()));
    }

    #[test]
    fn walls_stand_where_they_may() {
        let grid = grid();
        let three: Vec<u64> = everywhere(&grid, 11).with(&grid, 11).into_iter().take(3).map(|set| WALL * set).collect();
        let layouts = Layouts::new(&grid, &three, 4);
        let problem = Problem { grid: &grid, goal: SMALL_FILL, layouts: &layouts, rules: Rules { late: 6, ..ALL } };
        let layers = layers(&problem, 20);
        assert!(layers.iter().flatten().all(|&(board, _)| layouts.allow(&grid, board, SMALL_FILL)));
        let at_fill = layers.iter().flatten().map(|&(board, _)| grid.canonical(walls(board)));
        let stand: HashSet<u64> = at_fill.filter(|walls| walls.count_ones() == 11).collect();
        assert!((1..=3).contains(&stand.len()), "{}", stand.len());
        // Just before the eleventh wall is made, ten may stand anywhere.
        assert!(layers.iter().flatten().any(|&(board, _)| free(board) == 6));
    }
}
