//! `estr2048 pack`: from checkpoints to the small file that ships, and what that costs in strength.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{ensure_use, files, numbers, outln, report};
use estr2048_training::checkpoint::is_packed;
use estr2048_training::layouts;
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
    /// Weights of layouts (`estr2048 layouts`), for the last 1024 points before a fill, in place of all stages from there on;
    /// with several, their mean [default: those of the last packed network that has any]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    layouts: Vec<PathBuf>,
    /// Drop weights of layouts whose errors add up to less than this in magnitude
    #[arg(long, value_name = "PRUNE", default_value_t = 0.02, value_parser = numbers::not_negative::<f32>)]
    prune_layouts: f32,
    /// What it is worth to come through the fill of 65536, that of 98304 and so on, in moves; the last counts for those after
    /// it, too
    #[arg(long, value_name = "MOVES", value_delimiter = ',', default_values_t = WORTHS, value_parser = numbers::positive::<f32>)]
    worths: Vec<f32>,
    /// Moves of the best play before a fill, or on the way to 131070 (`estr2048 lab tablebase`, `lab endgame-play`, or a packed
    /// network that has some); with several, the first that holds a board counts [default: those of the last packed network that has any]
    #[arg(long = "tablebase", value_name = "FILE", num_args = 1..)]
    tablebases: Vec<PathBuf>,
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

/// About what the shipped network says of boards right behind the fills.
const WORTHS: [f32; 5] = [17_000.0, 13_000.0, 8000.0, 900.0, 500.0];

impl Pack {
    fn layouts(&self) -> Option<layouts::pack::Settings> {
        let last = self.worths.last().copied().unwrap_or(1.0);
        let worths = std::array::from_fn(|fill| self.worths.get(fill).copied().unwrap_or(last));
        let Self { layouts: trainings, prune_layouts: prune, .. } = self;
        (!trainings.is_empty()).then(|| layouts::pack::Settings { trainings: trainings.clone(), prune: *prune, worths })
    }
}

/// Packs, writes, reports.
pub fn pack(arguments: &Pack) -> Result<ExitCode> {
    let out = &arguments.out;
    arguments.layouts.iter().chain(&arguments.tablebases).try_for_each(|path| files::check_readable(path))?;
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
    let (since, layouts, tablebases) = (arguments.since.clone(), arguments.layouts(), arguments.tablebases.clone());
    let settings = Settings { checkpoints, prune, prune_first, since, step, layouts, tablebases, games };
    let packed = estr2048_training::pack::pack(&settings)?;
    files::write(out, &packed.bytes)?;
    if arguments.json {
        let told = |Strength { mean, large }: Strength| {
            let (games, ci95, mean) = (mean.count, mean.ci95(), mean.mean);
            json!({ "games": games, "mean": mean, "ci95": ci95, "reached_32768": large })
        };
        let strength =
            packed.strength.map(|[trained, packed]| json!({ "trained": told(trained), "packed": told(packed) }));
        let Packed { kept, dropped, clipped, bounds, layouts, tablebase, .. } = &packed;
        let weights = json!({ "kept": kept, "dropped": dropped, "clipped": clipped, "layouts": layouts });
        let bytes = packed.bytes.len();
        let report = json!({ "out": out, "bytes": bytes, "weights": weights, "bounds": bounds, "tablebase": tablebase,
            "strength": strength });
        report::print("pack", &report)?;
        return Ok(ExitCode::SUCCESS);
    }
    outln!("weights   {} kept, {} dropped, {} clipped", packed.kept, packed.dropped, packed.clipped)?;
    if let Some(layouts) = packed.layouts {
        outln!("layouts   {layouts} weights")?;
    }
    if let Some(boards) = packed.tablebase {
        outln!("tablebase {boards} boards")?;
    }
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
