//! Reading and writing the caller's memory.

use std::ffi::{c_char, c_int};
use std::fmt::{Display, Write};
use std::mem::MaybeUninit;

use super::codes::{ESTR_BAD_OPTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER};
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

/// A copy of a caller's structure that begins with its size in bytes; 0 stands for the size that it has here. Of a
/// shorter one the rest is 0. A longer one is refused unless the rest is 0: it asks for what this version cannot do.
///
/// # Safety
/// A pointer that is not null must be valid for reads of as many bytes as the structure's first field says.
pub unsafe fn read_sized<T: Growing>(pointer: *const T) -> Result<Option<T>, c_int> {
    let ours = size_of::<T>();
    // SAFETY: the structure begins with its size.
    let Some(theirs) = (unsafe { read(pointer.cast::<usize>()) }) else { return Ok(None) };
    let theirs = if theirs == 0 { ours } else { theirs };
    if !(size_of::<usize>()..=LARGEST).contains(&theirs) {
        return Err(ESTR_BAD_OPTION);
    }
    // SAFETY: as many bytes are there by the caller's promise.
    let rest_is_zero = (ours..theirs).all(|place| unsafe { pointer.cast::<u8>().add(place).read() } == 0);
    if !rest_is_zero {
        return Err(ESTR_BAD_OPTION);
    }
    let mut copy = MaybeUninit::<T>::zeroed();
    // SAFETY: both sides have so many bytes, and all zeros are a value of the type.
    unsafe {
        pointer.cast::<u8>().copy_to_nonoverlapping(copy.as_mut_ptr().cast(), theirs.min(ours));
        Ok(Some(copy.assume_init()))
    }
}

/// Stores as much of a structure as the caller's has room for: it begins with its size in bytes, which stays; 0 stands
/// for the size that it has here. Nothing is stored where that is no size.
///
/// # Safety
/// The pointer must be valid for reads and writes of as many bytes as the structure's first field says.
pub unsafe fn write_sized<T: Growing>(pointer: *mut T, value: &T) -> bool {
    const SIZE: usize = size_of::<usize>();
    // SAFETY: the structure begins with its size.
    let theirs = unsafe { pointer.cast::<usize>().read_unaligned() };
    let theirs = if theirs == 0 { size_of::<T>() } else { theirs };
    if !(SIZE..=LARGEST).contains(&theirs) {
        return false;
    }
    let count = theirs.min(size_of::<T>()).saturating_sub(SIZE);
    // SAFETY: both sides have so many bytes behind their sizes.
    unsafe {
        let from = std::ptr::from_ref(value).cast::<u8>().add(SIZE);
        from.copy_to_nonoverlapping(pointer.cast::<u8>().add(SIZE), count);
    }
    true
}

/// A structure that grows at its end from version to version.
///
/// # Safety
/// It must be `repr(C)` without padding that matters, begin with a `usize` for its size, and have all zeros as a value.
pub unsafe trait Growing: Copy {}

/// No structure of any version is larger: what says so was never filled in.
const LARGEST: usize = 4096;

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

/// Brings the ints behind a caller's pointer up to `values`. Those that are equal already are not written: the memory
/// may be read-only if nothing changed.
///
/// # Safety
/// The pointer must be valid for reads of as many ints, and for writes where they differ; it may be null if there are
/// none.
pub unsafe fn update_all(ints: *mut c_int, values: &[c_int]) {
    for (place, &value) in values.iter().enumerate() {
        // SAFETY: valid for as many reads and writes by the caller's promise.
        unsafe {
            let int = ints.add(place);
            if int.read_unaligned() != value {
                int.write_unaligned(value);
            }
        }
    }
}

/// Puts a value in memory of its own and its address where the caller wants it; 0 or an error code.
///
/// # Safety
/// `place` must be null or valid for the write of a pointer.
pub unsafe fn hand_out<T>(place: *mut *mut T, make: impl FnOnce() -> Result<T, c_int>) -> c_int {
    if place.is_null() {
        return ESTR_NULL_POINTER;
    }
    let made = make().and_then(|value| {
        // A vector of one value, because its memory may be refused without an abort.
        let mut room = Vec::new();
        room.try_reserve_exact(1).map_err(|_| ESTR_NO_MEMORY)?;
        room.push(value);
        Ok(Box::into_raw(room.into_boxed_slice()).cast::<T>())
    });
    // SAFETY: not null, and valid by the caller's promise.
    unsafe { write(place, made.unwrap_or(std::ptr::null_mut())) };
    made.err().unwrap_or(0)
}

/// Ends what [`hand_out`] made; nothing happens if it is null.
///
/// # Safety
/// `value` must be null or come from [`hand_out`], and is not to be used any more.
pub unsafe fn take_back<T>(value: *mut T) {
    if !value.is_null() {
        // SAFETY: it was made as a boxed slice of one.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(value, 1)) });
    }
}

/// A caller's buffer that takes the first characters of a text, and a NUL behind them, as `snprintf` does.
pub struct Window {
    buffer: *mut c_char,
    size: usize,
    length: usize,
}

impl Window {
    /// Writes a text, and tells its whole length without the NUL, or an error code.
    ///
    /// # Safety
    /// `buffer` must have room for `size` characters; it may be null if that is 0.
    pub unsafe fn write(buffer: *mut c_char, size: usize, text: impl Display) -> c_int {
        if buffer.is_null() && size > 0 {
            return ESTR_NULL_POINTER;
        }
        let mut window = Self { buffer, size, length: 0 };
        // A window takes every text.
        let _ = write!(window, "{text}");
        if size > 0 {
            // SAFETY: the NUL comes at most at place size - 1.
            unsafe { buffer.add(window.length.min(size.saturating_sub(1))).write_unaligned(0) };
        }
        c_int::try_from(window.length).unwrap_or(c_int::MAX)
    }
}

impl Write for Window {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            if self.length < self.size.saturating_sub(1) {
                // SAFETY: the buffer has room for `size` characters by the caller's promise.
                unsafe { self.buffer.add(self.length).write_unaligned(byte.cast_signed() as c_char) };
            }
            self.length = self.length.saturating_add(1);
        }
        Ok(())
    }
}
