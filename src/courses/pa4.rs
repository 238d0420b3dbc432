//! PA4 (UCSD CSE 8B, Winter 2020): a rows × cols board with a score and one file to save it in.
//!
//! Two start tiles. A new tile draws its place among the empty cells, then its value: 2 in 70 of 100 cases, else 4.
//! Every state starts its own `Random(118)`, a loaded one too, so that the same commands give the same game.

use std::fmt::{self, Display};

use super::position::Position;
use super::rules::{Draw, Random, Rules, add_2_or_4};
use super::text::{MAX_SIDE, ReadError, Words};
use crate::board::{Board, SizeError};
use crate::direction::Direction;
use crate::java_random::JavaRandom;

/// The rules of the course.
pub static RULES: Rules = Rules {
    name: "PA4",
    size: |_, _| true,
    set_up: |_| {},
    start_tiles: INITIAL_TILE_COUNT,
    draw: Draw::Java(add_tile),
    two_percent: Some(TWO_PROB),
    score: |_, combined| combined,
    is_over: |board| board.is_over(),
    has_won: |_| false,
    tile_after_end: true,
    look: |board, score, f| Look(board, score).fmt(f),
    load: read,
    save,
};

/// `RANDOM_SEED` of the course's `Config.java`.
pub const RANDOM_SEED: i64 = 118;
/// How many new tiles in 100 are a 2.
pub const TWO_PROB: i32 = 70;
/// The sides of a new board.
pub const DEFAULT_SIZE: usize = 4;
/// Tiles on a new board.
pub const INITIAL_TILE_COUNT: usize = 2;
/// The file that a game is saved to if it was not loaded from another.
pub const DEFAULT_OUTFILE: &str = "save.2048";

/// What the program prints, without a newline, if it is called with more than one file.
pub const USAGE: &str = "`java PlayManager [SAVEFILE]` to start a game from SAVEFILE, omit for a default game";
/// The first line of a new game.
pub const START: &str = "Starting a default-sized random game...";
/// What stands before every command.
pub const PROMPT: &str = "> ";
/// The answer to an input that is not one character long.
pub const COMMAND_LENGTH: &str = "Command must be one char long.";
/// The answer to a character that is no command.
pub const POSSIBLE_COMMANDS: &str = concat!(
    "Possible commands:\n",
    " w - up\n",
    " a - left\n",
    " s - down\n",
    " d - right\n",
    " o - save to file\n",
    " q - quit game",
);
/// What the program says, with the file's name, when it has saved.
pub const SAVED: &str = "Saved current state to: ";
/// What the program says when nothing can move.
pub const GAME_OVER: &str = "Game Over!";

/// Adds a tile by this course's rules, in two draws; see [`GameState::add_tile`].
pub fn add_tile<S>(board: &mut Board<S>, random: &mut JavaRandom) -> Option<i32>
where
    S: AsRef<[i32]> + AsMut<[i32]>,
{
    add_2_or_4(board, random, TWO_PROB)
}

/// The assignment's class `GameState`.
///
/// ```
/// use estr2048::Direction;
/// use estr2048::courses::pa4::GameState;
///
/// let mut state = GameState::new(4, 4)?;
/// state.add_tile();
/// state.add_tile();
/// assert!(state.r#move(Direction::Right));
/// assert_eq!(state.get_score(), 4);
/// assert!(!state.r#move(None));
/// # Ok::<(), estr2048::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    position: Position,
    two_prob: i32,
}

/// What stands in the course's `Config.java`, for a game with other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// `RANDOM_SEED`: the seed of every state's own `java.util.Random`.
    pub random_seed: i64,
    /// `TWO_PROB`: how many new tiles in 100 are a 2, from 0 to 100.
    pub two_prob: i32,
    /// `DEFAULT_SIZE`: the side of a new board, from 1 to [`MAX_SIDE`].
    pub default_size: usize,
    /// `INITIAL_TILE_COUNT`: tiles on a new board, as far as they fit.
    pub initial_tile_count: usize,
}

/// The course's own values.
impl Default for Config {
    fn default() -> Self {
        Self {
            random_seed: RANDOM_SEED,
            two_prob: TWO_PROB,
            default_size: DEFAULT_SIZE,
            initial_tile_count: INITIAL_TILE_COUNT,
        }
    }
}

impl GameState {
    /// An empty board and score 0, with a `Random(118)` of its own (`GameState(numRows, numCols)`).
    ///
    /// # Errors
    /// [`SizeError`] if a side is not from 1 to [`MAX_SIDE`].
    pub fn new(num_rows: usize, num_cols: usize) -> Result<Self, SizeError> {
        Self::empty(num_rows, num_cols, &Config::default())
    }

    fn empty(num_rows: usize, num_cols: usize, config: &Config) -> Result<Self, SizeError> {
        if num_rows > MAX_SIDE || num_cols > MAX_SIDE {
            return Err(SizeError);
        }
        Ok(Self::of(Board::empty(num_rows, num_cols)?, config))
    }

    fn of(board: Board, config: &Config) -> Self {
        let random = Random::Java(JavaRandom::new(config.random_seed));
        Self { position: Position::new(&RULES, board, random), two_prob: config.two_prob }
    }

    /// A new game as the program starts it: 4 × 4 with two tiles.
    ///
    /// # Errors
    /// None in practice; the type is that of [`new`](Self::new).
    pub fn new_game() -> Result<Self, SizeError> {
        Self::new_game_with(&Config::default())
    }

