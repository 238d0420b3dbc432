//! Files that are there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file so that a reader sees the old one or the new one, never half of it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist(path).with_context(|| path.display().to_string())?;
    Ok(())
}
