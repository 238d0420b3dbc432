//! `estr2048 lab learn` and `lab play`: a learner for small boards, up to the first fill or to the ceiling.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::statistics::rate_ci95;
use estr2048_toolbox::{ensure_use, files, interrupt, numbers, output};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::arguments::{Board, Teller, parse_points, stopped, with_fill};
use crate::grid::Grid;
use crate::network::{TUPLES_3X4, Tuples};
use crate::player::{End, Gate, Player};
use crate::store;

#[derive(Debug, Args)]
struct Network {
    /// A tuple: its cells in reading order; repeat for more [default: the four six-tuples for 3×4]
    #[arg(long = "tuple", value_name = "CELLS", value_parser = parse_tuple)]
    tuples: Vec<Tuple>,
    /// Folder of sure sets (`lab sets --out`) that decide a game at --gate; for `lab play` one for each of several fills,
    /// in their order
    #[arg(long, value_name = "FOLDER", requires = "gate")]
    sets: Vec<PathBuf>,
    /// So many points before the fill of its sets, a game in the sure set has won. Where games go on from an earlier fill
    /// it must lie well behind that: a sure way through it may take some thirty points
    #[arg(long, value_name = "POINTS", requires = "sets", value_parser = parse_points)]
    gate: Vec<u32>,
    /// Games begin behind this fill, a sum that needs every cell, with the tiles that it leaves, anywhere, and go on to the
    /// ceiling, the highest sum: with 4096 alone behind 4096, the first fill of 3×4, with 4096 and 2048 behind 6144
    #[arg(long, value_name = "SUM")]
    behind: Option<u32>,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Debug)]
struct Tuple(Vec<u32>);

fn parse_tuple(text: &str) -> Result<Tuple, String> {
    let cells = text.split(',').map(|cell| cell.trim().parse().map_err(|_| format!("{cell:?} is no cell")));
    let cells: Vec<u32> = cells.collect::<Result<_, _>>()?;
    if (1..=6).contains(&cells.len()) { Ok(Tuple(cells)) } else { Err("a tuple has 1 to 6 cells".to_owned()) }
}

/// A part of a game: up to a fill, and the folder of the sets that decide it so many points before.
struct Part<'a> {
    grid: Grid,
    gate: Option<(&'a Path, u32)>,
}

impl Part<'_> {
    fn player(&self, network: Tuples, seed: u64) -> Result<Player<'_>> {
        let gate = self.gate.map(|(folder, points)| Gate::load(folder, &self.grid, points)).transpose()?;
        Ok(Player::new(&self.grid, network, gate, seed))
    }
}

impl Network {
    /// The network of a file, or one that knows nothing.
    fn tuples(&self, grid: &Grid, file: Option<&Path>) -> Result<Tuples> {
        let tuples: Vec<Vec<u32>> = match &self.tuples[..] {
            [] => TUPLES_3X4.map(Vec::from).into(),
            own => own.iter().map(|tuple| tuple.0.clone()).collect(),
        };
        let mut network = Tuples::new(grid, &tuples)?;
        if let Some(file) = file {
            network.read(file)?;
        }
        Ok(network)
    }

    /// The fill behind which games begin.
    fn behind(&self, grid: &Grid) -> Result<Option<Grid>> {
        ensure_use!(grid.cells() < 16, "4×4 has no learner here: `estr2048 train` and `run` have");
        ensure_use!(self.behind != Some(grid.ceiling()), "nothing follows {}, the highest sum", grid.ceiling());
        self.behind.map(|sum| with_fill(grid.clone(), sum)).transpose()
    }

    /// The parts of a game: to the fill of each gate, and to where it ends, the first fill or the ceiling. With `follow`
    /// the sets behind the gates are needed as well.
    fn parts(&self, grid: &Grid, to_the_ceiling: bool, follow: bool) -> Result<Vec<Part<'_>>> {
        ensure_use!(self.sets.len() == self.gate.len(), "every --sets needs its --gate, and every --gate its --sets");
        let mut parts: Vec<Part<'_>> = Vec::new();
        for (folder, &points) in self.sets.iter().zip(&self.gate) {
            let grid =
                grid.clone().with_fill(store::fill(folder, points)?).with_context(|| folder.display().to_string())?;
            Gate::check(folder, &grid, points, follow)?;
            parts.push(Part { grid, gate: Some((folder, points)) });
        }
        let fills = |parts: &[Part<'_>]| parts.iter().map(|part| part.grid.fill()).collect::<Vec<u32>>();
        ensure_use!(fills(&parts).is_sorted_by(|one, next| one < next), "the --sets must be those of ascending fills");
        let (first, ceiling) = (grid.fill(), grid.ceiling());
        if self.behind.is_none() && fills(&parts).first() != Some(&first) {
            parts.insert(0, Part { grid: grid.clone(), gate: None });
        }
        if to_the_ceiling && fills(&parts).last() != Some(&ceiling) {
            parts.push(Part { grid: grid.clone().with_fill(ceiling)?, gate: None });
        }
        let mut begin = self.behind.unwrap_or(0);
        for part in &parts {
            if let Some((folder, points)) = part.gate {
                let (fill, folder) = (part.grid.fill(), folder.display());
                ensure_use!(
                    begin + points < fill,
                    "{points} points before {fill}, the gate of {folder}, games have not begun: they do at {begin}"
                );
            }
            begin = part.grid.fill();
        }
        ensure_use!(
            to_the_ceiling || parts.len() == 1,
            "sets of later fills are for games that begin --behind the fill {first}, or go on with another network, --then"
        );
        Ok(parts)
    }
}

