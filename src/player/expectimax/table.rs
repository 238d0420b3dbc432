//! The transposition table of a search: the values of afterstates that were searched before, with their budgets.

use crate::bitboard::Bitboard;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    budget: f32,
    value: f32,
}

/// A table of fixed size, indexed by a hash of the afterstate; a new entry replaces an old one in its place.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    shift: u32,
    generation: u64,
}

impl Table {
    /// A table of 2^`bits` entries.
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(1, 30);
        Self { entries: vec![Entry::default(); 1 << bits], shift: 64 - bits, generation: 0 }
    }

    /// Makes all entries invalid, at no cost: they belong to an older generation now. A search must not depend on
    /// what was searched before it.
    pub fn forget(&mut self) {
        self.generation += 1;
    }

    /// The value that was found for this afterstate with at least this budget.
    #[inline]
    pub fn get(&self, after: Bitboard, budget: f32) -> Option<f32> {
        let (place, key) = self.place_and_key(after);
        let entry = self.entries[place];
        (entry.key == key && entry.budget >= budget).then_some(entry.value)
    }

    #[inline]
    pub fn put(&mut self, after: Bitboard, budget: f32, value: f32) {
        let (place, key) = self.place_and_key(after);
        self.entries[place] = Entry { key, budget, value };
    }

    /// The key is one-to-one for the cells, so that two boards of a generation never share one unless they differ in
    /// the cell of the 65536 alone. The place does not depend on the generation: which entries replace each other must
    /// be the same every time.
    #[inline]
    fn place_and_key(&self, after: Bitboard) -> (usize, u64) {
        let mixed = after.cells().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (mixed ^ mixed >> 32) ^ u64::from(after.top()).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((hash >> self.shift) as usize, hash ^ self.generation.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }
}
