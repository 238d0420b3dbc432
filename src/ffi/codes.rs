//! Directions and error codes, as C sees them.

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;

use crate::courses::{Course, MAX_SIDE};
use crate::direction::Direction;

/// Direction: tiles move towards row 0.
pub const ESTR_UP: c_int = 0;
/// Direction: tiles move towards row 3.
pub const ESTR_DOWN: c_int = 1;
/// Direction: tiles move towards column 0.
pub const ESTR_LEFT: c_int = 2;
/// Direction: tiles move towards column 3.
pub const ESTR_RIGHT: c_int = 3;

/// A player has no direction to give: the input ended (human_player), or no move exists (aiplayer).
pub const ESTR_NO_DIRECTION: c_int = -1;
/// Error: a pointer argument is NULL.
pub const ESTR_NULL_POINTER: c_int = -2;
/// Error: a direction is not one of 0, 1, 2, 3.
pub const ESTR_BAD_DIRECTION: c_int = -3;
/// Error: the board has no empty cell.
pub const ESTR_BOARD_FULL: c_int = -4;
/// Error: the generator never draws any of the empty cells.
pub const ESTR_CELL_UNREACHABLE: c_int = -5;
/// Error: an option of the computer player has a value that cannot be.
pub const ESTR_BAD_OPTION: c_int = -6;
/// Error: the network file cannot be read, is damaged, or is of another kind.
pub const ESTR_BAD_WEIGHTS: c_int = -7;
/// Error: the board has other tiles than 2, 4, 8, ... 65536, or more than one 65536.
pub const ESTR_BAD_BOARD: c_int = -8;
/// Error: there is no network; estr_player_status says why.
pub const ESTR_NO_NETWORK: c_int = -9;
/// Error: the boards tell too little to search for a seed.
pub const ESTR_TOO_FEW_BOARDS: c_int = -10;
/// Error: a board or line of that size is not allowed, or has no such row or column.
pub const ESTR_BAD_SIZE: c_int = -20;
/// Error: there is no course of that number.
pub const ESTR_BAD_COURSE: c_int = -21;
/// Error: there is not enough memory.
pub const ESTR_NO_MEMORY: c_int = -22;
/// Error: a file cannot be opened, read or written.
pub const ESTR_FILE_ERROR: c_int = -23;
/// Error: a file is not a saved game.
pub const ESTR_BAD_FILE: c_int = -24;
/// Error: a bound of random numbers is not positive.
pub const ESTR_BAD_BOUND: c_int = -25;

/// Course: ESTR1002, CUHK.
pub const ESTR_COURSE_ESTR1002: c_int = 0;
/// Course: PSA3, UCSD CSE 8B, Winter 2018.
pub const ESTR_COURSE_PSA3: c_int = 1;
/// Course: PA4, UCSD CSE 8B, Winter 2020.
pub const ESTR_COURSE_PA4: c_int = 2;
/// Course: COMP 1020, University of Manitoba, Assignment 2.
pub const ESTR_COURSE_COMP1020: c_int = 3;
/// Course: CS 61B, UC Berkeley, Project 0.
pub const ESTR_COURSE_CS61B: c_int = 4;

/// The largest number of rows or columns of a board.
pub const ESTR_MAX_SIDE: c_int = 128;

/// The version of this header: the first number. Another one means another interface.
pub const ESTR_VERSION_MAJOR: c_int = 0;
/// The version of this header: the second number. While the first is 0, another one may mean another interface, too.
pub const ESTR_VERSION_MINOR: c_int = 1;
/// The version of this header: the third number.
pub const ESTR_VERSION_PATCH: c_int = 0;

