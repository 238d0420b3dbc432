//! Finds the submissions in what the staff hand over: zips, folders, and folders of either.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;
use sha2::{Digest, Sha256};

/// Everything that one student handed in.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    pub id: String,
    /// `aiplayer_<id>.c`
    pub source: Option<PathBuf>,
    /// `aiplayer_<id>.h`
    pub header: Option<PathBuf>,
    /// Other `.h` files beside them.
    pub companions: Vec<PathBuf>,
    /// `basic_<id>.zip`
    pub basic: Option<PathBuf>,
    /// Files whose names are almost right.
    pub misnamed: Vec<String>,
    /// What was wrong with the zip.
    pub trouble: Vec<String>,
}

impl Submission {
    /// A hash of all files, so that a changed submission is not taken for an old one.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for path in [&self.source, &self.header, &self.basic].into_iter().flatten().chain(&self.companions) {
            hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
            hash.update(fs::read(path).unwrap_or_default());
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

static PLAYER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^aiplayer_([A-Za-z0-9_]{1,40})\.([ch])$").expect("a regex"));
static BASIC: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^basic_([A-Za-z0-9_]{1,40})\.zip$").expect("a regex"));
static ALMOST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)(ai.?player|basic).*\.(c|h|zip|cpp|txt)$|\.c$").expect("a regex"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d{6,}").expect("a regex"));

/// Finds all submissions below these paths. Zips are unpacked below `work`.
pub fn collect(paths: &[PathBuf], work: &Path) -> Result<Vec<Submission>> {
    let mut found = Found { work, unpacked: 0, submissions: BTreeMap::new() };
    for path in paths {
        ensure!(path.exists(), "{} does not exist", path.display());
        let path = path.canonicalize()?;
        let unit = name_of(&path);
        if path.is_dir() {
            found.folder(&path, None, 0)?;
        } else {
            let files = if is_zip(&path) && !BASIC.is_match(&unit) { vec![path] } else { siblings(&path) };
            found.files(&files, Some(&unit), 0)?;
        }
    }
    Ok(found.submissions.into_values().collect())
}

/// For a single file of a submission: the other files of the same student beside it.
fn siblings(path: &Path) -> Vec<PathBuf> {
    let name = name_of(path);
    let Some(id) = PLAYER.captures(&name).map(|found| found[1].to_string()) else { return vec![path.into()] };
    let folder = path.parent().unwrap_or(Path::new("."));
    let names = [format!("aiplayer_{id}.c"), format!("aiplayer_{id}.h")];
    names.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}

struct Found<'a> {
    work: &'a Path,
    unpacked: usize,
    submissions: BTreeMap<String, Submission>,
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// How deep folders and zips may lie in each other.
const DEEPEST: usize = 6;

impl Found<'_> {
    fn at(&mut self, id: &str) -> &mut Submission {
        let new = || Submission { id: id.into(), ..Submission::default() };
        self.submissions.entry(id.into()).or_insert_with(new)
    }

    /// A folder: its own files are one unit, each folder in it another.
    fn folder(&mut self, path: &Path, unit: Option<&str>, depth: usize) -> Result<()> {
        ensure!(depth < DEEPEST, "{}: folders lie too deep in each other", path.display());
        let mut entries: Vec<PathBuf> = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        entries.retain(|path| {
            let name = name_of(path);
            !name.starts_with('.') && name != "__MACOSX" && !path.is_symlink()
        });
        entries.sort();
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
        self.files(&files, unit, depth)?;
        for folder in folders {
            let name = name_of(&folder);
            self.folder(&folder, Some(unit.unwrap_or(&name)), depth + 1)?;
        }
        Ok(())
    }

    fn files(&mut self, files: &[PathBuf], unit: Option<&str>, depth: usize) -> Result<()> {
        let mut ids = Vec::new();
        let (mut companions, mut almost) = (Vec::new(), Vec::new());
        for path in files {
            let name = name_of(path);
            if let Some(found) = PLAYER.captures(&name) {
                let id = found[1].to_string();
                let submission = self.at(&id);
                if &found[2] == "c" && submission.source.is_some() {
                    submission.trouble.push(format!("{name} was handed in more than once; the last one found counts"));
                }
                match &found[2] {
                    "c" => submission.source = Some(path.clone()),
                    _ => submission.header = Some(path.clone()),
                }
                ids.push(id);
            } else if let Some(found) = BASIC.captures(&name) {
                let id = found[1].to_string();
                self.at(&id).basic = Some(path.clone());
                ids.push(id);
            } else if is_zip(path) {
                self.zip(path, depth)?;
            } else if name.ends_with(".h") {
                companions.push(path.clone());
            } else if ALMOST.is_match(&name) {
                almost.push(name);
            }
        }
        for id in &ids {
            self.at(id).companions.extend(companions.iter().cloned());
        }
        // A unit without any right name is still somebody's work.
        if let (true, Some(unit), false) = (ids.is_empty(), unit, almost.is_empty()) {
            let names = companions.iter().map(|path| name_of(path)).chain(almost);
            let id = id_in(unit);
            self.at(&id).misnamed.extend(names);
        } else if unit.is_none() {
            for name in almost.into_iter().filter(|name| name.to_lowercase().contains("player")) {
                self.at(&id_in(&name)).misnamed.push(name);
            }
        }
        Ok(())
    }

    fn zip(&mut self, path: &Path, depth: usize) -> Result<()> {
        let name = name_of(path);
        self.unpacked += 1;
        let folder = self.work.join(format!("unpacked{}", self.unpacked));
        let unit = name.trim_end_matches(".zip").to_string();
        match unpack(path, &folder) {
            Ok(()) => {
                let before = self.submissions.len();
                self.folder(&folder, Some(&unit), depth + 1)?;
                if self.submissions.len() == before && !self.submissions.contains_key(&id_in(&unit)) {
                    let id = id_in(&unit);
                    self.at(&id).trouble.push(format!("{name} holds no aiplayer_<id>.c"));
                }
            }
            Err(error) => {
                let id = id_in(&unit);
                self.at(&id).trouble.push(format!("{name} was refused: {error:#}"));
            }
        }
        Ok(())
    }
}

