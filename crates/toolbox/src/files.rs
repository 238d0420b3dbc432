//! Files of boards and moves: read with a limit, written whole or not at all.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use estr2048::atomic_file;

use crate::ensure_use;

/// No board comes near this many bytes, and a record of this many moves would take a year to play.
const LARGEST: u64 = 16 << 20;

/// All bytes of a file of reasonable size.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_at_most(path, LARGEST)
}

/// All bytes of a file that is no larger than this.
pub fn read_at_most(path: &Path, largest: u64) -> anyhow::Result<Vec<u8>> {
    refuse_named_pipe(path, "open")?;
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let read = file.take(largest.saturating_add(1)).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > largest {
        bail!("{} is larger than {} MiB: it is not a file of this game", path.display(), largest >> 20);
    }
    Ok(bytes)
}

/// Complains about what would be waited for without a word if it was opened.
pub fn check_readable(path: &Path) -> anyhow::Result<()> {
    refuse_named_pipe(path, "open")
}

/// Writes a whole file or none of it; see [`atomic_file`].
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    refuse_named_pipe(path, "save to")?;
    atomic_file::write(path, content).with_context(|| format!("cannot save to {}", path.display()))
}

/// Tells before a long game what [`write()`] would complain about after it. Nothing is changed.
pub fn check_writable(path: &Path) -> anyhow::Result<()> {
    refuse_named_pipe(path, "save to")?;
    atomic_file::check(path).with_context(|| format!("cannot save to {}", path.display()))
}

/// The same for all files that a command is to write, none of which may be another one of them.
pub fn check_outputs<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let mut earlier: Vec<&PathBuf> = Vec::new();
    for path in paths {
        check_writable(path)?;
        let twice = earlier.iter().any(|&known| known == path || are_one(known, path));
        ensure_use!(!twice, "{} is named twice: each output needs a file of its own", path.display());
        earlier.push(path);
    }
    Ok(())
}

/// Complains about an output that would replace the work of hours: only what goes on from it may, or `force`.
pub fn check_kept(out: &Path, resume: Option<&PathBuf>, force: bool) -> anyhow::Result<()> {
    ensure_use!(
        force || !out.exists() || resume.is_some_and(|from| are_one(from, out)),
        "{0} exists: --resume {0} goes on with it, --force replaces it",
        out.display()
    );
    Ok(())
}

/// Whether both names lead to the same file, which need not be there yet.
#[must_use]
pub fn are_one(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        })
    };
    matches!((whole(a), whole(b)), (Some(a), Some(b)) if a == b)
}

/// Whoever opens a pipe with a name waits, without a word, for somebody at its other end. A shell's own pipe
/// (`/dev/stdout`, `<(command)`) has somebody there, and no name.
#[cfg(unix)]
fn refuse_named_pipe(path: &Path, verb: &str) -> anyhow::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    if fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) && fs::canonicalize(path).is_ok() {
        bail!("cannot {verb} {}: it is a named pipe (FIFO), not a file", path.display());
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_named_pipe(_: &Path, _: &str) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_a_file_that_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("x"), folder.path().join(".").join("x"));
        assert!(are_one(&one, &other) && !are_one(&one, &folder.path().join("y")));
        assert!(check_outputs([&one, &other]).is_err());
    }

    #[test]
    fn what_cannot_be_a_file_of_the_game() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).is_err());
        assert!(write(folder.path(), "text").is_err());
        assert!(write(&folder.path().join("no/such/folder"), "text").is_err());
        let large = folder.path().join("large");
        File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(read(&large).unwrap_err().to_string().contains("larger than 16 MiB"));
    }
}
