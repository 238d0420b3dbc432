//! A running game of any course: board, rules, generator, score and history.

use std::fmt;

use crate::board::Board;
use crate::courses::{MAX_SIDE, ReadError, comp1020, cs61b, estr1002, pa4, psa3};
use crate::direction::Direction;
use crate::history::History;
use crate::java_random::JavaRandom;
use crate::tinymt32::{Parameters, TinyMt32};

/// Whose rules a game is played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Course {
    /// ESTR1002, CUHK: 4 × 4 only.
    Estr1002 = 0,
    /// PSA3, UCSD CSE 8B 2018: square, from 2 × 2.
    Psa3 = 1,
    /// PA4, UCSD CSE 8B 2020: any rectangle.
    Pa4 = 2,
    /// COMP 1020, Manitoba: any square.
    Comp1020 = 3,
    /// CS 61B, Berkeley: any square.
    Cs61b = 4,
}

impl Course {
    /// All five, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Estr1002, Self::Psa3, Self::Pa4, Self::Comp1020, Self::Cs61b];

    /// The course with this number, if there is one.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index).copied())
    }

    /// Whether the course plays on a board of these sides. No side is larger than [`MAX_SIDE`].
    #[must_use]
    pub fn allows(self, rows: usize, cols: usize) -> bool {
        let least = if self == Self::Psa3 { psa3::MIN_SIZE } else { 1 };
        (least..=MAX_SIDE).contains(&rows)
            && (least..=MAX_SIDE).contains(&cols)
            && match self {
                Self::Estr1002 => (rows, cols) == (4, 4),
                Self::Pa4 => true,
                Self::Psa3 | Self::Comp1020 | Self::Cs61b => rows == cols,
            }
    }

    /// The generator that the course's new tiles come from.
    fn random(self, seed: i64) -> Random {
        let draw: Draw = match self {
            // The assignment's seed is a 32-bit number.
            Self::Estr1002 => return Random::TinyMt(TinyMt32::new(seed as u32, Parameters::ZERO)),
            Self::Psa3 => psa3::add_random_tile,
            Self::Pa4 => pa4::add_tile,
            Self::Comp1020 => comp1020::new_tile,
            Self::Cs61b => cs61b::add_tile,
        };
        Random::Java(JavaRandom::new(seed), draw)
    }

    fn start_tiles(self) -> usize {
        match self {
            Self::Estr1002 => 1,
            Self::Psa3 => psa3::START_TILES,
            Self::Pa4 => pa4::INITIAL_TILE_COUNT,
            Self::Comp1020 => comp1020::START_TILES,
            Self::Cs61b => cs61b::START_TILES,
        }
    }
}

/// Why a game could not be made or could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The course does not play on a board of these sides; see [`Course::allows`].
    Size,
    /// There is no memory for the board or for one more step of the history.
    Memory,
    /// The generator never draws any of the empty cells.
    Unreachable,
    /// The file is not a saved game.
    File(ReadError),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("this course does not play on a board of that size"),
            Self::Memory => f.write_str("there is not enough memory"),
            Self::Unreachable => estr1002::NewCellError::Unreachable.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameError {}

/// How a course with `java.util.Random` adds a tile.
type Draw = fn(&mut Board, &mut JavaRandom) -> Option<i32>;

#[derive(Clone, Debug)]
enum Random {
    TinyMt(TinyMt32),
    Java(JavaRandom, Draw),
}

/// All that a move changes.
#[derive(Debug)]
struct State {
    board: Board,
    /// The sum of all combined tiles; the score of every course but ESTR1002.
    gained: i64,
    random: Random,
}

/// What the history keeps beside a board.
#[derive(Debug)]
struct Before {
    gained: i64,
    random: Random,
}

/// A running game.
///
/// ```
/// use estr2048::{Course, Direction, Game};
///
/// let mut game = Game::new(Course::Pa4, 4, 4, 118)?;
/// let start = game.board().clone();
/// assert!(game.make_move(Direction::Right)?);
/// assert_eq!(game.score(), 4);
/// assert!(game.undo());
/// assert_eq!(game.board(), &start);
/// assert!(!game.undo());
/// # Ok::<(), estr2048::game::GameError>(())
/// ```
#[derive(Debug)]
pub struct Game {
    course: Course,
    state: State,
    history: History<Before>,
}

