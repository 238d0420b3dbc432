//! The transposition table of a search: what is known of boards that were searched before.

use crate::bitboard::Bitboard;

#[derive(Clone, Copy, Debug, Default)]
struct Entry<T> {
    key: u64,
    known: T,
}

/// A table of fixed size, indexed by a hash of the board; a new entry replaces an old one in its place.
#[derive(Debug)]
pub struct Table<T> {
    entries: Vec<Entry<T>>,
    shift: u32,
    generation: u64,
}

impl<T: Copy + Default> Table<T> {
    /// A table of 2^`bits` entries.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(1, 30);
        Self { entries: vec![Entry::default(); 1 << bits], shift: 64 - bits, generation: 1 }
    }

    /// The same, or `None` if there is not enough memory.
    #[must_use]
    pub fn try_new(bits: u32) -> Option<Self> {
        let bits = bits.clamp(1, 30);
        let mut entries = Vec::new();
        entries.try_reserve_exact(1 << bits).ok()?;
        entries.resize(1 << bits, Entry::default());
        Some(Self { entries, shift: 64 - bits, generation: 1 })
    }

    /// Makes all entries invalid, at no cost: they belong to an older generation now. A search must not depend on
    /// what was searched before it.
    pub fn forget(&mut self) {
        self.generation += 1;
    }

    /// What was put for this board since the last [`forget`](Self::forget), unless another board has replaced it.
    #[inline]
    #[must_use]
    pub fn get(&self, board: Bitboard) -> Option<T> {
        let (place, key) = self.place_and_key(board);
        let entry = self.entries[place];
        (entry.key == key).then_some(entry.known)
    }

    /// Remembers this of a board.
    #[inline]
    pub fn put(&mut self, board: Bitboard, known: T) {
        let (place, key) = self.place_and_key(board);
        self.entries[place] = Entry { key, known };
    }

    /// The key is one-to-one for the cells, so that two boards of a generation never share one unless they differ in
    /// the cell of the 65536 alone. The place does not depend on the generation: which entries replace each other must
    /// be the same every time.
    #[inline]
    fn place_and_key(&self, board: Bitboard) -> (usize, u64) {
        let mixed = board.cells().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (mixed ^ mixed >> 32) ^ u64::from(board.top()).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((hash >> self.shift) as usize, hash ^ self.generation.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }
}
