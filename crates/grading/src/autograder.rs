//! The package that Gradescope wants: a zip with `setup.sh`, `run_autograder` and the referee itself.
//!
//! See <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.

use std::io::{Cursor, Write};

use anyhow::{Result, ensure};
use zip::write::SimpleFileOptions;

const SETUP: &str = include_str!("autograder/setup.sh");
const RUN: &str = include_str!("autograder/run_autograder");

/// The zip, with this program in it and these options for `grade`.
///
/// # Errors
/// For an option that a shell script cannot hold.
pub fn package(program: &[u8], options: &[String]) -> Result<Vec<u8>> {
    let mut words = String::new();
    for option in options {
        ensure!(!option.contains(['\0', '\n']), "{option:?} cannot stand in a script");
        words.push_str(&format!(" '{}'", option.replace('\'', "'\\''")));
    }
    let run = RUN.replace(" @OPTIONS@", &words);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let executable = SimpleFileOptions::default().unix_permissions(0o755).large_file(false);
    for (name, bytes) in [("setup.sh", SETUP.as_bytes()), ("run_autograder", run.as_bytes()), ("estr2048", program)] {
        zip.start_file(name, executable)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
