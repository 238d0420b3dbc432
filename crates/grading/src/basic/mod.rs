//! The basic part: a whole C program that plays by standard input and output.

mod engine;
mod reader;
mod script;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Result;
use regex::Regex;
use serde::{Deserialize, Serialize};

use self::engine::{Mistake, Run};
use self::reader::Cells;
use self::script::Script;
use crate::collect;
use estr2048_referee::compile::{self, Compiler};
use estr2048_referee::sandbox::program::{Outcome, Program, Stop};

/// How the basic part, or one game of it, went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BasicVerdict {
    Passed,
    NeedsHuman,
    Wrong,
    Timeout,
    Crash,
    CompileError,
    MissingFile,
}

/// Everything about one basic part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BasicReport {
    pub verdict: BasicVerdict,
    pub detail: String,
    pub games: Vec<BasicGame>,
    /// Known causes of what went wrong.
    pub causes: Vec<String>,
    /// Messages that the assignment asks for and the program does not print.
    pub missing_messages: Vec<String>,
    pub compiler: String,
}

impl BasicReport {
    fn only(verdict: BasicVerdict, detail: impl Into<String>) -> Self {
        let (games, causes, missing_messages) = (Vec::new(), Vec::new(), Vec::new());
        Self { verdict, detail: detail.into(), games, causes, missing_messages, compiler: String::new() }
    }

    /// Number of games without a fault.
    pub fn passed(&self) -> usize {
        self.games.iter().filter(|game| game.passed()).count()
    }
}

/// One scripted game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BasicGame {
    pub name: String,
    pub verdict: BasicVerdict,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
}

impl BasicGame {
    pub fn passed(&self) -> bool {
        self.verdict == BasicVerdict::Passed
    }
}

/// Grades the program in a zip.
pub fn grade(zip: &Path, id: &str, compiler: &Compiler, work: &Path, scripts: Option<&Path>) -> Result<BasicReport> {
    let folder = work.join(format!("basic_{id}"));
    if let Err(error) = collect::unpack(zip, &folder) {
        return Ok(BasicReport::only(BasicVerdict::MissingFile, format!("basic_{id}.zip was refused: {error:#}")));
    }
    grade_folder(&folder, compiler, scripts)
}

/// Grades the program in a folder.
pub fn grade_folder(folder: &Path, compiler: &Compiler, scripts: Option<&Path>) -> Result<BasicReport> {
    let mut sources = Vec::new();
    find_sources(folder, &mut sources)?;
    if sources.is_empty() {
        return Ok(BasicReport::only(BasicVerdict::MissingFile, "there is no .c file in the zip"));
    }
    let built = match build(folder, &sources, compiler)? {
        Ok(built) => built,
        Err(report) => return Ok(report),
    };
    let mut games = script::standard();
    if let Some(folder) = scripts {
        games.extend(script::from_folder(folder)?);
    }
    let bench = Bench { compiler, folder, program: built.0 };
    let mut report = BasicReport::only(BasicVerdict::Passed, "");
    report.compiler = built.1;
    let mut quiet_words = BTreeSet::new();
    for script in &games {
        let outcome = bench.play(script)?;
        if script.name == "no wrong input" {
            quiet_words = words_in(&outcome.stdout);
            continue;
        }
        report.games.push(judge(script, &outcome));
    }
    let wrong = Script { name: String::new(), seed: 1234, letters: b"XRXLXUXDX".into() };
    let no_change = Script { name: String::new(), seed: 1234, letters: b"RRRRLLLLUUUUDDDD".into() };
    for (script, what) in [(wrong, "a wrong letter"), (no_change, "a move that changes nothing")] {
        let outcome = bench.play(&script)?;
        let expected = engine::run(script.seed, &script.letters, None);
        let reading = reader::read(&outcome.stdout);
        // A program whose boards are others may have had no reason to complain.
        let comparable = reading.sure && agreement(&reading.boards, &expected).differs_at.is_none();
        if comparable && words_in(&outcome.stdout).is_subset(&quiet_words) {
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
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    Ok(())
}

/// The program and what the compiler said, or the report that says why there is none.
fn build(folder: &Path, sources: &[PathBuf], compiler: &Compiler) -> Result<Result<(PathBuf, String), BasicReport>> {
    estr2048_referee::sandbox::give_away(folder)?;
    compile::add_course_headers(folder)?;
    let names: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    let folders: BTreeSet<String> =
        sources.iter().filter_map(|path| path.parent()).map(|path| format!("-I{}", path.display())).collect();
    let mut arguments: Vec<&str> = vec!["-Og", "-g", "-Wall", "-Wextra"];
    arguments.extend(folders.iter().map(String::as_str));
    arguments.extend(compile::COURSE_HEADERS);
    arguments.extend(names.iter().map(String::as_str));
    arguments.extend(["-o", "basic_program", "-lm"]);
    let outcome = compiler.run(folder, &arguments)?;
    let shown = outcome.stderr.replace(&format!("{}/", folder.display()), "");
    if outcome.success() {
        return Ok(Ok((folder.join("basic_program"), shown)));
    }
    let complaint = compile::complaint(&Outcome { stderr: shown.clone(), ..outcome });
    let mut report = BasicReport::only(BasicVerdict::CompileError, format!("it does not compile: {complaint}"));
    report.compiler = shown;
    Ok(Err(report))
}

struct Bench<'a> {
    compiler: &'a Compiler,
    folder: &'a Path,
    program: PathBuf,
}

impl Bench<'_> {
    fn play(&self, script: &Script) -> Result<Outcome> {
        let input = self.folder.join("input.txt");
        fs::write(&input, script.input())?;
        let program = Program {
            level: self.compiler.level,
            program: self.program.clone(),
            arguments: Vec::new(),
            folder: self.folder.into(),
            read: vec![self.program.clone()],
            write: Vec::new(),
            stdin: Some(input),
            time: Duration::from_secs(4),
            memory: 1 << 30,
            output: 1 << 20,
            file_size: 0,
            processes: 1,
        };
        program.run()
    }
}

