//! What a network is made of: its tuples and its stages, and what these see of a board.

use std::fmt;

use super::top::{SCATTERED, known};
use super::walls;
use crate::bitboard::Bitboard;

/// The most tuples a network may have.
pub const MAX_TUPLES: usize = 8;

/// The most stages a network may have.
pub const MAX_STAGES: usize = 64;

const MAX_CELLS: u32 = 6;

/// The tuples of a network, and the sums of tiles at which one stage ends and the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub(super) tuples: Vec<Tuple>,
    bounds: Vec<u32>,
    /// The bound from which on the largest tiles are seen alike.
    walls_from: Option<u32>,
    /// The first bound of a stage for boards whose largest tiles lie scattered.
    scattered_from: Option<u32>,
    stage_len: usize,
}

/// One tuple: which cells, and where its weights begin among those of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tuple {
    /// One bit per cell, bit 0 for the cell at the top left.
    pub cells: u16,
    /// The same cells as a mask over a packed board.
    pub mask: u64,
    /// For every cell of the tuple, how far a packed board is shifted right to bring it to bit 0.
    pub shifts: Vec<u32>,
    pub offset: usize,
}

/// Why a shape was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// There are no tuples, or more than [`MAX_TUPLES`].
    TupleCount,
    /// A tuple has no cells or more than six.
    CellCount,
    /// There are more than [`MAX_STAGES`] stages, or their bounds do not ascend.
    Stages,
    /// The walls do not begin with a stage.
    Walls,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TupleCount => write!(f, "a network has 1 to {MAX_TUPLES} tuples"),
            Self::CellCount => write!(f, "a tuple has 1 to {MAX_CELLS} cells"),
            Self::Stages => write!(f, "a network has 1 to {MAX_STAGES} stages with ascending bounds"),
            Self::Walls => write!(f, "the largest tiles are seen alike from the beginning of a stage on"),
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// A shape of these tuples, one bit per cell (bit `4 * row + col`), and these stages: the board belongs to stage
    /// k when k of the `bounds` are not above its sum.
    ///
    /// # Errors
    /// [`ShapeError`] if there are too many or too few of anything.
    pub fn new(tuples: &[u16], bounds: &[u32]) -> Result<Self, ShapeError> {
        if tuples.is_empty() || tuples.len() > MAX_TUPLES {
            return Err(ShapeError::TupleCount);
        }
        if bounds.len() >= MAX_STAGES || !bounds.is_sorted_by(|a, b| a < b) {
            return Err(ShapeError::Stages);
        }
        let mut stage_len = 0;
        let mut all = Vec::with_capacity(tuples.len());
        for &cells in tuples {
            if !(1..=MAX_CELLS).contains(&cells.count_ones()) {
                return Err(ShapeError::CellCount);
            }
            let members = (0..16).filter(|cell| cells >> cell & 1 == 1);
            let shifts: Vec<u32> = members.map(|cell| 4 * cell).collect();
            let mask = shifts.iter().fold(0, |mask, shift| mask | 0xf << shift);
            let len = 1_usize << (4 * shifts.len());
            all.push(Tuple { cells, mask, shifts, offset: stage_len });
            stage_len += len;
        }
        let scattered_from = bounds.iter().copied().find(|&bound| bound >= SCATTERED);
        Ok(Self { tuples: all, bounds: bounds.to_vec(), walls_from: None, scattered_from, stage_len })
    }

    /// The same shape, but that its stages from the one that begins at `sum` on see the largest tiles as one, a *wall*:
    /// those from 1024 on; below 64512 those from 2048 on, below 63488 those from 4096 on, and so on; from a sum of 65536 on,
    /// when the chain falls together, those that are not about to combine. `None`: no stage does.
    ///
    /// # Errors
    /// [`ShapeError::Walls`] if no stage begins there, or it is the first or one for [scattered](SCATTERED) tiles.
    pub fn with_walls_from(self, sum: Option<u32>) -> Result<Self, ShapeError> {
        match sum {
            Some(sum) if sum == 0 || sum >= SCATTERED || !self.bounds.contains(&sum) => Err(ShapeError::Walls),
            walls_from => Ok(Self { walls_from, ..self }),
        }
    }

    /// The sum from which on the largest tiles are seen alike, if there is one.
    #[must_use]
    pub fn walls_from(&self) -> Option<u32> {
        self.walls_from
    }

    /// Whether the stage of a board whose tiles add up to `sum` sees the largest tiles alike.
    #[inline]
    #[must_use]
    pub fn has_walls(&self, sum: u32) -> bool {
        sum < SCATTERED && self.walls_from.is_some_and(|from| from <= sum)
    }

    /// The packed cells that an afterstate, whose tiles add up to `sum`, is looked up by, and its stage.
    #[inline]
    #[must_use]
    pub fn seen(&self, after: Bitboard, sum: u32) -> (u64, usize) {
        let (cells, sum) = self.known(after, sum);
        self.seen_of_known(cells, sum)
    }

    /// What [`known`](super::known) gives for a network of this shape. A stage that sees the largest tiles alike needs no other one
    /// for those that lie scattered.
    #[inline]
    #[must_use]
    pub fn known(&self, after: Bitboard, sum: u32) -> (u64, u32) {
        let seen = known(after, sum, self.scattered_from);
        if seen.1 < SCATTERED || self.walls_from.is_none() {
            return seen;
        }
        let halved = known(after, sum, None);
        if self.has_walls(halved.1) { halved } else { seen }
    }

    /// Where the first stage for boards whose largest tiles lie [scattered](SCATTERED) begins, if there is one.
    #[must_use]
    pub fn scattered_from(&self) -> Option<u32> {
        self.scattered_from
    }

    /// The same for what [`known`](Self::known) gives.
    #[inline]
    #[must_use]
    pub fn seen_of_known(&self, cells: u64, sum: u32) -> (u64, usize) {
        let cells = if self.has_walls(sum) { walls::alike(cells, sum) } else { cells };
        (cells, self.stage(sum))
    }

    /// The tuples, one bit per cell.
    #[must_use]
    pub fn tuples(&self) -> Vec<u16> {
        self.tuples.iter().map(|tuple| tuple.cells).collect()
    }

    /// The sums at which the second stage and the later ones begin.
    #[must_use]
    pub fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// Number of stages.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The stage of a board whose tiles add up to `sum`.
    #[inline]
    #[must_use]
    pub fn stage(&self, sum: u32) -> usize {
        self.bounds.iter().filter(|&&bound| bound <= sum).count()
    }

    /// Number of weights of one stage, the zero ones included.
    #[inline]
    #[must_use]
    pub fn stage_len(&self) -> usize {
        self.stage_len
    }

    /// Where the weights of tuple `tuple` begin among those of a stage.
    ///
    /// # Panics
    /// If there is no such tuple.
    #[must_use]
    pub fn tuple_start(&self, tuple: usize) -> usize {
        self.tuples[tuple].offset
    }

    /// Number of weights of tuple `tuple` in one stage.
    ///
    /// # Panics
    /// If there is no such tuple.
    #[must_use]
    pub fn tuple_len(&self, tuple: usize) -> usize {
        1 << (4 * self.tuples[tuple].shifts.len())
    }
}
