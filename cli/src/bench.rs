//! `estr2048 bench`: the signature of the player, one number that says what its search decides.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use estr2048::network::weights;
use estr2048::player::signature::{POSITIONS, Signature};
use estr2048::search::MAX_THREADS;
use estr2048_toolbox::{outln, output, report};
use serde_json::json;

/// Print the signature of the computer player.
///
/// It plays 50 fixed positions with a fixed limit in evaluations. The numbers are the same on every machine and with any
/// number of threads; any change in what the search or the network decides changes them. The time goes to standard
/// error.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: estr2048 bench")]
pub struct Bench {
    /// Threads that search a move: they do not change the numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: u32,
    /// Work without the processor's bit-extract instruction: this does not change the numbers
    #[arg(long)]
    portable: bool,
    /// Print the signature as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Bench) -> Result<ExitCode> {
    let network = weights::standard()?.context("a signature needs a network: set ESTR_WEIGHTS to a network file")?;
    let network = if arguments.portable {
        let again = match std::env::var_os(weights::WEIGHTS_VARIABLE) {
            Some(path) => weights::load(path.as_ref())?,
            None => std::sync::Arc::into_inner(weights::embedded()?.context("the network is inside")?)
                .context("nobody else has this network")?,
        };
        again.portable().into()
    } else {
        network
    };
    let start = Instant::now();
    let signature = Signature::of(network, arguments.threads);
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        let Signature { evaluations, moves } = signature;
        let moves = format!("{moves:016x}");
        report::print("bench", &json!({ "evaluations": evaluations, "moves": moves, "seconds": seconds }))?;
        return Ok(ExitCode::SUCCESS);
    }
    outln!("Bench: {signature}")?;
    let (positions, speed) = (POSITIONS.len(), signature.evaluations as f64 / seconds);
    output::tell(format_args!("{positions} positions in {seconds:.2} s, {speed:.0} evaluations a second"));
    Ok(ExitCode::SUCCESS)
}
