//! The weights of a network in memory: only those that are not 0, found in two steps.
//!
//! Two tuples that have all but one cell in common share a *table*: the codes of their common cells are the key, and
//! under every key lies one record with the weights for the sixteen codes of the first tuple's last cell and for those
//! of the second's. So one way through memory leads to two weights. A tuple without such a partner has a table of its
//! own, whose records have one half only.
//!
//! For every stage and key there is the place of a record (32 bits; 0 is an empty one). The places of sixteen keys are a
//! *block*, one line of the processor's cache, and for every stage and sixteen keys there is the number of a block (block
//! 0 is an empty one): most are empty. A record is a header of 32 bits, one for every weight that is there, and then
//! these weights. Stages share the blocks and the records that they have in common.

use super::evaluation::MAX_AFTERS;
use super::index::Extract;
use super::shape::{MAX_TUPLES, Shape};
use crate::symmetry::symmetries;

/// The most records' words, of 16 bits: 256 MB. No file makes for more.
pub(super) const MAX_WORDS: usize = 1 << 27;

/// Records of up to this many words lie in one line of the processor's cache.
const LINE: usize = 32;

/// Keys of a block.
pub(super) const BLOCK: usize = 16;

/// The weights under a key: sixteen for the first tuple of a table, then sixteen for the second.
pub(super) type Record = [i16; 32];

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

/// Where the records of sixteen keys begin.
pub(super) type Block = [u32; BLOCK];

/// The weights of all stages.
#[derive(Debug)]
pub(super) struct Weights {
    tables: Vec<Table>,
    /// For every stage and sixteen keys of every table, the number of their block.
    numbers: Vec<u32>,
    /// How many of these numbers a stage has.
    stage_len: usize,
    blocks: Vec<Block>,
    records: Records,
}

/// The records of all stages.
#[derive(Debug)]
pub(super) struct Records {
    words: Vec<u16>,
    /// The first word that begins a line.
    skipped: usize,
}

impl Weights {
    /// Weights for a shape, all 0, with room for so many words of records. `None` if there is no memory for them or
    /// they are more than [`MAX_WORDS`].
    pub fn reserve(shape: &Shape, words: usize) -> Option<Self> {
        let tables = Table::all(shape);
        let stage_len = tables.iter().map(Table::blocks).sum();
        let mut numbers: Vec<u32> = Vec::new();
        numbers.try_reserve_exact(stage_len * shape.stages()).ok()?;
        let records = Records::reserve(words)?;
        let mut blocks: Vec<Block> = Vec::new();
        blocks.try_reserve_exact(1).ok()?;
        blocks.push([0; BLOCK]);
        Some(Self { tables, numbers, stage_len, blocks, records })
    }

    /// Begins a stage, after those before it: all its keys are to follow. `None` if there is no memory for it.
    pub fn begin_stage(&mut self) -> Option<()> {
        self.blocks.try_reserve_exact(self.stage_len).ok()
    }

    /// Number of keys of each table.
    pub fn tables(&self) -> impl Iterator<Item = usize> + use<> {
        let keys: Vec<_> = self.tables.iter().map(Table::keys).collect();
        keys.into_iter()
    }

    /// The block that the stage before has where the next one comes, and all records.
    pub fn before(&mut self) -> (Block, &mut Records) {
        (self.blocks[self.number_before()], &mut self.records)
    }

    /// Adds the next block of a stage that was begun.
    pub fn push(&mut self, block: Block) {
        let before = self.number_before();
        let number = if block == [0; BLOCK] {
            0
        } else if block == self.blocks[before] {
            before
        } else {
            self.blocks.push(block);
            self.blocks.len() - 1
        };
        self.numbers.push(number as u32);
    }

    /// The number of the block that the stage before has where the next one comes; in the first stage that of the empty one.
    fn number_before(&self) -> usize {
        self.numbers.len().checked_sub(self.stage_len).map_or(0, |before| self.numbers[before] as usize)
    }

