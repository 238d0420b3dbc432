//! ESTR1002's game on a machine that has nothing: `no_std`, no allocator.

#![no_std]

use core::panic::PanicInfo;

use estr2048::{Bitboard, Board, Direction, GameBoard, JavaRandom, Parameters, TinyMt32};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Plays a game with directions that `java.util.Random` draws, on the plain and on the packed board, and gives its
/// score: 0 if the two boards differ.
#[unsafe(no_mangle)]
pub extern "C" fn play(seed: u32) -> i64 {
    let mut cells = TinyMt32::new(seed, Parameters::ZERO);
    let mut directions = JavaRandom::new(seed.into());
    let mut board = GameBoard::default();
    let mut packed = Bitboard::default();
    loop {
        let (row, col) = loop {
            let [row, col] = [(); 2].map(|()| (cells.generate_u32() % 4) as usize);
            if board[row][col] == 0 {
                break (row, col);
            }
        };
        board[row][col] = 2;
        packed = packed.with_two(row * 4 + col);
        if Bitboard::try_from(board) != Ok(packed) {
            return 0;
        }
        if packed.is_over() {
            return Board::from(&board).sum();
        }
        while let Some(direction) = directions.next_int_below(4).and_then(Direction::from_number) {
            packed = packed.moved(direction);
            if Board::from(&mut board).shift(direction).changed {
                break;
            }
        }
    }
}
