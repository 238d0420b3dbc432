//! `make install`, `make uninstall`, and what they say to compilers and linkers.

mod support;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use support::program::{STUDENT_ID, build, compile, installed, make, run, skipped, stdout};
use support::root;

/// One test at a time: what `make install` copies depends on what is built.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    build();
    guard
}

/// The shared library for as long as this lives, unless it was there before.
struct Shared(bool);

impl Shared {
    fn build() -> Self {
        let new = !root().join("libestr2048.so").exists();
        make(&["shared"]);
        Self(new)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if self.0 {
            for file in
                files(&root(), false).into_iter().filter(|file| file.to_string_lossy().contains("libestr2048.so"))
            {
                fs::remove_file(file).unwrap();
            }
        }
    }
}

/// All files of a folder, and with `deep` those of the folders in it.
fn files(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() && !path.is_symlink() {
            true if deep => found.extend(files(&path, true)),
            true => {}
            false => found.push(path),
        }
    }
    found
}

fn below(prefix: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        files(prefix, true).iter().map(|file| file.strip_prefix(prefix).unwrap().display().to_string()).collect();
    names.sort();
    names
}

fn make_for(task: &str, variables: &[(&str, &Path)]) {
    let variables = variables.iter().map(|(name, path)| format!("{name}={}", path.display())).collect::<Vec<_>>();
    let words = [task].into_iter().chain(variables.iter().map(String::as_str)).collect::<Vec<_>>();
    make(&words);
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{:?}:\n{}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// Links the game as the documents say, through a shell, with these words for pkg-config.
fn link(words: &str, pkg_config_path: &Path, game: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("flags=$(pkg-config {words} estr2048) && eval \"gcc -std=c99 \\\"$1\\\" $flags -o \\\"$2\\\"\""))
        .arg("link")
        .arg(root().join("c/main.c"))
        .arg(game)
        .env("PKG_CONFIG_PATH", pkg_config_path);
    shell
}

fn plays(game: &Path, library_path: Option<&OsStr>) {
    let mut command = Command::new(game);
    if let Some(path) = library_path {
        command.env("LD_LIBRARY_PATH", path);
    }
    let output = run(&mut command, b"1234 RL");
    assert!(stdout(&output).contains("Your score is 6."), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn destdir_is_in_no_file() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    make_for("install", &[("PREFIX", Path::new("/opt/course")), ("DESTDIR", folder.path())]);
    let prefix = folder.path().join("opt/course");
    let header = format!("include/aiplayer_{STUDENT_ID}.h");
    for file in [
        "lib/libestr2048.a",
        "lib/pkgconfig/estr2048.pc",
        "include/estr2048.h",
        "include/tinymt32.h",
        &header,
        MAN_PAGE,
    ] {
        assert!(prefix.join(file).is_file(), "{file}");
    }
    for file in ["lib/pkgconfig/estr2048.pc", "lib/cmake/estr2048/estr2048-config.cmake"] {
        let text = fs::read_to_string(prefix.join(file)).unwrap();
        assert!(text.contains("/opt/course") && !text.contains(folder.path().to_str().unwrap()), "{text}");
        assert!(!text.contains('@'), "{text}");
    }
    let description = fs::read_to_string(prefix.join("lib/pkgconfig/estr2048.pc")).unwrap();
    assert!(description.contains("prefix=/opt/course\n"));
    assert!(description.contains(concat!("Version: ", env!("CARGO_PKG_VERSION"), "\n")));
    if installed("pkg-config") {
        let game = folder.path().join("game");
        let mut linked = link("--static --cflags --libs", &prefix.join("lib/pkgconfig"), &game);
        succeeds(&linked.env("PKG_CONFIG_SYSROOT_DIR", folder.path()).output().unwrap());
        plays(&game, Some(prefix.join("lib").as_os_str()));
    }
    make_for("uninstall", &[("PREFIX", Path::new("/opt/course")), ("DESTDIR", folder.path())]);
    let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert!(left.iter().all(|name| name == "game"), "{left:?}");
}

const MAN_PAGE: &str = "share/man/man3/estr2048.3";

#[test]
fn both_forms_of_pkg_config_link_from_a_prefix_with_blanks() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("my own prefix");
    make_for("install", &[("PREFIX", &prefix)]);
    assert!(prefix.join("lib/libestr2048.a").is_file());
    if installed("pkg-config") {
        for words in ["--cflags --libs", "--static --cflags --libs"] {
            let game = folder.path().join("game");
            succeeds(&link(words, &prefix.join("lib/pkgconfig"), &game).output().unwrap());
            plays(&game, None);
        }
    }
    fs::write(prefix.join("include/another.h"), "").unwrap();
    make_for("uninstall", &[("PREFIX", &prefix)]);
    assert_eq!(below(&prefix), ["include/another.h"]);
    fs::remove_file(prefix.join("include/another.h")).unwrap();
    make_for("uninstall", &[("PREFIX", &prefix)]);
    assert_eq!(fs::read_dir(&prefix).unwrap().count(), 0);
}

