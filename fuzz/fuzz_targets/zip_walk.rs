//! Hand-ins: whatever is in a zip, the walk ends, keeps its budget, and finds each student number once.
#![no_main]

use estr2048_grading::collect::{Known, collect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|zip: &[u8]| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("upload_1155000001.zip");
    std::fs::write(&path, zip).unwrap();
    let class = collect(&[path], &folder.path().join("work"), Known::default()).unwrap();
    let mut ids: Vec<_> = class.submissions.iter().map(|submission| &submission.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), class.submissions.len());
});
