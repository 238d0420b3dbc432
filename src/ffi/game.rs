//! A running game of any course, behind a pointer.

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use super::codes::{
    ESTR_BAD_COURSE, ESTR_BAD_DIRECTION, ESTR_BAD_FILE, ESTR_BAD_SIZE, ESTR_BOARD_FULL, ESTR_CELL_UNREACHABLE,
    ESTR_FILE_ERROR, ESTR_NO_MEMORY, ESTR_NULL_POINTER,
};
use super::memory::{self, Growing};
use crate::atomic_file;
use crate::courses::Course;
use crate::courses::ReadError;
use crate::direction::Direction;
use crate::game::{Game, GameError};

/// A running game of one of the five courses. Made by estr_game_new or estr_game_load, freed by estr_game_free, and not
/// to be used after that. Different games may be used by different threads, one game only by one thread at a time.
pub struct EstrGame(Game);

/// What one of many moves did.
pub struct Step {
    pub changed: bool,
    /// What the move added to the score.
    pub gain: i64,
    pub over: bool,
}

impl EstrGame {
    /// One of many moves. With `restart` a game that is over starts again instead, and no history is kept.
    pub fn step(&mut self, direction: Direction, restart: bool) -> Step {
        let game = &mut self.0;
        if restart && game.is_over() {
            let over = game.start_again().is_err();
            return Step { changed: false, gain: 0, over };
        }
        let before = game.score();
        let moved = game.make_move(direction);
        if restart {
            game.forget_history();
        }
        let unreachable = matches!(moved, Err(GameError::Unreachable));
        let gain = game.score().saturating_sub(before);
        Step { changed: moved.unwrap_or(false), gain, over: unreachable || game.is_over() }
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[i32] {
        self.0.board().cells()
    }
}

fn code(error: &GameError) -> c_int {
    match error {
        GameError::Size => ESTR_BAD_SIZE,
        GameError::Memory => ESTR_NO_MEMORY,
        GameError::Unreachable => ESTR_CELL_UNREACHABLE,
        GameError::File(_) => ESTR_BAD_FILE,
    }
}

/// Asks a question about the caller's game.
///
/// # Safety
/// `game` must be null or come from [`memory::hand_out`].
unsafe fn ask<T>(game: *const EstrGame, missing: T, answer: impl FnOnce(&Game) -> T) -> T {
    // SAFETY: the same promise.
    unsafe { game.as_ref() }.map_or(missing, |game| answer(&game.0))
}

/// Lets `change` work on the caller's game.
///
/// # Safety
/// `game` must be null or come from [`memory::hand_out`].
unsafe fn change(game: *mut EstrGame, change: impl FnOnce(&mut Game) -> Result<c_int, GameError>) -> c_int {
    // SAFETY: the same promise.
    match unsafe { game.as_mut() } {
        Some(game) => change(&mut game.0).unwrap_or_else(|error| code(&error)),
        None => ESTR_NULL_POINTER,
    }
}

/// Starts a game with the start tiles of its course.
///
/// course: ESTR_COURSE_ESTR1002 (4 x 4 only), ESTR_COURSE_PSA3 (square, from 2 x 2), ESTR_COURSE_PA4 (any rectangle),
/// ESTR_COURSE_COMP1020 or ESTR_COURSE_CS61B (any square).
/// rows, cols: sides of the board, at most ESTR_MAX_SIDE.
/// seed: for TinyMT32 with all parameters 0 (ESTR1002; its low 32 bits) or java.util.Random (all others). The courses'
/// own seeds are 420 (PSA3), 118 (PA4) and 5 (CS 61B).
/// game: where the new game's address goes; NULL is put there on an error. Free it with estr_game_free.
///
/// Returns 0.
/// Errors: ESTR_BAD_COURSE, ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_CELL_UNREACHABLE, ESTR_NULL_POINTER.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_new(
    course: c_int,
    rows: c_int,
    cols: c_int,
    seed: i64,
    game: *mut *mut EstrGame,
) -> c_int {
    let new = || {
        let course = Course::from_number(course).ok_or(ESTR_BAD_COURSE)?;
        let side = |side| usize::try_from(side).map_err(|_| ESTR_BAD_SIZE);
        Game::new(course, side(rows)?, side(cols)?, seed).map_err(|error| code(&error))
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::hand_out(game, || new().map(EstrGame)) }
}

/// Ends a game and gives back its memory.
///
/// game: from estr_game_new or estr_game_load, and not to be used any more; or NULL, which is left alone.
///
/// Returns nothing.
/// Errors: none.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_free(game: *mut EstrGame) {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::take_back(game) };
}

