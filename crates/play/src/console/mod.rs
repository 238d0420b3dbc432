//! What the courses' console programs share: input as Java's `Scanner` reads it, and output that ends well.

mod input;
mod keyboard;
mod output;
mod pause;
#[cfg(unix)]
mod ready;

pub use input::Input;
pub use keyboard::Keyboard;
pub use output::Output;
pub use pause::Pauses;

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
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

/// Whether somebody types the commands. By pipe every course reads them as its own program does; a person has some
/// keys more.
#[must_use]
pub fn somebody_types() -> bool {
    io::stdin().is_terminal()
}

/// Leaves the prompt's line, after an end of the input or a signal, so that nothing else comes to stand on it. A
/// transcript by pipe is as it was.
///
/// # Errors
/// If the output cannot be written.
pub fn leave_prompt(out: &mut impl Write) -> io::Result<()> {
    if io::stdout().is_terminal() {
        writeln!(out)?;
    }
    out.flush()
}

/// What a person is asked after the last move: by then the courses' programs have gone.
const LAST_QUESTION: &str = "z takes the last move back, any other answer ends: ";

/// Asks a person, after the last move, whether it is taken back.
///
/// # Errors
/// If input or output fails.
pub fn takes_it_back(input: &mut Input<impl BufRead>, out: &mut impl Write) -> anyhow::Result<bool> {
    write!(out, "{LAST_QUESTION}")?;
    out.flush()?;
    let Some(line) = input.next_line()? else {
        leave_prompt(out)?;
        return Ok(false);
    };
    Ok(line.trim_start().to_lowercase().starts_with('z'))
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
