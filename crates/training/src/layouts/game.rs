//! Games that weights of layouts learn from: from a board before the fill until a 65536 is made, the board is full, or the
//! sums that they see are over.

use estr2048::Bitboard;
use estr2048::network::MAX_AFTERS;
use estr2048::network::layout::{self, Keys};
use rand::rngs::SmallRng;

use super::weights::Weights;
use crate::worker::with_new_two;

/// How an afterstate is judged.
#[derive(Clone, Copy, Debug)]
enum Judged {
    /// By its weights.
    Keys(Keys),
    /// Without any: 1 if the 65536 is made, else 0.
    Chance(f32),
}

/// One thread's part of a training.
#[derive(Debug)]
pub struct Player<'a> {
    weights: &'a Weights,
    lambda: f32,
    /// The boards of the game, and the keys of the afterstates that it chose.
    path: Vec<(Bitboard, Keys)>,
}

impl<'a> Player<'a> {
    /// A player that learns by TD(`lambda`).
    #[must_use]
    pub fn new(weights: &'a Weights, lambda: f32) -> Self {
        Self { weights, lambda, path: Vec::with_capacity(1024) }
    }

    /// Plays a game and learns from it, backwards, with step size `alpha`. Returns whether it made a 65536.
    pub fn game(&mut self, start: Bitboard, alpha: f32, random: &mut SmallRng) -> bool {
        let won = self.play(start, random);
        let mut target = f32::from(u8::from(won));
        for (_, keys) in self.path.iter().rev() {
            let chance = self.weights.update(keys, target, alpha);
            target = (1.0 - self.lambda) * chance + self.lambda * target;
        }
        won
    }

    /// The boards of the last game.
    pub fn boards(&self) -> impl ExactSizeIterator<Item = Bitboard> + '_ {
        self.path.iter().map(|(board, _)| *board)
    }

    fn play(&mut self, start: Bitboard, random: &mut SmallRng) -> bool {
        self.path.clear();
        let mut board = start;
        loop {
            let (afters, legal) = board.afterstates();
            let sum = board.sum() as u32;
            let judged = afters.map(|after| judged(after, sum));
            let judged = &judged[..legal.min(MAX_AFTERS)];
            for judged in judged {
                if let Judged::Keys(keys) = judged {
                    self.weights.prefetch(keys);
                }
            }
            let chances = judged.iter().map(|judged| match judged {
                Judged::Keys(keys) => self.weights.chance(keys),
                Judged::Chance(chance) => *chance,
            });
            let best = chances.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((best, _)) = best else { return false };
            match judged[best] {
                Judged::Keys(keys) => self.path.push((board, keys)),
                Judged::Chance(chance) => return chance > 0.0,
            }
            board = with_new_two(afters[best], random);
        }
    }
}

fn judged(after: Bitboard, sum: u32) -> Judged {
    if after.top() > 0 {
        return Judged::Chance(2.0);
    }
    layout::keys(after.cells(), sum).map_or(Judged::Chance(-1.0), Judged::Keys)
}
