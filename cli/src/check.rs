//! `estr2048 check`: a student's own dry run, with the same checks and the same words as in grading.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use estr2048_grading::class::Classroom;
use estr2048_grading::marks::Scheme;
use estr2048_grading::report::{Part, Report, Status};
use estr2048_grading::{basic, collect, seeds, words};
use estr2048_referee::compile::Compiler;
use estr2048_referee::sandbox;
use estr2048_referee::sandbox::isolation::Level;
use estr2048_referee::verdict::Verdict;
use estr2048_toolbox::{outln, report};

use crate::conditions::Conditions;

/// Check one submission as the referee would: your aiplayer_<id>.c (its .h beside it), a basic_<id>.zip, a folder or zip.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Files of the submission
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    games: u16,
    /// Seeds of the games: numbers and ranges
    #[arg(long, value_name = "SEEDS", default_value = "1..1000")]
    seeds: String,
    /// Folder for repro_<id>.c, if a game fails
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Print the whole report as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    conditions: Conditions,
}

/// Checks a submission. Exit status 0 if nothing failed, 1 otherwise.
pub fn run(arguments: &Check) -> Result<ExitCode> {
    let (level, explanation) = arguments.conditions.level(Level::L1)?;
    let work = sandbox::workshop()?;
    sandbox::leave_when_asked(work.path(), "stopped; nothing was decided")?;
    let found = collect::collect(&arguments.files, work.path(), collect::Known::default())?;
    let submissions = &found.submissions;
    ensure!(
        !submissions.is_empty(),
        "no submission is there: the files must be called aiplayer_<id>.c and aiplayer_<id>.h, or basic_<id>.zip"
    );
    let scheme = Scheme::default();
    let seeds = seeds::parse(&arguments.seeds)?.into_iter().take(arguments.games.into()).collect();
    let classroom = Classroom {
        compiler: Compiler::find(level, arguments.conditions.cflags())?
            .with_memory(arguments.conditions.memory() << 20),
        rules: arguments.conditions.rules(level),
        seeds,
        policy: scheme.policy.clone(),
        jobs: 1,
        part: Part::Both,
        quiet: arguments.quiet || arguments.json,
        work: work.path().into(),
        repros: Some(arguments.out.clone()),
        script_folder: None,
        journal: None,
        known: BTreeMap::new(),
        after_game: &|_| Ok(()),
    };
    let reports = classroom.grade(submissions)?;
    let mut good = true;
    for found in &reports {
        let basic = found.basic.as_ref();
        let only_basic = basic.is_some() && found.games.is_empty() && found.verdict == Verdict::MissingFile;
        good &= (only_basic || found.verdict == Verdict::Finished)
            && basic.is_none_or(|basic| basic.verdict == basic::BasicVerdict::Passed);
        if arguments.json {
            report::print("check", &serde_json::json!({ "report": found, "games": found.games }))?;
        } else {
            show(found, &scheme, only_basic)?;
        }
    }
    if !arguments.json {
        outln!("\n{explanation}")?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(report: &Report, scheme: &Scheme, only_basic: bool) -> Result<()> {
    let say = |text: &str| words::plain(text).replace('\n', "\n    ");
    if !only_basic {
        outln!("aiplayer_{}", report.id)?;
        for check in &report.checks {
            let sign = match check.status {
                Status::Pass => "ok     ",
                Status::Warn => "note   ",
                Status::Fail => "FAILED ",
                Status::Skipped => "skipped",
            };
            outln!("  {sign} {}: {}", check.name, say(&check.text))?;
        }
        for (flag, text) in &report.flags {
            outln!("  note    {}: {}", words::slug(flag).replace('-', " "), say(text))?;
        }
        for (number, game) in report.games.iter().enumerate() {
            let times = words::Times::of(game);
            outln!(
                "  game {} (seed {}): {}, {} points, {} moves, largest tile {}, time a move {} (p99 {}, longest {})",
                number + 1,
                game.seed,
                game.verdict,
                game.score,
                game.moves,
                game.tile,
                words::time(times.mean),
                words::time(times.p99.into()),
                words::time(times.max.into()),
            )?;
        }
        if let Some(game) = report.first_failure() {
            outln!("\n  {}", say(&game.detail))?;
            outln!("  The board of that move:\n    {}", words::board(&game.board).replace('\n', "\n    "))?;
        }
        if let Some(found) = &report.sanitizer {
            outln!("  Where it goes wrong: {}", say(found))?;
        }
        if let Some(repro) = &report.repro {
            outln!("  {repro} repeats that game: its first lines say how to compile it.")?;
        }
        if report.verdict == Verdict::CompileError && !report.compiler.is_empty() {
            outln!("\n    {}", say(report.compiler.trim_end()))?;
        }
        let best = report.scores().best;
        outln!(
            "\n  {}. Best score {best}: {} of {} marks.",
            words::capital(&report.verdict.to_string()),
            scheme.mark(best),
            scheme.full()
        )?;
        if !report.detail.is_empty() && report.first_failure().is_none() {
            outln!("  {}", say(&report.detail))?;
        }
    }
    if let Some(basic) = &report.basic {
        outln!("\nbasic_{}: {}", report.id, say(&basic.detail))?;
        for game in &basic.games {
            let sign = if game.passed() { "ok     " } else { "FAILED " };
            outln!("  {sign} {}: {}", game.name, say(&game.text))?;
        }
        for message in &basic.missing_messages {
            outln!("  note    {message}")?;
        }
        if !basic.compiler.is_empty() && basic.games.is_empty() {
            outln!("\n    {}", say(basic.compiler.trim_end()))?;
        }
    }
    Ok(())
}
