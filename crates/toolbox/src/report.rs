//! What a command found out, as JSON for programs: one object a line.

use anyhow::Result;
use serde::Serialize;

use crate::outln;

/// The version of the form of all reports: it grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// What every report begins with.
#[derive(Serialize)]
struct Report<'a, T> {
    schema: u32,
    command: &'a str,
    version: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

/// Prints the report of a command.
///
/// # Errors
/// If standard output takes nothing.
pub fn print(command: &str, content: &impl Serialize) -> Result<()> {
    let report = Report { schema: SCHEMA, command, version: env!("CARGO_PKG_VERSION"), content };
    outln!("{}", serde_json::to_string(&report)?)
}
