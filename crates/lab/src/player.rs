//! A learner for small boards, alone and with sets of exact chances as its teacher.

use std::path::Path;

use anyhow::Result;
use estr2048_toolbox::interrupt;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::grid::{Grid, bits};
use crate::network::Tuples;
use crate::retrograde::{Chances, Made, Table};
use crate::store;
use crate::sure::Sure;

/// Decay of TD(λ).
const LAMBDA: f32 = 0.5;

/// The set of afterstates from which the target is made for sure, at one sum: who gets there has won.
#[derive(Debug)]
pub struct Gate {
    sum: u32,
    afters: Table,
}

impl Gate {
    /// The sure set so many points before the fill of `grid`, from `folder`.
    pub fn load(folder: &Path, grid: &Grid, points: u32) -> Result<Self> {
        let afters = Table::new(&sure_set(folder, grid, points)?);
        Ok(Self { sum: grid.fill() - points, afters })
    }

    /// Whether there is such a set, and with `follow` all that come behind it.
    ///
    /// # Errors
    /// If one is missing, or it is no sure set.
    pub fn check(folder: &Path, grid: &Grid, points: u32, follow: bool) -> Result<()> {
        store::check(folder, grid, points, as_sure(store::made(folder, grid, points)?))?;
        for points in (0..points).step_by(2).filter(|_| follow) {
            store::made(folder, grid, points)?;
        }
        Ok(())
    }

    fn holds(&self, grid: &Grid, after: u64, sum: u32) -> bool {
        sum == self.sum && self.afters.get(grid.canonical(after)) > 0.0
    }
}

fn sure_set(folder: &Path, grid: &Grid, points: u32) -> Result<Chances> {
    store::load(folder, grid, points, as_sure(store::made(folder, grid, points)?))
}

fn as_sure(made: Made) -> Made {
    Made { floor: 1.0, halves: false, ..made }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The target tile was made, here.
    Made(u64),
    /// The gate was reached, here: from now on it is sure.
    Sure(u64),
    /// No move was left, at this sum.
    Lost(u32),
}

/// A network that plays and learns, up to the fill of its board.
#[derive(Debug)]
pub struct Player<'a> {
    grid: &'a Grid,
    /// What it learned.
    pub network: Tuples,
    gate: Option<Gate>,
    random: SmallRng,
    path: Vec<u64>,
}

impl<'a> Player<'a> {
    /// A player with its own random numbers for the game's.
    pub fn new(grid: &'a Grid, network: Tuples, gate: Option<Gate>, seed: u64) -> Self {
        Self { grid, network, gate, random: SmallRng::seed_from_u64(seed), path: Vec::new() }
    }

    /// What a game is worth that has won at this sum: all moves up to the ceiling.
    fn won(&self, sum: u32) -> f32 {
        (self.grid.ceiling() + 2).saturating_sub(sum) as f32 / 2.0
    }

    fn is_passed(&self, board: u64, sum: u32) -> bool {
        sum >= self.grid.fill() && self.grid.is_passed(board)
    }

    /// Expected moves after an afterstate, by the network, and what is known for sure.
    fn value(&self, after: u64, sum: u32) -> f32 {
        if self.is_passed(after, sum) || self.gate.as_ref().is_some_and(|gate| gate.holds(self.grid, after, sum)) {
            return self.won(sum);
        }
        self.network.value(after).min(self.won(sum))
    }

    /// The best afterstate of a board. A budget is divided among the moves and the cells; where less than 1 is left, the
    /// network values.
    fn best(&self, board: u64, sum: u32, budget: f32) -> Option<(f32, u64)> {
        let share = budget / self.grid.afters(board).count().max(1) as f32;
        let valued = self.grid.afters(board).map(|after| (self.searched(after, sum, share), after));
        valued.reduce(|best, other| if other.0 > best.0 { other } else { best })
    }

    fn searched(&self, after: u64, sum: u32, budget: f32) -> f32 {
        let empty = self.grid.empty(after);
        let share = budget / empty.count_ones() as f32;
        let known = self.gate.as_ref().is_some_and(|gate| gate.sum == sum);
        if share < 1.0 || known || self.is_passed(after, sum) {
            return self.value(after, sum);
        }
        let end = |board| if self.is_passed(board, sum + 2) { self.won(sum + 2) } else { 0.0 };
        let reply = |cell| match self.best(after | cell, sum + 2, share) {
            Some((value, _)) => value + 1.0,
            None => end(after | cell),
        };
        bits(empty).map(reply).sum::<f32>() / empty.count_ones() as f32
    }

    /// An afterstate that games begin with: an empty board, or what a fill leaves, the tiles from its target on, anywhere.
    pub fn first(&mut self, behind: Option<&Grid>) -> u64 {
        let codes = behind.map(|grid| grid.target_code()..=grid.cells());
        codes.into_iter().flatten().fold(0, |after, code| {
            let two = self.with_two(after) ^ after;
            after | (u64::from(code) * two)
        })
    }

