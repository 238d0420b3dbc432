//! One training game after the other: play with the network as it is, then learn from the whole game, backwards.

use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Result, ensure};
use estr2048::Bitboard;
use estr2048::network::{Evaluate, MAX_AFTERS, Shape};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::lessons::Lesson;
use crate::tables::{Places, Tables};

/// What counts as reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// 1 for every move: survival
    Moves,
    /// The tiles made by combining, as in ordinary 2048
    Merges,
}

/// How to learn.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub lambda: f32,
    /// What a reward that comes one move later counts, from 0 to 1.
    pub discount: f32,
    pub reward: Reward,
    /// Boards to start some of the games from, by ascending sum.
    pub starts: Vec<Bitboard>,
    /// Share of the games that start there.
    pub start_share: f64,
    /// Such a game begins with up to so many random moves, which nobody learns from.
    pub stray: u32,
    /// Such a game ends after so many further moves, and is then worth what the network says.
    pub most_moves: usize,
    /// What becomes of a game from `starts` once a 65536 is made.
    pub after_top: AfterTop,
    /// The sums whose weights learn, as the network looks them up. A game that leaves them ends, and is then worth what
    /// the network says.
    pub learned: RangeInclusive<u32>,
    /// Such a game is played on for so many moves before the network says it, and nothing learns from these.
    pub play_on: u32,
    /// Where games end because their chance is known: a chance of 1 is worth what [`AfterTop::Worth`] says, without which none ends
    /// there.
    pub ends: Option<Arc<dyn Ends>>,
}

impl Recipe {
    /// The same recipe, but that games start only from boards that a network of this shape looks up by the sums that
    /// learn.
    ///
    /// # Errors
    /// If there are starts, and none of them is looked up so.
    pub(crate) fn for_shape(&self, shape: &Shape) -> Result<Self> {
        let mut recipe = self.clone();
        recipe.starts.retain(|&board| self.learned.contains(&shape.known(board, board.sum() as u32).1));
        ensure!(
            recipe.starts.is_empty() == self.starts.is_empty(),
            "none of the boards to start from is looked up by the sums that learn"
        );
        Ok(recipe)
    }
}

/// What is known of the afterstates on which games end.
pub trait Ends: Debug + Send + Sync {
    /// The chance, from 0 to 1, of an afterstate of this sum. `None` if a game does not end there.
    fn chance(&self, after: Bitboard, sum: u32) -> Option<f32>;
}

/// The chance of an afterstate where games end at these sums: none does before them, and behind them all are lost.
pub fn chance_at(sums: &RangeInclusive<u32>, sum: u32, chance: impl FnOnce() -> Option<f32>) -> Option<f32> {
    if sum < *sums.start() {
        return None;
    }
    if sum > *sums.end() { Some(0.0) } else { chance() }
}

/// Whole games from their beginning, of which every sum learns, with a reward of 1 for every move.
impl Default for Recipe {
    fn default() -> Self {
        Self {
            lambda: 0.5,
            discount: 1.0,
            reward: Reward::Moves,
            starts: Vec::new(),
            start_share: 0.0,
            stray: 0,
            most_moves: usize::MAX,
            after_top: AfterTop::Plays(128),
            learned: 0..=u32::MAX,
            play_on: 0,
            ends: None,
        }
    }
}

/// What becomes of a game once a 65536 is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AfterTop {
    /// It goes on for so many moves; its end is worth what the network says.
    Plays(u32),
    /// It ends, and to have made it is worth so much, however long it took.
    Worth(f32),
}

/// What one game came to.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub moves: u64,
    pub sum: u32,
    /// Whether the game started from a given board.
    pub restarted: bool,
}

/// Sums that lie so far apart are those of different fills.
const GAP: i64 = 2048;

/// How many afterstates ahead of the one that learns the weights are fetched from memory.
const PREFETCH_DISTANCE: usize = 3;

/// The same for lessons, which lie farther apart in memory than the afterstates of a game.
const STUDY_PREFETCH: usize = 8;

/// One thread's part of a training.
#[derive(Debug)]
pub struct Worker<'a> {
    tables: &'a Tables,
    recipe: &'a Recipe,
    random: SmallRng,
    /// The afterstates of the game, their sums, and the reward of the move that led to each.
    path: Vec<(Bitboard, u32, f32)>,
}

impl<'a> Worker<'a> {
    /// A worker with its own random numbers.
    pub fn new(tables: &'a Tables, recipe: &'a Recipe, seed: u64) -> Self {
        Self { tables, recipe, random: SmallRng::seed_from_u64(seed), path: Vec::with_capacity(1 << 16) }
    }

