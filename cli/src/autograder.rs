//! `estr2048 autograder`: the package that Gradescope runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048_grading::{autograder, files};
use estr2048_toolbox::outln;

/// Write a Gradescope autograder: a zip with setup.sh, run_autograder and this program.
///
/// What stands after `--` are options of `estr2048 grade`, for example:
/// estr2048 autograder autograder.zip -- --games 3 --move-limit 2s
#[derive(Debug, clap::Args)]
pub struct Autograder {
    /// The zip to be uploaded to Gradescope
    out: PathBuf,
    /// Options for `estr2048 grade`
    #[arg(last = true, value_name = "GRADE OPTIONS")]
    options: Vec<String>,
}

/// Writes the package.
pub fn run(arguments: &Autograder) -> Result<ExitCode> {
    let program = std::env::current_exe()?;
    let bytes = std::fs::read(&program).with_context(|| program.display().to_string())?;
    let zip = autograder::package(&bytes, &arguments.options)?;
    let out = std::path::absolute(&arguments.out)?;
    files::write_atomically(&out, &zip)?;
    outln!(
        "{} ({} MB): upload it as the autograder of a programming assignment.",
        arguments.out.display(),
        zip.len() >> 20
    )?;
    Ok(ExitCode::SUCCESS)
}
