//! Entries: for every stage and sixteen keys of a table, which of these keys have a record, and where the places of their
//! records begin. Sixteen entries of a stage are a *group*: one that the stage before has as well is kept once, and so is
//! one without any record.

/// Keys of a block.
pub(super) const BLOCK: usize = 16;

/// Entries of a group.
const GROUP: usize = 16;

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

/// The entries of all stages.
#[derive(Debug)]
pub(super) struct Entries {
    /// For every stage and group, where its entries begin: the first byte among all.
    groups: Vec<u32>,
    /// The entries of the groups, one after another, without gaps; first those of an empty one.
    bytes: Vec<u8>,
    /// How many entries and groups a stage has.
    stage_len: usize,
    stage_groups: usize,
    /// How many entries the last stage has so far, if it has not all, and those of them that are in no group yet.
    count: usize,
    open: [Entry; GROUP],
}

impl Entries {
    /// Room for so many stages of so many entries, but for what [`begin_stage`](Self::begin_stage) asks for. `None` if there
    /// is no memory for it.
    pub fn reserve(stage_len: usize, stages: usize) -> Option<Self> {
        let stage_groups = stage_len.div_ceil(GROUP);
        let mut groups = Vec::new();
        groups.try_reserve_exact(stage_groups.checked_mul(stages)?).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(BEFORE + GROUP * SIZE).ok()?;
        bytes.resize(BEFORE + GROUP * SIZE, 0);
        Some(Self { groups, bytes, stage_len, stage_groups, count: 0, open: [Entry::default(); GROUP] })
    }

    /// Room for one more stage. `None` if there is no memory for it.
    pub fn begin_stage(&mut self) -> Option<()> {
        self.bytes.try_reserve_exact(self.stage_groups * GROUP * SIZE).ok()
    }

    /// Adds the next entry of a stage.
    pub fn push(&mut self, entry: Entry) {
        self.open[self.count % GROUP] = entry;
        self.count += 1;
        if self.count == self.stage_len || self.count.is_multiple_of(GROUP) {
            self.count %= self.stage_len;
            let group = std::mem::take(&mut self.open);
            self.push_group(&group);
        }
    }

    fn push_group(&mut self, group: &[Entry; GROUP]) {
        let is_there = |&begin: &u32| (0..GROUP).all(|number| self.read(begin, number) == group[number]);
        let begin = [Some(0), self.group_before(1)].into_iter().flatten().find(is_there).unwrap_or_else(|| {
            // There are fewer than 2^32: no network takes more than 512 MB.
            let begin = (self.bytes.len() - BEFORE) as u32;
            self.bytes.extend(group.iter().flat_map(|entry| entry.0.to_le_bytes().into_iter().take(SIZE)));
            begin
        });
        self.groups.push(begin);
    }

    /// The entry that the stage so many before, at least one, has where the next one comes; an empty one if there is no such
    /// stage.
    pub fn before(&self, stages: usize) -> Entry {
        self.group_before(stages).map_or_else(Entry::default, |begin| self.read(begin, self.count % GROUP))
    }

    /// Where the group begins that the stage so many before has where the next one comes.
    fn group_before(&self, stages: usize) -> Option<u32> {
        let number = self.groups.len().checked_sub(stages * self.stage_groups)?;
        Some(self.groups[number])
    }

    /// An entry of a stage that has all.
    pub fn get(&self, stage: usize, number: usize) -> Entry {
        assert!(number < self.stage_len);
        self.read(self.groups[stage * self.stage_groups + number / GROUP], number % GROUP)
    }

    fn read(&self, begin: u32, number: usize) -> Entry {
        let first = begin as usize + SIZE * number;
        assert!(first + BEFORE + SIZE <= self.bytes.len());
        // SAFETY: these bytes are there.
        unsafe { self.read_unchecked(first) }
    }

