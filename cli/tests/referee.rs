//! The zoo: submissions that each fail in one way, graded by the real program.

#[path = "support/table.rs"]
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use table::table;

const ZOO_ID: &str = "1155000000";

fn zoo(part: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo").join(part);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The basic programs of the zoo by name: the whole ones, and those that are written as a difference to the correct one.
fn basic_programs() -> Vec<(String, String)> {
    let read = |path: PathBuf| (name_of(&path), fs::read_to_string(path).unwrap());
    let mut programs: Vec<_> = zoo("basic", "c").into_iter().map(read).collect();
    let correct = programs.iter().find(|(name, _)| name == "correct").unwrap().1.clone();
    programs.extend(zoo("basic", "diff").into_iter().map(read).map(|(name, diff)| {
        let text = patched(&correct, &diff);
        (name, text)
    }));
    assert!(programs.len() >= 20, "the zoo is empty");
    programs
}

/// A text with a unified difference applied to it. Each of its parts must fit one place alone.
fn patched(text: &str, diff: &str) -> String {
    let mut text = text.to_string();
    for part in diff.split("\n@@ ").skip(1) {
        let side = |mark: char| {
            let lines = part.lines().skip(1).filter(|line| line.starts_with([' ', mark]));
            lines.map(|line| format!("{}\n", &line[1..])).collect::<String>()
        };
        let (old, new) = (side('-'), side('+'));
        assert_eq!(text.matches(&old).count(), 1, "{part}");
        text = text.replacen(&old, &new, 1);
    }
    text
}

/// What stands after `key:` in the first lines of a zoo file.
fn note(text: &str, key: &str) -> String {
    let line = text.lines().find_map(|line| line.split_once(&format!("{key}: ")));
    line.unwrap_or_else(|| panic!("no {key} in {text}")).1.trim().to_string()
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estr2048"));
    command.env("NO_COLOR", "1");
    command
}

struct Animal {
    name: String,
    verdict: String,
    signal: Option<String>,
    flags: BTreeSet<String>,
}

/// Copies the players of the zoo into a folder, each under a number of its own, as often as wanted.
fn class_of_players(folder: &Path, copies: usize, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Animal> {
    fs::create_dir_all(folder).unwrap();
    let mut class = BTreeMap::new();
    for _ in 0..copies {
        for path in zoo("player", "c") {
            let name = name_of(&path);
            if !wanted(&name) {
                continue;
            }
            let id = (1_155_000_001 + class.len()).to_string();
            let text = fs::read_to_string(&path).unwrap();
            let header = fs::read_to_string(path.with_extension("h"))
                .unwrap_or_else(|_| format!("int aiplayer_{ZOO_ID}(int game_board[4][4]);\n"));
            fs::write(folder.join(format!("aiplayer_{id}.c")), text.replace(ZOO_ID, &id)).unwrap();
            fs::write(folder.join(format!("aiplayer_{id}.h")), header.replace(ZOO_ID, &id)).unwrap();
            let expect = note(&text, "expect");
            let (verdict, signal) = match expect.split_once(' ') {
                Some((verdict, signal)) => (verdict.to_string(), Some(signal.to_string())),
                None => (expect, None),
            };
            let flags = note(&text, "flags");
            let flags = flags.split(' ').filter(|&flag| flag != "none").map(String::from).collect();
            class.insert(id, Animal { name, verdict, signal, flags });
        }
    }
    class
}

fn leftovers() -> Vec<String> {
    let temporary = fs::read_dir(std::env::temp_dir()).unwrap();
    temporary.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn assert_verdicts(class: &BTreeMap<String, Animal>, out: &Path) {
    let rows = table(&out.join("summary.csv"), "id");
    assert_eq!(rows.len(), class.len(), "a verdict was lost");
    let mut wrong = Vec::new();
    for (id, animal) in class {
        let row = &rows[id];
        // What gcc warns about differs between its versions, and no animal declares that it is original work.
        let flags: BTreeSet<String> = row["flags"]
            .split(' ')
            .filter(|flag| !["", "warnings", "no-declaration"].contains(flag))
            .map(String::from)
            .collect();
        let signal = animal.signal.as_ref().is_none_or(|signal| row["detail"].contains(signal.as_str()));
        if row["verdict"] != animal.verdict || flags != animal.flags || !signal {
            wrong.push(format!("{}: {} {:?}: {}", animal.name, row["verdict"], flags, row["detail"]));
        }
        let feedback = fs::read_to_string(out.join(format!("feedback/{id}.md"))).unwrap();
        assert!(feedback.contains(id.as_str()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Grades a class with these options, quietly.
fn grade(options: &[&str], out: &Path, class: &Path) {
    let mut command = program();
    command.arg("grade").args(options).arg("--out").args([out, class]);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
}

#[test]
fn every_player_of_the_zoo_gets_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let class = class_of_players(&folder.path().join("class"), 1, |_| true);
    let out = folder.path().join("out");
    grade(&["--games", "1", "--seeds", "1", "--move-limit", "700ms"], &out, &folder.path().join("class"));
    assert_verdicts(&class, &out);

    let id_of = |name: &str| class.iter().find(|(_, animal)| animal.name == name).unwrap().0.clone();
    // The failing move is named with file and line, and a program repeats it.
    let feedback = |name: &str| fs::read_to_string(out.join(format!("feedback/{}.md", id_of(name)))).unwrap();
    let segfault = feedback("segfault");
    assert!(segfault.contains("In move 10") && segfault.contains("As 16 numbers"), "{segfault}");
    assert!(feedback("includes_passwd").lines().all(|line| !line.contains("root:")), "the compiler read /etc/passwd");
    let repro = out.join(format!("repro/repro_{}.c", id_of("no_change")));
    let player = folder.path().join(format!("class/aiplayer_{}.c", id_of("no_change")));
    let binary = folder.path().join("repro");
    assert!(Command::new("gcc").arg(&repro).arg(&player).arg("-o").arg(&binary).status().unwrap().success());
    let printed = Command::new(&binary).output().unwrap();
    assert!(String::from_utf8_lossy(&printed.stdout).contains("returned 0 on this board"));
    // The other programs' formats are well-formed and complete.
    for id in class.keys() {
        let text = fs::read_to_string(out.join(format!("gradescope/{id}/results.json"))).unwrap();
        let results: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(results["tests"].as_array().unwrap().iter().any(|test| test["max_score"] == 4.0), "{text}");
        let text = fs::read_to_string(out.join(format!("check50/{id}.json"))).unwrap();
        let results: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(!results["results"].as_array().unwrap().is_empty());
    }
    assert!(fs::read_to_string(out.join("junit.xml")).unwrap().contains("<testsuite"));
    replays(&out);
}

/// Every game of the journal can be played again from its seed and its moves.
fn replays(out: &Path) {
    let mut games = 0;
    for line in fs::read_to_string(out.join("journal.jsonl")).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["event"] != "game" {
            continue;
        }
        let record = &line["record"];
        let seed: u32 = record["seed"].as_str().unwrap().parse().unwrap();
        let random = estr2048::TinyMt32::new(seed, estr2048::Parameters::ZERO);
        let mut game: estr2048::courses::estr1002::Game = estr2048::courses::estr1002::Game::new(random);
        for letter in record["move_string"].as_str().unwrap().bytes() {
            let direction = estr2048::Direction::from_letter(letter).unwrap();
            assert_eq!(game.play(direction), Ok(true));
        }
        let end: Vec<i32> = serde_json::from_value(record["board"].clone()).unwrap();
        assert_eq!(game.board().as_flattened(), end);
        games += 1;
    }
    assert!(games > 30);
}

#[test]
fn weaker_isolation_still_gives_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "correct",
        "segfault",
        "endless_loop",
        "exits",
        "prints",
        "writes_after",
        "no_change",
        "closes_all",
        "forges",
        "allocates_10_gb",
    ];
    let class = class_of_players(&folder.path().join("class"), 1, |name| names.contains(&name));
    for level in ["L1", "L2"] {
        let out = folder.path().join(level);
        grade(
            &["--isolation", level, "--games", "1", "--seeds", "3", "--move-limit", "700ms"],
            &out,
            &folder.path().join("class"),
        );
        assert_verdicts(&class, &out);
    }
}

#[test]
fn a_killed_run_is_continued_without_losing_or_repeating_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let names =
        ["correct", "prints", "modifies", "sleeps", "segfault", "returns_4", "does_not_compile", "lacks_suffix"];
    class_of_players(&folder.path().join("class"), 2, |name| names.contains(&name));
    let grade = |out: &str, more: &[&str]| {
        let mut command = program();
        command.args(["grade", "--games", "3", "--seeds", "1..3", "--move-limit", "300ms", "--jobs", "2", "--out"]);
        command.arg(folder.path().join(out)).arg(folder.path().join("class")).args(more);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(grade("whole", &[]).status().unwrap().success());

    let journal = folder.path().join("cut/journal.jsonl");
    let mut child = grade("cut", &[]).process_group(0).spawn().unwrap();
    let games = |journal: &Path| fs::read_to_string(journal).unwrap_or_default().matches("\"event\":\"game\"").count();
    while games(&journal) < 10 {
        assert!(child.try_wait().unwrap().is_none(), "the run ended too early");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill may come in the middle of a line.
    fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"event\":\"game\",\"id\":\"11").unwrap();
    let left = fs::read_to_string(folder.path().join("cut/.work")).unwrap();
    assert!(!grade("cut", &[]).status().unwrap().success(), "an old journal must not be overwritten");
    assert!(grade("cut", &["--resume"]).status().unwrap().success());
    assert!(!Path::new(left.trim()).exists(), "{left} was left behind");

    for name in ["summary.csv", "ranking.md"] {
        let read = |out: &str| fs::read_to_string(folder.path().join(out).join(name)).unwrap();
        // A time-out tells how long it was; everything else must be the same to the letter.
        assert_eq!(without_times(&read("whole")), without_times(&read("cut")), "{name}");
    }
    assert_eq!(games(&journal), games(&folder.path().join("whole/journal.jsonl")));
}

fn without_times(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(' ') {
        let digits = word.trim_start_matches('(').parse::<f64>().is_ok() && word.contains('.');
        out.push_str(if digits { "#" } else { word });
        out.push(' ');
    }
    out
}

#[test]
fn every_basic_program_of_the_zoo_gets_its_verdict_and_cause() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    fs::create_dir_all(&class).unwrap();
    let mut expected = BTreeMap::new();
    for (number, (name, text)) in basic_programs().into_iter().enumerate() {
        let id = (1_155_100_001 + number).to_string();
        let mut zip = zip::ZipWriter::new(fs::File::create(class.join(format!("basic_{id}.zip"))).unwrap());
        zip.start_file("main.c", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
        zip.finish().unwrap();
        expected.insert(id, (name, note(&text, "expect"), note(&text, "cause")));
    }
    let out = folder.path().join("out");
    grade(&["--games", "1", "--seeds", "1"], &out, &class);
    let rows = table(&out.join("summary.csv"), "id");
    let mut wrong = Vec::new();
    for (id, (name, verdict, cause)) in &expected {
        let feedback = fs::read_to_string(out.join(format!("feedback/{id}.md"))).unwrap();
        let found = match cause.as_str() {
            "none" => !feedback.contains("Likely cause") && !feedback.contains("no error message"),
            "missing message" => feedback.matches("no error message").count() == 2,
            cause => feedback.lines().any(|line| line.contains("Likely cause") && line.contains(cause)),
        };
        if rows[id]["basic_verdict"] != *verdict || !found {
            wrong.push(format!("{name}: {} (cause {cause} found: {found})\n{feedback}", rows[id]["basic_verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_template_compiles_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| program().args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(run(&["new", "1155987654"]).status.success());
    assert!(!run(&["new", "1155987654"]).status.success(), "existing files must not be overwritten");
    assert_eq!(run(&["new", "../x"]).status.code(), Some(2));
    let built = Command::new("gcc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "test_1155987654.c",
            "aiplayer_1155987654.c",
            "-o",
            "test",
        ])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(built.success());
    assert!(Command::new(folder.path().join("test")).status().unwrap().success());
    let check = run(&["check", "aiplayer_1155987654.c"]);
    let text = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{text}");
    assert!(text.contains("4 of 4 marks") && !text.contains("note"), "{text}");
}

#[test]
fn a_failing_check_says_where_and_why() {
    let folder = tempfile::tempdir().unwrap();
    class_of_players(folder.path(), 1, |name| name == "stack_overflow");
    let check =
        program().args(["check", "aiplayer_1155000001.c", "--games", "1"]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&check.stdout);
    assert_eq!(check.status.code(), Some(1));
    assert!(text.contains("SIGSEGV") && text.contains("endless recursion"), "{text}");
    assert!(folder.path().join("repro_1155000001.c").exists());
    let missing = program().args(["check", "no_such_file.c"]).current_dir(folder.path()).output().unwrap();
    assert!(!missing.status.success() && String::from_utf8_lossy(&missing.stderr).contains("does not exist"));
}

#[test]
fn nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let class = class_of_players(&folder.path().join("class"), 1, |name| {
        ["forks", "threads", "writes_file", "correct"].contains(&name)
    });
    let work: BTreeSet<String> = leftovers().into_iter().collect();
    let out = folder.path().join("out");
    grade(&["--games", "2", "--seeds", "4,5", "--jobs", "1"], &out, &folder.path().join("class"));
    assert_verdicts(&class, &out);
    assert!(!out.join(".work").exists());
    assert!(!leftovers().iter().any(|name| name == "log.txt" && !work.contains(name)));
    // No process of this run lives on: its arguments named this folder.
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        assert!(!line.contains(&*folder.path().to_string_lossy()), "{line}");
    }
}

#[test]
fn a_students_file_is_a_player_of_run() {
    let folder = tempfile::tempdir().unwrap();
    class_of_players(folder.path(), 1, |name| name == "correct");
    let run = |file: &str| {
        let output = program()
            .args(["run", "--player", file, "--seeds", "1..8", "--json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (success, text, errors) = run("aiplayer_1155000001.c");
    assert!(success, "{errors}");
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["games"], 8);
    assert!(summary["mean"].as_f64().unwrap() > 100.0);
    class_of_players(folder.path(), 1, |name| name == "segfault");
    let (success, _, errors) = run("aiplayer_1155000001.c");
    assert!(!success && errors.contains("In move 10 it crashed with SIGSEGV"), "{errors}");
}

/// A player that has closed its output costs the referee nothing that the next game needs.
#[test]
fn no_game_takes_the_referees_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let class = class_of_players(&folder.path().join("class"), 1, |name| name == "closes_output");
    let out = folder.path().join("out");
    let options = ["--jobs", "1", "--seeds", "1..60", "--games", "60", "--format", "csv,markdown", "--out"];
    let mut command = program();
    command.arg("grade").args(options).args([&out, &folder.path().join("class")]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = fs::read_dir(format!("/proc/{}/fd", child.id())).map_or(most, |entries| most.max(entries.count()));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(most < 40, "{most} descriptors");
    assert_verdicts(&class, &out);
}

/// Time that is taken by other submissions is nobody's fault: six players, each of which needs half of its time for
/// itself, on however few processors.
#[test]
fn a_move_that_waits_for_others_is_no_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let class = class_of_players(&folder.path().join("class"), 6, |name| name == "burns");
    let out = folder.path().join("out");
    let options = ["--games", "1", "--seeds", "6", "--move-limit", "500ms", "--jobs", "6"];
    grade(&options, &out, &folder.path().join("class"));
    assert_verdicts(&class, &out);
}

/// One correct player with so many lines more, graded into the folder's `out`.
fn graded_with(folder: &Path, lines: impl Iterator<Item = String>) -> BTreeMap<String, Animal> {
    let class = class_of_players(&folder.join("class"), 1, |name| name == "correct");
    let id = class.keys().next().unwrap();
    let path = folder.join(format!("class/aiplayer_{id}.c"));
    let mut text = fs::read_to_string(&path).unwrap();
    text.extend(lines);
    fs::write(&path, text).unwrap();
    grade(&["--games", "1", "--seeds", "1"], &folder.join("out"), &folder.join("class"));
    class
}

/// A report stays short, and the referee quick, whatever a file holds.
#[test]
fn thousands_of_names_are_listed_in_short() {
    let folder = tempfile::tempdir().unwrap();
    let class = graded_with(folder.path(), (0..30_000).map(|number| format!("int v{number};\n\n")));
    let (id, out) = (class.keys().next().unwrap(), folder.path().join("out"));
    let feedback = fs::read_to_string(out.join(format!("feedback/{id}.md"))).unwrap();
    assert!(feedback.contains("and 29980 more") && feedback.len() < 100_000, "{} bytes", feedback.len());
}

/// However much the compiler has to say: what it compiles is played.
#[test]
fn thousands_of_warnings_are_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let class = graded_with(folder.path(), (0..2000).map(|number| format!("static int unused{number};\n")));
    let (id, out) = (class.keys().next().unwrap(), folder.path().join("out"));
    assert_verdicts(&class, &out);
    let row = &table(&out.join("summary.csv"), "id")[id];
    assert!(row["flags"].split(' ').any(|flag| flag == "warnings"), "{row:?}");
}

/// A program that runs others on a machine that lacks something.
fn without(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo/tools/without.c");
    let tool = folder.join("without");
    let built =
        Command::new("gcc").args(["-Wall", "-Wextra", "-Werror", "-o"]).arg(&tool).arg(source).status().unwrap();
    assert!(built.success());
    tool
}

#[test]
fn a_machine_that_lacks_something_says_so_and_refuses_below_l2() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["correct", "threads", "reads_maps", "segfault"];
    let class = class_of_players(&folder.path().join("class"), 1, |name| names.contains(&name));
    let tool = without(folder.path());
    let run = |lacking: &str, arguments: &[&str], out: &Path| {
        let mut command = Command::new(&tool);
        command.args([lacking, env!("CARGO_BIN_EXE_estr2048"), "grade"]).args(arguments).env("NO_COLOR", "1");
        if !arguments.contains(&"--doctor") {
            command.args(["--games", "1", "--seeds", "1", "--out"]).args([out, &folder.path().join("class")]);
        }
        let output = command.output().unwrap();
        (output.status.success(), [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat())
    };
    let cases = [
        ("namespaces", "isolation L2", "not L3"),
        ("landlock", "isolation L3", "not Landlock"),
        ("witness", "isolation L3", "not a witness"),
    ];
    for (lacking, level, missing) in cases {
        let out = folder.path().join(lacking);
        let (success, text) = run(lacking, &[], &out);
        assert!(success && text.contains(level) && text.contains(missing), "{text}");
        if lacking == "witness" {
            let rows = table(&out.join("summary.csv"), "id");
            assert!(
                class.iter().all(|(id, animal)| animal.name == "reads_maps" || rows[id]["verdict"] == animal.verdict)
            );
        } else {
            assert_verdicts(&class, &out);
        }
        assert!(run(lacking, &["--doctor"], &out).0);
    }
    let out = folder.path().join("nothing");
    let nothing = "namespaces,landlock";
    let (success, text) = run(nothing, &[], &out);
    assert!(!success && text.contains("only L1 is there") && text.contains("--doctor"), "{text}");
    let (success, text) = run(nothing, &["--doctor"], &out);
    assert!(!success && text.contains("MISSING") && text.contains("lsm="), "{text}");
    let (success, text) = run(nothing, &["--isolation", "L1"], &out);
    assert!(success && text.contains("isolation L1"), "{text}");
}

/// The same verdicts as root and as an ordinary user, with namespaces and without. Long: behind `make test-all`.
#[test]
fn the_zoo_gets_its_verdicts_as_anybody_at_any_level() {
    if std::env::var_os("ESTR_TEST_ALL").is_none() {
        eprintln!("SKIPPED: the zoo as other users and at other levels; `make test-all` does it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(folder.path(), everybody).unwrap();
    let class = class_of_players(&folder.path().join("class"), 1, |_| true);
    let copy = folder.path().join("estr2048");
    fs::copy(env!("CARGO_BIN_EXE_estr2048"), &copy).unwrap();
    let ordinary = ["--reuid=65533", "--regid=65533", "--clear-groups"];
    for level in ["L2", "L3"] {
        for user in [&[][..], &ordinary[..]] {
            let out = folder.path().join(format!("{level}{}", user.len()));
            let mut command = Command::new("setpriv");
            command.args(user).arg("--").arg(&copy).args([
                "grade",
                "--games",
                "1",
                "--seeds",
                "1",
                "--move-limit",
                "700ms",
            ]);
            command.args(["--isolation", level, "--out"]).args([&out, &folder.path().join("class")]);
            command.current_dir(folder.path()).env("TMPDIR", folder.path());
            let Ok(output) = command.output() else {
                eprintln!("SKIPPED: there is no setpriv");
                return;
            };
            let text = String::from_utf8_lossy(&output.stderr);
            if !output.status.success() && text.contains("setpriv:") {
                eprintln!("SKIPPED: this user cannot become another one");
                continue;
            }
            assert!(output.status.success() && text.contains(&format!("isolation {level}")), "{text}");
            assert_verdicts(&class, &out);
        }
    }
}
