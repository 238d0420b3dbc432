//! `estr2048 pack`: from checkpoints to the small file that ships, and what that costs in strength.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{ensure_use, files, numbers, outln, report};
use estr2048_training::checkpoint::is_packed;
use estr2048_training::old_network;
use estr2048_training::pack::{Checkpoint, Packed, Settings, Strength};
use serde_json::json;

/// Quantise and compress a trained network into the form that ships.
#[derive(Debug, clap::Args)]
pub struct Pack {
    /// The checkpoints; the stages of a later one replace those that begin at its FROM or above, with their weights
    /// multiplied by FACTOR. There may be packed networks among them: what they hold is kept. One network file of the
    /// format before, alone, is renewed without loss
    #[arg(required = true, value_name = "CHECKPOINT[:FROM[:FACTOR]]")]
    checkpoints: Vec<String>,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Drop weights whose errors add up to less than this in magnitude
    #[arg(long, default_value_t = 300.0, value_parser = numbers::not_negative::<f32>)]
    prune: f32,
    /// In stages that went on from the first, a packed network: a weight that it holds stays as it was if its errors add
    /// up to less than this in magnitude
    #[arg(long, value_name = "PRUNE", default_value_t = 0.0, value_parser = numbers::not_negative::<f32>)]
    prune_first: f32,
    /// The checkpoint that the first one was divided from: a weight that learned little in its own stage, after the
    /// division, is then that of the stage before. Not for stages that were started anew
    #[arg(long, value_name = "CHECKPOINT")]
    since: Option<PathBuf>,
    /// Value of one unit of a weight, in moves
    #[arg(long, default_value_t = 1.0, value_parser = numbers::positive::<f32>)]
    step: f32,
    /// Measure the cost with so many games without search, before and after
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u32,
    /// Replace the file of --out though it is no packed network
    #[arg(long)]
    force: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Packs, writes, reports.
pub fn pack(arguments: &Pack) -> Result<ExitCode> {
    let out = &arguments.out;
    let checkpoints: Vec<Checkpoint> =
        arguments.checkpoints.iter().map(|text| checkpoint(text)).collect::<Result<_>>()?;
    files::check_writable(out)?;
    // A checkpoint may be the work of hours.
    ensure_use!(
        arguments.force || !out.is_file() || is_packed(out)?,
        "{} exists and is no packed network: name another --out, or --force replaces it",
        out.display()
    );
    if let [Checkpoint { path, .. }] = &checkpoints[..]
        && let Ok(bytes) = std::fs::read(path)
        && old_network::is_old(&bytes)
    {
        let renewed = old_network::renew(&bytes).with_context(|| path.display().to_string())?;
        files::write(out, &renewed)?;
        if arguments.json {
            report::print("pack", &json!({ "out": out, "bytes": renewed.len(), "renewed_from_bytes": bytes.len() }))?;
        } else {
            outln!("file      {} bytes, renewed without loss from {} bytes", renewed.len(), bytes.len())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let Pack { prune, prune_first, step, games, .. } = *arguments;
    let settings = Settings { checkpoints, prune, prune_first, since: arguments.since.clone(), step, games };
    let packed = estr2048_training::pack::pack(&settings)?;
    files::write(out, &packed.bytes)?;
    if arguments.json {
        let told = |Strength { mean, large }: Strength| {
            let (games, ci95, mean) = (mean.count, mean.ci95(), mean.mean);
            json!({ "games": games, "mean": mean, "ci95": ci95, "reached_32768": large })
        };
        let strength =
            packed.strength.map(|[trained, packed]| json!({ "trained": told(trained), "packed": told(packed) }));
        let Packed { kept, dropped, clipped, bounds, .. } = &packed;
        let weights = json!({ "kept": kept, "dropped": dropped, "clipped": clipped });
        let bytes = packed.bytes.len();
        let report = json!({ "out": out, "bytes": bytes, "weights": weights, "bounds": bounds, "strength": strength });
        report::print("pack", &report)?;
        return Ok(ExitCode::SUCCESS);
    }
    outln!("weights   {} kept, {} dropped, {} clipped", packed.kept, packed.dropped, packed.clipped)?;
    outln!("stages    {} ({:?})", packed.bounds.len() + 1, packed.bounds)?;
    outln!("file      {} bytes", packed.bytes.len())?;
    if let Some([trained, packed]) = packed.strength {
        outln!("as trained, {games} games without search: {trained}")?;
        outln!("as packed,  {games} games without search: {packed}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A checkpoint: `FILE`, `FILE:SUM` or `FILE:SUM:FACTOR`. The name of the file may hold colons, too.
pub fn checkpoint(text: &str) -> Result<Checkpoint> {
    let wrong = |part: &str, what: &str| WrongUse(format!("{text}: {part:?} is no {what}"));
    let sum = |sum: &str| sum.parse().map_err(|_| wrong(sum, "sum of tiles"));
    let parts: Vec<&str> = text.rsplitn(3, ':').collect();
    let (path, from, factor) = match (&parts[..], text.rsplit_once(':')) {
        (&[factor, from, path], _) if sum(from).is_ok() => {
            (path, sum(from)?, numbers::positive(factor).map_err(|_| wrong(factor, "number above 0"))?)
        }
        (_, Some((path, from))) => (path, sum(from)?, 1.0),
        (_, None) => (text, 0, 1.0),
    };
    files::check_readable(path.as_ref())?;
    Ok(Checkpoint { path: path.into(), from, factor })
}
