//! An n-tuple network: the expected number of further moves of an afterstate (a board after a move, before the new
//! tile), as a sum of looked-up weights.
//!
//! Every tuple is a set of cells. The codes of its cells form an index into the tuple's table of weights; the board is
//! looked at from all eight symmetries, so that eight times the number of tuples weights make up one value. There is a
//! set of tables for every *stage*, a range of the sum of all tiles: a late board is not valued by what was learned on
//! early ones.
//!
//! Source of the method: M. Szubert, W. Jaśkowski, "Temporal difference learning of N-tuple networks for the game
//! 2048" (2014); stages and symmetries as in W. Jaśkowski, "Mastering 2048 with delayed temporal coherence learning,
//! multistage weight promotion, redundant encoding and carousel shaping" (2018).

mod entries;
mod entropy;
mod evaluation;
mod file;
mod format_error;
mod index;
mod input;
pub mod layout;
pub mod layouts;
mod number;
mod order;
mod records;
mod shape;
pub mod tablebase;
mod tables;
mod top;
mod walls;
pub mod weights;

pub use evaluation::{Evaluate, MAX_AFTERS};
pub use file::{Endgame, encode};
pub use format_error::FormatError;
pub use index::{Lookup, MAX_LOOKUPS};
pub use layouts::Layouts;
pub use shape::{MAX_STAGES, MAX_TUPLES, Shape, ShapeError};
pub use tablebase::Tablebase;
pub use top::{SCATTERED, downgraded, known, scale, tops, upgraded};

use crate::bitboard::Bitboard;

/// A network ready for play: 16-bit weights, one step per stage.
#[derive(Debug)]
pub struct Network {
    shape: Shape,
    /// The value of one unit of a weight, per stage, in moves.
    steps: Vec<f32>,
    weights: tables::Weights,
    /// What values boards shortly before and behind a fill, if the network has it.
    layouts: Option<Layouts>,
    /// The moves of an exact solution before a fill, if the network has them.
    tablebase: Option<Tablebase>,
    extract: index::Extract,
}

impl Network {
    /// Reads a network in the form that [`encode`] writes.
    ///
    /// # Errors
    /// [`FormatError`] if it is not such a file, was damaged, or has a shape that this version does not know.
    pub fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        let file::Content { shape, steps, weights, layouts, tablebase } = file::decode(bytes)?;
        Ok(Self { shape, steps, weights, layouts, tablebase, extract: index::Extract::detect() })
    }

    /// The tuples and stages of this network.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The same network without the processor's bit-extract instruction. Values are identical; this is for tests, and
    /// to measure what the instruction is worth.
    #[must_use]
    pub fn portable(mut self) -> Self {
        self.extract = index::Extract::Portable;
        self
    }

    /// Bytes of memory that its weights take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let endgame =
            self.layouts.as_ref().map_or(0, Layouts::bytes) + self.tablebase.as_ref().map_or(0, Tablebase::bytes);
        self.weights.bytes() + endgame
    }

    /// Its weights of [layouts](layout), if it has any.
    #[must_use]
    pub fn layouts(&self) -> Option<&Layouts> {
        self.layouts.as_ref()
    }

    /// Its [moves of an exact solution](tablebase), if it has any.
    #[must_use]
    pub fn tablebase(&self) -> Option<&Tablebase> {
        self.tablebase.as_ref()
    }

    /// Whether it has what was solved for the fills: weights of layouts or a tablebase.
    #[must_use]
    pub fn has_endgame(&self) -> bool {
        self.layouts.is_some() || self.tablebase.is_some()
    }

    /// The value of one unit of the weights of a stage, in moves.
    ///
    /// # Panics
    /// If there is no such stage.
    #[must_use]
    pub fn step(&self, stage: usize) -> f32 {
        self.steps[stage]
    }

    /// All weights of a stage, in moves, tuple by tuple as [`Shape::tuple_start`] says; the index within a tuple is made
    /// of the codes of its cells, the first cell lowest.
    ///
    /// # Panics
    /// If there is no such stage.
    #[must_use]
    pub fn weights(&self, stage: usize) -> Vec<f32> {
        let mut weights = vec![0.0; self.shape.stage_len()];
        self.weights.visit(stage, |tuple, index, weight| {
            weights[self.shape.tuple_start(tuple) + index] = f32::from(weight) * self.steps[stage];
        });
        weights
    }
}

impl Evaluate for Network {
    #[inline]
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let mut values = [0.0; MAX_AFTERS];
        self.values(&[after], sum, &mut values);
        values[0]
    }

    #[inline]
    fn values(&self, afters: &[Bitboard], sum: u32, values: &mut [f32; MAX_AFTERS]) {
        let mut boards = [(0, 0); MAX_AFTERS];
        for (board, &after) in boards.iter_mut().zip(afters) {
            *board = self.shape.known(after, sum);
        }
        let boards = &boards[..afters.len().min(MAX_AFTERS)];
        match &self.layouts {
            Some(layouts) if sum >= layout::FROM => self.values_by_layouts(layouts, afters, boards, values),
            _ => self.values_by_tuples(boards, values),
        }
    }
}

impl Network {
    /// Values boards given by their [`known`] cells and sums.
    #[inline]
    fn values_by_tuples(&self, boards: &[(u64, u32)], values: &mut [f32; MAX_AFTERS]) {
        let mut seen = [(0, 0); MAX_AFTERS];
        for (seen, &(cells, sum)) in seen.iter_mut().zip(boards) {
            *seen = self.shape.seen_of_known(cells, sum);
        }
        let seen = &seen[..boards.len()];
        let mut units = [0; MAX_AFTERS];
        self.weights.sums(self.extract, seen, &mut units);
        for (((value, units), &(_, stage)), &(_, sum)) in values.iter_mut().zip(units).zip(seen).zip(boards) {
            *value = units as f32 * self.steps[stage] * scale(sum);
        }
    }

    /// The chance to come through the fill, times what that is worth, of the boards that have weights of layouts; the
    /// others as ever. `boards` are the [`known`] cells and sums of `afters`.
    #[inline(never)]
    fn values_by_layouts(
        &self,
        layouts: &Layouts,
        afters: &[Bitboard],
        boards: &[(u64, u32)],
        values: &mut [f32; MAX_AFTERS],
    ) {
        let mut keys = [None; MAX_AFTERS];
        for (keys, &(cells, sum)) in keys.iter_mut().zip(boards) {
            // A chain falls together like that behind the first fill, whichever it is.
            *keys = layout::keys(cells, sum.min(Bitboard::from_cells(cells).sum() as u32));
        }
        if keys[..boards.len()].iter().any(Option::is_none) {
            self.values_by_tuples(boards, values);
        }
        for ((value, chance), &after) in values.iter_mut().zip(layouts.chances(&keys)).zip(afters) {
            if let Some(chance) = chance {
                *value = chance * layouts.worth(tops(after));
            }
        }
    }
}
