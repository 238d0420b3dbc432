//! A network in training on disk: a Zstandard stream of the magic, the shape (with the sum from which on it sees the largest
//! tiles alike, 0 for never, which is missing where the magic ends with 1), the counters, and for every stage its weights
//! with the sums of temporal coherence learning, three 32-bit floats each, little endian.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use estr2048::atomic_file::AtomicFile;
use estr2048::network::{Network, SCATTERED, Shape};
use estr2048_toolbox::files;

use crate::tables::Tables;

const MAGIC: &[u8; 8] = b"ESTRCKP2";
const MAGIC_WITHOUT_WALLS: &[u8; 8] = b"ESTRCKP1";

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
    out.write_all(&shape.walls_from().unwrap_or(0).to_le_bytes())?;
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

/// How a network is divided when it is read.
#[derive(Clone, Debug, Default)]
pub struct Division {
    /// Its stages from now on: each begins with the weights of the stage that it was a part of. `None`: as they were.
    pub bounds: Option<Vec<u32>>,
    /// The sum from which on it sees the largest tiles alike. A stage that did not, or no longer does, begins with
    /// weights of 0. `None`: as it did.
    pub walls_from: Option<u32>,
}

impl Division {
    fn of(&self, old: &Shape) -> Result<Shape> {
        let shape = Shape::new(&old.tuples(), self.bounds.as_deref().unwrap_or(old.bounds()))?;
        Ok(shape.with_walls_from(self.walls_from.or(old.walls_from()))?)
    }
}

/// Reads a checkpoint, or a packed network as a training that has just begun, into these stages.
pub fn load(path: &Path, division: &Division) -> Result<(Tables, Progress)> {
    if is_packed(path)? {
        let network = estr2048::network::weights::load(path)?;
        let old = network.shape();
        let tables = Tables::zero(division.of(old)?)?;
        inherit_network(&tables, &network, 0, 1.0)?;
        return Ok((tables, Progress::default()));
    }
    let (mut input, old, progress) = open(path)?;
    let tables = Tables::zero(division.of(&old)?)?;
    read_weights(&mut input, &old, &tables, 0, 1.0)?;
    Ok((tables, progress))
}

/// Reads of a checkpoint only what serves the sums from `from` to below `to`. Below `from` all weights are 0.
pub fn load_part(path: &Path, from: u32, to: u32) -> Result<Tables> {
    let (mut input, old, _) = open(path)?;
    let inner = old.bounds().iter().copied().filter(|&bound| from < bound && bound < to);
    let bounds: Vec<u32> = (from > 0).then_some(from).into_iter().chain(inner).collect();
    let walls_from = old.walls_from().map(|first| first.max(from)).filter(|&first| first < to.min(SCATTERED));
    let tables = Tables::zero(Shape::new(&old.tuples(), &bounds)?.with_walls_from(walls_from)?)?;
    read_weights(&mut input, &old, &tables, from, 1.0)?;
    Ok(tables)
}

/// One training from several that began with the same network: the mean of their weights, and all that they learned from
/// as the sums of temporal coherence learning and as counters. A value is a sum of weights, so that of the mean is the mean
/// of theirs.
///
/// # Errors
/// If a file cannot be read, is no checkpoint, or has other tuples or stages than the first.
pub fn mean(paths: &[PathBuf]) -> Result<(Tables, Progress)> {
    let (first, others) = paths.split_first().context("there is no checkpoint to take the mean of")?;
    for path in paths {
        ensure!(!is_packed(path)?, "{} is a packed network: the mean is that of checkpoints", path.display());
    }
    let (mut input, shape, mut progress) = open(first)?;
    let tables = Tables::zero(shape)?;
    read_weights(&mut input, tables.shape(), &tables, 0, 1.0)?;
    for path in others {
        let (mut input, shape, Progress { games, moves, seconds }) = open(path)?;
        let same = shape == *tables.shape();
        ensure!(same, "{} has other tuples or stages than {}", path.display(), first.display());
        for weight in tables.weights().iter() {
            let (so_far, more) = (weight.get(), read_weight(&mut input)?);
            weight.change(std::array::from_fn(|part| so_far[part] + more[part]));
        }
        progress.games += games;
        progress.moves += moves;
        progress.seconds += seconds;
    }
    let share = 1.0 / paths.len() as f32;
    for weight in tables.weights().iter() {
        let [values, errors, magnitudes] = weight.get();
        weight.change([values * share, errors, magnitudes]);
    }
    Ok((tables, progress))
}

