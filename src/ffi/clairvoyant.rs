//! The player that knows the next cells.

use std::ffi::c_int;
use std::time::Duration;

use super::codes::{ESTR_BAD_OPTION, ESTR_NO_DIRECTION, ESTR_NULL_POINTER};
use super::memory;
use crate::clairvoyant::plan::MAX_WIDTH;
use crate::clairvoyant::play::{MAX_BUDGET, Options};
use crate::clairvoyant::recover::PARAMETER_SETS;
use crate::clairvoyant::settings;
use crate::direction::Direction;

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
pub struct ClairvoyantOptions {
    /// Most time for a call, in milliseconds, up to 4500; 0: 2000.
    pub call_ms: u32,
    /// Which generators are tried: ESTR_TINYMT_ANY, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL.
    pub tinymt: u32,
    /// Boards in the beam of the plan, up to 8192; 0: 16. More find the perfect game more surely, and slower.
    pub beam: u32,
    /// Threads for the search of the seed, up to 256; 0: as many as there are processors.
    pub threads: u32,
}

fn read_options(given: &ClairvoyantOptions) -> Option<Options> {
    let mut options = Options::default();
    if given.call_ms != 0 {
        options.budget = Duration::from_millis(given.call_ms.into());
    }
    let [zero, official] = PARAMETER_SETS;
    options.parameters = match given.tinymt {
        ESTR_TINYMT_ANY => vec![zero, official],
        ESTR_TINYMT_ZERO => vec![zero],
        ESTR_TINYMT_OFFICIAL => vec![official],
        _ => return None,
    };
    if given.beam != 0 {
        options.width = usize::try_from(given.beam).ok()?;
    }
    if given.threads != 0 {
        options.threads = usize::try_from(given.threads).ok()?;
    }
    let possible = options.budget <= MAX_BUDGET && options.width <= MAX_WIDTH && options.threads <= MAX_THREADS;
    possible.then_some(options)
}

/// Sets what estr_clairvoyant_player may do. Holds for games that begin after the call; games that have begun are
/// forgotten and go on as fair games.
///
/// options: the new settings, or NULL for the usual ones.
///
/// Returns 0, or ESTR_BAD_OPTION if a value is out of range; the settings do not change then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_clairvoyant_configure(options: *const ClairvoyantOptions) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let options = match unsafe { memory::read(options) } {
        Some(given) => read_options(&given),
        None => Some(Options::default()),
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
/// This is an exploit of the 32-bit seed of the assignment, not fair play: the fair player is aiplayer_<STUDENT_ID>,
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
/// Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board; ESTR_NO_DIRECTION (-1) if none
/// does; ESTR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_clairvoyant_player(game_board: *mut [c_int; 4]) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    match unsafe { memory::read_board(game_board) } {
        Some(board) => settings::choose(&board).map_or(ESTR_NO_DIRECTION, Direction::number),
        None => ESTR_NULL_POINTER,
    }
}
