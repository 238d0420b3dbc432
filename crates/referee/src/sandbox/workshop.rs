//! The referee's own folder: where submissions are copied to, compiled and unpacked.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// A folder for compiling that other users cannot look into, though they can reach what they know is there.
///
/// # Errors
/// If it cannot be made.
pub fn workshop() -> Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt;
    // Players run as another user when the referee is root; what they need must be readable.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let folder = tempfile::Builder::new().prefix("estr2048-").tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711))?;
    Ok(folder)
}

/// Set before the folder goes: what players do from then on is no fault of theirs.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Nothing that happens while the program is about to end may be kept or told.
///
/// # Errors
/// If it is.
pub fn not_leaving() -> Result<()> {
    ensure!(!LEAVING.load(Ordering::SeqCst), "the run was stopped");
    Ok(())
}

/// Waits for the end if the program is about to end: the signal ends it, and no error for want of its folder.
pub fn await_the_end() {
    while not_leaving().is_err() {
        std::thread::park();
    }
}

/// From now on Ctrl-C and its kin take the folder away and say this before they end the program. One that whoever started
/// it has set to be ignored (`nohup`) stays so. A file that may not grow is an error, no end.
///
/// # Errors
/// If the signals cannot be caught.
pub fn leave_when_asked(folder: &Path, last_words: &'static str) -> Result<()> {
    signal_hook::flag::register(SIGXFSZ, Default::default()).context("SIGXFSZ cannot be caught")?;
    let ignored = ignored_signals();
    let caught = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = Signals::new(caught).context("signals cannot be caught")?;
    let folder = folder.to_path_buf();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            LEAVING.store(true, Ordering::SeqCst);
            // Whoever is at work there may still write.
            let _ = (0..10).any(|_| fs::remove_dir_all(&folder).is_ok());
            let _ = writeln!(std::io::stderr(), "\n{last_words}");
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// The signals that this process ignores, the first one in the lowest bit.
fn ignored_signals() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = text.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
