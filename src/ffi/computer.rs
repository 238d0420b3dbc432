//! The computer player: what it may spend, what it plays with, what it thinks, and players beside that of the process.

use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use std::time::Duration;

use super::codes::{
    ESTR_BAD_BOARD, ESTR_BAD_OPTION, ESTR_BAD_WEIGHTS, ESTR_NO_DIRECTION, ESTR_NO_MEMORY, ESTR_NO_NETWORK,
    ESTR_NULL_POINTER,
};
use super::memory::{self, Growing, Window};
use crate::bitboard::Bitboard;
use crate::clairvoyant;
use crate::direction::Direction;
use crate::network::weights::LoadError;
use crate::player::analysis;
use crate::player::computer::{Computer, Effort};
use crate::player::handmade;
use crate::player::settings::{self, Loaded, Status};
use crate::search::{Limit, MAX_THREADS};

/// A player plays with the network inside the library.
pub const ESTR_PLAYER_STANDARD: c_int = 0;
/// A player plays with the network of a file.
pub const ESTR_PLAYER_FILE: c_int = 1;
/// A player plays with the network inside the library, because the file that ESTR_WEIGHTS names cannot be used.
pub const ESTR_PLAYER_INSTEAD: c_int = 2;
/// A player is the small one without a network, which is much weaker: memory is short, or the library was built without.
pub const ESTR_PLAYER_SMALL: c_int = 3;

/// The largest number of moves of a best line.
pub const ESTR_MAX_LINE: usize = 32;

/// Evaluations for each reply of the best line, if no effort was named: it has many.
const LINE_LIMIT: Limit = Limit::Nodes(5000);

/// A computer player of one's own, beside that of the process. Made by estr_player_new, freed by estr_player_free, and not
/// to be used after that. Where a function takes an estr_player, NULL means the player of the process: that of
/// aiplayer_<ID>, with the settings of estr_player_configure.
pub struct EstrPlayer {
    computer: Option<Computer>,
    status: Status,
}

/// Options of a computer player. Set all of it to zero first; zero means "as usual".
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PlayerOptions {
    /// sizeof(estr_player_options), by which later versions know what an older program means; 0 means the same.
    pub size: usize,
    /// Most time for a move, in microseconds; 0: no limit in time.
    pub move_us: u64,
    /// Most network evaluations for a move. With such a limit the player is deterministic: the same board always gets
    /// the same move, on every machine and with any number of threads. If both limits are given, this one counts. If
    /// neither is, it is 5000, which takes about a millisecond, and the last 31 moves before a sum that needs all
    /// sixteen cells (65536, 98304, 114688, ...) and the first 20 behind it are solved exactly, which takes up to a
    /// second each. That is deterministic too.
    pub nodes: u64,
    /// Threads for a move, at most 64; 0 means 1. With one thread none is ever started. More of them think further
    /// within a time limit, and are sooner done with 20000 evaluations and more.
    pub threads: u32,
    /// Path of a network file, or NULL: the file that the environment variable ESTR_WEIGHTS names, or else the network
    /// inside the library.
    pub weights: *const c_char,
}

// SAFETY: repr(C), a size first, and zeros are its usual values.
unsafe impl Growing for PlayerOptions {}

/// What a player thinks of a board, for estr_player_analyse. Set all of it to zero first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EstrAnalysis {
    /// sizeof(estr_analysis), by which later versions know how much room an older program has; 0 means the same.
    pub size: usize,
    /// The expected number of further moves after each direction, by its number; -1 for one that changes nothing.
    pub values: [f64; 4],
    /// The exact probability of coming through the fill ahead, or the one just behind, under best play, 0 to 1; -1 if
    /// none was computed. (A fill is a sum that needs all sixteen cells: 65536, 98304, 114688, ... A board has come
    /// through when three cells are empty after a move, at this sum or at most 40 points behind it.) Of a board that the
    /// network's tablebase knows for a fill, on the last 4096 points before it, the chance that was found beforehand; -1 of one that it
    /// knows for the way to 131070.
    pub passing: f64,
    /// Network evaluations that were made.
    pub evaluations: u64,
    /// The best direction.
    pub direction: c_int,
    /// The largest number of moves that was looked ahead.
    pub depth: c_int,
    /// Moves that are proved to be survived whatever cells are drawn.
    pub survives: c_int,
    /// 1 if one move more may be fatal, 0 if it is not known.
    pub survives_is_exact: c_int,
    /// Moves of the best line.
    pub line_length: c_int,
    /// The directions of the best line.
    pub line_directions: [c_int; ESTR_MAX_LINE],
    /// The cell of the new 2 after each move of the best line, row * 4 + col: the one that hurts most.
    pub line_cells: [c_int; ESTR_MAX_LINE],
}

// SAFETY: repr(C), a size first, and zeros are a value.
unsafe impl Growing for EstrAnalysis {}

