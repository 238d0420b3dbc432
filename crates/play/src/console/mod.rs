//! What the courses' console programs share: input as Java's `Scanner` reads it, and output that ends well.

mod input;

pub use input::Input;

use std::io::{self, BufWriter, StdinLock, StdoutLock, Write};
use std::process::ExitCode;

/// What a program prints: whole boards at a time. Who reads input or waits must flush it first.
pub type Output = BufWriter<StdoutLock<'static>>;

/// The largest board of any course, 128 × 128 cells of five characters, fits.
const OUTPUT_SIZE: usize = 1 << 17;

/// Plays on standard input and output, and sends the last of the output on its way however the game ends.
pub fn play(
    game: impl FnOnce(&mut Input<StdinLock<'static>>, &mut Output) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::with_capacity(OUTPUT_SIZE, io::stdout().lock());
    let played = game(&mut Input::new(io::stdin().lock()), &mut out);
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

/// A seed that is another one every time.
pub fn seed_from_clock() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as i64)
}
