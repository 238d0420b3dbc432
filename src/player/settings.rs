//! What the computer player of this process plays with: the same for all threads, each with a player of its own.
//!
//! A move may be left by `siglongjmp`, and a process may fork at any time: neither must stop the moves that follow. So
//! no lock is held while a network is read or a move is searched for; a thread that was taken away from either leaves
//! nothing behind but memory that nobody uses.

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::board::GameBoard;
use crate::direction::Direction;
use crate::interruption::{Caller, Shielded};
use crate::network::Network;
use crate::network::weights::{self, LoadError, WEIGHTS_VARIABLE};
use crate::player::computer::{Computer, Effort};
use crate::player::handmade;

/// A network that was asked for, and what came of it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The network, if there is one.
    pub network: Option<Arc<Network>>,
    /// Where it is from, or why there is none.
    pub status: Status,
}

/// Which network a player has, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The one inside the library: nobody asked for another.
    Standard,
    /// That of a file.
    File(PathBuf),
    /// The one inside the library, because the file that was asked for could not be used.
    Instead(LoadError),
    /// None, so that the small hand-made player plays: because of an error, or because the library was built without.
    Small(Option<LoadError>),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("the network inside the library"),
            Self::File(path) => write!(f, "the network in {}", path.display()),
            Self::Instead(error) => {
                write!(f, "the network inside the library, not the one asked for: {error}")
            }
            Self::Small(Some(error)) => write!(f, "no network, as a small and much weaker player: {error}"),
            Self::Small(None) => {
                f.write_str("no network, as a small and much weaker player: the library was built without one, ")?;
                write!(f, "and {WEIGHTS_VARIABLE} names no file")
            }
        }
    }
}

impl Loaded {
    /// The network in this file; without a file, the one that the environment variable ESTR_WEIGHTS names, or else the
    /// one inside the library. It is read anew.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read.
    pub fn named(file: Option<&Path>) -> Result<Self, LoadError> {
        let variable = std::env::var_os(WEIGHTS_VARIABLE).map(PathBuf::from);
        if let Some(path) = file.map(Path::to_path_buf).or(variable) {
            let network = Some(Arc::new(weights::load(&path)?));
            return Ok(Self { network, status: Status::File(path) });
        }
        let network = weights::embedded()?;
        let status = if network.is_some() { Status::Standard } else { Status::Small(None) };
        Ok(Self { network, status })
    }

    /// The same, or what there is in place of it: a player always plays.
    fn at_any_rate(file: Option<&Path>) -> Self {
        Self::named(file).unwrap_or_else(|error| match weights::embedded() {
            Ok(network @ Some(_)) => Self { network, status: Status::Instead(error) },
            _ => Self { network: None, status: Status::Small(Some(error)) },
        })
    }
}

struct Settings {
    /// How often they have changed.
    version: u64,
    effort: Effort,
    file: Option<PathBuf>,
    /// Who is reading the network.
    loader: Option<Caller>,
    loaded: Option<Loaded>,
}

static SETTINGS: Shielded<Settings> =
    Shielded::new(Settings { version: 0, effort: Effort::USUAL, file: None, loader: None, loaded: None });

/// A thread waits so long for another one to read the network; then it does so itself. The other one may have been taken
/// away from it for ever.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    /// This thread's player between two moves, and the version of the settings that it was made by.
    static COMPUTER: Cell<Option<(u64, Computer)>> = const { Cell::new(None) };
}

/// Sets what a move may cost, and the network file that all threads play with from their next move on; without a file
/// it is the one that the environment variable ESTR_WEIGHTS names, or else the one inside the library.
///
/// # Errors
/// [`LoadError`]; the settings do not change then.
pub fn configure(effort: Effort, file: Option<&Path>) -> Result<(), LoadError> {
    let standard = |settings: &mut Settings| settings.loaded.clone().filter(|loaded| loaded.status == Status::Standard);
    let variable = std::env::var_os(WEIGHTS_VARIABLE).is_some();
    let known = if file.is_none() && !variable { SETTINGS.with(standard) } else { None };
    let loaded = match known {
        Some(loaded) => loaded,
        None => Loaded::named(file)?,
    };
    let file = file.map(Path::to_path_buf);
    let old = SETTINGS.with(|settings| {
        let version = settings.version.wrapping_add(1);
        std::mem::replace(settings, Settings { version, effort, file, loader: None, loaded: Some(loaded) })
    });
    drop(old);
    Ok(())
}

/// The move of this thread's player for this board, or `None` if no direction changes it.
#[must_use]
pub fn choose(board: &GameBoard) -> Option<Direction> {
    with_computer(|computer| computer.choose(board)).unwrap_or_else(|| handmade::choose(board))
}

/// Lets this thread's player do something; `None` if there is no network or no memory for its search.
pub fn with_computer<R>(work: impl FnOnce(&mut Computer) -> R) -> Option<R> {
    let (version, effort, loaded) = current();
    let network = loaded.network?;
    let kept = COMPUTER.try_with(Cell::take).ok().flatten().filter(|(own, _)| *own == version);
    let mut computer = match kept {
        Some((_, computer)) => computer,
        None => Computer::try_new(Some(network), effort)?,
    };
    let result = work(&mut computer);
    // A thread that is ending keeps no player any more.
    let _ = COMPUTER.try_with(|kept| kept.set(Some((version, computer))));
    Some(result)
}

/// The network that a player has without being told: that of the variable ESTR_WEIGHTS, or else the one inside the
/// library, or none. It is shared with the player of the process where that has the same.
#[must_use]
pub fn standard() -> Loaded {
    if SETTINGS.with(|settings| settings.file.is_some()) { Loaded::at_any_rate(None) } else { current().2 }
}

/// The network that the computer player plays with.
#[must_use]
pub fn network() -> Option<Arc<Network>> {
    current().2.network
}

/// Which network the computer player plays with, and why. It is read if that has not happened yet.
#[must_use]
pub fn status() -> Status {
    current().2.status
}

/// Gives back the network, and what this thread's player remembers. Other threads give theirs back at their next move or
/// end. The next move reads the network again; what a move may cost stays as it was set.
pub fn free() {
    let _ = COMPUTER.try_with(Cell::take);
    let old = SETTINGS.with(|settings| {
        settings.version = settings.version.wrapping_add(1);
        settings.loaded.take()
    });
    drop(old);
}

fn current() -> (u64, Effort, Loaded) {
    const PAUSE: Duration = Duration::from_millis(1);
    enum Next {
        Play(u64, Effort, Loaded),
        Wait,
        Load(u64, Option<PathBuf>),
    }
    let mut waited = Duration::ZERO;
    loop {
        let next = SETTINGS.with(|settings| {
            let Settings { version, effort, .. } = *settings;
            if let Some(loaded) = &settings.loaded {
                return Next::Play(version, effort, loaded.clone());
            }
            if waited < PATIENCE && settings.loader.is_some_and(Caller::may_be_at_work) {
                return Next::Wait;
            }
            settings.loader = Some(Caller::here());
            Next::Load(version, settings.file.clone())
        });
        match next {
            Next::Play(version, effort, loaded) => return (version, effort, loaded),
            Next::Wait => {
                thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Next::Load(version, file) => {
                let mut loaded = Some(Loaded::at_any_rate(file.as_deref()));
                SETTINGS.with(|settings| {
                    if settings.version == version && settings.loaded.is_none() {
                        settings.loaded = loaded.take();
                        settings.loader = None;
                    }
                });
            }
        }
    }
}
