//! `estr2048 estr1002` prints what `./game` prints.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;

use support::{run, text};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// What `./game` prints and how it ends; it is built once.
fn game(arguments: &[&str], input: &[u8]) -> (Vec<u8>, Option<i32>) {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let made = Command::new("make").arg("all").current_dir(root()).stderr(Stdio::null()).output().unwrap();
        assert!(made.status.success());
    });
    let mut child = Command::new(root().join("game"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut stdin, &input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (output.stdout, output.status.code())
}

fn check(arguments: &[&str], input: impl AsRef<[u8]>) {
    let ours = run(Path::new("."), &[&["estr1002"], arguments].concat(), input.as_ref());
    let (text, status) = game(arguments, input.as_ref());
    let shown = input.as_ref().escape_ascii();
    assert_eq!(String::from_utf8_lossy(&ours.stdout), String::from_utf8_lossy(&text), "{arguments:?} {shown}");
    assert_eq!(ours.status.code(), status, "{arguments:?} {shown}");
}

#[test]
fn the_same_text_for_the_same_input() {
    check(&[], text("estr1002/moves_seed_1234.txt"));
    let letters = "UDLRxl \r\n\tULDR".repeat(100);
    for seed in ["0", "1", "1234", "4294967295", "007", "33914"] {
        check(&[], format!("{seed}\n{letters}"));
        check(&["--tinymt", "official"], format!("{seed} {letters}"));
        check(&[], format!(" \x0b\n{seed}\r\nULDR"));
    }
}

#[test]
fn the_same_answer_to_odd_seeds() {
    for input in [
        &b""[..],
        b"   \n",
        b"x",
        b"-1\nU",
        b"+1\nU",
        b"4294967296\nU",
        b"99999999999999999999999999\nU",
        b"0000000000000000000000000000012\nU",
        b"00000000000000000000000000000000000012\nUDLR",
        b"12.5\nU",
        b"12U",
        b"\xff\n",
        b"7",
        b"7\nU\0D\xffL",
    ] {
        check(&[], input);
    }
}

/// A full disk does not pass for a game; an output that nobody reads any more is nobody's loss.
#[test]
fn an_output_that_cannot_be_written() {
    for (output, status) in [("> /dev/full", 1), ("| true", 0)] {
        let mut shell = Command::new("bash");
        let line = format!("set -o pipefail; \"$0\" estr1002 {output}");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_estr2048")]);
        let input = format!("1234 {}", "RLUD".repeat(3000));
        let ended = support::run_command(&mut shell, input);
        let message = support::stderr(&ended);
        assert_eq!(ended.status.code(), Some(status), "{message}");
        assert_eq!(message.contains("the output could not be written"), status == 1, "{message}");
    }
}
