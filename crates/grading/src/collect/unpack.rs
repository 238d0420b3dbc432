//! Opens zips that strangers made: bounded in size, number and depth, and never outside of its folder.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rustix::io::Errno;

use super::names::shown;

/// What may still be unpacked. Zips inside a zip draw on the budget of the outermost one.
#[derive(Clone, Debug)]
pub struct Budget {
    pub bytes: u64,
    pub entries: usize,
    /// Whether zips inside are the hand-ins of different students.
    class: bool,
}

impl Budget {
    pub const STUDENT_BYTES: u64 = 50 << 20;

    /// For what one student handed in.
    pub const fn student() -> Self {
        Self { bytes: Self::STUDENT_BYTES, entries: 500, class: false }
    }

    /// C source shrinks to a fifth or a tenth; a bomb to a thousandth.
    const GROWTH: u64 = 20;

    /// For a whole class in one zip of `size` bytes.
    pub const fn class(size: u64) -> Self {
        const COMMON: u64 = 2 << 30;
        Self { bytes: COMMON + size.saturating_mul(Self::GROWTH), entries: 100_000, class: true }
    }

    /// The part of it for a zip of `size` bytes inside: all that is left, or in a class what its own size earns, so that
    /// nobody's zips use up the others' room.
    pub fn share(&self, size: u64) -> Self {
        const ANYBODYS: u64 = 4 << 20;
        let student = Self::student();
        if !self.class {
            return self.clone();
        }
        let earned = (ANYBODYS + size.saturating_mul(Self::GROWTH)).min(student.bytes);
        Self { bytes: self.bytes.min(earned), entries: self.entries.min(student.entries), class: false }
    }

    /// What one entry of this packed size may have: in a class as much as it earns, so that none takes everybody's room.
    fn entry(&self, packed: u64) -> u64 {
        if self.class { self.share(packed).bytes } else { self.bytes }
    }

    /// Takes off what was used of a share.
    pub fn take(&mut self, share: &Self, left: &Self) {
        self.bytes -= share.bytes - left.bytes;
        self.entries -= share.entries - left.entries;
    }
}

/// Folders that may lie in each other inside a zip.
const DEEPEST: usize = 20;

/// Unpacks a zip into `folder`, and says in words which entries were left out. Files for which `keep` is false become
/// empty files: their names count, their contents do not.
///
/// # Errors
/// For an entry that leads outside the folder, two entries of one name, and more than the budget allows.
pub fn unpack(zip: &Path, folder: &Path, budget: &mut Budget, keep: &dyn Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut archive = zip::ZipArchive::new(fs::File::open(zip)?).context("this is not a zip file")?;
    let most = budget.entries;
    ensure!(archive.len() <= most, "it has {} entries; at most {most} are allowed", archive.len());
    budget.entries -= archive.len();
    let allowed = budget.bytes;
    fs::create_dir_all(folder)?;
    let mut notes = Vec::new();
    for index in 0..archive.len() {
        let mut entry =
            archive.by_index(index).context("an entry cannot be read (a password? another method than deflate?)")?;
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        let words = shown(&name);
        let plain = name.replace('\\', "/");
        let drive = matches!(plain.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
        let parts: Vec<&str> = plain.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let leaves = plain.starts_with('/') || drive || parts.contains(&"..") || plain.contains('\0');
        ensure!(!leaves, "its entry \"{words}\" leads outside the zip");
        if parts.iter().any(|part| *part == "__MACOSX" || part.starts_with("._") || *part == ".DS_Store") {
            continue;
        }
        if entry.is_symlink() {
            notes.push(format!("its entry \"{words}\" is a link and was left out; hand in the file itself"));
            continue;
        }
        if parts.is_empty() || parts.len() > DEEPEST || parts.iter().any(|part| part.len() > 200) {
            notes.push(format!("its entry \"{words}\" was left out: the name is too long or its folders lie too deep"));
            continue;
        }
        if plain.contains(':') {
            notes.push(format!("its entry \"{words}\" has a colon in its name, which was taken as _"));
        }
        let target = folder.join(parts.join("/").replace(':', "_"));
        if entry.is_dir() || plain.ends_with('/') {
            fs::create_dir_all(&target).with_context(|| format!("its entry \"{words}\" is no folder"))?;
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).with_context(|| format!("its entry \"{words}\" lies in a file"))?;
        }
        ensure!(!target.exists(), "it holds \"{words}\" twice");
        let mut bytes = Vec::new();
        if keep(parts.last().unwrap_or(&"")) {
            let most = budget.entry(entry.compressed_size());
            (&mut entry)
                .take(most + 1)
                .read_to_end(&mut bytes)
                .with_context(|| format!("its entry \"{words}\" is damaged"))?;
            if bytes.len() as u64 > most && budget.class && most < budget.bytes {
                notes.push(format!("its entry \"{words}\" was left out: it unpacks to more than {} MB", most >> 20));
                continue;
            }
            if bytes.len() as u64 > most {
                bail!("it unpacks to more than allowed ({} MB are left for it)", allowed >> 20);
            }
            budget.bytes -= bytes.len() as u64;
        }
        fs::write(&target, bytes).with_context(|| format!("its entry \"{words}\" cannot be written"))?;
    }
    Ok(notes)
}

