//! What the computer player may spend, and what it plays with.

use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use std::time::Duration;

use super::codes::{ESTR_BAD_OPTION, ESTR_BAD_WEIGHTS};
use super::memory;
use crate::player::computer::Effort;
use crate::player::settings;
use crate::search::{Limit, MAX_THREADS};

/// Options of the computer player, for estr_player_configure. Set all of it to zero first; zero means "as usual".
#[repr(C)]
pub struct PlayerOptions {
    /// Most time for a move, in microseconds; 0: no limit in time.
    pub move_us: u64,
    /// Most network evaluations for a move. With such a limit the player is deterministic: the same board always gets
    /// the same move, on every machine and with any number of threads. If both limits are given, this one counts. If
    /// neither is, it is 5000, which takes about a millisecond, and the last 31 moves before a sum that needs all
    /// sixteen cells (65536, 98304, 114688, ...) are solved exactly, which takes up to a second each. That is
    /// deterministic too.
    pub nodes: u64,
    /// Threads for a move, at most 64; 0 means 1. With one thread none is ever started. More of them think further
    /// within a time limit, and are sooner done with 20000 evaluations and more.
    pub threads: u32,
    /// Path of a network file, or NULL: the file that the environment variable ESTR_WEIGHTS names, or else the network
    /// inside the library.
    pub weights: *const c_char,
}

/// Sets what the computer player may spend on a move, and the network that it plays with. Holds for all threads, from
/// their next move on.
///
/// Without this function the player makes at most 5000 network evaluations a move, solves the last moves before a full
/// board exactly, and plays with the network inside the library.
/// The first move, or this function, unpacks that network, which takes a good part of a second.
///
/// options: the new settings, or NULL for the usual ones.
///
/// Returns 0; ESTR_BAD_OPTION if threads is above 64 or weights is no UTF-8 text; ESTR_BAD_WEIGHTS if the network file
/// cannot be read, is damaged, or has a shape that this library does not know. The settings do not change then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_player_configure(options: *const PlayerOptions) -> c_int {
    // SAFETY: the caller keeps the rule of this module.
    let settings = match unsafe { memory::read(options) } {
        None => Ok((Effort::USUAL, None)),
        // SAFETY: as said in the header, `weights` is null or a C string.
        Some(options) => unsafe { read_options(&options) },
    };
    match settings {
        Ok((effort, path)) => settings::configure(effort, path.as_deref()).map_or(ESTR_BAD_WEIGHTS, |()| 0),
        Err(code) => code,
    }
}

/// # Safety
/// `options.weights` must be null or a null-terminated string.
unsafe fn read_options(options: &PlayerOptions) -> Result<(Effort, Option<PathBuf>), c_int> {
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
