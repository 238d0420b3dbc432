//! What a command found out, as JSON for programs: one object a line.

use anyhow::Result;
use serde::Serialize;

use crate::outln;

/// The version of the form of all reports: it grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// A report, or what made a file of results: what all of them begin with, then the content.
#[derive(Clone, Debug, Serialize)]
pub struct Headed<T> {
    schema: u32,
    command: &'static str,
    version: &'static str,
    #[serde(flatten)]
    content: T,
}

/// The content under the head of this command's reports.
pub fn headed<T: Serialize>(command: &'static str, content: T) -> Headed<T> {
    Headed { schema: SCHEMA, command, version: env!("CARGO_PKG_VERSION"), content }
}

/// Prints the report of a command.
///
/// # Errors
/// If standard output takes nothing.
pub fn print(command: &'static str, content: &impl Serialize) -> Result<()> {
    outln!("{}", serde_json::to_string(&headed(command, content))?)
}
