//! `estr2048 psa3`: the program of PSA3 (UCSD CSE 8B, Winter 2018), with its extra credit: records and replays.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use estr2048::courses::psa3::{self, GameBoard, GameManager, Record};
use estr2048::courses::{direction_of_key, key_of_direction};
use estr2048::{Direction, JavaRandom};
use estr2048_toolbox::{files, interrupt};

use crate::console::{self, Earlier, Input, Pauses, leave_prompt, somebody_types};

/// What is played, and what is kept of it.
#[derive(Clone, Debug)]
pub enum Session {
    /// A new board of this side, or the one in a file; saved to `output` at the end.
    Board { input: Option<PathBuf>, output: PathBuf, size: usize, seed: i64 },
    /// A new board of this side; every command goes into the file.
    Record { file: PathBuf, size: usize, seed: i64 },
    /// The game of a record, a move at a time after this delay, then on with it and with the record.
    Replay { file: PathBuf, delay: Duration },
}

/// What a terminal is told before a replay.
const SKIP: &str = "(Any key shows the rest at once.)";

/// Plays it.
///
/// # Errors
/// If a file is damaged or cannot be read or written, or input or output fails.
pub fn run(session: &Session) -> anyhow::Result<ExitCode> {
    console::play(|input, out| play(session, input, out))
}

fn play(session: &Session, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match session {
        Session::Board { input: board, output, size, seed } => {
            files::check_writable(output).context("the board could not be saved; -o names another file")?;
            let board = start(board.as_deref(), *size, *seed, out)?;
            play_on(GameManager::go_on(board), End::Board(output.clone()), &[], input, out)
        }
        Session::Record { file, size, seed } => {
            let game = GameManager::new(*size, *seed)?;
            let header = game.record().map(Record::header).unwrap_or_default();
            writeln!(out, "{}\n{}", psa3::WELCOME, psa3::RECORDING)?;
            files::write(file, header)?;
            let end = End::Record(Log::go_on(file, ""));
            play_on(game, end, &[], input, out)
        }
        Session::Replay { file, delay } => replay(file, *delay, input, out),
    }
}

/// A new board, or the one in a file.
fn start(file: Option<&Path>, size: usize, seed: i64, out: &mut impl Write) -> anyhow::Result<GameBoard> {
    let random = JavaRandom::new(seed);
    let Some(file) = file else {
        writeln!(out, "{}\n{}", psa3::WELCOME, psa3::GENERATING)?;
        return Ok(GameBoard::new(random, size)?);
    };
    writeln!(out, "{}\n{}{}", psa3::WELCOME, psa3::LOADING, file.display())?;
    match GameBoard::load(random, &files::read(file)?) {
        Ok(board) => Ok(board),
        Err(error) => bail!("{}:{error}\nThe file is left as it is.", file.display()),
    }
}

fn replay(
    file: &Path,
    delay: Duration,
    input: &mut Input<impl io::BufRead>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    writeln!(out, "{}\n{}", psa3::WELCOME, psa3::REPLAYING)?;
    let bytes = files::read(file)?;
    let record = match Record::read(&bytes) {
        Ok(record) => record,
        Err(error) => bail!("{}:{error}\nThe file is left as it is.", file.display()),
    };
    // Without a blank the first new move would become part of the size or the seed.
    let needs_blank = record.moves.is_empty() && bytes.last().is_some_and(u8::is_ascii_alphanumeric);
    let log = Log::go_on(file, if needs_blank { " " } else { "" });
    let game = GameManager::new(record.size, record.seed)?;
    let moves: Vec<_> = record.moves.iter().map(|&direction| (direction, delay)).collect();
    play_on(game, End::Record(log), &moves, input, out)
}

/// The file of a record. Every move goes to the system at once, so that a kill loses nothing that was written. Before
/// the first move the file is not opened: a replay needs only to read it.
struct Log {
    path: PathBuf,
    /// What comes before the first new move.
    separator: &'static str,
    file: Option<File>,
}

impl Log {
    fn go_on(file: &Path, separator: &'static str) -> Self {
        Self { path: file.into(), separator, file: None }
    }

    fn add(&mut self, direction: Direction) -> anyhow::Result<()> {
        let written = self.write(direction);
        let complaint = || format!("cannot write to {}; the game has stopped before that move", self.path.display());
        written.with_context(complaint)
    }