/// Replaces the stages of `tables` that begin at `from` or above by what a checkpoint or a packed network of the same
/// tuples holds for them, with the sums of temporal coherence learning of a checkpoint, all multiplied by `factor`.
pub fn join(tables: &Tables, path: &Path, from: u32, factor: f32) -> Result<()> {
    let fits = |old: &Shape| {
        let shape = tables.shape();
        ensure!(old.tuples() == shape.tuples(), "{} has different tuples", path.display());
        let differ = |&sum: &u32| sum >= from && old.has_walls(sum) != shape.has_walls(sum);
        if let Some(sum) = shape.bounds().iter().copied().find(differ) {
            bail!("of {} and the network, one alone sees the largest tiles alike from {sum} on", path.display());
        }
        Ok(())
    };
    if is_packed(path)? {
        let network = estr2048::network::weights::load(path)?;
        fits(network.shape())?;
        return inherit_network(tables, &network, from, factor);
    }
    let (mut input, old, _) = open(path)?;
    fits(&old)?;
    read_weights(&mut input, &old, tables, from, factor)
}

type Input = BufReader<zstd::Decoder<'static, BufReader<File>>>;

/// A checkpoint up to its weights: its shape and its counters.
fn open(path: &Path) -> Result<(Input, Shape, Progress)> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let mut input = BufReader::with_capacity(1 << 20, zstd::Decoder::new(file)?);
    let no_checkpoint = || format!("{} is no checkpoint and no network", name());
    let magic = &array::<8>(&mut input).with_context(no_checkpoint)?;
    ensure!(magic == MAGIC || magic == MAGIC_WITHOUT_WALLS, no_checkpoint());
    let [tuples, stages] = array(&mut input)?;
    ensure!(stages > 0, "{} has no stages", name());
    let tuples: Vec<u16> = (0..tuples).map(|_| Ok(u16::from_le_bytes(array(&mut input)?))).collect::<Result<_>>()?;
    let bounds: Vec<u32> = (1..stages).map(|_| Ok(u32::from_le_bytes(array(&mut input)?))).collect::<Result<_>>()?;
    let walls_from = if magic == MAGIC { u32::from_le_bytes(array(&mut input)?) } else { 0 };
    let progress = Progress {
        games: u64::from_le_bytes(array(&mut input)?),
        moves: u64::from_le_bytes(array(&mut input)?),
        seconds: f64::from_le_bytes(array(&mut input)?),
    };
    let shape = Shape::new(&tuples, &bounds)?.with_walls_from((walls_from > 0).then_some(walls_from))?;
    Ok((input, shape, progress))
}

/// The weights of a checkpoint of shape `old`, multiplied by `factor`, into those stages of `tables` that begin at `from`
/// or above.
fn read_weights(input: &mut Input, old: &Shape, tables: &Tables, from: u32, factor: f32) -> Result<()> {
    for stage in 0..old.stages() {
        let weights = (0..old.stage_len()).map(|_| Ok(read_weight(input)?.map(|part| factor * part)));
        inherit(tables, old, stage, from, weights)?;
    }
    Ok(())
}

/// Value, sum of errors, sum of magnitudes.
fn read_weight(input: &mut Input) -> Result<[f32; 3]> {
    let bytes: [u8; 12] = array(input)?;
    let (floats, _) = bytes.as_chunks::<4>();
    Ok([floats[0], floats[1], floats[2]].map(f32::from_le_bytes))
}

/// The same for a packed network, with nothing known of how sure its weights are.
fn inherit_network(tables: &Tables, network: &Network, from: u32, factor: f32) -> Result<()> {
    let old = network.shape();
    for stage in 0..old.stages() {
        let weights = network.weights(stage).into_iter().map(|value| Ok([factor * value, 0.0, 0.0]));
        inherit(tables, old, stage, from, weights)?;
    }
    Ok(())
}

/// Gives the weights of a stage of a network of shape `old` to those stages of `tables` that were a part of it and
/// begin at `from` or above.
fn inherit(
    tables: &Tables,
    old: &Shape,
    stage: usize,
    from: u32,
    weights: impl Iterator<Item = Result<[f32; 3]>>,
) -> Result<()> {
    let shape = tables.shape();
    let mut heirs = heirs(shape, old, stage);
    heirs.retain(|&heir| first_sum(shape, heir) >= from);
    for (position, weight) in weights.enumerate() {
        let weight = weight?;
        for &heir in &heirs {
            tables.stage(heir).at(position).change(weight);
        }
    }
    Ok(())
}

/// The sum at which a stage begins.
fn first_sum(shape: &Shape, stage: usize) -> u32 {
    if stage == 0 { 0 } else { shape.bounds()[stage - 1] }
}

/// The stages of `shape` that were a part of stage `stage` of `old`, and see boards as it did: a stage begins at its lower
/// bound, and that sum lay in one stage of the old network.
fn heirs(shape: &Shape, old: &Shape, stage: usize) -> Vec<usize> {
    let is_heir = |sum: u32| old.stage(sum) == stage && old.has_walls(sum) == shape.has_walls(sum);
    (0..shape.stages()).filter(|&heir| is_heir(first_sum(shape, heir))).collect()
}

fn array<const N: usize>(input: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).context("the checkpoint ends too early")?;
    Ok(bytes)
}
