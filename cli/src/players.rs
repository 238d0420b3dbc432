//! The players that the workbench can run, by name.
//!
//! A new player is one type that implements [`Player`] and one line in [`make`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(not(all(feature = "sandbox", target_os = "linux")))]
use anyhow::bail;
use anyhow::{Context, Result};
use estr2048::board::GameBoard;
use estr2048::network::Network;
use estr2048::network::weights;
use estr2048::player::computer::{self, Computer};
use estr2048::search::{Limit, MAX_THREADS};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Board, Direction};
use estr2048_measuring::Player;
use estr2048_toolbox::files;
use estr2048_toolbox::usage::WrongUse;
use serde::Serialize;
use sha2::{Digest, Sha256};

#[cfg(all(feature = "sandbox", target_os = "linux"))]
use estr2048_referee::student::{self, Student};

/// What a player may spend, and what it plays with.
#[derive(Clone, Debug, clap::Args)]
pub struct Effort {
    /// Time limit of a move, in milliseconds (fractions are allowed)
    #[arg(long, value_name = "T", group = "limit", value_parser = parse_ms)]
    pub move_ms: Option<Duration>,
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
    fn of_computer(&self) -> computer::Effort {
        let limit = match (self.move_ms, self.nodes, self.budget) {
            (Some(time), _, _) => Limit::Time(time),
            (_, Some(nodes), _) => Limit::Nodes(nodes),
            (_, _, Some(budget)) => Limit::Budget(budget),
            _ => return computer::Effort::USUAL.with_threads(self.threads),
        };
        computer::Effort::from(limit).with_threads(self.threads)
    }

    /// The same in words, for those who compare results.
    fn in_words(&self) -> String {
        let threads = if self.threads == 1 { String::new() } else { format!(", {} threads", self.threads) };
        let limit = match (self.move_ms, self.nodes, self.budget) {
            (Some(time), _, _) => format!("{} ms a move", time.as_secs_f64() * 1e3),
            (_, Some(nodes), _) => format!("{nodes} evaluations a move"),
            (_, _, Some(budget)) => format!("budget {budget}"),
            _ => "usual".into(),
        };
        limit + &threads
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
                files::check_readable(path)?;
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
        Ok(Computer::new(network, self.of_computer()))
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
        "hand-made" => Box::new(Computer::new(None, effort.of_computer())),
        "random" => Box::new(Random(TinyMt32::new(!seed, Parameters::OFFICIAL))),
        #[cfg(all(feature = "sandbox", target_os = "linux"))]
        _ if name.ends_with(".c") => Box::new(Locked(Student::of(name.as_ref(), effort.move_ms)?.start()?)),
        #[cfg(not(all(feature = "sandbox", target_os = "linux")))]
        _ if name.ends_with(".c") => {
            bail!("a student's file can be locked up only on Linux, by a build with `sandbox`")
        }
        _ => return Err(unknown(name).into()),
    })
}

fn unknown(name: &str) -> WrongUse {
    WrongUse(format!("there is no player {name:?}; there are {} and a student's FILE.c", NAMES.join(", ")))
}

/// Who plays: all that a game's result depends on, beside its seed and the generator's parameters.
#[derive(Clone, Debug, Serialize)]
pub struct Identity {
    player: String,
    /// Of a student's file, SHA-256.
    source: Option<String>,
    /// What the player may spend, if it can spend anything.
    effort: Option<String>,
    /// Of the network that plays, SHA-256 of its file; `None` for players without one.
    network: Option<String>,
}

impl Identity {
    /// Who plays, in a few words.
    pub fn label(&self) -> String {
        let name = Path::new(&self.player).file_name().unwrap_or_default().to_string_lossy();
        self.effort.as_ref().map_or_else(|| name.to_string(), |effort| format!("{name} ({effort})"))
    }
}

/// Says who [`make`] makes, without loading a network.
///
/// # Errors
/// If there is no player of this name, or a file cannot be read.
pub fn identify(name: &str, effort: &Effort) -> Result<Identity> {
    let mut identity = Identity { player: name.into(), source: None, effort: None, network: None };
    match name {
        "fair" => {
            identity.effort = Some(effort.in_words());
            identity.network = network_checksum(effort.weights.as_deref())?;
        }
        "hand-made" | "random" => {}
        _ if name.ends_with(".c") => {
            identity.source = Some(checksum(&read(name.as_ref())?));
            identity.effort = effort.move_ms.is_some().then(|| effort.in_words());
        }
        _ => return Err(unknown(name).into()),
    }
    Ok(identity)
}

/// The SHA-256 of the network file that is used when this one, or none, is named; `None` without any network.
///
/// # Errors
/// If the file cannot be read.
pub fn network_checksum(named: Option<&Path>) -> Result<Option<String>> {
    let variable = std::env::var_os(weights::WEIGHTS_VARIABLE).map(PathBuf::from);
    match named.or(variable.as_deref()) {
        Some(path) => Ok(Some(checksum(&read(path)?))),
        None => Ok(weights::embedded_bytes().map(checksum)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    files::check_readable(path)?;
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse_ms(text: &str) -> Result<Duration, String> {
    let ms: f64 = text.parse().map_err(|_| "not a number of milliseconds".to_owned())?;
    Duration::try_from_secs_f64(ms / 1e3).map_err(|error| error.to_string())
}

/// A student's file, locked up.
#[cfg(all(feature = "sandbox", target_os = "linux"))]
struct Locked(student::Game);

#[cfg(all(feature = "sandbox", target_os = "linux"))]
impl Player for Locked {
    fn choose(&mut self, board: &GameBoard) -> Result<Option<Direction>> {
        // A student is never asked on a board without a move: the assignment's program does not ask either.
        if Board::from(board).is_over() {
            return Ok(None);
        }
        self.0.choose(board).map(Some)
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