    /// Plays one game and learns from it with step size `alpha`.
    pub fn game(&mut self, alpha: f32) -> Outcome {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just reported both features.
            return unsafe { self.game_avx2(alpha) };
        }
        self.game_inlined(alpha)
    }

    /// The same game, compiled for newer processors: the look-ups become part of the loop.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi2")]
    fn game_avx2(&mut self, alpha: f32) -> Outcome {
        self.game_inlined(alpha)
    }

    #[inline(always)]
    fn game_inlined(&mut self, alpha: f32) -> Outcome {
        let outcome = self.play();
        self.learn(alpha, outcome.1);
        outcome.0
    }

    /// Learns from lessons, in this order, with step size `alpha`; a chance of 1 is worth so many moves. Returns the sum of
    /// the distances to what the chances were held for.
    pub fn study(&self, lessons: &[Lesson], worth: f32, alpha: f32) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just reported both features.
            return unsafe { self.study_avx2(lessons, worth, alpha) };
        }
        self.study_inlined(lessons, worth, alpha)
    }

    /// The same, compiled for newer processors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi2")]
    fn study_avx2(&self, lessons: &[Lesson], worth: f32, alpha: f32) -> f64 {
        self.study_inlined(lessons, worth, alpha)
    }

    #[inline(always)]
    fn study_inlined(&self, lessons: &[Lesson], worth: f32, alpha: f32) -> f64 {
        let mut distances = 0.0;
        let mut places = [Places::default(); STUDY_PREFETCH + 1];
        for index in 0..lessons.len() + STUDY_PREFETCH {
            if let Some(next) = lessons.get(index) {
                let places = &mut places[index % (STUDY_PREFETCH + 1)];
                self.tables.locate(next.after, next.after.sum() as u32, places);
                self.tables.prefetch_all(places);
            }
            let Some((now, lesson)) = index.checked_sub(STUDY_PREFETCH).and_then(|now| Some((now, lessons.get(now)?)))
            else {
                continue;
            };
            let places = &places[now % places.len()];
            let target = lesson.chance * worth;
            distances += f64::from((target - self.tables.value_at(places)).abs());
            self.tables.update_at(places, target, alpha);
        }
        distances / f64::from(worth)
    }

    #[inline(always)]
    fn play(&mut self) -> (Outcome, f32) {
        self.path.clear();
        let restarted = !self.recipe.starts.is_empty() && self.random.random_bool(self.recipe.start_share);
        let mut board = if restarted { self.strayed() } else { with_new_two(Bitboard::default(), &mut self.random) };
        let mut sum = board.sum() as u32;
        let mut after_top = 0;
        let mut places = [Places::default(); MAX_AFTERS];
        while let Some((value, after, reward)) = self.best_move(board, sum, restarted, &mut places) {
            if self.end(after, sum, restarted).is_some() {
                let outcome = Outcome { moves: self.path.len() as u64 + 1, sum: sum + 2, restarted };
                return (outcome, value);
            }
            if !self.recipe.learned.contains(&self.tables.shape().known(after, sum).1) {
                let outcome = Outcome { moves: self.path.len() as u64, sum, restarted };
                let value = match self.recipe.play_on {
                    0 => value,
                    moves => reward + self.recipe.discount * self.played_on(after, sum, moves),
                };
                return (outcome, value);
            }
            self.path.push((after, sum, reward));
            board = with_new_two(after, &mut self.random);
            sum += 2;
            if restarted && self.path.len() >= self.recipe.most_moves {
                break;
            }
            if restarted && board.top() != 0 {
                after_top += 1;
                if matches!(self.recipe.after_top, AfterTop::Plays(moves) if after_top >= moves) {
                    break;
                }
            }
        }
        let outcome = Outcome { moves: self.path.len() as u64, sum, restarted };
        // A game that was cut short is worth what the network expects of its last afterstate; a lost one nothing.
        let cut = !board.is_over();
        let last = self.path.last().filter(|_| cut).map_or(0.0, |&(after, sum, _)| self.tables.value(after, sum));
        (outcome, last)
    }

    /// The move to the afterstate of the largest value: that value, the afterstate, and the reward of the move. With
    /// `top_ends`, a 65536 ends the game.
    #[inline(always)]
    fn best_move(
        &self,
        board: Bitboard,
        sum: u32,
        top_ends: bool,
        places: &mut [Places; MAX_AFTERS],
    ) -> Option<(f32, Bitboard, f32)> {
        let mut best: Option<(f32, Bitboard, f32)> = None;
        let (afters, legal) = board.afterstates();
        // The weights of all moves come from memory at the same time.
        for (places, &after) in places.iter_mut().zip(&afters[..legal]) {
            self.tables.locate(after, sum, places);
            self.tables.prefetch(places);
        }
        for (places, &after) in places.iter().zip(&afters[..legal]) {
            let reward = self.reward(board, after);
            let to_come = self.end(after, sum, top_ends).unwrap_or_else(|| self.tables.value_at(places));
            let value = reward + self.recipe.discount * to_come;
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, after, reward));
            }
        }
        best
    }

    /// What a game is worth that ends on this afterstate: with `top_ends`, one that has made a 65536.
    #[inline(always)]
    fn end(&self, after: Bitboard, sum: u32, top_ends: bool) -> Option<f32> {
        let AfterTop::Worth(worth) = self.recipe.after_top else { return None };
        if top_ends && after.top() != 0 {
            return Some(worth);
        }
        Some(self.recipe.ends.as_ref()?.chance(after, sum)? * worth)
    }

    /// What so many moves bring from an afterstate of a board of this sum on, and then the network expects.
    #[inline(always)]
    fn played_on(&mut self, mut after: Bitboard, mut sum: u32, moves: u32) -> f32 {
        let mut places = [Places::default(); MAX_AFTERS];
        let (mut total, mut counts) = (0.0, 1.0);
        for _ in 0..moves {
            let board = with_new_two(after, &mut self.random);
            sum += 2;
            let Some((_, next, reward)) = self.best_move(board, sum, false, &mut places) else { return total };
            after = next;
            total += counts * reward;
            counts *= self.recipe.discount;
        }
        total + counts * self.tables.value(after, sum)
    }

    /// Backward TD(λ): every afterstate's target is made of the one after it, which has already learned.
    #[inline(always)]
    fn learn(&mut self, alpha: f32, last: f32) {
        let Recipe { lambda, discount, .. } = *self.recipe;
        let mut target = last;
        // The places of the afterstates that are on their way from memory, by the index in the path.
        let mut places = [Places::default(); PREFETCH_DISTANCE + 1];
        for index in (0..self.path.len() + PREFETCH_DISTANCE).rev() {
            let next = index.checked_sub(PREFETCH_DISTANCE);
            if let Some((next, &(after, sum, _))) = next.and_then(|next| Some((next, self.path.get(next)?))) {
                let places = &mut places[next % (PREFETCH_DISTANCE + 1)];
                self.tables.locate(after, sum, places);
                self.tables.prefetch_all(places);
            }
            if let Some(&(.., reward)) = self.path.get(index) {
                let value = self.tables.update_at(&places[index % places.len()], target, alpha);
                target = reward + discount * ((1.0 - lambda) * value + lambda * target);
            }
        }
    }

    /// A board to start from, uniform over the sums that boards have, not over the boards.
    fn start(&mut self) -> Bitboard {
        let starts = &self.recipe.starts;
        let (low, high) = (starts[0].sum(), starts[starts.len() - 1].sum());
        loop {
            let sum = self.random.random_range(low..=high);
            let from = starts.partition_point(|board| board.sum() < sum);
            let same = starts[from].sum();
            // Of the gap between two fills nothing is drawn: its end would stand for all of it.
            let gap = from.checked_sub(1).map_or(0, |before| same - starts[before].sum());
            if gap < GAP || same - sum < 2 {
                let to = starts.partition_point(|board| board.sum() <= same);
                return starts[self.random.random_range(from..to)];
            }
        }
    }

    /// A board to start from, after some random moves: a search looks at such boards, though no game comes there.
    fn strayed(&mut self) -> Bitboard {
        let board = self.start();
        strayed_up_to(board, self.recipe.stray, &mut self.random)
    }

    fn reward(&self, before: Bitboard, after: Bitboard) -> f32 {
        match self.recipe.reward {
            Reward::Moves => 1.0,
            Reward::Merges => merge_score(after) - merge_score(before),
        }
    }
}

