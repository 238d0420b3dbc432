//! Files that are there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use estr2048::atomic_file;

/// Writes a file so that a reader sees the old one or the new one, never half of it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder)?;
    atomic_file::write(path, bytes).with_context(|| path.display().to_string())
}
