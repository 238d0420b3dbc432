//! An n-tuple network for a board of any size, in training: temporal coherence learning as in `estr2048 train`.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::grid::Grid;

const MAGIC: &[u8; 8] = b"ESTRLAB1";

/// The tuples for 3×4: two rows and a half, and two blocks of 3×2, in reading order.
pub const TUPLES_3X4: [[u32; 6]; 4] = [[0, 1, 2, 3, 4, 5], [0, 1, 4, 5, 8, 9], [1, 2, 5, 6, 9, 10], [4, 5, 6, 7, 8, 9]];

/// Values of afterstates as sums of looked-up weights.
#[derive(Debug)]
pub struct Tuples {
    /// For every look-up: where its weights begin, and the bit position of each of its cells.
    lookups: Vec<(usize, Vec<u32>)>,
    base: usize,
    /// Value, sum of errors, sum of their magnitudes.
    weights: Vec<[f32; 3]>,
}

impl Tuples {
    /// A network without knowledge: each tuple is a set of cells in reading order, looked up in all symmetries.
    ///
    /// # Errors
    /// If a cell lies outside the board.
    pub fn new(grid: &Grid, tuples: &[Vec<u32>]) -> Result<Self> {
        let shifts = grid.shifts();
        let base = grid.cells() as usize + 1;
        let mut lookups = Vec::new();
        let mut len = 0;
        for tuple in tuples {
            ensure!(tuple.iter().all(|&cell| cell < grid.cells()), "{tuple:?} has a cell outside the board");
            // A single 2 in each cell shows where the symmetries take it.
            let places: Vec<Vec<u64>> =
                tuple.iter().map(|&cell| grid.symmetries(1 << shifts[cell as usize]).collect()).collect();
            for symmetry in 0..grid.symmetries(0).count() {
                lookups.push((len, places.iter().map(|place| place[symmetry].trailing_zeros()).collect()));
            }
            len += base.pow(tuple.len() as u32);
        }
        Ok(Self { lookups, base, weights: vec![[0.0; 3]; len] })
    }

    #[inline]
    fn index(&self, (start, cells): &(usize, Vec<u32>), board: u64) -> usize {
        start + cells.iter().fold(0, |index, shift| index * self.base + (board >> shift & 15) as usize)
    }

    /// The value of an afterstate.
    #[inline]
    pub fn value(&self, after: u64) -> f32 {
        self.lookups.iter().map(|lookup| self.weights[self.index(lookup, after)][0]).sum()
    }

    /// Moves the value of an afterstate towards `target`; returns the new value.
    pub fn update(&mut self, after: u64, target: f32, alpha: f32) -> f32 {
        let mut value = self.value(after);
        let error = target - value;
        let step = alpha * error / self.lookups.len() as f32;
        for place in 0..self.lookups.len() {
            let index = self.index(&self.lookups[place], after);
            let [weight, errors, magnitudes] = &mut self.weights[index];
            let rate = if *magnitudes > 0.0 { errors.abs() / *magnitudes } else { 1.0 };
            *weight += step * rate;
            *errors += error;
            *magnitudes += error.abs();
            value += step * rate;
        }
        value
    }

    /// Writes all weights.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.weights.len() as u64).to_le_bytes());
        self.weights.as_flattened().iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        estr2048::atomic_file::write(path, bytes).with_context(|| path.display().to_string())
    }

    /// Takes the weights from a file that [`save`](Self::save) wrote for the same board and tuples.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let name = || path.display().to_string();
        estr2048_toolbox::files::check_readable(path)?;
        let bytes = std::fs::read(path).with_context(name)?;
        let mut header = MAGIC.to_vec();
        header.extend((self.weights.len() as u64).to_le_bytes());
        let weights = bytes.strip_prefix(&header[..]).filter(|rest| rest.len() == 12 * self.weights.len());
        let weights = weights.with_context(|| format!("{} is no network of this board and these tuples", name()))?;
        for (weight, bytes) in self.weights.as_flattened_mut().iter_mut().zip(weights.as_chunks::<4>().0) {
            *weight = f32::from_le_bytes(*bytes);
        }
        Ok(())
    }
}
