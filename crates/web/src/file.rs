//! `estr2048 page`: a replay as one file that needs nothing else.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use estr2048_session::Tape;
use estr2048_session::advice::{self, Adviser, Mark};
use estr2048_session::record::{self, Opened};
use estr2048_session::think::SURVEY;
use estr2048_toolbox::files;
use estr2048_toolbox::output;
use estr2048_toolbox::progress::Progress;

use crate::message::{self, Recording};

/// Write a replay as one page that can be mailed or handed in.
///
/// The page needs no program and no network: it shows the game move by move, with its score as a curve.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  estr2048 page game.log --out game.html\n  \
                        estr2048 page graded/journal.jsonl --game 3 --marks --out game.html")]
pub struct Page {
    /// A record of PSA3, the moves of ./game or perfect, a class's journal.jsonl, or a saved session
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// The page [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Which game of a journal, counted from 1
    #[arg(long = "game", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Compare each move with the computer's best, which takes about a millisecond a move
    #[arg(long)]
    marks: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// The heading of the page [default: the file's name]
    #[arg(long)]
    title: Option<String>,
}

/// Writes the page.
///
/// # Errors
/// If the game cannot be read or the page cannot be written.
pub fn run(arguments: &Page) -> Result<ExitCode> {
    let name = arguments.game.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (title, tape) = match record::open(&arguments.game)? {
        Opened::Session(session) if session.tape().is_empty() => bail!("there is no move in {name}"),
        Opened::Session(session) => (name, session.tape().clone()),
        Opened::Games(games) => {
            let count = games.len();
            let game = games.into_iter().nth(arguments.number as usize - 1);
            let game = game.with_context(|| format!("there are {count} games in {name}, not {}", arguments.number))?;
            (game.title, game.tape)
        }
    };
    let title = arguments.title.clone().unwrap_or(title);
    let marks = if arguments.marks { compare(&tape, arguments.quiet)? } else { Vec::new() };
    let page = html(&Recording::of(title, &tape, false), &marks)?;
    match &arguments.out {
        Some(path) => files::write(path, &page)?,
        None => output::print(page)?,
    }
    Ok(ExitCode::SUCCESS)
}

type Row = (usize, i32, f32, f32, &'static str);

fn compare(tape: &Tape, quiet: bool) -> Result<Vec<Row>> {
    let mut adviser = Adviser::new(advice::network()?);
    let mut marks = Vec::with_capacity(tape.len());
    let progress = Progress::new(tape.len() as u64, "moves compared", quiet);
    for (at, step) in tape.steps().iter().enumerate() {
        progress.at(at as u64, "");
        if let Some(advice) = adviser.advise(&tape.board(at), SURVEY.into()) {
            marks.push(message::mark(at, Mark::of(&advice, step.direction)));
        }
    }
    progress.finish();
    Ok(marks)
}

const FRAME: &str = include_str!("../page/replay.html");
const STYLE: &str = include_str!("../page/style.css");
const BOARD: &str = include_str!("../page/board.js");
const REPLAY: &str = include_str!("../page/replay.js");

/// The page of a game.
pub fn html(game: &Recording, marks: &[Row]) -> Result<String> {
    // In a script only a `<` could end it too early.
    let data = |json: String| json.replace('<', "\\u003c");
    let game_data = data(serde_json::to_string(game)?);
    let marks = data(serde_json::to_string(marks)?);
    let title = game.title.replace('&', "&amp;").replace('<', "&lt;");
    // The title comes last: it may hold what looks like one of the other names.
    Ok(FRAME
        .replacen("/*STYLE*/", STYLE, 1)
        .replacen("/*SCRIPT*/", &format!("{BOARD}\n{REPLAY}"), 1)
        .replacen("/*MARKS*/", &marks, 1)
        .replacen("/*GAME*/", &game_data, 1)
        .replacen("<!--TITLE-->", &title, 1))
}
