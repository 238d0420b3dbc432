//! `estr2048 train`: temporal difference learning of a network, on any number of threads.

pub mod checkpoint;
pub mod pack;
pub mod tables;
mod worker;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use estr2048::Bitboard;
use estr2048::network::Shape;
use indicatif::{ProgressBar, ProgressStyle};

use checkpoint::Progress;
use estr2048_toolbox::position;
use tables::Tables;
use worker::{Outcome, Recipe, Reward, Worker};

/// Train a network.
#[derive(Debug, clap::Args)]
pub struct Train {
    /// Checkpoint file; the learning curve goes to the same name with `.csv`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on from this checkpoint
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// A tuple: its cells, 0 to 15 in reading order; repeat for more [default: the four six-tuples of the shipped
    /// network]
    #[arg(long = "tuple", value_name = "CELLS", value_parser = parse_tuple)]
    tuples: Vec<u16>,
    /// Sums at which a new stage begins; with --resume, stages are divided
    #[arg(long, value_name = "SUMS", value_delimiter = ',')]
    stages: Option<Vec<u32>>,
    /// With --resume: the stages that begin at this sum or above start anew
    #[arg(long, value_name = "SUM", requires = "resume")]
    fresh_from: Option<u32>,
    /// Value of an afterstate whose weights are all new, in moves: a high one makes the training try what it does not
    /// know
    #[arg(long, value_name = "V", default_value_t = 0.0)]
    initial: f32,
    /// λ of TD(λ)
    #[arg(long, default_value_t = 0.5)]
    lambda: f32,
    /// What is learned
    #[arg(long, default_value = "moves")]
    reward: Reward,
    /// Step size at the beginning
    #[arg(long, default_value_t = 1.0)]
    alpha: f32,
    /// Step size at the end of the limit; falls evenly [default: as at the beginning]
    #[arg(long)]
    alpha_end: Option<f32>,
    /// File of boards to start games from, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,
    /// Sums of the boards that are taken from that file
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "0..65536")]
    start_sums: (u32, u32),
    /// Share of the games that start from such boards
    #[arg(long, default_value_t = 0.5)]
    start_share: f64,
    /// Moves that a game from such a board goes on after it made a 65536
    #[arg(long, default_value_t = 128)]
    moves_after_top: u32,
    /// Stop after so many minutes (this run's)
    #[arg(long)]
    minutes: Option<f64>,
    /// Stop after so many games (in all)
    #[arg(long)]
    games: Option<u64>,
    /// Minutes between checkpoints
    #[arg(long, default_value_t = 5.0)]
    checkpoint_minutes: f64,
    /// Threads; more than one make the result depend on the order of their updates
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Seed of the training games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The tuples of the shipped network: cells 0-5, 4-9, two blocks of 2×3.
const TUPLES: [u16; 4] = [0x003f, 0x03f0, 0x0077, 0x0770];

/// Seconds between two lines of the learning curve.
const CURVE_SECONDS: f64 = 30.0;

fn parse_tuple(text: &str) -> Result<u16, String> {
    text.split(',').try_fold(0, |cells, cell| match cell.trim().parse::<u32>() {
        Ok(cell @ 0..16) => Ok(cells | 1 << cell),
        _ => Err(format!("{cell:?} is no cell from 0 to 15")),
    })
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse().map_err(|error| format!("{text:?}: {error}"));
    let (low, high) = text.split_once("..").ok_or("expected A..B")?;
    Ok((parse(low)?, parse(high)?))
}

/// What happened since the last line of the learning curve.
#[derive(Debug, Default)]
struct Window {
    games: u64,
    sum: u64,
    reached: [u64; SUMS.len()],
    restarts: u64,
    restart_moves: u64,
    restart_tops: u64,
}

const SUMS: [u32; 6] = [16384, 32768, 49152, 57344, 61440, 65536];

impl Window {
    fn add(&mut self, outcome: Outcome) {
        if outcome.restarted {
            self.restarts += 1;
            self.restart_moves += outcome.moves;
            self.restart_tops += u64::from(outcome.sum > 65536);
            return;
        }
        self.games += 1;
        self.sum += u64::from(outcome.sum);
        for (count, sum) in self.reached.iter_mut().zip(SUMS) {
            *count += u64::from(outcome.sum >= sum);
        }
    }
}

