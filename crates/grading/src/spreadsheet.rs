//! Texts of strangers in tables that people open as spreadsheets.

use crate::words;

/// A text that a spreadsheet does not take for a formula.
pub fn safe_cell(text: &str) -> String {
    let text = words::plain(text).replace(['\r', '\n', '\t'], " ");
    if text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text
    }
}
