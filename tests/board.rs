//! Lines and boards of any size: moves that other programs made, then properties against a naive oracle.

mod support;

use estr2048::line::Line;
use estr2048::{Board, Direction};
use proptest::prelude::*;
use support::{cells_from, data};

fn square(text: &str) -> Board {
    let cells = cells_from(text);
    let side = text.split('/').count();
    Board::over(side, side, cells).unwrap()
}

/// The original 2048: one move from a board of any size.
#[test]
fn moves_of_the_original_game() {
    let file = data("engines/original_js_moves.txt");
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let direction = Direction::from_letter(fields[1].as_bytes()[0]).unwrap();
        let mut board = square(fields[2]);
        assert_eq!(board.rows().to_string(), fields[0]);
        assert_eq!(board.can_move(direction), fields[5] == "1", "{line}");
        let shift = board.shift(direction);
        assert_eq!(board, square(fields[3]), "{line}");
        assert_eq!(shift.gain.to_string(), fields[4], "{line}");
        assert_eq!(shift.changed, fields[5] == "1", "{line}");
        let moves_left = board.count_empty() > 0 || !board.is_over();
        assert_eq!(moves_left, fields[7] == "1", "{line}");
        checked += 1;
    }
    assert!(checked >= 300, "only {checked} moves in the file");
}

#[test]
fn lines_of_pgx() {
    let file = data("engines/pgx_lines.txt");
    let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 5);
    for line in lines {
        let (before, after) = line.split_once(' ').unwrap();
        let mut cells = cells_from(before);
        Line::new(&mut cells).shift();
        assert_eq!(cells, cells_from(after), "{line}");
    }
}