/// Learn to make the tile 2^cells, or to go on behind a fill, alone or with sure sets as a teacher.
#[derive(Debug, Args)]
pub struct Learn {
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    network: Network,
    /// File for the network, written at every line of the curve
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists: what it learned is lost
    #[arg(long)]
    force: bool,
    /// Go on from this network
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Games to learn from
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games between two lines of the curve
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Step size at the beginning
    #[arg(long, default_value_t = 1.0, value_parser = numbers::not_negative::<f32>)]
    alpha: f32,
    /// Step size at the end; falls evenly [default: as at the beginning]
    #[arg(long, value_parser = numbers::not_negative::<f32>)]
    alpha_end: Option<f32>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Measure a learned network, with search and with sure sets.
#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    network: Network,
    /// The network that `lab learn` wrote
    #[arg(value_name = "NETWORK")]
    file: PathBuf,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Evaluations a move: divided among the moves and the cells
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = numbers::positive::<f32>)]
    budget: f32,
    /// Play the sure games on by the sets to the fill, which all of them must pass
    #[arg(long, requires = "sets")]
    follow: bool,
    /// Network for what follows a fill (`lab learn --behind`): the games go on with it to the ceiling. Repeat it for what
    /// follows the next fill that has a gate
    #[arg(long, value_name = "NETWORK")]
    then: Vec<PathBuf>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Learns, and writes what was learned.
pub fn learn(arguments: &Learn, teller: Teller) -> Result<ExitCode> {
    let grid = arguments.board.grid()?;
    let out = &arguments.out;
    // A learned network may be the work of hours.
    files::check_kept(out, arguments.resume.as_ref(), arguments.force)?;
    files::check_writable(out)?;
    let network = &arguments.network;
    let behind = network.behind(&grid)?;
    ensure_use!(network.sets.len() <= 1, "a learner has one gate at most");
    // What follows a gate is for another network.
    let parts = network.parts(&grid, behind.is_some() && network.sets.is_empty(), false)?;
    let part = &parts[0];
    let mut player = part.player(network.tuples(&grid, arguments.resume.as_deref())?, network.seed)?;
    interrupt::catch()?;
    let start = Instant::now();
    let bar = Progress::new(arguments.games, "games", arguments.quiet);
    teller.head(format_args!("{:>9} {:>9} {:>9} {:>9} {:>9}", "games", "made", "sure", "lost at", "seconds"))?;
    let (mut made, mut sure, mut lost) = (0, 0, 0_u64);
    for game in 0..arguments.games {
        let done = game as f32 / arguments.games as f32;
        let alpha = arguments.alpha + (arguments.alpha_end.unwrap_or(arguments.alpha) - arguments.alpha) * done;
        let first = player.first(behind.as_ref());
        match player.learn(first, alpha) {
            End::Made(_) => made += 1,
            End::Sure(_) => sure += 1,
            End::Lost(sum) => lost += u64::from(sum),
        }
        let (count, stopped) = (game + 1, interrupt::asked());
        bar.at(count, "");
        if stopped || count % arguments.every == 0 || count == arguments.games {
            let games = game % arguments.every + 1;
            let share = |count: u64| count as f64 / games as f64;
            let at = lost / (games - made - sure).max(1);
            let seconds = start.elapsed().as_secs_f64();
            let (made_share, sure_share) = (share(made), share(sure));
            player.network.save(out)?;
            bar.aside(|| {
                teller.tell(
                    format_args!("{count:>9} {made_share:>9.4} {sure_share:>9.4} {at:>9} {seconds:>9.0}"),
                    json!({ "games": count, "made": made_share, "sure": sure_share, "lost_at": at,
                        "seconds": seconds }),
                )
            })?;
            (made, sure, lost) = (0, 0, 0);
        }
        if stopped {
            bar.finish();
            let (total, out) = (arguments.games, out.display());
            output::tell(format_args!(
                "stopped after {count} of {total} games; --resume {out} goes on with what was learned"
            ));
            return Ok(ExitCode::from(interrupt::STATUS));
        }
    }
    bar.finish();
    Ok(ExitCode::SUCCESS)
}