/// Whether an archive could not be opened for want of the machine's own disk or files, and not for what is in it.
pub fn is_own_trouble(error: &anyhow::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let own = |error: &io::Error| {
        matches!(
            error.kind(),
            FileTooLarge | NotFound | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull
        ) || matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::IO))
    };
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
    use zip::write::SimpleFileOptions;

    fn zip_of(folder: &Path, entries: &[(&str, &[u8])]) -> PathBuf {
        let path = folder.join("x.zip");
        let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        path
    }

    fn open(zip: &Path, folder: &Path) -> Result<Vec<String>> {
        unpack(zip, folder, &mut Budget::student(), &|_| true)
    }

    #[test]
    fn zips_that_lead_outside_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["../evil.c", "/etc/evil.c", "a/../../evil.c", "..\\evil.c", "C:\\evil.c"] {
            let zip = zip_of(folder.path(), &[(name, b"x")]);
            let error = open(&zip, &folder.path().join("out")).unwrap_err().to_string();
            assert!(error.contains("leads outside"), "{name}: {error}");
        }
        assert!(!folder.path().join("evil.c").exists());
    }

    #[test]
    fn bombs_are_refused_and_links_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let zip = zip_of(folder.path(), &[("bomb.c", &vec![0; 60 << 20])]);
        assert!(fs::metadata(&zip).unwrap().len() < 1 << 20);
        assert!(open(&zip, &folder.path().join("out")).unwrap_err().to_string().contains("more than"));
        let path = folder.path().join("link.zip");
        let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        zip.add_symlink("aiplayer_1.c", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        let out = folder.path().join("out2");
        assert!(open(&path, &out).unwrap()[0].contains("is a link"));
        assert!(!out.join("aiplayer_1.c").exists());
    }

    /// A file that swells keeps nobody else out of a class's zip, and takes no room.
    #[test]
    fn a_bomb_among_a_class_is_left_out_alone() {
        let folder = tempfile::tempdir().unwrap();
        let zip = zip_of(folder.path(), &[("aiplayer_1.c", &vec![0; 60 << 20]), ("aiplayer_2.c", b"int x;")]);
        let out = folder.path().join("out");
        let mut budget = Budget::class(fs::metadata(&zip).unwrap().len());
        let notes = unpack(&zip, &out, &mut budget, &|_| true).unwrap();
        assert!(notes[0].contains("aiplayer_1.c") && notes.len() == 1, "{notes:?}");
        assert!(!out.join("aiplayer_1.c").exists() && out.join("aiplayer_2.c").exists());
    }

    #[test]
    fn a_missing_folder_is_no_fault_of_the_zip() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_own_trouble(&open(&folder.path().join("gone.zip"), &folder.path().join("out")).unwrap_err()));
        let zip = zip_of(folder.path(), &[("../evil.c", b"x")]);
        assert!(!is_own_trouble(&open(&zip, &folder.path().join("out")).unwrap_err()));
        fs::write(&zip, "no zip").unwrap();
        assert!(!is_own_trouble(&open(&zip, &folder.path().join("out")).unwrap_err()));
    }

    #[test]
    fn a_colon_and_a_deep_folder_do_not_spoil_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let deep = "d/".repeat(3000) + "x.c";
        let zip = zip_of(folder.path(), &[("notes: mine.txt", b"x"), (&deep, b"x"), ("aiplayer_1.c", b"y")]);
        let out = folder.path().join("out");
        let notes = open(&zip, &out).unwrap();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(out.join("notes_ mine.txt").exists() && out.join("aiplayer_1.c").exists());
    }
}
