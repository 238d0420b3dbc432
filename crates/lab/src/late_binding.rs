//! Full boards from which the target tile may be sure in the least possible moves, without trying all boards.
//!
//! In as many moves as there are tiles to make, every move has to combine two of a chain: 2 + 2, 4 + 4, and so on. Such
//! a play is followed from two 2s side by side among tiles that have no name yet. Each move makes a tile that waits for its
//! like, which must be one of the nameless tiles in its sight: only then is that one named, and every choice followed.
//! The new 2s always fall into the first empty cell; where the target is sure, it is sure with these as well.
//! The new 2s of a play of n moves add up to less than the tile that the move makes: they are never taken for a part of
//! the chain.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use estr2048_toolbox::interrupt;
use estr2048_toolbox::progress::Progress;
use rayon::prelude::*;

use crate::grid::{DIRECTIONS, Grid, Way};

/// Plays are shared among the cores when there are so many beginnings.
const BEGINNINGS: usize = 4096;

/// Added to the cell in which a nameless tile lay at first, which tells it from all others.
const NAMELESS: u8 = 32;

/// A play in which some tiles have no name yet.
#[derive(Clone, Copy, Debug)]
struct Play {
    /// By reading order in rows of four: 0 for an empty cell, k for 2^k, more for a nameless tile.
    cells: [u8; 16],
    /// The codes of the named tiles, where they lay at first.
    named: [u8; 16],
    /// Two tiles of this code lie there, and come together next.
    code: u8,
}

/// The plays on a board of one size.
#[derive(Debug)]
struct Plays<'a> {
    grid: &'a Grid,
    /// For each direction the lines of cells, from the side to which tiles go.
    lines: [Vec<Vec<usize>>; 4],
}

/// These boards, each in one of its symmetric forms, in ascending order: all full boards from which the target is sure in the
/// least possible moves up to its halves, and others. Not all of them if the work was asked to stop.
pub fn candidates(grid: &Grid, quiet: bool) -> Vec<u64> {
    let plays = Plays { grid, lines: DIRECTIONS.map(|way| lines(grid, way)) };
    let mut beginnings = plays.beginnings();
    while beginnings.len() < BEGINNINGS && beginnings.first().is_some_and(|play| !plays.is_over(play)) {
        let mut longer = Vec::new();
        beginnings.iter().for_each(|play| plays.follow(play, &mut |play| longer.push(play)));
        beginnings = longer;
    }
    let bar = Progress::new(beginnings.len() as u64, "beginnings", quiet);
    let done = AtomicU64::new(0);
    let mut boards: Vec<u64> = beginnings
        .par_iter()
        .flat_map_iter(|play| {
            let mut boards = Vec::new();
            plays.finish(play, &mut boards);
            boards.sort_unstable();
            boards.dedup();
            bar.at(done.fetch_add(1, Relaxed) + 1, "");
            boards
        })
        .collect();
    bar.finish();
    boards.par_sort_unstable();
    boards.dedup();
    boards
}

fn lines(grid: &Grid, way: Way) -> Vec<Vec<usize>> {
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    let (count, length) = if matches!(way, Way::Up | Way::Down) { (cols, rows) } else { (rows, cols) };
    let cell = |line: usize, place: usize| match way {
        Way::Up => 4 * place + line,
        Way::Down => 4 * (length - 1 - place) + line,
        Way::Left => 4 * line + place,
        Way::Right => 4 * line + length - 1 - place,
    };
    (0..count).map(|line| (0..length).map(|place| cell(line, place)).collect()).collect()
}

impl Plays<'_> {
    /// Two 2s side by side, the other tiles nameless; once for all symmetric pairs.
    fn beginnings(&self) -> Vec<Play> {
        let mut seen = HashSet::new();
        let pairs = self.lines.iter().flatten().flat_map(|line| line.windows(2));
        let mut plays = Vec::new();
        for pair in pairs.filter(|pair| seen.insert(self.grid.canonical(1 << (4 * pair[0]) | 1 << (4 * pair[1])))) {
            let mut play = Play { cells: [0; 16], named: [0; 16], code: 1 };
            self.cells().for_each(|cell| play.cells[cell] = NAMELESS + cell as u8);
            for &cell in pair {
                play.cells[cell] = 1;
                play.named[cell] = 1;
            }
            plays.push(play);
        }
        plays
    }

    fn cells(&self) -> impl Iterator<Item = usize> {
        self.lines[0].iter().flatten().copied()
    }

    /// Whether both halves of the target lie there.
    fn is_over(&self, play: &Play) -> bool {
        u32::from(play.code) + 1 == self.grid.cells()
    }

    /// All full boards that the play may have come from.
    fn finish(&self, play: &Play, boards: &mut Vec<u64>) {
        if self.is_over(play) {
            let code = |cell: usize| u64::from(play.named[cell]);
            let board = self.cells().fold(0, |board, cell| board | code(cell) << (4 * cell));
            boards.push(self.grid.canonical(board));
        } else if !interrupt::asked() {
            self.follow(play, &mut |play| self.finish(&play, boards));
        }
    }

    /// All plays that are a move longer.
    fn follow(&self, play: &Play, found: &mut dyn FnMut(Play)) {
        let code = play.code + 1;
        for &way in self.grid.ways() {
            let Some(after) = self.combined(&play.cells, way, play.code) else { continue };
            let Some(made) = self.cells().find(|&cell| after[cell] == code) else { continue };
            let Some(empty) = self.cells().find(|&cell| after[cell] == 0) else { continue };
            let mut cells = after;
            cells[empty] = 1;
            // The other half of the target may come into sight later.
            let last = u32::from(code) + 1 == self.grid.cells();
            for like in self.cells().filter(|&cell| cells[cell] >= NAMELESS) {
                if last || self.in_sight(&cells, made).any(|cell| cell == like) {
                    let mut next = Play { cells, code, ..*play };
                    next.named[usize::from(cells[like] - NAMELESS)] = code;
                    next.cells[like] = code;
                    found(next);
                }
            }
        }
    }

    /// The cells after a move, if it combines two tiles of this code.
    fn combined(&self, cells: &[u8; 16], way: Way, code: u8) -> Option<[u8; 16]> {
        let mut after = [0; 16];
        let mut combines = false;
        for line in &self.lines[way as usize] {
            let (mut place, mut waiting) = (0, 0);
            for tile in line.iter().map(|&cell| cells[cell]).filter(|&tile| tile != 0) {
                if tile == waiting {
                    after[line[place - 1]] += 1;
                    waiting = 0;
                    combines |= tile == code;
                } else {
                    after[line[place]] = tile;
                    place += 1;
                    waiting = tile;
                }
            }
        }
        combines.then_some(after)
    }

    /// The first tile in each direction.
    fn in_sight(&self, cells: &[u8; 16], from: usize) -> impl Iterator<Item = usize> {
        self.lines.iter().flatten().filter_map(move |line| {
            let place = line.iter().position(|&cell| cell == from)?;
            line[..place].iter().rev().copied().find(|&cell| cells[cell] != 0)
        })
    }
}
