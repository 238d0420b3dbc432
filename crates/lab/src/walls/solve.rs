//! A table from its largest sum backwards, two points at a time.

use anyhow::Result;
use estr2048_toolbox::interrupt;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::arrangements::{BITS, Places, code};
use super::slides::Slides;
use super::table::{Table, worth};

/// A chance of 1 while a table is solved; [`stored`] is what is left of it.
pub const SURE: u16 = u16::MAX;

/// One 255th, in which chances are stored.
pub const STEP: u16 = SURE / 255;

/// The nearest 255th.
pub fn stored(chance: u16) -> u8 {
    ((u32::from(chance) + u32::from(STEP) / 2) / u32::from(STEP)) as u8
}

/// The sum that was solved last, and the chances of its afterstates by layout and arrangement.
pub type Last = (u32, Vec<u16>);

/// What is solved with.
#[derive(Debug)]
pub struct Solver {
    slides: &'static Slides,
    threads: ThreadPool,
}

/// The afterstates of one sum, solved.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    slides: &'a Slides,
    table: &'a Table,
    behind: Option<&'a Table>,
    places: &'a Places,
    /// What all tiles but the walls sum to.
    pub sum: u32,
    /// By layout and arrangement.
    pub chances: &'a [u16],
}

/// One sum back: what the chances of its afterstates are made of.
struct Step<'a> {
    threads: &'a ThreadPool,
    following: Layer<'a>,
    /// Where the boards to be moved stand.
    boards: Places,
    /// Where the afterstates stand that a new tile makes these boards of.
    afters: &'a Places,
}

/// What a thread needs for a layout and the next one needs again.
#[derive(Default)]
struct Memory {
    /// The small tiles of every low half, in the cells that it has in this layout.
    lows: Vec<u64>,
    /// For which board of a high half, and where among the chances that follow, one is asked for.
    asked: Vec<(usize, usize)>,
}

impl Solver {
    /// The number of threads, with 0 one for each processor, changes nothing but the time.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { slides: Slides::shared(), threads })
    }

    /// Solves a table. `behind` is the one with one wall more, if the family goes on, its layers up to the slack at hand.
    /// `last` is the sum that was solved last and the chances of its afterstates, if the table is begun. `take` gets every
    /// layer from there down to the sum `lowest`. Returns what was solved last: a larger sum if the work was asked to stop.
    ///
    /// # Errors
    /// What `take` complains about.
    pub fn solve(
        &self,
        table: &Table,
        behind: Option<&Table>,
        mut last: Option<Last>,
        lowest: u32,
        mut take: impl FnMut(Layer) -> Result<()>,
    ) -> Result<Option<Last>> {
        let first = last.as_ref().map_or(table.family.most() + 2, |&(sum, _)| sum);
        for sum in (lowest..first).rev().skip(1).step_by(2) {
            let places = table.arrangements.places(sum, false);
            let mut chances = vec![0; table.layouts.count() * places.count()];
            if let Some((_, chances_after)) = &last {
                let places_after = table.arrangements.places(sum + 2, false);
                let following = self.layer(table, behind, sum + 2, &places_after, chances_after);
                let boards = table.arrangements.places(sum + 2, true);
                Step { threads: &self.threads, following, boards, afters: &places }.fill(&mut chances);
            }
            if interrupt::asked() {
                break;
            }
            take(self.layer(table, behind, sum, &places, &chances))?;
            last = Some((sum, chances));
        }
        Ok(last)
    }

    /// A layer that is solved already; `places` are those of its afterstates.
    pub fn layer<'a>(
        &'a self,
        table: &'a Table,
        behind: Option<&'a Table>,
        sum: u32,
        places: &'a Places,
        chances: &'a [u16],
    ) -> Layer<'a> {
        Layer { slides: self.slides, table, behind, places, sum, chances }
    }
}

impl Layer<'_> {
    /// The chance of a board of this sum that is to be moved: that of the best move.
    pub fn best_move(&self, board: u64) -> u16 {
        let mut others = 0;
        let making = self.best_making(board, |place| others = others.max(self.chances[place]));
        making.max(others)
    }

    /// The chance of the best move that makes the tile; `ask` gets the places of what the others lead to.
    #[inline]
    fn best_making(&self, board: u64, mut ask: impl FnMut(usize)) -> u16 {
        let Self { table, places, .. } = self;
        let mut best = 0;
        for (after, walls) in self.slides.afters(board) {
            let made = table.family.made(after);
            if made == 0 {
                if let Some((layout, number)) = table.layouts.find(walls, after) {
                    ask(layout * places.count() + table.arrangements.place(places, number));
                }
            } else {
                best = best.max(u16::from(worth(table.family, self.behind, after, made, self.sum)) * STEP);
            }
        }
        best
    }
}

