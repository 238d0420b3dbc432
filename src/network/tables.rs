//! The weights of a network in memory: only those that are not 0, found in two steps.
//!
//! Two tuples that have all but one cell in common share a *table*: the codes of their common cells are the key, and
//! under every key lies one record with the weights for the sixteen codes of the first tuple's last cell and for those
//! of the second's. So one way through memory leads to two weights. A tuple without such a partner has a table of its
//! own, whose records have one half only.
//!
//! For every stage and key there is the place of a record (32 bits; 0 is an empty one). The places of sixteen keys are a
//! *block*, in memory those that are not 0, and for every stage and sixteen keys there is an *entry*: which of them have a
//! record, and where their block begins. A stage shares its blocks, and sixteen entries at a time, with the stage before, and
//! its records with the two before, where they have them in common.

use super::entries::{BLOCK, Entries, Entry};
use super::evaluation::MAX_AFTERS;
use super::index::Extract;
use super::records::Records;
use super::shape::{MAX_TUPLES, Shape};
use crate::symmetry::symmetries;

/// One or two tuples, and how a board becomes a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The common cells as a mask over a packed board, and how far it is shifted for each of them.
    mask: u64,
    shifts: Vec<u32>,
    /// The tuples, and the cell of each that is not in the key, as a shift. The second may be missing.
    pub first: Member,
    pub second: Option<Member>,
    /// Where the blocks of the table begin among those of a stage.
    offset: usize,
}

/// A tuple of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub tuple: usize,
    cells: u16,
    shift: u32,
}

impl Member {
    fn new(tuple: usize, cells: u16, own: u16) -> Self {
        Self { tuple, cells, shift: 4 * own.trailing_zeros() }
    }

    /// The index within its tuple of the weight for code 0 under this key, and how far apart those of two codes are.
    pub fn indices(&self, table: &Table, key: usize) -> (usize, usize) {
        let board = table
            .shifts
            .iter()
            .enumerate()
            .fold(0, |board, (place, shift)| board | (key as u64 >> (4 * place) & 0xf) << shift);
        let cells = (0..16).filter(|cell| self.cells >> cell & 1 == 1);
        let (mut index, mut step) = (0, 0);
        for (place, cell) in cells.enumerate() {
            index |= (board >> (4 * cell) & 0xf) << (4 * place);
            if 4 * cell == self.shift {
                step = 1 << (4 * place);
            }
        }
        (index as usize, step)
    }
}

impl Table {
    /// The tables of a shape, in the order of their first tuples.
    pub fn all(shape: &Shape) -> Vec<Self> {
        let tuples = shape.tuples();
        let mut is_placed = vec![false; tuples.len()];
        let mut tables: Vec<Self> = Vec::with_capacity(tuples.len());
        for (tuple, &cells) in tuples.iter().enumerate() {
            if std::mem::replace(&mut is_placed[tuple], true) {
                continue;
            }
            let fits = |&other: &usize| {
                let common = (cells & tuples[other]).count_ones();
                !is_placed[other] && common + 1 == cells.count_ones() && common + 1 == tuples[other].count_ones()
            };
            let partner = (tuple + 1..tuples.len()).find(fits);
            let common = match partner {
                Some(partner) => cells & tuples[partner],
                None => cells & !(1 << cells.ilog2()),
            };
            let member = |tuple: usize| Member::new(tuple, tuples[tuple], tuples[tuple] & !common);
            let shifts: Vec<u32> = (0..16).filter(|cell| common >> cell & 1 == 1).map(|cell| 4 * cell).collect();
            tables.push(Self {
                mask: shifts.iter().fold(0, |mask, shift| mask | 0xf << shift),
                offset: tables.last().map_or(0, |table| table.offset + table.blocks()),
                shifts,
                first: member(tuple),
                second: partner.map(member),
            });
            if let Some(partner) = partner {
                is_placed[partner] = true;
            }
        }
        tables
    }

    /// Number of its keys.
    pub fn keys(&self) -> usize {
        1 << (4 * self.shifts.len())
    }

    /// Number of its blocks.
    pub fn blocks(&self) -> usize {
        self.keys().div_ceil(BLOCK)
    }
}

/// How far the two words of a header, read as one number, are turned: the lower word comes first.
const HEADER_ROTATION: u32 = if cfg!(target_endian = "big") { 16 } else { 0 };

/// The places of the records of sixteen keys.
pub(super) type Block = [u32; BLOCK];

/// The most bytes that the weights of a network take, 512 MB. No file makes for more.
const MAX_BYTES: usize = 512_000_000;

/// The weights of all stages.
#[derive(Debug)]
pub(super) struct Weights {
    tables: Vec<Table>,
    /// For every stage and sixteen keys of every table.
    entries: Entries,
    /// How many of these a stage has.
    stage_len: usize,
    /// The places of records; the first is that of the empty one.
    places: Vec<u32>,
    most_places: usize,
    records: Records,
}

