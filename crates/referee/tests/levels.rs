//! What each level stops: the table in docs/grading.md, tried out by programs that do it.
//!
//! This program is its own cell, so it has a `main` of its own. As root it runs once more as an ordinary user.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use estr2048_referee::compile::Compiler;
use estr2048_referee::sandbox;
use estr2048_referee::sandbox::guard::{Cell, Ending};
use estr2048_referee::sandbox::isolation::Level;
use estr2048_referee::sandbox::message::{Order, ProcessLimits, Task};
use estr2048_referee::sandbox::policy::Role;
use estr2048_referee::sandbox::probe;
use estr2048_referee::sandbox::program::{Outcome, Stop, libraries};
use rustix::process::Signal;

const SECRET: &str = "canary_2048_secret";
const ORDINARY: &str = "as-an-ordinary-user";

fn main() -> ExitCode {
    if estr2048_referee::is_cell() {
        estr2048_referee::cell();
    }
    // Cargo and its friends ask for a list of tests.
    if std::env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let root = rustix::process::geteuid().is_root();
    for level in [Level::L3, Level::L2, Level::L1] {
        match probe::try_level(level) {
            Ok(_) => at(level, root),
            Err(error) => println!("SKIPPED: level {level} does not work here: {error:#}"),
        }
    }
    if !root {
        if !std::env::args().any(|argument| argument == ORDINARY) {
            println!("SKIPPED: what a root referee does, because this user is not root");
        }
        return ExitCode::SUCCESS;
    }
    as_ordinary_user()
}

/// Runs this program again, as somebody without rights.
fn as_ordinary_user() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let copy = folder.path().join("levels");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let status = Command::new("setpriv")
        .args(["--reuid=65533", "--regid=65533", "--clear-groups"])
        .arg(&copy)
        .arg(ORDINARY)
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            println!("SKIPPED: what an ordinary user's referee does, because there is no setpriv: {error}");
            ExitCode::SUCCESS
        }
    }
}

fn at(level: Level, root: bool) {
    let who = if root { "root" } else { "an ordinary user" };
    let work = sandbox::workshop().unwrap();
    let compiler = Compiler::find(level, "-O1").unwrap();
    the_table_is_true(level, root, &compiler, work.path());
    println!("ok: the table, at {level} as {who}");
    the_compiler_sees_nobodys_files(level, &compiler, work.path());
    println!("ok: the compiler's view, at {level} as {who}");
    if level >= Level::L2 {
        nothing_grows_without_bound(&compiler, work.path());
        println!("ok: memory and disk, at {level} as {who}");
    }
    a_guard_that_is_held_up_still_learns_why(&compiler, work.path());
    println!("ok: processor time, at {level} as {who}");
    let left: Vec<_> = fs::read_dir(work.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with("cell-")), "left behind: {left:?}");
}

/// A program of the test's, compiled in a folder of its own.
struct Built<'a> {
    compiler: &'a Compiler,
    folder: std::path::PathBuf,
}

impl<'a> Built<'a> {
    fn new(name: &str, source: &str, options: &[&str], compiler: &'a Compiler, work: &Path) -> Self {
        let folder = work.join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("main.c"), source).unwrap();
        let outcome = compiler.run(&folder, &[options, &["main.c", "-o", "program"]].concat()).unwrap();
        assert!(outcome.success(), "{outcome:?}");
        Self { compiler, folder }
    }

    fn run(&self, input: &str, sanitized: bool) -> Outcome {
        let stdin = self.folder.join("input.txt");
        fs::write(&stdin, input).unwrap();
        self.compiler.run_result(&self.folder, "program", Some(stdin), Duration::from_secs(20), sanitized).unwrap()
    }
}

/// A process to be shot at.
struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn the_table_is_true(level: Level, root: bool, compiler: &Compiler, work: &Path) {
    let victim = Victim(Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap());
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let (file, doomed) = (place.path().join("file"), place.path().join("doomed"));
    for path in [&file, &doomed] {
        fs::write(path, SECRET).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
    }
    let probe = Built::new("probe", include_str!("probe.c"), &[], compiler, work);
    let outcome = probe.run(&format!("{} {} {}\n", file.display(), doomed.display(), victim.0.id()), false);
    assert_eq!(outcome.ending, Stop::Exit(0), "{outcome:?}");
    let worked: BTreeMap<&str, bool> = outcome
        .stdout
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(deed, word)| (deed, word == "yes"))
        .collect();
    let table = table();
    assert_eq!(worked.keys().collect::<Vec<_>>(), table.keys().collect::<Vec<_>>(), "the table has other rows");
    for (deed, &worked) in &worked {
        let stopped = table[*deed][&level.to_string()];
        assert!(!(stopped && worked), "{level} does not stop it: {deed}");
        // A root referee's submissions are another user's, who may do less than the table says of L1.
        assert!(stopped || worked || root || *deed == "make namespaces of its own", "{level} stops it: {deed}");
    }
    if level >= Level::L2 {
        for path in [&file, &doomed] {
            assert_eq!(fs::read_to_string(path).unwrap(), SECRET);
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o666);
        }
        assert!(!outcome.offences.is_empty());
    }
}

