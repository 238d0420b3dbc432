//! `estr2048 comp1020`: the console game with its quirks and its undo.

mod support;

use std::path::Path;

use estr2048::courses::comp1020::{Board2048, direction_of_key};
use estr2048::{Direction, JavaRandom};
use support::{run, stderr, stdout};

const PROMPT: &str = "Type i,j,k,l or w,a,s,d for up,left,down,right:";

fn here() -> &'static Path {
    Path::new(".")
}

fn play(words: &[&str], input: &str) -> String {
    stdout(&run(here(), &[&["comp1020"], words].concat(), input))
}

/// The course's console program in its own steps, on the assignment's class, for lines with one of its letters.
fn reference(size: usize, seed: i64, input: &str) -> String {
    let mut random = JavaRandom::new(seed);
    let mut board = Board2048::new(size).unwrap();
    board.new_tile(&mut random);
    let mut out = format!("The board:\n{board}\n");
    let mut lines = input.lines();
    while !board.game_over() {
        loop {
            out += PROMPT;
            let Some(line) = lines.next() else {
                return out;
            };
            let direction = line.chars().next().and_then(direction_of_key);
            if let Some(direction) = direction.filter(|&direction| board.valid_move(direction)) {
                board = board.shift(direction);
                board.new_tile(&mut random);
                break;
            }
            out += "Invalid move.\n";
        }
        out += &format!("The board:\n{board}\n");
    }
    out + "Game Over!\n"
}

#[test]
fn whole_games() {
    for (size, seed) in [(4, 1), (4, 2), (3, 3), (2, 4), (1, 5), (5, -6)] {
        let input = "i\nJ\nk\nl\n\nwasd\na\nS\nd\n".to_lowercase().repeat(200);
        let expected = reference(size, seed, &input);
        assert!(expected.ends_with("Game Over!\n"), "size {size}");
        let output = run(here(), &["comp1020", &size.to_string(), "--seed", &seed.to_string()], &input);
        assert_eq!(stdout(&output), expected);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(play(&[&size.to_string(), "--seed", &seed.to_string()], &input.to_uppercase()), expected);
    }
}

#[test]
fn the_input_ends_too_early() {
    let output = run(here(), &["comp1020", "--seed", "1"], "i\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).ends_with(PROMPT));
    assert!(stderr(&output).contains("the input ended before the game did"));
}

/// An unknown letter is tried as the last known letter of this prompt, or as up.
#[test]
fn unknown_letters() {
    let seed = ["--seed", "1"];
    assert_eq!(play(&seed, "x\n"), play(&seed, "i\n"));
    assert_eq!(play(&seed, "7 is no letter\n"), play(&seed, "i\n"));
    // A direction without effect, then an unknown letter: that direction again.
    let blocked = |key: &str| play(&seed, &format!("{key}\n")).contains("Invalid move.");
    let (mut checked, keys) = (0, ["i", "j", "k", "l"]);
    for key in keys.into_iter().filter(|key| blocked(key)) {
        let twice = play(&seed, &format!("{key}\nx\n"));
        assert_eq!(twice.matches("Invalid move.").count(), 2);
        assert!(!twice.contains("\n\nThe board:"));
        checked += 1;
    }
    assert!(checked > 0, "one tile always lies at an edge of this board");
}

#[test]
fn undo_goes_back_to_the_first_board_and_never_beyond() {
    let seed = ["--seed", "7"];
    let moves = "ijklijklijkl".chars().map(|key| format!("{key}\n")).collect::<String>();
    let forward = play(&seed, &moves);
    let boards: Vec<&str> =
        forward.split("The board:\n").skip(1).map(|part| part.split("\n\n").next().unwrap()).collect();
    let undone = play(&seed, &format!("{moves}{}", "z\n".repeat(boards.len() - 1)));
    let shown: Vec<&str> =
        undone.split("The board:\n").skip(1).map(|part| part.split("\n\n").next().unwrap()).collect();
    let there_and_back: Vec<&str> = boards.iter().chain(boards.iter().rev().skip(1)).copied().collect();
    assert_eq!(shown, there_and_back);
    let beyond = play(&seed, &format!("{moves}{}Z\n", "z\n".repeat(boards.len() - 1)));
    assert_eq!(beyond, format!("{undone}Invalid move.\n{PROMPT}"));
    // The same moves after an undo give the same boards.
    let again = play(&seed, &format!("{moves}{}{moves}", "z\n".repeat(boards.len() - 1)));
    assert!(again.ends_with(forward.split_once(PROMPT).unwrap().1));
}

#[test]
fn sizes_and_seeds() {
    for seed in 0..20 {
        let tile = Board2048::new(1).map(|mut board| board.new_tile(&mut JavaRandom::new(seed))).unwrap().unwrap();
        assert_eq!(play(&["1", "--seed", &seed.to_string()], ""), format!("The board:\n{tile}\n\nGame Over!\n"));
    }
    for wrong in ["0", "129", "-4", "x", "4.5"] {
        assert_eq!(run(here(), &["comp1020", "--", wrong], "").status.code(), Some(2), "{wrong}");
    }
    assert_eq!(run(here(), &["comp1020", "4", "5"], "").status.code(), Some(2));
    let boards: std::collections::HashSet<String> = (0..20).map(|_| play(&["20"], "")).collect();
    assert!(boards.len() > 1, "without a seed every game is another one");
}

#[test]
fn every_key() {
    for (keys, direction) in
        [("iw", Direction::Up), ("ja", Direction::Left), ("ks", Direction::Down), ("ld", Direction::Right)]
    {
        let mut texts = keys.chars().map(|key| play(&["--seed", "3"], &format!("{key}\n")));
        assert_eq!(texts.next(), texts.next(), "{direction:?}");
    }
}
