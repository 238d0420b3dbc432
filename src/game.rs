//! A running game of any course: board, rules, generator, score and history.

use std::fmt;

use crate::board::Board;
use crate::courses::{Position, Random, ReadError, Rules};
use crate::direction::Direction;
use crate::history::History;

/// Why a game could not be made or could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The course does not play on a board of these sides; see [`Rules::allows`].
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
            Self::Unreachable => f.write_str("the random numbers of this seed never reach an empty cell"),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameError {}

/// What the history keeps beside a board.
#[derive(Debug)]
struct Before {
    combined: i64,
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
    position: Position,
    history: History<Before>,
}

impl Game {
    /// A new game with the start tiles of the course, by the [rules](Rules) or the name of its
    /// [`Course`](crate::courses::Course).
    ///
    /// `seed` goes to the generator of the course: TinyMT32 with all parameters 0 takes its low 32 bits (ESTR1002), and
    /// `java.util.Random` takes all of it (the others).
    ///
    /// # Errors
    /// [`GameError::Size`], [`GameError::Memory`], [`GameError::Unreachable`].
    pub fn new(course: impl Into<&'static Rules>, rows: usize, cols: usize, seed: i64) -> Result<Self, GameError> {
        let rules = course.into();
        if !rules.allows(rows, cols) {
            return Err(GameError::Size);
        }
        let cells = empty_cells(rows * cols)?;
        let board = Board::over(rows, cols, cells).map_err(|_| GameError::Size)?;
        let mut game = Self { position: Position::new(rules, board, rules.random(seed)), history: History::new() };
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
        if self.position.start() { Ok(()) } else { Err(GameError::Unreachable) }
    }

    /// The game of a file that [`save`](Self::save) wrote, with a fresh generator and without history.
    ///
    /// # Errors
    /// [`GameError::File`], [`GameError::Size`].
    pub fn load(course: impl Into<&'static Rules>, file: &[u8], seed: i64) -> Result<Self, GameError> {
        let rules = course.into();
        let (board, score) = (rules.load)(file).map_err(GameError::File)?;
        if !rules.allows(board.rows(), board.cols()) {
            return Err(GameError::Size);
        }
        let mut position = Position::new(rules, board, rules.random(seed));
        position.combined = score;
        Ok(Self { position, history: History::new() })
    }

    /// The text of the game's file: PSA3's board file, or PA4's save file for all other courses, which have none of
    /// their own. The generator and the history are not in it.
    #[must_use]
    pub fn save(&self) -> String {
        self.position.save()
    }

    /// The text of a file of our own, which holds the generator's state, too, so that the game goes on as if it had never
    /// been interrupted; `None` if the rules are those of no course. The history is not in it.
    #[must_use]
    pub fn suspend(&self) -> Option<String> {
        self.position.suspend()
    }

    /// The game of a file that [`suspend`](Self::suspend) made, without history.
    ///
    /// # Errors
    /// [`GameError::File`].
    pub fn resume(file: &[u8]) -> Result<Self, GameError> {
        let position = Position::resume(file).map_err(GameError::File)?;
        Ok(Self { position, history: History::new() })
    }

    /// The rules that the game is played by.
    #[must_use]
    pub fn rules(&self) -> &'static Rules {
        self.position.rules
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.position.board()
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
        self.position.board.cells_mut().copy_from_slice(cells);
        Ok(())
    }

    /// The score: the sum of all tiles on the board for ESTR1002, the sum of all combined tiles for the others.
    /// COMP 1020 itself keeps no score.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.position.score()
    }

    /// Sets the score, which may be negative. True, and it can be undone; false, and nothing changed, in a course whose
    /// score is that of its board.
    ///
    /// # Errors
    /// [`GameError::Memory`].
    pub fn set_score(&mut self, score: i64) -> Result<bool, GameError> {
        let is_kept = |score| (self.rules().score)(self.board(), score) == score;
        // The board's own score may be the one that is to be set.
        if !is_kept(score) || !is_kept(!score) {
            return Ok(false);
        }
        self.remember()?;
        self.position.combined = score;
        Ok(true)
    }

    /// Draws the value of a new tile as the course does, and puts it nowhere; `None`, without a draw, in a course that does
    /// not draw it apart from its cell.
    pub fn random_tile(&mut self) -> Option<i32> {
        self.position.random_tile()
    }

    /// Whether a move in this direction would change the board.
    #[must_use]
    pub fn can_move(&self, direction: Direction) -> bool {
        self.board().can_move(direction)
    }

    /// Whether the game is over by the course's own rule.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// Whether a winning tile is on the board. Only CS 61B has one, 2048; in the other courses nobody wins.
    #[must_use]
    pub fn has_won(&self) -> bool {
        (self.rules().has_won)(self.board())
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
        self.position.slide(direction);
        let goes_on = self.rules().tile_after_end || !self.is_over();
        if goes_on && self.board().count_empty() > 0 && self.position.add_tile().is_none() {
            self.undo();
            return Err(GameError::Unreachable);
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
        let drawn = self.position.add_tile();
        if drawn.is_none() {
            self.undo();
        }
        drawn.map(Some).ok_or(GameError::Unreachable)
    }

    /// Takes back the last change: a move with its new tile, an added tile or set cells. The generator goes back too,
    /// so that the same moves give the same game again. False, and nothing changed, at the start of the game.
    pub fn undo(&mut self) -> bool {
        let Position { board, combined, random, .. } = &mut self.position;
        let Some(before) = self.history.pop(board.cells_mut()) else {
            return false;
        };
        (*combined, *random) = (before.combined, before.random);
        true
    }

    /// Forgets what could be undone, for those who play on without end.
    pub fn forget_history(&mut self) {
        self.history.clear();
    }

    /// How many changes can be undone.
    #[must_use]
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// Keeps the present state for [`undo`](Self::undo).
    fn remember(&mut self) -> Result<(), GameError> {
        let Position { board, combined, random, .. } = &self.position;
        let before = Before { combined: *combined, random: random.clone() };
        self.history.push(board.cells(), before).map_err(|_| GameError::Memory)
    }
}

/// The board as the course prints it.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.fmt(f)
    }
}

fn empty_cells(count: usize) -> Result<Vec<i32>, GameError> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(count).map_err(|_| GameError::Memory)?;
    cells.resize(count, 0);
    Ok(cells)
}
