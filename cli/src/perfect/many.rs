//! The best score that planning finds, seed by seed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048::bitboard::MAX_SUM;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::plan::{Search, network};
use crate::tinymt::Tinymt;

/// What came of one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    seed: u32,
    tinymt: String,
    score: i64,
    seconds: f64,
    dead_ends: usize,
}

/// Plans the games that are not in the file yet, and prints the table.
pub fn plan(seeds: RangeInclusive<u32>, tinymt: Tinymt, search: &Search, out: Option<&PathBuf>) -> Result<ExitCode> {
    let parameters = tinymt.parameters();
    let tinymt = format!("{tinymt:?}").to_lowercase();
    let mut records = BTreeMap::new();
    if let Some(path) = out.filter(|path| path.exists()) {
        let name = || path.display().to_string();
        for line in std::fs::read_to_string(path).with_context(name)?.lines() {
            let record: Record = serde_json::from_str(line).with_context(name)?;
            if record.tinymt == tinymt && seeds.contains(&record.seed) {
                records.insert(record.seed, record);
            }
        }
    }
    let out = out.map(|path| {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.with_context(|| path.display().to_string())
    });
    let mut out = out.transpose()?;
    let network = network()?;
    let bar = ProgressBar::new(seeds.clone().count() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} seeds, {msg} ETA {eta}")?);
    for seed in seeds {
        if let Entry::Vacant(place) = records.entry(seed) {
            let game = search.plan(&network, seed, parameters, |state| {
                if state.depth.is_multiple_of(512) {
                    bar.set_message(format!("seed {seed} at {},", state.sum));
                }
            })?;
            let seconds = (game.time.as_secs_f64() * 100.0).round() / 100.0;
            let record = Record { seed, tinymt: tinymt.clone(), score: game.score, seconds, dead_ends: game.deaths };
            if let Some(out) = &mut out {
                writeln!(out, "{}", serde_json::to_string(&record)?)?;
            }
            place.insert(record);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    print_table(&records.into_values().collect::<Vec<_>>());
    Ok(ExitCode::SUCCESS)
}

fn print_table(records: &[Record]) {
    println!("{:>10} {:>8} {:>9} {:>9}", "seed", "score", "seconds", "dead ends");
    for Record { seed, score, seconds, dead_ends, .. } in records {
        println!("{seed:>10} {score:>8} {seconds:>9.2} {dead_ends:>9}");
    }
    let mut times: Vec<f64> = records.iter().map(|record| record.seconds).collect();
    times.sort_by(f64::total_cmp);
    let perfect = records.iter().filter(|record| record.score == MAX_SUM).count();
    if let Some(longest) = times.last() {
        let median = times[times.len() / 2];
        println!("{perfect} of {} seeds reach {MAX_SUM}; median {median:.2} s, longest {longest:.2} s", times.len());
    }
}
