//! One line of tiles: pull, combine, pull again.
//!
//! A line is seen from the edge that the tiles move to: place 0 is at that edge. Any `i32` is a legal tile; 0 is an
//! empty place. The assignment's three steps are kept apart because students write, and test, them apart.

/// A line of tiles inside a larger array: `len` places, `stride` apart, place 0 at `start`.
///
/// This is how rows and columns, forwards and backwards, share one code without copying.
#[derive(Debug)]
pub struct Line<'a> {
    cells: &'a mut [i32],
    start: usize,
    stride: isize,
    len: usize,
}

/// What [`Line::shift`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// Whether any place holds another value than before.
    pub changed: bool,
    /// The sum of all tiles that were made by combining: what other courses add to the score.
    pub gain: i64,
}

impl core::ops::AddAssign for Shift {
    fn add_assign(&mut self, other: Self) {
        self.changed |= other.changed;
        self.gain += other.gain;
    }
}

impl<'a> Line<'a> {
    /// The whole slice as a line, place 0 first.
    pub fn new(cells: &'a mut [i32]) -> Self {
        let len = cells.len();
        Self { cells, start: 0, stride: 1, len }
    }

    /// The places `start`, `start + stride`, ... of `cells`, `len` of them.
    ///
    /// # Panics
    /// If one of the places lies outside `cells`.
    pub fn strided(cells: &'a mut [i32], start: usize, stride: isize, len: usize) -> Self {
        if len > 0 {
            let span = isize::try_from(len - 1).ok().and_then(|steps| stride.checked_mul(steps));
            let last = span.and_then(|span| start.checked_add_signed(span));
            let inside = |place| place < cells.len();
            assert!(inside(start) && last.is_some_and(inside), "the line leaves its cells");
        }
        Self { cells, start, stride, len }
    }

    /// Number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the line has no places at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn at(&mut self, place: usize) -> &mut i32 {
        let index = self.start.wrapping_add_signed(self.stride * place as isize);
        &mut self.cells[index]
    }

    /// Packs the tiles towards place 0 and keeps their order. True if a tile moved.
    pub fn pull(&mut self) -> bool {
        let mut changed = false;
        let mut free = 0;
        for place in 0..self.len {
            let tile = *self.at(place);
            if tile == 0 {
                continue;
            }
            if free != place {
                *self.at(free) = tile;
                *self.at(place) = 0;
                changed = true;
            }
            free += 1;
        }
        changed
    }

    /// Combines neighbours from place 0 on: two equal tiles side by side become one of twice the value, at the place
    /// nearer the edge, and leave the other place empty. A tile made here does not combine again.
    ///
    /// A pair whose double does not fit an `i32` stays as it is. Gaps are not closed: that is what `pull` is for.
    pub fn combine(&mut self) -> Shift {
        let mut shift = Shift::default();
        let mut place = 1;
        while place < self.len {
            let tile = *self.at(place - 1);
            if tile != 0
                && tile == *self.at(place)
                && let Some(double) = tile.checked_mul(2)
            {
                *self.at(place - 1) = double;
                *self.at(place) = 0;
                shift += Shift { changed: true, gain: double.into() };
                place += 1;
            }
            place += 1;
        }
        shift
    }

    /// Pull, combine, pull again: what one move does to one line.
    pub fn shift(&mut self) -> Shift {
        let pulled = self.pull();
        let mut shift = self.combine();
        if shift.changed {
            self.pull();
        }
        shift.changed |= pulled;
        shift
    }
}