#[test]
fn every_folder_can_be_chosen() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (prefix, libdir, includedir, bindir) = (at("p"), at("a/lib64"), at("b/c"), at("d"));
    let (mandir, datadir) = (at("e/man"), at("f"));
    let variables: &[(&str, &Path)] = &[
        ("PREFIX", &prefix),
        ("libdir", &libdir),
        ("includedir", &includedir),
        ("bindir", &bindir),
        ("mandir", &mandir),
        ("datadir", &datadir),
    ];
    make_for("install", variables);
    assert!(libdir.join("libestr2048.a").is_file() && includedir.join("estr2048.h").is_file());
    assert!(mandir.join("man3/estr2048.3").is_file() && !prefix.exists());
    assert_eq!(bindir.join("estr2048").exists(), root().join("estr2048").exists());
    if installed("pkg-config") {
        let game = at("game");
        succeeds(&link("--cflags --libs", &libdir.join("pkgconfig"), &game).output().unwrap());
        plays(&game, None);
        fs::remove_file(game).unwrap();
    }
    make_for("uninstall", variables);
    assert_eq!(below(folder.path()), [""; 0]);
}

#[test]
fn shared_library_is_installed_with_its_links() {
    let _alone = alone();
    let _shared = Shared::build();
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("shared prefix");
    make_for("install", &[("PREFIX", &prefix)]);
    let real = concat!("libestr2048.so.", env!("CARGO_PKG_VERSION"));
    assert_eq!(fs::read_link(prefix.join("lib/libestr2048.so.0")).unwrap(), Path::new(real));
    assert_eq!(fs::read_link(prefix.join("lib/libestr2048.so")).unwrap(), Path::new("libestr2048.so.0"));
    let dynamic = Command::new("readelf").arg("-d").arg(prefix.join("lib").join(real)).output().unwrap();
    assert!(stdout(&dynamic).contains("Library soname: [libestr2048.so.0]"));
    if installed("pkg-config") {
        for words in ["--cflags --libs", "--static --cflags --libs"] {
            let game = folder.path().join("game");
            succeeds(&link(words, &prefix.join("lib/pkgconfig"), &game).output().unwrap());
            plays(&game, None);
            let needed = Command::new("readelf").arg("-d").arg(&game).output().unwrap();
            assert!(stdout(&needed).contains("[libestr2048.so.0]"));
        }
    }
    make_for("uninstall", &[("PREFIX", &prefix)]);
    assert_eq!(fs::read_dir(&prefix).unwrap().count(), 0);
}

#[test]
fn cmake_finds_both_libraries() {
    if !installed("cmake") {
        return;
    }
    let _alone = alone();
    let _shared = Shared::build();
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("a prefix");
    make_for("install", &[("PREFIX", &prefix)]);
    let project = folder.path().join("project");
    fs::create_dir(&project).unwrap();
    fs::copy(root().join("c/main.c"), project.join("main.c")).unwrap();
    let text = "cmake_minimum_required(VERSION 3.16)\nproject(course C)\nset(CMAKE_C_STANDARD 99)\n\
                find_package(estr2048 0.1 REQUIRED)\nforeach(kind static shared estr2048)\n\
                add_executable(game_${kind} main.c)\n\
                target_link_libraries(game_${kind} PRIVATE estr2048::${kind})\nendforeach()\n";
    fs::write(project.join("CMakeLists.txt"), text).unwrap();
    let built = folder.path().join("built");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(&project).arg("-B").arg(&built);
    succeeds(&configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).output().unwrap());
    succeeds(&Command::new("cmake").arg("--build").arg(&built).output().unwrap());
    for kind in ["static", "shared", "estr2048"] {
        plays(&built.join(format!("game_{kind}")), None);
    }
}