    fn write(&mut self, direction: Direction) -> io::Result<()> {
        let key = key_of_direction(direction);
        match &mut self.file {
            Some(file) => write!(file, "{key}"),
            None => {
                let mut file = OpenOptions::new().append(true).open(&self.path)?;
                file.write_all(format!("{}{key}", self.separator).as_bytes())?;
                self.file = Some(file);
                Ok(())
            }
        }
    }
}

/// What is kept of the game: the board at its end, or the record on the way.
enum End {
    Board(PathBuf),
    Record(Log),
}

enum Command {
    Move(Direction),
    Undo,
    Quit,
    Unknown,
}

impl Command {
    fn read(word: &str, can_undo: bool) -> Self {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some('q'), None) => Self::Quit,
            (Some('z'), None) if can_undo => Self::Undo,
            (Some(letter), None) => direction_of_key(letter).map_or(Self::Unknown, Self::Move),
            _ => Self::Unknown,
        }
    }
}

/// Plays to the end, and keeps the board however that came: by `q`, the end of the game or of the input, a signal, or an
/// output that takes no more.
fn play_on(
    mut game: GameManager,
    mut end: End,
    replayed: &[(Direction, Duration)],
    input: &mut Input<impl io::BufRead>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    interrupt::catch()?;
    let played = play_moves(&mut game, &mut end, replayed, input, out);
    let stopped = interrupt::asked();
    if let End::Board(file) = &end {
        files::write(file, game.board().save_board())?;
        if stopped || played.is_err() || io::stderr().is_terminal() {
            console::tell(format_args!("the board is saved to {}", file.display()));
        }
    }
    let unread = |error: &anyhow::Error| {
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    };
    match played {
        // The signal came while the output took nothing more.
        Err(error) if stopped && unread(&error) => {}
        played => played?,
    }
    Ok(if stopped { interrupt::STATUS.into() } else { ExitCode::SUCCESS })
}

/// The play loop: first the moves of a replay, each after its delay, then what is typed.
fn play_moves(
    game: &mut GameManager,
    end: &mut End,
    replayed: &[(Direction, Duration)],
    input: &mut Input<impl io::BufRead>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut replayed = replayed.iter();
    let mut pauses = (replayed.len() > 0).then(Pauses::new);
    if pauses.as_ref().is_some_and(Pauses::can_be_skipped) {
        writeln!(out, "{SKIP}")?;
    }
    // A person can go back to these; a record holds every command.
    let mut earlier = Earlier::offered(somebody_types() && matches!(end, End::Board(_)), out)?;
    show(game, out)?;
    loop {
        if game.board().is_game_over() {
            writeln!(out, "{}", psa3::GAME_OVER)?;
            if !earlier.offer_last(game, input, out)? {
                break;
            }
            writeln!(out, "{}", game.board())?;
        }
        if replayed.len() == 0 {
            // What was typed during the replay goes with it.
            pauses = None;
        }
        write!(out, "{}", psa3::PROMPT)?;
        out.flush()?;
        if let Some((&(direction, delay), pauses)) = replayed.next().zip(pauses.as_mut()) {
            pauses.wait(delay);
            if interrupt::asked() {
                break;
            }
            // At a terminal it looks as if somebody typed it; elsewhere input is not shown either.
            if io::stdout().is_terminal() {
                writeln!(out, "{}", key_of_direction(direction))?;
            }
            game.play(direction);
            writeln!(out, "{}", game.board())?;
            continue;
        }
        let word = input.next_word()?;
        // A signal cuts a word short, which is no command then.
        let Some(word) = word.filter(|_| !interrupt::asked()) else {
            leave_prompt(out)?;
            break;
        };
        match Command::read(&word, earlier.are_kept()) {
            Command::Move(direction) => {
                if let End::Record(log) = end {
                    log.add(direction)?;
                }
                earlier.play(game, |game| game.play(direction));
                writeln!(out, "{}", game.board())?;
            }
            Command::Undo => {
                earlier.take_back(game);
                writeln!(out, "{}", game.board())?;
            }
            Command::Quit => break,
            Command::Unknown => show(game, out)?,
        }
    }
    out.flush()?;
    Ok(())
}

/// The controls and the board, as at the start and after a command that is none.
fn show(game: &GameManager, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}{}", psa3::CONTROLS, game.board())
}
