//! A training from its start to its limit: workers, checkpoints, the learning curve.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::Result;
use estr2048::network::Shape;
use estr2048_toolbox::progress::Progress as Bar;

use crate::checkpoint::{self, Division, Progress};
use crate::curve::{Curve, Window};
use crate::lessons::Lesson;
use crate::pack;
use crate::study::{self, Plan};
use crate::tables::Tables;
use crate::worker::{Recipe, Worker};

/// Seconds between two lines of the learning curve.
const CURVE_SECONDS: f64 = 30.0;

/// Where a training begins.
#[derive(Clone, Debug)]
pub enum Start {
    /// With a new network of this shape, whose weights all begin with the value `initial`.
    New { shape: Shape, initial: f32 },
    /// With a checkpoint.
    Checkpoint {
        path: PathBuf,
        /// How it is divided into stages.
        division: Division,
        /// The stages that begin at this sum or above are those of another checkpoint.
        join: Option<pack::Checkpoint>,
        /// The stages that begin at one of these sums start anew.
        fresh: Option<RangeInclusive<u32>>,
        /// What an afterstate of such a stage is worth at first, in moves.
        initial: f32,
    },
}

/// What is learned from in place of games.
#[derive(Clone, Debug)]
pub struct Course {
    pub lessons: Vec<Lesson>,
    /// How often each of them is learned from.
    pub passes: u32,
    /// How many moves a chance of 1 is worth.
    pub worth: f32,
}

/// How to train, and for how long.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The checkpoint file; the learning curve goes to the same name with `.csv`.
    pub out: PathBuf,
    pub start: Start,
    pub recipe: Recipe,
    /// If there is one, no game is played: the step size changes over its passes, which are the only limit.
    pub course: Option<Course>,
    /// Step size at the beginning and at the end of the limit; it changes evenly.
    pub alpha: (f32, f32),
    /// Stop after so many minutes of this run.
    pub minutes: Option<f64>,
    /// Stop after so many games in all.
    pub games: Option<u64>,
    /// Minutes between checkpoints.
    pub checkpoint_minutes: f64,
    /// Threads, at least one; more than one make the result depend on the order of their updates.
    pub threads: u64,
    /// Seed of the training games.
    pub seed: u64,
    /// Shows no progress.
    pub quiet: bool,
}

impl Settings {
    /// How much of this run is over after so many of its games and so much of its time. If games are the only limit, the
    /// same command always learns the same.
    fn share(&self, before: u64, games: u64, seconds: f64) -> f64 {
        let by_time = self.minutes.map_or(0.0, |minutes| seconds / (60.0 * minutes));
        let by_games =
            self.games.map_or(0.0, |limit| (games - before) as f64 / limit.saturating_sub(before).max(1) as f64);
        by_time.max(by_games).min(1.0)
    }

    /// The step size when this share of the run is over.
    fn alpha_at(&self, share: f64) -> f32 {
        let (first, last) = self.alpha;
        first + (last - first) * share as f32
    }

    fn curve(&self, before: Progress) -> Result<Curve> {
        let path = self.out.with_extension("csv");
        match self.start {
            Start::New { .. } => Curve::create(&path),
            Start::Checkpoint { .. } => Curve::go_on(&path, before.moves),
        }
    }
}

impl Start {
    fn tables(&self) -> Result<(Tables, Progress)> {
        match self {
            Self::New { shape, initial } => {
                let tables = Tables::zero(shape.clone())?;
                tables.renew(&(0..=u32::MAX), *initial);
                Ok((tables, Progress::default()))
            }
            Self::Checkpoint { path, division, join, fresh, initial } => {
                let (tables, progress) = checkpoint::load(path, division)?;
                if let Some(sums) = fresh {
                    tables.renew(sums, *initial);
                }
                if let Some(pack::Checkpoint { path, from, factor }) = join {
                    checkpoint::join(&tables, path, *from, *factor)?;
                }
                Ok((tables, progress))
            }
        }
    }
}

/// What a training came to.
#[derive(Clone, Copy, Debug)]
pub struct Trained {
    /// The counters of the last checkpoint.
    pub progress: Progress,
    /// How often all lessons were gone through; 0 where games are played.
    pub passes: u32,
}

