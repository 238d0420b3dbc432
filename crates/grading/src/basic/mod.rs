//! The basic part: a whole C program that plays by standard input and output.

mod engine;
mod judge;
pub mod reader;
mod report;
mod screen;
mod script;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Result;
use regex::Regex;

use self::judge::{best_reading, judge};
pub use self::report::{BasicGame, BasicReport, BasicVerdict};
use self::script::Script;
use crate::collect::names::shown;
use crate::collect::unpack::{Budget, is_own_trouble, unpack};
use estr2048_referee::compile::{self, Compiler};
use estr2048_referee::sandbox::program::Outcome;

/// A hash of the staff's own games, so that a run is continued with the same ones.
pub fn scripts_digest(folder: &Path) -> Result<String> {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for script in script::from_folder(folder)? {
        hash.update(script.name.len().to_le_bytes());
        hash.update(script.name.as_bytes());
        hash.update(script.input());
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// Grades the program in a zip.
pub fn grade(zip: &Path, id: &str, compiler: &Compiler, work: &Path, scripts: Option<&Path>) -> Result<BasicReport> {
    let folder = work.join(format!("basic_{id}"));
    let mut budget = Budget::student();
    let notes = match unpack(zip, &folder, &mut budget, &|_| true) {
        Ok(notes) => notes,
        Err(error) if is_own_trouble(&error) => return Err(error),
        Err(error) => {
            let text = format!("basic_{id}.zip was refused: {error:#}");
            return Ok(BasicReport::only(BasicVerdict::MissingFile, text));
        }
    };
    open_inner_zip(&folder, &mut budget)?;
    let mut report = grade_folder(&folder, compiler, scripts)?;
    report.missing_messages.extend(notes.into_iter().map(|note| format!("basic_{id}.zip: {note}")));
    let _ = fs::remove_dir_all(&folder);
    Ok(report)
}

/// A program that was zipped twice is opened twice.
fn open_inner_zip(folder: &Path, budget: &mut Budget) -> Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| {
        path.is_dir() || path.extension().is_some_and(|ending| ["c", "zip"].iter().any(|known| ending == *known))
    });
    if let [inner] = &paths[..]
        && inner.is_file()
        && inner.extension().is_some_and(|ending| ending == "zip")
    {
        // What cannot be opened counts as not handed in; the report says that there is no .c file.
        let _ = unpack(inner, &folder.join("inner"), budget, &|_| true);
    }
    Ok(())
}

/// Grades the program in a folder.
pub fn grade_folder(folder: &Path, compiler: &Compiler, scripts: Option<&Path>) -> Result<BasicReport> {
    let mut sources = Vec::new();
    find_sources(folder, &mut sources)?;
    let all = sources.clone();
    leave_out_included(&mut sources);
    if sources.is_empty() {
        let mut names = Vec::new();
        every_name(folder, &mut names)?;
        let there = if names.is_empty() { "it is empty".into() } else { format!("it holds {}", names.join(", ")) };
        return Ok(BasicReport::only(BasicVerdict::MissingFile, format!("there is no .c file in the zip; {there}")));
    }
    let built = match build(folder, &sources, compiler)? {
        Ok(built) => built,
        Err(report) if sources.len() == all.len() => return Ok(report),
        // The `#include` may stand in a comment.
        Err(report) => match build(folder, &all, compiler)? {
            Ok(built) => built,
            Err(_) => return Ok(report),
        },
    };
    let mut games = script::standard();
    if let Some(folder) = scripts {
        games.extend(script::from_folder(folder)?);
    }
    let bench = Bench { compiler, folder };
    let mut report = BasicReport::only(BasicVerdict::Passed, "");
    report.compiler = built;
    let mut quiet = BTreeSet::new();
    for script in &games {
        let outcome = bench.play(script)?;
        if script.name == "no wrong input" {
            quiet = words_in(&outcome.stdout);
            continue;
        }
        report.games.push(judge(script, &outcome));
    }
    let wrong = Script { name: String::new(), seed: 1234, letters: b"XRXLXUXDX".into() };
    let no_change = Script { name: String::new(), seed: 1234, letters: b"RRRRLLLLUUUUDDDD".into() };
    for (script, what) in [(wrong, "a wrong letter"), (no_change, "a move that changes nothing")] {
        let outcome = bench.play(&script)?;
        let expected = engine::run(script.seed, &script.letters, None);
        // A program whose boards are others may have had no reason to complain.
        let comparable = best_reading(&outcome.stdout, &expected)
            .is_some_and(|(reading, agreed)| reading.sure && agreed.differs_at.is_none());
        let silent = words_in(&outcome.stdout).is_subset(&quiet);
        if comparable && silent {
            report.missing_messages.push(format!("there is no error message for {what}"));
        }
    }
    conclude(&mut report);
    Ok(report)
}

