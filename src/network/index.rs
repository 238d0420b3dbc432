//! From a packed board to the places of its weights: with the bit-extract instruction of x86-64 processors where there
//! is one, with shifts elsewhere. Both give the same indices.

use super::shape::{MAX_TUPLES, Shape, Tuple};
use crate::symmetry::symmetries;

/// The most weights that make up one value: eight symmetries of every tuple.
pub const MAX_LOOKUPS: usize = 8 * MAX_TUPLES;

/// Where a board's weights lie, for those who train a network.
#[derive(Clone, Debug)]
pub struct Lookup {
    shape: Shape,
    extract: Extract,
}

impl Lookup {
    /// Lookups in the tables of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape, extract: Extract::detect() }
    }

    /// The shape of the tables.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The positions of the weights of a packed board within the weights of its stage, eight for each tuple. Returns
    /// how many there are.
    #[inline(always)]
    pub fn positions(&self, cells: u64, positions: &mut [u32; MAX_LOOKUPS]) -> usize {
        match self.extract {
            Extract::Portable => fill(&self.shape, cells, positions, portable),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this variant is only made by `detect`, after the processor reported these instructions.
            Extract::Bmi2 => unsafe { fill_bmi2(&self.shape, cells, positions) },
        }
    }
}

/// How the cells of a tuple are gathered into an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extract {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Bmi2,
}

impl Extract {
    /// The fastest way that this processor knows.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("popcnt")
        {
            return Self::Bmi2;
        }
        Self::Portable
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn fill_bmi2(shape: &Shape, cells: u64, positions: &mut [u32; MAX_LOOKUPS]) -> usize {
    use core::arch::x86_64::_pext_u64;
    fill(shape, cells, positions, |tuple, cells| _pext_u64(cells, tuple.mask) as usize)
}

#[inline(always)]
fn fill(shape: &Shape, cells: u64, out: &mut [u32; MAX_LOOKUPS], index: impl Fn(&Tuple, u64) -> usize) -> usize {
    let views = symmetries(cells);
    for (tuple, out) in shape.tuples.iter().zip(out.as_chunks_mut::<8>().0) {
        for (view, position) in views.into_iter().zip(out) {
            *position = (tuple.offset + index(tuple, view)) as u32;
        }
    }
    8 * shape.tuples.len()
}

fn portable(tuple: &Tuple, cells: u64) -> usize {
    let codes = tuple.shifts.iter().rev();
    codes.fold(0, |index, shift| index << 4 | (cells >> shift & 0xf) as usize)
}
