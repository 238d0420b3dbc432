//! `make install` and what it says to the linker.

mod support;

use std::fs;
use std::process::Command;

use support::program::{build, compile, installed, make, run, stdout};
use support::root;

#[test]
fn installed_library_links_by_pkg_config() {
    build();
    let folder = tempfile::tempdir().unwrap();
    let destination = format!("DESTDIR={}", folder.path().display());
    make(&["install", "PREFIX=/opt/course", &destination]);
    let prefix = folder.path().join("opt/course");
    for file in ["lib/libestr2048.a", "lib/pkgconfig/estr2048.pc", "include/estr2048.h", "include/tinymt32.h"] {
        assert!(prefix.join(file).is_file(), "{file}");
    }
    let description = fs::read_to_string(prefix.join("lib/pkgconfig/estr2048.pc")).unwrap();
    assert!(description.contains("prefix=/opt/course\n"));
    assert!(description.contains(concat!("Version: ", env!("CARGO_PKG_VERSION"), "\n")));
    assert!(!description.contains('@'));
    if !installed("pkg-config") {
        return;
    }
    let flags = Command::new("pkg-config")
        .args(["--static", "--cflags", "--libs", "estr2048"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .env("PKG_CONFIG_SYSROOT_DIR", folder.path())
        .output()
        .unwrap();
    let game = folder.path().join("game");
    let linked = Command::new("gcc")
        .arg("-std=c99")
        .arg(root().join("c/main.c"))
        .args(stdout(&flags).split_whitespace())
        .arg("-o")
        .arg(&game)
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    assert!(stdout(&run(&mut Command::new(game), b"1234 RL")).contains("Your score is 6."));
}

/// The native libraries that the Makefile names are the ones that rustc asks for, except those that gcc adds itself.
#[test]
fn native_libraries_are_complete() {
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--locked", "--package", "estr2048", "--lib", "--crate-type", "staticlib"])
        .args(["--", "--print", "native-static-libs"])
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let line = text.lines().find_map(|line| line.split_once("native-static-libs: ")).expect(&text).1;
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let ours = makefile.lines().filter_map(|line| line.strip_prefix("NATIVE_LIBS = ")).next_back().unwrap();
    let added_by_gcc = ["-lgcc_s", "-lc", "-lutil", "-lrt"];
    for library in line.split_whitespace().filter(|library| !added_by_gcc.contains(library)) {
        assert!(ours.split_whitespace().any(|named| named == library), "{library} is missing from {ours}");
    }
}

/// The same program without pkg-config.
#[test]
fn program_links_with_plain_gcc() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("mine.c");
    let text = "#include <stdio.h>\n#include \"estr2048.h\"\nint main(void) { puts(estr_version()); return 0; }\n";
    fs::write(&source, text).unwrap();
    let binary = compile(&["gcc", "-std=c99"], &source, folder.path());
    assert_eq!(stdout(&run(&mut Command::new(binary), b"")).trim(), env!("CARGO_PKG_VERSION"));
}
