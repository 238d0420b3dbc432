//! `estr2048 grade`: a whole class of submissions checked, played, ranked and explained.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use estr2048_grading::class::{self, Classroom};
use estr2048_grading::collect::{self, Class, Due, Known, roster::Roster};
use estr2048_grading::estimate;
use estr2048_grading::journal::{self, Journal, Line, Settings};
use estr2048_grading::marks::Scheme;
use estr2048_grading::output::{self, Format};
use estr2048_grading::places::{Place, places};
use estr2048_grading::report::{Part, Report};
use estr2048_grading::{basic, seeds, words};
use estr2048_referee::compile::Compiler;
use estr2048_referee::sandbox;
use estr2048_referee::sandbox::doctor::{self, Finding, Grade as Health};
use estr2048_referee::sandbox::isolation::Level;
use estr2048_toolbox::output::{NobodyReads, tell};
use estr2048_toolbox::{files, outln, report};
use serde_json::{Value, json};

use crate::conditions::{Conditions, Limit};
use crate::named::{Named, one_of};

/// Check and rank submissions: zips, folders, folders of either, and exports of Blackboard, Canvas, Gradescope and Moodle.
///
/// Everything goes into the folder --out: index.html, ranking.md and gradebook.csv for the staff, feedback/<id>.md and
/// students/<id>.html for each student, and journal.jsonl with every game. Interrupt it whenever you like, and continue
/// with --resume.
#[derive(Debug, clap::Args)]
pub struct Grade {
    /// Zips, folders, folders of either, or a learning system's export
    #[arg(required_unless_present = "doctor")]
    paths: Vec<PathBuf>,
    /// Only tell what this machine offers to lock submissions up and to time them fairly, and what to do about the rest
    #[arg(long)]
    doctor: bool,
    /// Folder for everything that is found out
    #[arg(long, value_name = "DIR", default_value = "graded")]
    out: PathBuf,
    /// Games of each player [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    games: Option<u16>,
    /// Which part is graded [default: both; the basic part alone if nobody has handed in a player]
    #[arg(long, value_name = "PART", value_parser = one_of(PARTS))]
    part: Option<Part>,
    /// The class as a CSV file: everybody on it appears in the result exactly once
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// When hand-ins begin to be marked late: 2026-11-20T23:59, or with a zone 2026-11-20T23:59+08:00
    #[arg(long, value_name = "TIME")]
    due: Option<Due>,
    /// Seeds of the games: numbers and ranges, `7,9,100..104`
    #[arg(long, value_name = "SEEDS", conflicts_with_all = ["secret", "wide_seeds", "narrow_seeds", "run"])]
    seeds: Option<String>,
    /// File from which seeds are made that a student cannot guess [default: fresh ones, kept in the journal]
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
    /// Name of this run: each has seeds of its own, the same secret and name the same again [default: a fresh one]
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Seed the generator with 128 bits, which nobody can find by trying (this is the default)
    #[arg(long, conflicts_with = "narrow_seeds")]
    wide_seeds: bool,
    /// Seed the generator with the assignment's 32 bits, which can be found from the cells drawn
    #[arg(long)]
    narrow_seeds: bool,
    /// Submissions at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Continue a run that was interrupted: no game is lost or repeated
    #[arg(long)]
    resume: bool,
    /// Grade this student anew in an earlier run; may be repeated
    #[arg(long, value_name = "ID")]
    redo: Vec<String>,
    /// Which files are written
    #[arg(long, value_delimiter = ',', default_values = FORMATS.map(|(names, ..)| names[0]), value_parser = one_of(FORMATS))]
    format: Vec<Format>,
    /// Marking scheme as a TOML file (see docs/grading.md)
    #[arg(long, value_name = "FILE")]
    marks: Option<PathBuf>,
    /// What a game that stopped early counts: `timeout=zero,illegal-move=zero` [default: the score so far]
    #[arg(long, value_name = "RULES")]
    policy: Option<String>,
    /// Folder with more games for the basic part: files *.txt, each a standard input
    #[arg(long, value_name = "DIR")]
    basic_games: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    conditions: Conditions,
}

