//! CS 61B against the course's own test cases of two semesters, and its tiles against the skeleton's.

mod support;

use std::fs;

use estr2048::courses::cs61b::{self, Model, Side};
use estr2048::{Board, JavaRandom};
use proptest::prelude::*;
use serde_json::Value;
use support::{data, root};

fn board(value: &Value) -> Board {
    let rows: Vec<Vec<i32>> = serde_json::from_value(value.clone()).unwrap();
    Board::over(rows.len(), rows[0].len(), rows.concat()).unwrap()
}

fn side(value: &Value) -> Side {
    match value["side"].as_str().unwrap() {
        "NORTH" => Side::North,
        "EAST" => Side::East,
        "SOUTH" => Side::South,
        "WEST" => Side::West,
        side => panic!("{side} is no side"),
    }
}

/// Runs one case; what it expects, and only that, is checked.
fn check(case: &Value) {
    let mut board_now = board(&case["before"]);
    let (args, expect) = (&case["args"], &case["expect"]);
    let number = |name: &str| usize::try_from(args[name].as_u64().unwrap()).unwrap();
    let (mut gain, mut returned) = (None, Value::Null);
    match case["call"].as_str().unwrap() {
        "moveTileUpAsFarAsPossible" => {
            let (r, c, min_r) = (number("r"), number("c"), number("minR"));
            returned = cs61b::move_tile_up_as_far_as_possible(&mut board_now, r, c, min_r).into();
        }
        "tiltColumn" => gain = Some(cs61b::tilt_column(&mut board_now, number("c")).gain),
        "tiltUp" => gain = Some(cs61b::tilt_up(&mut board_now).gain),
        "tilt" => {
            let shift = cs61b::tilt(&mut board_now, side(args));
            (gain, returned) = (Some(shift.gain), shift.changed.into());
        }
        "emptySpaceExists" => returned = cs61b::empty_space_exists(&board_now).into(),
        "maxTileExists" => returned = cs61b::max_tile_exists(&board_now).into(),
        "atLeastOneMoveExists" => returned = cs61b::at_least_one_move_exists(&board_now).into(),
        "gameOver" => (gain, returned) = (Some(0), cs61b::game_over(&board_now).into()),
        call => panic!("unknown call {call}"),
    }
    let mut checked = 0;
    for (key, expected) in expect.as_object().unwrap() {
        match key.as_str() {
            "after" => assert_eq!(board_now, board(expected), "{case}"),
            "return" => assert_eq!(&returned, expected, "{case}"),
            "score_gain" => assert_eq!(gain.unwrap(), expected.as_i64().unwrap(), "{case}"),
            key => panic!("unknown expectation {key}"),
        }
        checked += 1;
    }
    assert!(checked > 0, "{case}");
}

