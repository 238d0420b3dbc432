//! `estr2048 psa3`: the program of PSA3 (UCSD CSE 8B, Winter 2018), with its extra credit: records and replays.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use estr2048::courses::psa3::{self, GameBoard, Record};
use estr2048::courses::{MAX_SIDE, direction_of_key, key_of_direction};
use estr2048::{Direction, JavaRandom};

use crate::console::{self, Input, files, wrong_use};

/// Play PSA3 (UCSD CSE 8B, Winter 2018).
///
/// Commands, with blanks or newlines between them: w up, s down, a left, d right, q quits. The board is saved on q, at
/// the end of the game and at the end of the input.
#[derive(clap::Args)]
#[command(
    args_override_self = true,
    after_help = "Examples:\n  estr2048 psa3 -s 5 -o mine.board\n  estr2048 psa3 -i \
    mine.board -o mine.board\n  estr2048 psa3 --record game.log\n  estr2048 psa3 --replay game.log --delay 0.1"
)]
pub struct Psa3 {
    /// Go on with the board of this file
    #[arg(short, value_name = "FILE", allow_hyphen_values = true)]
    input: Option<PathBuf>,
    /// Save the board to this file [default: 2048.board]
    #[arg(short, value_name = "FILE", allow_hyphen_values = true)]
    output: Option<PathBuf>,
    /// The side of a new board, up to 128; 4 if it is below 2; without meaning if -i gives a board [default: 4]
    #[arg(short, value_name = "N", allow_hyphen_values = true)]
    size: Option<String>,
    /// Write every command to this file as it is typed, instead of saving a board (so not with -i or -o)
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    record: Option<PathBuf>,
    /// Show the game of a record, then go on with it and with the record; all other options but --delay mean nothing
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    replay: Option<PathBuf>,
    /// The seed of java.util.Random; a record of a game with another seed than the course's carries it
    #[arg(long, value_name = "N", default_value_t = psa3::SEED.to_string(), allow_hyphen_values = true)]
    seed: String,
    /// Seconds between the moves of a replay
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    delay: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|&delay| delay <= Duration::from_secs(3600)).ok_or("not a number from 0 to 3600".into())
}

pub fn run(arguments: &Psa3) -> anyhow::Result<ExitCode> {
    console::play(|input, out| play(arguments, input, out))
}

fn play(arguments: &Psa3, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if let Some(file) = &arguments.replay {
        return replay(file, arguments.delay, input, out);
    }
    let seed = arguments.seed();
    let output = arguments.output.as_deref().unwrap_or(Path::new(psa3::DEFAULT_FILE));
    let random = JavaRandom::new(seed);
    let size = arguments.size();
    if let Some(file) = &arguments.record {
        if arguments.output.is_some() || arguments.input.is_some() {
            wrong_use("--record cannot be used with -o or -i: the record itself is what is saved, from its own start");
        }
        let header = Record { size, seed, moves: Vec::new() }.header();
        writeln!(out, "{}\n{}", psa3::WELCOME, psa3::RECORDING)?;
        files::write(file, &header)?;
        let end = End::Record(Log::go_on(file, ""));
        return Manager { board: GameBoard::new(random, size)?, end }.play(&[], input, out);
    }
    files::check_writable(output).context("the board could not be saved; -o names another file")?;
    let board = match &arguments.input {
        None => {
            writeln!(out, "{}\n{}", psa3::WELCOME, psa3::GENERATING)?;
            GameBoard::new(random, size)?
        }
        Some(file) => {
            writeln!(out, "{}\n{}{}", psa3::WELCOME, psa3::LOADING, file.display())?;
            match GameBoard::load(random, &files::read(file)?) {
                Ok(board) => board,
                Err(error) => bail!("{}:{error}\nThe file is left as it is.", file.display()),
            }
        }
    };
    Manager { board, end: End::Board(output.into()) }.play(&[], input, out)
}

impl Psa3 {
    /// What has no meaning is not looked at: the size beside -i, and both numbers beside --replay.
    fn size(&self) -> usize {
        let Some(text) = self.size.as_ref().filter(|_| self.input.is_none()) else {
            return psa3::DEFAULT_SIZE;
        };
        match text.parse::<i64>().map(usize::try_from) {
            Ok(Ok(size)) if size > MAX_SIDE => wrong_use(&format!("-s must not be above {MAX_SIDE}: {size}")),
            Ok(Ok(size)) if size >= psa3::MIN_SIZE => size,
            Ok(_) => psa3::DEFAULT_SIZE,
            Err(_) => wrong_use(&format!("-s must be a whole number: {text}")),
        }
    }

    fn seed(&self) -> i64 {
        self.seed.parse().unwrap_or_else(|_| wrong_use(&format!("--seed must be a 64-bit whole number: {}", self.seed)))
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
    let board = GameBoard::new(JavaRandom::new(record.seed), record.size)?;
    let moves: Vec<_> = record.moves.iter().map(|&direction| (direction, delay)).collect();
    Manager { board, end: End::Record(log) }.play(&moves, input, out)
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

/// The assignment's class `GameManager`.
struct Manager {
    board: GameBoard,
    end: End,
}

enum Command {
    Move(Direction),
    Quit,
    Unknown,
}

impl Command {
    fn read(word: &str) -> Self {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some('q'), None) => Self::Quit,
            (Some(letter), None) => direction_of_key(letter).map_or(Self::Unknown, Self::Move),
            _ => Self::Unknown,
        }
    }
}

impl Manager {
    /// The play loop: first the moves of a replay, each after its delay, then what is typed.
    fn play(
        mut self,
        replayed: &[(Direction, Duration)],
        input: &mut Input<impl io::BufRead>,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        let mut replayed = replayed.iter();
        write!(out, "{}", psa3::CONTROLS)?;
        writeln!(out, "{}", self.board)?;
        while !self.board.is_game_over() {
            write!(out, "{}", psa3::PROMPT)?;
            out.flush()?;
            if let Some(&(direction, delay)) = replayed.next() {
                std::thread::sleep(delay);
                // At a terminal it looks as if somebody typed it; elsewhere input is not shown either.
                if io::stdout().is_terminal() {
                    writeln!(out, "{}", key_of_direction(direction))?;
                }
                self.make_move(direction, out)?;
                continue;
            }
            let Some(word) = input.next_word()? else {
                break;
            };
            match Command::read(&word) {
                Command::Move(direction) => {
                    if let End::Record(log) = &mut self.end {
                        log.add(direction)?;
                    }
                    self.make_move(direction, out)?;
                }
                Command::Quit => break,
                Command::Unknown => write!(out, "{}", psa3::CONTROLS)?,
            }
        }
        if self.board.is_game_over() {
            writeln!(out, "{}", psa3::GAME_OVER)?;
        }
        if let End::Board(file) = &self.end {
            files::write(file, &self.board.save_board())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn make_move(&mut self, direction: Direction, out: &mut impl Write) -> io::Result<()> {
        if self.board.r#move(direction) {
            self.board.add_random_tile();
        }
        writeln!(out, "{}", self.board)
    }
}
