//! PSA3 against the course's tester, its board files and whole recorded games.

mod support;

use std::collections::HashMap;
use std::fs;

use estr2048::courses::psa3::{self, GameBoard, Record};
use estr2048::courses::{direction_of_key, key_of_direction};
use estr2048::{Direction, JavaRandom};
use support::{cells_from, data, root};

fn file(name: &str) -> Vec<u8> {
    fs::read(root().join("tests/data/psa3/boards").join(name)).unwrap()
}

fn load(name: &str) -> GameBoard {
    GameBoard::load(JavaRandom::new(psa3::SEED), &file(name)).unwrap()
}

fn flag(text: &str) -> bool {
    match text {
        "0" => false,
        "1" => true,
        _ => panic!("{text} is neither 0 nor 1"),
    }
}

/// `key=value` words of a line.
fn settings(words: &[&str]) -> HashMap<String, i64> {
    let pairs = words.iter().filter_map(|word| word.split_once('='));
    pairs.filter_map(|(key, value)| Some((key.to_string(), value.parse().ok()?))).collect()
}

#[test]
fn facts_of_the_course_tester() {
    let mut checked = 0;
    for line in data("psa3/tester_facts.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "addtile" => {
                let set = settings(&words);
                let mut board = GameBoard::new(JavaRandom::new(set["seed"]), set["size"] as usize).unwrap();
                for _ in psa3::START_TILES as i64..set["calls"] {
                    board.add_random_tile();
                }
                assert_eq!(board.grid().cells(), cells_from(words[4]), "{line}");
            }
            "load" => {
                let (board, set) = (load(words[1]), settings(&words));
                assert_eq!(board.grid().rows() as i64, set["size"]);
                assert_eq!(board.score(), set["score"]);
                assert_eq!(board.grid().cells(), cells_from(words[4]));
                assert_eq!(board.save_board().as_bytes(), file(words[1]));
            }
            "canmove" => {
                let board = load(words[1]);
                for (direction, can) in Direction::ALL.into_iter().zip(&words[2..]) {
                    assert_eq!(board.can_move(direction), flag(can), "{line} {direction:?}");
                }
            }
            "gameover" => assert_eq!(load(words[1]).is_game_over(), flag(words[2]), "{line}"),
            "move" => {
                let mut board = load(words[1]);
                let direction = match words[2] {
                    "UP" => Direction::Up,
                    "DOWN" => Direction::Down,
                    "LEFT" => Direction::Left,
                    "RIGHT" => Direction::Right,
                    name => panic!("{name} is no direction"),
                };
                assert!(board.r#move(direction));
                assert_eq!(board.grid().cells(), cells_from(words[3]), "{line}");
            }
            kind => panic!("unknown fact {kind}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 14 + 1 + 2 + 2 + 4);
}

#[test]
fn whole_games() {
    let (mut board, mut moves, mut games) = (None::<GameBoard>, 0, 0);
    for line in data("psa3/games.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "game" => {
                let set = settings(&words);
                board = Some(GameBoard::new(JavaRandom::new(set["seed"]), set["size"] as usize).unwrap());
                moves = 0;
            }
            "end" => {
                assert_eq!(words[1], format!("moves={moves}"));
                assert_eq!(words[2], format!("over={}", board.take().unwrap().is_game_over()));
                games += 1;
            }
            command => {
                let board = board.as_mut().unwrap();
                if command != "init" {
                    let direction = direction_of_key(command.chars().next().unwrap()).unwrap();
                    let (before, can) = (board.clone(), board.can_move(direction));
                    let moved = board.r#move(direction);
                    assert_eq!(moved, can);
                    if moved {
                        assert!(board.add_random_tile().is_some());
                    } else {
                        assert_eq!(board, &before);
                    }
                    assert_eq!(moved, flag(words[1]), "{line}");
                    moves += 1;
                }
                assert_eq!(board.score(), words[2].parse().unwrap(), "{line}");
                assert_eq!(board.grid().cells(), cells_from(words[3]), "{line}");
            }
        }
    }
    assert_eq!(games, 8);
}

#[test]
fn every_board_file_is_saved_as_it_was() {
    let mut checked = 0;
    for entry in fs::read_dir(root().join("tests/data/psa3/boards")).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("recordfile") {
            continue;
        }
        let text = fs::read(&path).unwrap();
        let board = GameBoard::load(JavaRandom::new(1), &text).unwrap();
        assert_eq!(board.save_board().as_bytes(), text, "{}", path.display());
        // Any blanks and line ends will do to read it.
        let words = String::from_utf8(text).unwrap();
        let words: Vec<&str> = words.split_whitespace().collect();
        for joined in [words.join(" "), words.join("\r\n"), format!("\n\t {}\r", words.join("\t\u{b}"))] {
            assert_eq!(GameBoard::load(JavaRandom::new(1), joined.as_bytes()).unwrap(), board);
        }
        checked += 1;
    }
    assert_eq!(checked, 8);
}

