//! Verdicts and flags by their short names.

use serde::Serialize;

/// The short name of a verdict or flag, as in the journal.
pub fn slug(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(String::from)).unwrap_or_default()
}
