//! Pictures of what the workbench measures, as SVG: axes with their units, readable on a light and on a dark page.
//!
//! Each kind of picture is a function from numbers to the text of the file; `tests/documents.rs` draws those of the
//! documents with the same functions.

mod axis;
mod chart;
mod learning;
mod planning;
mod scores;
mod theme;

pub use learning::learning;
pub use planning::{Planned, beam, planned};
pub use scores::{Group, scores};

use std::path::PathBuf;

/// The file of a picture as it stands on a command line: its name says that it is SVG, because nothing else is drawn.
///
/// # Errors
/// In words for the person who typed it.
pub fn file_name(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if svg { Ok(path) } else { Err("pictures are drawn as SVG: the name must end with .svg".into()) }
}
