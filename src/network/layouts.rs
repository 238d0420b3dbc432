//! The weights of [layouts](super::layout) in memory, and in a file.
//!
//! A key is the number of a *line*, in its high bits, and a *mark*, in the other eight. A line is half a line of the
//! processor's cache and holds up to ten weights with their marks, so that one way through memory leads to a weight, or to
//! its being 0.

use super::entropy::{Coder, Counter, Models, Reader, Writer, framed};
use super::evaluation::MAX_AFTERS;
use super::format_error::FormatError;
use super::input::Input;
use super::layout::{KEY_BITS, Keys};
use super::number;
use super::tables::prefetch;

/// How many values a passed fill may have: that of 65536, that of 98304, and so on; the last is that of all later ones.
pub const FILLS: usize = 8;

const MARK_BITS: u32 = 8;
const LINES: usize = 1 << (KEY_BITS - MARK_BITS);

/// Weights of a line.
const ENTRIES: usize = 10;

/// A 1 in the byte of every mark.
const MARKS: u128 = (1 << (8 * ENTRIES as u32)) / 0xff;

/// The weights with keys that begin alike, by ascending marks; behind them, 0 with mark 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
struct Line {
    marks: [u8; ENTRIES],
    weights: [i16; ENTRIES],
}

impl Line {
    #[inline(always)]
    fn weight(&self, mark: u8) -> i16 {
        let mut marks = [0; 16];
        marks[..ENTRIES].copy_from_slice(&self.marks);
        let differences = u128::from_le_bytes(marks) ^ (MARKS * u128::from(mark));
        // The lowest bit of these is that of the first byte that is 0.
        let zeros = differences.wrapping_sub(MARKS) & !differences & MARKS << 7;
        self.weights.get(zeros.trailing_zeros() as usize / 8).copied().unwrap_or(0)
    }

    fn entries(&self) -> impl Iterator<Item = (u8, i16)> {
        self.marks.into_iter().zip(self.weights).filter(|&(_, weight)| weight != 0)
    }
}

/// A weight to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its key, below 2^[`KEY_BITS`].
    pub key: u32,
    /// Itself, in steps.
    pub weight: i16,
    /// Where there are too many, those of the least importance are dropped.
    pub importance: f32,
}

/// The weights of layouts: the chance to come through a fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Layouts {
    /// The chance that one unit of a weight stands for.
    step: f32,
    /// What a passed fill is worth, in moves.
    worths: [f32; FILLS],
    lines: Vec<Line>,
}

impl Layouts {
    /// Weights of these steps; a passed fill is worth so many moves. Returns how many entries had no room, too.
    #[must_use]
    pub fn new(step: f32, worths: [f32; FILLS], mut entries: Vec<Entry>) -> (Self, usize) {
        let mut lines = vec![Line::default(); LINES];
        entries.retain(|entry| entry.weight != 0 && entry.key >> KEY_BITS == 0);
        entries.sort_unstable_by_key(|entry| entry.key);
        let mut dropped = 0;
        for same in entries.chunk_by_mut(|a, b| a.key >> MARK_BITS == b.key >> MARK_BITS) {
            same.sort_by(|a, b| b.importance.total_cmp(&a.importance));
            let kept = same.len().min(ENTRIES);
            dropped += same.len() - kept;
            let kept = &mut same[..kept];
            kept.sort_unstable_by_key(|entry| entry.key);
            let line = &mut lines[(kept[0].key >> MARK_BITS) as usize];
            for ((entry, mark), weight) in kept.iter().zip(&mut line.marks).zip(&mut line.weights) {
                (*mark, *weight) = (entry.key as u8, entry.weight);
            }
        }
        (Self { step, worths, lines }, dropped)
    }

    /// Number of weights that are not 0.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.lines.iter().map(|line| line.entries().count()).sum()
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }

    /// The chances of the boards that have keys. All their memory is asked for before the first of them is looked at.
    #[inline]
    pub(super) fn chances(&self, boards: &[Option<Keys>; MAX_AFTERS]) -> [Option<f32>; MAX_AFTERS] {
        boards.iter().flatten().for_each(|keys| self.prefetch(keys));
        std::array::from_fn(|board| boards[board].as_ref().map(|keys| self.chance(keys)))
    }

    #[inline]
    fn prefetch(&self, keys: &Keys) {
        for key in keys.keys {
            prefetch(self.lines.as_ptr().wrapping_add((key >> MARK_BITS) as usize));
        }
    }

    /// The chance to come through the fill, from 0 to 1, of a board with these keys.
    #[inline]
    #[must_use]
    pub fn chance(&self, keys: &Keys) -> f32 {
        let weight = |key: u32| i32::from(self.lines[(key >> MARK_BITS) as usize % LINES].weight(key as u8));
        let units: i32 = keys.keys.into_iter().map(weight).sum();
        (keys.base + self.step * units as f32).clamp(0.0, 1.0)
    }

    /// What it is worth to come through fill number `fill`, in moves: 0 is that of 65536.
    #[inline]
    #[must_use]
    pub fn worth(&self, fill: usize) -> f32 {
        self.worths[fill.min(FILLS - 1)]
    }

    /// The file form: the step, the worths, the frequencies of the symbols of all models (16 bits each), the number of
    /// packed words (32 bits), and these words of 16 bits. They hold line by line what [`pass`] says.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut counter = Counter::new(&(0..model::ALL).map(model::symbols).collect::<Vec<_>>());
        self.lines.iter().for_each(|line| _ = pass(&mut counter, *line));
        let frequencies = counter.frequencies();
        let mut writer = Writer::new(&frequencies);
        self.lines.iter().for_each(|line| _ = pass(&mut writer, *line));
        let packed = writer.finish();
        let mut bytes = self.step.to_le_bytes().to_vec();
        bytes.extend(self.worths.iter().flat_map(|worth| worth.to_le_bytes()));
        bytes.extend(framed(&frequencies, &packed));
        bytes
    }

    pub(super) fn read(input: &mut Input<'_>) -> Result<Self, FormatError> {
        let step = f32::from_le_bytes(input.array()?);
        let mut worths = [0.0; FILLS];
        for worth in &mut worths {
            *worth = f32::from_le_bytes(input.array()?);
        }
        let mut lines = Vec::new();
        lines.try_reserve_exact(LINES).map_err(|_| FormatError::Memory)?;
        let mut models = Models::reserve(model::ALL).ok_or(FormatError::Memory)?;
        input.models(&mut models, model::ALL, model::symbols)?;
        let packed = input.word()? as usize;
        let mut reader: Reader<'_, { model::ALL }> =
            Reader::new(&models, input.pairs(packed)?).ok_or(FormatError::Damaged)?;
        lines.extend((0..LINES).map(|_| pass(&mut reader, Line::default())));
        if reader.ends_well() { Ok(Self { step, worths, lines }) } else { Err(FormatError::Damaged) }
    }
}

