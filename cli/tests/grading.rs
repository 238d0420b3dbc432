//! A class from the outside: hand-ins as systems export them, runs that go on, and what staff and students get.

#[path = "support/table.rs"]
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use table::table;

const ZOO_ID: &str = "1155000000";
const A: &str = "1155000001";
const B: &str = "1155000002";
const C: &str = "1155000003";
const D: &str = "1155000004";
const E: &str = "1155000005";
const F: &str = "1155000006";

/// A file of the zoo of submissions, under another number.
fn zoo(part: &str, name: &str, id: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo").join(part).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace(ZOO_ID, id)
}

fn player(name: &str, id: &str) -> [(String, Vec<u8>); 2] {
    let header = format!("int aiplayer_{id}(int game_board[4][4]);\n");
    [(format!("aiplayer_{id}.c"), zoo("player", name, id).into()), (format!("aiplayer_{id}.h"), header.into())]
}

fn zipped(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn basic(name: &str) -> Vec<u8> {
    zipped(&[("main.c".into(), zoo("basic", name, ZOO_ID).into())])
}

fn write(folder: &Path, entries: &[(String, Vec<u8>)]) {
    fs::create_dir_all(folder).unwrap();
    for (name, bytes) in entries {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

fn estr2048(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_estr2048"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// A run that must succeed, and what it said on standard error.
fn good(arguments: &[&str], folder: &Path) -> String {
    let output = estr2048(arguments, folder);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    errors
}

fn bad(arguments: &[&str], folder: &Path) -> String {
    let output = estr2048(arguments, folder);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn journal(folder: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder.join("graded/journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_wrong_path_leaves_nothing_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("class"), &player("correct.c", A));
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(bad(&["grade", "clas"], folder.path()).contains("clas does not exist"));
    assert!(bad(&["grade", "empty"], folder.path()).contains("no submission was found"));
    assert!(!folder.path().join("graded").exists());
    good(&["grade", "class", "--games", "1"], folder.path());
}

#[test]
fn a_class_as_blackboard_exports_it() {
    let folder = tempfile::tempdir().unwrap();
    let name = |id: &str, time: &str, file: &str| format!("2048_{id}_attempt_{time}_{file}");
    let mut files = vec![(format!("2048_{A}_attempt_2026-11-20-10-00-00.txt"), b"Name: Jane Doe".to_vec())];
    for (file, bytes) in player("correct.c", A) {
        files.push((name(A, "2026-11-20-10-00-00", &file), bytes));
    }
    files.push((name(A, "2026-11-19-10-00-00", &format!("aiplayer_{A}.c")), b"int old;".to_vec()));
    files.push((name(A, "2026-11-20-10-00-00", &format!("basic_{A}.zip")), basic("correct.c")));
    // A late one, which also brings a file for somebody else.
    for (file, bytes) in player("segfault.c", B) {
        files.push((name(B, "2026-11-21-00-00-01", &file), bytes));
    }
    files.push((name(B, "2026-11-21-00-00-01", &format!("aiplayer_{A}.c")), b"int evil;".to_vec()));
    files.push((name(B, "2026-11-21-00-00-01", "=cmd|calc.png"), b"x".to_vec()));
    write(&folder.path().join("class"), &files);
    let roster = format!(
        "Last Name,First Name,Username,Student ID\nDoe,Jane,jdoe,{A}\nRoe,Richard,rroe,{B}\n=1+1,Absent,ab,{C}\n"
    );
    fs::write(folder.path().join("roster.csv"), roster).unwrap();
    good(
        &["grade", "class", "--games", "1", "--seeds", "3", "--roster", "roster.csv", "--due", "2026-11-20T23:59"],
        folder.path(),
    );
    let out = folder.path().join("graded");

    let rows = table(&out.join("summary.csv"), "id");
    assert_eq!(rows.keys().collect::<Vec<_>>(), [A, B, C], "everybody on the roster, once");
    assert_eq!(
        (rows[A]["verdict"].as_str(), rows[A]["basic_verdict"].as_str(), rows[A]["late"].as_str()),
        ("finished", "passed", "")
    );
    assert_eq!((rows[B]["verdict"].as_str(), rows[B]["late"].as_str()), ("crash", "late"));
    assert_eq!(rows[C]["verdict"], "missing-file");
    let odd = fs::read_to_string(out.join("hand-ins.csv")).unwrap();
    assert!(
        odd.contains(&format!("names student {A}, but was sent by {B}")) && odd.contains("an earlier attempt"),
        "{odd}"
    );

    // The grade book: both systems' columns, a mark for Excel, no formula, and the basic part beside the player.
    let bytes = fs::read(out.join("gradebook.csv")).unwrap();
    assert!(bytes.starts_with(b"\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,"));
    let book = table(&out.join("gradebook.csv"), "Student ID");
    assert_eq!((book[A]["Student"].as_str(), book[A]["Username"].as_str()), ("Doe, Jane", "jdoe"));
    assert_eq!((book[A]["Computer player"].as_str(), book[A]["Basic part"].as_str()), ("4", "10"));
    assert_eq!(book[C]["Last Name"], "'=1+1");

    // Pages: nothing from outside, nobody else on a student's own.
    let index = fs::read_to_string(out.join("index.html")).unwrap();
    for wanted in [A, B, C, "Jane Doe", "Richard Roe"] {
        assert!(index.contains(wanted), "{wanted}");
    }
    for page in [A, B, C] {
        let text = fs::read_to_string(out.join(format!("students/{page}.html"))).unwrap();
        for other in [A, B, C, "Jane", "Roe"].iter().filter(|&&other| other != page) {
            let own_file = page == B && *other == A;
            assert!(own_file || !text.contains(other), "{other} is on the page of {page}");
        }
    }
    for link in index.match_indices("href=\"").map(|(at, _)| &index[at + 6..]) {
        let target = link.split('"').next().unwrap();
        assert!(target.starts_with('#') && index.contains(&format!("id=\"{}\"", &target[1..])), "{target}");
    }
    assert!(!index.contains("src=") && !index.contains("url(") && !index.contains("<link"), "the page loads something");

    // Other programs' formats have the basic part, and what was not decided is not green.
    let results = |id: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(out.join(format!("gradescope/{id}/results.json"))).unwrap()).unwrap()
    };
    assert_eq!(results(A)["score"], 14.0);
    let missing = results(C);
    let compiles =
        missing["tests"].as_array().unwrap().iter().find(|test| test["name"].as_str().unwrap().starts_with("compiles"));
    assert!(compiles.unwrap().get("status").is_none() && compiles.unwrap().get("score").is_none(), "{missing}");
    assert!(fs::read_to_string(out.join("junit.xml")).unwrap().contains(&format!("basic_{A}")));
    assert!(fs::read_to_string(out.join(format!("check50/{A}.json"))).unwrap().contains("basic_a_whole_game"));
}

#[test]
fn a_run_goes_on_with_its_own_settings() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("class"), &player("segfault.c", A));
    write(&folder.path().join("class"), &player("correct.c", B));
    good(&["grade", "class", "--games", "1", "--move-limit", "2s"], folder.path());
    let mark = |id: &str| table(&folder.path().join("graded/summary.csv"), "id")[id]["best"].clone();
    let before = mark(A);
    assert_ne!(before, "0");
    for (options, name) in [
        (&["--game-limit", "1m"][..], "--game-limit"),
        (&["--move-limit", "1s"], "--move-limit"),
        (&["--memory", "99"], "--memory"),
        (&["--games", "2"], "--games"),
        (&["--part", "ai"], "--part"),
        (&["--seeds", "7"], "seeds"),
        (&["--run", "other"], "--run"),
        (&["--cflags=-O3"], "--cflags"),
    ] {
        let errors = bad(&[&["grade", "class", "--resume"], options].concat(), folder.path());
        assert!(errors.contains(name), "{options:?}: {errors}");
    }
    // What is not said is taken from the run; the policy of today holds for games of yesterday.
    let games = journal(folder.path()).len();
    good(&["grade", "class", "--resume", "--policy", "crash=zero"], folder.path());
    assert_eq!((mark(A).as_str(), journal(folder.path()).len()), ("0", games));
    good(&["grade", "class", "--resume"], folder.path());
    assert_eq!(mark(A), before);
    // One student anew: two lines for the student, one that says so; the other is left alone.
    assert!(bad(&["grade", "class", "--redo", "99"], folder.path()).contains("no such student"));
    good(&["grade", "class", "--redo", B], folder.path());
    let lines = journal(folder.path());
    let of = |id: &str| lines.iter().filter(|line| line["id"] == id && line["event"] == "game").count();
    assert_eq!((of(A), of(B)), (1, 2));
    // Results in the folder that is graded are no submissions.
    let class = folder.path().join("class");
    good(&["grade", ".", "--games", "1"], &class);
    good(&["grade", ".", "--resume"], &class);
    assert_eq!(table(&class.join("graded/summary.csv"), "id").len(), 2);
}

#[test]
fn a_run_that_is_stopped_leaves_no_folder_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("class"), &player("segfault.c", A));
    write(&folder.path().join("class"), &player("correct.c", B));
    let fixed = ["grade", "class", "--games", "4", "--seeds", "11..14", "--jobs", "1", "--out"];
    let run = |out: &str, more: &[&str]| good(&[&fixed[..], &[out], more].concat(), folder.path());
    let marks = |out: &str| {
        let rows = table(&folder.path().join(out).join("summary.csv"), "id");
        rows.into_iter().map(|(id, row)| (id, row["scores"].clone(), row["verdict"].clone())).collect::<Vec<_>>()
    };
    run("whole", &[]);
    // A file that may not grow is an error with a message.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -S -f 8; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_estr2048")]).args(fixed);
    let output = command.arg("limited").current_dir(folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("File too large"), "{errors}");
    run("limited", &["--resume"]);
    assert_eq!(marks("whole"), marks("limited"));
    // A signal ends the run, and its folder with it.
    let mut command = Command::new(env!("CARGO_BIN_EXE_estr2048"));
    command.args(fixed).arg("stopped").current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join("stopped").join(name)).unwrap_or_default();
    while !read("journal.jsonl").contains("\"event\":\"game\"") {
        assert!(child.try_wait().unwrap().is_none(), "the run ended too early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15), "{status}");
    assert!(!Path::new(read(".work").trim()).exists(), "{} is left", read(".work"));
    run("stopped", &["--resume"]);
    assert_eq!(marks("whole"), marks("stopped"));
}

#[test]
fn a_check_that_is_stopped_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("tmp");
    write(folder.path(), &player("correct.c", A));
    fs::create_dir(&temporary).unwrap();
    // Where the referee is root, players are another user's.
    for path in [folder.path(), &temporary] {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_estr2048"));
    command.args(["check", ".", "--games", "1000"]).current_dir(folder.path()).env("TMPDIR", &temporary);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let left = || fs::read_dir(&temporary).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    while !left().iter().any(|work| work.join(format!("build_{A}/player.so")).exists()) {
        assert!(child.try_wait().unwrap().is_none(), "the check ended too early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15), "{status}");
    assert_eq!(left(), [] as [PathBuf; 0]);
}

#[test]
fn every_run_has_seeds_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("class"), &player("segfault.c", A));
    fs::write(folder.path().join("secret"), "a secret of some length").unwrap();
    let run = |out: &str, more: &[&str]| {
        let fixed = ["grade", "class", "--games", "1", "--secret", "secret", "--format", "csv", "--out", out];
        good(&[&fixed[..], more].concat(), folder.path());
        table(&folder.path().join(out).join("summary.csv"), "id")[A]["seeds"].clone()
    };
    let (first, second) = (run("first", &[]), run("second", &[]));
    assert_ne!(first, second, "a pre-test must not tell the final's seeds");
    assert_eq!(first.len(), 32, "128 bits in hexadecimal");
    assert_eq!(run("third", &["--run", "final"]), run("fourth", &["--run", "final"]));
    assert!(run("fifth", &["--narrow-seeds"]).parse::<u32>().is_ok());
    // The program that repeats a game holds the cells drawn and nothing of the seed.
    let repro = fs::read_to_string(folder.path().join(format!("first/repro/repro_{A}.c"))).unwrap();
    assert!(!repro.contains(&first) && !repro.contains(&first[..8]));
}

#[test]
fn the_basic_part_alone() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    write(&class, &[(format!("basic_{A}.zip"), basic("correct.c")), (format!("basic-{B}.zip"), basic("correct.c"))]);
    let windows =
        zoo("basic", "correct.c", ZOO_ID).replacen("#include <stdio.h>", "#include <stdio.h>\n#include <conio.h>", 1);
    write(&class, &[(format!("basic_{C}.zip"), zipped(&[("main.c".into(), windows.into())]))]);
    let windows = zoo("basic", "correct.c", ZOO_ID).replacen("#include", "#include \"Windows.h\"\n#include", 1);
    write(&class, &[(format!("basic_{D}.zip"), zipped(&[("main.c".into(), windows.into())]))]);
    // Sources that are included are no programs of their own, whatever their folder is called; two programs are one too many.
    let whole: Vec<u8> = zoo("basic", "correct.c", ZOO_ID).into();
    let parts = [
        ("basic_program/main.c".into(), b"#include \"game.c\"\n".to_vec()),
        ("basic_program/game.c".into(), whole.clone()),
    ];
    write(&class, &[(format!("basic_{E}.zip"), zipped(&parts))]);
    let two = [("main.c".into(), whole.clone()), ("old.c".into(), whole)];
    write(&class, &[(format!("basic_{F}.zip"), zipped(&two))]);
    let said = good(&["grade", "class"], folder.path());
    assert!(said.contains("only the basic part is graded"), "{said}");
    let rows = table(&folder.path().join("graded/summary.csv"), "id");
    let verdicts: Vec<&str> = [A, B, C, D, E, F].iter().map(|id| rows[*id]["basic_verdict"].as_str()).collect();
    assert_eq!(verdicts, ["passed", "missing-file", "needs-human", "needs-human", "passed", "needs-human"]);
    assert_eq!((rows[A]["verdict"].as_str(), rows[A]["basic_mark"].as_str()), ("not-graded", "10"));
    assert_eq!(rows[C]["basic_mark"], "", "a human fills it in");
    let feedback = fs::read_to_string(folder.path().join(format!("graded/feedback/{B}.md"))).unwrap();
    assert!(feedback.contains("underscore"), "{feedback}");
    let feedback = fs::read_to_string(folder.path().join(format!("graded/feedback/{C}.md"))).unwrap();
    assert!(feedback.contains("conio.h") && feedback.contains("Windows"), "{feedback}");
}

