//! `estr2048 cs61b`: Project 0 of CS 61B (UC Berkeley) without its window.

use std::io::{self, Write};
use std::process::ExitCode;

use estr2048::courses::{MAX_SIDE, cs61b, direction_of_key};
use estr2048::{Course, Direction, Game};

use crate::console::{self, Input, seed_from_clock, wrong_use};

/// Play Project 0 of CS 61B (UC Berkeley).
///
/// One command a line: w, Up or an arrow up, and so on for a Left, s Down, d Right; n or New Game starts again, q or
/// Quit ends. The board is printed as the skeleton's Model.toString prints it, at the start and after every command.
#[derive(clap::Args)]
#[command(after_help = "Example: printf 'Up\\nLeft\\nq\\n' | estr2048 cs61b --seed 5")]
pub struct Cs61b {
    /// The side of the board, from 1 to 128
    #[arg(long, default_value_t = cs61b::BOARD_SIZE)]
    size: usize,
    /// The seed of java.util.Random; 0 is another one every time
    #[arg(long, default_value_t = cs61b::RANDOM_SEED, allow_hyphen_values = true)]
    seed: i64,
    /// Tiles before the first move: 1 by the text of the assignment, 2 in the skeleton's window
    #[arg(long, default_value_t = cs61b::START_TILES as u16, value_name = "TILES", value_parser = clap::value_parser!(u16).range(1..))]
    start_tiles: u16,
}

const PROMPT: &str = "> ";
const KEYS: &str = "Commands: w (Up), a (Left), s (Down), d (Right), n (New Game), q (Quit)";

pub fn run(arguments: &Cs61b) -> anyhow::Result<ExitCode> {
    if !Course::Cs61b.allows(arguments.size, arguments.size) {
        wrong_use(&format!("--size must be from 1 to {MAX_SIDE}, not {}", arguments.size));
    }
    console::play(|input, out| play(arguments, input, out))
}

fn play(arguments: &Cs61b, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let seed = if arguments.seed == 0 { seed_from_clock() } else { arguments.seed };
    let mut game = Game::new(Course::Cs61b, arguments.size, arguments.size, seed)?;
    add_tiles(&mut game, arguments.start_tiles)?;
    write!(out, "{game}")?;
    while !game.is_over() {
        write!(out, "{PROMPT}")?;
        out.flush()?;
        let Some(line) = input.next_line()? else {
            return Ok(ExitCode::SUCCESS);
        };
        match Command::read(&line) {
            Some(Command::Tilt(direction)) => {
                game.make_move(direction)?;
                write!(out, "{game}")?;
            }
            Some(Command::NewGame) => {
                game.start_again()?;
                add_tiles(&mut game, arguments.start_tiles)?;
                write!(out, "{game}")?;
            }
            Some(Command::Quit) => return Ok(ExitCode::SUCCESS),
            None => writeln!(out, "{KEYS}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The game itself starts with one tile.
fn add_tiles(game: &mut Game, start_tiles: u16) -> anyhow::Result<()> {
    for _ in cs61b::START_TILES..start_tiles.into() {
        game.add_tile()?;
    }
    Ok(())
}

enum Command {
    Tilt(Direction),
    NewGame,
    Quit,
}

impl Command {
    /// The skeleton's own words and arrows, and keys for a keyboard.
    fn read(line: &str) -> Option<Self> {
        let word = line.trim().to_lowercase();
        Some(match word.as_str() {
            "up" | "\u{2191}" => Self::Tilt(Direction::Up),
            "down" | "\u{2193}" => Self::Tilt(Direction::Down),
            "left" | "\u{2190}" => Self::Tilt(Direction::Left),
            "right" | "\u{2192}" => Self::Tilt(Direction::Right),
            "n" | "new game" => Self::NewGame,
            "q" | "quit" => Self::Quit,
            word => {
                let mut letters = word.chars();
                match (letters.next().and_then(direction_of_key), letters.next()) {
                    (Some(direction), None) => Self::Tilt(direction),
                    _ => return None,
                }
            }
        })
    }
}
