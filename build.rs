//! Checks the student ID, hands it to the library, and renders the C header into `OUT_DIR`.

use std::env;
use std::fs;
use std::path::PathBuf;

const DEFAULT_STUDENT_ID: &str = "1155123456";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    check_student_id();
    render_header();
}

fn check_student_id() {
    println!("cargo::rerun-if-env-changed=STUDENT_ID");
    let id = env::var("STUDENT_ID").unwrap_or_else(|_| DEFAULT_STUDENT_ID.into());
    if id.is_empty() || id.len() > 20 || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        println!(
            "cargo::error=STUDENT_ID is {id:?}; it must be 1 to 20 digits, for example STUDENT_ID={DEFAULT_STUDENT_ID}"
        );
    }
    println!("cargo::rustc-env=STUDENT_ID={id}");
}

/// `tests/header.rs` compares the rendered header with the one in `include`, which is the one that people use.
fn render_header() {
    println!("cargo::rerun-if-changed=cbindgen.toml");
    println!("cargo::rerun-if-changed=src/ffi");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["codes", "board", "players", "computer", "clairvoyant", "cells", "game", "java_random"] {
        builder = builder.with_src(root.join(format!("src/ffi/{file}.rs")));
    }
    let mut header = Vec::new();
    builder.generate().expect("src/ffi can be turned into a header").write(&mut header);
    let header = String::from_utf8(header).expect("the header is UTF-8");
    // The same parameter type in the assignment's words.
    let header = header.replace("int (*game_board)[4]", "int game_board[4][4]");
    let header = header.replace("int (*boards)[4][4]", "int boards[][4][4]");
    // Comments that every C standard knows.
    let header = header.replace(" // __cplusplus", "").replace("  // extern \"C\"", "");
    let lines = header.lines().map(with_safe_number).collect::<Vec<_>>();
    fs::write(out.join("estr2048.h"), lines.join("\n") + "\n").expect("OUT_DIR can be written");
}

/// `#define NAME -1` with its number in parentheses, so that it can stand in any expression.
fn with_safe_number(line: &str) -> String {
    match line.split_once(" -") {
        Some((name, number)) if name.starts_with("#define ") => format!("{name} (-{number})"),
        _ => line.to_owned(),
    }
}
