//! What a person at the keyboard sees beside the courses' own texts; by pipe it is not there.

use std::io::{self, BufRead, IsTerminal, Write};

use super::input::Input;

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
