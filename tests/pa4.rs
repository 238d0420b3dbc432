//! PA4: the state that the assignment describes, and its files. The program's transcripts are in `cli/tests`.

mod support;

use estr2048::courses::pa4::{self, GameState};
use estr2048::{Board, Direction, JavaRandom};
use proptest::prelude::*;
use support::data;

fn state_of(rows: usize, cols: usize, cells: &[i32]) -> GameState {
    let mut state = GameState::new(rows, cols).unwrap();
    state.set_board(&Board::over(rows, cols, cells.to_vec()).unwrap());
    state
}

/// Splits a transcript into what is shown before each command.
fn screens(transcript: &str) -> impl Iterator<Item = &str> {
    transcript.split(pa4::PROMPT)
}

#[test]
fn the_game_of_the_writeup() {
    let (input, output) = (data("pa4/writeup_example.in"), data("pa4/writeup_example.out"));
    let mut screens = screens(output.strip_prefix(pa4::START).unwrap().trim_start());
    let mut state = GameState::new_game().unwrap();
    assert_eq!(screens.next(), Some(state.to_string().as_str()));
    for command in input.lines().take_while(|&command| command != "q") {
        let direction = estr2048::courses::direction_of_key(command.chars().next().unwrap());
        assert!(state.r#move(direction));
        assert_eq!(screens.next(), Some(state.to_string().as_str()));
    }
    assert_eq!((screens.next(), screens.next()), (Some(""), None));
}

#[test]
fn a_new_state_is_empty_and_a_loaded_one_starts_a_fresh_generator() {
    let mut state = GameState::new(3, 5).unwrap();
    assert_eq!((state.get_score(), state.count_empty_tiles()), (0, 15));
    assert!(state.is_game_over());
    let mut loaded = GameState::load(b"4 4\n0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0").unwrap();
    loaded.add_tile();
    loaded.add_tile();
    assert_eq!(loaded, GameState::new_game().unwrap());
    let mut random = JavaRandom::new(pa4::RANDOM_SEED);
    let rolls: Vec<_> = (1..50).map(|bound| state.roll_rng(bound)).collect();
    assert_eq!(rolls, (1..50).map(|bound| random.next_int_below(bound)).collect::<Vec<_>>());
}

#[test]
fn getters_copy_and_setters_copy() {
    let mut state = state_of(1, 2, &[2, 0]);
    let mut board = state.get_board();
    board.cells_mut()[0] = 64;
    assert_eq!(state.get_board().cells(), [2, 0]);
    state.set_board(&board);
    board.cells_mut()[0] = 8;
    assert_eq!(state.get_board().cells(), [64, 0]);
    let before = state.clone();
    state.set_board(None);
    assert!(!state.r#move(None));
    assert_eq!(state, before);
    state.set_score(-7);
    assert_eq!(state.get_score(), -7);
    assert_eq!(state.to_string(), "Score: -7\n   64    -\n");
}

#[test]
fn random_tile_is_a_two_in_seventy_of_a_hundred() {
    let mut state = GameState::new(1, 1).unwrap();
    let mut random = JavaRandom::new(pa4::RANDOM_SEED);
    for _ in 0..1000 {
        let two = random.next_int_below(100).unwrap() < 70;
        assert_eq!(state.random_tile(), if two { 2 } else { 4 });
    }
}

#[test]
fn add_tile_gives_the_tile_and_zero_on_a_full_board() {
    let mut state = GameState::new(2, 2).unwrap();
    for left in (0..4).rev() {
        let sum = state.get_board().sum();
        let tile = state.add_tile();
        assert!(tile == 2 || tile == 4);
        assert_eq!(state.get_board().sum(), sum + i64::from(tile));
        assert_eq!(state.count_empty_tiles(), left);
    }
    let before = state.clone();
    assert_eq!(state.add_tile(), 0);
    assert_eq!(state, before);
}

/// The examples of the assignment's chapter on `slideDown`.
#[test]
fn slide_down_as_in_the_writeup() {
    for (before, moved, after, score) in [
        ([0, 0, 2, 0, 0, 0, 0, 0, 0], true, [0, 0, 0, 0, 0, 0, 0, 0, 2], 0),
        ([0, 0, 0, 0, 0, 2, 0, 0, 2], true, [0, 0, 0, 0, 0, 0, 0, 0, 4], 4),
        ([0, 0, 2, 0, 0, 2, 0, 0, 2], true, [0, 0, 0, 0, 0, 2, 0, 0, 4], 4),
        ([0, 0, 0, 0, 0, 4, 0, 0, 8], false, [0, 0, 0, 0, 0, 4, 0, 0, 8], 0),
    ] {
        let mut state = state_of(3, 3, &before);
        assert_eq!(state.can_slide_down(), moved);
        assert_eq!(state.slide_down(), moved);
        assert_eq!(state.get_board().cells(), after);
        assert_eq!(state.get_score(), score);
    }
    let mut column = state_of(4, 1, &[4, 4, 4, 4]);
    assert!(column.slide_down());
    assert_eq!(column.get_board().cells(), [0, 0, 8, 8]);
}

#[test]
fn recorded_files_are_saved_as_they_were() {
    for name in ["game1.save.2048", "load.after_save.2048", "load.file", "student_save.2048"] {
        let file = data(&format!("pa4/{name}"));
        assert_eq!(GameState::load(file.as_bytes()).unwrap().save(), file, "{name}");
    }
}

#[test]
fn damaged_files_say_where() {
    for (file, problem) in [
        ("", "1:1: expected the number of rows, from 1 to 128, found the end of the file"),
        ("4", "1:2: expected the number of columns, from 1 to 128, found the end of the file"),
        ("4 0\n", "1:3: expected the number of columns, from 1 to 128, found \"0\""),
        ("2147483647 2147483647\n", "1:1: expected the number of rows, from 1 to 128, found \"2147483647\""),
        ("1 2\n-7\n2\n", "4:1: expected the tile of row 1, column 2, found the end of the file"),
        ("1 2\n-7\n2 four\n", "3:3: expected the tile of row 1, column 2, found \"four\""),
        ("1 2\n-7\n2 4 8\n", "3:5: expected the end of the file, found \"8\""),
    ] {
        assert_eq!(GameState::load(file.as_bytes()).unwrap_err().to_string(), problem, "{file:?}");
    }
}

/// Rectangular boards up to 7 × 7 of small tiles, so that they combine often; some with any ints.
fn boards() -> impl Strategy<Value = Board> {
    let tile = prop_oneof![8 => prop::sample::select(vec![0, 0, 2, 2, 4, 8]), 1 => any::<i32>()];
    (1_usize..8, 1_usize..8).prop_flat_map(move |(rows, cols)| {
        prop::collection::vec(tile.clone(), rows * cols).prop_map(move |cells| Board::over(rows, cols, cells).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn sliding_down_between_turns_is_a_move(board in boards()) {
        // How often the board is turned before it slides down: the directions of the course's `getRotationCount`.
        for (turns, direction) in [Direction::Down, Direction::Left, Direction::Up, Direction::Right].into_iter().enumerate() {
            let mut state = GameState::new(1, 1).unwrap();
            state.set_board(&board);
            let mut moved = state.clone();
            (0..turns).for_each(|_| state.rotate_counter_clockwise());
            prop_assert_eq!(state.can_slide_down(), board.can_move(direction));
            let changed = state.slide_down();
            (turns..4).for_each(|_| if turns > 0 { state.rotate_counter_clockwise() });
            if changed {
                state.add_tile();
            }
            prop_assert_eq!(moved.r#move(direction), changed);
            prop_assert_eq!(moved, state);
        }
    }

    #[test]
    fn save_load_save_is_the_identity(board in boards(), score in any::<i64>()) {
        let mut state = GameState::new(1, 1).unwrap();
        state.set_board(&board);
        state.set_score(score);
        let loaded = GameState::load(state.save().as_bytes()).unwrap();
        prop_assert_eq!(&loaded, &state);
        prop_assert_eq!(loaded.save(), state.save());
    }

    /// The board's own lines against plain indices.
    #[test]
    fn lines_and_turns(board in boards()) {
        let (rows, cols) = (board.rows(), board.cols());
        let turned = board.rotated_counter_clockwise();
        prop_assert_eq!((turned.rows(), turned.cols()), (cols, rows));
        prop_assert_eq!(&turned.rotated_clockwise(), &board);
        prop_assert_eq!(turned.rotated_counter_clockwise().rotated_counter_clockwise(), board.rotated_clockwise());
        for row in 0..rows {
            let line = board.row(row).to_vec();
            prop_assert_eq!(board.extract_line(Direction::Left, row), line.clone());
            prop_assert_eq!(board.extract_line(Direction::Right, row), line.iter().rev().copied().collect::<Vec<_>>());
        }
        for col in 0..cols {
            let line: Vec<i32> = (0..rows).map(|row| board.row(row)[col]).collect();
            prop_assert_eq!(board.extract_line(Direction::Up, col), line.clone());
            prop_assert_eq!(board.extract_line(Direction::Down, col), line.iter().rev().copied().collect::<Vec<_>>());
            prop_assert_eq!(turned.row(cols - 1 - col), line);
        }
        let mut copy = Board::empty(rows, cols).unwrap();
        for row in 0..rows {
            copy.insert_line(Direction::Right, row, &board.extract_line(Direction::Right, row));
        }
        prop_assert_eq!(&copy, &board);
        let mut copy = Board::empty(rows, cols).unwrap();
        for col in 0..cols {
            copy.insert_line(Direction::Down, col, &board.extract_line(Direction::Down, col));
        }
        prop_assert_eq!(copy, board);
    }

    /// No bytes make the reader panic, and what it accepts it writes back to the same state.
    #[test]
    fn any_bytes(file in prop::collection::vec(prop::sample::select(b"0123456789 \n\r-+x".to_vec()), 0..60)) {
        if let Ok(state) = GameState::load(&file) {
            prop_assert_eq!(GameState::load(state.save().as_bytes()), Ok(state));
        }
    }
}
