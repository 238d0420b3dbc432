//! Running the workbench, and the reference data at the top level.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A command of the workbench that runs in `folder`.
pub fn workbench(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estr2048"));
    command.current_dir(folder).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it with this input by pipe, to its end.
pub fn run(folder: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    run_command(&mut workbench(folder, arguments), input)
}

/// Runs any command with this input by pipe, to its end.
pub fn run_command(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let all_pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = all_pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // A program may end before it has read everything, so a broken pipe is no failure here.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file below `tests/data` at the top level.
pub fn data_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

/// Its bytes.
pub fn data(name: &str) -> Vec<u8> {
    let path = data_path(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Its text.
pub fn text(name: &str) -> String {
    String::from_utf8(data(name)).unwrap()
}
