//! `cargo build --release` writes `libestr2048.a` from this: the C functions of the library, and nothing else.

extern crate engine as _;
