//! `estr2048 recover`: the seed of a game from its boards.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use estr2048::board::GameBoard;
use estr2048::clairvoyant::observation::Observation;
use estr2048::clairvoyant::recover::{BITS_TO_SEARCH, BITS_TO_TRUST, PARAMETER_SETS, Recovery};
use estr2048::tinymt32::Parameters;

use crate::tinymt::Tinymt;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{outln, position};

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
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

const SHOWN: usize = 10;

/// Prints the seeds that fit. The exit status is 1 if there is none, or more than one.
pub fn recover(arguments: &Recover) -> Result<ExitCode> {
    let name = arguments.file.display();
    let mut text = String::new();
    if arguments.file.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text)?;
    } else {
        text = std::fs::read_to_string(&arguments.file).with_context(|| name.to_string())?;
    }
    let boards = boards(&text)?;
    let sets = arguments.tinymt.map_or(PARAMETER_SETS.to_vec(), |tinymt| vec![tinymt.parameters()]);
    let mut recovery = Recovery::new(&sets);
    for observation in observations(&boards)? {
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

    let seconds = start.elapsed().as_secs_f64();
    let candidates = recovery.candidates();
    let found = candidates.len();
    for candidate in candidates.take(SHOWN) {
        outln!("seed {} with {} parameters", candidate.seed, set_name(candidate.parameters))?;
    }
    if found > SHOWN {
        outln!("... and {} more", found - SHOWN)?;
    }
    let tested = recovery.tested();
    outln!(
        "{} candidates left; {seen} observations ({bits:.1} bits) used; {tested} seeds tested in {seconds:.2} s, {:.0} \
         million a second",
        found,
        tested as f64 / seconds / 1e6
    )?;
    match found {
        0 => outln!("No 32-bit seed draws these cells: the game has another generator or another seeding.")?,
        1 if bits < BITS_TO_TRUST => {
            outln!("Wrong seeds that fit by accident: {:.2e} expected; more boards make sure.", accidents(&recovery))?;
        }
        1 => {}
        _ => outln!("More boards of the same game tell them apart.")?,
    }
    Ok(if found == 1 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn accidents(recovery: &Recovery) -> f64 {
    recovery.total() as f64 * (-recovery.bits()).exp2()
}

fn set_name(parameters: Parameters) -> &'static str {
    if parameters == Parameters::ZERO { "zero" } else { "official" }
}

/// All boards of a text, in order; a board that is printed again is left out.
fn boards(text: &str) -> Result<Vec<GameBoard>> {
    let mut boards = Vec::new();
    if text.contains('|') {
        let rows: Vec<&str> = text.lines().filter_map(|line| Some(&line[line.find('|')?..=line.rfind('|')?])).collect();
        for rows in rows.chunks_exact(4) {
            boards.push(position::parse(&rows.join("\n"))?);
        }
    } else {
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            boards.push(position::parse(line)?);
        }
    }
    boards.dedup();
    Ok(boards)
}

/// What the boards tell, up to the last one, or up to the first board of another game.
fn observations(boards: &[GameBoard]) -> Result<Vec<Observation>> {
    let Some((first, later)) = boards.split_first() else { bail!("there is no board in the input") };
    let first = Observation::of_first(first)
        .context("the first board is not the first of a game: it must hold one 2 and nothing else")?;
    let mut observations = vec![first];
    for (number, (board, previous)) in later.iter().zip(boards).enumerate() {
        if Observation::of_first(board).is_some() {
            break;
        }
        let after = Observation::after_some_move(previous, board);
        observations.push(after.with_context(|| {
            format!("board {} does not follow from the one before it by a move and one new 2", number + 2)
        })?);
    }
    Ok(observations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_from_a_transcript_and_from_numbers() {
        let picture = "Input: +----+\n|   2|    |    |    |\n+--+\n|||||\n|||||\n|||||\n";
        let picture = picture.replace("|||||", "|    |    |    |    |");
        let numbers = "# a game\n2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n\n2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
        assert_eq!(boards(&picture).unwrap(), boards(numbers).unwrap());
        assert_eq!(boards(numbers).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let first = [[0, 0, 0, 2], [0; 4], [0; 4], [0; 4]];
        let broken = [[0, 0, 0, 4], [0; 4], [0; 4], [2, 0, 0, 0]];
        assert!(observations(&[]).is_err());
        assert!(observations(&[broken]).is_err());
        assert!(observations(&[first, broken]).is_err());
        let follows = [[2, 0, 0, 0], [0; 4], [0; 4], [2, 0, 0, 0]];
        assert_eq!(observations(&[first, follows]).unwrap().len(), 2);
    }
}