#[test]
fn the_small_print_of_the_assignment() {
    let folder = tempfile::tempdir().unwrap();
    let [(_, source), (_, header)] = player("correct.c", A);
    let other = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("aiplayer_", "aplayer_");
    fs::write(folder.path().join(format!("aplayer_{A}.c")), other(source)).unwrap();
    fs::write(folder.path().join(format!("aplayer_{A}.h")), other(header)).unwrap();
    let output = estr2048(&["check", &format!("aplayer_{A}.c"), "--games", "1"], folder.path());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("section 8.2") && text.contains("section 9.3") && text.contains("4 of 4 marks"), "{text}");
}

#[test]
fn gradescope_runs_the_package() {
    let folder = tempfile::tempdir().unwrap();
    good(&["autograder", "package.zip", "--", "--games", "1", "--seeds", "5"], folder.path());
    let root = folder.path().join("autograder");
    let source = root.join("source");
    fs::create_dir_all(&source).unwrap();
    let mut zip = zip::ZipArchive::new(fs::File::open(folder.path().join("package.zip")).unwrap()).unwrap();
    let mut names = Vec::new();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).unwrap();
        assert_eq!(entry.unix_mode().unwrap() & 0o777, 0o755);
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let path = source.join(&name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        names.push(name);
    }
    assert_eq!(names, ["setup.sh", "run_autograder", "estr2048"]);
    let run = || -> serde_json::Value {
        let script = source.join("run_autograder");
        let mut command = Command::new("bash");
        command.arg(script).env("AUTOGRADER_ROOT", &root).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success());
        serde_json::from_slice(&fs::read(root.join("results/results.json")).unwrap()).unwrap()
    };
    // The sender hands in a file for somebody else, too: only the sender's own counts.
    write(&root.join("submission"), &player("correct.c", A));
    write(&root.join("submission"), &player("segfault.c", B));
    fs::write(root.join("submission_metadata.json"), format!("{{\"users\": [{{\"name\": \"J\", \"sid\": \"{A}\"}}]}}"))
        .unwrap();
    let results = run();
    assert_eq!(results["score"], 4.0, "{results}");
    fs::remove_dir_all(root.join("submission")).unwrap();
    fs::create_dir(root.join("submission")).unwrap();
    assert!(run()["output"].as_str().unwrap().contains("Nothing could be graded"));
}

