//! Ctrl-C and its kin (SIGTERM, SIGHUP): work is asked to stop, and can tell what it has until then.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, Result};

use crate::output;

/// The exit status of a program that was stopped by Ctrl-C.
pub const STATUS: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C asks the work to stop; the second one ends the program at once.
///
/// # Errors
/// If the system does not let the signals be caught, or they are caught already.
pub fn catch() -> Result<()> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Relaxed) {
            std::process::exit(STATUS.into());
        }
    })
    .context("Ctrl-C cannot be caught")
}

/// The flag that says whether the work was asked to stop.
#[must_use]
pub fn flag() -> &'static AtomicBool {
    &ASKED
}

/// Whether the work was asked to stop.
#[must_use]
pub fn asked() -> bool {
    ASKED.load(Relaxed)
}

/// The exit status of work of `total` pieces of which `done` are done. Work that was stopped says how to go on with it.
#[must_use]
pub fn status(done: u64, total: u64, what: &str, has_file: bool) -> ExitCode {
    if done >= total || !asked() {
        return ExitCode::SUCCESS;
    }
    let way = if has_file { "the same command goes on from here" } else { "with --out the same command would go on" };
    output::tell(format_args!("stopped after {done} of {total} {what}; {way}"));
    ExitCode::from(STATUS)
}
