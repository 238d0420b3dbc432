//! The weights in training: for each the value, and the sums that temporal coherence learning keeps.
//!
//! The three lie side by side, so that one cache line serves them all, in huge pages where the system has them.
//! Threads read and write them without locks: now and then an update is lost, which does no harm.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use anyhow::{Context, Result};
use estr2048::Bitboard;
use estr2048::network::Evaluate;
use estr2048::network::{Lookup, MAX_LOOKUPS, Shape, known};
use estr2048_toolbox::output::tell;
use memmap2::MmapMut;

/// One weight: its value, the sum of its errors, the sum of their magnitudes, each an `f32` in its bits.
#[repr(C, align(16))]
#[derive(Debug)]
pub struct Weight {
    value: AtomicU32,
    errors: AtomicU32,
    magnitudes: AtomicU32,
    _unused: AtomicU32,
}

impl Weight {
    /// Value, sum of errors, sum of magnitudes.
    pub fn get(&self) -> [f32; 3] {
        [&self.value, &self.errors, &self.magnitudes].map(load)
    }

    /// Sets all three.
    pub fn set(&self, [value, errors, magnitudes]: [f32; 3]) {
        store(&self.value, value);
        store(&self.errors, errors);
        store(&self.magnitudes, magnitudes);
    }
}

#[inline]
fn load(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

#[inline]
fn store(cell: &AtomicU32, value: f32) {
    cell.store(value.to_bits(), Relaxed);
}

/// All weights of a network in training.
#[derive(Debug)]
pub struct Tables {
    lookup: Lookup,
    memory: MmapMut,
}

impl Tables {
    /// All weights zero.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn zero(shape: Shape) -> Result<Self> {
        let bytes = shape.stages() * shape.stage_len() * size_of::<Weight>();
        let memory = MmapMut::map_anon(bytes).context("no memory for the weights")?;
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            tell(format_args!("no huge pages ({error}): training is slower"));
        }
        Ok(Self { lookup: Lookup::new(shape), memory })
    }

    /// Makes all weights of the stages that begin at `from` or above new, so that an afterstate of new weights has the
    /// value `initial`.
    pub fn renew(&self, from: u32, initial: f32) {
        let weight = initial / (8 * self.shape().tuples().len()) as f32;
        for stage in 0..self.shape().stages() {
            let first = if stage == 0 { 0 } else { self.shape().bounds()[stage - 1] };
            // Untouched pages of new memory are zero already, and stay untouched.
            let weights = self.stage(stage).iter().filter(|_| first >= from);
            weights.filter(|old| old.get() != [weight, 0.0, 0.0]).for_each(|old| old.set([weight, 0.0, 0.0]));
        }
    }

    /// The shape of the network.
    pub fn shape(&self) -> &Shape {
        self.lookup.shape()
    }

    /// All weights, stage by stage.
    #[inline]
    pub fn weights(&self) -> &[Weight] {
        let len = self.memory.len() / size_of::<Weight>();
        // SAFETY: the mapping is page-aligned, zeroed (a valid `Weight`), exactly `len` weights long, lives as long as
        // `self`, and is never reached in any other way. `Weight` holds atomics only, so that it may be shared.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), len) }
    }

    /// The weights of one stage.
    #[inline]
    pub fn stage(&self, stage: usize) -> &[Weight] {
        let len = self.shape().stage_len();
        &self.weights()[stage * len..][..len]
    }

    /// Starts to fetch the weights of an afterstate that will soon be updated.
    #[inline(always)]
    pub fn prefetch(&self, after: Bitboard, sum: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let (cells, sum) = known(after, sum);
            let weights = self.stage(self.shape().stage(sum));
            let mut positions = [0; MAX_LOOKUPS];
            let count = self.lookup.positions(cells, &mut positions);
            for &position in &positions[..count] {
                let weight: *const Weight = &weights[position as usize];
                // SAFETY: a prefetch reads nothing that the program sees, and every x86-64 processor has it.
                unsafe { _mm_prefetch(weight.cast(), _MM_HINT_T0) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (after, sum);
    }

    /// Moves the value of an afterstate towards `target` by temporal coherence learning with step size `alpha`: every
    /// weight at its own rate, the sum of its errors against the sum of their magnitudes. Returns the new value.
    ///
    /// Source: D. F. Beal, M. C. Smith, "Temporal coherence and prediction decay in TD learning" (1999).
    #[inline(always)]
    pub fn update(&self, after: Bitboard, sum: u32, target: f32, alpha: f32) -> f32 {
        let (cells, sum) = known(after, sum);
        let weights = self.stage(self.shape().stage(sum));
        let mut positions = [0; MAX_LOOKUPS];
        let count = self.lookup.positions(cells, &mut positions);
        let positions = &positions[..count];
        let mut value = sum_of(weights, positions);
        let error = target - value;
        let step = alpha * error / count as f32;
        for &position in positions {
            let weight = &weights[position as usize];
            let [old, errors, magnitudes] = weight.get();
            let rate = if magnitudes > 0.0 { errors.abs() / magnitudes } else { 1.0 };
            weight.set([old + step * rate, errors + error, magnitudes + error.abs()]);
            value += step * rate;
        }
        value
    }
}

/// Eight sums side by side: their additions do not wait for each other.
#[inline(always)]
fn sum_of(weights: &[Weight], positions: &[u32]) -> f32 {
    let mut sums = [0.0; 8];
    for view in positions.as_chunks::<8>().0 {
        for (sum, &position) in sums.iter_mut().zip(view) {
            *sum += load(&weights[position as usize].value);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

impl Evaluate for Tables {
    #[inline(always)]
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let (cells, sum) = known(after, sum);
        let weights = self.stage(self.shape().stage(sum));
        let mut positions = [0; MAX_LOOKUPS];
        let count = self.lookup.positions(cells, &mut positions);
        sum_of(weights, &positions[..count])
    }
}