/// Trains until the limit or Ctrl-C.
pub fn train(arguments: &Train) -> Result<ExitCode> {
    ensure!(arguments.threads > 0, "--threads must be at least 1");
    ensure!((0.0..=1.0).contains(&arguments.start_share), "--start-share must be between 0 and 1");
    let renewed = arguments.resume.is_none() || arguments.fresh_from.is_some() || arguments.initial == 0.0;
    ensure!(renewed, "--initial is for new weights: with --resume, name them by --fresh-from");
    let (tables, before) = match &arguments.resume {
        Some(path) => {
            let (tables, progress) = checkpoint::load(path, arguments.stages.as_deref())?;
            tables.renew(arguments.fresh_from.unwrap_or(u32::MAX), arguments.initial);
            (tables, progress)
        }
        None => {
            let tuples = if arguments.tuples.is_empty() { &TUPLES[..] } else { &arguments.tuples };
            let shape = Shape::new(tuples, arguments.stages.as_deref().unwrap_or_default())?;
            let tables = Tables::zero(shape)?;
            tables.renew(0, arguments.initial);
            (tables, Progress::default())
        }
    };
    let recipe = Recipe {
        lambda: arguments.lambda,
        reward: arguments.reward,
        starts: match &arguments.starts {
            Some(path) => read_starts(path, arguments.start_sums)?,
            None => Vec::new(),
        },
        start_share: arguments.start_share,
        moves_after_top: arguments.moves_after_top,
    };
    let stop = AtomicBool::new(false);
    let asked_to_stop = std::sync::Arc::new(AtomicBool::new(false));
    let flag = asked_to_stop.clone();
    ctrlc::set_handler(move || flag.store(true, Relaxed)).context("Ctrl-C cannot be caught")?;

    let alpha = AtomicU32::new(arguments.alpha.to_bits());
    let shared = Mutex::new((before, Window::default()));
    let work = |thread: u64| {
        let seed = arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ before.games << 8 ^ thread;
        let mut worker = Worker::new(&tables, &recipe, seed);
        while !stop.load(Relaxed) {
            let outcome = worker.game(f32::from_bits(alpha.load(Relaxed)));
            let mut shared = shared.lock().expect("no worker panics while it counts");
            shared.0.games += 1;
            shared.0.moves += outcome.moves;
            shared.1.add(outcome);
            if arguments.games.is_some_and(|games| shared.0.games >= games) {
                stop.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let work = &work;
        for thread in 0..arguments.threads {
            scope.spawn(move || work(thread));
        }
        let result =
            watch(arguments, &tables, before, &shared, &alpha, &|| stop.load(Relaxed) || asked_to_stop.load(Relaxed));
        stop.store(true, Relaxed);
        result
    })?;
    let progress = shared.into_inner().expect("all workers have ended").0;
    checkpoint::save(&arguments.out, &tables, progress)?;
    println!("{} games, {} moves: {}", progress.games, progress.moves, arguments.out.display());
    Ok(ExitCode::SUCCESS)
}

/// Shows the progress, lowers the step size, writes the learning curve and the checkpoints, until it is time to stop.
fn watch(
    arguments: &Train,
    tables: &Tables,
    before: Progress,
    shared: &Mutex<(Progress, Window)>,
    alpha: &AtomicU32,
    stopped: &dyn Fn() -> bool,
) -> Result<()> {
    let mut curve = curve_file(&arguments.out.with_extension("csv"))?;
    let bar = ProgressBar::new(1000).with_style(ProgressStyle::with_template("{bar:30} {msg} ETA {eta}")?);
    let start = Instant::now();
    let mut last = (0.0, before.moves);
    let mut saved = 0.0;
    while !stopped() {
        std::thread::sleep(Duration::from_millis(200));
        let seconds = start.elapsed().as_secs_f64();
        let progress = {
            let mut shared = shared.lock().expect("no worker panics while it counts");
            shared.0.seconds = before.seconds + seconds;
            shared.0
        };
        let by_time = arguments.minutes.map(|minutes| seconds / (60.0 * minutes));
        let by_games = arguments.games.map(|games| progress.games as f64 / games.max(1) as f64);
        let done = by_time.unwrap_or(0.0).max(by_games.unwrap_or(0.0)).min(1.0);
        bar.set_position((done * 1000.0) as u64);
        let alpha_end = arguments.alpha_end.unwrap_or(arguments.alpha);
        alpha.store((arguments.alpha + (alpha_end - arguments.alpha) * done as f32).to_bits(), Relaxed);
        if by_time.is_some_and(|share| share >= 1.0) {
            break;
        }
        if seconds - last.0 >= CURVE_SECONDS {
            let window = std::mem::take(&mut shared.lock().expect("no worker panics while it counts").1);
            let speed = (progress.moves - last.1) as f64 / (seconds - last.0);
            last = (seconds, progress.moves);
            let line = curve_line(&window, progress, speed);
            writeln!(curve, "{line}")?;
            let mean = window.sum / window.games.max(1);
            bar.set_message(format!("{} games, {:.2} M moves/s, mean {mean}", progress.games, speed / 1e6));
        }
        if seconds - saved >= 60.0 * arguments.checkpoint_minutes {
            saved = seconds;
            checkpoint::save(&arguments.out, tables, progress)?;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn curve_file(path: &Path) -> Result<std::fs::File> {
    let new = !path.exists();
    let name = || path.display().to_string();
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
    if new {
        let sums = SUMS.map(|sum| format!("r{sum}")).join(",");
        writeln!(file, "seconds,games,moves,mean,{sums},moves_per_s,restarts,restart_moves,restart_65536")?;
    }
    Ok(file)
}

fn curve_line(window: &Window, progress: Progress, speed: f64) -> String {
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let reached = window.reached.map(|count| format!("{:.4}", share(count, window.games))).join(",");
    format!(
        "{:.0},{},{},{:.0},{reached},{speed:.0},{},{:.0},{:.4}",
        progress.seconds,
        progress.games,
        progress.moves,
        share(window.sum, window.games),
        window.restarts,
        share(window.restart_moves, window.restarts),
        share(window.restart_tops, window.restarts)
    )
}

fn read_starts(path: &Path, (low, high): (u32, u32)) -> Result<Vec<Bitboard>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut starts = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let board = position::parse(line).and_then(|board| Bitboard::from_board(&board).context("no board of a game"));
        let board = board.with_context(|| format!("{}, line {}", path.display(), number + 1))?;
        if (i64::from(low)..i64::from(high)).contains(&board.sum()) && !board.is_over() {
            starts.push(board);
        }
    }
    ensure!(!starts.is_empty(), "{} holds no boards of these sums", path.display());
    starts.sort_by_key(|board| board.sum());
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use estr2048::network::Evaluate;

    fn recipe(starts: Vec<Bitboard>) -> Recipe {
        let start_share = if starts.is_empty() { 0.0 } else { 1.0 };
        Recipe { lambda: 0.5, reward: Reward::Moves, starts, start_share, moves_after_top: 10 }
    }

    fn small_tables() -> Tables {
        Tables::zero(Shape::new(&[0x000f, 0x00f0, 0x0033], &[512]).unwrap()).unwrap()
    }

    #[test]
    fn an_update_moves_the_value_to_the_target() {
        let tables = small_tables();
        // All cells differ, so that no weight is looked up twice.
        let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
        let value = tables.update(board, 100, 50.0, 1.0);
        assert!((value - 50.0).abs() < 1e-3, "fresh weights learn at full rate: {value}");
        assert!((tables.value(board, 100) - value).abs() < 1e-3);
        assert_eq!(tables.value(board, 512), 0.0, "another stage has weights of its own");
        let value = tables.update(board, 100, 0.0, 1.0);
        assert!(value.abs() < 1e-3, "all errors so far had one sign: {value}");
        let value = tables.update(board, 100, 50.0, 1.0);
        assert!(value.abs() < 1e-3, "the errors cancel each other, so the rate is 0: {value}");
    }

    #[test]
    fn only_late_stages_start_anew() {
        let tables = small_tables();
        let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
        tables.update(board, 100, 50.0, 1.0);
        tables.update(board, 600, 70.0, 1.0);
        tables.renew(512, 240.0);
        assert!((tables.value(board, 100) - 50.0).abs() < 1e-3);
        assert!((tables.value(board, 600) - 240.0).abs() < 1e-3);
        let value = tables.update(board, 600, 100.0, 1.0);
        assert!((value - 100.0).abs() < 1e-3, "new weights learn at full rate: {value}");
        tables.renew(u32::MAX, 1.0);
        assert!((tables.value(board, 600) - 100.0).abs() < 1e-3);
    }

    #[test]
    fn training_makes_play_better() {
        let tables = small_tables();
        let recipe = recipe(Vec::new());
        let mut worker = Worker::new(&tables, &recipe, 1);
        let mean = |worker: &mut Worker<'_>, alpha: f32| {
            (0..200).map(|_| u64::from(worker.game(alpha).sum)).sum::<u64>() / 200
        };
        let before = mean(&mut worker, 0.0);
        for _ in 0..4000 {
            worker.game(1.0);
        }
        let after = mean(&mut worker, 0.0);
        assert!(after > 2 * before, "mean sum {before} before, {after} after training");
    }

    #[test]
    fn games_start_where_they_are_told_to() {
        let tables = small_tables();
        let late = Bitboard::from_cells(0xfedc_0000_0000_0001);
        let recipe = recipe(vec![late]);
        let outcome = Worker::new(&tables, &recipe, 7).game(1.0);
        assert!(outcome.restarted && i64::from(outcome.sum) == late.sum() + 2 * outcome.moves as i64);
    }

    #[test]
    fn a_checkpoint_comes_back_and_can_be_divided() {
        let tables = small_tables();
        let recipe = recipe(Vec::new());
        Worker::new(&tables, &recipe, 3).game(1.0);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("net.ckp");
        let progress = Progress { games: 1, moves: 500, seconds: 2.5 };
        checkpoint::save(&path, &tables, progress).unwrap();
        let (same, counters) = checkpoint::load(&path, None).unwrap();
        assert_eq!(counters, progress);
        assert!(tables.weights().iter().zip(same.weights()).all(|(a, b)| a.get() == b.get()));
        let (divided, _) = checkpoint::load(&path, Some(&[256, 512])).unwrap();
        for (heir, parent) in [(0, 0), (1, 0), (2, 1)] {
            let pairs = divided.stage(heir).iter().zip(tables.stage(parent));
            assert!(pairs.into_iter().all(|(a, b)| a.get() == b.get()), "stage {heir} inherits from stage {parent}");
        }
        std::fs::write(&path, b"ESTRCKP1 cut").unwrap();
        assert!(checkpoint::load(&path, None).is_err());
    }
}
