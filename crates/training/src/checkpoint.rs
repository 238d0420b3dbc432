//! A network in training on disk: a Zstandard stream of the magic, the shape, the counters, and for every stage its
//! weights with the sums of temporal coherence learning, three 32-bit floats each, little endian.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file::AtomicFile;
use estr2048::network::{Network, Shape};
use estr2048_toolbox::files;

use crate::tables::Tables;

const MAGIC: &[u8; 8] = b"ESTRCKP1";

/// How far a training has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    pub games: u64,
    pub moves: u64,
    pub seconds: f64,
}

/// Writes a checkpoint; a file of that name is replaced only when the new one is complete.
pub fn save(path: &Path, tables: &Tables, progress: Progress) -> Result<()> {
    let name = || path.display().to_string();
    let file = AtomicFile::create(path).with_context(name)?;
    let mut out = BufWriter::with_capacity(1 << 20, zstd::Encoder::new(file, 1)?);
    let shape = tables.shape();
    out.write_all(MAGIC)?;
    let tuples = shape.tuples();
    out.write_all(&[tuples.len() as u8, shape.stages() as u8])?;
    for tuple in tuples {
        out.write_all(&tuple.to_le_bytes())?;
    }
    for bound in shape.bounds() {
        out.write_all(&bound.to_le_bytes())?;
    }
    out.write_all(&progress.games.to_le_bytes())?;
    out.write_all(&progress.moves.to_le_bytes())?;
    out.write_all(&progress.seconds.to_le_bytes())?;
    for weight in tables.weights().iter() {
        for value in weight.get() {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    let packed = out.into_inner().map_err(|error| error.into_error()).with_context(name)?;
    packed.finish().and_then(AtomicFile::finish).with_context(name)
}

/// Whether this file is a packed network, which holds no sums of temporal coherence learning.
pub fn is_packed(path: &Path) -> Result<bool> {
    files::check_readable(path)?;
    let mut start = [0; 8];
    let name = || path.display().to_string();
    let length = File::open(path).with_context(name)?.read(&mut start).with_context(name)?;
    Ok(start[..length].starts_with(b"ESTRNET"))
}

/// Reads a checkpoint, or a packed network as a training that has just begun. With `bounds`, the network is divided
/// into these stages: each begins with the weights of the stage that it was a part of.
pub fn load(path: &Path, bounds: Option<&[u32]>) -> Result<(Tables, Progress)> {
    if is_packed(path)? {
        return Ok((unpacked(&estr2048::network::weights::load(path)?, bounds)?, Progress::default()));
    }
    let (mut input, old, progress) = open(path)?;
    let tables = Tables::zero(Shape::new(&old.tuples(), bounds.unwrap_or(old.bounds()))?)?;
    read_weights(&mut input, &old, &tables, 0, 1.0)?;
    Ok((tables, progress))
}

/// Replaces the stages of `tables` that begin at `from` or above by what a checkpoint of the same tuples holds for
/// them, with its sums of temporal coherence learning, all multiplied by `factor`.
pub fn join(tables: &Tables, path: &Path, from: u32, factor: f32) -> Result<()> {
    ensure!(!is_packed(path)?, "{} is a packed network: only a checkpoint can be joined", path.display());
    let (mut input, old, _) = open(path)?;
    ensure!(old.tuples() == tables.shape().tuples(), "{} has different tuples", path.display());
    read_weights(&mut input, &old, tables, from, factor)
}

type Input = BufReader<zstd::Decoder<'static, BufReader<File>>>;

/// A checkpoint up to its weights: its shape and its counters.
fn open(path: &Path) -> Result<(Input, Shape, Progress)> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let mut input = BufReader::with_capacity(1 << 20, zstd::Decoder::new(file)?);
    let no_checkpoint = || format!("{} is no checkpoint and no network", name());
    ensure!(&array::<8>(&mut input).with_context(no_checkpoint)? == MAGIC, no_checkpoint());
    let [tuples, stages] = array(&mut input)?;
    ensure!(stages > 0, "{} has no stages", name());
    let tuples: Vec<u16> = (0..tuples).map(|_| Ok(u16::from_le_bytes(array(&mut input)?))).collect::<Result<_>>()?;
    let bounds: Vec<u32> = (1..stages).map(|_| Ok(u32::from_le_bytes(array(&mut input)?))).collect::<Result<_>>()?;
    let progress = Progress {
        games: u64::from_le_bytes(array(&mut input)?),
        moves: u64::from_le_bytes(array(&mut input)?),
        seconds: f64::from_le_bytes(array(&mut input)?),
    };
    Ok((input, Shape::new(&tuples, &bounds)?, progress))
}

/// The weights of a checkpoint of shape `old`, multiplied by `factor`, into those stages of `tables` that begin at `from`
/// or above.
fn read_weights(input: &mut Input, old: &Shape, tables: &Tables, from: u32, factor: f32) -> Result<()> {
    let shape = tables.shape();
    for stage in 0..old.stages() {
        let mut heirs = heirs(shape, old, stage);
        heirs.retain(|&heir| first_sum(shape, heir) >= from);
        for position in 0..old.stage_len() {
            let bytes: [u8; 12] = array(input)?;
            let (floats, _) = bytes.as_chunks::<4>();
            let weight = [floats[0], floats[1], floats[2]].map(|bytes| factor * f32::from_le_bytes(bytes));
            for &heir in &heirs {
                let heir = tables.stage(heir).at(position);
                // Untouched pages of new memory are zero already, and stay untouched.
                if heir.get() != weight {
                    heir.set(weight);
                }
            }
        }
    }
    Ok(())
}

/// The sum at which a stage begins.
fn first_sum(shape: &Shape, stage: usize) -> u32 {
    if stage == 0 { 0 } else { shape.bounds()[stage - 1] }
}

/// The stages of `shape` that were a part of stage `stage` of `old`: a stage begins at its lower bound, and that sum lay
/// in one stage of the old network.
fn heirs(shape: &Shape, old: &Shape, stage: usize) -> Vec<usize> {
    (0..shape.stages()).filter(|&heir| old.stage(first_sum(shape, heir)) == stage).collect()
}

/// The weights of a network, divided into stages, with nothing known of how sure they are.
pub fn unpacked(network: &Network, bounds: Option<&[u32]>) -> Result<Tables> {
    let old = network.shape();
    let tables = Tables::zero(Shape::new(&old.tuples(), bounds.unwrap_or(old.bounds()))?)?;
    for stage in 0..old.stages() {
        let heirs = heirs(tables.shape(), old, stage);
        for tuple in 0..old.tuples().len() {
            for index in 0..old.tuple_len(tuple) {
                let weight = network.weight(stage, tuple, index);
                for &heir in heirs.iter().filter(|_| weight != 0.0) {
                    tables.stage(heir).at(old.tuple_start(tuple) + index).set([weight, 0.0, 0.0]);
                }
            }
        }
    }
    Ok(tables)
}

fn array<const N: usize>(input: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).context("the checkpoint ends too early")?;
    Ok(bytes)
}
