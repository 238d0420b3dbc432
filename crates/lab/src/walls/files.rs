//! Layers on disk, a file for each.
//!
//! Little endian: the magic, the number of walls, the slack, what is to be made (0: the smallest wall's tile a second time, 1: the
//! next wall, 2: half of it, 3: the other half) and the slack of the tables behind (one byte each), the sum of all other tiles
//! (32 bits), the number of chances (64 bits); then the chances in 255ths, a byte each, packed by Zstandard, some frames one
//! after the other.
//!
//! Of a table that is not whole, the last layer is there in 65535ths too (16 bits each; another magic, the rest the same).
//! Of a table that knows only some layouts, a text names them, one a line.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use estr2048::atomic_file::AtomicFile;
use estr2048_toolbox::files;
use rayon::prelude::*;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::family::{Family, Goal};
use super::layouts::{Layouts, Set};
use super::summary::{parse_picture, picture};
use super::table::Table;

const MAGIC: &[u8; 8] = b"ESTRWAL3";

const HEADER_LEN: usize = 24;

/// The file that an unfinished table goes on from.
const UNFINISHED: &str = "unfinished";

const UNFINISHED_MAGIC: &[u8; 8] = b"ESTRWALU";

/// The text that names the layouts, if they are not all.
const LAYOUTS: &str = "layouts";

/// Chances in a frame; the frames of a layer are packed on all threads.
const FRAME: usize = 1 << 23;

const EXTENSION: &str = "walls";

/// The number of walls that a family may have.
pub const WALLS: std::ops::RangeInclusive<u32> = 6..=12;

