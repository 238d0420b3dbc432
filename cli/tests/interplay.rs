//! The courses' programs with somebody at the other end of the pipes: what they print is there before they read, and on
//! every way out.

mod support;

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use support::{run, run_command, stderr, stdout, workbench};

/// Reads until the output ends with `end`.
fn read_until(out: &mut impl Read, end: &str) -> String {
    let mut seen = Vec::new();
    while !seen.ends_with(end.as_bytes()) {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    String::from_utf8(seen).unwrap()
}

const PROGRAMS: [(&[&str], &str); 5] = [
    (&["psa3", "-s", "128", "--seed", "7"], "> "),
    (&["pa4"], "> "),
    (&["comp1020", "128", "--seed", "7"], "for up,left,down,right:"),
    (&["cs61b", "--size", "128"], "\n> "),
    (&["estr1002"], ": "),
];

/// Each answer is typed only after its prompt was read, and the text is the same as by pipe at once.
#[test]
fn a_prompt_comes_before_its_answer() {
    let answers = |name: &str| if name == "estr1002" { ["1234", "R", "L", "R"] } else { ["w", "a", "x", "s"] };
    for (words, prompt) in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let mut child = workbench(folder.path(), words).spawn().unwrap();
        let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut text = String::new();
        for answer in answers(words[0]) {
            text += &read_until(&mut out, prompt);
            writeln!(stdin, "{answer}").unwrap();
        }
        text += &read_until(&mut out, prompt);
        drop(stdin);
        out.read_to_string(&mut text).unwrap();
        child.wait().unwrap();
        let at_once = run(folder.path(), words, answers(words[0]).join("\n") + "\n");
        assert_eq!(text, stdout(&at_once), "{words:?}");
    }
}

/// What was printed before an error is not lost, and comes before the complaint.
#[test]
fn errors_come_after_what_was_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("damaged"), "4 4 x").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    for (words, printed, complaint) in [
        (&["psa3", "-i", "damaged"][..], "Loading Board from damaged", "estr2048: damaged:1:5:"),
        (&["pa4", "damaged"], "from damaged..", "estr2048: damaged:1:5:"),
        (&["pa4", "d"], "from d..", "starting a new game"),
        (&["comp1020"], "The board:", "the input ended before the game did"),
    ] {
        let log = folder.path().join("log");
        let both = File::create(&log).unwrap();
        let mut command = workbench(folder.path(), words);
        let ended = command.stdin(Stdio::null()).stdout(both.try_clone().unwrap()).stderr(both).status().unwrap();
        assert_eq!(ended.code(), Some(1), "{words:?}");
        let text = std::fs::read_to_string(log).unwrap();
        let places = (text.find(printed), text.find(complaint));
        assert!(places.0.is_some() && places.0 < places.1, "{words:?}: {text}");
    }
}

/// A full disk does not pass for a game.
#[test]
fn an_output_that_cannot_be_written() {
    for (words, _) in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = std::process::Command::new("sh");
        shell.current_dir(folder.path()).args(["-c", "exec \"$0\" \"$@\" > /dev/full"]);
        shell.arg(env!("CARGO_BIN_EXE_estr2048")).args(words);
        let ended = run_command(&mut shell, "w\na\nq\n");
        assert_eq!(ended.status.code(), Some(1), "{words:?}");
        assert!(stderr(&ended).contains("No space left"), "{words:?}: {}", stderr(&ended));
    }
}
