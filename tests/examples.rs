//! The examples for people who read code first: each runs, and says what it promises.

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::program::{compile, stdout};
use support::root;

/// An example of this package. `cargo test` builds it beside the tests, unless it is asked for some tests only.
fn rust(name: &str) -> String {
    let tests = std::env::current_exe().unwrap();
    let folder: PathBuf = tests.ancestors().nth(2).unwrap().join("examples");
    let output = Command::new(folder.join(name))
        .output()
        .unwrap_or_else(|error| panic!("{name}: {error}; `cargo build --examples` builds it"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

fn c(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("examples/c").join(name);
    let output = Command::new(compile(&["gcc", "-std=c99"], &source, folder.path())).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

#[test]
fn a_game_is_the_same_from_rust_and_from_c() {
    let game = rust("play_a_game");
    assert!(game.starts_with("The game is over after "), "{game}");
    assert_eq!(game.lines().filter(|line| line.starts_with("Score: ")).count(), 2);
    assert_eq!(c("play_a_game.c"), game);
}

#[cfg(feature = "weights")]
#[test]
fn the_computer_makes_the_same_moves_from_rust_and_from_c() {
    let game = rust("computer_plays");
    assert_eq!(game.lines().next().map(str::len), Some(100), "{game}");
    assert!(game.ends_with("Score 202\n"), "{game}");
    assert_eq!(c("computer_plays.c"), game);
}

#[cfg(feature = "weights")]
#[test]
fn a_position_is_analysed() {
    let text = rust("analyse_a_position");
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.contains("\nbest ") && text.contains("\nsurvives "), "{text}");
}
