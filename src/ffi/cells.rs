//! The functions on `int *cells, rows, cols`: boards of any size, row by row.

use std::ffi::c_int;

use super::codes::{ESTR_BAD_DIRECTION, ESTR_BAD_SIZE, ESTR_MAX_SIDE, ESTR_NO_MEMORY, ESTR_NULL_POINTER};
use super::memory;
use crate::board::Board;
use crate::courses::cs61b;
use crate::direction::Direction;
use crate::line::{Line, Shift};

/// A copy of the caller's board.
///
/// # Safety
/// `cells` must be null or hold rows × cols ints if both are from 1 to `ESTR_MAX_SIDE`.
unsafe fn read(cells: *const c_int, rows: c_int, cols: c_int) -> Result<Board, c_int> {
    let side = |side: c_int| usize::try_from(side).ok().filter(|_| (1..=ESTR_MAX_SIDE).contains(&side));
    let (Some(rows), Some(cols)) = (side(rows), side(cols)) else {
        return Err(ESTR_BAD_SIZE);
    };
    // SAFETY: the same promise.
    let cells = unsafe { memory::read_all(cells, rows.saturating_mul(cols)) }?;
    Board::over(rows, cols, cells).map_err(|_| ESTR_BAD_SIZE)
}

/// Answers a question about the caller's board.
///
/// # Safety
/// As for [`read`].
unsafe fn ask(cells: *const c_int, rows: c_int, cols: c_int, answer: impl FnOnce(&Board) -> c_int) -> c_int {
    // SAFETY: the same promise.
    unsafe { read(cells, rows, cols) }.map_or_else(|code| code, |board| answer(&board))
}

/// Lets `change` work on the caller's board.
///
/// # Safety
/// As for [`read`], and ints that change must be writable.
unsafe fn change(
    cells: *mut c_int,
    rows: c_int,
    cols: c_int,
    change: impl FnOnce(&mut Board) -> Result<c_int, c_int>,
) -> c_int {
    // SAFETY: the same promise.
    let changed = unsafe { read(cells, rows, cols) }.and_then(|mut board| {
        let result = change(&mut board)?;
        // SAFETY: as many ints as were read.
        unsafe { memory::update_all(cells, board.cells()) };
        Ok(result)
    });
    changed.unwrap_or_else(|code| code)
}

/// Turns a board a quarter.
fn turn(board: &mut Board, clockwise: bool) -> Result<c_int, c_int> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(board.cells().len()).map_err(|_| ESTR_NO_MEMORY)?;
    *board = board.turned(clockwise, cells);
    Ok(0)
}

/// Tells the caller what a move gained and whether it changed anything.
///
/// # Safety
/// `gain` must be null or valid for the write of a number.
unsafe fn report(shift: Shift, gain: *mut i64) -> c_int {
    // SAFETY: the same promise.
    unsafe { memory::write(gain, shift.gain) };
    shift.changed.into()
}

/// The direction that `extractLine(i, vertical, reverse)` of COMP 1020 sees a line along, and the line's number.
fn place(board: &Board, i: c_int, vertical: c_int, reverse: c_int) -> Result<(Direction, usize), c_int> {
    let (direction, lines) = match (vertical != 0, reverse != 0) {
        (true, false) => (Direction::Up, board.cols()),
        (true, true) => (Direction::Down, board.cols()),
        (false, false) => (Direction::Left, board.rows()),
        (false, true) => (Direction::Right, board.rows()),
    };
    let line = usize::try_from(i).ok().filter(|&line| line < lines);
    line.map(|line| (direction, line)).ok_or(ESTR_BAD_SIZE)
}

/// One move of one line towards its first place: pull, combine, pull again.
///
/// line: `length` ints; 0 is an empty place, every other int is a tile.
/// length: number of places, from 0; the caller vouches that the line has so many.
/// gain: where the sum of all tiles made by combining goes; may be NULL.
///
/// Returns 1 if the line changed, 0 if not (no tile is written then).
/// Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same line at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_line_move(line: *mut c_int, length: c_int, gain: *mut i64) -> c_int {
    let Ok(length) = usize::try_from(length) else {
        return ESTR_BAD_SIZE;
    };
    // SAFETY: the line holds `length` ints by the caller's promise.
    match unsafe { memory::read_all(line, length) } {
        Ok(mut tiles) => {
            let shift = Line::new(&mut tiles).shift();
            // SAFETY: as many ints as were read, and the caller's promise for `gain`.
            unsafe {
                memory::update_all(line, &tiles);
                report(shift, gain)
            }
        }
        Err(code) => code,
    }
}

/// One whole move of a board, without a new tile.
///
/// cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
/// rows, cols: from 1 to ESTR_MAX_SIDE.
/// direction: 0 up, 1 down, 2 left, 3 right.
/// gain: where the sum of all tiles made by combining goes; may be NULL.
///
/// Returns 1 if the board changed, 0 if not (no cell is written then).
/// Errors: ESTR_BAD_SIZE, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_move(
    cells: *mut c_int,
    rows: c_int,
    cols: c_int,
    direction: c_int,
    gain: *mut i64,
) -> c_int {
    let shift = |board: &mut Board| {
        let direction = Direction::from_number(direction).ok_or(ESTR_BAD_DIRECTION)?;
        // SAFETY: the caller keeps the rule of this module.
        Ok(unsafe { report(board.shift(direction), gain) })
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, shift) }
}

/// Tells whether estr_cells_move would change the board.
///
/// cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
/// rows, cols: from 1 to ESTR_MAX_SIDE.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if it would, 0 if not.
/// Errors: ESTR_BAD_SIZE, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER.
/// Threads: safe from any thread, also on the same cells while nobody changes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_can_move(cells: *const c_int, rows: c_int, cols: c_int, direction: c_int) -> c_int {
    let answer = |board: &Board| match Direction::from_number(direction) {
        Some(direction) => board.can_move(direction).into(),
        None => ESTR_BAD_DIRECTION,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(cells, rows, cols, answer) }
}

