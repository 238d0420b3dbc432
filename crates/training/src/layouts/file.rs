//! Weights of layouts in training on disk: a Zstandard stream of the magic, the number of games and that of moves (64 bits
//! each), and for every weight of which anything was learned its key (32 bits), its value, and the sums of temporal
//! coherence learning (three 32-bit floats), little endian.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file::AtomicFile;
use estr2048::network::layout::KEY_BITS;
use estr2048_toolbox::files;

use super::weights::Weights;

const MAGIC: &[u8; 8] = b"ESTRLAY1";

/// Bytes of a weight with its key.
const ENTRY: usize = 16;

/// What was learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub games: u64,
    pub moves: u64,
}

/// Writes weights; a file of that name is replaced only when the new one is complete.
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, weights: &Weights, progress: Progress) -> Result<()> {
    let name = || path.display().to_string();
    let file = AtomicFile::create(path).with_context(name)?;
    let mut out = BufWriter::with_capacity(1 << 20, zstd::Encoder::new(file, 1)?);
    let mut write = |bytes: &[u8]| out.write_all(bytes).with_context(name);
    write(MAGIC)?;
    write(&progress.games.to_le_bytes())?;
    write(&progress.moves.to_le_bytes())?;
    for (key, weight) in weights.learned() {
        write(&key.to_le_bytes())?;
        for part in weight {
            write(&part.to_le_bytes())?;
        }
    }
    let packed = out.into_inner().map_err(|error| error.into_error()).with_context(name)?;
    packed.finish().and_then(AtomicFile::finish).with_context(name)
}

/// Adds what a file holds to `weights`: a share of every value, and the sums of temporal coherence learning as they are.
///
/// # Errors
/// If the file cannot be read or holds no such weights.
pub fn add(path: &Path, weights: &Weights, share: f32) -> Result<Progress> {
    files::check_readable(path)?;
    let name = || path.display().to_string();
    let other = || format!("{} holds no weights of layouts, or was damaged", name());
    let file = File::open(path).with_context(name)?;
    let mut input = BufReader::with_capacity(1 << 20, zstd::Decoder::new(file)?);
    let mut start = [[0; 8]; 3];
    input.read_exact(start.as_flattened_mut()).with_context(other)?;
    ensure!(start[0] == *MAGIC, other());
    let [games, moves] = [start[1], start[2]].map(u64::from_le_bytes);
    let mut entry = [[0; 4]; ENTRY / 4];
    loop {
        let bytes = entry.as_flattened_mut();
        match input.read(bytes).with_context(other)? {
            0 => return Ok(Progress { games, moves }),
            ENTRY => {}
            some => match input.read_exact(&mut bytes[some..]) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(error).with_context(other),
                rest => rest.with_context(name)?,
            },
        }
        let key = u32::from_le_bytes(entry[0]);
        ensure!(key >> KEY_BITS == 0, other());
        let [value, errors, magnitudes] = [entry[1], entry[2], entry[3]].map(f32::from_le_bytes);
        let [old, old_errors, old_magnitudes] = weights.get(key);
        weights.set(key, [old + share * value, old_errors + errors, old_magnitudes + magnitudes]);
    }
}
