//! Reads folders and zips into a tree of names, with everything that cannot be read told in words.

use std::fs;
use std::path::{Path, PathBuf};

use super::Odd;
use super::export::exported;
use super::names::{Named, Part, named, shown};
use super::unpack::{Budget, unpack};

/// A file, or something with files in it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name in its folder.
    pub name: String,
    /// The way to it, for people.
    pub place: String,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    File(PathBuf),
    Folder(Vec<Node>),
    /// The files of a zip, and what was left out of it.
    Zip(Vec<Node>, Vec<String>),
    /// Something that cannot be opened, and why.
    Closed(String),
}

/// How deep folders may lie in each other, and zips in zips.
const DEEPEST: usize = 24;
const DEEPEST_ZIP: usize = 4;

/// Why a part of a submission is not read at all. A zip of more than it may hold unpacked is never taken.
pub fn too_large(name: &Named, size: u64) -> Option<String> {
    const LARGEST_SOURCE: u64 = 20 << 20;
    let most = match name {
        Named::Part(Part::Source | Part::Header, _) | Named::Companion => LARGEST_SOURCE,
        Named::Part(Part::Basic, _) => Budget::STUDENT_BYTES,
        _ => return None,
    };
    (size > most).then(|| format!("has {} MB; at most {} are read", size >> 20, most >> 20))
}

pub struct Reader<'a> {
    work: &'a Path,
    skip: Option<PathBuf>,
    unpacked: usize,
    zips: usize,
    pub odd: Vec<Odd>,
}

impl<'a> Reader<'a> {
    pub fn new(work: &'a Path, skip: Option<PathBuf>) -> Self {
        Self { work, skip, unpacked: 0, zips: 0, odd: Vec::new() }
    }

    fn odd(&mut self, place: &str, what: impl Into<String>) {
        self.odd.push(Odd { place: place.into(), what: what.into() });
    }

    /// Everything in a folder, in the order of the names. Inside a zip there is a budget.
    pub fn folder(&mut self, path: &Path, place: &str, depth: usize, mut budget: Option<&mut Budget>) -> Vec<Node> {
        if depth >= DEEPEST {
            self.odd(
                place,
                format!("folders lie more than {DEEPEST} deep in each other; what is below was not looked at"),
            );
            return Vec::new();
        }
        let mut entries: Vec<PathBuf> = match fs::read_dir(path) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(error) => {
                self.odd(place, format!("the folder cannot be read: {error}"));
                return Vec::new();
            }
        };
        entries.sort();
        let mut nodes = Vec::new();
        for path in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let place = if place.is_empty() { shown(&name) } else { format!("{place}/{}", shown(&name)) };
            if name != "submission_metadata.yml" && named(&name) == Named::Litter {
                continue;
            }
            if let Some(what) = self.open(&path, &name, &place, depth, budget.as_deref_mut()) {
                nodes.push(Node { name, place, what });
            }
        }
        nodes
    }

    fn open(
        &mut self,
        path: &Path,
        name: &str,
        place: &str,
        depth: usize,
        budget: Option<&mut Budget>,
    ) -> Option<What> {
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) => return Some(What::Closed(format!("cannot be read: {error}"))),
        };
        if about.is_symlink() {
            return Some(What::Closed("is a link; the file itself must be handed in".into()));
        }
        if about.is_dir() {
            let ours =
                self.skip.as_deref() == path.canonicalize().ok().as_deref() || path.join("journal.jsonl").exists();
            if ours {
                self.odd(place, "results of a grading; no submissions are looked for in it");
                return None;
            }
            return Some(What::Folder(self.folder(path, place, depth + 1, budget)));
        }
        if !about.is_file() {
            return Some(What::Closed("is neither a file nor a folder".into()));
        }
        let own = exported(name).map_or(name.to_string(), |exported| exported.file);
        let kind = named(&own);
        Some(match too_large(&kind, about.len()) {
            Some(why) => What::Closed(why),
            None if kind == Named::Zip => self.zip(path, place, depth, budget),
            None => What::File(path.into()),
        })
    }

    fn zip(&mut self, path: &Path, place: &str, depth: usize, budget: Option<&mut Budget>) -> What {
        let Some(budget) = budget else { return self.opened(path, place, depth, &mut Budget::student()) };
        let share = budget.share(fs::metadata(path).map_or(0, |about| about.len()));
        let mut left = share.clone();
        let what = self.opened(path, place, depth, &mut left);
        // What was refused takes no room.
        if !matches!(what, What::Closed(_)) {
            budget.take(&share, &left);
        }
        what
    }

    /// Opens a zip that holds a whole class; each zip in it has a budget of its own beside the common one.
    pub fn class_zip(&mut self, path: &Path) -> What {
        let size = fs::metadata(path).map_or(0, |about| about.len());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.opened(path, &shown(&name), 0, &mut Budget::class(size))
    }

    fn opened(&mut self, path: &Path, place: &str, depth: usize, budget: &mut Budget) -> What {
        if self.zips >= DEEPEST_ZIP {
            return What::Closed(format!("is a zip more than {DEEPEST_ZIP} deep in other zips and was not opened"));
        }
        self.unpacked += 1;
        let folder = self.work.join(format!("unpacked{}", self.unpacked));
        // Only what can be part of a submission is worth the room.
        let keep = |name: &str| {
            let own = exported(name).map_or(name.to_string(), |exported| exported.file);
            name == "submission_metadata.yml" || matches!(named(&own), Named::Part(..) | Named::Companion | Named::Zip)
        };
        match unpack(path, &folder, budget, &keep) {
            Ok(notes) => {
                self.zips += 1;
                let inside = self.folder(&folder, place, depth + 1, Some(budget));
                self.zips -= 1;
                What::Zip(inside, notes)
            }
            Err(error) => {
                // A bomb must not keep its room.
                let _ = fs::remove_dir_all(&folder);
                What::Closed(format!("was refused: {error:#}"))
            }
        }
    }
}