/// Trains until the limit, or until `asked_to_stop` is set.
///
/// # Errors
/// If there is not enough memory, or a file cannot be read or written.
pub fn train(settings: &Settings, asked_to_stop: &AtomicBool) -> Result<Trained> {
    let (tables, before) = settings.start.tables()?;
    if let Some(course) = &settings.course {
        return study(settings, course, &tables, before, asked_to_stop);
    }
    let recipe = &settings.recipe.for_shape(tables.shape())?;
    let mut curve = settings.curve(before)?;
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    let shared = Mutex::new((before, Window::default()));
    let work = |thread: u64| {
        let seed = settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ before.games << 8 ^ thread;
        let mut worker = Worker::new(&tables, recipe, seed);
        let mut games = before.games;
        while !stop.load(Relaxed) {
            let share = settings.share(before.games, games, start.elapsed().as_secs_f64());
            let outcome = worker.game(settings.alpha_at(share));
            let mut shared = shared.lock().expect("no worker panics while it counts");
            shared.0.games += 1;
            shared.0.moves += outcome.moves;
            games = shared.0.games;
            shared.1.add(outcome);
            if settings.games.is_some_and(|games| shared.0.games >= games) {
                stop.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let work = &work;
        for thread in 0..settings.threads {
            scope.spawn(move || work(thread));
        }
        let stopped = || stop.load(Relaxed) || asked_to_stop.load(Relaxed);
        let result = watch(settings, &tables, (before, start), &shared, &mut curve, &stopped);
        stop.store(true, Relaxed);
        result
    })?;
    let (mut progress, window) = shared.into_inner().expect("all workers have ended");
    let seconds = start.elapsed().as_secs_f64();
    progress.seconds = before.seconds + seconds;
    checkpoint::save(&settings.out, &tables, progress)?;
    curve.add(&window, progress, seconds)?;
    Ok(Trained { progress, passes: 0 })
}

/// Learns from all lessons once in each pass, in a new order, until all passes are done or `asked_to_stop` is set.
fn study(
    settings: &Settings,
    course: &Course,
    tables: &Tables,
    before: Progress,
    asked_to_stop: &AtomicBool,
) -> Result<Trained> {
    let start = Instant::now();
    let Settings { threads, seed, quiet, .. } = *settings;
    let plan = Plan { passes: course.passes, threads, seed, quiet };
    let learn = |lessons: &[Lesson], over: f64| {
        Worker::new(tables, &settings.recipe, 0).study(lessons, course.worth, settings.alpha_at(over))
    };
    let passes = study::study(&course.lessons, plan, learn, asked_to_stop);
    let progress = Progress { seconds: before.seconds + start.elapsed().as_secs_f64(), ..before };
    checkpoint::save(&settings.out, tables, progress)?;
    Ok(Trained { progress, passes })
}

/// Shows the progress, writes the learning curve and the checkpoints, until it is time to stop.
fn watch(
    settings: &Settings,
    tables: &Tables,
    (before, start): (Progress, Instant),
    shared: &Mutex<(Progress, Window)>,
    curve: &mut Curve,
    stopped: &dyn Fn() -> bool,
) -> Result<()> {
    let by_minutes = settings.minutes.filter(|_| settings.games.is_none());
    let bar = match by_minutes {
        Some(minutes) => Bar::new((60.0 * minutes) as u64, "s", settings.quiet),
        None => Bar::new(settings.games, "games", settings.quiet),
    };
    let mut saved = 0.0;
    let mut mean = String::new();
    while !stopped() {
        std::thread::sleep(Duration::from_millis(200));
        let seconds = start.elapsed().as_secs_f64();
        let progress = {
            let mut shared = shared.lock().expect("no worker panics while it counts");
            shared.0.seconds = before.seconds + seconds;
            shared.0
        };
        let by_time = settings.minutes.map(|minutes| seconds / (60.0 * minutes));
        let speed = format!("{:.2} M moves/s{mean}", curve.speed(progress, seconds) / 1e6);
        match by_minutes {
            Some(_) => bar.at(seconds as u64, &format!("{} games, {speed}", progress.games)),
            None => bar.at(progress.games, &speed),
        }
        if by_time.is_some_and(|share| share >= 1.0) {
            break;
        }
        if curve.since(seconds) >= CURVE_SECONDS {
            let window = std::mem::take(&mut shared.lock().expect("no worker panics while it counts").1);
            mean = format!(", mean {}", window.sum / window.games.max(1));
            curve.add(&window, progress, seconds)?;
        }
        if seconds - saved >= 60.0 * settings.checkpoint_minutes {
            saved = seconds;
            checkpoint::save(&settings.out, tables, progress)?;
        }
    }
    bar.finish();
    Ok(())
}
