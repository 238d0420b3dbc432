//! `estr2048 pa4` against the transcripts of the course's own program.

mod support;

use std::collections::HashSet;
use std::fs;

use estr2048::courses::direction_of_key;
use estr2048::courses::pa4::{Config, GameState};
use support::{data, run, stderr, stdout, text};

#[test]
fn new_games() {
    for name in ["game0", "game1", "writeup_example"] {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), &["pa4"], data(&format!("pa4/{name}.in")));
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stdout(&output).as_bytes(), data(&format!("pa4/{name}.out")), "{name}");
        assert!(output.stderr.is_empty());
        let saved = fs::read(folder.path().join("save.2048")).ok();
        assert_eq!(saved, (name == "game1").then(|| data("pa4/game1.save.2048")));
    }
}

#[test]
fn a_loaded_game_is_saved_over_its_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.2048");
    fs::write(&file, data("pa4/load.file")).unwrap();
    let output = run(folder.path(), &["pa4", "t.2048"], data("pa4/load.in"));
    assert_eq!(stdout(&output).as_bytes(), data("pa4/load.out"));
    assert_eq!(fs::read(file).unwrap(), data("pa4/load.after_save.2048"));
    assert!(!folder.path().join("save.2048").exists());
}

#[test]
fn a_missing_file_starts_a_new_game_that_is_saved_there() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["pa4", "missing.2048"], data("pa4/missing_file.in"));
    assert_eq!(stdout(&output).as_bytes(), data("pa4/missing_file.out"));
    let output = run(folder.path(), &["pa4", "missing.2048"], "w\no\nq\n");
    assert!(stdout(&output).contains("Saved current state to: missing.2048\n"));
    let saved = fs::read_to_string(folder.path().join("missing.2048")).unwrap();
    assert_eq!(saved, "4 4\n0\n2 0 0 2\n0 2 0 0\n0 0 0 0\n0 0 0 0\n");
}

#[test]
fn two_files_are_answered_with_the_usage() {
    let folder = tempfile::tempdir().unwrap();
    for files in [&["pa4", "a", "b"][..], &["pa4", "a", "b", "c"]] {
        let output = run(folder.path(), files, "w\nq\n");
        assert_eq!((output.status.code(), stdout(&output).as_bytes()), (Some(0), &data("pa4/two_args.out")[..]));
    }
}

/// Lines end as Java's `Scanner` ends them, and the last one needs no end.
#[test]
fn line_ends() {
    let folder = tempfile::tempdir().unwrap();
    for input in ["d\r\ns\r\na\r\nw\r\na\r\na\r\ns\r\nq", "d\rs\ra\rw\ra\ra\rs\rq\r", "d\ns\na\nw\na\na\ns\nq"] {
        let output = run(folder.path(), &["pa4"], input);
        assert_eq!(stdout(&output).as_bytes(), data("pa4/writeup_example.out"), "{input:?}");
    }
}

#[test]
fn other_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let board = "Score: 0\n    -    -    -    -\n    -    -    -    -\n    2    -    -    2\n    -    -    -    -\n> ";
    let length = "Command must be one char long.\n";
    let commands = "Possible commands:\n w - up\n a - left\n s - down\n d - right\n o - save to file\n q - quit game\n";
    for (input, answer) in [
        ("".as_bytes(), length),
        (b" ", commands),
        (b"W", commands),
        (b" w", length),
        ("\u{e9}".as_bytes(), commands),
        ("\u{1f600}".as_bytes(), length),
        (b"\xff", commands),
        (b"\0", commands),
        (&[b'w'; 100_000], length),
    ] {
        let output = run(folder.path(), &["pa4"], [input, b"\nq\n"].concat());
        let expected = format!("Starting a default-sized random game...\n{board}{answer}{board}");
        assert_eq!(stdout(&output), expected, "{:?}", input.get(..10));
    }
}

/// Java's program dies of an exception at the end of the input; what it has printed by then is the same.
#[test]
fn the_input_ends_too_early() {
    let folder = tempfile::tempdir().unwrap();
    let whole = text("pa4/writeup_example.out");
    let output = run(folder.path(), &["pa4"], "d\ns\na\nw\na\na\ns\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), whole);
    assert!(stderr(&output).contains("the input ended before the game did"));
}

#[test]
fn the_game_ends() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("full"), "2 2\n40\n2 4\n2 8\n").unwrap();
    let output = run(folder.path(), &["pa4", "full"], "w\na\ns\nd\n".repeat(50));
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("Attempting to load game from full..\nScore: 40\n    2    4\n    2    8\n> Score: 44\n"));
    assert!(text.ends_with("\nGame Over!\n"));
    fs::write(folder.path().join("empty"), "1 2 7 0 0").unwrap();
    let output = run(folder.path(), &["pa4", "empty"], "");
    assert_eq!(stdout(&output), "Attempting to load game from empty..\nScore: 7\n    -    -\nGame Over!\n");
}