/// The board that follows an afterstate: with a 2 on one of its empty cells, all equally likely.
///
/// # Panics
/// If no cell is empty; after a move one always is.
#[must_use]
pub fn with_new_two(after: Bitboard, random: &mut SmallRng) -> Bitboard {
    let place = random.random_range(0..after.count_empty() as usize);
    after.empty_cells().nth(place).map_or(after, |cell| after.with_two(cell))
}

/// A board after none to so many random moves. Asks for no random number where there is no choice.
#[must_use]
pub fn strayed_up_to(board: Bitboard, most: u32, random: &mut SmallRng) -> Bitboard {
    let moves = if most == 0 { 0 } else { random.random_range(0..=most) };
    strayed(board, moves, random)
}

/// A board after so many random moves, or fewer if it is over before.
pub(crate) fn strayed(mut board: Bitboard, moves: u32, random: &mut SmallRng) -> Bitboard {
    for _ in 0..moves {
        let (afters, legal) = board.afterstates();
        if legal == 0 {
            break;
        }
        let after = afters[random.random_range(0..legal)];
        board = with_new_two(after, random);
    }
    board
}

/// The points of ordinary 2048 that are in a board whose new tiles were all 2s: a tile 2^k took k - 1 merges of half
/// its points each.
fn merge_score(board: Bitboard) -> f32 {
    let points = |code: u8| if code < 2 { 0.0 } else { f32::from(code - 1) * (1_u32 << code) as f32 };
    (0..16).map(|cell| points(board.code(cell))).sum()
}
