//! Entries: for every stage and sixteen keys of a table, which of these keys have a record, and where the places of their
//! records begin.

/// Keys of a block.
pub(super) const BLOCK: usize = 16;

/// Bytes of an entry in memory.
const SIZE: usize = 6;

/// Bytes before the first entry: eight bytes are read at a time, of which these belong to what comes before.
const BEFORE: usize = size_of::<u64>() - SIZE;

/// Which keys of a block have a record, a bit for each, and above these where their places begin among all, in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry(u64);

impl Entry {
    pub fn new(begin: u32, used: u16) -> Self {
        Self(u64::from(begin) << BLOCK | u64::from(used))
    }

    /// Where the place of the record of a key is; 0 if it has none.
    #[inline(always)]
    pub fn at(self, key: usize) -> u32 {
        let (begin, used, key) = ((self.0 >> BLOCK) as u32, self.0 as u32, key % BLOCK);
        let before = (used & ((1 << key) - 1)).count_ones();
        (begin + before) & (used >> key & 1).wrapping_neg()
    }
}

/// Entries, one after another, without gaps.
#[derive(Debug)]
pub(super) struct Entries(Vec<u8>);

impl Entries {
    /// Room for so many. `None` if there is no memory for them.
    pub fn reserve(count: usize) -> Option<Self> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(Self::bytes_of(count)?).ok()?;
        bytes.resize(BEFORE, 0);
        Some(Self(bytes))
    }

    pub fn push(&mut self, entry: Entry) {
        self.0.extend_from_slice(&entry.0.to_le_bytes()[..SIZE]);
    }

    pub fn len(&self) -> usize {
        self.0.len() / SIZE
    }

    pub fn get(&self, number: usize) -> Entry {
        assert!(number < self.len());
        // SAFETY: there are so many.
        unsafe { self.get_unchecked(number) }
    }

    /// An entry, faster.
    ///
    /// # Safety
    /// There must be more than `number` entries.
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, number: usize) -> Entry {
        // SAFETY: by the promise of the caller the entry's last byte is there; it is the last of the eight.
        let bytes = unsafe { self.0.as_ptr().add(SIZE * number).cast::<u64>().read_unaligned() };
        Entry(u64::from_le(bytes) >> (8 * BEFORE))
    }

    /// Bytes of memory that so many take. `None` if there are no so large ones.
    pub fn bytes_of(count: usize) -> Option<usize> {
        count.checked_mul(SIZE)?.checked_add(BEFORE)
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let all = [Entry::default(), Entry::new(u32::MAX - 16, 0x8421), Entry::new(7, u16::MAX), Entry::new(23, 1)];
        let mut entries = Entries::reserve(all.len()).unwrap();
        all.iter().for_each(|&entry| entries.push(entry));
        assert_eq!(entries.len(), all.len());
        assert!((0..all.len()).map(|number| entries.get(number)).eq(all));
        assert!(Entries::reserve(usize::MAX / 4).is_none());
    }

    #[test]
    fn the_places_of_a_block_lie_in_the_order_of_its_keys() {
        let entry = Entry::new(100, 0b1000_0000_0001_0010);
        assert_eq!([0, 1, 2, 4, 15, 16 + 4].map(|key| entry.at(key)), [0, 100, 0, 101, 102, 101]);
    }
}
