//! Games that weights of layouts learn from: from a board before the fill until a 65536 is made, the board is full, or the
//! sums that they see are over.

use estr2048::Bitboard;
use estr2048::network::layout::{self, Keys};
use rand::rngs::SmallRng;

use super::weights::Weights;
use crate::worker::with_new_two;

/// What an afterstate is for a game.
#[derive(Clone, Copy, Debug)]
enum After {
    /// To be judged by its weights.
    Seen(Keys),
    /// With a 65536: the game is won.
    Won,
    /// Not seen by weights: the game is lost.
    Lost,
}

impl After {
    fn of(after: Bitboard, sum: u32) -> Self {
        if after.top() > 0 { Self::Won } else { layout::keys(after.cells(), sum).map_or(Self::Lost, Self::Seen) }
    }
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
            let seen = afters.map(|after| After::of(after, sum));
            let seen = &seen[..legal];
            for after in seen {
                if let After::Seen(keys) = after {
                    self.weights.prefetch(keys);
                }
            }
            let chances = seen.iter().map(|after| match after {
                After::Seen(keys) => self.weights.chance(keys),
                After::Won => f32::INFINITY,
                After::Lost => f32::NEG_INFINITY,
            });
            let best = chances.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((best, _)) = best else { return false };
            match seen[best] {
                After::Seen(keys) => self.path.push((board, keys)),
                After::Won => return true,
                After::Lost => return false,
            }
            board = with_new_two(afters[best], random);
        }
    }
}
