//! A step of the search in parts, which any number of threads can share.
//!
//! The tree is cut where a branch has less than a 32nd of the step's budget. The branches below the cuts are searched
//! one by one, each as if nothing else had been searched before, and the tree above is made of their values. So the
//! outcome is the same whatever thread searches which branch, and whether there is one thread or many.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::bitboard::Bitboard;
use crate::network::Evaluate;
use crate::search::expectimax::{Bounds, Walk, Walker};
use crate::search::transposition_table::Table;

/// The share of the budget below which a branch is not cut further.
const PARTS: f32 = 32.0;

/// Stack of a helping thread: room for some thousand plies.
const STACK: usize = 4 << 20;

/// A branch to be searched.
#[derive(Debug)]
struct Part {
    after: Bitboard,
    sum: u32,
    budget: f32,
    ply: u32,
    /// The bits of its value, once it has one.
    value: AtomicU32,
}

/// The parts of a step, and the memory for them.
#[derive(Debug)]
pub(super) struct Split {
    parts: Vec<Part>,
    /// For every cut of the tree, in the order of the walk, the part that is below it.
    cuts: Vec<u32>,
    /// Branches that occur more than once are searched once.
    seen: Table<u32>,
}

impl Split {
    pub fn new() -> Self {
        Self { parts: Vec::with_capacity(1024), cuts: Vec::with_capacity(1024), seen: Table::new(10) }
    }

    /// The values of a board's moves, and the largest number of moves looked ahead; `None` if the bounds were passed.
    ///
    /// The first walker belongs to the calling thread; a thread is started for every other one, or for none of those
    /// from the first on that the system refuses. With `isolated`, every branch is searched with an empty table.
    pub fn root<E: Evaluate + Sync>(
        &mut self,
        walkers: &mut [Walker],
        network: &E,
        bounds: &Bounds,
        (board, sum, budget): (Bitboard, u32, f32),
        isolated: bool,
    ) -> Option<([Option<f32>; 4], u32)> {
        self.parts.clear();
        self.cuts.clear();
        self.seen.forget();
        let limit = budget / PARTS;
        let (afters, legal) = board.afterstates();
        for &after in &afters[..legal] {
            self.cut(after, sum, budget / legal as f32, 1, limit);
        }
        let next = AtomicUsize::new(0);
        let parts = &self.parts;
        let work = |walker: &mut Walker| search_parts(&mut Walk { walker, network, bounds }, parts, &next, isolated);
        let (own, others) = walkers.split_first_mut()?;
        let depth = if others.is_empty() { work(own) } else { with_helpers(work, own, others) };
        if bounds.are_passed() {
            return None;
        }
        let mut cuts = self.cuts.iter();
        let mut value_of_cut = || {
            let part = cuts.next().and_then(|&part| self.parts.get(part as usize));
            part.map_or(0.0, |part| f32::from_bits(part.value.load(Ordering::Relaxed)))
        };
        let mut values = [None; 4];
        for (direction, after) in board.moves() {
            values[direction as usize] = Some(1.0 + joined(after, budget / legal as f32, limit, &mut value_of_cut));
        }
        Some((values, depth))
    }

    fn cut(&mut self, after: Bitboard, sum: u32, budget: f32, ply: u32, limit: f32) {
        let share = budget / after.count_empty() as f32;
        if is_cut(budget, share, limit) {
            let part = self.part(after, sum, budget, ply);
            self.cuts.push(part);
            return;
        }
        for cell in after.empty_cells() {
            let (afters, legal) = after.with_two(cell).afterstates();
            for &after in &afters[..legal] {
                self.cut(after, sum + 2, share / legal as f32, ply + 1, limit);
            }
        }
    }

    fn part(&mut self, after: Bitboard, sum: u32, budget: f32, ply: u32) -> u32 {
        if let Some(place) = self.seen.get(after)
            && let Some(part) = self.parts.get_mut(place as usize)
        {
            part.budget = part.budget.max(budget);
            part.ply = part.ply.max(ply);
            return place;
        }
        let place = self.parts.len() as u32;
        self.parts.push(Part { after, sum, budget, ply, value: AtomicU32::new(0) });
        self.seen.put(after, place);
        place
    }
}

/// Does the work with all walkers, each but the first on a thread of its own, and gives the largest outcome.
fn with_helpers(work: impl Fn(&mut Walker) -> u32 + Sync, own: &mut Walker, others: &mut [Walker]) -> u32 {
    let work = &work;
    std::thread::scope(|scope| {
        let start = |walker| {
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, move || work(walker)).ok()
        };
        // Collecting into a vector starts all of them before the first is waited for.
        let helpers: Vec<_> = others.iter_mut().map_while(start).collect();
        let own = work(own);
        helpers.into_iter().filter_map(|helper| helper.join().ok()).fold(own, u32::max)
    })
}

/// The same everywhere: where a branch of the tree is not cut further.
fn is_cut(budget: f32, share: f32, limit: f32) -> bool {
    budget < limit || share < 1.0
}

/// The value of an afterstate above the cuts.
fn joined(after: Bitboard, budget: f32, limit: f32, value_of_cut: &mut impl FnMut() -> f32) -> f32 {
    let empty = after.count_empty() as f32;
    let share = budget / empty;
    if is_cut(budget, share, limit) {
        return value_of_cut();
    }
    let mut total = 0.0;
    for cell in after.empty_cells() {
        let (afters, legal) = after.with_two(cell).afterstates();
        let mut best = 0.0_f32;
        for &after in &afters[..legal] {
            best = best.max(1.0 + joined(after, share / legal as f32, limit, value_of_cut));
        }
        total += best;
    }
    total / empty
}

/// Searches parts until none is left or the bounds are passed. Returns the largest number of moves looked ahead.
fn search_parts<E: Evaluate>(walk: &mut Walk<'_, E>, parts: &[Part], next: &AtomicUsize, isolated: bool) -> u32 {
    walk.begin();
    while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
        if isolated {
            walk.walker.forget();
        }
        let value = walk.chance_node(part.after, part.sum, part.budget, part.ply);
        part.value.store(value.to_bits(), Ordering::Relaxed);
        if !walk.end() {
            break;
        }
    }
    walk.walker.depth
}
