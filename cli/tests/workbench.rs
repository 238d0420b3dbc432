//! The commands for those who study players, through the real program, with a network small enough to train on the way.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use support::{run, stderr, stdout, workbench};

/// What a command prints; it must succeed.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    success(run(folder, arguments, ""), arguments)
}

fn success(output: Output, arguments: &[&str]) -> String {
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The same with a small network in the place of the one inside the program.
fn planned(folder: &Path, arguments: &[&str]) -> String {
    let output = workbench(folder, arguments).env("ESTR_WEIGHTS", "small.net").output().unwrap();
    success(output, arguments)
}

/// Trains a network of two tuples for so many games and packs it.
fn small_network(folder: &Path, name: &str, games: &str) -> String {
    let (checkpoint, net) = (format!("{name}.ckp"), format!("{name}.net"));
    let tuples = ["--tuple", "0,1,2,3", "--tuple", "0,1,4,5"];
    let trained = printed(folder, &[&["train", "--out", &checkpoint, "--games", games], &tuples[..]].concat());
    assert!(trained.starts_with(&format!("{games} games, ")), "{trained}");
    printed(folder, &["pack", &checkpoint, "--out", &net, "--prune", "0", "--games", "3"])
}

#[test]
fn a_network_is_trained_packed_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, file) = (folder.path(), |name: &str| folder.path().join(name));
    let packed = small_network(folder, "small", "300");
    assert!(packed.contains("stages    1 ([])") && packed.contains("as packed,  3 games without search: "), "{packed}");
    assert!(fs::read_to_string(file("small.csv")).unwrap().starts_with("seconds,games,moves,mean,"));
    // One thread: the same games, the same weights, the same file.
    small_network(folder, "again", "300");
    assert_eq!(fs::read(file("small.net")).unwrap(), fs::read(file("again.net")).unwrap());
    // A training goes on where it stopped, here from late boards and with a divided network.
    fs::write(file("boards"), "2 4 8 16 32 64 128 256 2 0 0 0 0 0 0 0\n").unwrap();
    let more = ["train", "--resume", "small.ckp", "--out", "more.ckp", "--games", "310", "--stages", "100"];
    let more = printed(folder, &[&more[..], &["--starts", "boards", "--start-sums", "512..512"]].concat());
    assert!(more.starts_with("310 games, "), "{more}");
    assert!(printed(folder, &["pack", "more.ckp", "--out", "more.net"]).contains("stages    2 ([100])"));

    let board = "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0";
    let analysis = printed(folder, &["analyse", board, "--weights", "small.net", "--nodes", "300", "--line", "2"]);
    let lines: Vec<&str> = analysis.lines().collect();
    assert!(lines[0].starts_with("U  no change") && lines[1].starts_with("D  "), "{analysis}");
    assert!(lines[4].starts_with("best ") && lines.last().unwrap().starts_with("line "), "{analysis}");
    let piped = run(folder, &["analyse", "-", "--weights", "small.net", "--nodes", "300", "--line", "2"], board);
    assert_eq!(stdout(&piped), format!("{board}\n{analysis}"));

    let games = |out: &str, jobs: &str| {
        let player = ["run", "--weights", "small.net", "--budget", "1", "--seeds", "1..4", "--json"];
        let text = printed(folder, &[&player[..], &["--out", out, "--jobs", jobs]].concat());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let (one, two, again) = (games("one", "1"), games("two", "2"), games("one", "1"));
    for summary in [&one, &two, &again] {
        assert_eq!(summary["games"], 4);
        assert_eq!((&summary["mean"], &summary["ci95"]), (&one["mean"], &one["ci95"]));
        let [low, high] = [0, 1].map(|end| summary["tiles_ci95"]["2048"][end].as_f64().unwrap());
        assert!(low <= summary["tiles"]["2048"].as_f64().unwrap() && high > low);
    }
    assert_eq!(fs::read_to_string(file("one")).unwrap().lines().count(), 4, "no game is played again");
}

#[test]
fn a_planned_game_is_the_game_that_its_moves_play() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "50");
    let quick = ["--beam", "64", "--limit-s", "1"];
    let text =
        planned(folder, &[&["perfect", "--seed", "7", "--out", "moves", "--trace", "trace"], &quick[..]].concat());
    let score = text.split("Score ").nth(1).unwrap().split(' ').next().unwrap();
    let played = stdout(&run(folder, &["estr1002"], fs::read(folder.join("moves")).unwrap()));
    assert!(played.contains(&format!("Your score is {score}.")), "{text}{played}");
    assert!(fs::read_to_string(folder.join("trace")).unwrap().starts_with("depth,sum,boards,width,value,deaths\n"));

    let at_once = ["--beam", "2", "--limit-s", "0", "--out", "scores"];
    let table = planned(folder, &[&["perfect", "--seeds", "1..3"], &at_once[..]].concat());
    let lines = fs::read_to_string(folder.join("scores")).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(table.contains("0 of 3 seeds reach "), "{table}");
    // The older name, which finds all seeds planned already.
    assert_eq!(planned(folder, &[&["ceiling", "--seeds", "1..3"], &at_once[..]].concat()), table);
    assert_eq!(fs::read_to_string(folder.join("scores")).unwrap(), lines);
}

#[test]
fn the_seed_of_a_game_is_found_in_its_boards() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1234\n".to_string() + &"R\nD\nL\nD\n".repeat(12);
    fs::write(folder.path().join("game"), run(folder.path(), &["estr1002"], moves).stdout).unwrap();
    let found = printed(folder.path(), &["recover", "game", "--threads", "1"]);
    assert!(found.starts_with("seed 1234 with zero parameters\n1 candidates left"), "{found}");
    let none = run(folder.path(), &["recover", "-"], "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("too few to search"), "{}", stderr(&none));
}

#[test]
fn many_games_of_a_simple_player() {
    let folder = tempfile::tempdir().unwrap();
    let random = ["run", "--player", "random", "--seeds", "5..7"];
    let text = printed(folder.path(), &random);
    assert!(text.starts_with("games     3\nmean      ") && text.contains(" ± "), "{text}");
    let one =
        printed(folder.path(), &[&random[..], &["--games", "1", "--boards", "boards", "--boards-every", "1"]].concat());
    assert!(one.contains("games     1\n") && one.contains("(one game tells nothing about the next)"), "{one}");
    let boards = fs::read_to_string(folder.path().join("boards")).unwrap();
    assert!(boards.lines().all(|line| line.split(' ').count() == 16), "{boards}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, status, complaint) in [
        (&["run", "--seeds", "7..3"][..], 2, "7 is above 3"),
        (&["run", "--player", "nobody", "--seeds", "1"], 1, "there is no player \"nobody\""),
        (&["perfect"], 2, "--seed"),
        (&["perfect", "--seed", "1", "--seeds", "1..2"], 2, "cannot be used with"),
        (&["train", "--out", "x", "--tuple", "0,16"], 2, "no cell from 0 to 15"),
        (&["train", "--out", "x", "--initial", "5", "--resume", "y"], 1, "--fresh-from"),
        (&["pack", "nothing.ckp", "--out", "x"], 1, "nothing.ckp"),
        (&["pack", "nothing.ckp", "--out", "no/such/folder"], 1, "cannot save to no/such/folder"),
        (&["analyse", "1 2 3"], 1, "a board has 16 cells"),
        (&["recover", "nothing"], 1, "nothing"),
    ] {
        let output = run(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(complaint), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
