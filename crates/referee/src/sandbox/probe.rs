//! Which isolation works on this machine: found out by trying.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Result;

use super::guard::{Cell, Ending, Locked, SETUP_PATIENCE};
use super::isolation::Level;
use super::message::{Order, ProcessLimits, Task, fresh_cookie};
use super::policy::Role;
use super::program::libraries;

/// What a machine offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The strongest level that works.
    pub level: Level,
    pub locked: Locked,
    /// What is missing at that level or above it, and why.
    pub missing: Vec<String>,
}

/// The strongest level that works here, and why a stronger one does not.
///
/// # Errors
/// If not even a cell without any locks can be started.
pub fn strongest_level() -> Result<(Level, Vec<String>)> {
    let offer = offer()?;
    Ok((offer.level, offer.missing))
}

/// What this machine offers. Tried once.
///
/// # Errors
/// As for [`strongest_level`].
pub fn offer() -> Result<Offer> {
    static OFFER: OnceLock<Offer> = OnceLock::new();
    if let Some(offer) = OFFER.get() {
        return Ok(offer.clone());
    }
    let mut missing = Vec::new();
    for level in [Level::L3, Level::L2, Level::L1] {
        match try_level(level) {
            Ok(locked) => {
                if level == Level::L3 && !locked.landlock {
                    missing.push("Landlock: this kernel does not have it; the mount tree stands alone".into());
                }
                if level >= Level::L2 && !locked.witness {
                    missing.push("a witness (seccomp user notification): offences are stopped, but not named".into());
                }
                let offer = Offer { level, locked, missing };
                return Ok(OFFER.get_or_init(|| offer).clone());
            }
            Err(error) => missing.push(format!("{level}: {error:#}")),
        }
    }
    anyhow::bail!("no cell can be started here: {}", missing.join("; "))
}

/// Starts a cell at this level with the smallest of programs in it.
///
/// # Errors
/// In words, if this level does not work here.
pub fn try_level(level: Level) -> Result<Locked> {
    let view = libraries().into_iter().chain(["/bin", "/usr/bin"].map(PathBuf::from)).collect();
    let (arguments, environment) = (Vec::new(), Vec::new());
    let limits = ProcessLimits { processes: 1, disk: 1 << 20, ..ProcessLimits::default() };
    let task = Task::Execute { program: "/bin/true".into(), arguments, view, environment };
    let (cookie, role) = (fresh_cookie(), Role::Program);
    let order = Order { level, cookie, user: None, limits, role, task, bring: Vec::new(), folder: None };
    let workshop = super::workshop()?;
    let mut cell = Cell::start(&order, workshop.path(), Stdio::null(), Stdio::null(), Stdio::null())?;
    let ending = cell.ending(SETUP_PATIENCE);
    match (ending, cell.locked(Duration::ZERO)) {
        (Some(Ending::Exit(0)), Some(locked)) => Ok(locked),
        _ => Err(anyhow::anyhow!(cell.trouble().unwrap_or_else(|| format!("a cell ended with {ending:?}")))),
    }
}
