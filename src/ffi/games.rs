//! Many running games at once, for programs that learn from them.

use std::ffi::c_int;

use super::codes::{ESTR_BAD_DIRECTION, ESTR_BAD_OPTION, ESTR_NULL_POINTER};
use super::game::EstrGame;
use crate::direction::Direction;

/// Makes one move in each of many games by one call.
///
/// games: `count` games, each from estr_game_new or estr_game_load and each there only once.
/// count: number of games.
/// directions: `count` directions, 0 up, 1 down, 2 left, 3 right: one for each game.
/// restart: 1: a game that is over starts again instead of moving, with its random numbers going on, so that there is no
/// end to the games, and none of them keeps a history: the moves of this function cannot be undone then. 0: a game that is
/// over stays as it is.
/// cells: where all boards go, one after the other, each row by row; NULL if they are not wanted.
/// gains: where it goes what every move added to the score, 0 for a game that started again; NULL if it is not wanted.
/// over: where a 1 goes for every game that is over after this call, else a 0; NULL if it is not wanted.
///
/// Returns how many boards a move changed.
/// Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION, ESTR_BAD_OPTION if `restart` is neither 0 nor 1; nothing happens then. A
/// game that has no memory for its history, or whose random numbers reach no empty cell, stays as it is, and counts as over
/// in the second case.
/// Threads: safe from any thread; one game by one thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_games_step(
    games: *const *mut EstrGame,
    count: usize,
    directions: *const c_int,
    restart: c_int,
    cells: *mut c_int,
    gains: *mut i64,
    over: *mut c_int,
) -> i64 {
    if count > 0 && (games.is_null() || directions.is_null()) {
        return ESTR_NULL_POINTER.into();
    }
    let restart = match restart {
        0 => false,
        1 => true,
        _ => return ESTR_BAD_OPTION.into(),
    };
    // SAFETY: there are `count` of both by the caller's promise.
    let at = |place| unsafe { (games.add(place).read_unaligned(), directions.add(place).read_unaligned()) };
    for (game, direction) in (0..count).map(at) {
        if game.is_null() {
            return ESTR_NULL_POINTER.into();
        }
        if Direction::from_number(direction).is_none() {
            return ESTR_BAD_DIRECTION.into();
        }
    }
    let mut changed = 0_i64;
    let mut next_cell = cells;
    for place in 0..count {
        let (game, direction) = at(place);
        // SAFETY: not null, and a game that nobody else uses by the caller's promise.
        let (Some(game), Some(direction)) = (unsafe { game.as_mut() }, Direction::from_number(direction)) else {
            continue;
        };
        let step = game.step(direction, restart);
        changed = changed.saturating_add(step.changed.into());
        // SAFETY: there is room for all boards and `count` of the others, unless they are null, by the caller's promise.
        unsafe {
            if !gains.is_null() {
                gains.add(place).write_unaligned(step.gain);
            }
            if !over.is_null() {
                over.add(place).write_unaligned(step.over.into());
            }
            if !next_cell.is_null() {
                for &cell in game.cells() {
                    next_cell.write_unaligned(cell);
                    next_cell = next_cell.add(1);
                }
            }
        }
    }
    changed
}
