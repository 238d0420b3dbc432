//! What the computer player of this process plays with: the same for all threads, each with a player of its own.

use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::GameBoard;
use crate::direction::Direction;
use crate::network::Network;
use crate::network::weights::{self, LoadError};
use crate::player::computer::{Computer, Effort};
use crate::player::handmade;

struct Settings {
    /// How often they have changed.
    version: u64,
    effort: Effort,
    network: Option<Arc<Network>>,
}

static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);

thread_local! {
    /// This thread's player, and the version of the settings that it was made by.
    static COMPUTER: RefCell<Option<(u64, Computer)>> = const { RefCell::new(None) };
}

/// Sets what a move may cost, and the network file that all threads play with from their next move on; without a file
/// it is the [standard](weights::standard) network.
///
/// # Errors
/// [`LoadError`]; the settings do not change then.
pub fn configure(effort: Effort, network: Option<&Path>) -> Result<(), LoadError> {
    let network = match network {
        Some(path) => Some(Arc::new(weights::load(path)?)),
        None => weights::standard()?,
    };
    let mut settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let version = settings.as_ref().map_or(1, |settings| settings.version.wrapping_add(1));
    *settings = Some(Settings { version, effort, network });
    Ok(())
}

/// The move of this thread's player for this board, or `None` if no direction changes it.
#[must_use]
pub fn choose(board: &GameBoard) -> Option<Direction> {
    let (version, effort, network) = current();
    let choice = COMPUTER.try_with(|computer| {
        let mut computer = computer.try_borrow_mut().ok()?;
        if computer.as_ref().is_none_or(|(own, _)| *own != version) {
            *computer = Some((version, Computer::new(network, effort)));
        }
        computer.as_mut().map(|(_, computer)| computer.choose(board))
    });
    // A thread that is ending has no computer any more.
    choice.ok().flatten().unwrap_or_else(|| handmade::choose(board))
}

/// The network that the computer player plays with.
#[must_use]
pub fn network() -> Option<Arc<Network>> {
    current().2
}

fn current() -> (u64, Effort, Option<Arc<Network>>) {
    let mut settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = settings.get_or_insert_with(|| {
        // A player prints nothing and always plays: a bad ESTR_WEIGHTS is reported by `configure` only.
        let network = weights::standard().or_else(|_| weights::embedded()).unwrap_or(None);
        Settings { version: 0, effort: Effort::USUAL, network }
    });
    (settings.version, settings.effort, settings.network.clone())
}
