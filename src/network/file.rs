//! The file form of a network: small, checked, quick to read.
//!
//! Little endian: the magic; the number of tuples, then 16 bits for each; the number of stages, then 32 bits for every
//! bound, then a 32-bit float for every stage's step; the length of the packed weights (64 bits), then these, a
//! Zstandard frame; last a 64-bit checksum (FNV-1a) of all bytes before it.
//!
//! The packed weights hold, for every stage, a byte that is 1 if the stage is written as its differences from the stage
//! before and 0 if as it is; then for every tuple the number of non-zero weights or differences, the length of the list
//! of gaps (32 bits each), the gaps between their indices (7 bits a byte, the high bit means that more follow), the low
//! bytes, and the high bytes.

use std::fmt;
use std::io::Read;

use super::shape::{MAX_STAGES, MAX_TUPLES, Shape, ShapeError};

const MAGIC: &[u8; 8] = b"ESTRNET2";

/// Why bytes could not be read as a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The magic is missing: not a network file, or one of another version.
    Magic,
    /// The file ends too early, goes on too long, or its checksum differs: it was damaged.
    Damaged,
    /// The tuples or stages are impossible.
    Shape(ShapeError),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("this is no network file of this version"),
            Self::Damaged => f.write_str("the network file is damaged"),
            Self::Shape(error) => write!(f, "the network file has an impossible shape: {error}"),
        }
    }
}

impl std::error::Error for FormatError {}

impl From<ShapeError> for FormatError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

/// The file form of a network.
///
/// `steps` holds the value of one unit per stage; `weights` gives the weight with this stage, tuple and index, in
/// units; `compress` makes a Zstandard frame of the packed weights. A stage is written as its differences from the
/// stage before if that makes for fewer numbers.
pub fn encode(
    shape: &Shape,
    steps: &[f32],
    weight: impl Fn(usize, usize, usize) -> i16,
    compress: impl FnOnce(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let mut packed = Vec::new();
    let tuples = 0..shape.tuples.len();
    for stage in 0..shape.stages() {
        let difference = |tuple, index| weight(stage, tuple, index).wrapping_sub(weight(stage - 1, tuple, index));
        let all = || tuples.clone().flat_map(|tuple| (0..shape.tuple_len(tuple)).map(move |index| (tuple, index)));
        let weights = || all().filter(|&(tuple, index)| weight(stage, tuple, index) != 0).count();
        let differences = || all().filter(|&(tuple, index)| difference(tuple, index) != 0).count();
        let relative = stage > 0 && differences() < weights();
        packed.push(u8::from(relative));
        for tuple in tuples.clone() {
            let number = |index| if relative { difference(tuple, index) } else { weight(stage, tuple, index) };
            pack(&mut packed, shape.tuple_len(tuple), number);
        }
    }
    let packed = compress(&packed);

    let mut bytes = MAGIC.to_vec();
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
    bytes.extend((packed.len() as u64).to_le_bytes());
    bytes.extend(packed);
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn pack(packed: &mut Vec<u8>, len: usize, number: impl Fn(usize) -> i16) {
    let (mut gaps, mut lows, mut highs) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for index in 0..len {
        let number = number(index);
        if number == 0 {
            continue;
        }
        let mut gap = index - next;
        next = index + 1;
        while gap >= 0x80 {
            gaps.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        gaps.push(gap as u8);
        let [low, high] = number.to_le_bytes();
        lows.push(low);
        highs.push(high);
    }
    packed.extend((lows.len() as u32).to_le_bytes());
    packed.extend((gaps.len() as u32).to_le_bytes());
    packed.extend(gaps);
    packed.extend(lows);
    packed.extend(highs);
}

/// The shape, the steps and the weights of a network file.
pub(super) fn decode(bytes: &[u8]) -> Result<(Shape, Vec<f32>, Vec<i16>), FormatError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FormatError::Magic);
    }
    let (content, sum) = bytes.split_last_chunk::<8>().ok_or(FormatError::Damaged)?;
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(FormatError::Damaged);
    }
    let mut input = Input(&content[MAGIC.len()..]);
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
    let shape = Shape::new(&tuples, &bounds)?;

    let len = u64::from_le_bytes(input.array()?);
    if len != input.0.len() as u64 {
        return Err(FormatError::Damaged);
    }
    let weights = unpack_all(&shape, input.0)?;
    Ok((shape, steps, weights))
}

fn unpack_all(shape: &Shape, frame: &[u8]) -> Result<Vec<i16>, FormatError> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(frame).map_err(|_| FormatError::Damaged)?;
    // No honest file holds more than all weights: three bytes for each, or more for each of a few.
    let most = (shape.stages() * shape.stage_len()) as u64 * 4;
    let mut packed = Vec::new();
    decoder.take(most).read_to_end(&mut packed).map_err(|_| FormatError::Damaged)?;
    let mut input = Input(&packed);
    // Zeroed memory straight from the system: pages without weights are never touched.
    let mut weights = vec![0_i16; shape.stages() * shape.stage_len()];
    for stage in 0..shape.stages() {
        let (before, rest) = weights.split_at_mut(stage * shape.stage_len());
        let mut rest = &mut rest[..shape.stage_len()];
        match (input.byte()?, before.len().checked_sub(shape.stage_len())) {
            (0, _) => {}
            (1, Some(start)) => copy_used_pages(&before[start..], rest),
            _ => return Err(FormatError::Damaged),
        }
        for tuple in 0..shape.tuples.len() {
            let (table, others) = rest.split_at_mut(shape.tuple_len(tuple));
            unpack(&mut input, table)?;
            rest = others;
        }
    }
    if input.0.is_empty() { Ok(weights) } else { Err(FormatError::Damaged) }
}

/// Copies into zeroed memory, but leaves the pages alone that stay zero.
fn copy_used_pages(from: &[i16], to: &mut [i16]) {
    const PAGE: usize = 2048;
    for (from, to) in from.chunks(PAGE).zip(to.chunks_mut(PAGE)) {
        if from.iter().any(|&weight| weight != 0) {
            to.copy_from_slice(from);
        }
    }
}

fn unpack(input: &mut Input<'_>, table: &mut [i16]) -> Result<(), FormatError> {
    let count = input.word()? as usize;
    let gaps = input.word()? as usize;
    let mut gaps = Input(input.bytes(gaps)?);
    let lows = input.bytes(count)?;
    let highs = input.bytes(count)?;
    let mut next = 0_usize;
    for (&low, &high) in lows.iter().zip(highs) {
        let mut gap = 0;
        let mut shift = 0;
        loop {
            let byte = gaps.byte()?;
            gap |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift > 21 {
                break;
            }
        }
        let weight = table.get_mut(next + gap).ok_or(FormatError::Damaged)?;
        *weight = weight.wrapping_add(i16::from_le_bytes([low, high]));
        next += gap + 1;
    }
    Ok(())
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], FormatError> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        self.array().map(|[byte]| byte)
    }

    fn word(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }
}

/// FNV-1a, 64 bits, over whole words and then the bytes that are left: quick, and good enough against accidents.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |hash: u64, value: u64| (hash ^ value).wrapping_mul(PRIME);
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| step(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, &byte| step(hash, byte.into()))
}