#[test]
fn a_damaged_file_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    for (text, place) in [
        (&b"4 4\n12\n2 2 2"[..], ":3:6: expected the tile of row 1, column 4, found the end of the file"),
        (b"4 4\n12\n2 2 x 2", ":3:5: expected the tile of row 1, column 3, found \"x\""),
        (b"", ":1:1: expected the number of rows"),
        (b"\xff\xfe4\0 4\0", ":1:1: expected the number of rows"),
        (b"100000 100000\n0\n", ":1:1: expected the number of rows, from 1 to 128, found \"100000\""),
    ] {
        fs::write(&file, text).unwrap();
        let output = run(folder.path(), &["pa4", "save"], "w\no\nq\n");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stdout(&output), "Attempting to load game from save..\n");
        assert!(stderr(&output).contains(&format!("save{place}")), "{}", stderr(&output));
        assert_eq!(fs::read(&file).unwrap(), text);
    }
}

/// A folder exists but cannot be read: the course's program reports that, and starts a new game.
#[test]
fn a_folder_for_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("d")).unwrap();
    let output = run(folder.path(), &["pa4", "d"], "w\no\nq\n");
    let missing = stdout(&run(folder.path(), &["pa4", "m"], "w\nq\n")).replace("from m..", "from d..");
    let again = missing.rsplit_once("> ").unwrap().0.rsplit_once("> ").unwrap().1;
    assert_eq!(stdout(&output), format!("{missing}{again}> "));
    assert!(stderr(&output).contains("cannot read d") && stderr(&output).contains("cannot save to d"));
}

/// The values of the course's `Config`, on the assignment's own class.
#[test]
fn other_values_of_config() {
    let folder = tempfile::tempdir().unwrap();
    for (random_seed, default_size, two_prob) in [(7, 5, 70), (118, 4, 0), (-3, 3, 100), (118, 1, 50), (118, 4, 70)] {
        let config = Config { random_seed, default_size, two_prob, ..Config::default() };
        let mut state = GameState::new_game_with(&config).unwrap();
        let mut expected = format!("Starting a default-sized random game...\n{state}");
        for key in "wasdwasd".chars().take_while(|_| default_size > 1) {
            state.r#move(direction_of_key(key));
            expected += &format!("> {state}");
        }
        expected += if default_size > 1 { "> " } else { "Game Over!\n" };
        let (seed, size, two) = (random_seed.to_string(), default_size.to_string(), two_prob.to_string());
        let words = ["pa4", "--seed", &seed, "--size", &size, "--two-prob", &two];
        let output = run(folder.path(), &words, "w\na\ns\nd\nw\na\ns\nd\nq\n");
        assert_eq!(stdout(&output), expected, "{words:?}");
    }
    let only = |two_prob: &str| stdout(&run(folder.path(), &["pa4", "--two-prob", two_prob], "q\n"));
    assert!(!only("0").contains("   2") && !only("100").contains("   4"));
    for wrong in [["--two-prob", "101"], ["--two-prob", "-1"], ["--size", "0"], ["--size", "129"], ["--seed", "x"]] {
        assert_eq!(run(folder.path(), &[&["pa4"], &wrong[..]].concat(), "q\n").status.code(), Some(2), "{wrong:?}");
    }
}

/// A loaded game draws with the seed and the probability, too.
#[test]
fn config_holds_for_a_loaded_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("save"), "2 3\n0\n0 2 0\n0 0 0\n").unwrap();
    let output = run(folder.path(), &["pa4", "save", "--two-prob", "0"], "a\nq\n");
    assert!(stdout(&output).rsplit("> ").nth(1).unwrap().contains("   4"), "{}", stdout(&output));
}

#[test]
fn another_seed_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["pa4", "--seed", "random", "--size", "20"];
    let starts: HashSet<String> = (0..20).map(|_| stdout(&run(folder.path(), &words, "q\n"))).collect();
    assert!(starts.len() > 1);
}
