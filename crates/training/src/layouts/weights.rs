//! The weights of layouts in training: for every key the value, and the sums that temporal coherence learning keeps.
//!
//! Threads read and write them without locks: now and then an update is lost, which does no harm.

use std::sync::atomic::AtomicU32;

use anyhow::Result;
use estr2048::network::layout::{KEY_BITS, Keys, WINDOWS};

use crate::memory::{Memory, load, prefetch, store};

/// A weight: its value, the sum of its errors, the sum of their magnitudes; a fourth keeps it within a cache line.
type Weight = [AtomicU32; 4];

/// All of them: two gigabytes, of which a training touches a quarter.
#[derive(Debug)]
pub struct Weights(Memory);

impl Weights {
    /// All zero; in huge pages if much is to be learned, which is faster and takes all of the memory soon.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn zero(much: bool) -> Result<Self> {
        let bytes = size_of::<Weight>() << KEY_BITS;
        Ok(Self(if much { Memory::zero(bytes)? } else { Memory::in_small_pages(bytes)? }))
    }

    #[inline(always)]
    fn all(&self) -> &[Weight] {
        self.0.cells().as_chunks().0
    }

    /// Value, sum of errors and sum of magnitudes of the weight with this key.
    #[must_use]
    pub fn get(&self, key: u32) -> [f32; 3] {
        let [value, errors, magnitudes, _] = &self.all()[key as usize];
        [value, errors, magnitudes].map(load)
    }

    /// Sets all three.
    pub fn set(&self, key: u32, weight: [f32; 3]) {
        for (cell, value) in self.all()[key as usize].iter().zip(weight) {
            store(cell, value);
        }
    }

    /// The keys of which anything was learned, and their weights.
    pub fn learned(&self) -> impl Iterator<Item = (u32, [f32; 3])> {
        (0..1 << KEY_BITS).map(|key| (key, self.get(key))).filter(|(_, [.., magnitudes])| *magnitudes > 0.0)
    }

    /// Starts to fetch the weights of a board.
    #[inline(always)]
    pub fn prefetch(&self, keys: &Keys) {
        let all = self.all();
        for key in keys.keys {
            prefetch(&all[key as usize]);
        }
    }

    /// The chance of a board, not cut off at 0 and 1.
    #[inline(always)]
    #[must_use]
    pub fn chance(&self, keys: &Keys) -> f32 {
        let all = self.all();
        keys.base + keys.keys.iter().map(|&key| load(&all[key as usize][0])).sum::<f32>()
    }

    /// Moves the chance of a board towards `target` by temporal coherence learning with step size `alpha`, as
    /// [`Tables::update`](crate::tables::Tables::update). Returns the new chance.
    #[inline(always)]
    pub fn update(&self, keys: &Keys, target: f32, alpha: f32) -> f32 {
        let mut chance = self.chance(keys);
        let error = (target - chance) / WINDOWS as f32;
        for key in keys.keys {
            let [value, errors, magnitudes] = self.get(key);
            let rate = if magnitudes > 0.0 { errors.abs() / magnitudes } else { 1.0 };
            self.set(key, [value + alpha * rate * error, errors + error, magnitudes + error.abs()]);
            chance += alpha * rate * error;
        }
        chance
    }
}