impl Game {
    /// A new game with the start tiles of the course.
    ///
    /// `seed` goes to TinyMT32 with all parameters 0 (ESTR1002, its low 32 bits) or to `java.util.Random` (the others).
    ///
    /// # Errors
    /// [`GameError::Size`], [`GameError::Memory`], [`GameError::Unreachable`].
    pub fn new(course: Course, rows: usize, cols: usize, seed: i64) -> Result<Self, GameError> {
        if !course.allows(rows, cols) {
            return Err(GameError::Size);
        }
        let cells = empty_cells(rows * cols)?;
        let board = Board::over(rows, cols, cells).map_err(|_| GameError::Size)?;
        let state = State { board, gained: 0, random: course.random(seed) };
        let mut game = Self { course, state, history: History::new() };
        game.start_again()?;
        Ok(game)
    }

    /// Starts again on an empty board, with the start tiles of the course, score 0 and no history. The generator goes
    /// on where it is.
    ///
    /// # Errors
    /// [`GameError::Unreachable`].
    pub fn start_again(&mut self) -> Result<(), GameError> {
        self.history.clear();
        self.state.gained = 0;
        self.state.board.cells_mut().fill(0);
        for _ in 0..self.course.start_tiles() {
            self.draw_tile()?;
        }
        Ok(())
    }

    /// The game of a file that [`save`](Self::save) wrote, with a fresh generator and without history.
    ///
    /// # Errors
    /// [`GameError::File`], [`GameError::Size`].
    pub fn load(course: Course, file: &[u8], seed: i64) -> Result<Self, GameError> {
        let random = JavaRandom::new(seed);
        let (board, gained) = match course {
            Course::Psa3 => psa3::GameBoard::load(random, file).map(|game| (game.grid().clone(), game.score())),
            _ => pa4::GameState::load(file).map(|game| (game.get_board(), game.get_score())),
        }
        .map_err(GameError::File)?;
        if !course.allows(board.rows(), board.cols()) {
            return Err(GameError::Size);
        }
        let state = State { board, gained, random: course.random(seed) };
        Ok(Self { course, state, history: History::new() })
    }

    /// The text of the game's file: PSA3's board file, or PA4's save file for all other courses, which have none of
    /// their own. The generator and the history are not in it.
    #[must_use]
    pub fn save(&self) -> String {
        match self.course {
            Course::Psa3 => psa3::save_board(self.board(), self.score()),
            _ => pa4::save(self.board(), self.score()),
        }
    }