/// Tells whether no direction changes the board. A board without any tile counts as over.
///
/// cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
/// rows, cols: from 1 to ESTR_MAX_SIDE.
///
/// Returns 1 if it is over, 0 if a move exists.
/// Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER.
/// Threads: safe from any thread, also on the same cells while nobody changes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_is_over(cells: *const c_int, rows: c_int, cols: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(cells, rows, cols, |board| board.is_over().into()) }
}

/// Copies one row or column (COMP 1020's extractLine).
///
/// cells, rows, cols: as for estr_cells_move.
/// i: number of the line, from 0.
/// vertical: not 0 for column i, 0 for row i.
/// reverse: not 0 for the order from the bottom or from the right.
/// line: room for `rows` ints if vertical, else for `cols`.
///
/// Returns the length of the line.
/// Errors: ESTR_BAD_SIZE (also if there is no line i), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing is copied.
/// Threads: safe from any thread, also on the same cells while nobody changes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_extract_line(
    cells: *const c_int,
    rows: c_int,
    cols: c_int,
    i: c_int,
    vertical: c_int,
    reverse: c_int,
    line: *mut c_int,
) -> c_int {
    let extract = |board: &Board| match place(board, i, vertical, reverse) {
        Ok(_) if line.is_null() => ESTR_NULL_POINTER,
        Ok((direction, number)) => {
            let tiles = board.extract_line(direction, number);
            // SAFETY: the line has room for its tiles by the caller's promise.
            unsafe { memory::write_all(line, &tiles) };
            tiles.len() as c_int
        }
        Err(code) => code,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(cells, rows, cols, extract) }
}

/// Puts a line where estr_cells_extract_line with the same arguments takes it from (COMP 1020's insertLine).
///
/// cells, rows, cols: as for estr_cells_move.
/// i, vertical, reverse: as for estr_cells_extract_line.
/// line: `rows` ints if vertical, else `cols`.
///
/// Returns the length of the line.
/// Errors: ESTR_BAD_SIZE (also if there is no line i), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_insert_line(
    cells: *mut c_int,
    rows: c_int,
    cols: c_int,
    i: c_int,
    vertical: c_int,
    reverse: c_int,
    line: *const c_int,
) -> c_int {
    let insert = |board: &mut Board| {
        let (direction, number) = place(board, i, vertical, reverse)?;
        let length = if vertical != 0 { board.rows() } else { board.cols() };
        // SAFETY: the line holds as many tiles by the caller's promise.
        let tiles = unsafe { memory::read_all(line, length) }?;
        board.insert_line(direction, number, &tiles);
        Ok(length as c_int)
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, insert) }
}

/// Tilts one column up (CS 61B's tiltColumn).
///
/// cells, rows, cols, gain: as for estr_cells_move.
/// c: number of the column, from 0.
///
/// Returns 1 if the column changed, 0 if not.
/// Errors: ESTR_BAD_SIZE (also if there is no column c), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_tilt_column(
    cells: *mut c_int,
    rows: c_int,
    cols: c_int,
    c: c_int,
    gain: *mut i64,
) -> c_int {
    let tilt = |board: &mut Board| {
        let column = usize::try_from(c).ok().filter(|&column| column < board.cols()).ok_or(ESTR_BAD_SIZE)?;
        // SAFETY: the caller keeps the rule of this module.
        Ok(unsafe { report(cs61b::tilt_column(board, column), gain) })
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, tilt) }
}

/// Moves one tile up as far as it can go, and lets it combine with an equal tile that it runs into (CS 61B's
/// moveTileUpAsFarAsPossible).
///
/// cells, rows, cols: as for estr_cells_move; row 0 is at the top.
/// r, c: row and column of the tile, from 0.
/// min_r: the highest row that it may reach; below 0 counts as 0.
///
/// Returns 1 + the row of the combined tile, from 1 to `rows`; 0 if nothing combined.
/// Errors: ESTR_BAD_SIZE (also if there is no row r or column c), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_move_tile_up(
    cells: *mut c_int,
    rows: c_int,
    cols: c_int,
    r: c_int,
    c: c_int,
    min_r: c_int,
) -> c_int {
    let move_up = |board: &mut Board| {
        let row = usize::try_from(r).ok().filter(|&row| row < board.rows()).ok_or(ESTR_BAD_SIZE)?;
        let column = usize::try_from(c).ok().filter(|&column| column < board.cols()).ok_or(ESTR_BAD_SIZE)?;
        let highest = usize::try_from(min_r).unwrap_or(0);
        Ok(cs61b::move_tile_up_as_far_as_possible(board, row, column, highest) as c_int)
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, move_up) }
}

/// Turns the board a quarter to the left (PA4's rotateCounterClockwise): the last column becomes the first row.
/// Afterwards the ints are a board of `cols` rows and `rows` columns.
///
/// cells, rows, cols: as for estr_cells_move.
///
/// Returns 0.
/// Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_rotate_counter_clockwise(cells: *mut c_int, rows: c_int, cols: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, |board| turn(board, false)) }
}

/// Turns the board a quarter to the right: the first column, from the bottom up, becomes the first row. Afterwards the ints
/// are a board of `cols` rows and `rows` columns.
///
/// cells, rows, cols: as for estr_cells_move.
///
/// Returns 0.
/// Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
/// Threads: safe from any thread; no two calls on the same cells at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_cells_rotate_clockwise(cells: *mut c_int, rows: c_int, cols: c_int) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(cells, rows, cols, |board| turn(board, true)) }
}