/// Plays games, part by part, and tells how they ended.
pub fn play(arguments: &Play, teller: Teller) -> Result<ExitCode> {
    let grid = arguments.board.grid()?;
    let network = &arguments.network;
    let behind = network.behind(&grid)?;
    let parts = network.parts(&grid, behind.is_some() || !arguments.then.is_empty(), arguments.follow)?;
    ensure_use!(
        arguments.then.len() < parts.len(),
        "{} networks for {} parts: one for each gate, and one for what follows the last",
        arguments.then.len() + 1,
        parts.len()
    );
    let goes_on = parts[..parts.len() - 1].iter().any(|part| part.gate.is_some());
    ensure_use!(arguments.follow || !goes_on, "games go on behind a gate only with --follow");
    for file in &arguments.then {
        files::check_readable(file)?;
        File::open(file).with_context(|| file.display().to_string())?;
    }
    interrupt::catch()?;
    let mut tuples = network.tuples(&grid, Some(&arguments.file))?;
    let mut seeds = SmallRng::seed_from_u64(network.seed);
    let mut won: Option<Vec<u64>> = None;
    for (number, part) in parts.iter().enumerate() {
        if let Some(then) = number.checked_sub(1).and_then(|number| arguments.then.get(number)) {
            tuples.read(then)?;
        }
        let seed = if number == 0 { network.seed } else { seeds.random() };
        let mut player = part.player(tuples, seed)?;
        let mut starts = won.map(Vec::into_iter);
        let wanted = starts.as_ref().map_or(arguments.games, |starts| starts.len() as u64);
        let mut ends = Vec::new();
        let bar = Progress::new(wanted, "games", arguments.quiet);
        while (ends.len() as u64) < wanted && !interrupt::asked() {
            let first = starts.as_mut().and_then(Iterator::next);
            let first = first.unwrap_or_else(|| player.first(behind.as_ref()));
            ends.push(player.play(first, arguments.budget));
            bar.at(ends.len() as u64, "");
        }
        bar.finish();
        let played = ends.len() as u64;
        if number > 0 && played < wanted {
            // What became of the others is not known, so no share of all games is.
            return Ok(stopped(played, wanted));
        }
        let all = if number == 0 { played } else { arguments.games };
        won = part.tell(arguments, &mut player, &ends, all as usize, teller)?;
        if played < wanted {
            return Ok(stopped(played, wanted));
        }
        if won.is_none() {
            output::tell(format_args!("stopped while the sure games were played on"));
            return Ok(ExitCode::from(interrupt::STATUS));
        }
        tuples = player.network;
    }
    Ok(ExitCode::SUCCESS)
}

impl Part<'_> {
    /// Tells how these games out of `all` that began ended, plays the sure ones on if that is asked for, and returns the
    /// boards of those that go on; `None` if the work was asked to stop before they are known.
    fn tell(
        &self,
        arguments: &Play,
        player: &mut Player<'_>,
        ends: &[End],
        all: usize,
        teller: Teller,
    ) -> Result<Option<Vec<u64>>> {
        let (mut made, mut sure, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        for &end in ends {
            match end {
                End::Made(after) => made.push(after),
                End::Sure(after) => sure.push(after),
                End::Lost(sum) => lost.push(sum),
            }
        }
        lost.sort_unstable();
        let (games, by_play, at_gate) = (ends.len(), made.len(), sure.len());
        let passed = by_play + at_gate;
        let share = passed as f64 / all.max(1) as f64;
        let (low, high) = rate_ci95(passed, all);
        let (fill, target) = (self.grid.fill(), self.grid.target());
        let (what, done) = match fill {
            _ if fill == target => (format!("with {target}"), format!("made {target}")),
            _ if fill == self.grid.ceiling() => (format!("at {fill}"), format!("came to {fill}")),
            _ => (format!("past {fill}"), format!("came past {fill}")),
        };
        let mut words = format!(
            "{games} games: {by_play} made by play, sure at the gate {at_gate}\n\
             share {what}: {share:.4} ({low:.4} to {high:.4})"
        );
        let mut object = json!({ "games": games, "made": by_play, "sure": at_gate, "fill": fill, "target": target,
            "share": share, "share_ci95": [low, high] });
        if let (Some(first), Some(last)) = (lost.first(), lost.last()) {
            let half = lost[lost.len() / 2];
            words += &format!("\nlost at {first} to {last}, half of them before {half}");
            object["lost_at"] = json!({ "first": first, "median": half, "last": last });
        }
        let mut go_on = Some(made);
        if let Some((folder, points)) = self.gate.filter(|_| arguments.follow) {
            let followed = player.follow(folder, points, sure)?;
            if let Some(count) = followed.as_ref().map(Vec::len) {
                ensure!(count == at_gate, "{} of {at_gate} sure games were lost: the sets are wrong", at_gate - count);
                words += &format!("\nfollowed by the sets: {count} of {at_gate} {done}");
                object["followed"] = json!({ "games": at_gate, "made": count });
            }
            go_on = go_on.zip(followed).map(|(made, followed)| [made, followed].concat());
        }
        teller.tell(words, object)?;
        Ok(go_on)
    }
}
