//! PSA3's records: what is read is written so that it reads the same.
#![no_main]

use estr2048::courses::psa3::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    match Record::read(file) {
        Ok(record) => assert_eq!(Record::read(record.to_string().as_bytes()), Ok(record)),
        Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.to_string().is_empty()),
    }
});
