//! The checked-in C header is the one that `src/ffi` stands for.

mod support;

use std::fs;

const RENDERED: &str = include_str!(concat!(env!("OUT_DIR"), "/estr2048.h"));

#[test]
fn header_has_not_drifted() {
    let path = support::root().join("include/estr2048.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, RENDERED).unwrap();
    }
    let header = fs::read_to_string(&path).unwrap();
    assert!(header == RENDERED, "include/estr2048.h differs from src/ffi: run `make header` and commit it");
}