impl Step<'_> {
    /// Fills the chances of each layout on all threads: new tiles change none.
    fn fill(&self, chances: &mut [u16]) {
        let layouts = chances.par_chunks_mut(self.afters.count().max(1)).enumerate();
        let memory = || (vec![0; self.boards.count()], Memory::default());
        self.threads.install(|| {
            layouts.filter(|_| !interrupt::asked()).for_each_init(memory, |(boards, memory), (layout, chances)| {
                self.best_moves(layout, memory, boards);
                self.means(boards, chances);
            });
        });
    }

    /// The chances of all boards of a layout that are to be moved: that of the best move.
    fn best_moves(&self, layout: usize, memory: &mut Memory, boards: &mut [u16]) {
        let Table { arrangements, layouts, .. } = self.following.table;
        let free = layouts.free(layout);
        let (low_free, high_free) = free.split_at((arrangements.low_bits() / BITS) as usize);
        let spread = |number: u32, free: &[u32]| {
            (0..).zip(free).fold(0, |board, (cell, shift)| board | u64::from(code(number, cell)) << shift)
        };
        let Memory { lows, asked } = memory;
        lows.resize(1 << arrangements.low_bits(), 0);
        arrangements.all_lows().for_each(|low| lows[low as usize] = spread(low, low_free));
        for high in arrangements.highs() {
            let board = layouts.board(layout) | spread(high.number, high_free);
            let numbers = arrangements.lows(&self.boards, high);
            let boards = &mut boards[self.boards.first(high.number) as usize..][..numbers.len()];
            // The chances lie far apart: to ask for many at once, in a loop that decides nothing, is what makes it fast.
            for (at, &low) in numbers.iter().enumerate() {
                boards[at] = self.following.best_making(board | lows[low as usize], |place| asked.push((at, place)));
            }
            for (at, place) in asked.drain(..) {
                boards[at] = boards[at].max(self.following.chances[place]);
            }
        }
    }

    /// The chances of all afterstates of a layout: the mean over the new tile's cells, to the nearest 65535th.
    fn means(&self, boards: &[u16], chances: &mut [u16]) {
        let Table { arrangements, family, .. } = self.following.table;
        let cells = family.free();
        let low_cells = arrangements.low_bits() / BITS;
        let empty = |number: u32, cells: u32| (0..cells).filter(move |&cell| code(number, cell) == 0);
        let mut place = 0;
        for high in arrangements.highs() {
            // With the new 2 in the high half, the low one has the same place behind another one.
            let others: Vec<u32> = empty(high.number, cells - low_cells)
                .map(|cell| self.boards.first(high.number + (1 << (BITS * cell))))
                .collect();
            let same = self.boards.first(high.number);
            for (low_place, &low) in (0..).zip(arrangements.lows(self.afters, high)) {
                let in_high = others.iter().map(|first| first + low_place);
                let in_low =
                    empty(low, low_cells).map(|cell| same + arrangements.low_place(low + (1 << (BITS * cell))));
                let (mut total, mut count) = (0, 0);
                for place in in_high.chain(in_low) {
                    total += u32::from(boards[place as usize]);
                    count += 1;
                }
                chances[place] = ((total + count / 2) / count) as u16;
                place += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::walls::arrangements::High;
    use crate::walls::cells::{VIEWS, WALL, viewed};
    use crate::walls::family::{Family, Goal};

    /// The whole table, and the one behind it.
    fn solved(family: Family, threads: usize) -> (Table, Option<Box<Table>>) {
        let behind = next(family).map(|behind| Box::new(solved(behind, threads).0));
        let mut table = Table::new(family);
        let mut layers = Vec::new();
        let take = |layer: Layer| {
            layers.push((layer.sum, layer.chances.iter().copied().map(stored).collect()));
            Ok(())
        };
        let last = Solver::new(threads).unwrap().solve(&table, behind.as_deref(), None, 0, take).unwrap();
        assert_eq!(last.map(|(sum, _)| sum), Some(0));
        layers.into_iter().for_each(|(sum, chances)| table.keep(sum, chances));
        (table, behind)
    }

    /// The tables behind, as simple as they can be.
    fn next(family: Family) -> Option<Family> {
        let goal = match family.goal {
            Goal::Half(slack) => Goal::Halves(slack),
            _ => Goal::Second,
        };
        let walls = family.walls + u32::from(!matches!(family.goal, Goal::Half(_)));
        family.behind().map(|slack| Family { walls, slack, goal })
    }

    /// The same by the rules alone: boards of tiles, nothing numbered, each solved when it is met.
    struct Oracle {
        family: Family,
        known: HashMap<[i32; 16], f64>,
        behind: Option<Box<Self>>,
    }

    const WALLED: i32 = -1;

    impl Oracle {
        fn new(family: Family) -> Self {
            Self { family, known: HashMap::new(), behind: next(family).map(|behind| Box::new(Self::new(behind))) }
        }

        fn after(&mut self, board: [i32; 16]) -> f64 {
            let target = 1 << self.family.target();
            let count = board.iter().filter(|&&tile| tile == target).count();
            match (self.family.goal, count, &mut self.behind) {
                (Goal::Second | Goal::Wall(_) | Goal::Half(_), 0, _) | (Goal::Halves(_), 1, _) => (),
                (Goal::Wall(_), 1, Some(behind)) => return behind.after(walled(board, target)),
                (Goal::Half(_), 1, Some(behind)) => return behind.after(board),
                (Goal::Half(_), ..) => return 0.0,
                (Goal::Halves(_), ..) if !ways(board).any(|after| after.contains(&(2 * target))) => return 0.0,
                (Goal::Halves(_), ..) => {
                    let boards: Vec<[i32; 16]> = with_twos(board).collect();
                    return boards.iter().map(|&board| self.combined(board)).sum::<f64>() / boards.len() as f64;
                }
                _ => return 1.0,
            }
            // The largest sum of a table counts as lost, whatever follows.
            let half = i32::from(self.family.has_half()) * target;
            let small: i32 = board.iter().filter(|&&tile| tile > 0).sum::<i32>() - half;
            if small >= target + self.family.slack as i32 {
                return 0.0;
            }
            if let Some(&chance) = self.known.get(&board) {
                return chance;
            }
            let boards: Vec<[i32; 16]> = with_twos(board).collect();
            let total: f64 = boards.iter().map(|&board| self.board(board)).sum();
            let chance = if boards.is_empty() { 0.0 } else { total / boards.len() as f64 };
            self.known.insert(board, chance);
            chance
        }

        fn board(&mut self, board: [i32; 16]) -> f64 {
            ways(board).map(|after| self.after(after)).fold(0.0, f64::max)
        }

        /// The best move that combines two halves.
        fn combined(&mut self, board: [i32; 16]) -> f64 {
            let whole = 2 << self.family.target();
            let behind = self.behind.as_mut().unwrap();
            let afters = ways(board).filter(|after| after.contains(&whole));
            afters.map(|after| behind.after(walled(after, whole))).fold(0.0, f64::max)
        }
    }

    fn walled(board: [i32; 16], tile: i32) -> [i32; 16] {
        board.map(|other| if other == tile { WALLED } else { other })
    }

    fn with_twos(board: [i32; 16]) -> impl Iterator<Item = [i32; 16]> {
        (0..16).filter(move |&cell| board[cell] == 0).map(move |cell| {
            let mut next = board;
            next[cell] = 2;
            next
        })
    }

    fn ways(board: [i32; 16]) -> impl Iterator<Item = [i32; 16]> {
        (0..4).map(move |way| slid(board, way)).filter(move |&after| after != board)
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

    /// Walls and small tiles of an afterstate.
    fn board(table: &Table, layout: usize, number: u64) -> u64 {
        let free = table.layouts.free(layout);
        let codes = free.iter().zip(0..).map(|(shift, cell)| (number >> (BITS * cell) & 7) << shift);
        table.layouts.board(layout) | codes.sum::<u64>()
    }

    fn numbers(table: &Table, sum: u32) -> Vec<u64> {
        let places = table.arrangements.places(sum, false);
        let with = |high: High| {
            let lows = table.arrangements.lows(&places, high).iter();
            lows.map(move |&low| u64::from(high.number) << table.arrangements.low_bits() | u64::from(low))
        };
        table.arrangements.highs().flat_map(with).collect()
    }

    #[test]
    fn chances_are_those_of_the_naive_solution() {
        for (walls, slack, goal, every) in [
            (12, 6, Goal::Second, 1),
            (12, 10, Goal::Second, 1),
            (11, 6, Goal::Second, 17),
            (11, 8, Goal::Wall(8), 3),
            (11, 24, Goal::Wall(24), 3),
            (11, 8, Goal::Wall(6), 3),
            (11, 6, Goal::Wall(8), 3),
            (11, 6, Goal::Halves(6), 7),
            (11, 8, Goal::Half(6), 3),
            (10, 4, Goal::Halves(8), 101),
        ] {
            let family = Family { walls, slack, goal };
            let mut oracle = Oracle::new(family);
            let (mut compared, mut between) = (0, 0);
            let (table, behind) = solved(family, 1);
            for sum in (0..=family.most()).step_by(2) {
                for number in numbers(&table, sum).into_iter().step_by(every) {
                    for layout in (0..table.layouts.count()).step_by(every.min(5)) {
                        let board = board(&table, layout, number);
                        let chance = table.chance(behind.as_deref(), board, sum);
                        let (expected, found) = (oracle.after(tiles(board)), f64::from(chance) / 255.0);
                        assert!((found - expected).abs() < 0.01, "{board:x}: {found}, not {expected}");
                        compared += 1;
                        between += usize::from(chance > 25 && chance < 230);
                    }
                }
            }
            assert!(compared > 1000 && between > 100, "{walls} {slack} {goal:?}: {compared} {between}");
        }
    }

    #[test]
    fn neither_views_nor_threads_change_a_chance() {
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let ((table, _), (other, _)) = (solved(family, 1), solved(family, 3));
        for sum in (0..=family.most()).step_by(2) {
            for number in numbers(&table, sum) {
                for layout in 0..table.layouts.count() {
                    let board = board(&table, layout, number);
                    let known = table.open(board, sum);
                    for view in 0..VIEWS {
                        assert_eq!(other.open(viewed(board, view), sum), known, "{board:x} {view}");
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
