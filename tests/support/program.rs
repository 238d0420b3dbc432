//! Building and running `./game` and C programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use super::root;

/// The student ID that the library under test is built for.
pub const STUDENT_ID: &str = env!("STUDENT_ID");

/// Runs `make` with these words at the top level and demands success.
pub fn make(words: &[&str]) {
    let id = format!("STUDENT_ID={STUDENT_ID}");
    let output = Command::new("make").args(words).arg(id).current_dir(root()).output().expect("make can be started");
    assert!(output.status.success(), "make {words:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Builds `libestr2048.a` and `./game`, as a user would.
pub fn build() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| make(&["all"]));
}

/// Runs a command with this input on its standard input, by pipe.
pub fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program may end before it has read everything, so a broken pipe is no failure here.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs `./game` with these options and this input.
pub fn game(options: &[&str], input: &str) -> Output {
    build();
    run(Command::new(root().join("game")).args(options), input.as_bytes())
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The boards that a program printed: four lines with `|` each.
pub fn boards(text: &str) -> Vec<[[i32; 4]; 4]> {
    let rows: Vec<Vec<i32>> = text.lines().filter(|line| line.starts_with('|')).map(row).collect();
    assert_eq!(rows.len() % 4, 0, "a board is cut off");
    rows.chunks(4)
        .map(|rows| std::array::from_fn(|row| rows[row][..].try_into().expect("four cells in a row")))
        .collect()
}

fn row(line: &str) -> Vec<i32> {
    let inner = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).expect("a row is framed");
    let cell = |text: &str| match text.trim() {
        "" => 0,
        tile => tile.parse().unwrap_or_else(|_| panic!("{tile:?} is no tile")),
    };
    inner.split('|').map(cell).collect()
}

/// A compiler; for gcc the one that the variable CC names, if it is set, with its CFLAGS.
fn compiler_named(name: &str) -> Command {
    let target = env!("BUILD_TARGET");
    let mut compiler = cc::Build::new();
    compiler.target(target).host(target).opt_level(0).no_default_flags(true).cargo_output(false);
    match name {
        "gcc" if std::env::var_os("CC").is_some() => compiler.get_compiler().to_command(),
        _ => compiler.compiler(name).get_compiler().to_command(),
    }
}

/// Compiles a program from tests/c against the built library, with the strictest warnings as errors.
pub fn compile(compiler: &[&str], source: &Path, into: &Path) -> PathBuf {
    build();
    let binary = into.join(source.file_stem().unwrap()).with_extension(compiler.join("_"));
    let output = compiler_named(compiler[0])
        .args(&compiler[1..])
        .args(["-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg(format!("-DESTR_STUDENT_ID={STUDENT_ID}"))
        .arg("-I")
        .arg(root().join("include"))
        .arg(source)
        .args(["-x", "none"])
        .arg(root().join("libestr2048.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap_or_else(|error| panic!("{compiler:?}: {error}"));
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
    binary
}

/// Whether a program can be started here, for tests that use it only where it is installed. If not, it says so.
pub fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        skipped(&format!("{program} is not installed"));
    }
    found
}

/// Says that a part of a test is left out, past the test harness, which keeps what passing tests print to itself.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED in {}: {why}", std::thread::current().name().unwrap_or("a test"));
}
