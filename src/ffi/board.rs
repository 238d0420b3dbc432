//! The functions on `int game_board[4][4]`.

use std::ffi::c_int;

use super::codes::{ESTR_BAD_DIRECTION, ESTR_BOARD_FULL, ESTR_CELL_UNREACHABLE, ESTR_NULL_POINTER};
use super::memory;
use crate::board::Board;
use crate::courses::estr1002::{self, NewCellError};
use crate::direction::Direction;
use crate::tinymt32::TinyMt32;

/// Answers a question about the caller's board with `answer`, or with an error code.
///
/// # Safety
/// As for [`memory::read_board`].
unsafe fn ask(game_board: *mut [c_int; 4], answer: impl FnOnce(&Board<&[c_int]>) -> c_int) -> c_int {
    // SAFETY: the same promise.
    let board = unsafe { memory::read_board(game_board) };
    board.map_or(ESTR_NULL_POINTER, |board| answer(&Board::from(&board)))
}

/// Lets `change` work on a copy of the caller's board, and stores the copy if it says that it changed something.
///
/// # Safety
/// As for [`memory::read_board`] and [`memory::write_board`].
unsafe fn change(
    game_board: *mut [c_int; 4],
    direction: c_int,
    change: impl FnOnce(&mut Board<&mut [c_int]>, Direction) -> bool,
) -> c_int {
    // SAFETY: the same promise.
    let Some(mut board) = (unsafe { memory::read_board(game_board) }) else {
        return ESTR_NULL_POINTER;
    };
    let Some(direction) = Direction::from_number(direction) else {
        return ESTR_BAD_DIRECTION;
    };
    let changed = change(&mut Board::from(&mut board), direction);
    if changed {
        // SAFETY: the same promise.
        unsafe { memory::write_board(game_board, board) };
    }
    changed.into()
}

/// Packs all tiles towards the edge in the given direction and keeps their order. Nothing combines.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if the board changed, 0 if not (nothing is written then).
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
/// Threads: safe from any thread; no two calls on the same board at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_pull(game_board: *mut [c_int; 4], direction: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game_board, direction, |view, direction| view.pull(direction)) }
}

/// Combines equal neighbours. Every row (or column) is scanned from the edge in the given direction: two equal tiles
/// side by side become one tile of twice the value in the cell nearer the edge; the other cell becomes empty. A tile
/// made by this call does not combine again. Gaps are neither closed nor jumped over.
///
/// Two equal tiles whose double does not fit an int stay as they are. Negative tiles combine like positive ones.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if the board changed, 0 if not (nothing is written then).
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
/// Threads: safe from any thread; no two calls on the same board at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_combine(game_board: *mut [c_int; 4], direction: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game_board, direction, |view, direction| view.combine(direction).changed) }
}

/// One whole move: pull, combine, pull again. No new cell is added.
///
/// Two equal tiles whose double does not fit an int do not combine. Negative tiles move and combine like positive ones.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if the board changed, 0 if not (nothing is written then).
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
/// Threads: safe from any thread; no two calls on the same board at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_move(game_board: *mut [c_int; 4], direction: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game_board, direction, |view, direction| view.shift(direction).changed) }
}

/// Tells whether estr_move would change the board, by the same rules. The board is not changed.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if it would, 0 if not.
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION.
/// Threads: safe from any thread, also on the same board while nobody changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_can_move(game_board: *mut [c_int; 4], direction: c_int) -> c_int {
    let answer = |view: &Board<&[c_int]>| match Direction::from_number(direction) {
        Some(direction) => view.can_move(direction).into(),
        None => ESTR_BAD_DIRECTION,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game_board, answer) }
}

/// Tells whether the game is over: no direction changes the board. The board is not changed.
///
/// A board without any tile counts as over: nothing on it can move. So does a full board whose only equal neighbours are
/// too large to combine.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
///
/// Returns 1 if the game is over, 0 if a move exists.
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread, also on the same board while nobody changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_is_over(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game_board, |view| view.is_over().into()) }
}

/// The earlier name of estr_is_over, which old programs use. The functions estr_game_... are those of an estr_game.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
///
/// Returns what estr_is_over returns.
/// Errors: as estr_is_over.
/// Threads: as estr_is_over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_over(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { estr_is_over(game_board) }
}

/// Adds a 2 in an empty cell, drawn as in the assignment: row = next number % 4, col = next number % 4, both again
/// until that cell is empty.
///
/// A few seeds only ever draw half of the cells, so the assignment's loop may never end. This function gives up after
/// 65536 draws; the chance of that with a generator that draws every cell is below 10^-1800.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, any other int is a tile that is in the way.
/// state: a generator that tinymt32_init has seeded; it is stepped twice for every draw.
///
/// Returns the new cell as row * 4 + col (0 to 15).
/// Errors: ESTR_BOARD_FULL (nothing is drawn), ESTR_CELL_UNREACHABLE (65536 draws were made), ESTR_NULL_POINTER; the board
/// is unchanged.
/// Threads: safe from any thread; no two calls on the same board or generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_new_cell(game_board: *mut [c_int; 4], state: *mut TinyMt32) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let (board, random) = unsafe { (memory::read_board(game_board), memory::read(state)) };
    let (Some(mut board), Some(mut random)) = (board, random) else {
        return ESTR_NULL_POINTER;
    };
    let drawn = estr1002::new_cell(&mut board, &mut random);
    if drawn != Err(NewCellError::Full) {
        // SAFETY: as above.
        unsafe { memory::write(state, random) };
    }
    match drawn {
        Ok(cell) => {
            // SAFETY: as above.
            unsafe { memory::write_board(game_board, board) };
            cell as c_int
        }
        Err(NewCellError::Full) => ESTR_BOARD_FULL,
        Err(NewCellError::Unreachable) => ESTR_CELL_UNREACHABLE,
    }
}

/// The score of the game: the sum of all tiles.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
///
/// Returns the sum, which is from 2 to 131070 in a real game. On a board with negative tiles it may be negative itself.
/// Errors: ESTR_NULL_POINTER (-2).
/// Threads: safe from any thread, also on the same board while nobody changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_score(game_board: *mut [c_int; 4]) -> i64 {
    // SAFETY: the caller keeps the rule of this module.
    match unsafe { memory::read_board(game_board) } {
        Some(board) => Board::from(&board).sum(),
        None => ESTR_NULL_POINTER.into(),
    }
}

/// Prints the board to standard output in the assignment's look: cells of four characters in a frame of +, - and |,
/// empty cells blank. A column with a tile of more than four characters is as wide as that tile.
///
/// game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
///
/// Returns 0, also if standard output takes nothing: ferror(stdout) tells.
/// Errors: ESTR_NULL_POINTER; nothing is printed.
/// Threads: safe from any thread; two boards printed at once may mix.
#[cfg(feature = "stdio")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_print_board(game_board: *mut [c_int; 4]) -> c_int {
    use std::fmt::Write;

    // SAFETY: the caller keeps the rule of this module.
    let board = unsafe { memory::read_board(game_board) };
    let Some(board) = board else {
        return ESTR_NULL_POINTER;
    };
    // C's stdout takes what it is given; its own error flag tells the caller more.
    let _ = write!(crate::stdio::Stdout, "{}", estr1002::Look(&Board::from(&board)));
    0
}
