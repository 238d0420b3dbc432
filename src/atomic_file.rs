//! Files that are written whole or not at all.
//!
//! The new text goes to a file of its own beside the old one, and takes its place when it is complete and on the disk.
//! So a kill, a full disk or a loss of power at any moment leaves the old file or the new one, never a part of it.
//!
//! The file keeps its permissions and its owner, and a link is followed. What is no ordinary file (`/dev/stdout`, a
//! pipe) is written to directly, as is a file in a folder that takes no new ones.

use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that has its name only once [`finish`](Self::finish) has succeeded; if it is dropped before, the old file is
/// as it was.
///
/// ```
/// use std::io::Write;
/// use estr2048::atomic_file::AtomicFile;
///
/// # let path = std::env::temp_dir().join(format!("estr2048-doc-{}", std::process::id()));
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"2 0 4\n")?;
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"2 0 4\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    /// The name that the file has, and the one that it will have; `None` if it is written to directly.
    names: Option<Names>,
}

#[derive(Debug)]
struct Names {
    now: PathBuf,
    then: PathBuf,
}

/// Takes the file's present name away with itself: it is another one's by then, or was never wanted.
impl Drop for Names {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.now);
    }
}

impl AtomicFile {
    /// A file that is to have this name.
    ///
    /// # Errors
    /// If the file may not be written, its folder does not exist, or it is a folder itself.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_new(path)? {
            return Self::beside(path);
        }
        // Opening it tells whether it may be written, and makes the file that a link without one points to.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        let old = file.metadata()?;
        if !old.is_file() {
            return Ok(Self { file, names: None });
        }
        let Ok(new) = Self::beside(&fs::canonicalize(path)?) else {
            file.set_len(0)?;
            return Ok(Self { file, names: None });
        };
        keep_owner(&new.file, &old);
        new.file.set_permissions(old.permissions())?;
        Ok(new)
    }

    /// A new file in the same folder, with the usual permissions and a name that nobody has.
    fn beside(path: &Path) -> io::Result<Self> {
        if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            let why = "this is the name of a folder that does not exist, not of a file";
            return Err(io::Error::new(io::ErrorKind::InvalidFilename, why));
        }
        let folder = folder_of(path);
        loop {
            let chance = RandomState::new().hash_one(path);
            let now = folder.join(format!(".estr2048-{}-{chance:016x}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&now) {
                Ok(file) => return Ok(Self { file, names: Some(Names { now, then: path.into() }) }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends the file to the disk and gives it its name.
    ///
    /// # Errors
    /// If the disk is full, or the folder has changed; the old file is as it was then.
    pub fn finish(self) -> io::Result<()> {
        let Self { file, names } = self;
        let Some(names) = names else { return Ok(()) };
        file.sync_all()?;
        drop(file);
        fs::rename(&names.now, &names.then)?;
        // The new name, too. Not every system lets a folder be opened, and the file itself is safe.
        let _ = File::open(folder_of(&names.then)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file.
///
/// # Errors
/// If it cannot be written; the old file is as it was then.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Tells before long work what [`write()`] would complain about after it. Nothing is changed.
///
/// # Errors
/// If the file could not be written.
pub fn check(path: &Path) -> io::Result<()> {
    if is_new(path)? {
        AtomicFile::beside(path)?;
        return Ok(());
    }
    match fs::metadata(path) {
        // A link to a file that is yet to be made.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let target = folder_of(path).join(fs::read_link(path)?);
            check(&target)
                .map_err(|error| io::Error::new(error.kind(), format!("it is a link to {}: {error}", target.display())))
        }
        Err(error) => Err(error),
        Ok(found) if found.is_file() || found.is_dir() => OpenOptions::new().write(true).open(path).map(drop),
        Ok(_) => Ok(()),
    }
}

/// Whether nothing has this name yet, not even a link.
fn is_new(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        found => found.map(|_| false),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Only the system's administrator can give a file away; everybody else's files are their own already.
fn keep_owner(new: &File, old: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    #[cfg(not(unix))]
    let _ = (new, old);
}