    /// Plays a game on from an afterstate with a search of `budget`, up to the target tile or the gate.
    pub fn play(&mut self, from: u64, budget: f32) -> End {
        self.path.clear();
        let mut board = self.with_two(from);
        let mut sum = self.grid.sum(board);
        loop {
            let Some((_, after)) = self.best(board, sum, budget) else {
                // At the ceiling the board is full.
                return if self.is_passed(board, sum) { End::Made(board) } else { End::Lost(sum) };
            };
            self.path.push(after);
            if self.is_passed(after, sum) {
                return End::Made(after);
            }
            if self.gate.as_ref().is_some_and(|gate| gate.holds(self.grid, after, sum)) {
                return End::Sure(after);
            }
            board = self.with_two(after);
            sum += 2;
        }
    }

    /// Plays one game from an afterstate without search and learns from it, backwards.
    pub fn learn(&mut self, from: u64, alpha: f32) -> End {
        let end = self.play(from, 1.0);
        let mut target = match end {
            End::Lost(_) => 0.0,
            End::Made(after) | End::Sure(after) => self.won(self.grid.sum(after)),
        };
        for index in (0..self.path.len()).rev() {
            let value = self.network.update(self.path[index], target, alpha);
            target = 1.0 + (1.0 - LAMBDA) * value + LAMBDA * target;
        }
        end
    }

    fn with_two(&mut self, after: u64) -> u64 {
        let empty = self.grid.empty(after);
        let choice = self.random.random_range(0..empty.count_ones()) as usize;
        after | bits(empty).nth(choice).unwrap_or(0)
    }

    /// Plays on from sure afterstates, all at once, by the sets of `folder` and at last by forward solution: the boards
    /// with the target tile. All must make it. `None` if the work was asked to stop.
    pub fn follow(&mut self, folder: &Path, points: u32, mut afters: Vec<u64>) -> Result<Option<Vec<u64>>> {
        for points in (2..points).step_by(2).rev() {
            if interrupt::asked() {
                return Ok(None);
            }
            let sure = Table::new(&sure_set(folder, self.grid, points)?);
            for after in &mut afters {
                let board = self.with_two(*after);
                let known = |after: &u64| sure.get(self.grid.canonical(*after)) > 0.0;
                *after = self.grid.afters(board).find(known).unwrap_or(0);
            }
            afters.retain(|&after| after != 0);
        }
        let last_moves = store::made(folder, self.grid, 0)?.last_moves;
        let mut solver = Sure::new(self.grid);
        Ok(Some(afters.into_iter().filter_map(|after| self.finish(&mut solver, after, last_moves.into())).collect()))
    }

    /// Plays the last moves from a full board on: `None` if they do not make the target tile.
    fn finish(&mut self, solver: &mut Sure<'_>, mut after: u64, moves: u32) -> Option<u64> {
        for left in (0..=moves).rev() {
            let board = self.with_two(after);
            if self.grid.is_passed(board) {
                return Some(board);
            }
            if !solver.board(board, left) {
                return None;
            }
            let made = self.grid.afters(board).find(|&after| self.grid.is_passed(after));
            if made.is_some() {
                return made;
            }
            after = self.grid.afters(board).find(|&after| solver.after(board, after, left))?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full::full_boards;
    use crate::grid::DIRECTIONS;
    use crate::retrograde::before;

    fn tuples(grid: &Grid) -> Tuples {
        Tuples::new(grid, &[vec![0, 1, 2, 3], vec![0, 1, 3, 4], vec![1, 2, 4, 5]]).unwrap()
    }

    #[test]
    fn a_learner_makes_the_target_of_a_small_board() {
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        let mut player = Player::new(&grid, tuples(&grid), None, 1);
        let made = |player: &mut Player<'_>, alpha: f32| {
            (0..200).filter(|_| matches!(player.learn(0, alpha), End::Made(_))).count()
        };
        let before = made(&mut player, 0.0);
        (0..3000).for_each(|_| {
            player.learn(0, 1.0);
        });
        let after = made(&mut player, 0.0);
        assert!(after > 180 && before < 100, "{before} of 200 before, {after} after");
    }

    #[test]
    fn who_passes_the_gate_makes_the_target() {
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let sure = Made { floor: 1.0, last_moves: 20, halves: false, corner: false };
        let mut layer = full_boards(&grid, sure, true);
        store::save(folder.path(), &grid, layer.sum, sure, &layer.boards).unwrap();
        for points in (2..=16).step_by(2) {
            layer = before(&grid, &layer, sure);
            assert_eq!(layer.sum, grid.fill() - points);
            store::save(folder.path(), &grid, layer.sum, sure, &layer.afters).unwrap();
        }
        let gate = Gate::load(folder.path(), &grid, 16).unwrap();
        let mut player = Player::new(&grid, tuples(&grid), Some(gate), 2);
        let ends: Vec<End> = (0..400).map(|_| player.learn(0, 1.0)).collect();
        let passed: Vec<u64> =
            ends.iter().filter_map(|end| if let End::Sure(after) = end { Some(*after) } else { None }).collect();
        assert!(passed.len() > 20, "{}", passed.len());
        let count = passed.len();
        assert_eq!(player.follow(folder.path(), 16, passed).unwrap().unwrap().len(), count);
    }
}
