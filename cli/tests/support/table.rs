//! The tables that a class gets.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The rows of a CSV file without quoted line ends, by a column.
pub fn table(path: &Path, key: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(fields);
    let head = lines.next().unwrap();
    let at = head.iter().position(|name| name == key).unwrap();
    lines.map(|row| (row[at].clone(), head.iter().cloned().zip(row).collect())).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(letter),
        }
    }
    fields
}
