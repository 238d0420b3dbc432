//! `estr2048 grade`: a whole class of submissions checked, played, ranked and explained.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use estr2048_grading::class::{self, Classroom};
use estr2048_grading::journal::{Journal, Line, Settings};
use estr2048_grading::marks::Scheme;
use estr2048_grading::output::{self, Format};
use estr2048_grading::places::places;
use estr2048_grading::report::Report;
use estr2048_grading::{collect, seeds, words};
use estr2048_referee::compile::Compiler;
use estr2048_referee::sandbox;

use crate::conditions::Conditions;
use crate::named::{Named, one_of};

/// Check and rank submissions: zips, folders, or folders of either.
///
/// Everything goes into the folder --out: ranking.md and summary.csv for the staff, feedback/<id>.md for each student,
/// and journal.jsonl with every game. Interrupt it whenever you like, and continue with --resume.
#[derive(Debug, clap::Args)]
pub struct Grade {
    /// Zips, folders, or folders of either
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder for everything that is found out
    #[arg(long, value_name = "DIR", default_value = "graded")]
    out: PathBuf,
    /// Games of each player
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    games: u16,
    /// Seeds of the games: numbers and ranges, `7,9,100..104`
    #[arg(long, value_name = "SEEDS", conflicts_with_all = ["secret", "wide_seeds"])]
    seeds: Option<String>,
    /// File from which seeds are made that a student cannot guess [default: fresh ones, kept in the journal]
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
    /// Seed the generator with 128 bits, which a player cannot recover from the cells drawn, instead of 32
    #[arg(long)]
    wide_seeds: bool,
    /// Submissions at a time [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Continue a run that was interrupted: no game is lost or repeated
    #[arg(long)]
    resume: bool,
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
    #[command(flatten)]
    conditions: Conditions,
}

const FORMATS: [Named<Format>; 5] = [
    (&["csv"], Format::Csv, "summary.csv and times.csv"),
    (&["markdown"], Format::Markdown, "ranking.md and feedback/<id>.md"),
    (&["gradescope"], Format::Gradescope, "gradescope/<id>/results.json"),
    (&["check50"], Format::Check50, "check50/<id>.json"),
    (&["junit"], Format::Junit, "junit.xml"),
];

/// Grades a class.
pub fn run(arguments: &Grade) -> Result<ExitCode> {
    let mut scheme = match &arguments.marks {
        Some(path) => Scheme::read(path)?,
        None => Scheme::default(),
    };
    if let Some(text) = &arguments.policy {
        scheme.policy.change(text)?;
    }
    let (level, explanation) = arguments.conditions.level()?;
    eprintln!("{explanation}");
    let out = &arguments.out;
    std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let (journal, lines) = Journal::open(&out.join("journal.jsonl"), arguments.resume)?;
    let settings = settings(arguments, &lines)?;
    if lines.is_empty() {
        let program = env!("CARGO_PKG_VERSION").into();
        journal.write(&Line::Settings { settings: settings.clone(), level: level.to_string(), program })?;
    }
    let work = sandbox::workshop()?;
    let note = out.join(".work");
    class::take_over(&note, work.path())?;
    let submissions = collect::collect(&arguments.paths, work.path())?;
    ensure!(
        !submissions.is_empty(),
        "no submission was found: there must be files aiplayer_<id>.c and .h, or basic_<id>.zip, in the folders or zips named"
    );
    let after_game = |report: &Report| output::student(out, report, &scheme, &arguments.format);
    let classroom = Classroom {
        compiler: Compiler::find(level, &arguments.conditions.cflags)?,
        rules: arguments.conditions.rules(level),
        seeds: settings.seeds,
        policy: scheme.policy.clone(),
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)).max(1),
        work: work.path().into(),
        repros: Some(out.join("repro")),
        script_folder: arguments.basic_games.clone(),
        journal: Some(&journal),
        known: class::known(lines),
        after_game: &after_game,
    };
    let reports = classroom.grade(&submissions)?;
    for report in &reports {
        output::student(out, report, &scheme, &arguments.format)?;
    }
    output::class(out, &reports, &scheme, &arguments.format)?;
    let _ = std::fs::remove_file(note);
    show(arguments, &reports, &scheme);
    Ok(ExitCode::SUCCESS)
}

/// The settings of an interrupted run, or new ones.
fn settings(arguments: &Grade, lines: &[Line]) -> Result<Settings> {
    let games = usize::from(arguments.games);
    let old = lines.iter().find_map(|line| match line {
        Line::Settings { settings, .. } => Some(settings),
        _ => None,
    });
    let seeds = match (&arguments.seeds, &arguments.secret, old) {
        (Some(text), _, _) => seeds::parse(text)?.into_iter().take(games).collect(),
        (None, Some(path), _) => {
            let secret = std::fs::read(path).with_context(|| path.display().to_string())?;
            ensure!(secret.len() >= 8, "{}: a secret of less than 8 bytes can be guessed", path.display());
            seeds::from_secret(&secret, games, arguments.wide_seeds)
        }
        (None, None, Some(old)) => old.seeds.clone(),
        (None, None, None) => seeds::fresh(games, arguments.wide_seeds)?,
    };
    let conditions = &arguments.conditions;
    let settings = Settings {
        seeds,
        move_limit_ms: conditions.move_limit.as_millis() as u64,
        memory: conditions.memory,
        flags: conditions.cflags.clone(),
    };
    if let Some(old) = old {
        ensure!(
            *old == settings,
            "this run was started with other seeds, limits or flags; use the same ones to continue it, or another --out"
        );
    }
    Ok(settings)
}

/// The result on the terminal.
fn show(arguments: &Grade, reports: &[Report], scheme: &Scheme) {
    use comfy_table::{ContentArrangement, Table, presets};
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["rank", "player", "best", "mean", "result", "mark", "bonus"]);
    for place in places(reports, scheme) {
        let scores = place.report.scores();
        table.add_row([
            place.rank.map_or("-".into(), |rank| rank.to_string()),
            place.report.id.clone(),
            scores.best.to_string(),
            format!("{:.1}", scores.mean),
            place.report.verdict.to_string(),
            place.mark.to_string(),
            place.bonus.to_string(),
        ]);
    }
    println!("{table}");
    let fates: Vec<String> =
        words::fates(reports).iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    println!("{} submissions: {}", reports.len(), fates.join(", "));
    println!(
        "Everything is in {}: start with ranking.md, send each student feedback/<id>.md.",
        arguments.out.display()
    );
}
