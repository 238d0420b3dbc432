//! Files of results that grow line by line: what made them on the first line, then one JSON object for each result.
//!
//! Work that was stopped goes on with such a file. What another player, network or version made is never mixed in, and
//! a last line that a kill cut off is taken away.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::output::tell;

/// A file of results, open at its end.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
}

impl Results {
    /// The file of this name with the results that it has; a new one if there is none. `made_by` says all that the
    /// results depend on.
    ///
    /// # Errors
    /// If the file was made by something else, is damaged before its last line, or cannot be read and written.
    pub fn open<R: DeserializeOwned>(path: &Path, made_by: &impl Serialize) -> Result<(Self, Vec<R>)> {
        let name = || path.display().to_string();
        if let Ok(found) = std::fs::metadata(path) {
            // A pipe would be waited for without a word.
            ensure!(found.is_file(), "{} is no ordinary file: results are read back from it", name());
        }
        let made_by = serde_json::to_value(made_by)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(|| format!("cannot open {}", name()))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {}", name()))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        let mut results = Vec::new();
        match lines.next() {
            None => {
                ensure!(text.is_empty() || text.starts_with('{'), "{} is no file of results", name());
                file.set_len(0)?;
                file.rewind()?;
                writeln!(file, "{made_by}").with_context(|| format!("cannot write to {}", name()))?;
            }
            Some((_, first)) => {
                compare(first, &made_by).with_context(name)?;
                for (number, line) in lines {
                    let result = serde_json::from_str(line);
                    results.push(result.with_context(|| format!("{}:{}: damaged", name(), number + 1))?);
                }
                if whole < text.len() {
                    tell(format_args!("{}: the last line was cut off; it is taken away and done again", name()));
                    file.set_len(whole as u64)?;
                }
                file.seek(SeekFrom::End(0))?;
            }
        }
        Ok((Self { path: path.into(), file }, results))
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If the file cannot be written, for example because the disk is full.
    pub fn add(&mut self, result: &impl Serialize) -> Result<()> {
        let line = format!("{}\n", serde_json::to_string(result)?);
        // One call of the system: a kill leaves the line or none of it.
        self.file.write_all(line.as_bytes()).with_context(|| format!("cannot write to {}", self.path.display()))
    }
}

/// Whether a file holds results: other work must not replace it.
#[must_use]
pub fn is_one(path: &Path) -> bool {
    let first_line = || {
        let mut line = String::new();
        BufReader::new(File::open(path).ok()?.take(LONGEST_HEAD)).read_line(&mut line).ok()?;
        serde_json::from_str::<Value>(&line).ok()
    };
    path.is_file() && first_line().is_some_and(|head| head.get("schema").is_some() && head.get("command").is_some())
}

/// No head of a file of results is longer.
const LONGEST_HEAD: u64 = 1 << 16;

/// Complains if the results of a file were made by something else than what runs now.
fn compare(first: &str, made_by: &Value) -> Result<()> {
    let found: Option<Value> = serde_json::from_str(first).ok();
    let Some(found) = found.filter(|found| found.get("schema").is_some()) else {
        bail!("the file does not say what made its results, so it cannot grow; name another file");
    };
    if found == *made_by {
        return Ok(());
    }
    let (Value::Object(found), Value::Object(wanted)) = (&found, made_by) else {
        bail!("these are not results of this command; name another file");
    };
    let keys: std::collections::BTreeSet<&String> = found.keys().chain(wanted.keys()).collect();
    let differences = keys.into_iter().filter_map(|key| {
        let (old, new) = (found.get(key), wanted.get(key));
        let text = |value: Option<&Value>| value.map_or("nothing".into(), Value::to_string);
        (old != new).then(|| format!("{key} {} there, {} now", text(old), text(new)))
    });
    let differences: Vec<String> = differences.collect();
    bail!("these results were made otherwise ({}); name another file", differences.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn open(path: &Path, player: &str) -> Result<(Results, Vec<u32>)> {
        Results::open(path, &json!({ "schema": 1, "player": player }))
    }

    #[test]
    fn a_file_grows_and_is_never_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        for known in 0..3 {
            let (mut file, results) = open(&path, "fair").unwrap();
            assert_eq!(results, (0..known).collect::<Vec<u32>>());
            file.add(&known).unwrap();
        }
        let before = std::fs::read(&path).unwrap();
        let error = format!("{:#}", open(&path, "random").unwrap_err());
        assert!(error.contains("player \"fair\" there, \"random\" now"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_cut_last_line_is_taken_away_and_a_damaged_one_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let (mut file, _) = open(&path, "fair").unwrap();
        file.add(&17_u32).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}12")).unwrap();
        let (mut file, results) = open(&path, "fair").unwrap();
        file.add(&18_u32).unwrap();
        assert_eq!(results, [17]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{whole}18\n"));
        std::fs::write(&path, format!("{whole}oops\n3\n")).unwrap();
        assert!(format!("{:#}", open(&path, "fair").unwrap_err()).contains("results:3: damaged"));
        // A first line that was cut off.
        std::fs::write(&path, "{\"schema\":").unwrap();
        assert!(open(&path, "fair").unwrap().1.is_empty());
        assert!(open(&path, "fair").unwrap().1.is_empty());
    }

    #[test]
    fn a_strangers_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        for text in ["a letter to my mother", "17\n18\n", "{\"seed\":1}\n", "\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(open(&path, "fair").is_err(), "{text:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert!(open(folder.path(), "fair").is_err());
    }
}