/// # Safety
/// `options` must be null or point to options whose `weights` is null or a null-terminated string.
unsafe fn read_options(options: *const PlayerOptions) -> Result<(Effort, Option<PathBuf>), c_int> {
    // SAFETY: the same promise.
    let Some(options) = (unsafe { memory::read_sized(options) })? else {
        return Ok((Effort::USUAL, None));
    };
    if options.threads > MAX_THREADS {
        return Err(ESTR_BAD_OPTION);
    }
    let effort = match (options.nodes, options.move_us) {
        (0, 0) => Effort::USUAL,
        (0, us) => Limit::Time(Duration::from_micros(us)).into(),
        (nodes, _) => Limit::Nodes(nodes).into(),
    };
    let effort = effort.with_threads(options.threads.max(1));
    if options.weights.is_null() {
        return Ok((effort, None));
    }
    // SAFETY: not null, and a C string by the caller's promise.
    let path = unsafe { CStr::from_ptr(options.weights) }.to_str().map_err(|_| ESTR_BAD_OPTION)?;
    Ok((effort, Some(PathBuf::from(path))))
}

fn code(error: &LoadError) -> c_int {
    if error.is_memory() { ESTR_NO_MEMORY } else { ESTR_BAD_WEIGHTS }
}

/// Sets what the player of the process may spend on a move, and the network that it plays with. Holds for all threads,
/// from their next move on.
///
/// Without this function the player makes at most 5000 network evaluations a move, solves the last moves before a full
/// board exactly, and plays with the network inside the library. The first move, or this function, unpacks that network,
/// which takes a good part of a second.
///
/// options: the new settings, or NULL for the usual ones.
///
/// Returns 0.
/// Errors: ESTR_BAD_OPTION if threads is above 64, weights is no UTF-8 text, or size is none; ESTR_BAD_WEIGHTS if the
/// network file cannot be read, is damaged, or has a shape that this library does not know; ESTR_NO_MEMORY. The settings
/// do not change then.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_configure(options: *const PlayerOptions) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let settings = unsafe { read_options(options) };
    let configured =
        settings.and_then(|(effort, path)| settings::configure(effort, path.as_deref()).map_err(|error| code(&error)));
    configured.err().unwrap_or(0)
}

/// Makes a player of its own: two of them can differ in network and effort.
///
/// options: what it may spend and what it plays with, or NULL for the usual player. Without a file in `weights` it always
/// plays, if need be without a network: estr_player_status tells.
/// player: where the new player's address goes; NULL is put there on an error. Free it with estr_player_free.
///
/// Returns 0.
/// Errors: as estr_player_configure; ESTR_NULL_POINTER if `player` is NULL.
/// Threads: safe from any thread. Players with the library's own network share one copy of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_new(options: *const PlayerOptions, player: *mut *mut EstrPlayer) -> c_int {
    let new = || {
        // SAFETY: the caller keeps the rule of this module.
        let (effort, path) = unsafe { read_options(options) }?;
        let Loaded { network, status } = match path {
            Some(path) => Loaded::named(Some(&path)).map_err(|error| code(&error))?,
            None => settings::standard(),
        };
        let computer = match network {
            Some(network) => Some(Computer::try_new(Some(network), effort).ok_or(ESTR_NO_MEMORY)?),
            None => None,
        };
        Ok(EstrPlayer { computer, status })
    };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::hand_out(player, new) }
}

/// Chooses a move by looking at nothing but the board.
///
/// player: from estr_player_new; or NULL for the player of the process, which is what aiplayer_<ID> is.
/// game_board: 16 ints, game_board[row][col]; any values. It is not changed, and nothing is printed.
///
/// Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
/// Errors: ESTR_NO_DIRECTION (-1) only if no direction does; ESTR_NULL_POINTER if `game_board` is NULL.
/// Threads: safe from any thread; one player by one thread at a time, but NULL by any number. With one thread for a move a
/// call may be left by siglongjmp: the player of the process then forgets what it was doing and leaves up to 20 MB
/// unused, while one from estr_player_new is not to be used any more, not even freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_choose(player: *mut EstrPlayer, game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let (player, board) = unsafe { (player.as_mut(), memory::read_board(game_board)) };
    let Some(board) = board else { return ESTR_NULL_POINTER };
    let direction = match player {
        None => settings::choose(&board),
        Some(EstrPlayer { computer: Some(computer), .. }) => computer.choose(&board),
        Some(EstrPlayer { computer: None, .. }) => handmade::choose(&board),
    };
    direction.map_or(ESTR_NO_DIRECTION, Direction::number)
}

