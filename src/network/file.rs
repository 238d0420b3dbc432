//! The file form of a network: small, checked, quick to read, and read in memory whose size is known before.
//!
//! Little endian: the magic; the number of tuples, then 16 bits for each; the number of stages, then 32 bits for every
//! bound, then a 32-bit float for every stage's step; the bound from which on the largest tiles are seen alike (32 bits; 0:
//! never; files whose magic ends with 3 do not have it); the number of words of its records in memory (32 bits), where one that
//! the stage two before has too is there once; then the stages; then, if the magic ends with 6, a byte that is 1 if there are weights of
//! layouts, 2 if there is a tablebase and 3 if there are both; then these, and without that byte the weights of layouts, if the
//! magic ends with 5; last a 64-bit checksum (FNV-1a) of all bytes before it.
//!
//! A stage is a byte that is 1 if its weights are written as differences from the stage before and 0 if as they are,
//! the frequencies of the symbols of all models (16 bits each), the number of packed words (32 bits), and these words
//! of 16 bits. They hold, table by table and key by key, what [`Pass`] says.

use std::hint::black_box;

use super::entries::BLOCK;
use super::entropy::{Coder, Counter, Models, Reader, Writer, framed};
use super::format_error::FormatError;
use super::input::Input;
use super::layouts::Layouts;
use super::number;
use super::records::{MAX_WORDS, Record, WordCount};
use super::shape::{MAX_STAGES, MAX_TUPLES, Shape, ShapeError};
use super::tablebase::Tablebase;
use super::tables::{Table, Weights};

const MAGIC: &[u8; 8] = b"ESTRNET4";
const MAGIC_WITH_LAYOUTS: &[u8; 8] = b"ESTRNET5";
const MAGIC_WITH_TABLEBASE: &[u8; 8] = b"ESTRNET6";
const MAGIC_WITHOUT_WALLS: &[u8; 8] = b"ESTRNET3";
const OLD_MAGIC: &[u8; 7] = b"ESTRNET";

/// More memory than all but the weights and models of a network take.
const SMALL_THINGS: usize = 1 << 20;

/// More memory than a search and the solution of a fill take beside a network.
const PLAYING: usize = 32 << 20;

/// What lies under a key of a stage.
mod state {
    /// Nothing.
    pub const EMPTY: u32 = 0;
    /// A record that follows.
    pub const NEW: u32 = 1;
    /// The record of the stage before.
    pub const SAME: u32 = 2;
    pub const COUNT: usize = 3;
}

/// The models. A state depends on those of the key before and of the one 16 keys before, and on whether the stage before
/// has a record; four bits of a header on the same of the header that is most alike, and on which that is; a number on
/// the size of the one before it in the record, and on whether it is a difference.
mod model {
    pub const STATE: usize = 0;
    pub const HEADER: usize = STATE + 2 * super::state::COUNT * super::state::COUNT;
    pub const NUMBER: usize = HEADER + 3 * 2 * 16;
    pub const ALL: usize = NUMBER + 2 * CLASSES;
    /// Sizes of a number, a quarter of its symbol; the last for "none before".
    pub const CLASSES: usize = super::number::SYMBOLS / 4 + 1;

    pub fn symbols(model: usize) -> usize {
        match model {
            ..HEADER => super::state::COUNT,
            HEADER..NUMBER => 16,
            _ => super::number::SYMBOLS,
        }
    }
}

/// One pass over the keys of a table of a stage: the same for who counts, writes and reads.
struct Pass<'a, C> {
    coder: &'a mut C,
    /// The states of the last sixteen keys.
    states: [u32; 16],
    /// The header of the last record.
    header: u32,
}

impl<'a, C: Coder> Pass<'a, C> {
    fn new(coder: &'a mut C) -> Self {
        Self { coder, states: [state::EMPTY; 16], header: 0 }
    }

