//! `estr2048 cs61b`: the skeleton's model on a pipe.

mod support;

use std::path::Path;

use estr2048::JavaRandom;
use estr2048::courses::cs61b::{Model, Side};
use support::{run, stdout};

fn play(words: &[&str], input: &str) -> String {
    stdout(&run(Path::new("."), &[&["cs61b"], words].concat(), input))
}

/// The same game on the assignment's own class.
fn reference(seed: i64, start_tiles: usize, sides: &[Side]) -> String {
    let mut model = Model::new(4, JavaRandom::new(seed)).unwrap();
    (0..start_tiles).for_each(|_| _ = model.add_tile());
    let mut text = model.to_string();
    for &side in sides {
        if model.game_over() {
            return text;
        }
        if model.tilt(side) && !model.game_over() {
            model.add_tile();
        }
        text += &format!("> {model}");
    }
    if model.game_over() { text } else { text + "> " }
}

#[test]
fn whole_games() {
    let sides = [Side::North, Side::West, Side::South, Side::East];
    for seed in [5, 1, 2025] {
        let many: Vec<Side> = sides.into_iter().cycle().take(2000).collect();
        let expected = reference(seed, 1, &many);
        assert!(expected.ends_with("(game is over) \n"));
        for words in ["w\na\ns\nd\n", "Up\nLeft\nDown\nRight\n", "\u{2191}\n\u{2190}\n\u{2193}\n\u{2192}\n"] {
            assert_eq!(play(&["--seed", &seed.to_string()], &words.repeat(500)), expected);
        }
    }
    let few = [Side::North, Side::North, Side::East];
    assert_eq!(play(&[], "w\nUP\r\nd\nq\n"), reference(5, 1, &few));
    assert_eq!(play(&["--start-tiles", "2"], "w\nw\nd\n"), reference(5, 2, &few));
}

#[test]
fn other_commands() {
    let start = reference(5, 1, &[]);
    assert_eq!(
        play(&[], "x\nquit\n"),
        format!("{start}Commands: w (Up), a (Left), s (Down), d (Right), n (New Game), q (Quit)\n> ")
    );
    // A new game goes on with the generator: its tile is the second of the seed.
    let mut model = Model::new(4, JavaRandom::new(5)).unwrap();
    model.add_tile();
    model.add_tile();
    let one = model.to_string().replace("|    |    |   2|    |", "|    |    |    |    |");
    assert_eq!(play(&[], "New Game\nq\n"), format!("{start}{one}> "));
}

#[test]
fn sizes() {
    for wrong in ["0", "129", "-1", "x"] {
        let output = run(Path::new("."), &["cs61b", &format!("--size={wrong}")], "");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    assert!(play(&["--size", "1"], "").ends_with("(game is over) \n"));
}

#[test]
fn another_seed_every_time() {
    for seed in ["random", "0"] {
        let words = ["--seed", seed, "--size", "20"];
        let starts: std::collections::HashSet<String> = (0..20).map(|_| play(&words, "q\n")).collect();
        assert!(starts.len() > 1, "{seed}");
    }
}
