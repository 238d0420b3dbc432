//! Tablebases on disk: a Zstandard stream of the magic, the number of boards (64 bits), and for every board its packed cells
//! (64 bits), the best move and its chance (a byte each), little endian.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file::AtomicFile;
use estr2048::network::tablebase::Entry;
use estr2048::network::{Network, Tablebase, known};
use estr2048::{Bitboard, Direction};
use estr2048_toolbox::files;

use crate::worker;

const MAGIC: &[u8; 8] = b"ESTRTAB1";

/// Bytes of a board and its move.
const ENTRY: usize = 10;

/// Writes a tablebase; a file of that name is replaced only when the new one is complete.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, entries: &[Entry]) -> Result<()> {
    let name = || path.display().to_string();
    let write = || {
        let mut packer = zstd::Encoder::new(AtomicFile::create(path)?, 9)?;
        packer.include_checksum(true)?;
        let mut out = BufWriter::with_capacity(1 << 20, packer);
        out.write_all(MAGIC)?;
        out.write_all(&(entries.len() as u64).to_le_bytes())?;
        for Entry { board, direction, chance } in entries {
            out.write_all(&board.to_le_bytes())?;
            out.write_all(&[*direction as u8, *chance])?;
        }
        let packed = out.into_inner().map_err(|error| error.into_error())?;
        packed.finish().and_then(AtomicFile::finish)
    };
    write().with_context(name)
}

/// Reads tablebases: of a board that several hold, the first one's move counts. A file may be a packed network that has one.
///
/// # Errors
/// If a file cannot be read or holds none, or they hold more boards than a network may.
pub fn read(paths: &[PathBuf]) -> Result<Tablebase> {
    let mut entries = Vec::new();
    for path in paths {
        files::check_readable(path)?;
        entries.extend(entries_of(path)?);
    }
    Tablebase::new(&entries)
        .with_context(|| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))
}

/// The boards of a tablebase, as ends of games.
#[derive(Debug)]
pub struct Ends {
    tablebase: Tablebase,
    /// The sums of all tiles at which games end.
    sums: RangeInclusive<u32>,
    /// A game ends on an afterstate with at least this chance.
    enough: f32,
}

impl Ends {
    /// Games end at the first of these sums at which they come to an afterstate with a chance of `enough`, and are lost behind
    /// them.
    #[must_use]
    pub fn new(tablebase: Tablebase, sums: RangeInclusive<u32>, enough: f32) -> Self {
        Self { tablebase, sums, enough }
    }
}

impl worker::Ends for Ends {
    /// A board with a 65536 is seen some sizes smaller, at the sum that it has then.
    fn chance(&self, after: Bitboard, sum: u32) -> Option<f32> {
        let (_, sum) = known(after, sum, None);
        worker::chance_at(&self.sums, sum, || self.tablebase.after(after, self.enough))
    }
}

fn entries_of(path: &Path) -> Result<Vec<Entry>> {
    let name = || path.display().to_string();
    let other = || format!("{} is no tablebase, which `estr2048 lab tablebase` makes, or was damaged", name());
    let file = File::open(path).with_context(name)?;
    let mut input = BufReader::with_capacity(1 << 20, zstd::Decoder::new(file)?);
    let mut start = [[0; 8]; 2];
    if input.read_exact(start.as_flattened_mut()).is_err() || start[0] != *MAGIC {
        let network = Network::decode(&std::fs::read(path).with_context(name)?).ok();
        let tablebase = network.as_ref().and_then(Network::tablebase);
        return Ok(tablebase.with_context(other)?.entries().collect());
    }
    let mut entries = Vec::new();
    for _ in 0..u64::from_le_bytes(start[1]) {
        let mut entry = [0; ENTRY];
        input.read_exact(&mut entry).with_context(other)?;
        let [board @ .., direction, chance] = entry;
        let direction = Direction::from_number(direction.into()).with_context(other)?;
        entries.push(Entry { board: u64::from_le_bytes(board), direction, chance });
    }
    ensure!(input.read(&mut [0]).with_context(other)? == 0, other());
    Ok(entries)
}
