//! Files of boards and moves: read with a limit, written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};

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
    // Opening it makes the file if there is none, with the usual permissions, and tells whether it may be written.
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let old = file.metadata()?;
    if !old.is_file() {
        return file.write_all(text.as_bytes());
    }
    let target = fs::canonicalize(path)?;
    let Some(Ok(mut new)) =
        target.parent().map(|folder| tempfile::Builder::new().prefix(".estr2048-").tempfile_in(folder))
    else {
        return fs::write(target, text);
    };
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(old.permissions())?;
    new.persist(target).map_err(|error| error.error)?;
    Ok(())
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

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;

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
