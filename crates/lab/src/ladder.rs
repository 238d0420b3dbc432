//! A way to the sure boards, learned backwards.
//!
//! A network learns to play on from boards that are near the fill of 65536, first from sure ones. Then boards with fewer
//! points are made out of them, by moves that are taken back and by tiles that are put elsewhere, and those that the
//! network values most are the next *rung*: more boards to start from, a little earlier in the game. So every rung is
//! only as far from what the network knows as it can learn in some thousands of games.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use estr2048::Bitboard;
use estr2048::network::Evaluate;
use estr2048_toolbox::interrupt;
use estr2048_training::tables::Tables;
use estr2048_training::worker::{AfterTop, Recipe, Worker};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::grid::{Grid, bits};
use crate::neighbours::{changed, is_tidy, lowered, one_of};

/// Boards that are tried for every board on a rung.
const TRIED: usize = 40;

/// Each round of games ends with a look for better boards on the rung.
const ROUNDS: u32 = 3;

/// Boards tried for every one on the rung in such a look.
const LOOKED_AT: usize = 5;

/// No more than this share of a rung has the same tiles of 32 and more.
const SAME_TILES: usize = 8;

/// Boards of a rung that share the places of all tiles of 1024 and more.
const SAME_LAYOUT: usize = 40;

/// Moves that a 65536 is worth: a game ends there.
const WORTH: f32 = 10_000.0;

/// Games of a turn, before it is the turn of other boards.
const TURN: u64 = 20;

/// Boards of one sum, the most valuable first.
#[derive(Clone, Debug)]
pub struct Rung {
    /// Points before the target.
    pub points: u32,
    /// Canonical afterstates, each with the moves that the network expects, with one move of look-ahead.
    pub boards: Vec<(u64, f32)>,
}

impl Rung {
    fn afters(&self) -> Vec<u64> {
        self.boards.iter().map(|&(after, _)| after).collect()
    }
}

/// What a rung came to.
#[derive(Clone, Copy, Debug)]
pub struct Climbed {
    /// Games from the rung's boards in its last round, while learning, and those of them that passed the fill.
    pub games: u64,
    pub passed: u64,
}

/// The network and the rungs so far.
pub struct Ladder<'a> {
    grid: &'a Grid,
    tables: &'a Tables,
    pub rungs: Vec<Rung>,
    /// Boards on a rung at most.
    size: usize,
    random: SmallRng,
}

/// The next rung: 8 points further, from 512 on a 32nd of the largest power of two in the points; half of it where
/// a fill of the smaller tiles is near.
pub fn next(points: u32) -> u32 {
    let step = (1 << points.max(256).ilog2()) / 32;
    let fill = (points + 1).next_power_of_two();
    let is_near = fill - points <= 72 || points.is_power_of_two();
    points + if is_near { step / 2 } else { step }
}

impl<'a> Ladder<'a> {
    pub fn new(grid: &'a Grid, tables: &'a Tables, size: usize, seed: u64) -> Self {
        Self { grid, tables, rungs: Vec::new(), size, random: SmallRng::seed_from_u64(seed) }
    }

    /// Plays games of so many moves in all from all rungs, as they are.
    pub fn learn(&mut self, moves: u64) -> Climbed {
        let all = 0..self.rungs.len();
        let recipes = [self.recipe(all, false)];
        self.play(&recipes, &[1], moves)
    }

    /// The next rung, and games of so many moves in all, most of them from its boards.
    ///
    /// # Errors
    /// If no board can be made for it.
    pub fn climb(&mut self, moves: u64) -> Result<Climbed> {
        let last = self.rungs.last().expect("a ladder stands on something");
        let points = next(last.points);
        self.begin_stage(last.points, points);
        let made = self.made(points);
        self.rungs.push(Rung { points, boards: Vec::new() });
        self.choose(made);
        anyhow::ensure!(!self.rung().boards.is_empty(), "no board of {points} points before the target could be made");
        let mut climbed = None;
        for round in 0..ROUNDS {
            if round > 0 {
                let more = self.looked_for();
                self.choose(more);
            }
            let top = self.rungs.len() - 1;
            let recent = top.saturating_sub(5)..top + 1;
            let recipes = [
                self.recipe(top..top + 1, false),
                self.recipe(top..top + 1, true),
                self.recipe(recent, false),
                self.recipe(0..top + 1, false),
            ];
            climbed = Some(self.play(&recipes, &[8, 3, 4, 5], moves / u64::from(ROUNDS)));
            if interrupt::asked() {
                break;
            }
        }
        Ok(climbed.expect("there is a first round"))
    }

    /// How many places the tiles of 1024 and more have on the last rung.
    pub fn layouts(&self) -> usize {
        let boards = self.rungs.last().into_iter().flat_map(|rung| &rung.boards);
        boards.map(|&(board, _)| layout(self.grid, board)).collect::<HashSet<u64>>().len()
    }