/// A student number in a name, or the name itself with nothing strange in it.
fn id_in(name: &str) -> String {
    if let Some(number) = NUMBER.find(name) {
        return number.as_str().into();
    }
    let stem = name.split('.').next().unwrap_or_default();
    let id: String =
        stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).take(40).collect();
    if id.is_empty() { "unnamed".into() } else { id }
}

/// Unpacks a zip that keeps to the rules.
///
/// # Errors
/// For an entry that leaves the folder, a link, and a zip that is larger than any submission.
pub fn unpack(zip: &Path, folder: &Path) -> Result<()> {
    const MOST_FILES: usize = 500;
    const MOST_BYTES: u64 = 50 << 20;
    let mut archive = zip::ZipArchive::new(fs::File::open(zip)?).context("this is not a zip file")?;
    ensure!(archive.len() <= MOST_FILES, "it has {} entries; at most {MOST_FILES} are allowed", archive.len());
    fs::create_dir_all(folder)?;
    let mut left = MOST_BYTES;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).context("an entry cannot be read (encrypted?)")?;
        let name = entry.name().context("an entry has no readable name")?.into_owned();
        let shown = name.escape_debug().to_string();
        let plain = name.replace('\\', "/");
        let leaves = plain.starts_with('/') || plain.split('/').any(|part| part == "..") || plain.contains('\0');
        ensure!(!leaves && !plain.contains(':'), "its entry \"{shown}\" leads outside the zip");
        ensure!(!entry.is_symlink(), "its entry \"{shown}\" is a link");
        let target = folder.join(&plain);
        if entry.is_dir() || plain.ends_with('/') {
            fs::create_dir_all(&target)?;
            continue;
        }
        if plain.split('/').any(|part| part == "__MACOSX" || part.starts_with("._") || part == ".DS_Store") {
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut bytes = Vec::new();
        (&mut entry)
            .take(left + 1)
            .read_to_end(&mut bytes)
            .with_context(|| format!("its entry \"{shown}\" is damaged"))?;
        let size = bytes.len() as u64;
        if size > left {
            bail!("it unpacks to more than {} MB", MOST_BYTES >> 20);
        }
        left -= size;
        fs::write(&target, bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
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

    #[test]
    fn zips_that_lead_outside_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["../evil.c", "/etc/evil.c", "a/../../evil.c", "..\\evil.c", "C:\\evil.c"] {
            let zip = zip_of(folder.path(), &[(name, b"x")]);
            let error = unpack(&zip, &folder.path().join("out")).unwrap_err().to_string();
            assert!(error.contains("leads outside"), "{name}: {error}");
        }
        assert!(!folder.path().join("evil.c").exists());
    }

    #[test]
    fn bombs_and_links_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let zip = zip_of(folder.path(), &[("bomb.c", &vec![0; 60 << 20])]);
        assert!(fs::metadata(&zip).unwrap().len() < 1 << 20);
        assert!(unpack(&zip, &folder.path().join("out")).unwrap_err().to_string().contains("more than"));
        let path = folder.path().join("link.zip");
        let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        zip.add_symlink("aiplayer_1.c", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        assert!(unpack(&path, &folder.path().join("out2")).unwrap_err().to_string().contains("link"));
    }

    #[test]
    fn submissions_are_found_in_folders_and_zips() {
        let folder = tempfile::tempdir().unwrap();
        let class = folder.path().join("class");
        fs::create_dir_all(class.join("student_1155000002")).unwrap();
        fs::write(class.join("aiplayer_1155000001.c"), "").unwrap();
        fs::write(class.join("aiplayer_1155000001.h"), "").unwrap();
        fs::write(class.join("student_1155000002/AIplayer.c"), "").unwrap();
        let zip = zip_of(folder.path(), &[("sub/aiplayer_1155000003.c", b""), ("__MACOSX/._x", b"")]);
        fs::rename(zip, class.join("upload_77.zip")).unwrap();
        fs::write(class.join("broken_1155000004.zip"), "no zip").unwrap();
        let found = collect(&[class], &folder.path().join("work")).unwrap();
        let ids: Vec<_> = found.iter().map(|submission| submission.id.as_str()).collect();
        assert_eq!(ids, ["1155000001", "1155000002", "1155000003", "1155000004"]);
        assert!(found[0].source.is_some() && found[0].header.is_some());
        assert_eq!(found[1].misnamed, ["AIplayer.c"]);
        assert!(found[2].source.is_some());
        assert!(found[3].trouble[0].contains("not a zip"));
    }
}
