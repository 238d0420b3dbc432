//! `estr2048 play`: the five courses' games on the whole screen of a terminal.

mod app;
mod board;
mod colours;
mod computer;
mod digits;
mod keys;
mod replay;
mod terminal;
mod view;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use estr2048::{Course, Game};
pub use estr2048_session::Start;
use estr2048_session::record::{self, Opened};
use estr2048_session::store::Store;
use estr2048_session::{Session, course};

use app::{App, Flow, News, Over};
use board::Look;
use colours::{Colours, Depth, Ground, Palette};
use replay::Replay;
use terminal::Screen;

/// Play on the whole screen: any course, with undo, hints, the computer, and replays.
///
/// Goes on with the course's game of the last time. Keys: arrows, wasd, hjkl and the course's own; ? shows all.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  estr2048 play\n  estr2048 play cs61b --size 5\n  estr2048 play --replay game.log\n\n\
                        The game of each course is kept in $XDG_STATE_HOME/estr2048 (~/.local/state/estr2048)."
)]
pub struct Play {
    /// Whose rules: estr1002, psa3, pa4, comp1020 or cs61b [default: the last one played, else estr1002]
    #[arg(value_parser = parse_course)]
    course: Option<Course>,
    /// Begin a new game
    #[arg(long)]
    new: bool,
    /// The seed of a new game
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<i64>,
    /// The sides of a new board: 5, or 3x6 where the course allows it
    #[arg(long, value_name = "SIDES", value_parser = parse_size)]
    size: Option<(usize, usize)>,
    /// Go on with the game of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["new", "seed", "size"])]
    open: Option<PathBuf>,
    /// Look at a game: a record of PSA3, the moves of ./game or perfect, a class's journal.jsonl, a saved session
    #[arg(long, value_name = "FILE", conflicts_with_all = ["new", "seed", "size", "open"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

/// How the screen looks.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// How many colours the terminal has [default: by NO_COLOR, COLORTERM and TERM]
    #[arg(long, value_enum, value_name = "DEPTH")]
    colours: Option<Depth>,
    /// Which colours; p changes them
    #[arg(long, value_enum, default_value = "classic")]
    palette: Palette,
    /// Whether the terminal is dark or light [default: by COLORFGBG, else dark]
    #[arg(long, value_enum)]
    ground: Option<Ground>,
    /// No movement of tiles
    #[arg(long)]
    no_animation: bool,
    /// No characters beyond ASCII [default: by the locale]
    #[arg(long)]
    ascii: bool,
}