    /// A new game with these values.
    ///
    /// # Errors
    /// [`SizeError`] if the side is not from 1 to [`MAX_SIDE`].
    pub fn new_game_with(config: &Config) -> Result<Self, SizeError> {
        let mut state = Self::empty(config.default_size, config.default_size, config)?;
        for _ in 0..config.initial_tile_count.min(state.count_empty_tiles()) {
            state.add_tile();
        }
        Ok(state)
    }

    /// The state of a file: rows and columns, the score, then the tiles, with any blanks and line ends between the
    /// numbers (`loadFromFile`). The generator is a fresh `Random(118)`.
    ///
    /// # Errors
    /// [`ReadError`] if a number is missing, is none or is out of range, or if more follows.
    pub fn load(file: &[u8]) -> Result<Self, ReadError> {
        Self::load_with(file, &Config::default())
    }

    /// The same with the seed and the probability of these values.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(file: &[u8], config: &Config) -> Result<Self, ReadError> {
        let (board, score) = read(file)?;
        let mut state = Self::of(board, config);
        state.set_score(score);
        Ok(state)
    }

    /// The text of the game's file (`saveToFile`): rows and columns, score, and a line for each row with single
    /// blanks between the tiles.
    #[must_use]
    pub fn save(&self) -> String {
        self.position.save()
    }

    /// A copy of the board; changing it does not change the state.
    #[must_use]
    pub fn get_board(&self) -> Board {
        self.position.board.clone()
    }

    /// Makes a copy of this board the state's own; `None` changes nothing.
    pub fn set_board<'a>(&mut self, new_board: impl Into<Option<&'a Board>>) {
        if let Some(board) = new_board.into() {
            self.position.board.clone_from(board);
        }
    }

    /// The score: the sum of all tiles made by combining, on top of what was set or loaded.
    #[must_use]
    pub fn get_score(&self) -> i64 {
        self.position.score()
    }

    /// Sets the score; it may be negative.
    pub fn set_score(&mut self, new_score: i64) {
        self.position.combined = new_score;
    }

    /// A number from 0 to `bound` - 1; `None` if the bound is not positive.
    pub fn roll_rng(&mut self, bound: i32) -> Option<i32> {
        self.position.random.java()?.next_int_below(bound)
    }

    /// A 2 in 70 of 100 cases (or in as many as [`Config::two_prob`] says), else a 4.
    pub fn random_tile(&mut self) -> i32 {
        if self.roll_rng(100) < Some(self.two_prob) { 2 } else { 4 }
    }

    /// Number of empty cells.
    #[must_use]
    pub fn count_empty_tiles(&self) -> usize {
        self.position.board.count_empty()
    }

    /// Adds a tile in an empty cell and gives its value, 2 or 4; 0, without a draw, if the board is full.
    ///
    /// Draws `nextInt(number of empty cells)` for the place, counted in reading order, then `nextInt(100)`: below 70
    /// it is a 2.
    pub fn add_tile(&mut self) -> i32 {
        let Position { board, random, .. } = &mut self.position;
        random.java().and_then(|random| add_2_or_4(board, random, self.two_prob)).unwrap_or(0)
    }

    /// Turns the board a quarter to the left: the last column becomes the first row.
    pub fn rotate_counter_clockwise(&mut self) {
        self.position.board = self.position.board.rotated_counter_clockwise();
    }

    /// Whether [`slide_down`](Self::slide_down) would change the board.
    #[must_use]
    pub fn can_slide_down(&self) -> bool {
        self.position.board.can_move(Direction::Down)
    }

    /// Slides the board down and scores what combines. True if the board changed. No tile is added.
    pub fn slide_down(&mut self) -> bool {
        self.position.slide(Direction::Down)
    }

    /// Whether no direction can be moved in.
    #[must_use]
    pub fn is_game_over(&self) -> bool {
        self.position.is_over()
    }

    /// Slides the board in this direction and, if that changed it, adds a tile. True if the board changed; `None` is
    /// no direction and changes nothing.
    pub fn r#move(&mut self, direction: impl Into<Option<Direction>>) -> bool {
        let moved = direction.into().is_some_and(|direction| self.position.slide(direction));
        if moved {
            self.add_tile();
        }
        moved
    }
}

/// The assignment's `toString`; see [`Look`].
impl fmt::Display for GameState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.fmt(f)
    }
}

/// The look of a board with its score: `Score: N`, then rows of cells five characters wide, an empty one `-`.
///
/// PSA3, an earlier assignment of the same course, has the same look.
#[derive(Debug)]
pub struct Look<'a, S>(pub &'a Board<S>, pub i64);

impl<S: AsRef<[i32]>> fmt::Display for Look<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(board, score) = self;
        writeln!(f, "Score: {score}")?;
        for row in 0..board.rows() {
            for &tile in board.row(row) {
                match tile {
                    0 => f.write_str("    -")?,
                    _ => write!(f, "{tile:5}")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// Board and score of a game's file; see [`GameState::load`].
///
/// # Errors
/// [`ReadError`] if a number is missing, is none or is out of range, or if more follows.
pub fn read(file: &[u8]) -> Result<(Board, i64), ReadError> {
    let mut words = Words::new(file);
    let rows = words.side(1, "the number of rows,")?;
    let cols = words.side(1, "the number of columns,")?;
    let score = words.number("the score")?;
    Ok((words.board(rows, cols)?, score))
}

/// The text of a game's file; see [`GameState::save`].
#[must_use]
pub fn save<S: AsRef<[i32]>>(board: &Board<S>, score: i64) -> String {
    let mut file = format!("{} {}\n{score}\n", board.rows(), board.cols());
    for row in 0..board.rows() {
        let tiles: Vec<String> = board.row(row).iter().map(i32::to_string).collect();
        file += &tiles.join(" ");
        file.push('\n');
    }
    file
}