impl Weights {
    /// Weights for a shape, all 0, with room for so many words of records. `None` if there is no memory for them or
    /// they are more than a network may have.
    pub fn reserve(shape: &Shape, words: usize) -> Option<Self> {
        let most_places = Self::most_places(shape, words)?;
        let tables = Table::all(shape);
        let stage_len = tables.iter().map(Table::blocks).sum();
        let entries = Entries::reserve(stage_len, shape.stages())?;
        let records = Records::reserve(words)?;
        let mut places: Vec<u32> = Vec::new();
        places.try_reserve_exact(1).ok()?;
        places.push(0);
        Some(Self { tables, entries, stage_len, places, most_places, records })
    }

    /// The most places that a network of this shape may have beside so many words of records, that of the empty one
    /// among them. `None` if these are too many by themselves.
    pub fn most_places(shape: &Shape, words: usize) -> Option<usize> {
        let stage_len = Table::all(shape).iter().map(Table::blocks).sum();
        let entries = Entries::most_bytes(stage_len, shape.stages())?;
        let left = MAX_BYTES.checked_sub(entries)?.checked_sub(Records::bytes_of(words)?)?;
        Some(left / size_of::<u32>())
    }

    /// Begins a stage, after those before it: all its keys are to follow. `None` if there is no memory for it.
    pub fn begin_stage(&mut self) -> Option<()> {
        let left = self.most_places - self.places.len();
        self.places.try_reserve_exact(left.min(self.stage_len * BLOCK)).ok()?;
        self.entries.begin_stage()
    }

    /// Number of keys of each table.
    pub fn tables(&self) -> impl Iterator<Item = usize> + use<> {
        let keys: Vec<_> = self.tables.iter().map(Table::keys).collect();
        keys.into_iter()
    }

    /// The blocks that the stage before and the one before that have where the next one comes, and all records.
    pub fn before(&mut self) -> ([Block; 2], &mut Records) {
        ([1, 2].map(|stages| self.block(self.entries.before(stages))), &mut self.records)
    }

    /// Adds the next block of a stage that was begun; `before` is the one that the stage before has there. `None` if
    /// these are more places than a network may have.
    pub fn push(&mut self, block: Block, before: &Block) -> Option<()> {
        let entry = if block == *before {
            self.entries.before(1)
        } else {
            let used = block.iter().enumerate().fold(0, |used, (key, &place)| used | u16::from(place != 0) << key);
            // There are fewer than 2^32: no more than `most_places`.
            let begin = self.places.len() as u32;
            if self.places.len() + used.count_ones() as usize > self.most_places {
                return None;
            }
            self.places.extend(block.iter().filter(|&&place| place != 0));
            Entry::new(begin, used)
        };
        self.entries.push(entry);
        Some(())
    }

    fn block(&self, entry: Entry) -> Block {
        if entry == Entry::default() {
            return [0; BLOCK];
        }
        std::array::from_fn(|key| self.places[entry.at(key) as usize])
    }

