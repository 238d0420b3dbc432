//! The cells that a seed draws, one after the other, as far as anybody has asked.

use std::ops::Range;

use crate::courses::estr1002::{MAX_DRAWS, draw_cell};
use crate::tinymt32::{Parameters, TinyMt32};

/// The endless list of drawn cells of one seed. Position 0 is the first draw of the game; a draw that hits a taken
/// cell counts as well.
///
/// ```
/// use estr2048::Parameters;
/// use estr2048::clairvoyant::stream::Stream;
///
/// let mut stream = Stream::new(0, Parameters::ZERO);
/// assert_eq!(stream.next_cell(0, 0), Some((5, 1)));
/// // With all other cells taken, cell 6 has to wait.
/// assert_eq!(stream.next_cell(1, !(1 << 6)).map(|(cell, _)| cell), Some(6));
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    random: TinyMt32,
    cells: Vec<u8>,
    /// For every cell, positions at which it is known not to be drawn.
    gaps: [Range<usize>; 16],
}

/// Nearly all cells are found within so many draws.
const QUICK_LOOK: usize = 256;

/// Most seeds are looked at for a few draws only.
const LEAST_GROWTH: usize = 32;

impl Stream {
    /// The cells that this seed draws with these parameters.
    #[must_use]
    pub fn new(seed: u32, parameters: Parameters) -> Self {
        Self { random: TinyMt32::new(seed, parameters), cells: Vec::new(), gaps: std::array::from_fn(|_| 0..0) }
    }

    /// The cell (`row * 4 + col`) at one position.
    #[inline]
    pub fn cell(&mut self, position: usize) -> u8 {
        while position >= self.cells.len() {
            self.grow();
        }
        self.cells[position]
    }

    #[cold]
    fn grow(&mut self) {
        let growth = self.cells.len().max(LEAST_GROWTH);
        let random = &mut self.random;
        self.cells.extend((0..growth).map(|_| draw_cell(random) as u8));
    }

    /// The first cell from `position` on that is not in `taken` (bit `cell` set for a taken cell), and the position
    /// after it; `None` if [`MAX_DRAWS`] draws hit taken cells only, or all cells are taken.
    #[inline]
    pub fn next_cell(&mut self, position: usize, taken: u16) -> Option<(u8, usize)> {
        if taken == u16::MAX {
            return None;
        }
        for position in position..position + QUICK_LOOK {
            let cell = self.cell(position);
            if taken >> cell & 1 == 0 {
                return Some((cell, position + 1));
            }
        }
        self.find_far_cell(position, taken)
    }

    /// The same for cells that are far: what was found is remembered, because some seeds never draw half of the cells.
    #[cold]
    fn find_far_cell(&mut self, position: usize, taken: u16) -> Option<(u8, usize)> {
        let free = (0..16).filter(|cell| taken >> cell & 1 == 0);
        let next = free.filter_map(|cell| Some((self.find(cell, position)?, cell))).min();
        next.map(|(found, cell)| (cell, found + 1))
    }

    /// Where this cell is drawn next, if within [`MAX_DRAWS`] draws.
    fn find(&mut self, cell: u8, position: usize) -> Option<usize> {
        let end = position + MAX_DRAWS as usize;
        let gap = &self.gaps[usize::from(cell)];
        let start = if gap.contains(&position) { gap.end } else { position };
        let found = (start..end).find(|&position| self.cell(position) == cell);
        let known = if start == position { position } else { self.gaps[usize::from(cell)].start };
        self.gaps[usize::from(cell)] = known..found.unwrap_or(end).max(start);
        found.filter(|&found| found < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain way, for all positions of a seed that draws every cell and of one that draws eight cells only.
    #[test]
    fn next_cell_is_that_of_a_plain_search() {
        for seed in [1234, 33_914] {
            let mut stream = Stream::new(seed, Parameters::ZERO);
            for start in (0..400).chain((0..400).rev()).step_by(7) {
                for taken in [0, 0xfffe, 0x7fff, 0xffdf, 0xa5a5, 0x5a5a, 0x3333, 0xffff] {
                    let positions = start..start + MAX_DRAWS as usize;
                    let free = |&position: &usize| taken >> stream.cell(position) & 1 == 0;
                    let expected = positions.into_iter().find(free);
                    let expected = expected.map(|position| (stream.cell(position), position + 1));
                    assert_eq!(stream.next_cell(start, taken), expected, "seed {seed} from {start}, {taken:x}");
                }
            }
        }
    }
}
