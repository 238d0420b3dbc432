//! Files of boards and moves: read with a limit, written whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// No board comes near this many bytes, and a record of this many moves would take a year to play.
const LARGEST: u64 = 16 << 20;

/// All bytes of a file of reasonable size.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > LARGEST {
        bail!("{} is larger than {} MiB: it is not a file of this game", path.display(), LARGEST >> 20);
    }
    Ok(bytes)
}

/// Writes a whole file by way of a new one beside it, so that a kill at any moment leaves the old file or the new.
///
/// The file keeps its permissions, a link is followed, and what is no ordinary file (`/dev/stdout`) is written to
/// directly, as is a file in a folder that takes no new ones.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    replace(path, text).with_context(|| format!("cannot save to {}", path.display()))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    if is_new(path)? {
        let mut new = new_file_beside(path)?;
        new.write_all(text.as_bytes())?;
        new.persist(path).map_err(|error| error.error)?;
        return Ok(());
    }
    // Opening it tells whether it may be written, and makes the file that a link without one points to.
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let old = file.metadata()?;
    if !old.is_file() {
        return file.write_all(text.as_bytes());
    }
    let target = fs::canonicalize(path)?;
    let Ok(mut new) = new_file_beside(&target) else {
        return fs::write(target, text);
    };
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(old.permissions())?;
    new.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Whether nothing has this name yet, not even a link.
fn is_new(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        found => found.map(|_| false),
    }
}

/// A file that goes away unless it is given a name, with the usual permissions of a new file.
fn new_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new =
        tempfile::Builder::new().prefix(".estr2048-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder);
    // The kind alone: a name that nobody has chosen only confuses.
    new.map_err(|error| error.kind().into())
}

/// Tells before a long game what [`write`] would complain about after it. Nothing is changed.
pub fn check_writable(path: &Path) -> anyhow::Result<()> {
    let check = || -> io::Result<()> {
        if is_new(path)? {
            new_file_beside(path)?;
        } else if fs::metadata(path).is_ok_and(|found| found.is_file() || found.is_dir()) {
            OpenOptions::new().write(true).open(path)?;
        }
        Ok(())
    };
    check().with_context(|| format!("cannot save to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board");
        write(&path, "old and longer").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("board"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        write(Path::new("/dev/null"), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        fs::remove_file(&path).unwrap();
        write(&link, "anew").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"anew");
    }

    #[test]
    fn a_new_file_has_the_usual_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, usual) = (folder.path().join("ours"), folder.path().join("usual"));
        write(&ours, "text").unwrap();
        fs::write(&usual, "text").unwrap();
        assert_eq!(fs::metadata(ours).unwrap().permissions(), fs::metadata(usual).unwrap().permissions());
    }

    #[test]
    fn a_check_changes_nothing_and_finds_what_writing_would_find() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old"), "old").unwrap();
        std::os::unix::fs::symlink(path("nowhere"), path("link")).unwrap();
        for name in ["old", "new", "link", "/dev/null", "/dev/stdout"] {
            check_writable(&path(name)).unwrap();
        }
        for name in ["", "no/such/folder", "new/", "old/below", &"long".repeat(100)] {
            let problem = check_writable(&path(name)).unwrap_err();
            assert!(problem.to_string().starts_with("cannot save to"), "{name}");
            assert!(write(&path(name), "text").is_err(), "{name}");
        }
        assert_eq!(fs::read(path("old")).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
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
