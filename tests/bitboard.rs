//! The packed board against the plain one.

use estr2048::bitboard::MAX_SUM;
use estr2048::{Bitboard, Board, Direction};
use proptest::prelude::*;

type Plain = [[i32; 4]; 4];

fn plain_move(mut board: Plain, direction: Direction) -> Plain {
    Board::from(&mut board).shift(direction);
    board
}

fn check(board: Plain) {
    let packed = Bitboard::from_board(&board).unwrap();
    assert_eq!(packed.to_board(), board);
    for direction in Direction::ALL {
        let moved = plain_move(board, direction);
        assert_eq!(packed.moved(direction).to_board(), moved, "{board:?} {direction:?}");
        assert_eq!(packed.can_move(direction), moved != board);
    }
    let flat = board.as_flattened();
    assert_eq!(packed.is_over(), Direction::ALL.into_iter().all(|direction| plain_move(board, direction) == board));
    let moves: Vec<_> = packed.moves().map(|(direction, after)| (direction, after.to_board())).collect();
    let plain = Direction::ALL.map(|direction| (direction, plain_move(board, direction)));
    assert_eq!(moves, plain.into_iter().filter(|&(_, after)| after != board).collect::<Vec<_>>());
    let empty: Vec<usize> = (0..16).filter(|&cell| flat[cell] == 0).collect();
    assert_eq!(packed.empty_cells().collect::<Vec<_>>(), empty);
    assert_eq!(packed.count_empty() as usize, empty.len());
    for cell in empty {
        let mut more = board;
        more.as_flattened_mut()[cell] = 2;
        assert_eq!(packed.with_two(cell).to_board(), more);
    }
    assert_eq!(packed.sum(), flat.iter().map(|&tile| i64::from(tile)).sum::<i64>());
}

fn tile(code: u32) -> i32 {
    if code == 0 { 0 } else { 1 << code }
}

/// Every row of the 17 codes, as a row and as a column, alone on the board.
#[test]
fn every_row_and_column() {
    let mut checked = 0;
    for row in 0..17_u32.pow(4) {
        let tiles = [row % 17, row / 17 % 17, row / 289 % 17, row / 4913].map(tile);
        if tiles.iter().map(|&tile| i64::from(tile)).sum::<i64>() > MAX_SUM {
            continue;
        }
        let mut board = [[0; 4]; 4];
        board[1] = tiles;
        check(board);
        let mut board = [[0; 4]; 4];
        for (line, tile) in board.iter_mut().zip(tiles) {
            line[2] = tile;
        }
        check(board);
        checked += 1;
    }
    assert!(checked > 16_u32.pow(4));
}

prop_compose! {
    /// Boards of up to 16 tiles; large ones are made rarer until the sum fits.
    fn boards()(mut codes in prop::array::uniform16(0_u32..17)) -> Plain {
        while codes.iter().map(|&code| i64::from(tile(code))).sum::<i64>() > MAX_SUM {
            let largest = codes.iter().max().copied().unwrap_or(0);
            let at = codes.iter().rposition(|&code| code == largest).unwrap_or(0);
            codes[at] /= 2;
        }
        let mut board = [[0; 4]; 4];
        for (cell, code) in board.as_flattened_mut().iter_mut().zip(codes) {
            *cell = tile(code);
        }
        board
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn random_boards(board in boards()) {
        check(board);
    }

    #[test]
    fn symmetries_are_symmetries(board in boards()) {
        let packed = Bitboard::from_board(&board).unwrap();
        for twin in packed.symmetries() {
            prop_assert_eq!(twin.sum(), packed.sum());
            prop_assert_eq!(twin.canonical(), packed.canonical());
            prop_assert_eq!(twin.is_over(), packed.is_over());
        }
        let mut transposed = [[0; 4]; 4];
        let mut mirrored = board;
        for row in 0..4 {
            mirrored[row].reverse();
            for col in 0..4 {
                transposed[col][row] = board[row][col];
            }
        }
        prop_assert_eq!(packed.transposed().to_board(), transposed);
        prop_assert_eq!(packed.mirrored().to_board(), mirrored);
        prop_assert_eq!(packed.symmetries()[7].transposed(), packed);
    }
}

#[test]
fn the_perfect_board_fits() {
    let mut board = [[0; 4]; 4];
    for (cell, code) in board.as_flattened_mut().iter_mut().zip(1..) {
        *cell = 1 << code;
    }
    assert_eq!(Bitboard::from_board(&board).unwrap().sum(), MAX_SUM);
    check(board);
}

#[test]
fn what_does_not_fit_is_refused() {
    for tile in [1, 3, 6, -2, 131_072, i32::MAX, i32::MIN] {
        let mut board = [[0; 4]; 4];
        board[3][3] = tile;
        assert_eq!(Bitboard::from_board(&board), None, "{tile}");
    }
    let mut board = [[0; 4]; 4];
    board[0][0] = 65536;
    board[3][3] = 65536;
    assert_eq!(Bitboard::from_board(&board), None);
}
