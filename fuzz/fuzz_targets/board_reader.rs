//! Whatever a student's program prints is read without a panic, and a sure reading has boards.
#![no_main]

use estr2048_grading::basic::reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|output: &[u8]| {
    for reading in reader::readings(&String::from_utf8_lossy(output)) {
        assert!(!reading.boards.is_empty());
    }
});