/// Moves all tiles and, if that changed the board, adds a tile as the course draws it. A game that is over takes no
/// move; a CS 61B game that this move ends gets no new tile.
///
/// game: from estr_game_new or estr_game_load.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if the board changed, 0 if not.
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_CELL_UNREACHABLE; the game is as before.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_move(game: *mut EstrGame, direction: c_int) -> c_int {
    let make_move = |game: &mut Game| match Direction::from_number(direction) {
        Some(direction) => game.make_move(direction).map(c_int::from),
        None => Ok(ESTR_BAD_DIRECTION),
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, make_move) }
}

/// Takes back the last change: a move with its new tile, an added tile, set cells or a set score. The random numbers
/// go back too, so that the same moves give the same game again. There is no limit but the start of the game.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns 1 if a change was taken back, 0 at the start of the game (nothing changes).
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_undo(game: *mut EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, |game| Ok(game.undo().into())) }
}

/// Tells whether a move in this direction would change the board.
///
/// game: from estr_game_new or estr_game_load.
/// direction: 0 up, 1 down, 2 left, 3 right.
///
/// Returns 1 if it would, 0 if not.
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_can_move(game: *const EstrGame, direction: c_int) -> c_int {
    let answer = |game: &Game| match Direction::from_number(direction) {
        Some(direction) => game.can_move(direction).into(),
        None => ESTR_BAD_DIRECTION,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, answer) }
}

/// Tells whether the game is over by its course's rule: nothing can move; for COMP 1020 also no empty place; for
/// CS 61B no move exists or a 2048 is on the board.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns 1 if it is over, 0 if not.
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_is_over(game: *const EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, |game| game.is_over().into()) }
}

/// Tells whether a winning tile is on the board. Only CS 61B has one, 2048; in the other courses nobody wins.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns 1 if it is, 0 if not.
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_has_won(game: *const EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, |game| game.has_won().into()) }
}

/// The score: the sum of all tiles on the board for ESTR1002, the sum of all combined tiles for the others (COMP 1020
/// itself keeps no score). A score that was set or loaded may be negative.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns the score.
/// Errors: ESTR_NULL_POINTER (-2, which may be a score, too).
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_score(game: *const EstrGame) -> i64 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER.into(), Game::score) }
}

/// Number of rows of a game's board.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns a number from 1 to ESTR_MAX_SIDE.
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_rows(game: *const EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, |game| game.board().rows() as c_int) }
}

/// Number of columns of a game's board.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns a number from 1 to ESTR_MAX_SIDE.
/// Errors: ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_cols(game: *const EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, |game| game.board().cols() as c_int) }
}

/// Copies all cells, row by row; 0 is an empty cell.
///
/// game: from estr_game_new or estr_game_load.
/// cells: room for `count` ints.
/// count: rows * cols of the game, or more.
///
/// Returns the number of cells.
/// Errors: ESTR_BAD_SIZE if `count` is smaller (nothing is copied), ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_get_cells(game: *const EstrGame, cells: *mut c_int, count: usize) -> c_int {
    let copy = |game: &Game| {
        let board = game.board().cells();
        if cells.is_null() {
            return ESTR_NULL_POINTER;
        }
        if count < board.len() {
            return ESTR_BAD_SIZE;
        }
        // SAFETY: `cells` has room for `count` ints by the caller's promise, which is at least as many.
        unsafe { memory::write_all(cells, board) };
        board.len() as c_int
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, copy) }
}

/// Replaces all cells, row by row. The score stays, and the change can be undone.
///
/// game: from estr_game_new or estr_game_load.
/// cells: `count` ints; 0 is an empty cell, every other int is a tile.
/// count: rows * cols of the game, exactly.
///
/// Returns 0.
/// Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; the game is as before.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_set_cells(game: *mut EstrGame, cells: *const c_int, count: usize) -> c_int {
    let set = |game: &mut Game| {
        if count != game.board().cells().len() {
            return Err(GameError::Size);
        }
        // SAFETY: `cells` holds `count` ints by the caller's promise.
        match unsafe { memory::read_all(cells, count) } {
            Ok(cells) => game.set_cells(&cells).map(|()| 0),
            Err(code) => Ok(code),
        }
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, set) }
}

