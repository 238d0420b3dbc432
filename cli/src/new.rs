//! `estr2048 new`: a computer player that compiles, to start from.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048_toolbox::outln;
use estr2048_toolbox::template::FILES;

/// Write a template of a computer player: aiplayer_<id>.c and .h, a test driver, and a cheat sheet.
#[derive(Debug, clap::Args)]
pub struct New {
    /// Your student number
    #[arg(value_name = "STUDENT_ID", value_parser = parse_id)]
    student_id: String,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

fn parse_id(text: &str) -> Result<String, String> {
    let good = !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    if good { Ok(text.into()) } else { Err("a student number has 1 to 20 digits, for example 1155123456".into()) }
}

/// Writes the files. None that exists is overwritten.
pub fn run(arguments: &New) -> Result<ExitCode> {
    fs::create_dir_all(&arguments.out).with_context(|| arguments.out.display().to_string())?;
    let id = &arguments.student_id;
    for (name, text) in FILES {
        let path = arguments.out.join(name.replace("@ID@", id));
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let mut file = file.with_context(|| format!("{} (existing files are never overwritten)", path.display()))?;
        file.write_all(text.replace("@ID@", id).as_bytes())?;
        outln!("{}", path.display())?;
    }
    outln!("\nTry it:\n  gcc -Wall test_{id}.c aiplayer_{id}.c -o test && ./test\n  estr2048 check aiplayer_{id}.c")?;
    Ok(ExitCode::SUCCESS)
}
