//! PSA3 (UCSD CSE 8B, Winter 2018): an n × n board with a score, files of boards, and a record of the moves.
//!
//! Two start tiles. A new tile draws its place among the empty cells, then its value: 2 in 90 of 100 cases, else 4.
//! The game is over when nothing can move; every combined tile adds its value to the score; there is no winning tile.

use std::fmt::{self, Display};

use super::keys::{direction_of_key, key_of_direction};
use super::pa4::Look;
use super::position::Position;
use super::rules::{Draw, Random, Rules, add_2_or_4};
use super::text::{MAX_SIDE, ReadError, Word, Words};
use crate::board::{Board, SizeError};
use crate::direction::Direction;
use crate::java_random::JavaRandom;

/// The rules of the course.
pub static RULES: Rules = Rules {
    name: "PSA3",
    size: |rows, cols| rows == cols && rows >= MIN_SIZE,
    set_up: |_| {},
    start_tiles: START_TILES,
    draw: Draw::Java(add_random_tile),
    two_percent: Some(TWO_PROBABILITY),
    score: |_, combined| combined,
    is_over: |board| board.is_over(),
    has_won: |_| false,
    tile_after_end: true,
    look: |board, score, f| Look(board, score).fmt(f),
    load: read_board,
    save: save_board,
};

/// The seed in the course's `Game2048.java`.
pub const SEED: i64 = 420;
/// The side of a board whose size nobody asked for.
pub const DEFAULT_SIZE: usize = 4;
/// The smallest side.
pub const MIN_SIZE: usize = 2;
/// The file that a board is saved to if none is named.
pub const DEFAULT_FILE: &str = "2048.board";
/// Tiles on a new board.
pub const START_TILES: usize = 2;
/// How many new tiles in 100 are a 2 (`TWO_PROBABILITY`).
pub const TWO_PROBABILITY: i32 = 90;

/// The first line of the program.
pub const WELCOME: &str = "Welcome to 2048!";
/// What the program says before it makes a board.
pub const GENERATING: &str = "Generating a New Board";
/// What the program says, with the file's name, before it reads a board.
pub const LOADING: &str = "Loading Board from ";
/// What the program says when it writes the moves to a file.
pub const RECORDING: &str = "Recording gameplay";
/// What the program says before it repeats the moves of a file.
pub const REPLAYING: &str = "Replaying a game";
/// What the program says when nothing can move.
pub const GAME_OVER: &str = "Game Over!";
/// What stands before every command.
pub const PROMPT: &str = "> ";
/// The keys: printed at the start, and again after a command that is none (`printControls`).
pub const CONTROLS: &str = concat!(
    "  Controls:\n",
    "    w - Move Up\n",
    "    s - Move Down\n",
    "    a - Move Left\n",
    "    d - Move Right\n",
    "    q - Quit and Save Board\n",
    "\n",
);

/// Adds a tile by this course's rules, in two draws; see [`GameBoard::add_random_tile`].
pub fn add_random_tile<S>(board: &mut Board<S>, random: &mut JavaRandom) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    add_2_or_4(board, random, TWO_PROBABILITY)
}

/// The assignment's class `Board`: a grid, its score, and the generator of its tiles.
///
/// ```
/// use estr2048::courses::psa3::GameBoard;
/// use estr2048::{Direction, JavaRandom};
///
/// let mut board = GameBoard::new(JavaRandom::new(2017), 4)?;
/// assert_eq!(board.grid().cells(), [0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
/// assert!(board.r#move(Direction::Up));
/// board.add_random_tile();
/// assert_eq!(board.to_string().lines().nth(1), Some("    2    2    -    -"));
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameBoard(Position);

