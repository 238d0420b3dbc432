//! What the courses' console programs share: input as Java's `Scanner` reads it, and files.

pub mod files;
mod input;

pub use input::Input;

use std::io;
use std::process::ExitCode;

/// Ends a program whose output nobody reads any more (`estr2048 ... | head`) without complaint.
pub fn finish(played: anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    let broken = |error: &anyhow::Error| {
        let error = error.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    match played {
        Err(error) if broken(&error) => Ok(ExitCode::SUCCESS),
        played => played,
    }
}

/// Ends the program as a wrong use of its options: the message on standard error, exit status 2.
pub fn wrong_use(message: &str) -> ! {
    let text = format!("{message}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, text).exit()
}

/// A seed that is another one every time.
pub fn seed_from_clock() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as i64)
}
