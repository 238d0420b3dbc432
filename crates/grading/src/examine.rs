//! The checks before the games: names, declaration, symbols, compilation.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use regex::Regex;

use crate::basic::windows_only;
use crate::collect::Submission;
use crate::report::{Report, Status};
use estr2048_referee::compile::{Build, Compiler, complaint};
use estr2048_referee::game::Flag;
use estr2048_referee::verdict::Verdict;

/// A submission that can play.
#[derive(Clone, Debug)]
pub struct Playable {
    pub folder: PathBuf,
    pub library: PathBuf,
    pub function: String,
    /// Whether its moves may depend on the clock.
    pub reads_clock: bool,
}

/// Makes all checks that can be made without playing.
///
/// # Errors
/// For the referee's own trouble only.
pub fn examine(
    submission: &Submission,
    compiler: &Compiler,
    work: &Path,
    report: &mut Report,
) -> Result<Option<Playable>> {
    let id = &submission.id;
    for trouble in submission.trouble.iter().filter(|_| submission.source.is_some()) {
        report.check("hand-in", Status::Warn, trouble);
    }
    let Some(source) = &submission.source else {
        explain_missing(submission, report);
        return Ok(None);
    };
    let right = format!("aiplayer_{id}");
    let (source_name, header_name) = (format!("{right}.c"), format!("{right}.h"));
    let folder = work.join(format!("build_{id}"));
    fs::create_dir_all(&folder)?;
    let text = bring(source, &folder.join(&source_name))?;
    let function = spelling(&text, id, report);
    for companion in &submission.companions {
        bring(companion, &folder.join(companion.file_name().unwrap_or_default()))?;
    }
    match &submission.header {
        Some(header) => {
            bring(header, &folder.join(&header_name))?;
            // The source includes it by the name that it was handed in under.
            bring(header, &folder.join(header.file_name().unwrap_or_default()))?;
            report.check("files", Status::Pass, format!("{source_name} and {header_name} are there"));
        }
        None => {
            let text =
                format!("{header_name} is missing. It must hold the line: int {function}(int game_board[4][4]);");
            report.decide(Verdict::MissingFile, &text);
            report.check("files", Status::Fail, text);
        }
    }
    if text.starts_with('\u{feff}') {
        report
            .flag(Flag::ByteOrderMark, format!("{source_name} starts with a byte order mark; save it as plain UTF-8."));
    }
    read_generator(&text, &source_name, report);
    look_for_declaration(&text, id, &source_name, report);
    if submission.header.is_some() {
        check_header(compiler, &folder, &header_name, &function, report)?;
    }
    let build = compiler.shared_object(&folder, &source_name)?;
    report.compiler = build.messages.clone();
    check_names(&build, &text, &function, &source_name, report);
    check_build(&build, source, &function, &source_name, report);
    let reads_clock =
        build.wanted.iter().any(|name| matches!(name.as_str(), "time" | "gettimeofday" | "clock_gettime" | "clock"));
    let exists = build.defined.contains(&function);
    let library = build.library.filter(|_| exists);
    if library.is_none() {
        report.check("games", Status::Skipped, "there is nothing to play with");
    }
    Ok(library.map(|library| Playable { folder, library, function, reads_clock }))
}