    /// Calls `visit` with every weight of a stage that is there: its tuple, its index within it, and itself.
    pub fn visit(&self, stage: usize, mut visit: impl FnMut(usize, usize, i16)) {
        for table in &self.tables {
            let numbers = table.offset..table.offset + table.blocks();
            let entries = numbers.map(|number| self.entries.get(stage, number));
            let places = entries.flat_map(|entry| self.block(entry));
            for (key, place) in places.enumerate().filter(|&(_, place)| place != 0) {
                let (_, record) = self.records.get(place);
                for (half, member) in record.chunks(16).zip([Some(table.first), table.second]) {
                    let Some(member) = member else { continue };
                    let (index, step) = member.indices(table, key);
                    for (code, &weight) in half.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
                        visit(member.tuple, index + code * step, weight);
                    }
                }
            }
        }
    }

    /// Ends the building.
    pub fn finish(&mut self) {
        self.places.shrink_to_fit();
        self.entries.finish();
        self.records.finish();
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.records.bytes() + size_of::<u32>() * self.places.capacity() + self.entries.bytes()
    }

    /// Bytes of memory, of these, that the entries take.
    #[cfg(test)]
    pub fn bytes_of_entries(&self) -> usize {
        self.entries.bytes()
    }

    /// The sums of the weights of up to [`MAX_AFTERS`] boards, each given by its cells and stage.
    #[inline]
    pub fn sums(&self, extract: Extract, boards: &[(u64, usize)], sums: &mut [i32; MAX_AFTERS]) {
        match extract {
            Extract::Portable => self.sums_by(boards, sums, |table, cells| {
                table.shifts.iter().rev().fold(0, |key, shift| key << 4 | (cells >> shift & 0xf) as usize)
            }),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this variant is only made by `detect`, after the processor reported these instructions.
            Extract::Bmi2 => unsafe { self.sums_bmi2(boards, sums) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn sums_bmi2(&self, boards: &[(u64, usize)], sums: &mut [i32; MAX_AFTERS]) {
        use core::arch::x86_64::_pext_u64;
        self.sums_by(boards, sums, |table, cells| _pext_u64(cells, table.mask) as usize);
    }

    /// Most networks have few tables, and room for many costs time at each call.
    #[inline(always)]
    fn sums_by(&self, boards: &[(u64, usize)], sums: &mut [i32; MAX_AFTERS], key_of: impl Fn(&Table, u64) -> usize) {
        match self.tables.len() {
            ..=2 => self.sums_with::<2>(boards, sums, key_of),
            _ => self.sums_with::<MAX_TUPLES>(boards, sums, key_of),
        }
    }

    /// In three rounds over all boards, so that the processor waits for many places in memory at a time: first the
    /// places of the records are asked for, then the records, then the weights are added.
    #[inline(always)]
    fn sums_with<const TABLES: usize>(
        &self,
        boards: &[(u64, usize)],
        sums: &mut [i32; MAX_AFTERS],
        key_of: impl Fn(&Table, u64) -> usize,
    ) {
        let mut views = [[0; 8]; MAX_AFTERS];
        let mut keys = [[[0_u32; 8]; TABLES]; MAX_AFTERS];
        for ((&(cells, stage), views), keys) in boards.iter().zip(&mut views).zip(&mut keys) {
            *views = symmetries(cells);
            for (table, keys) in self.tables.iter().zip(keys) {
                for (view, at) in views.iter().zip(keys) {
                    let key = key_of(table, *view);
                    // SAFETY: the key of a table is below its number of keys, for that many bits are in its mask, and
                    // there are as many entries as blocks of keys for every stage of the shape.
                    let entry = unsafe { self.entries.get_unchecked(stage, table.offset + key / BLOCK) };
                    *at = entry.at(key);
                    prefetch(self.places.as_ptr().wrapping_add(*at as usize));
                }
            }
        }
        let words = self.records.words().as_ptr();
        for keys in &mut keys[..boards.len().min(MAX_AFTERS)] {
            for key in keys[..self.tables.len()].as_flattened_mut() {
                // SAFETY: an entry has as many places as bits.
                let place = unsafe { *self.places.get_unchecked(*key as usize) };
                prefetch(words.wrapping_add(place as usize));
                *key = place;
            }
        }
        for (((_, views), places), sum) in boards.iter().zip(&views).zip(&keys).zip(sums) {
            *sum = 0;
            for (table, places) in self.tables.iter().zip(places) {
                let first = table.first.shift;
                let second = table.second.map_or(first, |member| member.shift);
                for (view, &place) in views.iter().zip(places) {
                    // Shifted left by 15 - code, the bit of that code comes to the top, and what is above it is gone.
                    let [first, second] = [first, second].map(|shift| (!view >> shift) as u32 & 0xf);
                    // SAFETY: every place is one that `Records::push` made, or 0: at least two lines of 32 words follow
                    // it, and at most 34 words are read.
                    *sum += unsafe {
                        let record = words.add(place as usize);
                        let header = record.cast::<u32>().read_unaligned().rotate_left(HEADER_ROTATION);
                        let low = header << 16 << first;
                        let high = header << second;
                        let before = (header & u32::MAX >> second).count_ones();
                        weight(record, low, low.count_ones()) + weight(record, high, before)
                    };
                }
            }
        }
    }
}

/// The weight number `count` of a record, counted from 1, if the top bit of `header` is set; else 0.
///
/// # Safety
/// The record must have so many weights, or words after them.
#[inline(always)]
unsafe fn weight(record: *const u16, header: u32, count: u32) -> i32 {
    // SAFETY: by the promise of the caller. The header takes two words.
    let weight = unsafe { *record.add(1 + count as usize) } as i16;
    i32::from(weight) & (header as i32 >> 31)
}

/// Asks for memory that will be read soon. Any address is allowed.
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing and never faults.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::super::records::MAX_WORDS;
    use super::*;
    use crate::network::MAX_STAGES;

    #[test]
    fn no_network_takes_more_than_it_may() {
        let bounds: Vec<u32> = (1..MAX_STAGES as u32).collect();
        let shape = Shape::new(&[0x003f, 0x00fc, 0x0fc0, 0x3f00, 0xfc00, 0x0137, 0x7310, 0x1711], &bounds).unwrap();
        let places = Weights::most_places(&shape, MAX_WORDS).unwrap();
        assert!(places > 1 << 23, "{places}");
        assert!(Weights::most_places(&shape, MAX_BYTES).is_none());

        let shape = Shape::new(&[0x003f], &[64]).unwrap();
        let mut weights = Weights::reserve(&shape, 1000).unwrap();
        weights.most_places = 1 + 2 * BLOCK + 1;
        weights.begin_stage().unwrap();
        let capacity = weights.places.capacity();
        let pushed = (0..10).take_while(|_| weights.push([1; BLOCK], &[0; BLOCK]).is_some()).count();
        assert_eq!((pushed, weights.places.len()), (2, 1 + 2 * BLOCK));
        assert!(weights.push([1; BLOCK], &[1; BLOCK]).is_some(), "what is shared takes no place");
        assert_eq!(weights.places.capacity(), capacity);
    }
}
