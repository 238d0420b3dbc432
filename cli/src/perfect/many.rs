//! The best score that planning finds, seed by seed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::Result;
use estr2048::bitboard::MAX_SUM;
use estr2048_figures::Planned;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::results::Results;
use estr2048_toolbox::{files, interrupt, outln, report};
use serde::{Deserialize, Serialize};

use super::plan::{How, network};
use crate::players::network_checksum;

/// What the command calls itself in its reports and files.
const COMMAND: &str = "perfect --seeds";

/// All that the results of a file depend on.
#[derive(Serialize)]
struct MadeBy {
    tinymt: String,
    network: Option<String>,
    beam: usize,
}

/// What came of one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    seed: u32,
    score: i64,
    seconds: f64,
    dead_ends: usize,
    /// Whether the planning came to its own end; one that ran out of time may find more with more of it.
    finished: bool,
    limit_s: u64,
}

/// Plans the games that are not in the file yet, and prints the table.
pub fn plan(seeds: RangeInclusive<u32>, how: &How) -> Result<ExitCode> {
    let How { tinymt, out, search, .. } = how;
    if how.plot.is_some() {
        files::check_outputs(how.plot.iter().chain(out))?;
    }
    interrupt::catch()?;
    let made_by =
        MadeBy { tinymt: format!("{tinymt:?}").to_lowercase(), network: network_checksum(None)?, beam: search.beam };
    let mut records = BTreeMap::new();
    let mut file = None;
    if let Some(path) = out {
        let (results, old) = Results::open::<Record>(path, &report::headed(COMMAND, &made_by))?;
        let settled = |record: &Record| record.finished || record.limit_s >= search.limit_s;
        let wanted = old.into_iter().filter(|record| seeds.contains(&record.seed) && settled(record));
        // The last result of a seed counts: it had the most time.
        records = wanted.map(|record| (record.seed, record)).collect();
        file = Some(results);
    }
    let network = network()?;
    let total = u64::from(seeds.end() - seeds.start()) + 1;
    let bar = Progress::new(total, "seeds", how.quiet);
    for seed in seeds.clone() {
        if let Entry::Vacant(place) = records.entry(seed) {
            let game = search.plan(&network, seed, tinymt.parameters(), |state| {
                if state.depth.is_multiple_of(512) {
                    bar.at(bar.done(), &format!("seed {seed} at {}", state.sum));
                }
            })?;
            if interrupt::asked() {
                break;
            }
            let seconds = (game.time.as_secs_f64() * 100.0).round() / 100.0;
            let (score, dead_ends, finished) = (game.score, game.deaths, game.finished);
            let record = Record { seed, score, seconds, dead_ends, finished, limit_s: search.limit_s };
            if let Some(file) = &mut file {
                file.add(&record)?;
            }
            place.insert(record);
        }
        bar.at(bar.done() + 1, "");
    }
    bar.finish();
    let records: Vec<Record> = records.into_values().collect();
    if let (Some(path), false) = (&how.plot, records.is_empty()) {
        let title = format!("Planned games, {} parameters: {}", made_by.tinymt, share(&records));
        let games = records.iter().map(|&Record { seed, score, seconds, .. }| Planned { seed, score, seconds });
        files::write(path, estr2048_figures::planned(&games.collect::<Vec<_>>(), &title))?;
    }
    if how.json {
        report::print(COMMAND, &Report { made_by, games: &records })?;
    } else {
        print_table(&records)?;
    }
    Ok(interrupt::status(records.len() as u64, total, "seeds", out.is_some()))
}

/// What made the results, and the results.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    made_by: MadeBy,
    games: &'a [Record],
}

fn share(records: &[Record]) -> String {
    let perfect = records.iter().filter(|record| record.score == MAX_SUM).count();
    format!("{perfect} of {} seeds reach {MAX_SUM}", records.len())
}

fn print_table(records: &[Record]) -> Result<()> {
    outln!("{:>10} {:>8} {:>9} {:>9}", "seed", "score", "seconds", "dead ends")?;
    for Record { seed, score, seconds, dead_ends, .. } in records {
        outln!("{seed:>10} {score:>8} {seconds:>9.2} {dead_ends:>9}")?;
    }
    let mut times: Vec<f64> = records.iter().map(|record| record.seconds).collect();
    times.sort_by(f64::total_cmp);
    if let Some(longest) = times.last() {
        outln!("{}; median {:.2} s, longest {longest:.2} s", share(records), times[times.len() / 2])?;
    }
    Ok(())
}
