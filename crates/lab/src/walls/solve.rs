//! One table after the other, each from its largest sum backwards, two points at a time.

use anyhow::Result;
use estr2048_toolbox::interrupt;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::family::{Family, Kind};
use super::table::{Table, chance};
use crate::grid::{DIRECTIONS, Grid};

/// A chance of 1 while a table is solved; [`stored`] is what is left of it.
pub const SURE: u16 = u16::MAX;

/// One 255th, in which chances are stored.
pub const STEP: u16 = SURE / 255;

/// The nearest 255th.
pub fn stored(chance: u16) -> u8 {
    ((u32::from(chance) + u32::from(STEP) / 2) / u32::from(STEP)) as u8
}

/// What is solved with.
#[derive(Debug)]
pub struct Solver {
    family: Family,
    grid: Grid,
    threads: ThreadPool,
}

impl Solver {
    /// The number of threads, with 0 one for each processor, changes nothing but the time.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(family: Family, threads: usize) -> Result<Self> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { family, grid: Grid::new(4, 4, &DIRECTIONS)?, threads })
    }

    /// Solves the next table, after those of the parts before it, whose layers up to this one's largest sum of all
    /// tiles are at hand. `take` gets every sum of the small tiles, down to the smallest or `lowest`, with the chances
    /// of its afterstates. Whether it was done: not if the work was asked to stop.
    ///
    /// # Errors
    /// What `take` complains about.
    pub fn solve(
        &self,
        before: &[Table],
        table: &Table,
        lowest: u32,
        mut take: impl FnMut(u32, &[u16]) -> Result<()>,
    ) -> Result<bool> {
        let mut following = Vec::new();
        for sum in (lowest..=table.part.most).rev().step_by(2) {
            let afters = self.afters(table, sum, &following);
            drop(following);
            if interrupt::asked() {
                return Ok(false);
            }
            take(sum, &afters)?;
            following = if sum == lowest { Vec::new() } else { self.boards(before, table, sum, &afters) };
        }
        Ok(true)
    }

    /// The chances of all afterstates of a sum: the mean over the new tile's cells. None follow the largest sum.
    fn afters(&self, table: &Table, sum: u32, following: &[u16]) -> Vec<u16> {
        let arrangements = table.arrangements.of(sum);
        let mut afters = vec![0; table.size(sum)];
        if following.is_empty() {
            return afters;
        }
        let next: Vec<Vec<u32>> =
            arrangements.iter().map(|&packed| table.arrangements.with_two(packed).collect()).collect();
        let following_count = table.arrangements.of(sum + 2).len();
        self.share_out(&mut afters, arrangements.len(), |layout, chances| {
            let following = &following[layout * following_count..][..following_count];
            for (chance, next) in chances.iter_mut().zip(&next) {
                let total: u32 = next.iter().map(|&place| u32::from(following[place as usize])).sum();
                *chance = total.checked_div(next.len() as u32).unwrap_or(0) as u16;
            }
        });
        afters
    }

    /// The chances of all boards of a sum that are to be moved: that of the best move.
    fn boards(&self, before: &[Table], table: &Table, sum: u32, afters: &[u16]) -> Vec<u16> {
        let arrangements = table.arrangements.of(sum);
        let all = sum + table.part.held;
        let own = Kind::Open(before.len());
        let mut boards = vec![0; afters.len()];
        self.share_out(&mut boards, arrangements.len(), |layout, chances| {
            for (best, &packed) in chances.iter_mut().zip(arrangements) {
                let board = table.board(layout, packed);
                for after in self.grid.afters(board) {
                    let chance = if self.family.kind(after) == own {
                        afters[table.place(after, sum)]
                    } else {
                        u16::from(chance(self.family, before, after, all)) * STEP
                    };
                    *best = chance.max(*best);
                }
            }
        });
        boards
    }

    /// Fills the chances of each layout, so many for each, on all threads.
    fn share_out(&self, chances: &mut [u16], each: usize, fill: impl Fn(usize, &mut [u16]) + Sync) {
        if chances.is_empty() {
            return;
        }
        let layouts = chances.par_chunks_mut(each).enumerate().filter(|_| !interrupt::asked());
        self.threads.install(|| layouts.for_each(|(layout, chances)| fill(layout, chances)));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::walls::cells::{VIEWS, WALL, viewed};

    fn solved(family: Family, threads: usize) -> Vec<Table> {
        let solver = Solver::new(family, threads).unwrap();
        let mut tables = Vec::new();
        for part in family.parts() {
            let mut table = Table::new(family, part);
            let mut layers = Vec::new();
            let take = |_, chances: &[u16]| {
                layers.push(chances.iter().copied().map(stored).collect());
                Ok(())
            };
            assert!(solver.solve(&tables, &table, 0, take).unwrap());
            layers.reverse();
            table.layers = layers;
            tables.push(table);
        }
        tables
    }

    /// The same by the rules alone: boards of tiles, nothing numbered, each solved when it is met.
    struct Oracle {
        family: Family,
        known: HashMap<[i32; 16], f64>,
    }

    const WALLED: i32 = -1;

    impl Oracle {
        fn after(&mut self, board: [i32; 16]) -> f64 {
            let target = self.family.points() as i32;
            let count = |tile| board.iter().filter(|&&other| other == tile).count();
            if count(target) > 0 {
                return 1.0;
            }
            let small = |most: i32| board.iter().filter(|&&tile| tile > 0 && tile < most).sum::<i32>();
            let (half, quarter, slack) = (target / 2, target / 4, self.family.slack as i32);
            // The largest sum of a table counts as lost, whatever follows.
            let lost = match (count(half), count(quarter)) {
                (0, _) => small(half) >= half + slack,
                (1, 0 | 1) => small(quarter) >= quarter + slack,
                (1, 2) | (2, 0) => small(quarter) >= slack + 16,
                _ => true,
            };
            if lost {
                return 0.0;
            }
            if let Some(&chance) = self.known.get(&board) {
                return chance;
            }
            let empty: Vec<usize> = (0..16).filter(|&cell| board[cell] == 0).collect();
            let mut total = 0.0;
            for &cell in &empty {
                let mut next = board;
                next[cell] = 2;
                total += self.board(next);
            }
            let chance = if empty.is_empty() { 0.0 } else { total / empty.len() as f64 };
            self.known.insert(board, chance);
            chance
        }

        fn board(&mut self, board: [i32; 16]) -> f64 {
            let mut best = 0.0_f64;
            for way in 0..4 {
                let after = slid(board, way);
                if after != board {
                    best = best.max(self.after(after));
                }
            }
            best
        }
    }

    fn slid(board: [i32; 16], way: usize) -> [i32; 16] {
        let mut after = [0; 16];
        for line in 0..4 {
            let cell =
                |place: usize| [4 * line + place, 4 * line + 3 - place, 4 * place + line, 12 - 4 * place + line][way];
            let (mut place, mut waiting) = (0, 0);
            for tile in (0..4).map(|place| board[cell(place)]).filter(|&tile| tile != 0) {
                if tile == waiting && tile != WALLED {
                    after[cell(place - 1)] = 2 * tile;
                    waiting = 0;
                } else {
                    after[cell(place)] = tile;
                    place += 1;
                    waiting = tile;
                }
            }
        }
        after
    }

    fn tiles(board: u64) -> [i32; 16] {
        std::array::from_fn(|cell| match board >> (4 * cell) & 15 {
            0 => 0,
            WALL => WALLED,
            code => 1 << code,
        })
    }

    #[test]
    fn chances_are_those_of_the_naive_solution() {
        for (walls, slack, every) in [(12, 0, 1), (12, 8, 1), (11, 6, 61)] {
            let family = Family { walls, slack };
            let mut oracle = Oracle { family, known: HashMap::new() };
            let (mut compared, mut between) = (0, 0);
            for table in solved(family, 1) {
                for (half, layer) in (0..).zip(&table.layers) {
                    let arrangements = table.arrangements.of(2 * half);
                    for (place, &chance) in layer.iter().enumerate().step_by(every) {
                        let packed = arrangements[place % arrangements.len()];
                        let board = table.board(place / arrangements.len(), packed);
                        let expected = oracle.after(tiles(board));
                        let found = f64::from(chance) / 255.0;
                        assert!((found - expected).abs() < 0.01, "{board:x}: {found}, not {expected}");
                        compared += 1;
                        between += usize::from(chance > 25 && chance < 230);
                    }
                }
            }
            assert!(compared > 3000 && between > 100, "{walls} {slack}: {compared} {between}");
        }
    }

    #[test]
    fn neither_views_nor_threads_change_a_chance() {
        let family = Family { walls: 12, slack: 4 };
        let (tables, others) = (solved(family, 1), solved(family, 3));
        for (table, other) in tables.iter().zip(&others) {
            assert_eq!(table.layers, other.layers);
            for sum in (0..=table.part.most).step_by(2) {
                for (arrangement, &packed) in table.arrangements.of(sum).iter().enumerate() {
                    for layout in 0..table.layouts.count() {
                        let place = layout * table.arrangements.of(sum).len() + arrangement;
                        let known = table.layers[sum as usize / 2][place];
                        let board = table.board(layout, packed);
                        for view in 0..VIEWS {
                            let seen = viewed(board, view);
                            assert_eq!(chance(family, &tables, seen, sum + table.part.held), known, "{seen:x}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_chance_is_stored_as_the_nearest_255th() {
        assert_eq!((stored(0), stored(SURE), stored(32767), stored(32768)), (0, 255, 127, 128));
    }
}
