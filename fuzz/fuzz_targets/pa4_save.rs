//! PA4's save files: what is read is written so that it reads the same.
#![no_main]

use estr2048::courses::pa4::GameState;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    match GameState::load(file) {
        Ok(state) => assert_eq!(GameState::load(state.save().as_bytes()), Ok(state)),
        Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.to_string().is_empty()),
    }
});
