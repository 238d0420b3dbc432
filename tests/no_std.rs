//! The generators and the boards without a standard library: tests/no_std is a program that has none, and no allocator
//! either, so that it could not even be linked if they needed one.

mod support;

use std::fs;
use std::process::Command;

use estr2048::courses::estr1002::Game;
use estr2048::{Direction, JavaRandom, Parameters, TinyMt32};
use support::program::{run, stdout};
use support::root;

#[test]
fn a_program_without_std_plays_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("tests/no_std");
    // Elsewhere, so that nothing is written among the sources.
    let manifest = folder.path().join("Cargo.toml");
    let text = fs::read_to_string(source.join("Cargo.toml")).unwrap();
    fs::write(&manifest, text.replace("\"../..\"", &format!("{:?}", root()))).unwrap();
    fs::copy(source.join("lib.rs"), folder.path().join("lib.rs")).unwrap();
    // All that it needs is here: this very test needs it, too.
    let build = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--manifest-path"])
        .arg(&manifest)
        .env("CARGO_TARGET_DIR", folder.path())
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));

    let program = folder.path().join("program");
    let compiler = cc::Build::new()
        .target(env!("BUILD_TARGET"))
        .host(env!("BUILD_TARGET"))
        .opt_level(0)
        .cargo_output(false)
        .get_compiler();
    let link = compiler
        .to_command()
        .arg(source.join("main.c"))
        .arg(folder.path().join("debug/libno_std.a"))
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(link.status.success(), "{}", String::from_utf8_lossy(&link.stderr));

    let scores: String = (1..=10).map(|seed| format!("{}\n", score(seed))).collect();
    assert_eq!(stdout(&run(&mut Command::new(&program), b"")), scores);
}

/// The game of tests/no_std/lib.rs, by the whole library.
fn score(seed: u32) -> i64 {
    let mut directions = JavaRandom::new(seed.into());
    let mut game: Game = Game::new(TinyMt32::new(seed, Parameters::ZERO));
    while !game.is_over() {
        let direction = directions.next_int_below(4).and_then(Direction::from_number).unwrap();
        game.play(direction).unwrap();
    }
    game.score()
}
