//! What several test files need.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod games;
pub mod program;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file below `tests/data`, as text.
pub fn data(name: &str) -> String {
    let path = root().join("tests/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The top level of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Whether the heavy proofs are wanted, as by `make test-all`; says aloud what is left out otherwise.
pub fn heavy(what: &str) -> bool {
    let wanted = std::env::var_os("ESTR_TEST_ALL").is_some();
    if !wanted {
        // Past the test harness, which keeps what passing tests print to itself.
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(std::io::stderr(), "SKIPPED in {name}: {what}; `make test-all` does it");
    }
    wanted
}

/// A 4×4 board from the vectors' form: rows by `/`, cells by `,`.
pub fn board_from(text: &str) -> [[i32; 4]; 4] {
    let cells = cells_from(text);
    let mut board = [[0; 4]; 4];
    board.as_flattened_mut().copy_from_slice(&cells);
    board
}

/// All cells of a board in the vectors' form, in reading order.
pub fn cells_from(text: &str) -> Vec<i32> {
    text.split(['/', ','])
        .map(|cell| cell.parse().unwrap_or_else(|_| panic!("{cell:?} is no tile in {text}")))
        .collect()
}