/// `sudo make install` in a tree that somebody else has built: no cargo, and nothing to be written in the tree.
#[test]
fn another_user_installs_a_built_tree_without_cargo() {
    let _alone = alone();
    let nobody = 65534;
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("by another");
    // SAFETY: geteuid has no preconditions.
    let root_user = unsafe { libc::geteuid() } == 0;
    let as_another = |words: &[&str]| {
        let mut command = Command::new("make");
        command.args(words).args(["CARGO=false", &format!("STUDENT_ID={STUDENT_ID}")]).current_dir(root());
        if root_user {
            std::os::unix::process::CommandExt::uid(&mut command, nobody);
        }
        command
    };
    if root_user {
        std::os::unix::fs::chown(folder.path(), Some(nobody), Some(nobody)).unwrap();
        if !as_another(&["--version"]).status().is_ok_and(|status| status.success()) {
            return skipped("another user may not enter this folder");
        }
    } else {
        skipped("only root can become another user; the same user without cargo is tried");
    }
    let up_to_date = as_another(&["--question"]).output().unwrap();
    assert_eq!(up_to_date.status.code(), Some(0), "{}", String::from_utf8_lossy(&up_to_date.stderr));
    let target = format!("PREFIX={}", prefix.display());
    succeeds(&as_another(&["install", &target]).output().unwrap());
    assert!(prefix.join("lib/libestr2048.a").is_file());
    succeeds(&as_another(&["uninstall", &target]).output().unwrap());
    assert_eq!(fs::read_dir(&prefix).unwrap().count(), 0);
}

#[test]
fn another_id_than_the_built_one_is_not_installed() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let prefix = format!("PREFIX={}", folder.path().display());
    let output = Command::new("make").args(["install", "STUDENT_ID=77", &prefix]).current_dir(root()).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("run make STUDENT_ID=77 first"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
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

const SMALL_PROGRAM: &str =
    "#include <stdio.h>\n#include \"estr2048.h\"\nint main(void) { puts(estr_version()); return 0; }\n";

/// The same program without pkg-config, in the ways that people link.
#[test]
fn program_links_with_plain_gcc() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("mine.c");
    fs::write(&source, SMALL_PROGRAM).unwrap();
    for compiler in [&["gcc", "-std=c99"][..], &["gcc", "-static"], &["gcc", "-flto", "-O2"], &["clang", "-std=c99"]] {
        if installed(compiler[0]) {
            let binary = compile(compiler, &source, folder.path());
            assert_eq!(stdout(&run(&mut Command::new(binary), b"")).trim(), env!("CARGO_PKG_VERSION"));
        }
    }
}

/// A program for a person at the keyboard need not carry the network.
#[test]
fn unused_parts_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("human.c");
    let text =
        "#include \"estr2048.h\"\nint main(void) { int b[4][4] = { { 2 } }; return human_player(b) < 0 ? 3 : 0; }\n";
    fs::write(&source, text).unwrap();
    let binary = compile(&["gcc", "-std=c99", "-Wl,--gc-sections", "-s"], &source, folder.path());
    let size = fs::metadata(&binary).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes");
    assert_eq!(run(&mut Command::new(binary), b"x").status.code(), Some(3));
}

#[test]
fn archive_has_no_debug_information() {
    build();
    let sections = Command::new("readelf").args(["-SW", "libestr2048.a"]).current_dir(root()).output().unwrap();
    assert!(!String::from_utf8_lossy(&sections.stdout).contains(".debug_info"));
}

#[test]
fn debian_packages_have_the_packages_version() {
    let changelog = fs::read_to_string(root().join("debian/changelog")).unwrap();
    assert!(changelog.starts_with(concat!("estr2048 (", env!("CARGO_PKG_VERSION"), ") ")), "{changelog}");
}
