//! What the courses' console programs share: input as Java's `Scanner` reads it, and output that ends well.

mod input;
mod keyboard;
mod pause;

pub use input::Input;
pub use keyboard::Keyboard;
pub use pause::Pauses;

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;

use estr2048::Direction;

/// What a program prints: whole boards at a time. Who reads input or waits must flush it first.
pub type Output = BufWriter<Stdout>;

/// The largest board of any course, 128 × 128 cells of five characters, fits.
const OUTPUT_SIZE: usize = 1 << 17;

/// Standard output whose errors say that they are its own.
#[derive(Debug)]
pub struct Stdout(StdoutLock<'static>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(name_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(name_output)
    }
}

fn name_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

/// Plays on standard input and output, and sends the last of the output on its way however the game ends.
pub fn play(
    game: impl FnOnce(&mut Input<Keyboard>, &mut Output) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::with_capacity(OUTPUT_SIZE, Stdout(io::stdout().lock()));
    let played = game(&mut Input::new(keyboard::open()?), &mut out);
    let written = out.flush();
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
