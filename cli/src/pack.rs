//! `estr2048 pack`: from checkpoints to the small file that ships, and what that costs in strength.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048_toolbox::{ensure_use, files, outln};
use estr2048_training::old_network;
use estr2048_training::pack::{Checkpoint, Settings};

/// Quantise and compress a trained network into the form that ships.
#[derive(Debug, clap::Args)]
pub struct Pack {
    /// The checkpoints; the stages of a later one replace those that begin at its FROM or above. The first may be a packed
    /// network: what it holds is kept, in stages that went on from it, too. One network file of the format before, alone,
    /// is renewed without loss
    #[arg(required = true, value_name = "CHECKPOINT[:FROM]")]
    checkpoints: Vec<String>,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Drop weights whose errors add up to less than this in magnitude
    #[arg(long, default_value_t = 300.0)]
    prune: f32,
    /// The checkpoint that the first one was divided from: a weight that learned little in its own stage, after the
    /// division, is then that of the stage before. Not for stages that were started anew
    #[arg(long, value_name = "CHECKPOINT")]
    since: Option<PathBuf>,
    /// Value of one unit of a weight, in moves
    #[arg(long, default_value_t = 1.0)]
    step: f32,
    /// Measure the cost with so many games without search, before and after
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u32,
}

/// Packs, writes, reports.
pub fn pack(arguments: &Pack) -> Result<ExitCode> {
    ensure_use!(arguments.step > 0.0, "--step must be positive");
    files::check_writable(&arguments.out)?;
    if let [path] = &arguments.checkpoints[..]
        && let Ok(bytes) = std::fs::read(path)
        && old_network::is_old(&bytes)
    {
        let renewed = old_network::renew(&bytes).with_context(|| path.clone())?;
        files::write(&arguments.out, &renewed)?;
        outln!("file      {} bytes, renewed without loss from {} bytes", renewed.len(), bytes.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    let settings = Settings {
        checkpoints: arguments.checkpoints.iter().map(|text| checkpoint(text)).collect::<Result<_>>()?,
        prune: arguments.prune,
        since: arguments.since.clone(),
        step: arguments.step,
        games: arguments.games,
    };
    let packed = estr2048_training::pack::pack(&settings)?;
    files::write(&arguments.out, &packed.bytes)?;
    outln!("weights   {} kept, {} dropped, {} clipped", packed.kept, packed.dropped, packed.clipped)?;
    outln!("stages    {} ({:?})", packed.bounds.len() + 1, packed.bounds)?;
    outln!("file      {} bytes", packed.bytes.len())?;
    if let Some([trained, packed]) = packed.strength {
        let games = arguments.games;
        outln!("as trained, {games} games without search: {trained}")?;
        outln!("as packed,  {games} games without search: {packed}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn checkpoint(text: &str) -> Result<Checkpoint> {
    let (path, from) = match text.rsplit_once(':') {
        Some((path, from)) => (path, from.parse().with_context(|| format!("{from:?} is no sum"))?),
        None => (text, 0),
    };
    Ok(Checkpoint { path: path.into(), from })
}
