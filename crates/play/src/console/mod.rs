//! What the courses' console programs share: input as Java's `Scanner` reads it, and output that ends well.

mod earlier;
mod input;
mod keyboard;
mod output;
mod pause;
mod person;
#[cfg(unix)]
mod ready;

pub use earlier::Earlier;
pub use input::Input;
pub use keyboard::Keyboard;
pub use output::Output;
pub use pause::Pauses;
pub use person::{leave_prompt, somebody_types, takes_it_back};

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use estr2048::Direction;
use estr2048_toolbox::interrupt;

/// Plays on standard input and output, and sends the last of the output on its way however the game ends.
pub fn play(
    game: impl FnOnce(&mut Input<Keyboard>, &mut Output) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let mut out = output::open()?;
    let played = game(&mut Input::new(keyboard::open()?), &mut out);
    // After a signal the output may have no reader to wait for.
    let written = if interrupt::asked() { Ok(()) } else { out.flush() };
    finish(played.and_then(|status| {
        written?;
        Ok(status)
    }))
}

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

/// Tells something on standard error. If that is closed, nobody can be told.
pub fn tell(message: impl Display) {
    let _ = writeln!(io::stderr(), "estr2048: {message}");
}

/// The direction of the arrow key that a line begins with, as a terminal sends it.
#[must_use]
pub fn arrow(line: &str) -> Option<Direction> {
    let key = line.trim_start().strip_prefix("\x1b[").or_else(|| line.trim_start().strip_prefix("\x1bO"))?;
    match key.chars().next()? {
        'A' => Some(Direction::Up),
        'B' => Some(Direction::Down),
        'C' => Some(Direction::Right),
        'D' => Some(Direction::Left),
        _ => None,
    }
}

/// A seed that is another one every time.
pub fn seed_from_clock() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as i64)
}
