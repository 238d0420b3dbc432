//! `cargo build --release` writes `libestr2048.a` from this alone: the library with its C functions.

extern crate engine as _;