impl Options {
    fn look(&self) -> Look {
        let found = Colours::of_environment();
        let depth = self.colours.unwrap_or(found.depth);
        let colours = Colours { depth, palette: self.palette, ground: self.ground.unwrap_or(found.ground) };
        Look { colours, ascii: self.ascii || !is_utf8() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { colours: None, palette: Palette::Classic, ground: None, no_animation: false, ascii: false }
    }
}

/// Whether the locale's characters are UTF-8.
fn is_utf8() -> bool {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    locale.to_lowercase().replace('-', "").contains("utf8")
}

/// What the screen begins with.
#[derive(Debug)]
pub enum Begin {
    /// The course's game of the last time, or a new one.
    Resume(Course),
    /// The course's game of the last time if it has a board of these sides, or a new one with any seed.
    Sized(Course, usize),
    /// This game, or the one of the last time if it began the same way.
    Game(Start),
    /// The game of this file. A file that does not exist is begun.
    File(PathBuf, Start),
    /// This file, to be looked at.
    Replay(PathBuf),
}

/// What a course's own program says about files.
#[derive(Debug, Default)]
pub struct Files {
    /// The file that the game is saved to.
    pub file: Option<PathBuf>,
    /// It is written at the end, too.
    pub save_at_end: bool,
}

fn parse_course(text: &str) -> Result<Course, String> {
    let known = || Course::ALL.map(course::name).join(", ");
    course::from_name(text).ok_or_else(|| format!("there is no course of this name; there are {}", known()))
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let (rows, cols) = text.split_once(['x', 'X']).unwrap_or((text, text));
    match (rows.parse(), cols.parse()) {
        (Ok(rows), Ok(cols)) => Ok((rows, cols)),
        _ => Err("sides are 5 or 3x6".into()),
    }
}

/// Runs `estr2048 play`.
///
/// # Errors
/// If there is no terminal, or a file cannot be read.
pub fn run(arguments: &Play) -> Result<ExitCode> {
    let begin = arguments.begin()?;
    show(begin, Files::default(), &arguments.options)
}

impl Play {
    fn begin(&self) -> Result<Begin> {
        if let Some(file) = &self.replay {
            return Ok(Begin::Replay(file.clone()));
        }
        let last = || Store::of_user().ok().and_then(|store| store.last_course()).unwrap_or(Course::Estr1002);
        let course = self.course.unwrap_or_else(last);
        if let Some(file) = &self.open {
            return Ok(Begin::File(file.clone(), Start::usual(course)));
        }
        if !self.new && self.seed.is_none() && self.size.is_none() {
            return Ok(Begin::Resume(course));
        }
        let usual = Start::usual(course);
        let (rows, cols) = self.size.unwrap_or((usual.rows, usual.cols));
        if !course.allows(rows, cols) {
            wrong_use(&format!("{} does not play on a board of {rows} x {cols}", course::title(course)));
        }
        let seed = self.seed.unwrap_or_else(|| usual.reseeded().seed);
        if course == Course::Estr1002 && u32::try_from(seed).is_err() {
            wrong_use(&format!("--seed must be from 0 to 4294967295 for ESTR1002, not {seed}"));
        }
        Ok(Begin::Game(Start { rows, cols, seed, ..usual }))
    }
}

/// Ends the program as a wrong use of its options: the message on standard error, exit status 2.
fn wrong_use(message: &str) -> ! {
    let text = format!("{message}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, text).exit()
}

/// Whether a course's own program is to be played on the whole screen. On a pipe it never is: there every course prints
/// what it always printed.
#[must_use]
pub fn wanted(screen: bool) -> bool {
    screen && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the screen until it is left.
///
/// # Errors
/// If there is no terminal, or a file cannot be read.
pub fn show(begin: Begin, files: Files, options: &Options) -> Result<ExitCode> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        bail!(
            "the full-screen game needs a terminal; on a pipe play 'estr2048 estr1002' or another course's own program"
        );
    }
    if env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("this terminal (TERM=dumb) cannot be drawn on; 'estr2048 estr1002' plays line by line");
    }
    let (news, heard) = mpsc::channel();
    let mut notes = Vec::new();
    let store = Store::of_user().inspect_err(|error| notes.push(format!("{error:#}"))).ok();
    let opened = open(begin, store.as_ref(), &mut notes)?;
    let mut app = App::new(opened.session, store, options.look(), !options.no_animation, news.clone());
    (app.file, app.save_at_end) = (files.file.or(opened.file), files.save_at_end);
    if let Some(before) = opened.before
        && let Err(error) = app.remember(&before)
    {
        notes.push(format!("{error:#}"));
    }
    app.message = notes.join("; ");
    match opened.replay {
        Some(Shown::Game(replay)) => {
            app.only_replay = true;
            app.watch(*replay);
        }
        Some(Shown::Class(games)) => {
            app.only_replay = true;
            app.over = Over::Games(games, 0);
        }
        None => {}
    }
    let mut screen = Screen::take()?;
    terminal::listen(&news)?;
    let played = play(&mut app, &mut screen, &heard);
    let ended = app.end();
    drop(screen);
    let status = played?;
    ended?;
    Ok(status.into())
}

/// What there is at the start.
struct AtStart {
    session: Session,
    /// A game of the last time that this one takes the place of.
    before: Option<Session>,
    file: Option<PathBuf>,
    replay: Option<Shown>,
}

enum Shown {
    Game(Box<Replay>),
    Class(Vec<record::Watched>),
}

