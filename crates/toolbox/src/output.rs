//! Standard output: a reader that has gone is no failure, a full disk is one that has a name. Standard error is for people,
//! and nothing depends on whether they are there.

use std::fmt;
use std::io::{self, Write};

use anyhow::{Context, Result};

/// Nobody reads the output any more (`estr2048 ... | head`): the program ends, and there is nothing to complain about.
#[derive(Debug)]
pub struct NobodyReads;

impl fmt::Display for NobodyReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads standard output any more")
    }
}

impl std::error::Error for NobodyReads {}

/// Prints a text and sends it on its way.
///
/// # Errors
/// [`NobodyReads`], or what the system says of a full disk or a closed output.
pub fn print(text: impl fmt::Display) -> Result<()> {
    let mut out = io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(NobodyReads.into()),
        written => written.context("cannot write to standard output"),
    }
}

/// Tells something on standard error. If that is closed or full, nobody can be told.
pub fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a line, as `println!` does, and gives what [`print()`] gives.
#[macro_export]
macro_rules! outln {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}
