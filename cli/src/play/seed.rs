//! Seeds of `java.util.Random` as people type them.

use std::str::FromStr;

use estr2048_play::console::seed_from_clock;

/// A 64-bit number, or `random` for another one every time.
#[derive(Clone, Copy, Debug)]
pub struct Seed(pub i64);

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "random" => Ok(Self(seed_from_clock())),
            _ => text.parse().map(Self).map_err(|_| "not a 64-bit whole number, and not \"random\"".into()),
        }
    }
}
