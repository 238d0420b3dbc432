//! `estr2048 perfect`: plans a whole game with known cells, and writes its moves.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use estr2048::bitboard::MAX_SUM;
use estr2048::board::GameBoard;
use estr2048::clairvoyant::plan::{BeamState, DEFAULT_WIDTH, MAX_WIDTH, Planner, Progress};
use estr2048::clairvoyant::stream::Stream;
use estr2048::courses::estr1002::{self, Look};
use estr2048::network::Network;
use estr2048::network::weights;
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Bitboard, Board, Direction};
use indicatif::{ProgressBar, ProgressStyle};

use estr2048_play::console::files;
use estr2048_play::tinymt::Tinymt;

/// Plan a whole game with all cells known, up to the highest score that the rules allow
#[derive(Debug, clap::Args)]
pub struct Perfect {
    /// Seed of the game
    #[arg(long)]
    seed: u32,
    /// Parameters of TinyMT32
    #[arg(long, default_value = "zero")]
    tinymt: Tinymt,
    /// File for the moves, in the form that ./game reads: the seed, then letters
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
    /// File for a line per 64 moves: depth,sum,boards,width,value,deaths
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// How hard to look for the perfect game.
#[derive(Clone, Debug, clap::Args)]
pub struct Search {
    /// Boards in the beam
    #[arg(long, value_name = "W", default_value_t = DEFAULT_WIDTH)]
    beam: usize,
    /// Give up on a seed after so many seconds, and keep the best game so far
    #[arg(long, value_name = "S", default_value_t = 600)]
    limit_s: u64,
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
        ensure!((1..=MAX_WIDTH).contains(&self.beam), "--beam must be from 1 to {MAX_WIDTH}");
        let start = Instant::now();
        let limit = Duration::from_secs(self.limit_s);
        let mut stream = Stream::new(seed, parameters);
        let (cell, position) = stream.next_cell(0, 0).context("a seed draws some cell")?;
        let mut planner = Planner::new(stream, Bitboard::default().with_two(cell.into()), position, self.beam);
        while planner.step(network) == Progress::Working && start.elapsed() < limit {
            watch(planner.state());
        }
        let time = start.elapsed();
        let moves = planner.line();
        let board = replay(seed, parameters, &moves)?;
        let score = Board::from(&board).sum();
        Ok(Game { moves, board, score, time, deaths: planner.state().deaths })
    }
}

/// The last board of a game with these moves, made with the plain rules and the generator itself.
pub fn replay(seed: u32, parameters: Parameters, moves: &[Direction]) -> Result<GameBoard> {
    let mut game: estr1002::Game = estr1002::Game::new(TinyMt32::new(seed, parameters));
    for (number, &direction) in moves.iter().enumerate() {
        ensure!(game.play(direction)?, "move {} of the plan changes nothing", number + 1);
    }
    Ok(*game.board())
}

/// Plans one game and prints what came of it.
pub fn perfect(arguments: &Perfect) -> Result<ExitCode> {
    for path in arguments.out.iter().chain(&arguments.trace) {
        files::check_writable(path)?;
    }
    let bar = ProgressBar::new(MAX_SUM as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} sum {pos}/{len}, {msg} ETA {eta}")?);
    let mut trace = String::from("depth,sum,boards,width,value,deaths\n");
    let watch = |state: BeamState| {
        if state.depth.is_multiple_of(64) {
            let BeamState { depth, sum, boards, width, value, deaths } = state;
            bar.set_position(sum as u64);
            bar.set_message(format!("move {depth}, beam {boards}/{width}, value {value:.0}, {deaths} dead ends,"));
            trace.push_str(&format!("{depth},{sum},{boards},{width},{value:.1},{deaths}\n"));
        }
    };
    let parameters = arguments.tinymt.parameters();
    let game = arguments.search.plan(&*network()?, arguments.seed, parameters, watch)?;
    bar.finish_and_clear();
    if let Some(path) = &arguments.trace {
        files::write(path, &trace)?;
    }
    if let Some(path) = &arguments.out {
        files::write(path, &moves_file(arguments.seed, &game.moves))?;
    }
    print!("{}", Look(&Board::from(&game.board)));
    let Game { score, time, deaths, .. } = game;
    let moves = game.moves.len();
    println!("Score {score} after {moves} moves, planned in {:.1} s with {deaths} dead ends.", time.as_secs_f64());
    if score < MAX_SUM {
        println!(
            "The highest score is {MAX_SUM}; try a wider beam (--beam {}).",
            (arguments.search.beam * 4).min(MAX_WIDTH)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The seed on a line of its own, then the letters of the moves, a hundred a line.
fn moves_file(seed: u32, moves: &[Direction]) -> String {
    let mut text = format!("{seed}\n");
    for line in moves.chunks(100) {
        text.extend(line.iter().map(|direction| direction.letter()));
        text.push('\n');
    }
    text
}