    fn rung(&mut self) -> &mut Rung {
        self.rungs.last_mut().expect("a rung was pushed")
    }

    fn sum(&self, points: u32) -> u32 {
        self.grid.fill() - points
    }

    /// A stage that knows nothing begins as a copy of the one after it, which it is most like.
    fn begin_stage(&self, from: u32, to: u32) {
        let shape = self.tables.shape();
        let [known, new] = [from, to].map(|points| shape.stage(self.sum(points) - 2));
        let is_new = || self.tables.stage(new).iter().all(|weight| weight.get() == [0.0; 3]);
        if known != new && is_new() {
            for (old, weight) in self.tables.stage(known).iter().zip(self.tables.stage(new).iter()) {
                let [value, ..] = old.get();
                if value != 0.0 {
                    weight.set([value, 0.0, 0.0]);
                }
            }
        }
    }

    /// Boards of fewer points out of those of the last rung.
    fn made(&mut self, points: u32) -> Vec<u64> {
        let last = &self.rungs[self.rungs.len() - 1];
        let step = points - last.points;
        let mut made = Vec::new();
        for _ in 0..TRIED * self.size {
            let (board, _) = last.boards[self.random.random_range(0..last.boards.len())];
            made.extend(lowered(self.grid, board, step, &mut self.random));
        }
        made.retain(|&board| self.is_possible(board, points));
        made
    }

    /// The boards of the last rung, and others near them.
    fn looked_for(&mut self) -> Vec<u64> {
        let top = self.rungs.len() - 1;
        let mut found = self.rungs[top].afters();
        found.extend(self.changed(top, LOOKED_AT * self.size));
        found
    }

    /// Boards near those of a rung.
    fn changed(&mut self, index: usize, tries: usize) -> Vec<u64> {
        let Rung { points, ref boards } = self.rungs[index];
        let mut found = Vec::new();
        for _ in 0..tries {
            let (board, _) = boards[self.random.random_range(0..boards.len())];
            found.extend(changed(self.grid, board, &mut self.random));
        }
        found.retain(|&board| self.is_possible(board, points));
        found
    }

    fn is_possible(&self, board: u64, points: u32) -> bool {
        self.grid.empty(board) != 0 && !self.grid.has_halves(board) && is_tidy(self.grid, board, points)
    }

    /// Puts the most valuable of these boards on the last rung, not too many of one kind.
    fn choose(&mut self, boards: Vec<u64>) {
        let points = self.rung().points;
        let unique: HashSet<u64> = boards.into_iter().map(|board| self.grid.canonical(board)).collect();
        let unique: Vec<u64> = unique.into_iter().collect();
        let mut valued: Vec<(u64, f32)> =
            unique.into_par_iter().map(|board| (board, self.value(board, points))).collect();
        valued.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let (mut tiles, mut layouts) = (HashMap::<u64, usize>::new(), HashMap::<u64, usize>::new());
        valued.retain(|&(board, _)| {
            let tiles = tiles.entry(large_tiles(self.grid, board)).or_default();
            let layout = layouts.entry(layout(self.grid, board)).or_default();
            let is_new = *tiles < self.size / SAME_TILES && *layout < SAME_LAYOUT;
            *tiles += usize::from(is_new);
            *layout += usize::from(is_new);
            is_new
        });
        valued.truncate(self.size);
        self.rung().boards = valued;
    }

    /// The moves to come that the network expects after the next move, in the mean over the cells of the new tile.
    fn value(&self, after: u64, points: u32) -> f32 {
        let sum = self.sum(points) + 2;
        let best = |cell: u64| {
            let (afters, legal) = Bitboard::from_cells(after | cell).afterstates();
            afters[..legal].iter().map(|&after| self.tables.value(after, sum) + 1.0).fold(0.0, f32::max)
        };
        let empty = self.grid.empty(after);
        bits(empty).map(best).sum::<f32>() / empty.count_ones() as f32
    }

    /// How to learn from some of the rungs, or from boards near theirs.
    fn recipe(&mut self, rungs: std::ops::Range<usize>, near: bool) -> Recipe {
        let mut starts = Vec::new();
        for index in rungs {
            let rung = &self.rungs[index];
            let afters = if near { self.changed(index, rung.boards.len()) } else { rung.afters() };
            for after in afters {
                let cell = one_of(self.grid.empty(after), &mut self.random);
                starts.extend(cell.map(|cell| Bitboard::from_cells(after | cell)));
            }
        }
        starts.retain(|board| !board.is_over());
        starts.sort_by_key(|board| board.sum());
        Recipe { starts, start_share: 1.0, after_top: AfterTop::Worth(WORTH), ..Recipe::default() }
    }