/// The slack that a family may have.
pub const MOST_SLACK: u32 = 128;

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
        let files = layers(path)?;
        let first = files
            .first()
            .with_context(|| format!("{} holds no layers, which `estr2048 lab walls` makes", path.display()))?;
        Ok(Self { path, family: family_of(first)? })
    }

    /// The file for the layer in which all tiles but the walls have this sum.
    pub fn file(&self, sum: u32) -> PathBuf {
        self.path.join(format!("{sum:03}.{EXTENSION}"))
    }

    fn header(&self, magic: &[u8; 8], sum: u32, chances: usize) -> Vec<u8> {
        let Family { walls, slack, goal } = self.family;
        let goal = match goal {
            Goal::Second => 0,
            Goal::Wall(_) => 1,
            Goal::Half(_) => 2,
            Goal::Halves(_) => 3,
        };
        let mut header = magic.to_vec();
        header.extend([walls as u8, slack as u8, goal, self.family.behind().unwrap_or(0) as u8]);
        header.extend(sum.to_le_bytes());
        header.extend((chances as u64).to_le_bytes());
        header
    }

    /// Complains about every layer in the folder that was made in another way.
    ///
    /// # Errors
    /// If there is one, or a file is of another format.
    pub fn check(&self) -> Result<()> {
        for file in layers(self.path)? {
            let found = family_of(&file)?;
            ensure!(
                found == self.family,
                "{} was made with --walls {} and --slack {}{}: name another folder, or take these",
                file.display(),
                found.walls,
                found.slack,
                made_upon(found)
            );
        }
        Ok(())
    }

    /// The layouts that the tables know.
    ///
    /// # Errors
    /// If the folder names them and that cannot be read.
    pub fn layouts(&self) -> Result<Layouts> {
        let Some((path, text)) = self.named()? else { return Ok(Layouts::new(self.family)) };
        let layouts = layouts_in(&text, self.family);
        layouts.with_context(|| {
            format!("{} is damaged: it has to name layouts of {}", path.display(), self.family.layout())
        })
    }

    /// The text that names the layouts, if there is one.
    fn named(&self) -> Result<Option<(PathBuf, String)>> {
        let path = self.path.join(LAYOUTS);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            text => Ok(Some((path.clone(), text.with_context(|| path.display().to_string())?))),
        }
    }

    /// Names the layouts of tables that are to be solved: `None` stands for all.
    ///
    /// # Errors
    /// If the folder has layers of others, or the file cannot be written.
    pub fn name_layouts(&self, some: Option<&Layouts>) -> Result<()> {
        let line = |set: &Set| picture(*set, "/") + "\n";
        let text = some.map(|layouts| layouts.sets().iter().map(line).collect::<String>());
        let named = self.named()?.map(|(_, text)| text);
        if named == text {
            return Ok(());
        }
        let is_new = named.is_none() && layers(self.path)?.is_empty();
        let path = self.path.display();
        ensure!(is_new, "{path} is for tables of other layouts: name another folder, or take these");
        files::write(&self.path.join(LAYOUTS), text.unwrap_or_default())
    }

    /// A table of these layouts, without layers.
    ///
    /// # Errors
    /// If the folder names its layouts and that cannot be read.
    pub fn table(&self) -> Result<Table> {
        Ok(Table::of_layouts(self.family, self.layouts()?))
    }

    fn sums(&self, lowest: u32) -> impl Iterator<Item = u32> {
        (lowest..=self.family.most()).step_by(2)
    }

    /// That all layers are there.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_whole(&self) -> Result<()> {
        ensure!(self.holds(0), self.lacks_layers());
        Ok(())
    }

    fn lacks_layers(&self) -> String {
        format!("{} lacks layers, which `estr2048 lab walls` makes", self.path.display())
    }

    /// Whether all layers are there, down to this sum.
    pub fn holds(&self, lowest: u32) -> bool {
        self.sums(lowest).all(|sum| self.file(sum).exists())
    }

    /// The smallest sum of all tiles but the walls that a game may begin at: from the next sum on, all layers are
    /// there.
    ///
    /// # Errors
    /// If the layers do not reach down from the sum at which the tile is due.
    pub fn lowest(&self) -> Result<u32> {
        let lowest = (2..=self.family.due()).rev().step_by(2).take_while(|&sum| self.holds(sum)).last();
        Ok(lowest.with_context(|| self.lacks_layers())? - 2)
    }

    /// Writes a layer; a file of that name is replaced only when the new one is whole.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be written.
    pub fn save(&self, sum: u32, chances: &[u8]) -> Result<()> {
        let frames = parts(chances).map(packed).collect();
        write(&self.file(sum), &self.header(MAGIC, sum, chances.len()), frames)
    }

    /// Keeps the last layer of an unfinished table so that it can be gone on from as if nothing had happened.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be written.
    pub fn leave(&self, sum: u32, chances: &[u16]) -> Result<()> {
        let frame =
            |chances: &[u16]| packed(&chances.iter().flat_map(|chance| chance.to_le_bytes()).collect::<Vec<_>>());
        let frames = parts(chances).map(frame).collect();
        write(&self.path.join(UNFINISHED), &self.header(UNFINISHED_MAGIC, sum, chances.len()), frames)
    }

    /// The layer that an unfinished table goes on from, if there is one and all layers above it are there.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub fn left(&self, table: &Table) -> Result<Option<(u32, Vec<u16>)>> {
        let path = self.path.join(UNFINISHED);
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.with_context(|| path.display().to_string())?,
        };
        let damaged =
            || format!("{} is damaged, or was made in another way: without it all is solved anew", path.display());
        let mut header = [0; HEADER_LEN];
        file.read_exact(&mut header).with_context(damaged)?;
        let sum = u32::from_le_bytes([12, 13, 14, 15].map(|place| header[place]));
        ensure!(sum <= self.family.most() && sum.is_multiple_of(2), damaged());
        let mut chances = vec![0_u16; table.size(sum)];
        ensure!(header[..] == self.header(UNFINISHED_MAGIC, sum, chances.len()), damaged());
        let read = || {
            let mut unpacked = zstd::Decoder::new(file)?;
            let mut bytes = vec![0; 2 * FRAME];
            for chances in chances.chunks_mut(FRAME) {
                let bytes = &mut bytes[..2 * chances.len()];
                unpacked.read_exact(bytes)?;
                let (pairs, _) = bytes.as_chunks();
                chances.iter_mut().zip(pairs).for_each(|(chance, &pair)| *chance = u16::from_le_bytes(pair));
            }
            unpacked.read(&mut bytes[..1])
        };
        ensure!(read().with_context(damaged)? == 0, damaged());
        Ok(self.holds(sum).then_some((sum, chances)))
    }

    /// Lets go of the layer that an unfinished table goes on from.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn finish(&self) -> Result<()> {
        let path = self.path.join(UNFINISHED);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed.with_context(|| path.display().to_string()),
        }
    }

    /// Reads a layer of so many chances.
    ///
    /// # Errors
    /// If it is not there, damaged, or made in another way.
    pub fn load(&self, sum: u32, size: usize) -> Result<Vec<u8>> {
        let path = self.file(sum);
        let name = || path.display().to_string();
        let damaged = || format!("{} is damaged, or was made in another way", name());
        let mut file = File::open(&path).with_context(name)?;
        let mut header = [0; HEADER_LEN];
        read_whole(&mut file, &mut header).with_context(name)?.then_some(()).with_context(damaged)?;
        ensure!(header[..] == self.header(MAGIC, sum, size), damaged());
        let mut chances = Vec::with_capacity(size + 1);
        let unpacked = zstd::Decoder::new(file).map(|decoder| decoder.take(size as u64 + 1));
        unpacked.and_then(|mut unpacked| unpacked.read_to_end(&mut chances)).with_context(damaged)?;
        ensure!(chances.len() == size, damaged());
        Ok(chances)
    }

    /// The folder of the tables behind these ones: there is one if they were solved so, and only then. The layers of both are
    /// checked.
    ///
    /// # Errors
    /// If one is named that is not behind these, or none where there has to be one, or layers are missing.
    pub fn behind(&self, path: Option<&'a Path>) -> Result<Option<Self>> {
        let tables = self.path.display();
        self.check()?;
        let behind = path.map(Folder::open).transpose()?;
        let Some(slack) = self.family.behind() else {
            ensure!(behind.is_none(), "{tables}: nothing is behind these tables");
            return Ok(None);
        };
        ensure!(
            behind.is_some_and(|behind| self.family.is_before(behind.family)),
            "{tables}: name the tables of {} that are behind these ones, with --slack {slack} (--behind)",
            match self.family.goal {
                Goal::Half(_) => format!("{} walls and --halves", self.family.walls),
                _ => format!("{} walls", self.family.walls + 1),
            }
        );
        if let Some(behind) = behind {
            behind.check()?;
            behind.check_whole()?;
        }
        Ok(behind)
    }

    /// A table that has those layers at hand that tables before it need.
    ///
    /// # Errors
    /// If one of them is not there, damaged, or made in another way.
    pub fn table_behind(&self, before: Family) -> Result<Table> {
        let mut table = self.table()?;
        // Two halves are combined a move later, when one 2 more lies there.
        let later = if before.has_half() { 2 } else { 0 };
        for sum in (0..=(before.slack + later).min(self.family.most())).step_by(2) {
            let chances = self.load(sum, table.size(sum))?;
            table.keep(sum, chances);
        }
        Ok(table)
    }
}

