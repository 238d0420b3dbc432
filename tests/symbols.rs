//! What the library exports: nothing that a student's own names could clash with.

mod support;

use std::process::Command;

use support::program::{STUDENT_ID, build, make, stdout};
use support::{data, heavy, root};

/// The globals that C code can see: not the mangled ones of Rust, not those that the compiler reserves for itself.
fn exported(library: &str) -> Vec<String> {
    let output = Command::new("nm").args(["-g", "--defined-only", library]).current_dir(root()).output().unwrap();
    let mut names: Vec<String> = stdout(&output)
        .lines()
        .filter_map(|line| <[&str; 3]>::try_from(line.split_whitespace().collect::<Vec<_>>()).ok())
        .filter(|[_address, kind, _name]| kind.len() == 1)
        .map(|[_address, _kind, name]| name)
        .filter(|name| !["_R", "_ZN", "__"].iter().any(|reserved| name.starts_with(reserved)))
        .filter(|name| !name.contains("rust_eh_personality"))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

/// One test, because all parts build the library in the same place.
#[test]
fn exported_symbols_follow_the_list_and_the_student_id() {
    build();
    let mut allowed: Vec<String> = data("exported_symbols.txt").lines().map(str::to_owned).collect();
    allowed.push(format!("aiplayer_{STUDENT_ID}"));
    allowed.sort();
    assert_eq!(exported("libestr2048.a"), allowed);

    let build_for = |id: &str| Command::new("make").args(["all", id]).current_dir(root()).output().unwrap();
    for id in ["", "12a", "-5", "1155 1", "123456789012345678901"] {
        let output = build_for(&format!("STUDENT_ID='{id}'"));
        assert!(!output.status.success(), "{id:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("must be 1 to 20 digits"), "{message}");
    }
    if !heavy("the whole library built for another student ID") {
        return;
    }
    let output = build_for("STUDENT_ID=1155999998");
    let names = exported("libestr2048.a");
    make(&["all"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(names.contains(&"aiplayer_1155999998".to_owned()));
    assert!(!names.contains(&format!("aiplayer_{STUDENT_ID}")));
}
