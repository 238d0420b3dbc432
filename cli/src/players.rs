//! The players that the workbench can run, by name.
//!
//! A new player is one type that implements [`Player`] and one line in [`make`].

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use estr2048::board::GameBoard;
use estr2048::network::Network;
use estr2048::network::weights;
use estr2048::player::computer::{self, Computer};
use estr2048::search::{Limit, MAX_THREADS};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Board, Direction};

#[cfg(all(feature = "sandbox", target_os = "linux"))]
use estr2048_referee::student::{self, Student};

/// Somebody who plays one game: sees boards, names directions.
pub trait Player {
    /// The move for this board, or `None` if the player sees no move.
    ///
    /// # Errors
    /// If the player cannot go on, for example because its process died.
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>>;
}

/// What a player may spend, and what it plays with.
#[derive(Clone, Debug, clap::Args)]
pub struct Effort {
    /// Time limit of a move, in milliseconds (fractions are allowed)
    #[arg(long, value_name = "T", group = "limit")]
    pub move_ms: Option<f64>,
    /// Limit in network evaluations a move: the same seed always gives the same game
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// One search of this budget a move; 1 plays without search
    #[arg(long, value_name = "B", group = "limit")]
    pub budget: Option<u32>,
    /// Threads that search a move: with a limit in evaluations they do not change it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    pub threads: u32,
    /// Network file, instead of the one named by ESTR_WEIGHTS or inside the program
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

impl Effort {
    /// What a move of the fair player may cost.
    fn of_computer(&self) -> Result<computer::Effort> {
        let limit = match (self.move_ms, self.nodes, self.budget) {
            (Some(ms), _, _) => Limit::Time(Duration::try_from_secs_f64(ms / 1e3).context("--move-ms must be a time")?),
            (_, Some(nodes), _) => Limit::Nodes(nodes),
            (_, _, Some(budget)) => Limit::Budget(budget),
            _ => return Ok(computer::Effort::USUAL.with_threads(self.threads)),
        };
        Ok(computer::Effort::from(limit).with_threads(self.threads))
    }

    /// This effort, with a limit in evaluations if it has none.
    pub fn or_nodes(&self, nodes: u64) -> Self {
        let limited = self.move_ms.is_some() || self.nodes.is_some() || self.budget.is_some();
        Self { nodes: if limited { self.nodes } else { Some(nodes) }, ..self.clone() }
    }

    /// The fair computer player with this effort.
    pub fn computer(&self) -> Result<Computer> {
        // One network serves all games: reading it takes longer than a game without search.
        static NAMED: Mutex<Option<(PathBuf, Arc<Network>)>> = Mutex::new(None);
        let network = match &self.weights {
            Some(path) => {
                let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
                match &*named {
                    Some((known, network)) if known == path => Some(network.clone()),
                    _ => {
                        let network = Arc::new(weights::load(path)?);
                        *named = Some((path.clone(), network.clone()));
                        Some(network)
                    }
                }
            }
            None => weights::standard()?,
        };
        Ok(Computer::new(network, self.of_computer()?))
    }
}

/// The names that [`make`] knows, for the help text.
pub const NAMES: [&str; 3] = ["fair", "hand-made", "random"];

/// A player for the game with this seed.
///
/// # Errors
/// If there is no player of this name, or it cannot be set up.
pub fn make(name: &str, effort: &Effort, seed: u32) -> Result<Box<dyn Player>> {
    Ok(match name {
        "fair" => Box::new(effort.computer()?),
        "hand-made" => Box::new(Computer::new(None, effort.of_computer()?)),
        "random" => Box::new(Random(TinyMt32::new(!seed, Parameters::OFFICIAL))),
        #[cfg(all(feature = "sandbox", target_os = "linux"))]
        _ if name.ends_with(".c") => {
            let time = effort.move_ms.map(|ms| Duration::try_from_secs_f64(ms / 1e3)).transpose()?;
            Box::new(Student::of(name.as_ref(), time)?.start()?)
        }
        #[cfg(not(all(feature = "sandbox", target_os = "linux")))]
        _ if name.ends_with(".c") => {
            bail!("a student's file can be locked up only on Linux, by a build with `sandbox`")
        }
        _ => bail!("there is no player {name:?}; there are {} and a student's FILE.c", NAMES.join(", ")),
    })
}

impl Player for Computer {
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>> {
        Ok(Computer::choose(self, board))
    }
}

#[cfg(all(feature = "sandbox", target_os = "linux"))]
impl Player for student::Game {
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>> {
        // A student is never asked on a board without a move: the assignment's program does not ask either.
        if Board::from(board).is_over() {
            return Ok(None);
        }
        Self::choose(self, board).map(Some)
    }
}

/// Any legal move, each with the same chance.
struct Random(TinyMt32);

impl Player for Random {
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>> {
        let board = Board::from(board);
        let legal: Vec<_> = Direction::ALL.into_iter().filter(|&direction| board.can_move(direction)).collect();
        if legal.is_empty() {
            return Ok(None);
        }
        Ok(Some(legal[self.0.generate_u32() as usize % legal.len()]))
    }
}
