//! `estr2048 grade`: a whole class of submissions checked, played, ranked and explained.

pub mod basic;
pub mod class;
pub mod collect;
mod examine;
mod journal;
pub mod marks;
pub mod output;
pub mod report;
mod repro;
pub mod seeds;
mod statistics;
pub mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use self::class::Classroom;
use self::journal::{Journal, Line, Settings};
use self::marks::Scheme;
use self::output::Format;
use self::seeds::Seed;
use crate::referee::compile::{self, Compiler};
use crate::referee::game::GameRules;
use crate::referee::isolation::Level;
use crate::referee::player::{self, Limits};

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
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Format::Csv, Format::Markdown, Format::Gradescope, Format::Check50, Format::Junit])]
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
    pub conditions: Conditions,
}

/// What a submission may use: the same for `grade` and `check`.
#[derive(Clone, Debug, clap::Args)]
pub struct Conditions {
    /// Wall time of a move: 5s, 200ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_time)]
    pub move_limit: Duration,
    /// Wall time of a whole game [default: none]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub game_limit: Option<Duration>,
    /// Memory of a player, in MB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub memory: u64,
    /// Options for the C compiler
    #[arg(long, value_name = "FLAGS", default_value = compile::DEFAULT_FLAGS, allow_hyphen_values = true)]
    pub cflags: String,
    /// Refuse to run if submissions cannot be locked up at least this far
    #[arg(long, value_name = "LEVEL")]
    pub require_isolation: Option<Level>,
    /// Lock submissions up this far, even if more is possible
    #[arg(long, value_name = "LEVEL")]
    pub isolation: Option<Level>,
}

impl Conditions {
    /// The level that holds here, and a sentence about it.
    pub fn level(&self) -> Result<(Level, String)> {
        let (strongest, reasons) = player::strongest_level()?;
        let level = self.isolation.map_or(strongest, |wanted| wanted.min(strongest));
        if let Some(required) = self.require_isolation {
            ensure!(
                level >= required,
                "isolation {required} is required, but only {level} is there ({}). Use another machine, or lower --require-isolation",
                if reasons.is_empty() { "chosen by --isolation".into() } else { reasons.join("; ") }
            );
        }
        let mut text = format!("isolation {level}: {}", level.explanation());
        for reason in reasons {
            text.push_str(&format!("\n  not {reason}"));
        }
        Ok((level, text))
    }

    /// The rules of every game at this level.
    pub fn rules(&self, level: Level) -> GameRules {
        let memory = self.memory << 20;
        let limits = Limits { level, move_time: self.move_limit, memory, output: 1 << 20 };
        GameRules { limits, game_time: self.game_limit, output: 16 << 20, most_moves: usize::MAX }
    }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = match text.find(|letter: char| letter.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is no unit; use ms, s, m or h")),
    };
    let number: f64 = number.trim().parse().map_err(|_| format!("{text:?} is no time; write 5s or 200ms"))?;
    let time = Duration::try_from_secs_f64(number * factor).map_err(|error| error.to_string())?;
    if time < Duration::from_millis(1) { Err("at least 1ms".into()) } else { Ok(time) }
}

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
    let work = crate::referee::workshop()?;
    let note = out.join(".work");
    class::take_over(&note, work.path())?;
    let submissions = collect::collect(&arguments.paths, work.path())?;
    ensure!(
        !submissions.is_empty(),
        "no submission was found: there must be files aiplayer_<id>.c and .h, or basic_<id>.zip, in the folders or zips named"
    );
    let after_game = |report: &report::Report| output::student(out, report, &scheme, &arguments.format);
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
        (None, None, None) => fresh_seeds(games, arguments.wide_seeds)?,
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

fn fresh_seeds(games: usize, wide: bool) -> Result<Vec<Seed>> {
    let mut secret = [0; 32];
    let filled = rustix::rand::getrandom(&mut secret, rustix::rand::GetRandomFlags::empty())?;
    ensure!(filled == secret.len(), "the kernel gave no random numbers");
    Ok(seeds::from_secret(&secret, games, wide))
}

/// The result on the terminal.
fn show(arguments: &Grade, reports: &[report::Report], scheme: &Scheme) {
    use comfy_table::{ContentArrangement, Table, presets};
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["rank", "player", "best", "mean", "result", "mark", "bonus"]);
    for place in output::places(reports, scheme) {
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
