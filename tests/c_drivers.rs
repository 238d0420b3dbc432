//! C programs that use the library as students and staff do.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use estr2048::network::{Endgame, Shape, encode};
use support::games::whole_games;
use support::program::{boards, build, compile, installed, run, stdout};
use support::root;

const C99: &[&str] = &["gcc", "-std=c99"];
const C17: &[&str] = &["gcc", "-std=c17", "-Wstrict-prototypes", "-Wmissing-prototypes"];
const C17_LAX: &[&str] = &["gcc", "-std=c17"];
const CPP: &[&str] = &["g++", "-x", "c++"];
const SANITIZED: &[&str] = &["gcc", "-std=c99", "-fsanitize=address,undefined", "-fno-sanitize-recover"];

fn source(name: &str) -> PathBuf {
    root().join("tests/c").join(name)
}

/// Compiles a driver in every way that people compile, and runs each binary with these arguments and empty input.
fn every_way(name: &str, arguments: &[&Path]) {
    let folder = tempfile::tempdir().unwrap();
    for compiler in [C99, C17, CPP, SANITIZED] {
        if !installed(compiler[0]) {
            continue;
        }
        passes(Command::new(compile(compiler, &source(name), folder.path())).args(arguments));
    }
    if installed("valgrind") {
        let binary = compile(C99, &source(name), folder.path());
        // The standard library keeps the handle of a thread by a pointer to its middle: "possibly lost".
        let leaks = ["--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"];
        passes(
            Command::new("valgrind").args(["--quiet", "--error-exitcode=9"]).args(leaks).arg(binary).args(arguments),
        );
    }
}

