//! `estr2048 cs61b`: Project 0 of CS 61B (UC Berkeley) without its window.

use std::io::{self, Write};
use std::process::ExitCode;

use estr2048::courses::{cs61b, direction_of_key};
use estr2048::{Course, Direction, Game};

use crate::console::{self, Input, arrow, leave_prompt, seed_from_clock, somebody_types, takes_it_back};

/// A game and how it starts.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The side of the board.
    pub size: usize,
    /// The seed of `java.util.Random`; 0 is another one every time.
    pub seed: i64,
    /// Tiles before the first move, at least one.
    pub start_tiles: u16,
}

const PROMPT: &str = "> ";
const KEYS: &str = "Commands: w (Up), a (Left), s (Down), d (Right), n (New Game), q (Quit)";
const KEYS_OF_TERMINAL: &str = ", z (Undo)";

/// Plays the game.
///
/// # Errors
/// If input or output fails.
pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    console::play(|input, out| play(options, input, out))
}

fn play(options: Options, input: &mut Input<impl io::BufRead>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let seed = if options.seed == 0 { seed_from_clock() } else { options.seed };
    let mut game = Game::new(Course::Cs61b, options.size, options.size, seed)?;
    add_tiles(&mut game, options.start_tiles)?;
    let typed = somebody_types();
    write!(out, "{game}")?;
    loop {
        if game.is_over() {
            if !(typed && game.history_len() > 0 && takes_it_back(input, out)?) {
                return Ok(ExitCode::SUCCESS);
            }
            game.undo();
            write!(out, "{game}")?;
        }
        write!(out, "{PROMPT}")?;
        out.flush()?;
        let Some(line) = input.next_line()? else {
            leave_prompt(out)?;
            return Ok(ExitCode::SUCCESS);
        };
        match Command::read(&line, typed) {
            Some(Command::Tilt(direction)) => {
                game.make_move(direction)?;
                write!(out, "{game}")?;
            }
            Some(Command::NewGame) => {
                game.start_again()?;
                add_tiles(&mut game, options.start_tiles)?;
                write!(out, "{game}")?;
            }
            Some(Command::Undo) => {
                game.undo();
                write!(out, "{game}")?;
            }
            Some(Command::Quit) => return Ok(ExitCode::SUCCESS),
            None => writeln!(out, "{KEYS}{}", if typed { KEYS_OF_TERMINAL } else { "" })?,
        }
    }
}

/// The game itself starts with one tile. What it starts with cannot be taken back.
fn add_tiles(game: &mut Game, start_tiles: u16) -> anyhow::Result<()> {
    for _ in cs61b::START_TILES..start_tiles.into() {
        game.add_tile()?;
    }
    game.forget_history();
    Ok(())
}

enum Command {
    Tilt(Direction),
    NewGame,
    Undo,
    Quit,
}

impl Command {
    /// The skeleton's own words and arrows, and keys for a keyboard; if somebody types, its arrow keys and undo, too.
    fn read(line: &str, typed: bool) -> Option<Self> {
        if let Some(direction) = arrow(line).filter(|_| typed) {
            return Some(Self::Tilt(direction));
        }
        let word = line.trim().to_lowercase();
        Some(match word.as_str() {
            "up" | "\u{2191}" => Self::Tilt(Direction::Up),
            "down" | "\u{2193}" => Self::Tilt(Direction::Down),
            "left" | "\u{2190}" => Self::Tilt(Direction::Left),
            "right" | "\u{2192}" => Self::Tilt(Direction::Right),
            "n" | "new game" => Self::NewGame,
            "q" | "quit" => Self::Quit,
            "z" | "undo" if typed => Self::Undo,
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