#[test]
fn cases_of_the_course() {
    let mut checked = 0;
    for semester in ["sp21", "sp25"] {
        for entry in fs::read_dir(root().join("tests/data/cs61b").join(semester)).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let file: Value = serde_json::from_str(&text).unwrap();
            for case in file["cases"].as_array().unwrap() {
                check(case);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 85 + 68, "cases in both semesters");
}

/// `seed=N size=N c,r,v ...`: draws on a board that is always empty, so that each draw is one tile.
#[test]
fn tiles_of_the_skeleton() {
    let mut checked = 0;
    for line in data("cs61b/spawn_draws.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut setting = |name: &str| words.next().unwrap().strip_prefix(name).unwrap().parse::<i64>().unwrap();
        let (seed, size) = (setting("seed="), setting("size=") as usize);
        let mut random = JavaRandom::new(seed);
        for draw in words {
            let numbers: Vec<i32> = draw.split(',').map(|number| number.parse().unwrap()).collect();
            let mut board = Board::empty(size, size).unwrap();
            assert_eq!(cs61b::add_tile(&mut board, &mut random), Some(numbers[2]), "{line}");
            let (col, row) = (numbers[0] as usize, size - 1 - numbers[1] as usize);
            assert_eq!(board.row(row)[col], numbers[2], "{draw} of {line}");
            checked += 1;
        }
    }
    assert_eq!(checked, 8 * 60);
}

/// A taken square costs the whole draw, its value too.
#[test]
fn a_taken_square_is_drawn_again() {
    let line =
        data("cs61b/spawn_draws.txt").lines().find(|line| line.starts_with("seed=5 size=4")).unwrap().to_string();
    let draws: Vec<Vec<usize>> =
        line.split(' ').skip(2).map(|draw| draw.split(',').map(|number| number.parse().unwrap()).collect()).collect();
    let mut expected = Board::empty(4, 4).unwrap();
    let mut board = Board::empty(4, 4).unwrap();
    let mut random = JavaRandom::new(5);
    for draw in draws {
        let cell = (3 - draw[1]) * 4 + draw[0];
        if expected.cells()[cell] == 0 {
            expected.cells_mut()[cell] = draw[2] as i32;
            cs61b::add_tile(&mut board, &mut random);
        }
        assert_eq!(board, expected);
    }
    assert!(expected.count_empty() <= 2, "the draws fill the board");
}

/// The last free square is drawn in the end, wherever it is and whatever the size.
#[test]
fn the_last_free_square() {
    for size in [1, 2, 3, 4, 20, 128] {
        for (row, col) in [(0, 0), (0, size - 1), (size - 1, 0), (size / 2, size / 2)] {
            for seed in [0, 5, -1] {
                let mut board = Board::over(size, size, vec![2; size * size]).unwrap();
                board.cells_mut()[row * size + col] = 0;
                assert!(cs61b::add_tile(&mut board, &mut JavaRandom::new(seed)).is_some(), "{size} {row} {col}");
                assert_eq!(board.count_empty(), 0);
            }
        }
    }
}

#[test]
fn a_full_board_draws_nothing() {
    let mut board = Board::over(1, 1, [2]).unwrap();
    let mut random = JavaRandom::new(5);
    assert_eq!(cs61b::add_tile(&mut board, &mut random), None);
    assert_eq!(random, JavaRandom::new(5));
}

#[test]
fn the_look_of_the_model() {
    let mut model = Model::new(4, JavaRandom::new(cs61b::RANDOM_SEED)).unwrap();
    model.add_tile();
    model.add_tile();
    let look = "\n[\n|    |   2|    |    |\n|    |    |    |    |\n|    |    |    |    |\n|    |    |   2|    |\n] 0 (game is not over) \n";
    assert_eq!(model.to_string(), look);
    assert!(model.tilt(Side::North));
    assert!(!model.tilt(Side::North));
    assert_eq!(model.score(), 0);
}

fn boards() -> impl Strategy<Value = Board> {
    (1_usize..7, 1_usize..7).prop_flat_map(|(rows, cols)| {
        prop::collection::vec(prop::sample::select(vec![0, 0, 2, 2, 4, 8]), rows * cols)
            .prop_map(move |cells| Board::over(rows, cols, cells).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// The assignment builds a tilt from single tiles: top to bottom, and no tile goes past the last combined one.
    #[test]
    fn a_tilt_is_made_of_single_tiles(board in boards()) {
        let (mut tilted, mut columns, mut tiles) = (board.clone(), board.clone(), board.clone());
        let shift = cs61b::tilt_up(&mut tilted);
        for c in 0..board.cols() {
            cs61b::tilt_column(&mut columns, c);
            let mut min_r = 0;
            for r in 0..board.rows() {
                let merged = cs61b::move_tile_up_as_far_as_possible(&mut tiles, r, c, min_r);
                min_r = min_r.max(merged);
            }
        }
        prop_assert_eq!(&columns, &tilted);
        prop_assert_eq!(&tiles, &tilted);
        prop_assert_eq!(shift.changed, tilted != board);
    }

    /// A single tile's way against a plain walk.
    #[test]
    fn a_single_tile(board in boards(), r in 0_usize..60, c in 0_usize..60, min_r in 0_usize..7) {
        let (r, c) = (r % board.rows(), c % board.cols());
        let mut walked = board.clone();
        let cols = board.cols();
        let (mut row, mut merged) = (r, 0);
        let cells = walked.cells_mut();
        while cells[r * cols + c] != 0 && row > min_r && cells[(row - 1) * cols + c] == 0 {
            row -= 1;
        }
        let tile = std::mem::take(&mut cells[r * cols + c]);
        cells[row * cols + c] = tile;
        if tile != 0 && row > min_r && cells[(row - 1) * cols + c] == tile {
            cells[(row - 1) * cols + c] = 2 * tile;
            cells[row * cols + c] = 0;
            merged = row;
        }
        let mut moved = board.clone();
        prop_assert_eq!(cs61b::move_tile_up_as_far_as_possible(&mut moved, r, c, min_r), merged);
        prop_assert_eq!(moved, walked);
    }
}
