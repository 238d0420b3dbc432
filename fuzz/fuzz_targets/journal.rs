//! A journal that was cut, damaged or written by somebody else is an error, never a panic; what is read can be written.
#![no_main]

use estr2048_grading::journal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((lines, whole)) = journal::parse(bytes) {
        assert!(whole <= bytes.len());
        let mut again = Vec::new();
        for line in &lines {
            again.extend(serde_json::to_vec(line).unwrap());
            again.push(b'\n');
        }
        assert_eq!(journal::parse(&again).unwrap().0.len(), lines.len());
    }
});
