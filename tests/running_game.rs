//! A running game against the courses' own classes, and its history.

mod support;

use estr2048::courses::comp1020::Board2048;
use estr2048::courses::cs61b::{Model, Side};
use estr2048::courses::pa4::{self, GameState};
use estr2048::courses::psa3::{self, GameBoard, Record};
use estr2048::game::GameError;
use estr2048::{Course, Direction, Game, JavaRandom};
use proptest::prelude::*;
use support::games::whole_games;

/// The recorded games of ESTR1002, move by move.
#[test]
fn estr1002() {
    for recorded in whole_games() {
        let mut game = Game::new(Course::Estr1002, 4, 4, recorded.seed.into()).unwrap();
        assert_eq!(game.board().cells(), recorded.start.as_flattened());
        for input in &recorded.inputs {
            assert_eq!(game.make_move(input.direction), Ok(input.changed));
            assert_eq!(game.board().cells(), input.board.as_flattened());
            assert_eq!(game.score(), input.score.into());
        }
        assert_eq!(game.is_over(), recorded.over);
        assert_eq!(game.history_len(), recorded.inputs.iter().filter(|input| input.changed).count());
    }
}

/// This seed draws only half of the cells: a move that cannot get a new cell is not made.
#[test]
fn an_unreachable_cell() {
    let mut game = Game::new(Course::Estr1002, 4, 4, 33914).unwrap();
    let before_end = loop {
        let legal = Direction::ALL.into_iter().find(|&direction| game.can_move(direction)).unwrap();
        let before = (game.board().clone(), game.history_len());
        match game.make_move(legal) {
            Ok(moved) => assert!(moved),
            Err(error) => {
                assert_eq!(error, GameError::Unreachable);
                break before;
            }
        }
    };
    assert_eq!((game.board().clone(), game.history_len()), before_end);
}

#[test]
fn sizes() {
    for (course, rows, cols, allowed) in [
        (Course::Estr1002, 4, 4, true),
        (Course::Estr1002, 5, 5, false),
        (Course::Psa3, 1, 1, false),
        (Course::Psa3, 2, 2, true),
        (Course::Psa3, 2, 3, false),
        (Course::Pa4, 1, 128, true),
        (Course::Pa4, 0, 4, false),
        (Course::Pa4, 4, 129, false),
        (Course::Comp1020, 1, 1, true),
        (Course::Comp1020, 3, 2, false),
        (Course::Cs61b, 20, 20, true),
        (Course::Cs61b, usize::MAX, usize::MAX, false),
    ] {
        assert_eq!(course.allows(rows, cols), allowed, "{course:?} {rows} {cols}");
        assert_eq!(Game::new(course, rows, cols, 1).err(), (!allowed).then_some(GameError::Size));
    }
    for (number, course) in Course::ALL.into_iter().enumerate() {
        assert_eq!(Course::from_number(number as i32), Some(course));
    }
    assert_eq!((Course::from_number(-1), Course::from_number(5)), (None, None));
}

#[test]
fn loading_keeps_to_the_course() {
    let square = b"2 2\n7\n2 0\n0 4\n";
    let game = Game::load(Course::Comp1020, square, 1).unwrap();
    assert_eq!((game.score(), game.board().cells()), (7, &[2, 0, 0, 4][..]));
    assert_eq!(Game::load(Course::Estr1002, square, 1).err(), Some(GameError::Size));
    assert_eq!(Game::load(Course::Cs61b, b"1 2 0 2 2", 1).err(), Some(GameError::Size));
    assert!(matches!(Game::load(Course::Psa3, square, 1), Err(GameError::File(_))));
}

#[test]
fn an_added_tile_and_set_cells_can_be_undone() {
    let mut game = Game::new(Course::Psa3, 2, 2, 1).unwrap();
    let start = game.board().clone();
    game.add_tile().unwrap().unwrap();
    game.add_tile().unwrap().unwrap();
    assert_eq!(game.add_tile(), Ok(None));
    game.set_cells(&[2, 2, 4, 4]).unwrap();
    assert_eq!(game.set_cells(&[2]), Err(GameError::Size));
    assert_eq!(game.history_len(), 3);
    assert!(game.undo() && game.undo() && game.undo() && !game.undo());
    assert_eq!(game.board(), &start);
}

