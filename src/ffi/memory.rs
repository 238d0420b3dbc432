//! Reading and writing the caller's memory.

use std::ffi::c_int;

use super::codes::{ESTR_NO_MEMORY, ESTR_NULL_POINTER};
use crate::board::GameBoard;

/// A copy of the value behind a caller's pointer, or `None` if it is null.
///
/// # Safety
/// A pointer that is not null must be valid for reads of one `T`; it need not be aligned.
pub unsafe fn read<T>(pointer: *const T) -> Option<T> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, and valid for reads by the caller's promise.
    Some(unsafe { pointer.read_unaligned() })
}

/// Stores a value behind a caller's pointer; nothing happens if it is null.
///
/// # Safety
/// A pointer that is not null must be valid for writes of one `T`; it need not be aligned.
pub unsafe fn write<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not null, and valid for writes by the caller's promise.
        unsafe { pointer.write_unaligned(value) }
    }
}

/// A copy of the caller's `int game_board[4][4]`, or `None` if the pointer is null.
///
/// # Safety
/// A pointer that is not null must be valid for reads of sixteen ints.
pub unsafe fn read_board(game_board: *mut [c_int; 4]) -> Option<GameBoard> {
    // SAFETY: the same promise.
    unsafe { read(game_board.cast::<GameBoard>()) }
}

/// Stores a board in the caller's `int game_board[4][4]`.
///
/// # Safety
/// A pointer that is not null must be valid for writes of sixteen ints.
pub unsafe fn write_board(game_board: *mut [c_int; 4], board: GameBoard) {
    // SAFETY: the same promise.
    unsafe { write(game_board.cast::<GameBoard>(), board) }
}

/// A copy of `count` ints behind a caller's pointer, or an error code: the pointer is null, or there is no memory. No
/// ints may be anywhere.
///
/// # Safety
/// A pointer that is not null must be valid for reads of `count` ints.
pub unsafe fn read_all(ints: *const c_int, count: usize) -> Result<Vec<c_int>, c_int> {
    if ints.is_null() && count > 0 {
        return Err(ESTR_NULL_POINTER);
    }
    let mut copy = Vec::new();
    copy.try_reserve_exact(count).map_err(|_| ESTR_NO_MEMORY)?;
    // SAFETY: valid for `count` reads by the caller's promise.
    copy.extend((0..count).map(|place| unsafe { ints.add(place).read_unaligned() }));
    Ok(copy)
}

/// Stores `values` behind a caller's pointer.
///
/// # Safety
/// The pointer must be valid for writes of as many ints; it may be null if there are none.
pub unsafe fn write_all(ints: *mut c_int, values: &[c_int]) {
    for (place, &value) in values.iter().enumerate() {
        // SAFETY: valid for as many writes by the caller's promise.
        unsafe { ints.add(place).write_unaligned(value) };
    }
}