/// What tables were made upon, as a part of a sentence.
fn made_upon(family: Family) -> String {
    let halves = if family.has_half() { ", --halves" } else { "" };
    let tables = match family.goal {
        Goal::Half(_) => "tables with --halves and",
        _ => "tables with",
    };
    let upon = |slack: u32| format!("{halves}, upon {tables} --slack {slack} (--behind)");
    family.behind().map_or_else(String::new, upon)
}

/// The layouts that a text names, one a line. `None` if there are none, or of other walls.
pub fn layouts_in(text: &str, family: Family) -> Option<Layouts> {
    let set = |line: &str| parse_picture(line).ok().filter(|&set| family.has_layout(set));
    let sets: Vec<Set> = text.lines().map(set).collect::<Option<_>>()?;
    (!sets.is_empty()).then(|| Layouts::of_sets(family, sets))
}

fn write(path: &Path, header: &[u8], frames: std::io::Result<Vec<Vec<u8>>>) -> Result<()> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(header)?;
        frames?.iter().try_for_each(|frame| file.write_all(frame))?;
        file.finish()
    };
    write().with_context(|| path.display().to_string())
}

/// What goes into the frames: there is one even of no chances, as a file without a frame cannot be unpacked.
fn parts<T: Sync>(chances: &[T]) -> impl ParallelIterator<Item = &[T]> {
    let (first, others) = chances.split_at(chances.len().min(FRAME));
    rayon::iter::once(first).chain(others.par_chunks(FRAME))
}