    /// The state of a key. `is_used` says whether the stage before has a record there.
    #[inline(always)]
    fn state(&mut self, key: usize, is_used: bool, state: u32) -> u32 {
        let above = self.states[key % 16];
        let before = self.states[(key + 15) % 16];
        let context = (above * 3 + before) * 2 + u32::from(is_used);
        let state = self.coder.one_of_three(model::STATE + context as usize, state);
        self.states[key % 16] = state;
        state
    }

    /// A new record, after its state: the header, four bits at a time, and the weights one after another. In a relative
    /// stage these are differences from the record of the stage before, `previous`, whose header is 0 where there is none.
    #[inline(always)]
    fn record(&mut self, key: usize, (header, weights): (u32, &mut Record), previous: Option<(u32, Record)>) -> u32 {
        let (alike, kind) = match previous {
            Some((before @ 1.., _)) => (before, 2),
            _ => (self.header, usize::from(self.states[(key + 15) % 16] == state::NEW)),
        };
        let mut read = 0;
        for shift in (0..32).step_by(4) {
            let half = usize::from(shift >= 16);
            let context = (kind * 2 + half) * 16 + (alike >> shift & 0xf) as usize;
            read |= self.coder.symbol(model::HEADER + context, header >> shift & 0xf) << shift;
        }
        self.header = read;
        let mut class = model::CLASSES - 1;
        let mut rest = read;
        for weight in &mut weights[..read.count_ones() as usize] {
            let base = previous.map_or(0, |(_, record)| record[rest.trailing_zeros() as usize % 32]);
            rest &= rest - 1;
            let kind = usize::from(base != 0);
            let model = model::NUMBER + kind * model::CLASSES + class;
            let (number, token) = number::code(self.coder, model, weight.wrapping_sub(base));
            class = token / 4;
            *weight = base.wrapping_add(number);
        }
        read
    }
}

/// A network as it is to be written: `weight` gives the weight with this stage, tuple and index.
struct Source<'a, W> {
    shape: &'a Shape,
    tables: Vec<Table>,
    weight: &'a W,
}

impl<W: Fn(usize, usize, usize) -> i16> Source<'_, W> {
    fn record(&self, stage: usize, table: &Table, key: usize) -> (u32, Record) {
        let mut record = [0; 32];
        let members = [Some(table.first), table.second];
        for (half, member) in record.chunks_mut(16).zip(members) {
            let Some(member) = member else { continue };
            let (index, step) = member.indices(table, key);
            for (code, weight) in half.iter_mut().enumerate() {
                *weight = (self.weight)(stage, member.tuple, index + code * step);
            }
        }
        let header = record.iter().enumerate().fold(0, |bits, (place, &weight)| bits | u32::from(weight != 0) << place);
        (header, record)
    }

    /// Calls `visit` with every key of a stage: its table and number, its record, and that of the stage before.
    fn visit(&self, stage: usize, mut visit: impl FnMut(usize, usize, (u32, Record), (u32, Record))) {
        for (number, table) in self.tables.iter().enumerate() {
            for key in 0..table.keys() {
                let previous = if stage == 0 { (0, [0; 32]) } else { self.record(stage - 1, table, key) };
                visit(number, key, self.record(stage, table, key), previous);
            }
        }
    }

    /// Whether a stage takes fewer numbers as differences from the one before.
    fn is_relative(&self, stage: usize) -> bool {
        let (mut weights, mut differences) = (0_u64, 0_u64);
        self.visit(stage, |_, _, (_, record), (_, previous)| {
            for (weight, before) in record.iter().zip(&previous) {
                weights += u64::from(*weight != 0);
                differences += u64::from(weight != before);
            }
        });
        stage > 0 && differences < weights
    }

    /// The words of records and the places that the network takes in memory, that of the empty one not among them.
    fn size(&self) -> (usize, usize) {
        let (mut words, mut places) = (WordCount::default(), 0);
        for stage in 0..self.shape.stages() {
            // How many of the last sixteen keys have a record, and whether the stage before has others there.
            let (mut used, mut is_own) = (0, false);
            self.visit(stage, |number, key, new, previous| {
                if key % BLOCK == 0 {
                    (used, is_own) = (0, false);
                }
                if !is_own && new != previous {
                    is_own = true;
                    places += used;
                }
                let has_record = usize::from(new.0 != 0);
                used += has_record;
                places += if is_own { has_record } else { 0 };
                let is_shared = || stage >= 2 && self.record(stage - 2, &self.tables[number], key) == new;
                if state_of(new, previous) == state::NEW && !is_shared() {
                    words.add(new.0);
                }
            });
        }
        (words.words(), places)
    }

    fn write(&self, stage: usize, is_relative: bool, coder: &mut impl Coder) {
        let mut pass = Pass::new(coder);
        let mut table = 0;
        self.visit(stage, |number, key, (header, record), previous| {
            if number != table {
                (pass.states, pass.header, table) = ([state::EMPTY; 16], 0, number);
            }
            let state = state_of((header, record), previous);
            pass.state(key, previous.0 != 0, state);
            if state == state::NEW {
                let mut kept = record.into_iter().filter(|&weight| weight != 0);
                let mut weights = std::array::from_fn(|_| kept.next().unwrap_or(0));
                pass.record(key, (header, &mut weights), is_relative.then_some(previous));
            }
        });
    }
}