/// Sets the score (PA4's setScore). It goes on from there with what combines, and the change can be undone.
///
/// game: from estr_game_new or estr_game_load.
/// score: any number; it may be negative.
///
/// Returns 0.
/// Errors: ESTR_BAD_COURSE in a game of ESTR1002, whose score is the sum of its tiles, ESTR_NO_MEMORY,
/// ESTR_NULL_POINTER; the game is as before.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_set_score(game: *mut EstrGame, score: i64) -> c_int {
    let set = |game: &mut Game| Ok(if game.set_score(score)? { 0 } else { ESTR_BAD_COURSE });
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, set) }
}

/// Draws the value of a tile with the game's random numbers, and puts it nowhere (PA4's randomTile): a 2 in 70 of 100 cases
/// for PA4, in 90 for PSA3 and COMP 1020. An undo of an earlier change takes its random numbers back as well.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns 2 or 4.
/// Errors: ESTR_BAD_COURSE in a game of ESTR1002 or CS 61B, which do not draw a value by itself (nothing is drawn),
/// ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_random_tile(game: *mut EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, |game| Ok(game.random_tile().unwrap_or(ESTR_BAD_COURSE))) }
}

/// Adds a tile as the course draws it. It can be undone.
///
/// game: from estr_game_new or estr_game_load.
///
/// Returns its value, 2 or 4.
/// Errors: ESTR_BOARD_FULL (nothing is drawn), ESTR_CELL_UNREACHABLE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; the board is as
/// before.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_add_tile(game: *mut EstrGame) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { change(game, |game| Ok(game.add_tile()?.unwrap_or(ESTR_BOARD_FULL))) }
}

/// Writes the board as the course prints it.
///
/// game: from estr_game_new or estr_game_load.
/// buffer: room for `size` characters; may be NULL if `size` is 0.
/// size: as for snprintf, at most size - 1 characters are written, and a NUL after them.
///
/// Returns the length of the whole text without the NUL: the text was cut off if that is not less than `size`.
/// Errors: ESTR_NULL_POINTER, ESTR_NO_MEMORY.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_render(game: *const EstrGame, buffer: *mut c_char, size: usize) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, |game| memory::Window::write(buffer, size, game)) }
}

/// Saves board and score: in PSA3's board file for PSA3, in PA4's save file for all other courses, which have none of
/// their own. The random numbers and the history are not saved.
///
/// game: from estr_game_new or estr_game_load.
/// path: the file's name. An old file of that name is replaced once the new one is written whole beside it; if that
/// fails, the old file is as it was. It keeps its permissions, and a link is followed.
///
/// Returns 0.
/// Errors: ESTR_FILE_ERROR (errno tells more; the old file is as it was), ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_save(game: *const EstrGame, path: *const c_char) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let Some(path) = (unsafe { file_name(path) }) else {
        return ESTR_NULL_POINTER;
    };
    let save = |game: &Game| match atomic_file::write(&path, game.save()) {
        Ok(()) => 0,
        Err(_) => ESTR_FILE_ERROR,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, save) }
}

/// Goes on with a game that estr_game_save saved, or that PSA3's or PA4's own program saved. The random numbers start
/// afresh, and there is no history.
///
/// course, seed, game: as for estr_game_new.
/// path: the file's name. The file is not changed.
///
/// Returns 0.
/// Errors: ESTR_FILE_ERROR (it cannot be read), ESTR_BAD_FILE (it is no saved game), ESTR_BAD_COURSE, ESTR_BAD_SIZE,
/// ESTR_NO_MEMORY, ESTR_NULL_POINTER; `*game` is NULL then.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_load(
    course: c_int,
    path: *const c_char,
    seed: i64,
    game: *mut *mut EstrGame,
) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { estr_game_load_checked(course, path, seed, game, std::ptr::null_mut()) }
}

/// Room for the message of an estr_file_error.
pub const ESTR_MESSAGE_LENGTH: usize = 200;

/// Where a file is damaged, for estr_game_load_checked. Set all of it to zero first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EstrFileError {
    /// sizeof(estr_file_error), by which later versions know how much room an older program has; 0 means the same.
    pub size: usize,
    /// The line, counted from 1; 0 if the file could not be read at all, or holds a board that the course does not allow.
    pub line: c_int,
    /// The character in that line, counted from 1; or 0.
    pub column: c_int,
    /// What was expected there and what was found, in English, without a newline.
    pub message: [c_char; ESTR_MESSAGE_LENGTH],
}

// SAFETY: repr(C), a size first, and zeros are a value.
unsafe impl Growing for EstrFileError {}

