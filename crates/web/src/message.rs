//! What a page asks, and what it is told: one JSON object a message. `docs/web.md` describes them all.

use estr2048::{Board, Direction};
use estr2048_session::advice::{Advice, Mark, Survives, Unit};
use estr2048_session::chances::Chances;
use estr2048_session::foresight::Planned;
use estr2048_session::{End, Session, Tape, course};
use serde::{Deserialize, Serialize};

/// What a page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    Resume {
        course: String,
    },
    Start {
        course: String,
        rows: Option<usize>,
        cols: Option<usize>,
        seed: Option<i64>,
    },
    Move {
        direction: Direction,
    },
    Undo {},
    Redo {},
    Goto {
        at: usize,
    },
    Hint {
        on: bool,
    },
    Watch {
        player: Who,
        pause: u64,
        #[serde(default)]
        once: bool,
    },
    Stop {},
    Open {
        text: String,
    },
    Look {
        game: usize,
    },
    Class {},
    Review {},
    Continue {
        at: usize,
    },
    Analyse {
        board: Vec<i32>,
    },
    File {
        kind: Kind,
    },
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    Fair,
    Clairvoyant,
}

/// Which file of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The moves, where the course has such a file.
    Moves,
    /// The board, as PSA3 and PA4 save it.
    Board,
    /// All of it.
    Session,
    /// A page with its replay.
    Page,
}

/// What a page is told.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Answer {
    Hello { class: bool },
    Game(Game),
    Advice { best: Direction, values: [Option<f32>; 4], unit: Unit, depth: u32, nodes: u64, passing: Option<f32> },
    Survives(Survives),
    Line { moves: Vec<(Direction, usize)> },
    Chances(Chances),
    Planned(Planned),
    Watching { player: Option<Who> },
    Analysed {},
    Tape(Recording),
    Games { titles: Vec<String> },
    Marks { marks: Vec<(usize, i32, f32, f32, &'static str)> },
    File { name: String, text: String },
    Message { text: String },
    Error { text: String },
}

impl Answer {
    pub fn error(text: impl Into<String>) -> Self {
        Self::Error { text: text.into() }
    }

    pub fn advice(advice: Advice) -> Self {
        let Advice { best, values, unit, depth, nodes, passing } = advice;
        Self::Advice { best, values, unit, depth, nodes, passing }
    }

    pub fn line(line: Vec<(Direction, usize)>) -> Self {
        Self::Line { moves: line }
    }
}

/// One mark of a replay: the number of the move, the best direction's number, its value, what was lost, a sign.
pub fn mark(at: usize, mark: Mark) -> (usize, i32, f32, f32, &'static str) {
    (at, mark.best, mark.value, mark.loss, mark.sign())
}

/// A running game.
#[derive(Debug, Serialize)]
pub struct Game {
    course: &'static str,
    title: &'static str,
    rows: usize,
    cols: usize,
    seed: i64,
    board: Vec<i32>,
    score: i64,
    best: i64,
    /// Moves that are made, and all with those that were taken back.
    at: usize,
    moves: usize,
    over: bool,
    won: bool,
    seconds: f64,
    helped: bool,
    /// The move that led here, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<Moved>,
}

/// A move, for the eye.
#[derive(Debug, Serialize)]
pub struct Moved {
    direction: Direction,
    /// Cell and value of the new tile.
    placed: Option<(usize, i32)>,
}

impl Game {
    pub fn of(session: &Session, best: i64, moved: bool) -> Self {
        let board = session.board();
        let step = session.at().checked_sub(1).and_then(|last| session.tape().steps().get(last)).filter(|_| moved);
        Self {
            course: course::name(session.course()),
            title: course::title(session.course()),
            rows: board.rows(),
            cols: board.cols(),
            seed: session.start().seed,
            board: board.cells().to_vec(),
            score: session.score(),
            best: if session.helped { best } else { best.max(session.score()) },
            at: session.at(),
            moves: session.tape().len(),
            over: session.end().is_some(),
            won: session.end() == Some(End::Won),
            seconds: session.played.as_secs_f64(),
            helped: session.helped,
            moved: step.map(|step| Moved { direction: step.direction, placed: step.placed }),
        }
    }
}

/// A whole game, to be looked at.
#[derive(Debug, Serialize)]
pub struct Recording {
    pub title: String,
    pub course: &'static str,
    pub rows: usize,
    pub cols: usize,
    pub first: Vec<i32>,
    /// One of `U D L R` a move.
    pub moves: String,
    /// Cell and value of each new tile; -1 and 0 for none.
    pub placed: Vec<(i32, i32)>,
    /// The score before the first move and after each.
    pub scores: Vec<i64>,
    /// Whether it can be gone on with.
    pub playable: bool,
}

impl Recording {
    pub fn of(title: String, tape: &Tape, playable: bool) -> Self {
        let first: &Board = tape.first();
        let placed = |step: &estr2048_session::Step| step.placed.map_or((-1, 0), |(cell, tile)| (cell as i32, tile));
        Self {
            title,
            course: course::name(tape.course()),
            rows: first.rows(),
            cols: first.cols(),
            first: first.cells().to_vec(),
            moves: tape.letters(),
            placed: tape.steps().iter().map(placed).collect(),
            scores: (0..=tape.len()).map(|at| tape.score(at)).collect(),
            playable,
        }
    }
}