/// The state of a key with this record, and that one in the stage before.
fn state_of(record: (u32, Record), previous: (u32, Record)) -> u32 {
    match record.0 {
        0 => state::EMPTY,
        _ if record == previous => state::SAME,
        _ => state::NEW,
    }
}

/// What a network may have for the last points before a fill, beside its stages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endgame<'a> {
    /// Weights of layouts.
    pub layouts: Option<&'a Layouts>,
    /// Moves of an exact solution.
    pub tablebase: Option<&'a Tablebase>,
}

impl Endgame<'_> {
    fn magic(self) -> &'static [u8; 8] {
        match (self.layouts, self.tablebase) {
            (_, Some(_)) => MAGIC_WITH_TABLEBASE,
            (Some(_), None) => MAGIC_WITH_LAYOUTS,
            (None, None) => MAGIC,
        }
    }

    fn write(self) -> Vec<u8> {
        let layouts = self.layouts.map(Layouts::write).unwrap_or_default();
        let Some(tablebase) = self.tablebase else { return layouts };
        let parts = PART_TABLEBASE | if self.layouts.is_some() { PART_LAYOUTS } else { 0 };
        [vec![parts], layouts, tablebase.write()].concat()
    }
}

/// Bits of the byte that says what there is.
const PART_LAYOUTS: u8 = 1;
const PART_TABLEBASE: u8 = 2;

/// The file form of a network.
///
/// `steps` holds the value of one unit per stage; `weight` gives the weight with this stage, tuple and index, in units.
/// Records that a stage shares with the one before are written once, and the others as differences if that makes for
/// fewer numbers.
///
/// # Errors
/// [`FormatError::TooLarge`] if there are too many weights.
pub fn encode(
    shape: &Shape,
    steps: &[f32],
    endgame: Endgame<'_>,
    weight: impl Fn(usize, usize, usize) -> i16,
) -> Result<Vec<u8>, FormatError> {
    let source = Source { shape, tables: Table::all(shape), weight: &weight };
    let (words, places) = source.size();
    if words > MAX_WORDS || Weights::most_places(shape, words).is_none_or(|most| places >= most) {
        return Err(FormatError::TooLarge);
    }
    let mut stages = Vec::new();
    for stage in 0..source.shape.stages() {
        let is_relative = source.is_relative(stage);
        let mut counter = Counter::new(&(0..model::ALL).map(model::symbols).collect::<Vec<_>>());
        source.write(stage, is_relative, &mut counter);
        let frequencies = counter.frequencies();
        let mut writer = Writer::new(&frequencies);
        source.write(stage, is_relative, &mut writer);
        let packed = writer.finish();
        stages.push(u8::from(is_relative));
        stages.extend(framed(&frequencies, &packed));
    }

    let mut bytes = endgame.magic().to_vec();
    bytes.push(shape.tuples.len() as u8);
    for tuple in shape.tuples() {
        bytes.extend(tuple.to_le_bytes());
    }
    bytes.push(shape.stages() as u8);
    for bound in shape.bounds() {
        bytes.extend(bound.to_le_bytes());
    }
    for stage in 0..shape.stages() {
        bytes.extend(steps.get(stage).copied().unwrap_or(1.0).to_le_bytes());
    }
    bytes.extend(shape.walls_from().unwrap_or(0).to_le_bytes());
    bytes.extend((words as u32).to_le_bytes());
    bytes.extend(stages);
    bytes.extend(endgame.write());
    bytes.extend(checksum(&bytes).to_le_bytes());
    Ok(bytes)
}

