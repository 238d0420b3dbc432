//! `estr2048 recover`: the seed of a game from its boards.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use estr2048::clairvoyant::recover::{BITS_TO_SEARCH, BITS_TO_TRUST, PARAMETER_SETS, Recovery};
use estr2048::tinymt32::Parameters;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::transcript::{boards, observations};
use estr2048_toolbox::{files, outln, report};
use serde::Serialize;

use crate::tinymt::Tinymt;

/// Find the seed of a game from its boards
#[derive(Debug, clap::Args)]
pub struct Recover {
    /// What ./game printed, or the boards of a game from its first one on, 16 numbers a line; - for standard input
    file: PathBuf,
    /// Parameters of TinyMT32 [default: zero, then official]
    #[arg(long)]
    tinymt: Option<Tinymt>,
    /// Threads of the search [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print what is found as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// The largest transcript that is read: dozens of games of the greatest length.
const LARGEST: u64 = 1 << 30;

/// Of many seeds that fit, so many are named.
const SHOWN: usize = 10;

/// What was found.
#[derive(Serialize)]
struct Found {
    /// How many seeds fit.
    candidates: usize,
    /// The first of them.
    seeds: Vec<Candidate>,
    observations: usize,
    bits: f64,
    /// Wrong seeds that fit by accident, on average.
    expected_accidents: f64,
    tested: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Candidate {
    seed: u32,
    tinymt: &'static str,
}

/// Prints the seeds that fit. The exit status is 1 if there is none, or more than one.
pub fn recover(arguments: &Recover) -> Result<ExitCode> {
    let mut text = String::new();
    if arguments.file.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = String::from_utf8_lossy(&files::read_at_most(&arguments.file, LARGEST)?).into_owned();
    }
    let sets = arguments.tinymt.map_or(PARAMETER_SETS.to_vec(), |tinymt| vec![tinymt.parameters()]);
    let mut recovery = Recovery::new(&sets);
    for observation in observations(&boards(&text)?)? {
        recovery.observe(observation);
    }
    let (seen, bits) = (recovery.observations().len(), recovery.bits());
    ensure!(
        bits >= BITS_TO_SEARCH,
        "{seen} boards tell {bits:.0} bits, too few to search a 32-bit seed: give at least 9 boards, better 20"
    );

    let bar = Progress::new(recovery.total(), "seeds", arguments.quiet);
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(processors, usize::from);
    let start = Instant::now();
    while !recovery.is_complete() && recovery.trusted().is_none() {
        recovery.search(threads, Some(Instant::now() + Duration::from_millis(200)));
        bar.at(recovery.tested(), &format!("{} fit", recovery.candidates().len()));
    }
    bar.finish();

    let candidates = recovery.candidates();
    let found = Found {
        candidates: candidates.len(),
        seeds: candidates
            .take(SHOWN)
            .map(|candidate| Candidate { seed: candidate.seed, tinymt: set_name(candidate.parameters) })
            .collect(),
        observations: seen,
        bits,
        expected_accidents: recovery.total() as f64 * (-bits).exp2(),
        tested: recovery.tested(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if arguments.json {
        report::print("recover", &found)?;
    } else {
        found.print()?;
    }
    Ok(if found.candidates == 1 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Found {
    fn print(&self) -> Result<()> {
        let Self { candidates, observations, bits, tested, seconds, .. } = self;
        for Candidate { seed, tinymt } in &self.seeds {
            outln!("seed {seed} with {tinymt} parameters")?;
        }
        if *candidates > SHOWN {
            outln!("... and {} more", candidates - SHOWN)?;
        }
        outln!(
            "{candidates} candidates left; {observations} observations ({bits:.1} bits) used; {tested} seeds tested in \
             {seconds:.2} s, {:.0} million a second",
            *tested as f64 / seconds / 1e6
        )?;
        match candidates {
            0 => outln!("No 32-bit seed draws these cells: the game has another generator or another seeding."),
            1 if *bits < BITS_TO_TRUST => {
                let accidents = self.expected_accidents;
                outln!("Wrong seeds that fit by accident: {accidents:.2e} expected; more boards make sure.")
            }
            1 => Ok(()),
            _ => outln!("More boards of the same game tell them apart."),
        }
    }
}

fn set_name(parameters: Parameters) -> &'static str {
    if parameters == Parameters::ZERO { "zero" } else { "official" }
}