/// The same as estr_game_load, and says where a file is damaged.
///
/// course, path, seed, game: as for estr_game_load.
/// error: where the place and the reason of a failure go; it is left alone if there is none. May be NULL.
///
/// Returns 0.
/// Errors: as estr_game_load.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_load_checked(
    course: c_int,
    path: *const c_char,
    seed: i64,
    game: *mut *mut EstrGame,
    error: *mut EstrFileError,
) -> c_int {
    let Some(course) = Course::from_number(course) else {
        // SAFETY: the caller keeps the rule of this module.
        return unsafe { memory::hand_out(game, || Err(ESTR_BAD_COURSE)) };
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { open(path, game, error, |file| Game::load(course, file, seed)) }
}

/// Saves a game with the state of its random numbers, so that it goes on as if it had never been interrupted: the same
/// moves bring the same tiles. The file is one of the library's own, a text with a version in it. The history is not
/// saved.
///
/// game: from estr_game_new, estr_game_load or estr_game_resume.
/// path: the file's name. An old file of that name is replaced once the new one is written whole beside it.
///
/// Returns 0.
/// Errors: ESTR_FILE_ERROR (errno tells more; the old file is as it was), ESTR_NULL_POINTER.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_suspend(game: *const EstrGame, path: *const c_char) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let Some(path) = (unsafe { file_name(path) }) else { return ESTR_NULL_POINTER };
    let save = |game: &Game| match game.suspend().map(|text| atomic_file::write(&path, text.as_bytes())) {
        Some(Ok(())) => 0,
        _ => ESTR_FILE_ERROR,
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { ask(game, ESTR_NULL_POINTER, save) }
}

/// Goes on with a game that estr_game_suspend saved, whatever its course. There is no history.
///
/// path: the file's name. The file is not changed.
/// game: where the game's address goes; NULL is put there on an error. Free it with estr_game_free.
/// error: where the place and the reason of a failure go; it is left alone if there is none. May be NULL.
///
/// Returns 0.
/// Errors: ESTR_FILE_ERROR (it cannot be read), ESTR_BAD_FILE (it is no such game), ESTR_NO_MEMORY, ESTR_NULL_POINTER.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_game_resume(
    path: *const c_char,
    game: *mut *mut EstrGame,
    error: *mut EstrFileError,
) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { open(path, game, error, Game::resume) }
}

/// Hands out the game of a file, and says where the file is damaged.
///
/// # Safety
/// As for [`file_name`], [`memory::hand_out`] and [`memory::write_sized`]; `error` may be null.
unsafe fn open(
    path: *const c_char,
    game: *mut *mut EstrGame,
    error: *mut EstrFileError,
    load: impl FnOnce(&[u8]) -> Result<Game, GameError>,
) -> c_int {
    // SAFETY: the same promise.
    let path = unsafe { file_name(path) };
    let report = |line: usize, column: usize, reason: &dyn Display| {
        if error.is_null() {
            return;
        }
        let number = |number: usize| c_int::try_from(number).unwrap_or(c_int::MAX);
        let mut report =
            EstrFileError { size: 0, line: number(line), column: number(column), message: [0; ESTR_MESSAGE_LENGTH] };
        // SAFETY: the message has so much room; the same promise.
        unsafe {
            memory::Window::write(report.message.as_mut_ptr(), ESTR_MESSAGE_LENGTH, reason);
            memory::write_sized(error, &report);
        }
    };
    let opened = || {
        let file = read_file(path.ok_or(ESTR_NULL_POINTER)?).map_err(|error| {
            report(0, 0, &error);
            ESTR_FILE_ERROR
        })?;
        load(&file).map_err(|error| {
            match &error {
                GameError::File(ReadError { line, column, message }) => report(*line, *column, message),
                error => report(0, 0, error),
            }
            code(&error)
        })
    };
    // SAFETY: the same promise.
    unsafe { memory::hand_out(game, || opened().map(EstrGame)) }
}

/// A file's name as C gives it.
///
/// # Safety
/// `path` must be null or a text with a NUL at its end.
unsafe fn file_name(path: *const c_char) -> Option<PathBuf> {
    if path.is_null() {
        return None;
    }
    // SAFETY: not null, and it ends with a NUL by the caller's promise.
    let name = unsafe { CStr::from_ptr(path) };
    #[cfg(unix)]
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name.to_bytes());
    #[cfg(not(unix))]
    let name = name.to_str().ok()?;
    Some(PathBuf::from(name))
}

/// The bytes of a file, up to more than any saved game has.
fn read_file(path: PathBuf) -> io::Result<Vec<u8>> {
    const LARGEST: u64 = 16 << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