#[test]
fn facts_of_openspiel() {
    let file = data("engines/openspiel_unit_facts.txt");
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["terminal", board] => assert!(square(board).is_over(), "{line}"),
            ["down", "illegal", "on", board] => assert!(!square(board).can_move(Direction::Down), "{line}"),
            ["down", board, "->", ref facts @ ..] => {
                let mut board = square(board);
                let shift = board.shift(Direction::Down);
                for fact in facts.iter().filter_map(|fact| fact.strip_prefix("cell(")) {
                    let (place, tile) = fact.split_once(")=").unwrap();
                    let (row, col) = place.split_once(',').unwrap();
                    let found = board.row(row.parse().unwrap())[col.parse::<usize>().unwrap()];
                    assert_eq!(found.to_string(), tile, "{line}");
                }
                if let Some((_, gain)) = line.split_once("gain ") {
                    assert!(gain.starts_with(&shift.gain.to_string()), "{line}");
                }
            }
            _ => panic!("not understood: {line}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 5);
}

#[test]
fn the_three_steps_apart() {
    let mut cells = [0, 2, 0, 2, 2, 0, 2];
    let mut line = Line::new(&mut cells);
    assert!(line.pull());
    assert!(!line.pull());
    assert_eq!(line.combine().gain, 8);
    assert_eq!(cells, [4, 0, 4, 0, 0, 0, 0]);
    let mut line = Line::new(&mut cells);
    assert!(!line.combine().changed, "a gap is not jumped over");
    assert!(line.pull());
    assert_eq!(cells, [4, 4, 0, 0, 0, 0, 0]);
}

#[test]
fn doubles_that_do_not_fit_stay() {
    let mut cells = [i32::MAX, i32::MAX, 1 << 30, 1 << 30, -(1 << 30), -(1 << 30), i32::MIN, i32::MIN];
    let before = cells;
    assert_eq!(Line::new(&mut cells).combine().gain, i64::from(i32::MIN));
    assert_eq!(cells[..4], before[..4]);
    assert_eq!(cells[4..], [i32::MIN, 0, i32::MIN, i32::MIN]);
    let stuck = Board::over(1, 2, [i32::MAX, i32::MAX]).unwrap();
    assert!(stuck.is_over());
}

#[test]
fn sizes_are_checked() {
    assert!(Board::empty(0, 4).is_err());
    assert!(Board::empty(usize::MAX, 2).is_err());
    assert!(Board::over(2, 2, vec![0; 5]).is_err());
    assert!(Board::empty(1, 1).unwrap().is_over());
}

/// The rule as a sentence, without indices: take the tiles in order, join the first two of an equal pair, fill up.
fn oracle(line: &[i32]) -> (Vec<i32>, i64) {
    let mut tiles: Vec<i32> = line.iter().copied().filter(|&tile| tile != 0).rev().collect();
    let mut moved = Vec::new();
    let mut gain = 0;
    while let Some(tile) = tiles.pop() {
        let double = i64::from(tile) * 2;
        match tiles.last() {
            Some(&next) if next == tile && i32::try_from(double).is_ok() => {
                tiles.pop();
                moved.push(double as i32);
                gain += double;
            }
            _ => moved.push(tile),
        }
    }
    moved.resize(line.len(), 0);
    (moved, gain)
}

fn tiles() -> impl Strategy<Value = i32> {
    prop_oneof![
        4 => Just(0),
        8 => (1_u32..5).prop_map(|code| 1 << code),
        2 => any::<i32>(),
        1 => prop::sample::select(vec![i32::MAX, i32::MIN, 1 << 30, -(1 << 30), -1, 1]),
    ]
}

fn boards() -> impl Strategy<Value = Board> {
    (1_usize..9, 1_usize..9).prop_flat_map(|(rows, cols)| {
        prop::collection::vec(tiles(), rows * cols).prop_map(move |cells| Board::over(rows, cols, cells).unwrap())
    })
}

/// The board turned counter-clockwise by a quarter.
fn rotated(board: &Board) -> Board {
    let mut turned = Board::empty(board.cols(), board.rows()).unwrap();
    for row in 0..board.rows() {
        for col in 0..board.cols() {
            let index = (board.cols() - 1 - col) * board.rows() + row;
            turned.cells_mut()[index] = board.row(row)[col];
        }
    }
    turned
}

fn rotated_direction(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Left,
        Direction::Left => Direction::Down,
        Direction::Down => Direction::Right,
        Direction::Right => Direction::Up,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn shift_is_the_oracle(cells in prop::collection::vec(tiles(), 0..12)) {
        let mut shifted = cells.clone();
        let shift = Line::new(&mut shifted).shift();
        let (expected, gain) = oracle(&cells);
        prop_assert_eq!(shift.changed, shifted != cells);
        prop_assert_eq!((shifted, shift.gain), (expected, gain));
    }

    #[test]
    fn shift_is_pull_combine_pull(board in boards(), direction in prop::sample::select(&Direction::ALL)) {
        let mut steps = board.clone();
        steps.pull(direction);
        let gain = steps.combine(direction).gain;
        steps.pull(direction);
        let mut whole = board.clone();
        let shift = whole.shift(direction);
        prop_assert_eq!(&whole, &steps);
        prop_assert_eq!(shift.gain, gain);
        prop_assert_eq!(shift.changed, whole != board);
        prop_assert_eq!(board.can_move(direction), shift.changed);
    }

    #[test]
    fn a_rotated_board_moves_the_same(board in boards(), direction in prop::sample::select(&Direction::ALL)) {
        let mut turned = rotated(&board);
        turned.shift(rotated_direction(direction));
        let mut moved = board;
        moved.shift(direction);
        prop_assert_eq!(rotated(&moved), turned);
    }

    #[test]
    fn the_sum_is_kept(board in boards(), direction in prop::sample::select(&Direction::ALL)) {
        let mut moved = board.clone();
        moved.shift(direction);
        prop_assert_eq!(moved.sum(), board.sum());
    }

    #[test]
    fn moving_again_and_again_settles(board in boards(), direction in prop::sample::select(&Direction::ALL)) {
        let mut settled = board.clone();
        let longest = board.rows().max(board.cols());
        for _ in 0..longest {
            settled.shift(direction);
        }
        prop_assert!(!settled.can_move(direction));
        prop_assert_eq!(board.is_over(), Direction::ALL.into_iter().all(|d| !board.can_move(d)));
    }
}