/// The rows of the table in the documentation: for each deed, whether a level stops it.
fn table() -> BTreeMap<String, BTreeMap<String, bool>> {
    let text = include_str!("../../../docs/grading.md");
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| a submission tries to"))
        .take_while(|line| line.starts_with('|'));
    let mut rows = rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let head = rows.next().expect("a table in docs/grading.md");
    rows.skip(1)
        .map(|row| {
            let stopped = |cell: &str| match cell {
                "stopped" => true,
                "**not stopped**" => false,
                _ => panic!("{cell:?} is no word of the table"),
            };
            let levels = head[1..].iter().zip(&row[1..]).map(|(level, cell)| (level.to_string(), stopped(cell)));
            (row[0].to_string(), levels.collect())
        })
        .collect()
}

fn the_compiler_sees_nobodys_files(level: Level, compiler: &Compiler, work: &Path) {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = place.path().join("other.c");
    fs::write(&file, format!("int {SECRET};\n")).unwrap();
    let folder = work.join("nosy");
    let neighbour = work.join("neighbour");
    for folder in [&folder, &neighbour] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(neighbour.join("main.c"), format!("int {SECRET};\n")).unwrap();
    let path = file.display();
    let attempts = [
        format!("#include \"{path}\"\n"),
        "#include \"../neighbour/main.c\"\n".into(),
        format!("__asm__(\".incbin \\\"{path}\\\"\");\n"),
        "#include \"/etc/passwd\"\n".into(),
        "#include \"/proc/self/environ\"\n".into(),
    ];
    for source in attempts {
        fs::write(folder.join("main.c"), &source).unwrap();
        let outcome = compiler.run(&folder, &["-c", "main.c", "-o", "main.o"]).unwrap();
        if level >= Level::L2 {
            assert!(!outcome.success(), "{source}");
            assert!(!outcome.stderr.contains(SECRET) && !outcome.stderr.contains("root:"), "{}", outcome.stderr);
            assert!(!folder.join("main.o").exists());
        }
    }
}

fn nothing_grows_without_bound(compiler: &Compiler, work: &Path) {
    const LIMIT: u64 = 128;
    let compiler = compiler.clone().with_memory(LIMIT << 20);
    let source = include_str!("greedy.c");
    let plain = Built::new("plain", source, &[], &compiler, work);
    let last = |outcome: &Outcome| outcome.stdout.lines().last().map_or(0, |line| line.parse::<u64>().unwrap());
    let outcome = plain.run("memory\n", false);
    assert!(last(&outcome) <= LIMIT, "{outcome:?}");
    let outcome = plain.run("disk\n", false);
    assert!(last(&outcome) < 1000 && outcome.ending != Stop::Timeout, "{} files, {:?}", last(&outcome), outcome.ending);
    let sanitized = Built::new("sanitized", source, &["-fsanitize=address"], &compiler, work);
    let outcome = sanitized.run("memory\n", true);
    assert_eq!(outcome.ending, Stop::Memory, "{}", outcome.stderr);
    // What is used between two looks comes on top.
    assert!(last(&outcome) < 8 * LIMIT, "{} MB", last(&outcome));
}

/// The kernel ends what nobody looks at in time, by the signal that means that.
fn a_guard_that_is_held_up_still_learns_why(compiler: &Compiler, work: &Path) {
    let endless = Built::new("endless", "int main(void) { for (;;) { } }\n", &[], compiler, work);
    let order = Order {
        level: compiler.level,
        cookie: 0,
        user: None,
        limits: ProcessLimits {
            cpu: Some(Duration::from_secs(1)),
            file_size: 1 << 20,
            disk: 1 << 20,
            processes: 1,
            ..ProcessLimits::default()
        },
        role: Role::Program,
        task: Task::Execute {
            program: "./program".into(),
            arguments: Vec::new(),
            view: libraries(),
            environment: Vec::new(),
        },
        bring: vec![(endless.folder.join("program"), "program".into())],
        folder: None,
    };
    let mut cell = Cell::start(&order, work, Stdio::null(), Stdio::null(), Stdio::null()).unwrap();
    let ending = cell.ending(Duration::from_secs(600));
    assert_eq!(ending, Some(Ending::Signal(Signal::XCPU.as_raw())), "{:?}", cell.trouble());
}