/// No function is exported that none of the drivers calls in every way.
#[test]
fn every_function_is_called_in_every_way() {
    let drivers = ["bad_arguments.c", "courses.c", "tinymt32_vectors.c"];
    let text: String = drivers.iter().map(|name| std::fs::read_to_string(source(name)).unwrap()).collect();
    let exported = std::fs::read_to_string(root().join("tests/data/exported_symbols.txt")).unwrap();
    let calls = |name: &&str| {
        text.match_indices(&format!("{name}("))
            .any(|(place, _)| !text[..place].ends_with(|before: char| before == '_' || before.is_ascii_alphanumeric()))
    };
    assert!(exported.lines().count() > 50 && text.contains("ESTR_AIPLAYER("));
    let missed: Vec<&str> = exported.lines().filter(|name| !calls(name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

fn passes(command: &mut Command) {
    let output = run(command, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} {:?}:\n{errors}", output.status);
    assert!(stdout(&output).ends_with("all checks passed\n"));
}

#[test]
fn headers_only() {
    every_way("headers_only.c", &[]);
}

#[test]
fn bad_arguments() {
    every_way("bad_arguments.c", &[]);
}

#[test]
fn courses() {
    every_way("courses.c", &[]);
}

#[test]
fn tinymt32_vectors() {
    every_way("tinymt32_vectors.c", &[&root().join("tests/data/tinymt")]);
}

/// A file with the authors' own prototypes compiles against `tinymt32.h`, and its functions take the library's place.
#[test]
fn reference_tinymt32() {
    let folder = tempfile::tempdir().unwrap();
    for compiler in [C99, C17_LAX, CPP, SANITIZED] {
        if installed(compiler[0]) {
            let binary = compile(compiler, &source("reference_tinymt32.c"), folder.path());
            passes(Command::new(binary).arg(root().join("tests/data/tinymt")));
        }
    }
}

/// Signals, waiting threads, calls that are left by siglongjmp, and forks.
#[test]
fn interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(&["gcc", "-std=gnu99", "-pthread"], &source("interruptions.c"), folder.path());
    for case in ["signals", "threads", "left", "forks"] {
        passes(Command::new(&binary).arg(case));
    }
}

/// Ctrl-Z and `fg` at a terminal.
#[test]
fn what_was_asked_is_asked_again_after_fg() {
    build();
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(&["gcc", "-std=gnu99"], &source("job_control.c"), folder.path());
    passes(Command::new(binary).arg(root().join("game")));
}

/// A network that was asked for and is not there is not passed over in silence.
#[test]
fn missing_weights_are_reported() {
    build();
    let output = run(Command::new(root().join("game")).args(["--player", "ai"]).env("ESTR_WEIGHTS", "/nope"), b"33914");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(stdout(&output).contains("Your score is") && errors.contains("/nope: there is no such file"), "{errors}");
}

#[test]
fn closed_standard_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(C99, &source("bad_arguments.c"), folder.path());
    let closed = Command::new("sh").arg("-c").arg("exec \"$0\" <&- >&- 2>&-").arg(binary).status().unwrap();
    assert!(closed.success(), "{closed}");
}

/// `./game` itself, from the first byte to the last.
#[test]
fn game_is_clean_under_valgrind() {
    if !installed("valgrind") {
        return;
    }
    build();
    for (options, input) in [(&[][..], "1234 RLx\nUD"), (&["--player", "ai"], "33914"), (&[], "-1")] {
        let plain = run(Command::new(root().join("game")).args(options), input.as_bytes());
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full"]).arg(root().join("game")).args(options);
        let checked = run(&mut valgrind, input.as_bytes());
        assert_eq!(checked.status.code(), plain.status.code(), "{}", String::from_utf8_lossy(&checked.stderr));
        assert_eq!(stdout(&checked), stdout(&plain));
    }
}

/// An assignment with its own `move`, `pull`, `print` and `board` links, and plays the recorded games.
#[test]
fn own_names_do_not_clash() {
    let folder = tempfile::tempdir().unwrap();
    for compiler in [C99, CPP, SANITIZED] {
        if !installed(compiler[0]) {
            continue;
        }
        let binary = compile(compiler, &source("own_names.c"), folder.path());
        for game in whole_games() {
            let letters: String = game.inputs.iter().map(|input| input.direction.letter()).collect();
            let text = stdout(&run(&mut Command::new(&binary), format!("{}\n{letters}\n", game.seed).as_bytes()));
            let last = game.inputs.last().unwrap();
            assert_eq!(boards(&text).pop(), Some(last.board));
            assert!(text.ends_with(&format!("Your score is {}.\n", last.score)));
        }
    }
}

/// With the whole library in the program, even the parts that nobody calls, its names still do not clash.
#[test]
fn own_names_do_not_clash_with_the_whole_library() {
    build();
    let folder = tempfile::tempdir().unwrap();
    let whole: &[&str] = &["gcc", "-std=c99", "-Wl,--whole-archive"];
    let binary = folder.path().join("whole");
    let linked = Command::new(whole[0])
        .args(&whole[1..])
        .arg(root().join("libestr2048.a"))
        .args(["-Wl,--no-whole-archive", "-I"])
        .arg(root().join("include"))
        .arg(source("own_names.c"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    assert!(stdout(&run(&mut Command::new(binary), b"1234 RLRL")).contains("Your score is"));
}

const TURNS: &str = "word  R\r\nL\tx\nD second U";

fn check_turns(text: &str) {
    let mut rest = text;
    for part in ["first", "[word]", "[3]", "[2]", "[9]", "[x", "]", "[1]", "[second]", "[0]", "last"] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing or out of order in {text}"));
        rest = &rest[at + part.len()..];
    }
    assert!(rest.trim().is_empty());
}

#[test]
fn standard_input_is_shared_by_pipe() {
    let folder = tempfile::tempdir().unwrap();
    for compiler in [C99, CPP, SANITIZED] {
        if !installed(compiler[0]) {
            continue;
        }
        let binary = compile(compiler, &source("shared_stdin.c"), folder.path());
        let output = run(&mut Command::new(binary), TURNS.as_bytes());
        assert!(output.status.success());
        check_turns(&stdout(&output));
    }
}

/// The same on a terminal, where C reads line by line. `script` lends one.
#[test]
fn standard_input_is_shared_by_terminal() {
    if !installed("script") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(C99, &source("shared_stdin.c"), folder.path());
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--echo", "never", "--command"]).arg(&binary).arg("/dev/null");
    let output = run(script.stderr(Stdio::null()), b"word\nR\nL\tx\nD\nsecond U\n");
    assert!(output.status.success(), "{}", stdout(&output));
    check_turns(&stdout(&output));
}

/// A harness that shows the clairvoyant player nothing but boards. Without a network it plays fair.
#[test]
fn clairvoyant_player_from_boards_alone() {
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(C99, &source("clairvoyant.c"), folder.path());
    for generator in ["zero", "official"] {
        let output = run(Command::new(&binary).args(["5", generator]), b"");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        let expected = if cfg!(feature = "weights") { "seed 5 score 131070 moves 65534 " } else { "seed 5 score " };
        assert!(text.starts_with(expected), "{text}");
    }
}

/// Another network than the library's, with weights that no training gives.
fn other_network() -> Vec<u8> {
    let shape = Shape::new(&[0x000f, 0x0033], &[1000]).unwrap();
    let weight = |stage: usize, tuple: usize, index: usize| {
        ((index + stage + tuple) as u32).wrapping_mul(0x9e37_79b9).to_le_bytes()[3].into()
    };
    encode(&shape, &[1.0, 1.0], Endgame::default(), weight).unwrap()
}

#[test]
fn clairvoyant_player_with_another_network() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("other.net");
    std::fs::write(&network, other_network()).unwrap();
    passes(Command::new(compile(C99, &source("clairvoyant_network.c"), folder.path())).arg(network));
}

/// With little memory the small player plays, and `./game` says so; it never ends in another way.
#[test]
fn little_memory() {
    build();
    let game = root().join("game");
    let free = run(Command::new(&game).args(["--player", "ai"]), b"33914");
    // The program itself, with the network's file in it, has to be loaded before it can say anything.
    let loaded = std::fs::metadata(&game).unwrap().len() / 1024 + 4000;
    for kilobytes in [loaded, 120_000, 250_000, 260_000, 270_000, 280_000, 500_000] {
        let mut limited = Command::new("sh");
        limited.arg("-c").arg(format!("ulimit -v {kilobytes} && exec \"$0\" --player ai")).arg(&game);
        let output = run(&mut limited, b"33914");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(stdout(&output).contains("Your score is"), "{kilobytes} kB: {:?}\n{errors}", output.status);
        assert!(errors.contains("no network") || output.stdout == free.stdout, "{kilobytes} kB: {errors}");
    }
}