impl GameBoard {
    /// A new board of `size` × `size` with two tiles and score 0 (`Board(random, boardSize)`).
    ///
    /// # Errors
    /// [`SizeError`] if `size` is not from 2 to [`MAX_SIDE`].
    pub fn new(random: JavaRandom, size: usize) -> Result<Self, SizeError> {
        if !(MIN_SIZE..=MAX_SIDE).contains(&size) {
            return Err(SizeError);
        }
        let mut board = Self(Position::new(&RULES, Board::empty(size, size)?, Random::Java(random)));
        board.0.start();
        Ok(board)
    }

    /// The board of a file (`Board(random, inputBoard)`): the size, the score, then the rows, with any blanks and
    /// line ends between the numbers.
    ///
    /// # Errors
    /// [`ReadError`] if a number is missing, is none or is out of range, or if more follows.
    pub fn load(random: JavaRandom, file: &[u8]) -> Result<Self, ReadError> {
        let (grid, score) = read_board(file)?;
        let mut position = Position::new(&RULES, grid, Random::Java(random));
        position.combined = score;
        Ok(Self(position))
    }

    /// The text of the board's file (`saveBoard`): size, score, and a line for each row with a blank after every
    /// tile, the last one too.
    #[must_use]
    pub fn save_board(&self) -> String {
        self.0.save()
    }

    /// Adds a 2 or a 4 in an empty cell and gives its value; `None`, without a draw, if the board is full
    /// (`addRandomTile`).
    ///
    /// Draws `nextInt(number of empty cells)` for the place, counted in reading order, then `nextInt(100)`: below 90
    /// it is a 2.
    pub fn add_random_tile(&mut self) -> Option<i32> {
        self.0.add_tile()
    }

    /// Whether a move in this direction changes anything (`canMove`).
    #[must_use]
    pub fn can_move(&self, direction: Direction) -> bool {
        self.0.board.can_move(direction)
    }

    /// Moves all tiles and scores what combines; false, and nothing changed, if nothing can move that way (`move`).
    /// No tile is added.
    pub fn r#move(&mut self, direction: Direction) -> bool {
        self.0.slide(direction)
    }

    /// Whether no direction can be moved in (`isGameOver`). A board without tiles counts as over.
    #[must_use]
    pub fn is_game_over(&self) -> bool {
        self.0.is_over()
    }

    /// The cells (`getGrid`).
    #[must_use]
    pub fn grid(&self) -> &Board {
        self.0.board()
    }

    /// The score: the sum of all tiles made by combining (`getScore`).
    #[must_use]
    pub fn score(&self) -> i64 {
        self.0.score()
    }
}

/// The assignment's `toString`: `Score: N`, then rows of cells five characters wide, an empty one `-`.
impl fmt::Display for GameBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Board and score of a board's file; see [`GameBoard::load`].
///
/// # Errors
/// [`ReadError`] if a number is missing, is none or is out of range, or if more follows.
pub fn read_board(file: &[u8]) -> Result<(Board, i64), ReadError> {
    let mut words = Words::new(file);
    let size = words.side(MIN_SIZE, "the size of the board,")?;
    let score = words.number("the score")?;
    Ok((words.board(size, size)?, score))
}

/// The assignment's class `GameManager`: a game that keeps a record of its commands, and can repeat one.
///
/// ```
/// use estr2048::Direction;
/// use estr2048::courses::psa3::{GameManager, SEED};
///
/// let mut game = GameManager::new(4, SEED)?;
/// for direction in [Direction::Right, Direction::Down, Direction::Right] {
///     game.play(direction);
/// }
/// let record = game.record().expect("a game that was begun here has a record");
/// assert_eq!(record.to_string(), "4 dsd");
/// assert_eq!(GameManager::replay(&record)?, game);
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameManager {
    board: GameBoard,
    record: Option<Record>,
}

impl GameManager {
    /// A new game.
    ///
    /// # Errors
    /// [`SizeError`] if `size` is not from 2 to [`MAX_SIDE`].
    pub fn new(size: usize, seed: i64) -> Result<Self, SizeError> {
        let board = GameBoard::new(JavaRandom::new(seed), size)?;
        Ok(Self { board, record: Some(Record { size, seed, moves: Vec::new() }) })
    }

