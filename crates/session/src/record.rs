//! Every file of a game that the project knows, read and written.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use estr2048::courses::psa3::Record;
use estr2048::courses::{pa4, psa3};
use estr2048::{Board, Course, Direction};
use estr2048_toolbox::files;
use serde::Deserialize;

use crate::session::{Saved, Session};
use crate::start::Start;
use crate::tape::Tape;

/// What a file holds.
#[derive(Debug)]
pub enum Opened {
    /// A game that can be gone on with.
    Session(Box<Session>),
    /// Games that were played by others, and can be looked at.
    Games(Vec<Watched>),
}

/// A game of a class.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Who played it, and how it ended.
    pub title: String,
    /// The game.
    pub tape: Tape,
}

/// Reads a file of any known form: a record or a board of PSA3, a saved game of PA4, the moves of `./game` and of
/// `estr2048 perfect`, the journal of a class, or a session.
///
/// # Errors
/// If the file cannot be read or is of no known form.
pub fn open(path: &Path) -> Result<Opened> {
    read(&files::read(path)?).with_context(|| path.display().to_string())
}

/// The same from the bytes of a file.
///
/// # Errors
/// If they are of no known form.
pub fn read(file: &[u8]) -> Result<Opened> {
    let text = String::from_utf8_lossy(file);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return match text.lines().next().is_some_and(|line| line.contains("\"event\"")) {
            true => Ok(Opened::Games(journal(text)?)),
            false => session(serde_json::from_str::<Saved>(text).context("this is no saved session")?.resume()),
        };
    }
    let mut words = text.split_whitespace();
    let first = words.next().context("the file is empty")?;
    ensure!(first.bytes().all(|byte| byte.is_ascii_digit()), "{UNKNOWN}");
    let rest: Vec<&str> = words.collect();
    let numbers = rest.iter().filter(|word| word.parse::<i64>().is_ok()).count();
    if numbers == rest.len() && numbers >= 2 {
        return session(board_file(file, rest.len()));
    }
    let of_psa3 = rest.iter().all(|word| word.starts_with("seed=") || word.bytes().all(|key| b"wasd".contains(&key)));
    if of_psa3 && !rest.is_empty() {
        let Record { size, seed, moves } = Record::read(text.as_bytes())?;
        let start = Start { rows: size, cols: size, ..Start::new(Course::Psa3, seed) };
        return session(Session::after(start, moves));
    }
    session(moves_of_game(first, &rest))
}

const UNKNOWN: &str = "this is no game: a record of PSA3 is \"4 wsa\", the moves of ./game are \"1234 UDLR\"";

fn session(session: Result<Session>) -> Result<Opened> {
    session.map(|session| Opened::Session(Box::new(session)))
}

/// PSA3's board file has its size once, PA4's has rows and columns; so their lengths tell them apart.
fn board_file(file: &[u8], more_numbers: usize) -> Result<Session> {
    let text = String::from_utf8_lossy(file).into_owned();
    let size: usize = text.split_whitespace().next().and_then(|size| size.parse().ok()).unwrap_or(0);
    let (course, seed) = match size.checked_mul(size) {
        Some(cells) if cells + 1 == more_numbers => (Course::Psa3, psa3::SEED),
        _ => (Course::Pa4, pa4::RANDOM_SEED),
    };
    Session::begin(Start { board: Some(text), ..Start::new(course, seed) })
}

/// The seed, then letters; what `./game` answers with a complaint is left out here.
fn moves_of_game(seed: &str, words: &[&str]) -> Result<Session> {
    let seed: u32 = seed.parse().context("the seed must be a whole number from 0 to 4294967295")?;
    let letters: Vec<u8> = words.iter().flat_map(|word| word.bytes()).collect();
    let moves: Vec<_> = letters.iter().filter_map(|&letter| Direction::from_letter(letter)).collect();
    if moves.len() * 2 < letters.len() {
        bail!("{UNKNOWN}");
    }
    Session::after(Start::new(Course::Estr1002, seed.into()), moves)
}

/// A line of a class's journal, as far as it matters here.
#[derive(Deserialize)]
struct Line {
    event: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    game: usize,
    record: Option<GameLine>,
}