/// The words in an output, boards and numbers left out.
fn words_in(output: &str) -> BTreeSet<String> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z]{2,}").expect("a regex"));
    WORD.find_iter(output).map(|word| word.as_str().to_lowercase()).collect()
}

/// Compares what a program printed with what it should have.
fn judge(script: &Script, outcome: &Outcome) -> BasicGame {
    let expected = engine::run(script.seed, &script.letters, None);
    let reading = reader::read(&outcome.stdout);
    let game = |verdict, text: String, cause: Option<&str>| BasicGame {
        name: script.name.clone(),
        verdict,
        text,
        cause: cause.map(String::from),
    };
    if let Stop::Signal(signal) = outcome.ending {
        let (name, what) = estr2048_referee::verdict::signal_name(signal);
        return game(BasicVerdict::Crash, format!("it crashed with {name} ({what})"), None);
    }
    if !reading.sure {
        let how = match outcome.ending {
            Stop::Timeout => " (and the program did not end)",
            Stop::Flood => " (and the program printed without end)",
            _ => "",
        };
        return game(BasicVerdict::NeedsHuman, format!("no board could be read from its output{how}"), None);
    }
    let agreed = agreement(&reading.boards, &expected);
    if let Some(at) = agreed.differs_at {
        let cause = Mistake::ALL.into_iter().find(|&mistake| {
            let other = engine::run(script.seed, &script.letters, Some(mistake));
            let with = agreement(&reading.boards, &other);
            with.differs_at.is_none_or(|there| there > at + 3)
        });
        return game(
            BasicVerdict::Wrong,
            difference(script, &expected, &agreed, &reading.boards[at]),
            cause.map(Mistake::words),
        );
    }
    let endless = matches!(outcome.ending, Stop::Timeout | Stop::Flood);
    if endless && agreed.reached + 1 >= expected.boards.len() {
        let what = if outcome.ending == Stop::Timeout { "does not end" } else { "prints without end" };
        return game(
            BasicVerdict::Timeout,
            format!("all boards are right, but at the end of the input it {what}"),
            Some("loops forever at the end of input: scanf gives EOF then, and must be checked"),
        );
    }
    if agreed.reached + 2 < expected.boards.len() {
        let text = format!(
            "its boards are right, but it stopped after {} of {} boards",
            agreed.reached + 1,
            expected.boards.len()
        );
        return game(if endless { BasicVerdict::Timeout } else { BasicVerdict::Wrong }, text, None);
    }
    if !expected.over {
        return game(BasicVerdict::Passed, "all boards are right".into(), None);
    }
    judge_score(outcome, &expected, game)
}

fn judge_score(
    outcome: &Outcome,
    expected: &Run,
    game: impl Fn(BasicVerdict, String, Option<&str>) -> BasicGame,
) -> BasicGame {
    static SCORE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?is)(?:score|points?)[^0-9-]{0,40}(-?\d+)").expect("a regex"));
    let score = expected.score();
    let shown = SCORE.captures_iter(&outcome.stdout).last().and_then(|found| found[1].parse::<i64>().ok());
    match shown {
        Some(shown) if shown == score => {
            game(BasicVerdict::Passed, format!("all boards are right, and the score {score}"), None)
        }
        Some(shown) => game(
            BasicVerdict::Wrong,
            format!("all boards are right, but it says {shown} where the score is {score}"),
            Some("score is not the sum: the score is the sum of all tiles on the last board"),
        ),
        None => game(
            BasicVerdict::NeedsHuman,
            format!("all boards are right, but no score could be found; it should be {score}"),
            None,
        ),
    }
}

struct Agreement {
    /// Index of the first board that is not the expected one.
    differs_at: Option<usize>,
    /// Index of the last expected board that was seen.
    reached: usize,
}

/// Walks through both sequences. A program may leave the starting board out, and may show boards before the new cell.
fn agreement(boards: &[Cells], expected: &Run) -> Agreement {
    let mut next = 0;
    for (at, board) in boards.iter().enumerate() {
        if expected.boards.get(next) == Some(board) {
            next += 1;
        } else if at == 0 && expected.boards.get(1) == Some(board) {
            next = 2;
        } else if next > 0 && (expected.moved.get(next - 1) == Some(board) || expected.boards[next - 1] == *board) {
            // The board before the new cell, or the last one again.
        } else {
            return Agreement { differs_at: Some(at), reached: next.saturating_sub(1) };
        }
    }
    Agreement { differs_at: None, reached: next.saturating_sub(1) }
}

/// Expected and actual board side by side, and what was typed so far.
fn difference(script: &Script, expected: &Run, agreed: &Agreement, actual: &Cells) -> String {
    let next = (agreed.reached + usize::from(agreed.differs_at != Some(0))).min(expected.boards.len() - 1);
    let read = expected.read[next];
    let typed: String = script.letters[..read].iter().map(|&letter| letter as char).collect();
    let mut text = format!("round {next} differs. Seed {}, typed so far: {typed}\n", script.seed);
    let _ = writeln!(text, "{:<28}its board", "expected board");
    for (want, have) in expected.boards[next].chunks(4).zip(actual.chunks(4)) {
        let row = |row: &[i32]| row.iter().map(|tile| format!("{tile:6}")).collect::<String>();
        let _ = writeln!(text, "{:<28}{}", row(want), row(have));
    }
    text
}
