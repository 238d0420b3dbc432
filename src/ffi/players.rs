//! The players, as the assignment declares them.

use std::ffi::c_int;

use super::codes::{ESTR_NO_DIRECTION, ESTR_NULL_POINTER};
use super::memory;
use crate::board::GameBoard;
use crate::direction::Direction;
#[cfg(feature = "stdio")]
use crate::player::human;
use crate::player::settings;

/// # Safety
/// As for [`memory::read_board`].
unsafe fn play(game_board: *mut [c_int; 4], choose: fn(&GameBoard) -> Option<Direction>) -> c_int {
    // SAFETY: the same promise.
    match unsafe { memory::read_board(game_board) } {
        Some(board) => choose(&board).map_or(ESTR_NO_DIRECTION, Direction::number),
        None => ESTR_NULL_POINTER,
    }
}

/// Asks the person at the keyboard for a move: prints the board and a prompt, and reads one command from standard
/// input.
///
/// The commands are the capital letters U, D, L and R. Blanks, newlines, carriage returns and a byte-order mark are
/// skipped. Any other key, and a move that changes nothing, is answered with one message, and the prompt comes again; a
/// letter of any alphabet (in UTF-8) and an arrow key are one key each. Only the bytes up to the command are read; the
/// rest stays in C's stdin for the next call or for the caller. A signal that interrupts the waiting does not end it. No
/// other stream than stdin and stdout is touched.
///
/// game_board: 16 ints, game_board[row][col]; it is not changed.
///
/// Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
/// Errors: ESTR_NO_DIRECTION (-1) at the end of the input, or if no direction changes the board (nothing is read);
/// ESTR_NULL_POINTER (nothing is printed or read).
/// Threads: safe from any thread; two questions at once share one keyboard.
#[cfg(feature = "stdio")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn human_player(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { play(game_board, human::choose) }
}

/// The computer player. Its C name carries the student ID, so it is declared by hand in cbindgen.toml.
#[unsafe(export_name = concat!("aiplayer_", env!("STUDENT_ID")))]
pub unsafe extern "C" fn aiplayer(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { play(game_board, settings::choose) }
}