/// The strings that the facts file quotes, in its own escapes.
#[test]
fn texts_of_the_starter() {
    let texts = data("psa3/starter_texts.txt");
    let escape = |text: &str| format!("\"{}\"", text.replace('\n', "\\n"));
    for text in [psa3::WELCOME, psa3::GENERATING, psa3::RECORDING, psa3::REPLAYING, psa3::CONTROLS] {
        assert!(texts.contains(&escape(text)), "{text}");
    }
    assert!(texts.contains(&format!("\"{}<file>\"", psa3::LOADING)));
    assert!(
        texts
            .contains(&format!("random seed in the shipped Game2048.java: {}", psa3::SEED).replace("random", "Random"))
    );
    assert!(texts.contains(&format!("-s below 2 or missing: {}", psa3::DEFAULT_SIZE)));
    assert!(texts.contains(&format!("-o missing: {:?}", psa3::DEFAULT_FILE)));
    let board = load("canMoveTest1.in").to_string();
    assert_eq!(board.lines().next(), Some("Score: 88"));
    assert_eq!(board.lines().nth(3), Some("    2    -    -    -"));
    assert!(board.ends_with("-\n"));
}

#[test]
fn a_full_board_draws_nothing() {
    let mut board = load("gameOver1.in");
    let before = board.clone();
    assert_eq!(board.add_random_tile(), None);
    assert_eq!(board, before);
}

#[test]
fn sizes() {
    for size in [0, 1, 129, usize::MAX] {
        assert!(GameBoard::new(JavaRandom::new(1), size).is_err(), "{size}");
    }
    for size in [2, 3, 128] {
        assert_eq!(GameBoard::new(JavaRandom::new(1), size).unwrap().grid().count_empty(), size * size - 2);
    }
}

fn problem(file: &[u8]) -> String {
    GameBoard::load(JavaRandom::new(1), file).unwrap_err().to_string()
}

#[test]
fn damaged_boards_say_where() {
    let place = |line, column, message: &str| format!("{line}:{column}: expected {message}");
    assert_eq!(problem(b""), place(1, 1, "the size of the board, from 2 to 128, found the end of the file"));
    assert_eq!(problem(b"\n x\n"), place(2, 2, "the size of the board, from 2 to 128, found \"x\""));
    for size in ["1", "0", "-4", "129", "4.0", "99999999999999999999", "4,4", "\u{feff}4"] {
        let shown = size.as_bytes().escape_ascii();
        assert_eq!(
            problem(format!("{size}\n0\n").as_bytes()),
            place(1, 1, &format!("the size of the board, from 2 to 128, found \"{shown}\""))
        );
    }
    assert_eq!(problem(b"2\n"), place(2, 1, "the score, found the end of the file"));
    assert_eq!(problem(b"2\nten\n"), place(2, 1, "the score, found \"ten\""));
    assert_eq!(problem(b"2\n0\n2 4 \n8 x \n"), place(4, 3, "the tile of row 2, column 2, found \"x\""));
    assert_eq!(problem(b"2\n0\n2 4 \n8 \n"), place(5, 1, "the tile of row 2, column 2, found the end of the file"));
    assert_eq!(problem(b"2\n0\n2 4 \n8"), place(4, 2, "the tile of row 2, column 2, found the end of the file"));
    assert_eq!(problem(b"2 0 2 4 8 2147483648"), place(1, 11, "the tile of row 2, column 2, found \"2147483648\""));
    assert_eq!(problem(b"2\r\n0\r\n2 4\r\n8 4\r\n 5"), place(5, 2, "the end of the file, found \"5\""));
    assert_eq!(problem(b"2\r0\r2 4\r8 4\r 5"), place(5, 2, "the end of the file, found \"5\""));
    assert_eq!(problem("2 0 \u{e9} x".as_bytes()), place(1, 5, "the tile of row 1, column 1, found \"\\xc3\\xa9\""));
    assert_eq!(problem(b"2 0 2 \0\xff 3 4"), place(1, 7, "the tile of row 1, column 2, found \"\\x00\\xff\""));
    let long = problem(&[b'7'; 1000]);
    assert!(long.ends_with("found \"77777777777777777777...\""), "{long}");
}

#[test]
fn the_shipped_record() {
    let record = Record::read(&file("recordfile")).unwrap();
    assert_eq!((record.size, record.seed), (4, psa3::SEED));
    assert_eq!(record.to_string(), "4 dsdsdddd");
    let keys: String = record.moves.iter().map(|&direction| key_of_direction(direction)).collect();
    assert_eq!(keys, "dsdsdddd");
}

#[test]
fn records() {
    let read = |text: &str| Record::read(text.as_bytes());
    for (text, again) in [
        ("4 ", "4 "),
        ("4", "4 "),
        ("4 wsa", "4 wsa"),
        ("4 w s\r\na\r\nd", "4 wsad"),
        ("9 seed=7 wsa", "9 seed=7 wsa"),
        ("4 seed=-9223372036854775808", "4 seed=-9223372036854775808 "),
        ("4 seed=420 w", "4 w"),
    ] {
        let record = read(text).unwrap();
        assert_eq!(record.to_string(), again);
        assert_eq!(read(again).unwrap(), record);
    }
    for (text, place) in [
        ("", "1:1: expected the size of the board, from 2 to 128, found the end of the file"),
        ("4wsa", "1:1: expected the size of the board, from 2 to 128, found \"4wsa\""),
        ("1 w", "1:1: expected the size of the board, from 2 to 128, found \"1\""),
        ("4 wsx\r\n", "1:5: expected a move, w, a, s or d, found \"x\""),
        ("4 w\n\nq", "3:1: expected a move, w, a, s or d, found \"q\""),
        ("4 W", "1:3: expected a move, w, a, s or d, found \"W\""),
        ("4 seed=x w", "1:3: expected a seed, as in seed=420, found \"seed=x\""),
        ("4 w seed=7", "1:6: expected a move, w, a, s or d, found \"eed=7\""),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), place, "{text:?}");
    }
}