/// What a network file holds.
pub(super) struct Content {
    pub shape: Shape,
    pub steps: Vec<f32>,
    pub weights: Weights,
    pub layouts: Option<Layouts>,
    pub tablebase: Option<Tablebase>,
}

/// Reads a network file.
pub(super) fn decode(bytes: &[u8]) -> Result<Content, FormatError> {
    let has_tablebase = bytes.starts_with(MAGIC_WITH_TABLEBASE);
    let has_layouts = bytes.starts_with(MAGIC_WITH_LAYOUTS);
    let has_walls = has_tablebase || has_layouts || bytes.starts_with(MAGIC);
    if !has_walls && !bytes.starts_with(MAGIC_WITHOUT_WALLS) {
        return Err(if bytes.starts_with(OLD_MAGIC) { FormatError::Version } else { FormatError::Magic });
    }
    let (content, sum) = bytes.split_last_chunk::<8>().ok_or(FormatError::Damaged)?;
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(FormatError::Damaged);
    }
    // What is small is not asked for with care. It is there where this much is.
    find_room(SMALL_THINGS)?;
    let mut input = Input(content.get(MAGIC.len()..).ok_or(FormatError::Damaged)?);
    let tuples = usize::from(input.byte()?);
    if tuples > MAX_TUPLES {
        return Err(ShapeError::TupleCount.into());
    }
    let tuples: Vec<u16> = (0..tuples).map(|_| input.array().map(u16::from_le_bytes)).collect::<Result<_, _>>()?;
    let stages: usize = input.byte()?.into();
    if stages == 0 || stages > MAX_STAGES {
        return Err(ShapeError::Stages.into());
    }
    let bounds: Vec<u32> = (1..stages).map(|_| input.word()).collect::<Result<_, _>>()?;
    let steps: Vec<f32> = (0..stages).map(|_| input.array().map(f32::from_le_bytes)).collect::<Result<_, _>>()?;
    let walls_from = if has_walls { input.word()? } else { 0 };
    let shape = Shape::new(&tuples, &bounds)?.with_walls_from((walls_from > 0).then_some(walls_from))?;

    let words = input.word()? as usize;
    if words > MAX_WORDS {
        return Err(FormatError::TooLarge);
    }
    let mut weights = Weights::reserve(&shape, words).ok_or(FormatError::Memory)?;
    let mut models = Models::reserve(model::ALL).ok_or(FormatError::Memory)?;
    for stage in 0..stages {
        read_stage(&mut input, stage, &mut weights, &mut models)?;
    }
    weights.finish();
    let parts = match has_tablebase {
        true => input.byte()?,
        false => {
            if has_layouts {
                PART_LAYOUTS
            } else {
                0
            }
        }
    };
    let layouts = if parts & PART_LAYOUTS != 0 { Some(Layouts::read(&mut input)?) } else { None };
    let tablebase = if parts & PART_TABLEBASE != 0 { Some(Tablebase::read(&mut input)?) } else { None };
    // A network that fits, but leaves no room to play with it, would play otherwise than elsewhere.
    find_room(PLAYING)?;
    let is_whole = input.0.is_empty() && parts <= PART_LAYOUTS | PART_TABLEBASE;
    if is_whole { Ok(Content { shape, steps, weights, layouts, tablebase }) } else { Err(FormatError::Damaged) }
}

