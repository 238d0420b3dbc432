//! The checked-in C header is the one that `src/ffi` stands for.

mod support;

use std::fs;

use estr2048::Course;

#[cfg(feature = "header")]
#[test]
fn header_has_not_drifted() {
    const RENDERED: &str = include_str!(concat!(env!("OUT_DIR"), "/estr2048.h"));
    let path = support::root().join("include/estr2048.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, RENDERED).unwrap();
    }
    let header = fs::read_to_string(&path).unwrap();
    assert!(header == RENDERED, "include/estr2048.h differs from src/ffi: run `make header` and commit it");
}

#[cfg(not(feature = "header"))]
#[test]
fn header_has_not_drifted() {
    use std::io::Write;

    // Past the test harness, which keeps what passing tests print to itself.
    let why = "the header is rendered with `--features header` only, as `make test` does";
    let _ = writeln!(std::io::stderr(), "SKIPPED in header_has_not_drifted: {why}");
}

#[test]
fn every_course_has_a_name_in_c() {
    let header = fs::read_to_string(support::root().join("include/estr2048.h")).unwrap();
    for course in Course::ALL {
        let name = course.rules().name.replace(' ', "").to_uppercase();
        let line = format!("#define ESTR_COURSE_{name} {}", course as i32);
        assert!(
            header.lines().any(|found| found == line),
            "C has no name for {course:?}: add ESTR_COURSE_{name} to src/ffi/codes.rs, then run `make header`"
        );
    }
}
