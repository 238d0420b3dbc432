//! Checks the student ID and hands it to the library, and looks for the network that goes into it; with the feature
//! `header`, renders the C header into `OUT_DIR`.

use std::env;
use std::path::Path;

const DEFAULT_STUDENT_ID: &str = "1155123456";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    check_student_id();
    look_for_network();
    // For tests that compile C.
    println!("cargo::rustc-env=BUILD_TARGET={}", env::var("TARGET").expect("cargo sets TARGET"));
    #[cfg(feature = "header")]
    header::render();
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

/// The network is part of the repository, but larger than a package may be: a library that is built from a package has
/// none inside.
fn look_for_network() {
    const NETWORK: &str = "weights/estr1002.net";
    println!("cargo::rerun-if-changed=weights");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    if env::var_os("CARGO_FEATURE_WEIGHTS").is_none() {
        return;
    }
    if Path::new(NETWORK).is_file() {
        println!("cargo::rustc-cfg=embedded_network");
    } else {
        println!("cargo::warning={NETWORK} is not here: the library is built without its network");
    }
}

#[cfg(feature = "header")]
mod header {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    /// The order in which the header is read best. Files that are not named here follow, by their names.
    const ORDER: [&str; 8] = ["codes", "board", "players", "computer", "clairvoyant", "cells", "game", "java_random"];

    /// What `include/tinymt32.h` declares, by hand, because programs include that file without this library.
    const BY_HAND: &str = "tinymt32";

    /// `tests/header.rs` compares the rendered header with the one in `include`, which is the one that people use.
    pub fn render() {
        println!("cargo::rerun-if-changed=cbindgen.toml");
        println!("cargo::rerun-if-changed=src/ffi");
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml can be read");
        let mut builder = cbindgen::Builder::new().with_config(config);
        for file in sources(&root.join("src/ffi")) {
            builder = builder.with_src(file);
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

    /// Every file of the folder, so that none can be missing from the header in silence.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let files = fs::read_dir(folder).expect("src/ffi can be read").map(|file| file.expect("and its files").path());
        let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut files: Vec<PathBuf> = files
            .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
            .filter(|file| !["mod", BY_HAND].contains(&name(file).as_str()))
            .collect();
        let place = |file: &Path| ORDER.iter().position(|&known| known == name(file)).unwrap_or(ORDER.len());
        files.sort_by_key(|file| (place(file), name(file)));
        files
    }

    /// `#define NAME -1` with its number in parentheses, so that it can stand in any expression.
    fn with_safe_number(line: &str) -> String {
        match line.split_once(" -") {
            Some((name, number)) if name.starts_with("#define ") => format!("{name} (-{number})"),
            _ => line.to_owned(),
        }
    }
}