const _: () = {
    assert!(is_number(env!("CARGO_PKG_VERSION_MAJOR"), ESTR_VERSION_MAJOR));
    assert!(is_number(env!("CARGO_PKG_VERSION_MINOR"), ESTR_VERSION_MINOR));
    assert!(is_number(env!("CARGO_PKG_VERSION_PATCH"), ESTR_VERSION_PATCH));
    assert!(ESTR_UP == Direction::Up as c_int && ESTR_DOWN == Direction::Down as c_int);
    assert!(ESTR_LEFT == Direction::Left as c_int && ESTR_RIGHT == Direction::Right as c_int);
    assert!(ESTR_COURSE_ESTR1002 == Course::Estr1002 as c_int && ESTR_COURSE_PSA3 == Course::Psa3 as c_int);
    assert!(ESTR_COURSE_PA4 == Course::Pa4 as c_int && ESTR_COURSE_COMP1020 == Course::Comp1020 as c_int);
    assert!(ESTR_COURSE_CS61B == Course::Cs61b as c_int && ESTR_MAX_SIDE == MAX_SIDE as c_int);
};

/// Whether a part of the package's version is this number, for numbers below ten.
const fn is_number(text: &str, number: c_int) -> bool {
    matches!(*text.as_bytes(), [digit] if number == (digit as c_int).wrapping_sub(b'0' as c_int))
}

fn message(code: c_int) -> &'static CStr {
    match code {
        0.. => c"no error",
        ESTR_NO_DIRECTION => c"no direction: the input has ended, or no move exists",
        ESTR_NULL_POINTER => c"a pointer argument is NULL",
        ESTR_BAD_DIRECTION => c"a direction must be 0 (up), 1 (down), 2 (left) or 3 (right)",
        ESTR_BOARD_FULL => c"the board has no empty cell",
        ESTR_CELL_UNREACHABLE => c"the random numbers of this seed never reach an empty cell",
        ESTR_BAD_BOARD => c"the board has other tiles than 2, 4, 8, ... 65536, or more than one 65536",
        ESTR_NO_NETWORK => c"there is no network: the library was built without one, or memory is short",
        ESTR_TOO_FEW_BOARDS => c"the boards tell too little to search for a seed; about 20 are enough",
        ESTR_BAD_SIZE => c"a board or line of that size is not allowed, or has no such row or column",
        ESTR_BAD_COURSE => courses(),
        ESTR_NO_MEMORY => c"there is not enough memory",
        ESTR_FILE_ERROR => c"the file cannot be opened, read or written",
        ESTR_BAD_FILE => c"the file is not a saved game",
        ESTR_BAD_BOUND => c"a bound of random numbers must be at least 1",
        ESTR_BAD_OPTION => c"an option of the computer player has a value that cannot be",
        ESTR_BAD_WEIGHTS => c"the network file cannot be read, is damaged, or is of another kind",
        _ => c"unknown error code",
    }
}

/// "a course must be 0 (ESTR1002), ... or 4 (CS 61B)", with all courses that there are.
fn courses() -> &'static CStr {
    static TEXT: OnceLock<CString> = OnceLock::new();
    TEXT.get_or_init(|| {
        let named: Vec<String> =
            Course::ALL.iter().map(|&course| format!("{} ({})", course as i32, course.rules().name)).collect();
        let list = match named.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            few => few.concat(),
        };
        CString::new(format!("a course must be {list}")).unwrap_or_default()
    })
}

/// Says in words what a return value of this library means.
///
/// code: any int; values from 0 up mean success.
///
/// Returns a static English text without a newline, never NULL. Do not free it.
/// Errors: none; an unknown code has a text of its own.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn estr_strerror(code: c_int) -> *const c_char {
    message(code).as_ptr()
}

/// The earlier name of estr_strerror.
///
/// code: any int.
///
/// Returns what estr_strerror returns.
/// Errors: none.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn estr_error_message(code: c_int) -> *const c_char {
    message(code).as_ptr()
}

/// The version of the library that the program runs with, for example "0.1.0". ESTR_VERSION_MAJOR, _MINOR and _PATCH are
/// the version of the header that it was compiled with.
///
/// Returns a static text, never NULL. Do not free it.
/// Errors: none.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn estr_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}