const FORMATS: [Named<Format>; 7] = [
    (&["html"], Format::Html, "index.html and students/<id>.html"),
    (&["csv"], Format::Csv, "summary.csv, times.csv, hand-ins.csv and similar.csv"),
    (&["gradebook"], Format::Gradebook, "gradebook.csv, with the columns of Blackboard and Canvas"),
    (&["markdown"], Format::Markdown, "ranking.md and feedback/<id>.md"),
    (&["gradescope"], Format::Gradescope, "gradescope/<id>/results.json"),
    (&["check50"], Format::Check50, "check50/<id>.json"),
    (&["junit"], Format::Junit, "junit.xml"),
];

const PARTS: [Named<Part>; 3] = [
    (&["both"], Part::Both, "the computer player and the basic part"),
    (&["ai"], Part::Ai, "the computer player alone"),
    (&["basic"], Part::Basic, "the basic part alone"),
];

/// Grades a class.
pub fn run(arguments: &Grade) -> Result<ExitCode> {
    if arguments.doctor {
        return examine_machine(arguments.json);
    }
    let mut scheme = match &arguments.marks {
        Some(path) => Scheme::read(path)?,
        None => Scheme::default(),
    };
    if let Some(text) = &arguments.policy {
        scheme.policy.change(text)?;
    }
    let roster = arguments.roster.as_deref().map(Roster::read).transpose()?;
    let (level, explanation) = arguments.conditions.level(Level::L2)?;
    tell(explanation);
    // Nothing is written before it is clear that there is something to grade.
    let work = sandbox::workshop()?;
    sandbox::leave_when_asked(work.path(), "stopped; the same command with --resume goes on from here")?;
    let out = &arguments.out;
    let known = Known { roster: roster.as_ref(), due: arguments.due.as_ref(), skip: Some(out) };
    let class = collect::collect(&arguments.paths, work.path(), known)?;
    ensure!(
        !class.submissions.is_empty(),
        "no submission was found: there must be files aiplayer_<id>.c and .h, or basic_<id>.zip, in the folders or zips named"
    );
    std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let _lock = journal::lock(out)?;
    let again = arguments.resume || !arguments.redo.is_empty();
    let (journal, mut lines) = Journal::open(&out.join("journal.jsonl"), again)?;
    let (settings, conditions) = settings(arguments, &lines, &class, &level.to_string())?;
    if lines.is_empty() {
        let program = env!("CARGO_PKG_VERSION").into();
        journal.write(&Line::Settings { settings: settings.clone(), level: level.to_string(), program })?;
    }
    for id in &arguments.redo {
        let known = class.submissions.iter().any(|submission| submission.id == *id);
        ensure!(known, "--redo {id}: there is no such student among the {} found", class.submissions.len());
        let line = Line::Redo { id: id.clone() };
        journal.write(&line)?;
        lines.push(line);
    }
    let note = out.join(".work");
    class::take_over(&note, work.path())?;
    let after_game = |report: &Report| output::student(out, report, &scheme, &arguments.format);
    let processors = || std::thread::available_parallelism().map_or(1, Into::into);
    let rules = conditions.rules(level);
    let classroom = Classroom {
        compiler: Compiler::find(level, conditions.cflags())?.with_memory(conditions.memory() << 20),
        rules: rules.clone(),
        seeds: settings.seeds.clone(),
        policy: scheme.policy.clone(),
        jobs: arguments.jobs.map_or_else(processors, usize::from),
        part: settings.part,
        quiet: arguments.quiet,
        work: work.path().into(),
        repros: Some(out.join("repro")),
        script_folder: arguments.basic_games.clone(),
        journal: Some(&journal),
        known: class::known(lines),
        after_game: &after_game,
    };
    announce(&class, settings.part);
    if let Some(text) = estimate::estimate(&classroom, &class.submissions)? {
        tell(text);
    }
    let reports = classroom.grade(&class.submissions)?;
    for report in &reports {
        output::student(out, report, &scheme, &arguments.format)?;
    }
    let whole =
        output::Whole { reports: &reports, scheme: &scheme, odd: &class.odd, roster: roster.as_ref(), rules: &rules };
    output::class(out, &whole, &arguments.format)?;
    let _ = std::fs::remove_file(note);
    let start = if arguments.format.contains(&Format::Html) { "index.html" } else { "ranking.md" };
    if arguments.json {
        report::print("grade", &json!({ "out": out, "places": told(&reports, &scheme) }))?;
        return Ok(ExitCode::SUCCESS);
    }
    outln!(
        "{}\nEverything is in {}: start with {start}, send each student feedback/<id>.md or students/<id>.html.",
        result(&reports, &scheme),
        out.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// What was found, before anything is played.
fn announce(class: &Class, part: Part) {
    let late = class.submissions.iter().filter(|submission| submission.late).count();
    let conflicts = class.submissions.iter().filter(|submission| submission.conflict.is_some()).count();
    let mut text = format!("{} submissions", class.submissions.len());
    for (count, what) in
        [(late, "late"), (conflicts, "in conflict"), (class.odd.len(), "odd files, listed in hand-ins.csv")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    if part == Part::Basic {
        text.push_str("; only the basic part is graded");
    }
    tell(text);
    const SHOWN: usize = 20;
    for odd in class.odd.iter().take(SHOWN) {
        tell(format_args!("  {}: {}", words::plain(&odd.place), words::plain(&odd.what)));
    }
    if class.odd.len() > SHOWN {
        tell(format_args!("  and {} more", class.odd.len() - SHOWN));
    }
}

/// Tells what this machine offers. The status says whether it is fit for a class.
fn examine_machine(as_json: bool) -> Result<ExitCode> {
    let findings = doctor::examine();
    let fit = doctor::is_fit(&findings);
    // A reader that has seen enough changes nothing about the machine.
    match tell_findings(&findings, fit, as_json) {
        Err(error) if !error.is::<NobodyReads>() => Err(error),
        _ => Ok(if fit { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
    }
}

fn tell_findings(findings: &[Finding], fit: bool, as_json: bool) -> Result<()> {
    let sign = |grade: Health| match grade {
        Health::Good => "ok",
        Health::Note => "note",
        Health::Missing => "MISSING",
    };
    if as_json {
        let told = findings.iter().map(|finding| {
            let grade = sign(finding.grade).to_lowercase();
            json!({ "grade": grade, "what": finding.what, "state": finding.state, "remedy": finding.remedy })
        });
        report::print("grade --doctor", &json!({ "fit": fit, "findings": told.collect::<Vec<_>>() }))?;
    } else {
        for finding in findings {
            outln!("{:<7} {:<11} {}", sign(finding.grade), finding.what, finding.state)?;
            if let Some(remedy) = &finding.remedy {
                outln!("        {:<11} -> {remedy}", "")?;
            }
        }
        outln!("This machine is {}fit to grade a class.", if fit { "" } else { "not " })?;
    }
    Ok(())
}

/// The settings of an interrupted run, or new ones, and the conditions that follow from them. What is not said is taken
/// from the run; what is said must be the same.
fn settings(arguments: &Grade, lines: &[Line], class: &Class, level: &str) -> Result<(Settings, Conditions)> {
    let old = lines.iter().find_map(|line| match line {
        Line::Settings { settings, .. } => Some(settings),
        _ => None,
    });
    let mut conditions = arguments.conditions.clone();
    if let Some(old) = old {
        conditions.move_limit.get_or_insert(Duration::from_millis(old.move_limit_ms));
        let limit = (old.game_limit_ms > 0).then(|| Duration::from_millis(old.game_limit_ms));
        conditions.game_limit.get_or_insert(Limit(limit));
        conditions.memory.get_or_insert(old.memory);
        conditions.cflags.get_or_insert(old.flags.clone());
    }
    let games = arguments.games.map(usize::from).or(old.map(|old| old.seeds.len())).unwrap_or(5);
    let run = match (&arguments.run, old) {
        (Some(run), _) => run.clone(),
        (None, Some(old)) => old.run.clone(),
        (None, None) => seeds::fresh_name()?,
    };
    let wide = !arguments.narrow_seeds
        && old.is_none_or(|old| arguments.wide_seeds || old.seeds.iter().any(|seed| seed.is_wide()));
    let seeds = match (&arguments.seeds, &arguments.secret, old) {
        (Some(text), _, _) => {
            let seeds = seeds::parse(text)?;
            let wanted = arguments.games.map_or(seeds.len().min(games), usize::from);
            ensure!(
                arguments.games.is_none() || seeds.len() >= wanted,
                "--games {wanted} needs as many seeds, but --seeds names {}",
                seeds.len()
            );
            seeds.into_iter().take(wanted).collect()
        }
        (None, Some(path), _) => {
            files::check_readable(path)?;
            let secret = std::fs::read(path).with_context(|| path.display().to_string())?;
            ensure!(secret.len() >= 8, "{}: a secret of less than 8 bytes can be guessed", path.display());
            seeds::from_secret(&secret, &run, games, wide)
        }
        (None, None, Some(old)) if old.seeds.len() == games => old.seeds.clone(),
        (None, None, Some(old)) => bail!("this run was started with --games {}, not {games}", old.seeds.len()),
        (None, None, None) => seeds::from_secret(&seeds::fresh_secret()?, &run, games, wide),
    };
    let nobody_plays = || {
        let players =
            class.submissions.iter().any(|submission| submission.has_player() || submission.conflict.is_some());
        let basics = class.submissions.iter().any(|submission| submission.basic.is_some());
        if basics && !players { Part::Basic } else { Part::Both }
    };
    let settings = Settings {
        seeds,
        run,
        move_limit_ms: conditions.move_limit().as_millis() as u64,
        game_limit_ms: conditions.game_limit().map_or(0, |limit| limit.as_millis() as u64),
        memory: conditions.memory(),
        flags: conditions.cflags().into(),
        isolation: level.into(),
        basic_games: basic_games(arguments.basic_games.as_deref(), old)?,
        part: arguments.part.or(old.map(|old| old.part)).unwrap_or_else(nobody_plays),
    };
    if let Some(old) = old {
        let differences = old.differences(&settings);
        ensure!(
            differences.is_empty(),
            "this run was started with other options: {}. Use the same ones to continue it, or another --out",
            differences.join(", ")
        );
    }
    Ok((settings, conditions))
}

/// A hash of the staff's own games.
fn basic_games(folder: Option<&Path>, old: Option<&Settings>) -> Result<String> {
    match (folder, old) {
        (Some(folder), _) => basic::scripts_digest(folder),
        (None, Some(old)) if !old.basic_games.is_empty() => {
            bail!("this run was started with --basic-games; name the folder again to continue it")
        }
        (None, _) => Ok(String::new()),
    }
}

/// The result for programs, best first.
fn told(reports: &[Report], scheme: &Scheme) -> Vec<Value> {
    let place = |place: Place<'_>| {
        let (report, scores) = (place.report, place.report.scores());
        let verdict = report.basic.as_ref().map(|basic| words::slug(basic.verdict));
        json!({ "rank": place.rank, "id": report.id, "best": scores.best, "mean": scores.mean,
            "result": report.result(), "mark": place.mark, "bonus": place.bonus,
            "basic": { "verdict": verdict, "mark": place.basic }, "late": report.late })
    };
    places(reports, scheme).into_iter().map(place).collect()
}

/// The result on the terminal.
fn result(reports: &[Report], scheme: &Scheme) -> String {
    use comfy_table::{ContentArrangement, Table, presets};
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let basic = reports.iter().any(|report| report.basic.is_some());
    let late = reports.iter().any(|report| report.late);
    let mut head = vec!["rank", "player", "best", "mean", "result", "mark", "bonus"];
    head.extend(basic.then_some("basic"));
    head.extend(late.then_some("late"));
    table.set_header(head);
    for place in places(reports, scheme) {
        let scores = place.report.scores();
        let mut row = vec![
            place.rank.map_or("-".into(), |rank| rank.to_string()),
            place.report.id.clone(),
            scores.best.to_string(),
            format!("{:.1}", scores.mean),
            place.report.result(),
            place.mark.to_string(),
            place.bonus.to_string(),
        ];
        if basic {
            let verdict = place.report.basic.as_ref().map(|basic| words::slug(basic.verdict).replace('-', " "));
            row.push(place.basic.map(|mark| mark.to_string()).or(verdict).unwrap_or("-".into()));
        }
        if late {
            row.push(if place.report.late { "late".into() } else { String::new() });
        }
        table.add_row(row);
    }
    let fates: Vec<String> =
        words::fates(reports).iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let staff: BTreeSet<String> = reports
        .iter()
        .flat_map(|report| report.for_staff.iter().map(|note| format!("\n{}: {}", report.id, words::plain(note))))
        .collect();
    format!("{table}\n{} submissions: {}{}", reports.len(), fates.join(", "), staff.into_iter().collect::<String>())
}
