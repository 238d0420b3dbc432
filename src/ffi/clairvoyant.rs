//! The player that knows the next cells.

use std::ffi::c_int;
use std::time::{Duration, Instant};

use super::codes::{
    ESTR_BAD_BOARD, ESTR_BAD_OPTION, ESTR_CELL_UNREACHABLE, ESTR_NO_DIRECTION, ESTR_NO_NETWORK, ESTR_NULL_POINTER,
    ESTR_TOO_FEW_BOARDS,
};
use super::memory::{self, Growing};
use crate::bitboard::Bitboard;
use crate::clairvoyant::observation::Observation;
use crate::clairvoyant::plan::{DEFAULT_WIDTH, MAX_WIDTH, Planner, Progress};
use crate::clairvoyant::play::{MAX_BUDGET, Options};
use crate::clairvoyant::recover::{BITS_TO_SEARCH, PARAMETER_SETS, Recovery};
use crate::clairvoyant::settings;
use crate::clairvoyant::stream::Stream;
use crate::direction::Direction;
use crate::player;
use crate::tinymt32::Parameters;

/// The clairvoyant player tries the assignment's zero parameters, then the official ones.
pub const ESTR_TINYMT_ANY: u32 = 0;
/// The clairvoyant player tries the assignment's generator only: all parameters zero.
pub const ESTR_TINYMT_ZERO: u32 = 1;
/// The clairvoyant player tries the parameters that TinyMT's authors publish, and no others.
pub const ESTR_TINYMT_OFFICIAL: u32 = 2;

const MAX_THREADS: usize = 256;

/// Options of the clairvoyant player, for estr_clairvoyant_configure. Set all of it to zero first; zero means "as
/// usual".
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ClairvoyantOptions {
    /// sizeof(estr_clairvoyant_options), by which later versions know what an older program means; 0 means the same.
    pub size: usize,
    /// Most time for a call, in milliseconds, up to 4500; 0: 2000.
    pub call_ms: u32,
    /// Which generators are tried: ESTR_TINYMT_ANY, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL.
    pub tinymt: u32,
    /// Boards in the beam of the plan, up to 8192; 0: 16. More find the perfect game more surely, and slower.
    pub beam: u32,
    /// Threads for the search of the seed, up to 256; 0: as many as there are processors.
    pub threads: u32,
}

// SAFETY: repr(C), a size first, and zeros are its usual values.
unsafe impl Growing for ClairvoyantOptions {}

fn read_options(given: &ClairvoyantOptions) -> Option<Options> {
    let mut options = Options::default();
    if given.call_ms != 0 {
        options.budget = Duration::from_millis(given.call_ms.into());
    }
    options.parameters = parameters(given.tinymt)?.to_vec();
    if given.beam != 0 {
        options.width = usize::try_from(given.beam).ok()?;
    }
    if given.threads != 0 {
        options.threads = usize::try_from(given.threads).ok()?;
    }
    let possible = options.budget <= MAX_BUDGET && options.width <= MAX_WIDTH && options.threads <= MAX_THREADS;
    possible.then_some(options)
}

fn parameters(tinymt: u32) -> Option<&'static [Parameters]> {
    let [zero, official] = &PARAMETER_SETS;
    match tinymt {
        ESTR_TINYMT_ANY => Some(&PARAMETER_SETS),
        ESTR_TINYMT_ZERO => Some(std::slice::from_ref(zero)),
        ESTR_TINYMT_OFFICIAL => Some(std::slice::from_ref(official)),
        _ => None,
    }
}

/// Sets what estr_clairvoyant_player may do. Holds for games that begin after the call; games that have begun are
/// forgotten and go on as fair games.
///
/// options: the new settings, or NULL for the usual ones.
///
/// Returns 0.
/// Errors: ESTR_BAD_OPTION if a value is out of range, or size is none; the settings do not change then.
/// Threads: safe from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_clairvoyant_configure(options: *const ClairvoyantOptions) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let options = match unsafe { memory::read_sized(options) } {
        Ok(Some(given)) => read_options(&given),
        Ok(None) => Some(Options::default()),
        Err(_) => None,
    };
    match options {
        Some(options) => {
            settings::configure(options);
            0
        }
        None => ESTR_BAD_OPTION,
    }
}

/// The clairvoyant player: recovers the seed of the game from the boards that it is shown, plans the whole game with
/// all cells known, and plays the plan, which nearly always ends at 131070, the highest score there is.
///
/// This is an exploit of the 32-bit seed of the assignment, not fair play: the fair player is aiplayer_<ID>,
/// which uses nothing but the board. Until the seed is known (about twenty rounds), and whenever a new cell is not the
/// one that was foreseen (another generator, another way to add cells, a game that it did not see from its first board
/// on), this player plays fair, too.
///
/// It plans and plays with the network of the computer player: the one inside the library, or the one that
/// estr_player_configure has set. A game keeps the network that it began with. The other settings of
/// estr_player_configure are not for this player.
///
/// Call it once for every board of a game, from the first board (one 2) on, and make the move that it returns. It
/// remembers its games between calls: a new game is noticed by its first board, and up to 8 games can be played at the
/// same time, from any threads. It prints nothing. One call takes up to two seconds while the seed is searched and the
/// game planned (see estr_clairvoyant_configure), later next to nothing.
///
/// game_board: 16 ints, game_board[row][col]; it is not changed.
///
/// Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
/// Errors: ESTR_NO_DIRECTION (-1) if none does; ESTR_NULL_POINTER.
/// Threads: safe from any thread; up to 8 games at once are told apart by their boards. A call may be left by siglongjmp
/// only if `threads` is 1; its game goes on as a fair game then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_clairvoyant_player(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    match unsafe { memory::read_board(game_board) } {
        Some(board) => settings::choose(&board).map_or(ESTR_NO_DIRECTION, Direction::number),
        None => ESTR_NULL_POINTER,
    }
}