/// Whether there is so much memory; it is not kept.
fn find_room(bytes: usize) -> Result<(), FormatError> {
    let mut room: Vec<u8> = Vec::new();
    black_box(&mut room).try_reserve_exact(bytes).map_err(|_| FormatError::Memory)
}

fn read_stage(
    input: &mut Input<'_>,
    stage: usize,
    weights: &mut Weights,
    models: &mut Models,
) -> Result<(), FormatError> {
    let is_relative = match (input.byte()?, stage) {
        (0, _) => false,
        (1, 1..) => true,
        _ => return Err(FormatError::Damaged),
    };
    input.models(models, model::ALL, model::symbols)?;
    let packed = input.word()? as usize;
    let mut reader = Reader::new(models, input.pairs(packed)?).ok_or(FormatError::Damaged)?;
    match is_relative {
        true => read_records::<true>(&mut reader, stage, weights)?,
        false => read_records::<false>(&mut reader, stage, weights)?,
    }
    if reader.ends_well() { Ok(()) } else { Err(FormatError::Damaged) }
}

fn read_records<const IS_RELATIVE: bool>(
    reader: &mut Reader<'_, { model::ALL }>,
    stage: usize,
    weights: &mut Weights,
) -> Result<(), FormatError> {
    weights.begin_stage().ok_or(FormatError::Memory)?;
    for keys in weights.tables() {
        let mut pass = Pass::new(reader);
        for first in (0..keys).step_by(BLOCK) {
            let ([before, earlier], records) = weights.before();
            let mut block = [0; BLOCK];
            for (((key, place), inherited), earlier) in (first..keys).zip(&mut block).zip(before).zip(earlier) {
                match pass.state(key, inherited != 0, 0) {
                    state::EMPTY => {}
                    state::NEW => {
                        let mut record = [0; 32];
                        let previous = IS_RELATIVE.then(|| records.get(inherited));
                        let header = pass.record(key, (0, &mut record), previous);
                        *place = match records.is(earlier, header, &record) {
                            true => earlier,
                            false => records.push(header, &record).ok_or(FormatError::Damaged)?,
                        };
                    }
                    _ if stage == 0 => return Err(FormatError::Damaged),
                    _ => *place = inherited,
                }
            }
            weights.push(block, &before).ok_or(FormatError::TooLarge)?;
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits, over whole words and then the bytes that are left: quick, and good enough against accidents.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |hash: u64, value: u64| (hash ^ value).wrapping_mul(PRIME);
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| step(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, &byte| step(hash, byte.into()))
}

#[cfg(test)]
mod tests {
    use super::super::entries::Entries;
    use super::super::records::Records;
    use super::*;

    #[test]
    fn a_network_takes_as_much_memory_as_was_counted() {
        let shape = Shape::new(&[0x000f, 0x0033, 0x0f00, 0x8000], &[64, 128, 256]).unwrap();
        // Every stage has keys of its own, some that are gone in the next, and some that come back.
        let weight = |stage: usize, tuple: usize, index: usize| match (index / 5 + tuple) % 7 {
            0 => 1,
            1 if stage.is_multiple_of(2) => index as i16,
            2 => (index % 3) as i16 * stage as i16,
            _ => 0,
        };
        let source = Source { shape: &shape, tables: Table::all(&shape), weight: &weight };
        let (words, places) = source.size();
        assert!(places > 0);
        let Content { weights, .. } = decode(&encode(&shape, &[1.0; 4], Endgame::default(), weight).unwrap()).unwrap();
        let records = Records::bytes_of(words).unwrap();
        assert_eq!(weights.bytes() - weights.bytes_of_entries(), records + 4 * (1 + places));
        let stage_len = source.tables.iter().map(Table::blocks).sum();
        let one = Entries::most_bytes(stage_len, 1).unwrap()..=Entries::most_bytes(stage_len, shape.stages()).unwrap();
        assert!(one.contains(&weights.bytes_of_entries()), "{one:?}");
    }
}