/// A frame that complains when it is read back and damaged.
fn packed(chances: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(1)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(chances)
}

/// The layers in a folder, whichever they are.
fn layers(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == EXTENSION));
    files.sort();
    Ok(files)
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
    let [walls, slack, goal, behind] = [8, 9, 10, 11].map(|place| u32::from(header[place]));
    let known = match goal {
        0 => Some(Goal::Second),
        1 => Some(Goal::Wall(behind)),
        2 => Some(Goal::Half(behind)),
        3 => Some(Goal::Halves(behind)),
        _ => None,
    };
    let family = Family { walls, slack, goal: known.unwrap_or(Goal::Second) };
    let is_slack = |slack: u32| slack <= MOST_SLACK && slack.is_multiple_of(2);
    let fits = WALLS.contains(&walls) && is_slack(slack) && is_slack(behind);
    let fits = fits && known.is_some() && (behind == 0 || goal > 0) && family.is_possible();
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
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let layers = Folder { path: folder.path(), family };
        assert!(Folder::open(folder.path()).unwrap_err().to_string().contains("`estr2048 lab walls` makes"));
        let size = Table::new(family).size(4);
        let chances: Vec<u8> = (0..size).map(|place| place as u8).collect();
        layers.save(4, &chances).unwrap();
        assert_eq!(layers.load(4, size).unwrap(), chances);
        assert_eq!(Folder::open(folder.path()).unwrap().family, family);
        layers.check().unwrap();
        assert!(!layers.holds(4) && layers.lowest().is_err());
        assert!(layers.load(6, size).is_err(), "it is not there");
        assert!(layers.table_behind(family).is_err(), "nor are others");
        for sum in [0, 2] {
            layers.save(sum, &vec![0; Table::new(family).size(sum)]).unwrap();
        }
        assert!(layers.table_behind(family).is_ok());
        assert!(layers.table_behind(Family { slack: 6, ..family }).is_err(), "a larger one needs more");
        for other in [
            Family { slack: 6, ..family },
            Family { walls: 11, goal: Goal::Wall(4), ..family },
            Family { walls: 11, ..family },
        ] {
            let error = Folder { path: folder.path(), family: other }.check().unwrap_err().to_string();
            assert!(error.contains("with --walls 12 and --slack 4: name another folder"), "{error}");
        }

        let file = layers.file(4);
        assert_eq!(file.file_name().unwrap(), "004.walls");
        let bytes = fs::read(&file).unwrap();
        fs::write(layers.file(2), &bytes).unwrap();
        assert!(layers.load(2, size).is_err(), "another sum");
        for (place, byte) in [(8, 6), (8, 13), (9, 3), (9, 130), (10, 2), (10, 1), (11, 2), (11, 3)] {
            let mut wrong = bytes.clone();
            wrong[place] = byte;
            fs::write(&file, wrong).unwrap();
            assert!(layers.check().unwrap_err().to_string().contains("004.walls is no layer"), "{place} {byte}");
        }
        layers.save(6, &[]).unwrap();
        assert!(layers.load(6, 0).unwrap().is_empty());

        for wrong in [&bytes[..5], &bytes[..HEADER_LEN], &bytes[..bytes.len() - 1], &[&bytes[..], b"1"].concat()] {
            fs::write(&file, wrong).unwrap();
            assert!(layers.load(4, size).is_err(), "{} bytes", wrong.len());
        }
        fs::write(&file, "no layer").unwrap();
        assert!(layers.check().unwrap_err().to_string().contains("004.walls is no layer"));
    }

    #[test]
    fn a_folder_keeps_which_layouts_its_tables_know() {
        let folder = tempfile::tempdir().unwrap();
        let layers = Folder { path: folder.path(), family: Family { walls: 12, slack: 4, goal: Goal::Second } };
        let some = Layouts::of_sets(layers.family, [0x0fff, 0xf0ff]);
        assert_eq!(layers.layouts().unwrap().count(), 252);
        layers.name_layouts(None).unwrap();
        layers.name_layouts(Some(&some)).unwrap();
        layers.name_layouts(Some(&some)).unwrap();
        let named = folder.path().join(LAYOUTS);
        assert_eq!(fs::read_to_string(&named).unwrap(), "WWWW/WWWW/WWWW/....\nWWWW/WWWW/..../WWWW\n");
        let table = layers.table().unwrap();
        assert_eq!(
            (table.layouts.sets(), table.size(4)),
            (some.sets(), 2 * table.arrangements.places(4, false).count())
        );
        let fewer = Layouts::of_sets(layers.family, [0x0fff]);
        for other in [None, Some(&fewer)] {
            let error = layers.name_layouts(other).unwrap_err().to_string();
            assert!(error.contains("for tables of other layouts: name another folder"), "{error}");
        }
        for wrong in ["", "WWWW/WWWW/WWWW/....\n\n", "WWWW/WWWW/WWW./....\n", "WWWW"] {
            fs::write(&named, wrong).unwrap();
            let error = layers.layouts().unwrap_err().to_string();
            assert!(error.ends_with("layouts is damaged: it has to name layouts of 12 walls"), "{error}");
        }
        fs::remove_file(&named).unwrap();
        layers.save(4, &[]).unwrap();
        assert!(layers.name_layouts(Some(&some)).is_err(), "it has layers of all layouts");
    }

    #[test]
    fn an_unfinished_table_is_gone_on_from_where_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let layers = Folder { path: folder.path(), family };
        let table = Table::new(family);
        let chances: Vec<u16> = (0..table.size(4)).map(|place| 257 * (place as u16 % 255)).collect();
        assert!(layers.left(&table).unwrap().is_none());
        layers.finish().unwrap();
        layers.leave(4, &chances).unwrap();
        fs::write(layers.file(2), "whatever").unwrap();
        assert!(layers.left(&table).unwrap().is_none(), "layers above it are lacking");
        for sum in (4..=family.most()).step_by(2) {
            fs::write(layers.file(sum), "whatever").unwrap();
        }
        assert_eq!(layers.left(&table).unwrap(), Some((4, chances.clone())));
        let unfinished = folder.path().join(UNFINISHED);
        let whole = fs::read(&unfinished).unwrap();
        let middle = [&whole[..60], &[whole[60] ^ 1], &whole[61..]].concat();
        for wrong in
            [&whole[..5], &whole[..HEADER_LEN], &whole[..whole.len() - 1], &[&whole[..], b"1"].concat(), &middle]
        {
            fs::write(&unfinished, wrong).unwrap();
            let error = layers.left(&table).unwrap_err().to_string();
            assert!(error.contains("unfinished is damaged"), "{} bytes: {error}", wrong.len());
        }
        layers.finish().unwrap();
        assert!(layers.left(&table).unwrap().is_none());
        for other in [Family { slack: 6, ..family }, Family { walls: 11, ..family }] {
            layers.leave(4, &chances).unwrap();
            let layers = Folder { path: folder.path(), family: other };
            assert!(layers.left(&Table::new(other)).is_err(), "made in another way");
        }
    }
}
