//! Training games that end where boards are solved.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use estr2048::Bitboard;
use estr2048::network::known;
use estr2048_training::worker;

use super::files;
use super::goal::Goal;
use super::walled::{walled, with_two};
use crate::grid::{DIRECTIONS, Grid};
use crate::retrograde::{Chances, Table, best_of_each};

/// The solved boards of some sums, as ends of games.
#[derive(Debug)]
pub struct Ends {
    grid: Grid,
    goal: Goal,
    /// The sums of all tiles at which games end.
    sums: RangeInclusive<u32>,
    /// The boards of these sums, for every second one.
    boards: Vec<Table>,
    /// A game ends on an afterstate with at least this chance.
    enough: f32,
}

impl Ends {
    /// Whether this folder has solved boards.
    pub fn are_in(folder: &Path) -> bool {
        files::path(folder, 1).exists()
    }

    /// Games end at the first of these sums at which they come to an afterstate with a chance of `enough`, or at the last one:
    /// each board counts as in the folder that knows the most of it, and as lost if none knows it.
    ///
    /// # Errors
    /// If a folder does not have these sums, cannot be read, or is about another goal than the first one.
    pub fn load(folders: &[PathBuf], sums: RangeInclusive<u32>, enough: f32) -> Result<Self> {
        let first = folders.first().context("no folder is named")?;
        let (goal, _) = files::load_any(first, 1)?;
        let last = goal.sum(1);
        ensure!(
            sums.start() <= sums.end() && *sums.end() <= last,
            "{} has no sums after {last}: {} to {} are none of them",
            first.display(),
            sums.start(),
            sums.end()
        );
        let mut boards = Vec::new();
        for sum in sums.clone().filter(|sum| sum.is_multiple_of(2)) {
            let left = (last - sum) / 2 + 1;
            let mut all = Chances::new();
            for folder in folders {
                let (its_goal, its_boards) = files::load_any(folder, left)?;
                ensure!(its_goal == goal, "{} and {} have different goals", first.display(), folder.display());
                all.extend(its_boards);
            }
            boards.push(Table::new(&best_of_each(all)));
        }
        Ok(Self { grid: Grid::new(4, 4, &DIRECTIONS)?, goal, sums, boards, enough })
    }
}

impl worker::Ends for Ends {
    /// A board with a 65536 is seen some sizes smaller, at the sum that it has then.
    fn chance(&self, after: Bitboard, sum: u32) -> Option<f32> {
        let (cells, sum) = known(after, sum, None);
        let sum = sum + 2;
        worker::chance_at(&self.sums, sum, || {
            let boards = &self.boards[((sum - self.sums.start().next_multiple_of(2)) / 2) as usize];
            let is_last = sum + 2 > *self.sums.end();
            let enough = if is_last { 0.0 } else { self.enough };
            let after = walled(&self.grid, Bitboard::from_cells(cells), self.goal);
            let chance = after.map_or(0.0, |after| self.chance_among(boards, after, enough));
            (chance >= enough).then_some(chance)
        })
    }
}

impl Ends {
    /// The chance of an afterstate with its largest tiles as walls, or less than `least` as soon as it is clear that it has less.
    fn chance_among(&self, boards: &Table, after: u64, least: f32) -> f32 {
        let count = self.grid.empty(after).count_ones() as f32;
        let (mut chance, mut lost) = (1.0, 0.0);
        for board in with_two(&self.grid, after) {
            lost += 1.0 - boards.get(board);
            chance = 1.0 - lost / count;
            if chance < least {
                break;
            }
        }
        chance
    }
}

#[cfg(test)]
mod tests {
    use estr2048::network::upgraded;
    use worker::Ends as _;

    use super::*;
    use crate::endgame::backwards::{Problem, Rules};
    use crate::endgame::walled::Layouts;

    fn bitboard(rows: [[i32; 4]; 4]) -> Bitboard {
        Bitboard::from_board(&rows).unwrap()
    }

    /// The boards that follow these afterstates, each with its chance.
    fn save(folder: &Path, goal: Goal, left: u32, afters: &[(Bitboard, f32)]) {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let boards = |&(after, chance): &(Bitboard, f32)| {
            let after = walled(&grid, after, goal).unwrap();
            with_two(&grid, after).map(move |board| (board, chance)).collect::<Chances>()
        };
        let boards = best_of_each(afters.iter().flat_map(boards).collect());
        let layouts = Layouts::default();
        let late = if let Goal::Fill { late, .. } = goal { late } else { 0 };
        let rules = Rules { floor: 0.5, most: 9, most_at_fills: 9, late };
        files::save(folder, left, &Problem { grid: &grid, goal, layouts: &layouts, rules }, &boards).unwrap();
    }

    #[test]
    fn a_game_ends_where_the_chance_is_enough_or_the_sums_are_over() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let goal = Goal::Fill { free: 10, late: 4 };
        let six = |small: [i32; 4]| bitboard([[32768, 16384, 0, 8192], [4096, 2048, 0, 1024], small, [0; 4]]);
        // 64512 and 24 points, a 2 included that is added then.
        let (good, poor, mixed) = (six([16, 4, 2, 0]), six([4, 16, 2, 0]), six([2, 16, 4, 0]));
        let left = (goal.sum(1) - (64512 + 24)) / 2 + 1;
        save(one.path(), goal, 1, &[]);
        for left in left - 1..=left {
            save(one.path(), goal, left, &[(good, 0.75), (poor, 0.25), (mixed, 0.25)]);
            save(other.path(), goal, left, &[(mixed, 0.5)]);
        }
        let load = |folders: &[&Path], sums, enough| {
            let folders: Vec<PathBuf> = folders.iter().map(|&folder| folder.to_owned()).collect();
            Ends::load(&folders, sums, enough)
        };
        let chance = |ends: &Ends, after: Bitboard| ends.chance(after, after.sum() as u32);
        let ends = load(&[one.path()], 64536..=64538, 0.5).unwrap();
        assert_eq!([good, poor, mixed].map(|after| chance(&ends, after)), [Some(0.75), None, None]);
        // In another order, turned, and behind a later fill.
        let turned = bitboard([[1024, 0, 2048, 4096], [16384, 0, 8192, 32768], [0, 2, 4, 16], [0; 4]]);
        assert_eq!([turned, upgraded(good, 1).unwrap()].map(|after| chance(&ends, after)), [Some(0.75); 2]);
        let both = load(&[one.path(), other.path()], 64536..=64538, 0.5).unwrap();
        assert_eq!([good, poor, mixed].map(|after| chance(&both, after)), [Some(0.75), None, Some(0.5)]);
        let last = load(&[one.path()], 64536..=64536, 0.5).unwrap();
        assert_eq!([good, poor].map(|after| chance(&last, after)), [Some(0.75), Some(0.25)]);
        let (early, late) = (six([16, 4, 0, 0]), six([16, 4, 2, 2]));
        assert_eq!([early, late].map(|after| chance(&last, after)), [None, Some(0.0)]);

        let error = load(&[one.path()], 64000..=64002, 0.5).err().unwrap().to_string();
        assert!(error.contains(".end"), "{error}");
        let error = load(&[one.path()], 64536..=70000, 0.5).err().unwrap().to_string();
        assert!(error.contains("no sums after 65544"), "{error}");
        save(other.path(), Goal::Fill { free: 10, late: 5 }, left, &[]);
        let error = load(&[one.path(), other.path()], 64536..=64536, 0.5).err().unwrap().to_string();
        assert!(error.contains("different goals"), "{error}");
        assert!(Ends::are_in(one.path()) && !Ends::are_in(&one.path().join("none")));
    }
}
