//! The chances of one part, in layers: one for every sum of the small tiles.

use super::arrangements::Arrangements;
use super::family::{Family, Kind, Part};
use super::layouts::Layouts;

/// The places of a part's afterstates, and those of its layers that are at hand.
#[derive(Debug)]
pub struct Table {
    /// Which tiles lie there.
    pub part: Part,
    /// Where walls and special tiles lie.
    pub layouts: Layouts,
    /// How the small tiles lie.
    pub arrangements: Arrangements,
    /// For every half sum of the small tiles the chances in 255ths, by layout and arrangement; empty if not at hand.
    pub layers: Vec<Vec<u8>>,
}

impl Table {
    /// A table without layers.
    pub fn new(family: Family, part: Part) -> Self {
        let layouts = Layouts::new(family.walls, &part.special);
        let arrangements = Arrangements::new(layouts.free(), part.base, part.most);
        let layers = vec![Vec::new(); part.most as usize / 2 + 1];
        Self { part, layouts, arrangements, layers }
    }

    /// Lets all layers go, with their memory, which `fill` and `clone_from` would keep.
    pub fn forget(&mut self) {
        self.layers.iter_mut().for_each(|layer| *layer = Vec::new());
    }

    /// Number of afterstates whose small tiles have this sum.
    pub fn size(&self, sum: u32) -> usize {
        self.layouts.count() * self.arrangements.of(sum).len()
    }

    /// The place of an afterstate in the layer of its sum, which is no more than the largest.
    #[inline]
    pub fn place(&self, after: u64, sum: u32) -> usize {
        let (layout, seen) = self.layouts.find(after);
        let arrangement = self.arrangements.place(seen, self.layouts.shifts(layout));
        layout * self.arrangements.of(sum).len() + arrangement
    }

    /// Walls, special and small tiles of an afterstate.
    pub fn board(&self, layout: usize, packed: u32) -> u64 {
        let cells = self.layouts.shifts(layout).iter().enumerate();
        cells.fold(self.layouts.board(layout), |board, (cell, shift)| {
            board | u64::from(packed >> (4 * cell) & 15) << shift
        })
    }
}

/// The chance of an afterstate whose tiles but the walls sum to `sum`, in 255ths: of a layer that is not at hand, 0.
#[inline]
pub fn chance(family: Family, tables: &[Table], after: u64, sum: u32) -> u8 {
    match family.kind(after) {
        Kind::Made => u8::MAX,
        Kind::Lost => 0,
        Kind::Open(part) => tables.get(part).map_or(0, |table| {
            let small = sum - table.part.held;
            match table.layers.get(small as usize / 2) {
                Some(layer) if !layer.is_empty() => layer[table.place(after, small)],
                _ => 0,
            }
        }),
    }
}
