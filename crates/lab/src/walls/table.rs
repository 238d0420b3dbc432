//! The chances of one family, in layers: one for every sum of the tiles that are no walls.

use super::arrangements::{Arrangements, Places};
use super::cells::{WALL, each};
use super::family::{Family, Goal};
use super::layouts::{Layouts, walls_of};
use super::slides::Slides;
use crate::grid::holding;

/// The places of a family's afterstates, and those of its layers that are at hand.
#[derive(Debug)]
pub struct Table {
    /// Which tiles are walls.
    pub family: Family,
    /// Where the walls lie.
    pub layouts: Layouts,
    /// How the small tiles lie.
    pub arrangements: Arrangements,
    /// The layers that are at hand, by half sum.
    layers: Vec<Option<Layer>>,
}

/// The chances of the afterstates of a sum.
#[derive(Debug)]
struct Layer {
    places: Places,
    /// In 255ths, by layout and arrangement.
    chances: Vec<u8>,
}

impl Table {
    /// A table without layers, of all layouts.
    pub fn new(family: Family) -> Self {
        Self::of_layouts(family, Layouts::new(family))
    }

    /// A table without layers, of these layouts; every other one counts as lost.
    pub fn of_layouts(family: Family, layouts: Layouts) -> Self {
        let arrangements = Arrangements::new(family.free(), family.target(), family.most());
        let layers = (0..=family.most() / 2).map(|_| None).collect();
        Self { family, layouts, arrangements, layers }
    }

    /// Has the layer of a sum at hand.
    pub fn keep(&mut self, sum: u32, chances: Vec<u8>) {
        let places = self.arrangements.places(sum, false);
        self.layers[sum as usize / 2] = Some(Layer { places, chances });
    }

    /// Lets all layers go.
    pub fn forget(&mut self) {
        self.layers.iter_mut().for_each(|layer| *layer = None);
    }

    /// Number of afterstates of a sum.
    pub fn size(&self, sum: u32) -> usize {
        self.layouts.count() * self.arrangements.places(sum, false).count()
    }

    /// The chance of an afterstate of this sum on which nothing is made, in 255ths: of a layer that is not at hand, or a
    /// layout that is none of these, 0.
    #[inline]
    pub fn open(&self, after: u64, sum: u32) -> u8 {
        let Some(Some(layer)) = self.layers.get(sum as usize / 2) else { return 0 };
        let Some((layout, number)) = self.layouts.find(walls_of(after), after) else { return 0 };
        let place = self.arrangements.place(&layer.places, number);
        layer.chances[layout * layer.places.count() + place]
    }

    /// The chance of an afterstate whose tiles but the walls sum to `sum`, in 255ths; `behind` is the table with
    /// one wall more, if the family [goes on](Family::behind).
    #[inline]
    pub fn chance(&self, behind: Option<&Self>, after: u64, sum: u32) -> u8 {
        let made = self.family.made(after);
        if made == 0 { self.open(after, sum) } else { worth(self.family, behind, after, made, sum) }
    }
}

/// What it is worth to have made the tile, in 255ths; `made` marks where it lies. A move that makes two walls makes what the
/// table behind waits for as well; one that makes two halves counts as lost, which is a bound from below.
pub fn worth(family: Family, behind: Option<&Table>, after: u64, made: u64, sum: u32) -> u8 {
    let Some(behind) = behind else { return u8::MAX };
    let Some(rest) = sum.checked_sub(family.due()) else { return 0 };
    match (family.goal, made.count_ones()) {
        (Goal::Wall(_), 1) => behind.open(after | (made * WALL), rest),
        (Goal::Wall(_) | Goal::Second, _) => u8::MAX,
        (Goal::Half(_), 1) => behind.open(after, rest),
        (Goal::Half(_), _) => 0,
        (Goal::Halves(_), _) => combined(family, behind, after, rest + 2),
    }
}

/// The chance of an afterstate with two halves, in 255ths: the mean, over the new tiles, of the best move that combines them to
/// the next wall, which `behind` knows, at this sum of the other tiles. Halves that no move combines count as lost.
fn combined(family: Family, behind: &Table, after: u64, rest: u32) -> u8 {
    let slides = Slides::shared();
    let best = |board: u64| {
        let worth = |(next, _)| whole(family, next).map_or(0, |next| behind.open(next, rest));
        slides.afters(board).map(worth).max().unwrap_or(0)
    };
    if !slides.afters(after).any(|(next, _)| whole(family, next).is_some()) {
        return 0;
    }
    let empty = holding(after, 0);
    let total: u32 = each(empty).map(|two| u32::from(best(after | two))).sum();
    let count = empty.count_ones().max(1);
    ((total + count / 2) / count) as u8
}

/// An afterstate on which two halves have been combined, with a wall in their place.
fn whole(family: Family, after: u64) -> Option<u64> {
    let made = holding(after, u64::from(family.target()) + 1);
    (made != 0).then(|| after | (made * WALL))
}
