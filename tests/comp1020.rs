//! COMP 1020 against the output of the course's test programs and against recorded lines and shifts.

mod support;

use estr2048::courses::comp1020::{self, Board2048, alter_one_line};
use estr2048::{Direction, JavaRandom};
use support::{cells_from, data};

fn ints(line: &str) -> Vec<i32> {
    line.split(", ").map(|tile| tile.parse().unwrap()).collect()
}

/// `testing [line] gives true and [line]`
#[test]
fn phase_1() {
    let mut checked = 0;
    for text in data("manitoba/TestA2Phase1.out").lines() {
        let (before, rest) = text.strip_prefix("testing [").unwrap().split_once("] gives ").unwrap();
        let (changed, after) = rest.split_once(" and [").unwrap();
        let mut line = ints(before);
        assert_eq!(alter_one_line(&mut line).to_string(), changed, "{text}");
        assert_eq!(line, ints(after.strip_suffix(']').unwrap()), "{text}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}

#[test]
fn phase_2() {
    let test = Board2048::from_grid(4, &[2, 0, 2, 4, 0, 0, 0, 8, 2, 2, 2, 2, 0, 8, 0, 8]).unwrap();
    let mut printed = String::new();
    let mut print = |title: &str, board: &Board2048| printed += &format!("{title}:\n{board}\n");
    print("Blank 5x5 board", &Board2048::new(5).unwrap());
    print("Blank 2x2 board", &Board2048::new(2).unwrap());
    print("Test board is", &test);
    let mut board = test.clone();
    for (title, direction) in [
        ("After shifting LEFT", Direction::Left),
        ("THEN shifting RIGHT", Direction::Right),
        ("THEN shifting DOWN", Direction::Down),
        ("THEN shifting UP", Direction::Up),
    ] {
        board = board.shift(direction);
        print(title, &board);
    }
    print("Original board should not have changed", &test);
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&printed), trimmed(&data("manitoba/TestA2Phase2.out")));
}

#[test]
fn recorded_lines() {
    let mut checked = 0;
    for text in data("manitoba/lines.txt").lines().filter(|text| !text.starts_with('#')) {
        let words: Vec<&str> = text.split(' ').collect();
        let mut line = cells_from(words[0]);
        assert_eq!(alter_one_line(&mut line).to_string(), words[1], "{text}");
        assert_eq!(line, cells_from(words[2]), "{text}");
        checked += 1;
    }
    assert_eq!(checked, data("manitoba/lines.txt").lines().count() - 1);
}

#[test]
fn recorded_shifts() {
    let mut checked = 0;
    for text in data("manitoba/shifts.txt").lines().filter(|text| !text.starts_with('#')) {
        let words: Vec<&str> = text.split(' ').collect();
        let board = Board2048::from_grid(words[0].parse().unwrap(), &cells_from(words[1])).unwrap();
        assert_eq!(board.num_empty().to_string(), words[2], "{text}");
        assert_eq!(board.game_over(), words[3] == "1", "{text}");
        for (direction, result) in Direction::ALL.into_iter().zip(words[4..].chunks(3)) {
            assert_eq!(result[0], direction.letter().to_string());
            assert_eq!(board.valid_move(direction), result[1] == "1", "{text}");
            let shifted = board.shift(direction);
            assert_eq!(shifted.grid().cells(), cells_from(result[2]), "{text}");
            assert_eq!(shifted != board, result[1] == "1", "validMove is what equals tells");
        }
        checked += 1;
    }
    assert!(checked >= 40, "only {checked} boards in the file");
}

#[test]
fn texts_of_the_console_game() {
    let facts = data("manitoba/supplied_code_facts.txt");
    for text in [comp1020::PROMPT, comp1020::INVALID_MOVE, comp1020::GAME_OVER] {
        assert!(facts.contains(&format!("\"{text}\"")), "{text}");
    }
    assert!(facts.contains(&format!("\"{}\\n\"+board", comp1020::THE_BOARD)));
}

#[test]
fn lines_can_be_taken_out_and_put_back() {
    let board = Board2048::from_grid(3, &[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    assert_eq!(board.extract_line(1, false, false), [4, 5, 6]);
    assert_eq!(board.extract_line(1, false, true), [6, 5, 4]);
    assert_eq!(board.extract_line(1, true, false), [2, 5, 8]);
    assert_eq!(board.extract_line(1, true, true), [8, 5, 2]);
    for (vertical, reverse) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut copy = Board2048::new(3).unwrap();
        for i in 0..3 {
            copy.insert_line(&board.extract_line(i, vertical, reverse), i, vertical, reverse);
        }
        assert_eq!(copy, board);
    }
}

#[test]
fn any_ints_combine() {
    let mut line = [3, 3, -1, -1, 0, 7, 7, 7];
    assert!(alter_one_line(&mut line));
    assert_eq!(line, [6, -2, 14, 7, 0, 0, 0, 0]);
    assert!(!alter_one_line(&mut []));
}

#[test]
fn keys() {
    for (keys, direction) in
        [("iw", Direction::Up), ("ja", Direction::Left), ("ks", Direction::Down), ("ld", Direction::Right)]
    {
        assert!(keys.chars().all(|key| comp1020::direction_of_key(key) == Some(direction)));
    }
    assert_eq!(comp1020::direction_of_key('z'), None);
}

/// Every empty place is drawn about equally often, and about nine tiles in ten are a 2. With 16000 tiles the bounds
/// are more than six standard deviations wide.
#[test]
fn new_tiles_are_uniform() {
    let mut random = JavaRandom::new(1020);
    let (mut places, mut twos) = ([0; 16], 0);
    for _ in 0..16_000 {
        let mut board = Board2048::new(4).unwrap();
        let tile = board.new_tile(&mut random).unwrap();
        places[board.grid().cells().iter().position(|&cell| cell == tile).unwrap()] += 1;
        twos += i32::from(tile == 2);
    }
    assert!(places.iter().all(|drawn| (800..=1200).contains(drawn)), "{places:?}");
    assert!((14_150..=14_650).contains(&twos), "{twos}");
    let mut full = Board2048::from_grid(1, &[2]).unwrap();
    assert_eq!(full.new_tile(&mut random), None);
}
