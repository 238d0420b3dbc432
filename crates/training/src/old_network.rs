//! Reads the network files of the format before this one (`ESTRNET2`), so that they can be renewed without any loss.
//!
//! After the head, which is that of today, comes a Zstandard frame with, for every stage, a byte that is 1 if the stage
//! is written as its differences from the stage before; then for every tuple the number of non-zero weights or
//! differences, the length of the list of gaps (32 bits each), the gaps between their indices (7 bits a byte, the high
//! bit means that more follow), the low bytes, and the high bytes.

use anyhow::{Context, Result, ensure};
use estr2048::network::{Endgame, Shape, encode};

const MAGIC: &[u8; 8] = b"ESTRNET2";

/// Whether these are the bytes of such a file.
#[must_use]
pub fn is_old(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The same network as a file of today.
///
/// # Errors
/// If the file is damaged.
pub fn renew(bytes: &[u8]) -> Result<Vec<u8>> {
    let damaged = "the old network file is damaged";
    let mut input = Input(bytes.get(MAGIC.len()..bytes.len().saturating_sub(8)).context(damaged)?);
    let tuples = input.byte().context(damaged)?;
    let tuples: Option<Vec<u16>> = (0..tuples).map(|_| input.array().map(u16::from_le_bytes)).collect();
    let stages = input.byte().context(damaged)?;
    let bounds: Option<Vec<u32>> = (1..stages).map(|_| input.word()).collect();
    let steps: Option<Vec<f32>> = (0..stages).map(|_| input.array().map(f32::from_le_bytes)).collect();
    let shape = Shape::new(&tuples.context(damaged)?, &bounds.context(damaged)?)?;
    let len = u64::from_le_bytes(input.array().context(damaged)?);
    ensure!(len == input.0.len() as u64, damaged);
    let packed = zstd::stream::decode_all(input.0).context(damaged)?;
    let weights = unpack(&shape, &packed).context(damaged)?;
    let starts: Vec<usize> = (0..shape.tuples().len()).map(|tuple| shape.tuple_start(tuple)).collect();
    let weight = |stage: usize, tuple: usize, index: usize| weights[stage * shape.stage_len() + starts[tuple] + index];
    Ok(encode(&shape, &steps.context(damaged)?, Endgame::default(), weight)?)
}

/// All weights, stage by stage, tuple by tuple.
fn unpack(shape: &Shape, packed: &[u8]) -> Option<Vec<i16>> {
    let len = shape.stage_len();
    let mut weights = vec![0_i16; shape.stages() * len];
    let mut input = Input(packed);
    for stage in 0..shape.stages() {
        let (before, rest) = weights.split_at_mut(stage * len);
        let rest = &mut rest[..len];
        if input.byte()? == 1 {
            rest.copy_from_slice(&before[before.len().checked_sub(len)?..]);
        }
        for tuple in 0..shape.tuples().len() {
            let table = &mut rest[shape.tuple_start(tuple)..];
            let (count, gaps) = (input.word()? as usize, input.word()? as usize);
            let mut gaps = Input(input.bytes(gaps)?);
            let (lows, highs) = (input.bytes(count)?, input.bytes(count)?);
            let mut next = 0;
            for (&low, &high) in lows.iter().zip(highs) {
                next += gaps.number()?;
                let weight = table.get_mut(next)?;
                *weight = weight.wrapping_add(i16::from_le_bytes([low, high]));
                next += 1;
            }
        }
    }
    input.0.is_empty().then_some(weights)
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn word(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number of up to four groups of 7 bits.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    }
}