/// The models: how many weights a line has; how far a mark is from the one before, by that number; a weight, by the size of
/// the one before it in the line.
mod model {
    pub const COUNT: usize = 0;
    pub const MARK: usize = COUNT + 1;
    pub const WEIGHT: usize = MARK + super::ENTRIES;
    pub const ALL: usize = WEIGHT + CLASSES;
    /// Sizes of a number, a quarter of its symbol; the last for "none before".
    pub const CLASSES: usize = super::number::SYMBOLS / 4 + 1;

    pub fn symbols(model: usize) -> usize {
        if model == COUNT { super::ENTRIES + 1 } else { super::number::SYMBOLS }
    }
}

/// One line: the same for who counts, writes and reads.
#[inline(always)]
fn pass(coder: &mut impl Coder, mut line: Line) -> Line {
    let count = coder.symbol(model::COUNT, line.entries().count() as u32) as usize % (ENTRIES + 1);
    let mut before = 0;
    for mark in &mut line.marks[..count] {
        let (step, _) = number::code(coder, model::MARK + count - 1, i16::from(mark.wrapping_sub(before)));
        *mark = before.wrapping_add(step as u8);
        before = *mark;
    }
    let mut class = model::CLASSES - 1;
    for weight in &mut line.weights[..count] {
        let (number, token) = number::code(coder, model::WEIGHT + class, *weight);
        (*weight, class) = (number, token / 4);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::layout::WINDOWS;
    use super::*;

    const WORTHS: [f32; FILLS] = [1.0; FILLS];

    fn entry(key: u32, weight: i16) -> Entry {
        Entry { key, weight, importance: f32::from(weight).abs() }
    }

    fn chance(layouts: &Layouts, key: u32) -> f32 {
        layouts.chance(&Keys { keys: [key; WINDOWS], base: 0.0 })
    }

    #[test]
    fn weights_are_found_by_their_keys() {
        let keys = [0, 1, 255, 256, 0x07ff_ffff, 0x0123_4567];
        let entries = keys.iter().zip(1..).map(|(&key, weight)| entry(key, weight)).collect();
        let (layouts, dropped) = Layouts::new(0.001, WORTHS, entries);
        assert_eq!((dropped, layouts.weights()), (0, keys.len()));
        for (key, weight) in keys.into_iter().zip(1_u8..) {
            let expected = 0.001 * f32::from(weight) * WINDOWS as f32;
            assert!((chance(&layouts, key) - expected).abs() < 1e-6);
        }
        for key in [2, 254, 257, 0x07ff_fffe, 0x0123_4500] {
            assert_eq!(chance(&layouts, key), 0.0);
        }
    }

    #[test]
    fn a_full_line_keeps_what_is_most_important() {
        let entries: Vec<Entry> = (1..=12).map(|weight| entry(weight as u32 * 7, weight)).collect();
        let (layouts, dropped) = Layouts::new(0.001, WORTHS, entries);
        assert_eq!((dropped, layouts.weights()), (2, ENTRIES));
        assert_eq!(chance(&layouts, 2 * 7), 0.0);
        assert!(chance(&layouts, 3 * 7) > 0.0);
    }

    #[test]
    fn chances_lie_between_0_and_1() {
        let (layouts, _) = Layouts::new(1.0, WORTHS, vec![entry(3, i16::MAX), entry(4, i16::MIN)]);
        assert_eq!([3, 4].map(|key| chance(&layouts, key)), [1.0, 0.0]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read(
            entries in proptest::collection::vec((0_u32..1 << 14, i16::MIN..=i16::MAX), 0..2000),
            worth in 0.0_f32..20_000.0,
        ) {
            let mut entries: Vec<Entry> = entries.into_iter().map(|(key, weight)| entry(key * 977, weight)).collect();
            entries.sort_by_key(|entry| entry.key);
            entries.dedup_by_key(|entry| entry.key);
            let (layouts, _) = Layouts::new(0.01, [worth; FILLS], entries);
            let bytes = layouts.write();
            let mut input = Input(&bytes);
            proptest::prop_assert_eq!(Layouts::read(&mut input).unwrap(), layouts);
            proptest::prop_assert!(input.0.is_empty());
            for length in [0, 3, 40, bytes.len() / 2, bytes.len() - 2] {
                proptest::prop_assert!(Layouts::read(&mut Input(&bytes[..length])).is_err());
            }
        }
    }
}