/// Tells what a player thinks of a board: the value of every direction, the best line, and how long the board survives.
///
/// player: from estr_player_new; or NULL for the player of the process.
/// game_board: 16 ints, game_board[row][col]: 0 or tiles of a game, 2 to 65536. It is not changed.
/// moves: moves of the best line that are wanted, 0 to ESTR_MAX_LINE; each takes some thousand evaluations for every empty
/// cell.
/// analysis: where the answer goes; its field `size` says how much room there is.
///
/// Returns the best direction, 0 up, 1 down, 2 left, 3 right.
/// Errors: ESTR_NO_DIRECTION (-1) if no direction changes the board; ESTR_BAD_BOARD, ESTR_NO_NETWORK, ESTR_NO_MEMORY,
/// ESTR_NULL_POINTER; ESTR_BAD_OPTION if `moves` or `size` is out of range. Nothing is written then.
/// Threads: as estr_player_choose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_analyse(
    player: *mut EstrPlayer,
    game_board: *mut [c_int; 4],
    moves: c_int,
    analysis: *mut EstrAnalysis,
) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let (player, board) = unsafe { (player.as_mut(), memory::read_board(game_board)) };
    let Some(board) = board.filter(|_| !analysis.is_null()) else { return ESTR_NULL_POINTER };
    let Some(moves) = usize::try_from(moves).ok().filter(|&moves| moves <= ESTR_MAX_LINE) else {
        return ESTR_BAD_OPTION;
    };
    let Some(board) = Bitboard::from_board(&board) else { return ESTR_BAD_BOARD };
    if board.is_over() {
        return ESTR_NO_DIRECTION;
    }
    let analysed = match player {
        None => settings::with_computer(|computer| analyse(computer, board, moves)),
        Some(player) => player.computer.as_mut().map(|computer| analyse(computer, board, moves)),
    };
    match analysed {
        None => ESTR_NO_NETWORK,
        Some(Err(code)) => code,
        // SAFETY: not null, and as large as its size says by the caller's promise.
        Some(Ok(answer)) if unsafe { memory::write_sized(analysis, &answer) } => answer.direction,
        Some(Ok(_)) => ESTR_BAD_OPTION,
    }
}

fn analyse(computer: &mut Computer, board: Bitboard, moves: usize) -> Result<EstrAnalysis, c_int> {
    let choice = computer.decide(board).ok_or(ESTR_NO_NETWORK)?;
    let effort = computer.effort();
    let limit = if effort == Effort::USUAL { LINE_LIMIT.into() } else { effort };
    let mut companion = Computer::try_new(computer.network().cloned(), limit).ok_or(ESTR_NO_MEMORY)?;
    let line = analysis::best_line(&mut companion, board, choice, moves);
    let (survives, is_exact) = analysis::survival(board);
    let mut answer = EstrAnalysis {
        size: size_of::<EstrAnalysis>(),
        values: choice.search.values.map(|value| value.map_or(-1.0, f64::from)),
        passing: choice.fill.map_or(-1.0, f64::from),
        evaluations: choice.search.nodes,
        direction: choice.direction.number(),
        depth: choice.search.depth as c_int,
        survives: survives as c_int,
        survives_is_exact: is_exact.into(),
        line_length: line.len() as c_int,
        line_directions: [0; ESTR_MAX_LINE],
        line_cells: [0; ESTR_MAX_LINE],
    };
    let places = answer.line_directions.iter_mut().zip(&mut answer.line_cells);
    for (step, (direction, cell)) in line.iter().zip(places) {
        (*direction, *cell) = (step.direction.number(), step.cell as c_int);
    }
    Ok(answer)
}

/// Tells which network a player plays with, and why: whether it is the strong player that was asked for. For the player
/// of the process the network is unpacked if that has not happened yet, so that the first move after this is quick.
///
/// player: from estr_player_new; or NULL for the player of the process.
/// text: room for `size` characters, for an English text without a newline; may be NULL if `size` is 0.
/// size: at most size - 1 characters are written, and a NUL after them.
///
/// Returns ESTR_PLAYER_STANDARD, ESTR_PLAYER_FILE, ESTR_PLAYER_INSTEAD or ESTR_PLAYER_SMALL.
/// Errors: ESTR_NULL_POINTER if `text` is NULL and `size` is not 0.
/// Threads: as estr_player_choose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_status(player: *const EstrPlayer, text: *mut c_char, size: usize) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let status = unsafe { player.as_ref() }.map_or_else(settings::status, |player| player.status.clone());
    // SAFETY: the caller keeps the rule of this module.
    match unsafe { Window::write(text, size, &status) } {
        error @ ..0 => error,
        _ => match status {
            Status::Standard => ESTR_PLAYER_STANDARD,
            Status::File(_) => ESTR_PLAYER_FILE,
            Status::Instead(_) => ESTR_PLAYER_INSTEAD,
            Status::Small(_) => ESTR_PLAYER_SMALL,
        },
    }
}

/// Gives back what a player takes up. For the player of the process that is its network, what this thread's player
/// remembers, and the games of the clairvoyant player; other threads give theirs back with their next move or their end.
/// Its settings stay, and its next move unpacks the network again.
///
/// player: from estr_player_new, and not to be used any more; or NULL for the player of the process.
///
/// Returns nothing.
/// Errors: none.
/// Threads: safe from any thread; one player by one thread at a time, but NULL by any number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_free(player: *mut EstrPlayer) {
    if player.is_null() {
        clairvoyant::settings::forget();
        settings::free();
    }
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::take_back(player) };
}