    /// Calls `visit` with every weight of a stage that is there: its tuple, its index within it, and itself.
    pub fn visit(&self, stage: usize, mut visit: impl FnMut(usize, usize, i16)) {
        for table in &self.tables {
            let numbers = &self.numbers[stage * self.stage_len + table.offset..][..table.blocks()];
            let places = numbers.iter().flat_map(|&number| self.blocks[number as usize]);
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
        self.blocks.shrink_to_fit();
        self.records.words.resize(self.records.words.len() + 2 * LINE, 0);
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        2 * self.records.words.capacity() + size_of::<Block>() * self.blocks.capacity() + 4 * self.numbers.capacity()
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
                let offset = stage * self.stage_len + table.offset;
                for (view, at) in views.iter().zip(keys) {
                    let key = key_of(table, *view);
                    // SAFETY: the key of a table is below its number of keys, for that many bits are in its mask, and
                    // there are as many numbers as blocks of keys for every stage of the shape.
                    let number = unsafe { *self.numbers.get_unchecked(offset + key / BLOCK) };
                    *at = number * BLOCK as u32 + (key % BLOCK) as u32;
                    prefetch(self.blocks.as_ptr().cast::<u32>().wrapping_add(*at as usize));
                }
            }
        }
        for keys in &mut keys[..boards.len().min(MAX_AFTERS)] {
            for key in keys[..self.tables.len()].as_flattened_mut() {
                // SAFETY: every number is one of a block.
                let place = unsafe { *self.blocks.as_flattened().get_unchecked(*key as usize) };
                prefetch(self.records.words.as_ptr().wrapping_add(place as usize));
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
                    // SAFETY: every place is one that `push` made, or 0: at least 2 * LINE words follow it, and at most
                    // 34 are read.
                    *sum += unsafe {
                        let record = self.records.words.as_ptr().add(place as usize);
                        let header = record.cast::<u32>().read_unaligned().to_le();
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

impl Records {
    /// Room for so many words, an empty record among them. `None` if there is no memory for them or they are more than
    /// [`MAX_WORDS`].
    fn reserve(words: usize) -> Option<Self> {
        let mut all: Vec<u16> = Vec::new();
        // Before the records there is an empty one and whatever it takes to begin a line; after them there is as much
        // as a lookup may read beyond a header.
        all.try_reserve_exact(words.checked_add(4 * LINE).filter(|_| words <= MAX_WORDS)?).ok()?;
        let skipped = LINE + all.as_ptr().align_offset(2 * LINE).min(LINE);
        all.resize(skipped, 0);
        Some(Self { words: all, skipped })
    }

    /// The header and the weights of the record at a place.
    #[inline]
    pub fn get(&self, place: u32) -> (u32, Record) {
        let place = place as usize;
        let mut record = [0; 32];
        let header = u32::from(self.words[place]) | u32::from(self.words[place + 1]) << 16;
        let mut rest = header;
        for &word in &self.words[place + 2..place + 2 + header.count_ones() as usize] {
            record[rest.trailing_zeros() as usize] = word as i16;
            rest &= rest - 1;
        }
        (header, record)
    }

    /// Adds a record with this header, and with the first of these weights, as many as the header has. Its place, or `None`
    /// if there is no room for it.
    #[inline]
    pub fn push(&mut self, header: u32, weights: &Record) -> Option<u32> {
        let len = 2 + header.count_ones() as usize;
        let place = self.words.len() + padding(self.words.len() - self.skipped, len);
        if place + len + 2 * LINE > self.words.capacity() {
            return None;
        }
        self.words.resize(place, 0);
        self.words.extend([header as u16, (header >> 16) as u16]);
        // All of them at once, because that is quicker than only those that stay.
        self.words.extend(weights.map(|weight| weight as u16));
        self.words.truncate(place + len);
        Some(place as u32)
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

/// How many words are left out so that a record that fits in a line lies in one.
fn padding(place: usize, len: usize) -> usize {
    let left = LINE - place % LINE;
    if len <= LINE && len > left { left } else { 0 }
}

/// Counts the words of records, before there are any.
#[derive(Default)]
pub(super) struct WordCount {
    words: usize,
}

impl WordCount {
    /// Adds a record with this header.
    pub fn add(&mut self, header: u32) {
        let len = 2 + header.count_ones() as usize;
        self.words += padding(self.words, len) + len;
    }

    /// All that were added, padding included.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// Asks for memory that will be read soon. Any address is allowed.
#[inline(always)]
fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing and never faults.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
