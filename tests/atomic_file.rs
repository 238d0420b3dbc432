//! The one way in which files are replaced: whole or not at all.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use estr2048::atomic_file::{self, AtomicFile};

fn names(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_replaced_whole_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board");
    atomic_file::write(&path, "old and longer").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"ne").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old and longer", "not before it is whole");
    file.write_all(b"w").unwrap();
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    drop(AtomicFile::create(&path).unwrap());
    drop(AtomicFile::create(&folder.path().join("never")).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), 1);
}

/// The first to finish does not take the other's file away.
#[test]
fn two_writers_at_once_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board");
    let mut writers: Vec<AtomicFile> = (0..2).map(|_| AtomicFile::create(&path).unwrap()).collect();
    writers[0].write_all(b"first").unwrap();
    writers[1].write_all(b"second").unwrap();
    for (writer, text) in writers.into_iter().zip(["first", "second"]) {
        writer.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert_eq!(names(folder.path()), 1);
}

#[test]
fn links_permissions_and_devices_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("board"), folder.path().join("link"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    atomic_file::write(&link, "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    fs::remove_file(&path).unwrap();
    atomic_file::write(&link, "anew").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"anew");
    atomic_file::write(Path::new("/dev/null"), "gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_new_file_has_the_usual_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, usual) = (folder.path().join("ours"), folder.path().join("usual"));
    atomic_file::write(&ours, "text").unwrap();
    fs::write(&usual, "text").unwrap();
    assert_eq!(fs::metadata(ours).unwrap().permissions(), fs::metadata(usual).unwrap().permissions());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = Path::new("/dev/full");
    atomic_file::check(full).unwrap();
    assert_eq!(atomic_file::write(full, "text").unwrap_err().kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn a_check_changes_nothing_and_finds_what_writing_would_find() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old"), "old").unwrap();
    symlink(path("nowhere"), path("link")).unwrap();
    for name in ["old", "new", "link", "/dev/null", "/dev/stdout"] {
        atomic_file::check(&path(name)).unwrap();
    }
    for name in ["", "no/such/folder", "new/", "old/below", &"long".repeat(100)] {
        assert!(atomic_file::check(&path(name)).is_err(), "{name}");
        assert!(atomic_file::write(&path(name), "text").is_err(), "{name}");
    }
    assert!(atomic_file::write(folder.path(), "text").is_err());
    assert_eq!(fs::read(path("old")).unwrap(), b"old");
    assert_eq!(names(folder.path()), 2);
}