fn courses() -> impl Strategy<Value = (Course, usize, usize)> {
    prop_oneof![
        Just((Course::Estr1002, 4, 4)),
        (2_usize..6).prop_map(|size| (Course::Psa3, size, size)),
        (1_usize..6, 1_usize..6).prop_map(|(rows, cols)| (Course::Pa4, rows, cols)),
        (1_usize..6).prop_map(|size| (Course::Comp1020, size, size)),
        (1_usize..6).prop_map(|size| (Course::Cs61b, size, size)),
    ]
}

fn directions() -> impl Strategy<Value = Vec<Direction>> {
    prop::collection::vec(prop::sample::select(&Direction::ALL[..]), 0..120)
}

/// Everything that can be seen of a game.
fn seen(game: &Game) -> (Vec<i32>, i64, bool, bool, String, String) {
    let cells = game.board().cells().to_vec();
    (cells, game.score(), game.is_over(), game.has_won(), game.to_string(), game.save())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Undo gives every earlier board again, and after it the same moves give the same game.
    #[test]
    fn undo_and_redo((course, rows, cols) in courses(), seed in any::<i64>(), moves in directions(), back in 0_usize..130) {
        let mut game = Game::new(course, rows, cols, seed).unwrap();
        let mut made = Vec::new();
        let mut boards = vec![seen(&game)];
        for direction in moves {
            // A seed that never reaches an empty cell ends its game here.
            let Ok(moved) = game.make_move(direction) else { break };
            prop_assert_eq!(moved, seen(&game) != boards[boards.len() - 1]);
            if moved {
                made.push(direction);
                boards.push(seen(&game));
            }
        }
        prop_assert_eq!(game.history_len(), made.len());
        let back = back.min(made.len());
        for place in (made.len() - back..made.len()).rev() {
            prop_assert!(game.undo());
            prop_assert_eq!(&seen(&game), &boards[place]);
        }
        prop_assert_eq!(game.undo(), back < made.len());
        let undone = (back + 1).min(made.len());
        for place in made.len() - undone..made.len() {
            prop_assert_eq!(game.make_move(made[place]), Ok(true));
            prop_assert_eq!(&seen(&game), &boards[place + 1]);
        }
    }

    /// Undo gives cells of any numbers again, too.
    #[test]
    fn undo_of_any_cells((course, rows, cols) in courses(), seed in any::<i64>(), tiles in prop::collection::vec(any::<i32>(), 25 * 6)) {
        let mut game = Game::new(course, rows, cols, seed).unwrap();
        let mut boards = vec![seen(&game)];
        for (tiles, direction) in tiles.chunks_exact(rows * cols).zip(Direction::ALL) {
            game.set_cells(tiles).unwrap();
            boards.push(seen(&game));
            if game.make_move(direction) == Ok(true) {
                boards.push(seen(&game));
            }
        }
        let mut undone = vec![seen(&game)];
        while game.undo() {
            undone.push(seen(&game));
        }
        undone.reverse();
        prop_assert_eq!(undone, boards);
    }

    /// The game of a course is what its own class does.
    #[test]
    fn like_the_courses_classes(size in 2_usize..6, seed in any::<i64>(), moves in directions()) {
        let random = || JavaRandom::new(seed);
        let mut game = Game::new(Course::Psa3, size, size, seed).unwrap();
        let mut board = GameBoard::new(random(), size).unwrap();
        for &direction in &moves {
            let moved = board.r#move(direction);
            if moved {
                board.add_random_tile();
            }
            prop_assert_eq!(game.make_move(direction), Ok(moved));
            prop_assert_eq!((game.to_string(), game.save()), (board.to_string(), board.save_board()));
            prop_assert_eq!(game.is_over(), board.is_game_over());
        }

        let mut game = Game::new(Course::Pa4, size, size, pa4::RANDOM_SEED).unwrap();
        let mut state = GameState::new(size, size).unwrap();
        state.add_tile();
        state.add_tile();
        for &direction in &moves {
            prop_assert_eq!(game.make_move(direction), Ok(state.r#move(direction)));
            prop_assert_eq!((game.to_string(), game.save()), (state.to_string(), state.save()));
        }

        let mut game = Game::new(Course::Comp1020, size, size, seed).unwrap();
        let (mut board, mut random_1020) = (Board2048::new(size).unwrap(), random());
        board.new_tile(&mut random_1020);
        for &direction in &moves {
            let moved = board.valid_move(direction) && !board.game_over();
            if moved {
                board = board.shift(direction);
                board.new_tile(&mut random_1020);
            }
            prop_assert_eq!(game.make_move(direction), Ok(moved));
            prop_assert_eq!(game.to_string(), board.to_string());
            prop_assert_eq!(game.is_over(), board.game_over());
        }

        let mut game = Game::new(Course::Cs61b, size, size, seed).unwrap();
        let mut model = Model::new(size, random()).unwrap();
        model.add_tile();
        for &direction in &moves {
            let side = match direction {
                Direction::Up => Side::North,
                Direction::Down => Side::South,
                Direction::Left => Side::West,
                Direction::Right => Side::East,
            };
            let moved = !model.game_over() && model.tilt(side);
            if moved && !model.game_over() {
                model.add_tile();
            }
            prop_assert_eq!(game.make_move(direction), Ok(moved));
            prop_assert_eq!(game.to_string(), model.to_string());
        }
    }

    /// What is saved in the middle of a game is loaded as the same board and score, and saved again the same.
    #[test]
    fn save_load_save((course, rows, cols) in courses(), seed in any::<i64>(), moves in directions()) {
        let mut game = Game::new(course, rows, cols, seed).unwrap();
        for direction in moves {
            if game.make_move(direction).is_err() {
                break;
            }
        }
        let loaded = Game::load(course, game.save().as_bytes(), seed).unwrap();
        prop_assert_eq!(seen(&loaded), seen(&game));
        prop_assert_eq!(loaded.history_len(), 0);
    }

    /// A record tells the whole game: replaying it gives the recorded boards.
    #[test]
    fn records_replay(size in 2_usize..8, seed in prop_oneof![Just(psa3::SEED), any::<i64>()], moves in directions()) {
        let record = Record { size, seed, moves };
        let boards = |record: &Record| {
            let mut board = GameBoard::new(JavaRandom::new(record.seed), record.size).unwrap();
            let mut boards = vec![board.to_string()];
            for &direction in &record.moves {
                if board.r#move(direction) {
                    board.add_random_tile();
                }
                boards.push(board.to_string());
            }
            boards
        };
        let read = Record::read(record.to_string().as_bytes()).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(boards(&read), boards(&record));
    }

    /// No bytes make the readers panic, and what they take is well-formed.
    #[test]
    fn any_bytes(file in prop::collection::vec(prop_oneof![prop::sample::select(b"24 80\n\rwasd=-x".to_vec()), any::<u8>()], 0..80)) {
        if let Ok(record) = Record::read(&file) {
            prop_assert_eq!(Record::read(record.to_string().as_bytes()), Ok(record));
        }
        for course in Course::ALL {
            match Game::load(course, &file, 1) {
                Ok(game) => {
                    let again = Game::load(course, game.save().as_bytes(), 1).unwrap();
                    prop_assert_eq!(seen(&again), seen(&game));
                }
                Err(GameError::File(error)) => {
                    let lines = file.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
                    prop_assert!(error.line >= 1 && error.line <= lines + 1 && error.column >= 1);
                }
                Err(error) => prop_assert_eq!(error, GameError::Size),
            }
        }
    }
}