/// Copies a student's file and gives its text.
fn bring(from: &Path, to: &Path) -> Result<String> {
    const LARGEST: u64 = 20 << 20;
    let size = fs::metadata(from)?.len();
    anyhow::ensure!(size <= LARGEST, "{} has {} MB; at most 20 are read", from.display(), size >> 20);
    let bytes = fs::read(from)?;
    fs::write(to, &bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn explain_missing(submission: &Submission, report: &mut Report) {
    let id = &submission.id;
    let needed = format!("aiplayer_{id}.c");
    let (verdict, text) = if !submission.misnamed.is_empty() {
        (
            Verdict::WrongName,
            format!(
                "found {}, but the name must be exactly {needed} (and aiplayer_{id}.h)",
                submission.misnamed.join(", ")
            ),
        )
    } else if let Some(trouble) = submission.trouble.first() {
        (Verdict::MissingFile, trouble.clone())
    } else {
        (Verdict::MissingFile, format!("{needed} is missing"))
    };
    report.check("files", Status::Fail, &text);
    report.decide(verdict, text);
    for name in ["declaration", "compiles", "games"] {
        report.check(name, Status::Skipped, "there is no file to look at");
    }
}

/// Where each name first stands in a text, as a line number. One walk through the text finds them all.
pub struct Places<'a>(HashMap<&'a str, usize>);

impl<'a> Places<'a> {
    /// Notes the names in a C text, but not those in its lines of comment.
    pub fn new(text: &'a str) -> Self {
        let mut places = HashMap::new();
        let is_code = |line: &str| !matches!(line.trim_start().get(..2), Some("//" | "/*" | "* "));
        for (number, line) in text.lines().enumerate().filter(|(_, line)| is_code(line)) {
            for word in line.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
                places.entry(word).or_insert(number + 1);
            }
        }
        Self(places)
    }

    pub fn line_of(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}

/// The name of the function: the assignment calls it `aplayer_<ID>` in one section and `aiplayer_<ID>` in the others.
fn spelling(text: &str, id: &str, report: &mut Report) -> String {
    let right = format!("aiplayer_{id}");
    let calls =
        |name: &str| Regex::new(&format!(r"\b{}\s*\(", regex::escape(name))).is_ok_and(|name| name.is_match(text));
    let other = format!("aplayer_{id}");
    if calls(&right) || !calls(&other) {
        return right;
    }
    let note =
        format!("The function is called {other}, as in section 8.2; it counts, but everywhere else it is {right}.");
    report.flag(Flag::Spelling, note);
    other
}

/// Looks for the comment block that the assignment demands: the declaration of original work, with the student's number.
fn look_for_declaration(text: &str, id: &str, name: &str, report: &mut Report) {
    let words: String = text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let declared =
        ["i declare that the assignment", "we declare that the assignment"].iter().any(|start| words.contains(start));
    if !declared {
        let note = format!(
            "{name} lacks the comment block of section 9.3: the declaration of original work, name and number."
        );
        report.flag(Flag::NoDeclaration, note);
    } else if !words.contains(&format!("student id {}", id.to_lowercase())) {
        report.flag(Flag::NoDeclaration, format!("The comment block of {name} does not say `Student ID : {id}`."));
    }
}

fn read_generator(text: &str, name: &str, report: &mut Report) {
    let pattern = r"(?i)tinymt|1812433253|0x6c078965|0x8f7011ee|0xfc78ff1f|0x3793fdff|/proc\b|\bextern\b[^;]*\bstate\b";
    let Ok(pattern) = Regex::new(pattern) else { return };
    if let Some(found) = pattern.find(text) {
        let line = text[..found.start()].lines().count().max(1);
        let found: String = found.as_str().chars().take(60).collect();
        report.flag(
            Flag::ReadsGenerator,
            format!(
                "{name}:{line} mentions the random generator or the system (`{}`); a human should look.",
                found.escape_debug()
            ),
        );
    }
}

fn check_header(compiler: &Compiler, folder: &Path, header: &str, function: &str, report: &mut Report) -> Result<()> {
    let alone = compiler.run(folder, &["-fsyntax-only", "-Wall", "-x", "c", header])?;
    if alone.success() {
        report.check("header", Status::Pass, format!("{header} compiles alone"));
    } else {
        let text = format!("{header} does not compile alone: {}", complaint(&alone));
        report.flag(Flag::HeaderIncomplete, &text);
        report.check("header", Status::Fail, &text);
    }
    let call = format!(
        "#include \"{header}\"\nint probe(int game_board[4][4]);\nint probe(int game_board[4][4]) {{ return {function}(game_board); }}\n"
    );
    let exact = format!("{call}int (*exact)(int (*)[4]) = {function};\n");
    let required = format!("int {function}(int game_board[4][4]);");
    let options = [
        "-fsyntax-only",
        "-Wall",
        "-Werror=implicit-function-declaration",
        "-Werror=incompatible-pointer-types",
        "probe.c",
    ];
    fs::write(folder.join("probe.c"), exact)?;
    if compiler.run(folder, &options)?.success() {
        report.check("declaration", Status::Pass, format!("{header} declares {required}"));
        return Ok(());
    }
    fs::write(folder.join("probe.c"), call)?;
    let lenient = [&options[..2], &["-Werror=implicit-function-declaration", "probe.c"]].concat();
    let outcome = compiler.run(folder, &lenient)?;
    let header_text = fs::read_to_string(folder.join(header)).unwrap_or_default();
    let place =
        Places::new(&header_text).line_of(function).map_or(header.to_string(), |line| format!("{header}:{line}"));
    if outcome.success() {
        let text = format!("{place} declares {function} differently; required is {required}");
        report.flag(Flag::Prototype, &text);
        report.check("declaration", Status::Warn, text);
    } else if !alone.success() {
        report.check("declaration", Status::Skipped, "the header does not compile");
    } else if outcome.stderr.contains("implicit declaration") {
        let other = Regex::new(r"\b\w*player\w*\s*\(")?;
        let found =
            other.find(&header_text).map(|found| format!(", but {}", found.as_str().trim_end_matches('(').trim()));
        let text = format!("{header} does not declare {function}{}; required is {required}", found.unwrap_or_default());
        report.check("declaration", Status::Fail, &text);
        report.decide(Verdict::WrongName, text);
    } else {
        let text = format!("{place} declares {function} so that it cannot be called; required is {required}");
        report.flag(Flag::Prototype, &text);
        report.check("declaration", Status::Fail, &text);
        report.decide(Verdict::CompileError, text);
    }
    Ok(())
}

fn check_names(build: &Build, text: &str, function: &str, source: &str, report: &mut Report) {
    if build.defined.is_empty() {
        return;
    }
    /// Names that are listed; who has more of them knows what to do after reading these.
    const LISTED: usize = 20;
    /// Letters of a name that are shown.
    const LONGEST: usize = 100;
    let places = Places::new(text);
    let place = |name: &str| {
        let shown: String = name.chars().take(LONGEST).collect();
        match places.line_of(name) {
            Some(line) => format!("{shown} ({source}:{line})"),
            None => shown,
        }
    };
    if build.defined.iter().any(|name| name == "main") {
        let text = format!("{} must not be in this file: the course's program has its own", place("main"));
        report.flag(Flag::HasMain, &text);
        report.check("no main", Status::Warn, text);
    } else {
        report.check("no main", Status::Pass, "there is no main");
    }
    let suffix = function.trim_start_matches("aiplayer").trim_start_matches("aplayer");
    let bad: Vec<&String> = build.defined.iter().filter(|name| *name != "main" && !name.ends_with(suffix)).collect();
    if bad.is_empty() {
        report.check("names", Status::Pass, format!("every external name ends with {suffix}"));
    } else {
        let mut listed: Vec<String> = bad.iter().take(LISTED).map(|name| place(name)).collect();
        if bad.len() > LISTED {
            listed.push(format!("and {} more", bad.len() - LISTED));
        }
        let text = format!(
            "these names could clash with another student's: {}. Write `static` before them, or let them end with {suffix}",
            listed.join(", ")
        );
        report.flag(Flag::NoSuffix, &text);
        report.check("names", Status::Warn, text);
    }
}

fn check_build(build: &Build, path: &Path, function: &str, source: &str, report: &mut Report) {
    if let Some(failure) = &build.failure {
        let hint = hint(&build.messages, function);
        let text = format!("{source} does not compile: {failure}{hint}");
        report.check("compiles", Status::Fail, &text);
        match windows_only(&[path.into()]) {
            Some(why) => report.decide(Verdict::NeedsHuman, format!("{why}. Here {text}")),
            None => report.decide(Verdict::CompileError, text),
        }
        return;
    }
    let warnings = build.messages.matches("warning:").count();
    match warnings {
        0 => report.check("compiles", Status::Pass, "gcc has no complaint"),
        _ => {
            report
                .flag(Flag::Warnings, format!("gcc has {warnings} warnings (they cost nothing, but are often right)"));
            report.check("compiles", Status::Warn, format!("it compiles, with {warnings} warnings"));
        }
    }
    if build.needs_math {
        report.flag(Flag::NeedsMath, "It uses functions of <math.h>: link with -lm.");
    }
    if !build.defined.iter().any(|name| name == function) {
        let others = build.defined.iter().map(String::as_str).filter(|name| name.contains("player"));
        let others: Vec<&str> = others.take(5).collect();
        let text = match others[..] {
            [] => format!("{source} has no function {function} that others can call (is it `static`, or missing?)"),
            _ => format!("{source} has the function {}, but its name must be {function}", others.join(", ")),
        };
        report.check("function", Status::Fail, &text);
        report.decide(Verdict::WrongName, text);
    }
}

/// What a beginner may not see in the compiler's words.
fn hint(messages: &str, function: &str) -> &'static str {
    let has = |text: &str| messages.contains(text);
    if has("undefined reference to `state'") || has("tinymt") {
        " - a player must not use the generator of the main program"
    } else if has("undefined reference") {
        " - a function that is called is not in the file; a player must bring everything it needs"
    } else if has("conflicting types") && has(function) {
        " - the header and the .c file declare the function differently"
    } else if has("/etc/") || has(".incbin") || has("/proc") {
        " - a player may only include its own header and those of C"
    } else if has("expected ';'") || has("expected ‘;’") {
        " - a semicolon is missing at or before this place"
    } else if has("No such file or directory") {
        " - an included file was not handed in"
    } else {
        ""
    }
}