    /// Goes on with a board. How it came about is not known, so there is no record.
    #[must_use]
    pub fn go_on(board: GameBoard) -> Self {
        Self { board, record: None }
    }

    /// The game of a record, all its commands played.
    ///
    /// # Errors
    /// [`SizeError`] if the record's size is not from 2 to [`MAX_SIDE`].
    pub fn replay(record: &Record) -> Result<Self, SizeError> {
        let mut game = Self::new(record.size, record.seed)?;
        for &direction in &record.moves {
            game.play(direction);
        }
        Ok(game)
    }

    /// Makes a move and, if it changed the board, adds a tile. True if it changed. The command is recorded either way.
    pub fn play(&mut self, direction: Direction) -> bool {
        if let Some(record) = &mut self.record {
            record.moves.push(direction);
        }
        let changed = self.board.r#move(direction);
        if changed {
            self.board.add_random_tile();
        }
        changed
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &GameBoard {
        &self.board
    }

    /// The record of a game that was begun here.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }
}

/// The text of a board's file; see [`GameBoard::save_board`]. The size is the number of rows.
#[must_use]
pub fn save_board<S: AsRef<[i32]>>(grid: &Board<S>, score: i64) -> String {
    let mut file = format!("{}\n{score}\n", grid.rows());
    for row in 0..grid.rows() {
        for tile in grid.row(row) {
            file += &format!("{tile} ");
        }
        file.push('\n');
    }
    file
}

/// The record of a game: the size and every command of the player, as `4 wsa`.
///
/// A game with another seed than the course's 420 carries it: `4 seed=7 wsa`. So a record always tells the whole game.
///
/// ```
/// use estr2048::courses::psa3::Record;
///
/// let record = Record::read(b"4 dsd\r\n").unwrap();
/// assert_eq!((record.size, record.seed, record.moves.len()), (4, 420, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The side of the board.
    pub size: usize,
    /// The seed of the generator.
    pub seed: i64,
    /// The directions in the order of the commands, those that changed nothing too.
    pub moves: Vec<Direction>,
}

impl Record {
    /// Reads a record. Blanks and line ends may stand between the moves; they mean nothing.
    ///
    /// # Errors
    /// [`ReadError`] if there is no size, or if anything but `w a s d` follows.
    pub fn read(file: &[u8]) -> Result<Self, ReadError> {
        const SEED_MARK: &[u8] = b"seed=";
        let mut words = Words::new(file);
        let size = words.side(MIN_SIZE, "the size of the board,")?;
        let mut record = Self { size, seed: SEED, moves: Vec::new() };
        for (place, word) in words.enumerate() {
            match word.text.strip_prefix(SEED_MARK) {
                Some(seed) if place == 0 => {
                    let seed = str::from_utf8(seed).ok().and_then(|seed| seed.parse().ok());
                    record.seed = seed.ok_or_else(|| word.error("a seed, as in seed=420"))?;
                }
                _ => record.add_moves(word)?,
            }
        }
        Ok(record)
    }

    fn add_moves(&mut self, word: Word<'_>) -> Result<(), ReadError> {
        for (place, &letter) in word.text.iter().enumerate() {
            let Some(direction) = direction_of_key(letter.into()) else {
                let rest = Word { text: &word.text[place..], column: word.column + place, ..word };
                return Err(rest.error("a move, w, a, s or d"));
            };
            self.moves.push(direction);
        }
        Ok(())
    }

    /// What a record starts with: the size, the seed if it is not 420, and a blank before the moves.
    #[must_use]
    pub fn header(&self) -> String {
        match self.seed {
            SEED => format!("{} ", self.size),
            seed => format!("{} seed={seed} ", self.size),
        }
    }
}

/// The text of the record.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.header())?;
        self.moves.iter().try_for_each(|&direction| write!(f, "{}", key_of_direction(direction)))
    }
}
