//! A whole game planned with known cells, and replayed by the plain rules.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use estr2048::board::GameBoard;
use estr2048::clairvoyant::plan::{BeamState, DEFAULT_WIDTH, MAX_WIDTH, Planner, Progress};
use estr2048::clairvoyant::stream::Stream;
use estr2048::courses::estr1002;
use estr2048::network::{Network, weights};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Bitboard, Board, Direction};
use estr2048_toolbox::interrupt;

use crate::tinymt::Tinymt;

/// How to plan, and where the result goes.
#[derive(Debug, clap::Args)]
pub struct How {
    /// Parameters of TinyMT32
    #[arg(long, default_value = "zero")]
    pub tinymt: Tinymt,
    /// With --seed: file for the moves, in the form that ./game reads, the seed, then letters. With --seeds: file with
    /// a line for every finished seed; seeds that are there already are not planned again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub search: Search,
    /// Draw a picture into this file (SVG). With --seed: the beam over the game. With --seeds: score and time of each
    #[arg(long, value_name = "FILE", value_parser = estr2048_figures::file_name)]
    pub plot: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// How hard to look for the perfect game.
#[derive(Clone, Debug, clap::Args)]
pub struct Search {
    /// Boards in the beam
    #[arg(long, value_name = "W", default_value_t = DEFAULT_WIDTH, value_parser = parse_width)]
    pub beam: usize,
    /// Give up on a seed after so many seconds, and keep the best game so far
    #[arg(long, value_name = "S", default_value_t = 600)]
    pub limit_s: u64,
}

fn parse_width(text: &str) -> Result<usize, String> {
    let width = text.parse().map_err(|error| format!("{error}"))?;
    if (1..=MAX_WIDTH).contains(&width) { Ok(width) } else { Err(format!("a beam has 1 to {MAX_WIDTH} boards")) }
}

/// A planned game.
#[derive(Debug)]
pub struct Game {
    /// The moves, from the first board on.
    pub moves: Vec<Direction>,
    /// The last board, from a replay of the moves by the assignment's rules.
    pub board: GameBoard,
    /// Its sum.
    pub score: i64,
    /// How long the planning took.
    pub time: Duration,
    /// How often all lines of the beam died.
    pub deaths: usize,
    /// Whether the planning came to its own end, and not to that of its time.
    pub finished: bool,
}

/// The network that planning needs.
pub fn network() -> Result<std::sync::Arc<Network>> {
    weights::standard()?.context("planning needs a network: set ESTR_WEIGHTS to a network file")
}

impl Search {
    /// Plans the game of a seed and replays it. `watch` sees the beam after every layer.
    pub fn plan(
        &self,
        network: &Network,
        seed: u32,
        parameters: Parameters,
        mut watch: impl FnMut(BeamState),
    ) -> Result<Game> {
        let start = Instant::now();
        let limit = Duration::from_secs(self.limit_s);
        let mut stream = Stream::new(seed, parameters);
        let (cell, position) = stream.next_cell(0, 0).context("a seed draws some cell")?;
        let mut planner = Planner::new(stream, Bitboard::default().with_two(cell.into()), position, self.beam);
        while planner.step(network) == Progress::Working && start.elapsed() < limit && !interrupt::asked() {
            watch(planner.state());
        }
        let time = start.elapsed();
        let moves = planner.line();
        let board = replay(seed, parameters, &moves)?;
        let score = Board::from(&board).sum();
        let finished = planner.progress() != Progress::Working;
        Ok(Game { moves, board, score, time, deaths: planner.state().deaths, finished })
    }
}

/// The last board of a game with these moves, made with the plain rules and the generator itself.
pub fn replay(seed: u32, parameters: Parameters, moves: &[Direction]) -> Result<GameBoard> {
    let mut game = estr1002::Game::<GameBoard>::new(TinyMt32::new(seed, parameters));
    for (number, &direction) in moves.iter().enumerate() {
        ensure!(game.play(direction)?, "move {} of the plan changes nothing", number + 1);
    }
    Ok(*game.board())
}