fn conclude(report: &mut BasicReport) {
    let causes: BTreeSet<&String> = report.games.iter().filter_map(|game| game.cause.as_ref()).collect();
    report.causes = causes.into_iter().cloned().collect();
    report.verdict = report.games.iter().map(|game| game.verdict).max().unwrap_or(BasicVerdict::NeedsHuman);
    let total = report.games.len();
    report.detail = match report.verdict {
        BasicVerdict::Passed => format!("all {total} games came out right"),
        _ => format!("{} of {total} games came out right", report.passed()),
    };
    if !report.causes.is_empty() {
        let _ = write!(report.detail, "; likely cause: {}", report.causes.join("; "));
    }
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find_sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c")) {
            found.push(path);
        }
    }
    Ok(())
}

/// Leaves out the sources that others include (`#include "board.c"`): they are compiled there.
fn leave_out_included(sources: &mut Vec<PathBuf>) {
    static INCLUDED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?mi)^\s*#\s*include\s*"(?:[^"\n]*[/\\])?([^"/\\\n]+\.c)""#).expect("a regex"));
    let mut included = BTreeSet::new();
    for path in &*sources {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        included.extend(INCLUDED.captures_iter(&text).map(|found| found[1].to_string()).filter(|name| *name != own));
    }
    let left = |path: &PathBuf| !included.contains(&*path.file_name().unwrap_or_default().to_string_lossy());
    // Two that include each other are left to the compiler.
    if sources.iter().any(left) {
        sources.retain(left);
    }
}

/// The names of the first files in a folder, for people.
fn every_name(folder: &Path, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if names.len() >= 8 {
            return Ok(());
        }
        if path.is_dir() {
            every_name(&path, names)?;
        } else {
            names.push(shown(&path.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    names.sort();
    Ok(())
}

/// What the compiler said, or the report that says why there is no program.
fn build(folder: &Path, sources: &[PathBuf], compiler: &Compiler) -> Result<Result<String, BasicReport>> {
    compile::add_course_headers(folder)?;
    let name = |path: &Path| format!("./{}", path.strip_prefix(folder).unwrap_or(path).display());
    let names: Vec<String> = sources.iter().map(|path| name(path)).collect();
    let folders: BTreeSet<String> =
        sources.iter().filter_map(|path| path.parent()).map(|path| format!("-I{}", name(path))).collect();
    let mut arguments: Vec<&str> = vec!["-Og", "-g", "-Wall", "-Wextra"];
    arguments.extend(folders.iter().map(String::as_str));
    arguments.extend(compile::COURSE_HEADERS);
    arguments.extend(names.iter().map(String::as_str));
    arguments.extend(["-o", PROGRAM, "-lm"]);
    let outcome = compiler.run(folder, &arguments)?;
    let shown = outcome.stderr.replace("./", "");
    if outcome.success() {
        return Ok(Ok(shown));
    }
    let two_programs = shown
        .contains("multiple definition of `main'")
        .then(|| String::from("it holds several programs, each with a main; somebody must say which one counts"));
    let complaint = compile::complaint(&Outcome { stderr: shown.clone(), ..outcome });
    let mut report = match windows_only(sources).or(two_programs) {
        Some(why) => {
            BasicReport::only(BasicVerdict::NeedsHuman, format!("{why}. Here it does not compile: {complaint}"))
        }
        None => BasicReport::only(BasicVerdict::CompileError, format!("it does not compile: {complaint}")),
    };
    report.compiler = shown;
    Ok(Err(report))
}

/// The compiled program.
const PROGRAM: &str = "estr2048_basic_program";

struct Bench<'a> {
    compiler: &'a Compiler,
    folder: &'a Path,
}

impl Bench<'_> {
    fn play(&self, script: &Script) -> Result<Outcome> {
        let input = self.folder.join("estr2048_basic_input");
        fs::write(&input, script.input())?;
        self.compiler.run_result(self.folder, PROGRAM, Some(input), Duration::from_secs(4), false)
    }
}

/// The words in an output, boards and numbers left out. Letters in an encoding that is not UTF-8 count as words, too.
fn words_in(output: &str) -> BTreeSet<String> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\p{L}\u{fffd}]{2,}").expect("a regex"));
    let text = screen::plain(output);
    WORD.find_iter(&text).map(|word| word.as_str().to_lowercase()).collect()
}

/// What only Windows has, the platform of the course: a program that needs it is no worse for it.
pub fn windows_only(sources: &[PathBuf]) -> Option<String> {
    static NEEDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?x)\#\s*include\s*[<"]((?i:windows|winuser|wincon|conio|direct|io|process|mmsystem|tchar|graphics|dos)\.h)[>"]
            |\b((?:scanf|sscanf|fscanf|printf|sprintf|strcpy|strncpy|strcat|strtok|memcpy|fopen|gets|localtime|_itoa)_s
            |_?getche?|_?kbhit|clrscr|gotoxy|_?itoa|_?str(?:rev|lwr|upr|icmp|cmpi|nicmp)|_sleep|Sleep|Beep
            |SetConsole\w+|GetStdHandle)\s*\("#)
            .expect("a regex")
    });
    sources.iter().find_map(|path| {
        let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
        let found = NEEDS.captures(&text)?;
        let name = match (found.get(1), found.get(2)) {
            (Some(header), _) => format!("<{}>", header.as_str()),
            (_, Some(function)) => format!("{}()", function.as_str()),
            _ => return None,
        };
        Some(format!("it needs {name}, which only Windows has; compile and try it there, on the course's platform"))
    })
}