    /// Whose rules the game is played by.
    #[must_use]
    pub fn course(&self) -> Course {
        self.course
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// Replaces all cells, in reading order. The score stays, and the change can be undone.
    ///
    /// # Errors
    /// [`GameError::Size`] if there are not as many cells as the board has; [`GameError::Memory`].
    pub fn set_cells(&mut self, cells: &[i32]) -> Result<(), GameError> {
        if cells.len() != self.board().cells().len() {
            return Err(GameError::Size);
        }
        self.remember()?;
        self.state.board.cells_mut().copy_from_slice(cells);
        Ok(())
    }

    /// The score: the sum of all tiles on the board for ESTR1002, the sum of all combined tiles for the others.
    /// COMP 1020 itself keeps no score.
    #[must_use]
    pub fn score(&self) -> i64 {
        match self.course {
            Course::Estr1002 => self.board().sum(),
            _ => self.state.gained,
        }
    }

    /// Whether a move in this direction would change the board.
    #[must_use]
    pub fn can_move(&self, direction: Direction) -> bool {
        self.board().can_move(direction)
    }

    /// Whether the game is over by the course's own rule.
    #[must_use]
    pub fn is_over(&self) -> bool {
        match self.course {
            Course::Estr1002 | Course::Psa3 | Course::Pa4 => self.board().is_over(),
            Course::Comp1020 => comp1020::game_over(self.board()),
            Course::Cs61b => cs61b::game_over(self.board()),
        }
    }

    /// Whether a winning tile is on the board. Only CS 61B has one, 2048; in the other courses nobody wins.
    #[must_use]
    pub fn has_won(&self) -> bool {
        self.course == Course::Cs61b && cs61b::max_tile_exists(self.board())
    }

    /// Moves all tiles and, if that changed the board, adds a tile. True if it changed.
    ///
    /// A game that is over takes no move. A CS 61B game that this move ends gets no new tile.
    ///
    /// # Errors
    /// [`GameError::Memory`] or [`GameError::Unreachable`]; the game is as before then.
    pub fn make_move(&mut self, direction: Direction) -> Result<bool, GameError> {
        if self.is_over() || !self.can_move(direction) {
            return Ok(false);
        }
        self.remember()?;
        let shift = self.state.board.shift(direction);
        self.state.gained = self.state.gained.saturating_add(shift.gain);
        let ended = self.course == Course::Cs61b && self.is_over();
        if !ended && let Err(error) = self.draw_tile() {
            self.undo();
            return Err(error);
        }
        Ok(true)
    }

    /// Adds a tile as the course draws it, and gives its value; `None`, without a draw, if no cell is empty. The new
    /// tile can be undone.
    ///
    /// # Errors
    /// [`GameError::Memory`] or [`GameError::Unreachable`]; the board is as before then.
    pub fn add_tile(&mut self) -> Result<Option<i32>, GameError> {
        if self.board().count_empty() == 0 {
            return Ok(None);
        }
        self.remember()?;
        let drawn = self.draw_tile();
        if drawn.is_err() {
            self.undo();
        }
        drawn
    }

    fn draw_tile(&mut self) -> Result<Option<i32>, GameError> {
        let State { board, random, .. } = &mut self.state;
        if board.count_empty() == 0 {
            return Ok(None);
        }
        let drawn = match random {
            Random::TinyMt(random) => new_cell(board, random),
            Random::Java(random, draw) => draw(board, random),
        };
        drawn.map(Some).ok_or(GameError::Unreachable)
    }

    /// Takes back the last change: a move with its new tile, an added tile or set cells. The generator goes back too,
    /// so that the same moves give the same game again. False, and nothing changed, at the start of the game.
    pub fn undo(&mut self) -> bool {
        let State { board, gained, random } = &mut self.state;
        let Some(before) = self.history.pop(board.cells_mut()) else {
            return false;
        };
        (*gained, *random) = (before.gained, before.random);
        true
    }

    /// How many changes can be undone.
    #[must_use]
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// Keeps the present state for [`undo`](Self::undo).
    fn remember(&mut self) -> Result<(), GameError> {
        let State { board, gained, random } = &self.state;
        let before = Before { gained: *gained, random: random.clone() };
        self.history.push(board.cells(), before).map_err(|_| GameError::Memory)
    }
}

/// The board as the course prints it.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, score) = (self.board(), self.score());
        match self.course {
            Course::Estr1002 => estr1002::Look(board).fmt(f),
            Course::Psa3 | Course::Pa4 => pa4::Look(board, score).fmt(f),
            Course::Comp1020 => comp1020::Look(board).fmt(f),
            Course::Cs61b => cs61b::Look(board, score).fmt(f),
        }
    }
}

fn empty_cells(count: usize) -> Result<Vec<i32>, GameError> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(count).map_err(|_| GameError::Memory)?;
    cells.resize(count, 0);
    Ok(cells)
}

/// ESTR1002's new cell on a board that is 4 × 4.
fn new_cell(board: &mut Board, random: &mut TinyMt32) -> Option<i32> {
    let (rows, _) = board.cells_mut().as_chunks_mut::<4>();
    let game_board = rows.try_into().ok()?;
    let cell = estr1002::new_cell(game_board, random).ok()?;
    board.cells().get(cell).copied()
}
