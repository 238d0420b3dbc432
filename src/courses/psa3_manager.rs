//! PSA3's class `GameManager`: a game by commands, with the extra credit, records and replays.
//!
//! It reads and writes nothing itself: it takes commands and gives the text to be printed, so that a console, a page or a
//! test can be at the other end.

use std::fmt::Write;

use super::keys::direction_of_key;
use super::psa3::{CONTROLS, GAME_OVER, GameBoard, PROMPT, Record};
use crate::board::SizeError;
use crate::direction::Direction;
use crate::java_random::JavaRandom;

/// What somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A move: `w`, `a`, `s` or `d`.
    Move(Direction),
    /// The end: `q`.
    Quit,
    /// Any other word; the answer is [`GameManager::controls`].
    Unknown,
}

impl Command {
    /// The command of a word. Upper-case letters and longer words mean nothing.
    #[must_use]
    pub fn read(word: &str) -> Self {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some('q'), None) => Self::Quit,
            (Some(letter), None) => direction_of_key(letter).map_or(Self::Unknown, Self::Move),
            _ => Self::Unknown,
        }
    }
}

/// One game from its first board on.
///
/// ```
/// use estr2048::courses::psa3::Record;
/// use estr2048::courses::psa3_manager::GameManager;
///
/// let record = Record::read(b"4 dsd").unwrap();
/// let mut game = GameManager::replay(record)?;
/// let mut printed = game.opening();
/// while let Some(direction) = game.next_replayed() {
///     printed += &game.make_move(direction);
/// }
/// assert_eq!(printed.matches("Score: ").count(), 4);
/// assert!(printed.ends_with("> "));
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameManager {
    board: GameBoard,
    replayed: std::vec::IntoIter<Direction>,
}

impl GameManager {
    /// A game that starts, or goes on, with this board.
    #[must_use]
    pub fn new(board: GameBoard) -> Self {
        Self { board, replayed: Vec::new().into_iter() }
    }

    /// The game of a record from its start: its moves are [next](Self::next_replayed).
    ///
    /// # Errors
    /// [`SizeError`] if the record's size is not from 2 to [`MAX_SIDE`](super::MAX_SIDE).
    pub fn replay(record: Record) -> Result<Self, SizeError> {
        let board = GameBoard::new(JavaRandom::new(record.seed), record.size)?;
        Ok(Self { board, replayed: record.moves.into_iter() })
    }

    /// The board as it is.
    #[must_use]
    pub fn board(&self) -> &GameBoard {
        &self.board
    }

    /// Whether no move exists.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.board.is_game_over()
    }

    /// What is printed first: the controls, the board, and what follows a board.
    #[must_use]
    pub fn opening(&self) -> String {
        format!("{CONTROLS}{}", self.show())
    }

    /// What is printed after a command that is none: the controls, and the prompt again.
    #[must_use]
    pub fn controls(&self) -> String {
        format!("{CONTROLS}{PROMPT}")
    }

    /// The next move of the record that is replayed, to be [made](Self::make_move); `None` if it has no more.
    pub fn next_replayed(&mut self) -> Option<Direction> {
        self.replayed.next()
    }

    /// Moves, adds a tile if the move changed something, and gives the text to be printed: the board and what follows it.
    pub fn make_move(&mut self, direction: Direction) -> String {
        if self.board.r#move(direction) {
            self.board.add_random_tile();
        }
        self.show()
    }

    /// The board, then the prompt, or that the game is over.
    fn show(&self) -> String {
        let mut text = format!("{}\n", self.board);
        // Writing to a string does not fail.
        let _ = if self.is_over() { writeln!(text, "{GAME_OVER}") } else { write!(text, "{PROMPT}") };
        text
    }
}
