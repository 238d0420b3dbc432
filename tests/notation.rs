//! Directions and boards as text, and through serde: what is written is read again, and nothing else.

use estr2048::notation::ParseBoardError;
use estr2048::{Bitboard, Board, Direction};
use proptest::prelude::*;

#[test]
fn directions_are_words_and_letters() {
    for (direction, word) in Direction::ALL.into_iter().zip(["up", "down", "left", "right"]) {
        assert_eq!(direction.to_string(), word);
        let letter = direction.letter().to_string();
        for text in [word, &word.to_uppercase(), &letter, &letter.to_lowercase()] {
            assert_eq!(text.parse(), Ok(direction), "{text:?}");
        }
    }
    assert_eq!(format!("[{:>6}]", Direction::Up), "[    up]");
    for text in ["", "x", "ri", "up ", "downs", "\u{2191}", "lleft"] {
        assert!(text.parse::<Direction>().is_err(), "{text:?}");
    }
}

#[test]
fn the_place_of_an_error_is_named() {
    let error = |text: &str| text.parse::<Board>().unwrap_err();
    assert_eq!(error("2 0/0 x"), ParseBoardError::Tile { row: 2, col: 2 });
    assert_eq!(error("2 2147483648"), ParseBoardError::Tile { row: 1, col: 2 });
    assert_eq!(error("2 2 2/4 4"), ParseBoardError::Row(2));
    assert_eq!(error("2\n\n2"), ParseBoardError::Row(2));
    for text in ["", " \n", "/2"] {
        assert_eq!(error(text), ParseBoardError::Row(1), "{text:?}");
    }
    assert_eq!(error("2/"), ParseBoardError::Row(2));
    assert_eq!(error("2 0/0 x").to_string(), "row 2, column 2 is no tile");
    assert_eq!("2 4\r\n8 16\r\n".parse::<Board>().unwrap().cells(), [2, 4, 8, 16]);
}

#[test]
fn only_what_can_be_packed_is_packed() {
    let packed = |text: &str| text.parse::<Bitboard>().map_err(|error| matches!(error, ParseBoardError::Pack(_)));
    assert!(packed("0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2").is_ok());
    for text in [
        "0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 3",
        "0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 -2",
        "0 0 0 0/0 0 0 0/0 0 0 0/0 0 65536 65536",
        "0 0 0 0/0 0 0 0/0 0 0 0",
        "2",
        "0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0",
        "0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0",
    ] {
        assert_eq!(packed(text), Err(true), "{text:?}");
    }
    assert_eq!(packed("0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 y"), Err(false));
}

fn boards() -> impl Strategy<Value = Board> {
    (1_usize..9, 1_usize..9).prop_flat_map(|(rows, cols)| {
        prop::collection::vec(any::<i32>(), rows * cols).prop_map(move |cells| Board::over(rows, cols, cells).unwrap())
    })
}

fn packed() -> impl Strategy<Value = Bitboard> {
    let tile = prop_oneof![Just(0), (1_u32..13).prop_map(|code| 1 << code)];
    let top = prop::sample::select(vec![0, 32768, 65536]);
    (prop::array::uniform4(prop::array::uniform4(tile)), top).prop_map(|(mut board, top): ([[i32; 4]; 4], i32)| {
        board[3][3] = top;
        Bitboard::try_from(board).unwrap()
    })
}

proptest! {
    #[test]
    fn boards_come_back(board in boards()) {
        prop_assert_eq!(board.to_string().parse(), Ok(board.clone()));
        prop_assert_eq!(format!("{board:#}\n").parse(), Ok(board));
    }

    #[test]
    fn packed_boards_come_back(board in packed()) {
        prop_assert_eq!(board.to_string().parse::<Bitboard>(), Ok(board));
        prop_assert_eq!(format!("{board:#}").parse(), Ok(Board::from(&board.to_board()).to_owned_board()));
    }

    #[test]
    fn any_text_is_a_board_or_an_error(text in "[0-9 /\n\r-]{0,40}") {
        if let Ok(board) = text.parse::<Board>() {
            prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
        }
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::*;
    use estr2048::{JavaRandom, Parameters, TinyMt32};
    use serde_json::{Value, from_str, json, to_string, to_value};

    fn refused<T: serde::de::DeserializeOwned>(text: &str) {
        assert!(from_str::<T>(text).is_err(), "{text}");
    }

    #[test]
    fn the_form_is_that_of_rows() {
        let board: Board = "2 0 4/0 16 2".parse().unwrap();
        assert_eq!(to_value(&board).unwrap(), json!([[2, 0, 4], [0, 16, 2]]));
        let cells = [[0, 2, 0, 0], [0; 4], [0; 4], [0, 0, 0, 65536]];
        assert_eq!(to_value(Board::from(&cells)).unwrap(), to_value(cells).unwrap());
        assert_eq!(to_value(Bitboard::try_from(cells).unwrap()).unwrap(), to_value(cells).unwrap());
        assert_eq!(to_value(Direction::ALL).unwrap(), json!(["up", "down", "left", "right"]));
        assert_eq!(from_str::<[Direction; 2]>(r#"["right", "up"]"#).unwrap(), [Direction::Right, Direction::Up]);
    }

    #[test]
    fn what_is_no_board_is_refused() {
        ["[]", "[[]]", "[[2, 2], [2]]", "[[2], [2, 2]]", "[[2147483648]]", "[2]", "2"]
            .into_iter()
            .for_each(refused::<Board>);
        ["[[2]]", "[[3,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]"].into_iter().for_each(refused::<Bitboard>);
        ["0", "\"U\"", "\"Up\""].into_iter().for_each(refused::<Direction>);
    }

    #[test]
    fn generators_go_on_where_they_were() {
        let mut random = TinyMt32::new(1234, Parameters::OFFICIAL);
        random.generate_u32();
        let mut copy: TinyMt32 = from_str(&to_string(&random).unwrap()).unwrap();
        assert_eq!(copy, random);
        assert_eq!(copy.generate_u32(), random.generate_u32());
        assert_eq!(from_str::<Parameters>(&to_string(&Parameters::OFFICIAL).unwrap()).unwrap(), Parameters::OFFICIAL);

        let mut random = JavaRandom::new(42);
        random.next_int();
        let text = to_string(&random).unwrap();
        assert_eq!(from_str::<JavaRandom>(&text).unwrap(), random);
        // As `from_state`: only 48 bits count.
        let mut more: Value = from_str(&text).unwrap();
        more["state"] = json!(random.state() | 1 << 60);
        assert_eq!(from_str::<JavaRandom>(&more.to_string()).unwrap(), random);
    }

    proptest! {
        #[test]
        fn boards_come_back(board in boards()) {
            prop_assert_eq!(from_str::<Board>(&to_string(&board).unwrap()).unwrap(), board);
        }

        #[test]
        fn packed_boards_come_back(board in packed()) {
            prop_assert_eq!(from_str::<Bitboard>(&to_string(&board).unwrap()).unwrap(), board);
        }
    }
}
