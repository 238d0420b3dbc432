//! The only exported functions: check the arguments, convert, call, convert back.
//!
//! The documentation of the functions is written for C programmers: cbindgen copies it to `include/estr2048.h`.
//! Pointers may be null, which is answered with an error code. A pointer that is not null must point to memory of
//! the stated size that nobody else uses during the call.
#![allow(clippy::missing_safety_doc, reason = "the rule above holds for every function")]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects
)]

mod board;
mod cells;
mod clairvoyant;
mod codes;
mod computer;
mod game;
mod games;
mod java_random;
mod memory;
mod players;
mod tinymt32;
