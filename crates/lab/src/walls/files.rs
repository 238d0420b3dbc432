//! Layers on disk, a file for each.
//!
//! Little endian: the magic, the number of walls, the part and the slack (one byte each), one byte 0, the sum of all
//! tiles but the walls (32 bits), the number of chances (64 bits); then the chances in 255ths, a byte each.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use estr2048::atomic_file::AtomicFile;

use super::family::Family;
use super::table::Table;

const MAGIC: &[u8; 8] = b"ESTRWAL1";

const HEADER_LEN: usize = 24;

const EXTENSION: &str = "walls";

/// The number of walls that a family may have.
pub const WALLS: std::ops::RangeInclusive<u32> = 8..=12;

/// The slack that a family may have.
pub const MOST_SLACK: u32 = 40;

/// The layers of one family in a folder.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    /// Where the files are.
    pub path: &'a Path,
    /// How they were made.
    pub family: Family,
}

impl<'a> Folder<'a> {
    /// The layers that are in a folder already.
    ///
    /// # Errors
    /// If there are none, or one is of another format.
    pub fn open(path: &'a Path) -> Result<Self> {
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == EXTENSION));
        files.sort();
        let first = files
            .first()
            .with_context(|| format!("{} holds no layers, which `estr2048 lab walls` makes", path.display()))?;
        Ok(Self { path, family: family_of(first)? })
    }

    /// The file for the layer of a part in which all tiles but the walls have this sum.
    pub fn file(&self, part: usize, sum: u32) -> PathBuf {
        self.path.join(format!("{}-{sum:03}.{EXTENSION}", self.family.parts()[part].name()))
    }

    fn header(&self, part: usize, sum: u32, chances: usize) -> Vec<u8> {
        let mut header = MAGIC.to_vec();
        header.extend([self.family.walls as u8, part as u8, self.family.slack as u8, 0]);
        header.extend(sum.to_le_bytes());
        header.extend((chances as u64).to_le_bytes());
        header
    }

    /// Complains about every layer in the folder that was made in another way.
    ///
    /// # Errors
    /// If there is one, or a file is of another format.
    pub fn check(&self) -> Result<()> {
        for (part, shape) in self.family.parts().iter().enumerate() {
            for sum in (shape.held..=shape.end()).step_by(2) {
                let file = self.file(part, sum);
                if file.exists() {
                    let found = family_of(&file)?;
                    ensure!(
                        found == self.family,
                        "{} was made with --walls {} and --slack {}: name another folder, or take these",
                        file.display(),
                        found.walls,
                        found.slack
                    );
                }
            }
        }
        Ok(())
    }

    /// Whether all layers of a part are there, down to this sum of all tiles but the walls.
    pub fn holds(&self, part: usize, lowest: u32) -> bool {
        let shape = &self.family.parts()[part];
        (shape.held.max(lowest)..=shape.end()).step_by(2).all(|sum| self.file(part, sum).exists())
    }

    /// The smallest sum of all tiles but the walls that a game may begin at: from the next sum on, all layers are
    /// there.
    ///
    /// # Errors
    /// If the layers do not reach down to the fill.
    pub fn lowest(&self) -> Result<u32> {
        let fill = self.family.points();
        let holds = |sum: &u32| (0..self.family.parts().len()).all(|part| self.holds(part, *sum));
        let lowest = (2..=fill).rev().step_by(2).take_while(holds).last();
        let lowest = lowest
            .with_context(|| format!("{} lacks layers, which `estr2048 lab walls` makes", self.path.display()))?;
        Ok(lowest - 2)
    }

    /// Writes a layer; a file of that name is replaced only when the new one is whole.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be written.
    pub fn save(&self, part: usize, sum: u32, chances: &[u8]) -> Result<()> {
        let path = self.file(part, sum);
        let write = || {
            let mut file = AtomicFile::create(&path)?;
            file.write_all(&self.header(part, sum, chances.len()))?;
            file.write_all(chances)?;
            file.finish()
        };
        write().with_context(|| path.display().to_string())
    }

    /// Reads a layer of a table of this part.
    ///
    /// # Errors
    /// If it is not there, damaged, or made in another way.
    pub fn load(&self, part: usize, sum: u32, table: &Table) -> Result<Vec<u8>> {
        let path = self.file(part, sum);
        let name = || path.display().to_string();
        let damaged = || format!("{} is damaged, or was made in another way", name());
        let size = table.size(sum - table.part.held);
        let mut file = File::open(&path).with_context(name)?;
        let mut header = [0; HEADER_LEN];
        read_whole(&mut file, &mut header).with_context(name)?.then_some(()).with_context(damaged)?;
        ensure!(header[..] == self.header(part, sum, size), damaged());
        let mut chances = Vec::with_capacity(size + 1);
        file.take(size as u64 + 1).read_to_end(&mut chances).with_context(name)?;
        ensure!(chances.len() == size, damaged());
        Ok(chances)
    }
}

fn read_whole(file: &mut File, bytes: &mut [u8]) -> std::io::Result<bool> {
    match file.read_exact(bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

/// How a layer was made.
fn family_of(path: &Path) -> Result<Family> {
    let name = || path.display().to_string();
    let mut header = [0; HEADER_LEN];
    let whole = File::open(path).and_then(|mut file| read_whole(&mut file, &mut header)).with_context(name)?;
    let family = Family { walls: header[8].into(), slack: header[10].into() };
    let fits = WALLS.contains(&family.walls) && family.slack <= MOST_SLACK;
    if !whole || !header.starts_with(MAGIC) || !fits {
        bail!("{} is no layer, or one of another format", name());
    }
    Ok(family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_come_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let family = Family { walls: 12, slack: 4 };
        let other = Family { slack: 6, ..family };
        let table = Table::new(family, family.parts()[2].clone());
        let layers = Folder { path: folder.path(), family };
        assert!(Folder::open(folder.path()).unwrap_err().to_string().contains("`estr2048 lab walls` makes"));
        let chances: Vec<u8> = (0..table.size(4)).map(|place| place as u8).collect();
        layers.save(2, 16, &chances).unwrap();
        assert_eq!(layers.load(2, 16, &table).unwrap(), chances);
        assert_eq!(Folder::open(folder.path()).unwrap().family, family);
        layers.check().unwrap();
        assert!(layers.holds(2, 20) == layers.file(2, 20).exists() && !layers.holds(2, 0));
        assert!(layers.load(2, 14, &table).is_err(), "it is not there");
        let error = Folder { path: folder.path(), family: other }.check().unwrap_err().to_string();
        assert!(error.contains("with --walls 12 and --slack 4: name another folder"), "{error}");

        let file = layers.file(2, 16);
        assert_eq!(file.file_name().unwrap(), "8-4-016.walls");
        let bytes = fs::read(&file).unwrap();
        fs::write(layers.file(2, 14), &bytes).unwrap();
        assert!(layers.load(2, 14, &table).is_err(), "another sum");
        for wrong in [&bytes[..5], &bytes[..HEADER_LEN], &bytes[..bytes.len() - 1], &[&bytes[..], b"1"].concat()] {
            fs::write(&file, wrong).unwrap();
            assert!(layers.load(2, 16, &table).is_err(), "{} bytes", wrong.len());
        }
        fs::write(&file, "no layer").unwrap();
        assert!(layers.check().unwrap_err().to_string().contains("8-4-016.walls is no layer"));
    }
}
