//! `estr2048 mean`: one network from several trainings that began alike.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use estr2048_toolbox::{ensure_use, files, outln, report};
use estr2048_training::checkpoint;
use serde_json::json;

/// Take the mean of the weights of several trainings that began with the same network and differ in their --seed.
#[derive(Debug, clap::Args)]
pub struct Mean {
    /// The checkpoints, of the same tuples and stages; what they learned from and their games are added up
    #[arg(required = true, value_name = "CHECKPOINT", num_args = 2..)]
    checkpoints: Vec<PathBuf>,
    /// Checkpoint file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists
    #[arg(long)]
    force: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Reads, writes, reports.
pub fn mean(arguments: &Mean) -> Result<ExitCode> {
    let Mean { checkpoints, out, .. } = arguments;
    ensure_use!(arguments.force || !out.exists(), "{} exists: --force replaces it", out.display());
    files::check_writable(out)?;
    let (tables, progress) = checkpoint::mean(checkpoints)?;
    checkpoint::save(out, &tables, progress)?;
    if arguments.json {
        let report =
            json!({ "checkpoints": checkpoints.len(), "games": progress.games, "moves": progress.moves, "out": out });
        report::print("mean", &report)?;
    } else {
        outln!("{} games, {} moves: {}", progress.games, progress.moves, out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
