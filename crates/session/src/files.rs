//! Files that somebody has named: read with a limit, written whole or not at all.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::atomic_file;

/// No game comes near this many bytes.
const LARGEST: u64 = 16 << 20;

/// All bytes of a file of reasonable size.
///
/// # Errors
/// If it cannot be read, or is too large to be a game.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    estr2048_toolbox::files::check_readable(path)?;
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(bytes.len() as u64 <= LARGEST, "{} is larger than {} MiB: it is no game", path.display(), LARGEST >> 20);
    Ok(bytes)
}

/// Writes a file that somebody has named, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    atomic_file::write(path, text).with_context(|| format!("cannot save to {}", path.display()))
}