fn open(begin: Begin, store: Option<&Store>, notes: &mut Vec<String>) -> Result<AtStart> {
    let mut kept = |course| match store.map(|store| store.load(course)) {
        Some(Ok(session)) => session,
        Some(Err(error)) => {
            let aside = store.and_then(|store| store.set_aside(course).ok());
            let aside = aside.map(|path| format!("; it is now {}", path.display())).unwrap_or_default();
            notes.push(format!("the kept game is damaged ({error:#}){aside}"));
            None
        }
        None => None,
    };
    let mut at_start = |session: Session| {
        let before = kept(session.course()).filter(|before| before.at() > 0);
        AtStart { session, before, file: None, replay: None }
    };
    Ok(match begin {
        Begin::Resume(course) => {
            let session = match kept(course) {
                Some(session) => session,
                None => Session::begin(Start::usual(course))?,
            };
            AtStart { session, before: None, file: None, replay: None }
        }
        Begin::Sized(course, side) => {
            let start = Start { rows: side, cols: side, ..Start::usual(course) }.reseeded();
            match kept(course) {
                Some(session) if (session.board().rows(), session.board().cols()) == (side, side) => {
                    AtStart { session, before: None, file: None, replay: None }
                }
                before => AtStart { session: Session::begin(start)?, before, file: None, replay: None },
            }
        }
        Begin::Game(start) => match kept(start.course) {
            Some(session) if *session.start() == start => AtStart { session, before: None, file: None, replay: None },
            before => AtStart { session: Session::begin(start)?, before, file: None, replay: None },
        },
        Begin::File(path, start) if !path.exists() => AtStart { file: Some(path), ..at_start(Session::begin(start)?) },
        Begin::File(path, start) => match of_course(&path, &start)? {
            Opened::Session(session) => AtStart { file: Some(path), ..at_start(*session) },
            Opened::Games(games) => {
                let session = Session::begin(start)?;
                AtStart { session, before: None, file: None, replay: Some(Shown::Class(games)) }
            }
        },
        Begin::Replay(path) => match record::open(&path)? {
            Opened::Session(session) => {
                let replay = Replay::of_session(&session, path.display().to_string(), 0);
                let replay = Some(Shown::Game(Box::new(replay)));
                AtStart { session: *session, before: None, file: None, replay }
            }
            Opened::Games(games) => {
                let session = Session::begin(Start::usual(Course::Estr1002))?;
                AtStart { session, before: None, file: None, replay: Some(Shown::Class(games)) }
            }
        },
    })
}

/// The game of a file. A board file that only this course knows how to read is read by it.
fn of_course(path: &std::path::Path, start: &Start) -> Result<Opened> {
    let opened = record::open(path)?;
    if let Opened::Session(session) = &opened
        && let (Some(board), true) = (&session.start().board, session.course() != start.course)
        && let Ok(game) = Game::load(start.course, board.as_bytes(), start.seed)
    {
        let board = Some(game.save());
        return Ok(Opened::Session(Box::new(Session::begin(Start { board, ..start.clone() })?)));
    }
    Ok(opened)
}

fn play(app: &mut App, screen: &mut Screen, heard: &Receiver<News>) -> Result<u8> {
    /// A clock on the screen moves once a second; nothing faster than this needs to be seen.
    const IDLE: Duration = Duration::from_millis(500);
    const FRAME: Duration = Duration::from_millis(15);
    let mut drawn: Option<Instant> = None;
    loop {
        let now = Instant::now();
        let due = app.advance(now);
        if drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
            // If the terminal is gone nobody would see the reason.
            if screen.terminal.draw(|frame| view::draw(app, frame.buffer_mut())).is_err() {
                return Ok(1);
            }
            drawn = Some(Instant::now());
        }
        let wait = due.map_or(IDLE, |due| due.saturating_duration_since(Instant::now()).min(IDLE));
        let mut news = match heard.recv_timeout(wait) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(1),
        };
        let mut answered = 0;
        while let Some(one) = news {
            // What a person does is seen at once.
            if matches!(one, News::Outside(_)) {
                drawn = None;
            }
            match app.hear(one) {
                Flow::GoOn => {}
                Flow::Redraw => screen.redraw()?,
                Flow::Suspend => screen.suspend()?,
                Flow::Quit(status) => return Ok(status),
            }
            answered += 1;
            news = if answered < 1000 { heard.try_recv().ok() } else { None };
        }
        if due.is_none() {
            drawn = None;
        }
    }
}