    /// An entry of a stage that has all, faster.
    ///
    /// # Safety
    /// There must be more than `stage` stages, and each must have more than `number` entries.
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, stage: usize, number: usize) -> Entry {
        // SAFETY: by the promise of the caller there is such a group, and where one begins there are as many entries as it has.
        unsafe {
            let begin = *self.groups.get_unchecked(stage * self.stage_groups + number / GROUP);
            self.read_unchecked(begin as usize + SIZE * (number % GROUP))
        }
    }

    /// The entry before whose first byte there are so many, beside the first two.
    ///
    /// # Safety
    /// There must be an entry.
    #[inline(always)]
    unsafe fn read_unchecked(&self, first: usize) -> Entry {
        // SAFETY: by the promise of the caller the entry's last byte is there; it is the last of the eight.
        let bytes = unsafe { self.bytes.as_ptr().add(first).cast::<u64>().read_unaligned() };
        Entry(u64::from_le(bytes) >> (8 * BEFORE))
    }

    /// Ends the building.
    pub fn finish(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// The most bytes of memory that so many stages of so many entries take, if no group is shared. `None` if there are no so
    /// large ones.
    pub fn most_bytes(stage_len: usize, stages: usize) -> Option<usize> {
        let groups = stage_len.div_ceil(GROUP).checked_mul(stages)?;
        let entries = groups.checked_add(1)?.checked_mul(GROUP * SIZE)?.checked_add(BEFORE)?;
        groups.checked_mul(size_of::<u32>())?.checked_add(entries)
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of::<u32>() * self.groups.capacity() + self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        // The last group of a stage is not full.
        let all = [Entry::default(), Entry::new(u32::MAX - 16, 0x8421), Entry::new(7, u16::MAX), Entry::new(23, 1)];
        let stages =
            [0, 1, 1, 3].map(|first| (0..21).map(|number| all[(first + number) % all.len()]).collect::<Vec<_>>());
        let mut entries = Entries::reserve(21, stages.len()).unwrap();
        for (stage, pushed) in stages.iter().enumerate() {
            entries.begin_stage().unwrap();
            for (number, &entry) in pushed.iter().enumerate() {
                let before =
                    |back: usize| stage.checked_sub(back).map_or(Entry::default(), |stage| stages[stage][number]);
                assert_eq!([1, 2].map(|back| entries.before(back)), [1, 2].map(before));
                entries.push(entry);
            }
        }
        for (stage, pushed) in stages.iter().enumerate() {
            assert!(pushed.iter().enumerate().all(|(number, &entry)| entries.get(stage, number) == entry));
        }
        assert!(Entries::reserve(usize::MAX / 4, 16).is_none());
        assert!(Entries::most_bytes(usize::MAX / 4, 16).is_none());
    }

    #[test]
    fn a_group_that_the_stage_before_has_or_that_is_empty_is_kept_once() {
        let bytes_of = |stages: &[[u32; 2 * GROUP]]| {
            let mut entries = Entries::reserve(2 * GROUP, stages.len()).unwrap();
            for stage in stages {
                entries.begin_stage().unwrap();
                stage.iter().for_each(|&begin| entries.push(Entry::new(begin, u16::from(begin != 0))));
            }
            entries.finish();
            (entries.bytes() - BEFORE - 2 * size_of::<u32>() * stages.len()) / (GROUP * SIZE)
        };
        let [empty, full] = [[0; 2 * GROUP], std::array::from_fn(|number| number as u32 + 1)];
        let mut half = full;
        half[GROUP] = 99;
        assert_eq!(bytes_of(&[empty, empty]), 1);
        assert_eq!(bytes_of(&[full, full, full]), 3);
        assert_eq!(bytes_of(&[full, half, half]), 4);
        assert_eq!(bytes_of(&[full, empty, full]), 5);
        let most = Entries::most_bytes(2 * GROUP, 3).unwrap();
        assert_eq!(most, 7 * GROUP * SIZE + BEFORE + 6 * size_of::<u32>());
    }

    #[test]
    fn the_places_of_a_block_lie_in_the_order_of_its_keys() {
        let entry = Entry::new(100, 0b1000_0000_0001_0010);
        assert_eq!([0, 1, 2, 4, 15, 16 + 4].map(|key| entry.at(key)), [0, 100, 0, 101, 102, 101]);
    }
}
