//! The weights in training: for each the value, and the sums that temporal coherence learning keeps.
//!
//! Values and sums lie apart, both in huge pages where the system has them: a game asks for the values of four
//! afterstates a move and learns from one, and a cache line of values alone serves all codes of a tuple's first cell.
//! Threads read and write them without locks: now and then an update is lost, which does no harm.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU32;

use anyhow::Result;
use estr2048::Bitboard;
use estr2048::network::{Evaluate, Lookup, MAX_LOOKUPS, Shape, scale};

use crate::memory::{Memory, load, prefetch, store};

/// Of a weight, the sum of its errors and the sum of their magnitudes.
type Sums = [AtomicU32; 2];

/// One weight: its value, the sum of its errors, the sum of their magnitudes, each an `f32` in its bits.
#[derive(Clone, Copy, Debug)]
pub struct Weight<'a> {
    value: &'a AtomicU32,
    sums: &'a Sums,
}

impl Weight<'_> {
    /// Value, sum of errors, sum of magnitudes.
    pub fn get(&self) -> [f32; 3] {
        let [errors, magnitudes] = self.sums;
        [self.value, errors, magnitudes].map(load)
    }

    /// Sets all three.
    pub fn set(&self, [value, errors, magnitudes]: [f32; 3]) {
        store(self.value, value);
        store(&self.sums[0], errors);
        store(&self.sums[1], magnitudes);
    }

    /// Sets those that differ: untouched pages of new memory are zero already, and stay untouched.
    pub fn change(&self, weight: [f32; 3]) {
        let [errors, magnitudes] = self.sums;
        for (cell, value) in [self.value, errors, magnitudes].into_iter().zip(weight) {
            if load(cell).to_bits() != value.to_bits() {
                store(cell, value);
            }
        }
    }
}

/// Some weights that follow one another: those of a stage, or all.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    values: &'a [AtomicU32],
    sums: &'a [Sums],
}

impl<'a> Weights<'a> {
    /// The weight at a position.
    #[inline]
    pub fn at(self, position: usize) -> Weight<'a> {
        Weight { value: &self.values[position], sums: &self.sums[position] }
    }

    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = Weight<'a>> {
        self.values.iter().zip(self.sums).map(|(value, sums)| Weight { value, sums })
    }
}

/// All weights of a network in training.
#[derive(Debug)]
pub struct Tables {
    lookup: Lookup,
    values: Memory,
    sums: Memory,
}

/// Where the weights of an afterstate lie.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// What the weights count ([`scale`]).
    scale: f32,
    /// The first weight of the stage, and how many there are.
    stage: usize,
    positions: [u32; MAX_LOOKUPS],
    count: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self { scale: 1.0, stage: 0, positions: [0; MAX_LOOKUPS], count: 0 }
    }
}

impl Tables {
    /// All weights zero.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn zero(shape: Shape) -> Result<Self> {
        let weights = shape.stages() * shape.stage_len();
        let values = Memory::zero(weights * size_of::<AtomicU32>())?;
        let sums = Memory::zero(weights * size_of::<Sums>())?;
        Ok(Self { lookup: Lookup::new(shape), values, sums })
    }

    /// Makes all weights of the stages that begin at one of these sums new, so that an afterstate of new weights has the
    /// value `initial`.
    pub fn renew(&self, sums: &RangeInclusive<u32>, initial: f32) {
        let weight = initial / (8 * self.shape().tuples().len()) as f32;
        for stage in 0..self.shape().stages() {
            let first = if stage == 0 { 0 } else { self.shape().bounds()[stage - 1] };
            let weights = self.stage(stage).iter().filter(|_| sums.contains(&first));
            weights.for_each(|old| old.change([weight, 0.0, 0.0]));
        }
    }

    /// The shape of the network.
    pub fn shape(&self) -> &Shape {
        self.lookup.shape()
    }

    /// All weights, stage by stage.
    #[inline]
    pub fn weights(&self) -> Weights<'_> {
        Weights { values: self.values.cells(), sums: self.sums.cells().as_chunks().0 }
    }

    /// The weights of one stage.
    #[inline]
    pub fn stage(&self, stage: usize) -> Weights<'_> {
        self.from(stage * self.shape().stage_len())
    }

    /// The weights of the stage that begins with this one.
    #[inline]
    fn from(&self, first: usize) -> Weights<'_> {
        let (all, len) = (self.weights(), self.shape().stage_len());
        Weights { values: &all.values[first..][..len], sums: &all.sums[first..][..len] }
    }

    /// Finds where the weights of an afterstate lie.
    #[inline(always)]
    pub fn locate(&self, after: Bitboard, sum: u32, places: &mut Places) {
        let (cells, sum) = self.shape().known(after, sum);
        let (cells, stage) = self.shape().seen_of_known(cells, sum);
        places.scale = scale(sum);
        places.stage = stage * self.shape().stage_len();
        places.count = self.lookup.positions(cells, &mut places.positions);
    }

    /// Starts to fetch the values of an afterstate that will soon be valued.
    #[inline(always)]
    pub fn prefetch(&self, places: &Places) {
        let weights = self.from(places.stage);
        for &position in places.positions() {
            prefetch(&weights.values[position as usize]);
        }
    }

    /// Starts to fetch the values and the sums of an afterstate that will soon be updated.
    #[inline(always)]
    pub fn prefetch_all(&self, places: &Places) {
        let weights = self.from(places.stage);
        for &position in places.positions() {
            prefetch(&weights.values[position as usize]);
            prefetch(&weights.sums[position as usize]);
        }
    }

    /// The value of the afterstate whose weights lie there.
    #[inline(always)]
    pub fn value_at(&self, places: &Places) -> f32 {
        sum_of(self.from(places.stage), places.positions()) * places.scale
    }

    /// Moves the value of an afterstate towards `target` by temporal coherence learning with step size `alpha`: every
    /// weight at its own rate, the sum of its errors against the sum of their magnitudes. Returns the new value.
    ///
    /// Source: D. F. Beal, M. C. Smith, "Temporal coherence and prediction decay in TD learning" (1999).
    pub fn update(&self, after: Bitboard, sum: u32, target: f32, alpha: f32) -> f32 {
        let mut places = Places::default();
        self.locate(after, sum, &mut places);
        self.update_at(&places, target, alpha)
    }

    /// The same for the afterstate whose weights lie there.
    #[inline(always)]
    pub fn update_at(&self, places: &Places, target: f32, alpha: f32) -> f32 {
        let weights = self.from(places.stage);
        let mut value = sum_of(weights, places.positions());
        let error = target / places.scale - value;
        let step = alpha * error / places.count as f32;
        for &position in places.positions() {
            let weight = weights.at(position as usize);
            let [old, errors, magnitudes] = weight.get();
            let rate = if magnitudes > 0.0 { errors.abs() / magnitudes } else { 1.0 };
            weight.set([old + step * rate, errors + error, magnitudes + error.abs()]);
            value += step * rate;
        }
        value * places.scale
    }
}

impl Places {
    #[inline(always)]
    fn positions(&self) -> &[u32] {
        &self.positions[..self.count]
    }
}

/// Eight sums side by side: their additions do not wait for each other.
#[inline(always)]
fn sum_of(weights: Weights, positions: &[u32]) -> f32 {
    let mut sums = [0.0; 8];
    for view in positions.as_chunks::<8>().0 {
        for (sum, &position) in sums.iter_mut().zip(view) {
            *sum += load(&weights.values[position as usize]);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

impl Evaluate for Tables {
    #[inline(always)]
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let mut places = Places::default();
        self.locate(after, sum, &mut places);
        self.value_at(&places)
    }
}