#[derive(Deserialize)]
struct GameLine {
    #[serde(default)]
    detail: String,
    sum: i64,
    move_string: String,
    spawns: String,
}

fn journal(text: &str) -> Result<Vec<Watched>> {
    let mut games: Vec<((String, usize), Watched)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("line {} of the journal", number + 1);
        let line: Line = serde_json::from_str(line).with_context(place)?;
        if line.event == "redo" {
            games.retain(|((id, _), _)| *id != line.id);
        }
        if let Some(record) = line.record.filter(|_| line.event == "game") {
            let title = format!("{}, game {}: {} points", line.id, line.game.saturating_add(1), record.sum);
            let game = watched(title, &record).with_context(place)?;
            games.push(((line.id, line.game), game));
        }
    }
    ensure!(!games.is_empty(), "there is no game in this journal");
    // Several are played at a time, so a student's do not stand together.
    games.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

/// The cells are in the journal, so the game is shown as it was played, whatever generator drew them.
fn watched(title: String, record: &GameLine) -> Result<Watched> {
    let mut cells = record.spawns.chars().map(|digit| digit.to_digit(16).map(|cell| cell as usize));
    let mut next = move || cells.next().flatten();
    let mut first = Board::empty(4, 4)?;
    if let Some(cell) = next().and_then(|cell| first.cells_mut().get_mut(cell)) {
        *cell = 2;
    }
    let score = first.sum();
    let mut tape = Tape::new(Course::Estr1002, first, score);
    for letter in record.move_string.bytes() {
        let direction = Direction::from_letter(letter).context("its moves must be the letters U, D, L and R")?;
        ensure!(tape.make_move(direction, next().map(|cell| (cell, 2))), "move {} is none", tape.len() + 1);
    }
    let title = if record.detail.is_empty() { title } else { format!("{title}: {}", record.detail) };
    Ok(Watched { title, tape })
}

/// The game as a record that the course's own programs read: PSA3's record, or the moves of `./game`. `None` for the
/// other courses, and for a game that began from a saved board.
#[must_use]
pub fn moves_file(session: &Session) -> Option<String> {
    /// As many letters to a line as `estr2048 perfect` writes.
    const LETTERS: usize = 100;
    let Start { course, rows, seed, more_tiles: 0, board: None, .. } = *session.start() else { return None };
    let moves = || session.tape().steps().iter().take(session.at()).map(|step| step.direction);
    match course {
        Course::Psa3 => Some(format!("{}\n", Record { size: rows, seed, moves: moves().collect() })),
        Course::Estr1002 => {
            let letters: Vec<char> = moves().map(Direction::letter).collect();
            let lines = letters.chunks(LETTERS).map(|line| line.iter().collect::<String>() + "\n");
            Some(format!("{seed}\n{}", lines.collect::<String>()))
        }
        _ => None,
    }
}

/// The whole session with its undone moves, in JSON: the form that fits every course.
#[must_use]
pub fn session_file(session: &Session) -> String {
    let text = serde_json::to_string(&session.saved()).unwrap_or_default();
    text + "\n"
}

/// The name that a file of this game has if nobody chooses one.
#[must_use]
pub fn usual_name(session: &Session) -> &'static str {
    match session.course() {
        Course::Estr1002 => "moves.txt",
        Course::Psa3 => psa3::DEFAULT_FILE,
        Course::Pa4 => pa4::DEFAULT_OUTFILE,
        Course::Comp1020 => "comp1020.json",
        Course::Cs61b => "cs61b.json",
    }
}

/// The text of the game for a file of this name: `.json` the session, `.log` and `.txt` the moves, any other PSA3's or
/// PA4's saved game, or for the other courses the moves or the session.
#[must_use]
pub fn text_for(session: &Session, name: &Path) -> String {
    let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let has_board_file = matches!(session.course(), Course::Psa3 | Course::Pa4);
    let moves = match extension {
        "json" => None,
        "log" | "txt" => moves_file(session),
        _ if has_board_file => return session.save(),
        _ => moves_file(session),
    };
    moves.unwrap_or_else(|| session_file(session))
}