#[test]
fn a_class_of_sixty_is_killed_ten_times() {
    if std::env::var_os("ESTR_TEST_ALL").is_none() {
        eprintln!("skipped: a class of sixty takes minutes (make test-all)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Whoever plays by chance would play other games the second time.
    let names = ["correct.c", "needs_libm.c", "modifies.c", "segfault.c", "no_change.c", "lacks_suffix.c"];
    for number in 0..60 {
        let id = (1_155_000_001 + number).to_string();
        write(&folder.path().join("class"), &player(names[number % names.len()], &id));
    }
    let fixed = ["grade", "class", "--games", "3", "--seeds", "11,12,13", "--jobs", "2"];
    good(&[&fixed[..], &["--out", "whole"]].concat(), folder.path());
    let events = || fs::read_to_string(folder.path().join("graded/journal.jsonl")).unwrap_or_default().lines().count();
    for kill in 0..10 {
        let before = events();
        let more: &[&str] = if kill == 0 { &[] } else { &["--resume"] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_estr2048"))
            .args(fixed)
            .args(more)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while events() < before + 12 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    good(&[&fixed[..], &["--resume"]].concat(), folder.path());
    let marks = |out: &str| {
        let rows = table(&folder.path().join(out).join("summary.csv"), "id");
        let columns = ["rank", "verdict", "best", "mean", "mark", "bonus", "scores"];
        rows.into_iter().map(|(id, row)| (id, columns.map(|column| row[column].clone()))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(marks("whole"), marks("graded"));
    let games: Vec<PathBuf> = ["whole", "graded"].map(|out| folder.path().join(out).join("journal.jsonl")).into();
    let count = |path: &PathBuf| fs::read_to_string(path).unwrap().matches("\"event\":\"game\"").count();
    assert_eq!(count(&games[0]), count(&games[1]), "no game is lost or played twice");
}
