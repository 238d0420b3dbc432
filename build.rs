//! Checks the student ID and hands it to the library.

use std::env;

const DEFAULT_STUDENT_ID: &str = "1155123456";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=STUDENT_ID");
    let id = env::var("STUDENT_ID").unwrap_or_else(|_| DEFAULT_STUDENT_ID.into());
    if id.is_empty() || id.len() > 20 || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        println!(
            "cargo::error=STUDENT_ID is {id:?}; it must be 1 to 20 digits, for example STUDENT_ID={DEFAULT_STUDENT_ID}"
        );
        return;
    }
    println!("cargo::rustc-env=STUDENT_ID={id}");
}