/// Finds the seed of a game from its boards.
///
/// boards: `count` boards of a game, from its first one (one 2) on, each after the new cell; boards[i][row][col].
/// count: number of boards; about 20 tell a seed for certain, fewer than about 9 are too few.
/// tinymt: ESTR_TINYMT_ANY, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL.
/// threads: threads of the search, up to 256; 0: as many as there are processors. All seeds of a set take some seconds.
/// seed: where the first seed that fits goes; may be NULL.
/// found_tinymt: where its generator goes, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL; may be NULL.
///
/// Returns how many seeds fit: 1 if the seed is known, 0 if it is none of 32 bits, more if more boards are needed.
/// Errors: ESTR_BAD_BOARD if the first board is not that of a game, or one does not follow from the one before it;
/// ESTR_TOO_FEW_BOARDS, ESTR_BAD_OPTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing is written then.
/// Threads: safe from any thread. Not to be left by siglongjmp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_recover(
    boards: *mut [[c_int; 4]; 4],
    count: usize,
    tinymt: u32,
    threads: u32,
    seed: *mut u32,
    found_tinymt: *mut u32,
) -> c_int {
    if boards.is_null() {
        return ESTR_NULL_POINTER;
    }
    let Some(sets) = parameters(tinymt).filter(|_| threads as usize <= MAX_THREADS) else { return ESTR_BAD_OPTION };
    // SAFETY: as many boards are there by the caller's promise.
    let board = |place| unsafe { boards.add(place).read_unaligned() };
    let mut recovery = Recovery::new(sets);
    for place in 0..count {
        let observation = match place.checked_sub(1) {
            None => Observation::of_first(&board(place)),
            Some(before) => Observation::after_some_move(&board(before), &board(place)),
        };
        let Some(observation) = observation else { return ESTR_BAD_BOARD };
        recovery.observe(observation);
    }
    if recovery.bits() < BITS_TO_SEARCH {
        return ESTR_TOO_FEW_BOARDS;
    }
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    recovery.search(if threads == 0 { processors() } else { threads as usize }, None);
    let mut candidates = recovery.candidates();
    let count = candidates.len();
    if let Some(first) = candidates.next() {
        let set = if first.parameters == Parameters::ZERO { ESTR_TINYMT_ZERO } else { ESTR_TINYMT_OFFICIAL };
        // SAFETY: null, or valid by the caller's promise.
        unsafe {
            memory::write(seed, first.seed);
            memory::write(found_tinymt, set);
        }
    }
    c_int::try_from(count).unwrap_or(c_int::MAX)
}

/// Plans a whole game with all cells known, with the network of the player of the process: nearly always up to 131070,
/// the highest score that the rules allow.
///
/// seed: the seed of the game.
/// tinymt: ESTR_TINYMT_ZERO (or ESTR_TINYMT_ANY), or ESTR_TINYMT_OFFICIAL.
/// beam: boards in the beam, up to 8192; 0: 16. More find the perfect game more surely, and slower.
/// limit_ms: most time, in milliseconds; 0: no limit. A game takes some seconds.
/// moves: where the directions go, 0 to 3, one a move; may be NULL if `room` is 0.
/// room: directions that there is room for; no game has more than 65534.
///
/// Returns the number of moves of the plan, of which at most `room` were written; the score of the game is twice this
/// number and 2.
/// Errors: ESTR_BAD_OPTION, ESTR_NO_NETWORK, ESTR_CELL_UNREACHABLE, ESTR_NULL_POINTER; nothing is written then.
/// Threads: safe from any thread. May be left by siglongjmp; what it took up stays unused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_plan(
    seed: u32,
    tinymt: u32,
    beam: u32,
    limit_ms: u32,
    moves: *mut u8,
    room: usize,
) -> c_int {
    if moves.is_null() && room > 0 {
        return ESTR_NULL_POINTER;
    }
    let width = if beam == 0 { DEFAULT_WIDTH } else { beam as usize };
    let Some(&[set, ..]) = parameters(tinymt).filter(|_| width <= MAX_WIDTH) else { return ESTR_BAD_OPTION };
    let Some(network) = player::settings::network() else { return ESTR_NO_NETWORK };
    let start = Instant::now();
    let in_time = || limit_ms == 0 || start.elapsed() < Duration::from_millis(limit_ms.into());
    let mut stream = Stream::new(seed, set);
    let Some((cell, position)) = stream.next_cell(0, 0) else { return ESTR_CELL_UNREACHABLE };
    let mut planner = Planner::new(stream, Bitboard::default().with_two(cell.into()), position, width);
    while in_time() && planner.step(&*network) == Progress::Working {}
    let line = planner.line();
    for (place, direction) in line.iter().take(room).enumerate() {
        // SAFETY: there is room for so many by the caller's promise.
        unsafe { moves.add(place).write(direction.number() as u8) };
    }
    line.len() as c_int
}