    /// Games by turns, with these shares, and what those of the first recipe came to.
    fn play(&mut self, recipes: &[Recipe], shares: &[u64], moves: u64) -> Climbed {
        let mut workers: Vec<(usize, Worker, u64)> = recipes
            .iter()
            .zip(shares)
            .enumerate()
            .filter(|(_, (recipe, _))| !recipe.starts.is_empty())
            .map(|(index, (recipe, &share))| (index, Worker::new(self.tables, recipe, self.random.random()), share))
            .collect();
        let (mut played, mut games, mut passed) = (0, 0, 0);
        while played < moves && !workers.is_empty() && !interrupt::asked() {
            for (index, worker, share) in &mut workers {
                for _ in 0..TURN * *share {
                    let outcome = worker.game(1.0);
                    played += outcome.moves;
                    if *index == 0 {
                        games += 1;
                        passed += u64::from(outcome.sum > self.grid.fill());
                    }
                }
            }
        }
        Climbed { games, passed }
    }
}

/// How many tiles there are of each size from 32 on.
fn large_tiles(grid: &Grid, board: u64) -> u64 {
    grid.shifts().iter().map(|shift| board >> shift & 15).filter(|&code| code >= 5).map(|code| 1 << (3 * code)).sum()
}

/// Where the tiles of 1024 and more are.
fn layout(grid: &Grid, board: u64) -> u64 {
    let large = |shift: &&u32| board >> **shift & 15 >= 10;
    grid.canonical(grid.shifts().iter().filter(large).map(|shift| board & 15 << shift).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;
    use estr2048::network::Shape;

    /// Sure afterstates 192 points before 65536, up to two 32768.
    const SURE: [[u32; 16]; 2] = [
        [4096, 16384, 4, 32768, 2048, 128, 2, 1024, 8192, 128, 16, 512, 8, 32, 2, 0],
        [16384, 1024, 4, 32768, 8192, 256, 2, 2048, 4096, 32, 4, 512, 16, 0, 2, 4],
    ];

    fn packed(tiles: &[u32; 16]) -> u64 {
        let code = |tile: u32| if tile == 0 { 0 } else { u64::from(tile.ilog2()) };
        tiles.iter().enumerate().map(|(cell, &tile)| code(tile) << (4 * cell)).sum()
    }

    fn climbed(seed: u64) -> Vec<(u32, Vec<(u64, f32)>)> {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let tables = Tables::zero(Shape::new(&[0x0017, 0x0330], &[65_340]).unwrap()).unwrap();
        let mut ladder = Ladder::new(&grid, &tables, 40, seed);
        let boards = SURE.iter().map(|tiles| (grid.canonical(packed(tiles)), 1.0)).collect();
        ladder.rungs.push(Rung { points: 192, boards });
        assert!(ladder.learn(2000).games > 0);
        for _ in 0..3 {
            let climbed = ladder.climb(3000).unwrap();
            assert!(climbed.games > 0 && ladder.layouts() > 0, "{climbed:?}");
        }
        ladder.rungs.into_iter().map(|rung| (rung.points, rung.boards)).collect()
    }

    #[test]
    fn rungs_hold_valued_boards_of_their_sums() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let rungs = climbed(1);
        assert_eq!(rungs.iter().map(|rung| rung.0).collect::<Vec<_>>(), [192, 196, 200, 204]);
        for (points, boards) in &rungs[1..] {
            assert!(!boards.is_empty() && boards.len() <= 40);
            assert!(boards.is_sorted_by(|one, other| one.1 >= other.1), "the most valuable first");
            for &(board, _) in boards {
                assert_eq!(grid.sum(board), 65536 - points, "{}", grid.text(board));
                assert_eq!(board, grid.canonical(board));
                assert!(is_tidy(&grid, board, *points), "{}", grid.text(board));
            }
        }
    }

    #[test]
    fn boards_without_a_move_give_no_games() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let tables = Tables::zero(Shape::new(&[0x0017], &[]).unwrap()).unwrap();
        let mut ladder = Ladder::new(&grid, &tables, 40, 1);
        // The only empty cell lies between a 32768 and a 16.
        ladder.rungs.push(Rung { points: 2, boards: vec![(0x0f3e_4567_89ab_cd12, 1.0)] });
        assert_eq!(ladder.learn(1000).games, 0);
    }

    #[test]
    fn a_seed_gives_the_same_ladder() {
        assert_eq!(climbed(5), climbed(5));
        assert_ne!(climbed(5), climbed(6));
    }

    #[test]
    fn steps_are_small_where_a_fill_is_near() {
        let rungs: Vec<u32> = std::iter::successors(Some(176), |&points| Some(next(points))).take(30).collect();
        assert_eq!(rungs[..12], [176, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224]);
        assert!(rungs.windows(2).all(|pair| pair[1] > pair[0]));
        for power in [256, 512, 1024, 2048, 4096] {
            assert!(
                std::iter::successors(Some(192), |&points| Some(next(points))).take(400).any(|points| points == power)
            );
        }
    }
}
