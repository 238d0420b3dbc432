//! A training of weights of layouts from its start to its limit.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use estr2048::Bitboard;
use estr2048::network::layout;
use estr2048::network::{Evaluate, Network, known};
use estr2048::search::{Limit, Search};
use estr2048_toolbox::progress::Progress as Bar;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::file::{self, Progress};
use super::game::Player;
use super::seen;
use super::weights::Weights;
use crate::lessons::Lesson;
use crate::study::{self, Plan};
use crate::worker::{strayed, with_new_two};

/// The most boards of its own games that a thread keeps to begin others from.
const MOST_OWN: usize = 2_000_000;

/// So many own boards there are before games begin from them.
const LEAST_OWN: usize = 1000;

/// Moves of a searched game from one board that is kept to the next.
const SEARCHED_EVERY: u64 = 4;

/// How to train, and for how long.
#[derive(Debug)]
pub struct Settings {
    /// The file of the weights.
    pub out: PathBuf,
    /// The training that this one goes on from.
    pub resume: Option<PathBuf>,
    /// Afterstates with known chances, learned before any game is played, so often; the step size falls from 1 to 0.03.
    pub lessons: Vec<Lesson>,
    pub passes: u32,
    /// Boards that games begin from: a file is drawn, then a board of it.
    pub starts: Vec<Vec<Bitboard>>,
    /// Share of the games that begin from a board of an earlier one.
    pub own: f64,
    /// A game begins with up to so many random moves, which nobody learns from: always from an own board, and
    /// in three of ten games from a given one.
    pub stray: u32,
    /// Share of the games that are played by a search, not learned from, but their boards are begun from.
    pub searched: f64,
    /// Evaluations a move of these games.
    pub nodes: u64,
    /// What values boards before and behind those that the weights see, in these games.
    pub network: Arc<Network>,
    pub lambda: f32,
    /// Step size at the beginning and at the end of the limit; each part of it falls by the same factor.
    pub alpha: (f32, f32),
    pub minutes: Option<f64>,
    pub games: Option<u64>,
    /// Threads; more than one make the result depend on the order of their updates.
    pub threads: u64,
    pub seed: u64,
    pub quiet: bool,
}

/// What was learned is written so often, so that no accident costs more.
const CHECKPOINT: Duration = Duration::from_secs(300);

/// With so many games the memory need not be fast.
const FEW_GAMES: u64 = 10_000;

/// What a training came to.
#[derive(Clone, Copy, Debug)]
pub struct Trained {
    pub progress: Progress,
    /// Of the games of the last tenth from given boards, the share that made a 65536.
    pub share: f64,
}

/// What the threads count together.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    progress: Progress,
    /// Games from given boards, and those of them that made a 65536, since it was last told.
    given: u64,
    made: u64,
    share: f64,
}

/// Trains until the limit, or until `asked_to_stop` is set.
///
/// # Errors
/// If there is not enough memory, or a file cannot be read or written.
pub fn train(settings: &Settings, asked_to_stop: &AtomicBool) -> Result<Trained> {
    let much = settings.games.is_none_or(|games| games > FEW_GAMES);
    let weights = Weights::zero(much)?;
    let before = match &settings.resume {
        Some(path) => file::add(path, &weights, 1.0)?,
        None => Progress::default(),
    };
    study(settings, &weights, asked_to_stop);
    let counts = Mutex::new(Counts { progress: before, ..Counts::default() });
    let start = Instant::now();
    let done = |games: u64| {
        let by_time = settings.minutes.map_or(0.0, |minutes| start.elapsed().as_secs_f64() / (60.0 * minutes));
        let by_games = settings.games.map_or(0.0, |limit| (games - before.games) as f64 / limit.max(1) as f64);
        by_time.max(by_games)
    };
    let bar = Bar::new(1000, "thousandths", settings.quiet);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let start = |number: u64| {
            let (weights, counts, done, bar, stop) = (&weights, &counts, &done, &bar, &stop);
            scope.spawn(move || {
                let mut thread = Thread::new(settings, weights, number);
                loop {
                    let games = counts.lock().expect("no thread panics while it counts").progress.games;
                    let share = done(games);
                    if share >= 1.0 || stop.load(Relaxed) || asked_to_stop.load(Relaxed) {
                        break;
                    }
                    let (first, last) = settings.alpha;
                    let played = thread.game(first * (last / first).powf(share as f32));
                    let mut counts = counts.lock().expect("no thread panics while it counts");
                    counts.add(played, (share * 10.0) as u64 > bar.done() / 100);
                    bar.at((share * 1000.0) as u64, &format!("{:.3} of the last games made a 65536", counts.share));
                }
            })
        };
        let threads: Vec<_> = (0..settings.threads).map(start).collect();
        let mut saved = Instant::now();
        let mut result = Ok(());
        while result.is_ok() && threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if saved.elapsed() >= CHECKPOINT {
                let progress = counts.lock().expect("no thread panics while it counts").progress;
                result = file::save(&settings.out, &weights, progress);
                saved = Instant::now();
            }
        }
        stop.store(true, Relaxed);
        result
    })?;
    bar.finish();
    let counts = counts.into_inner().expect("all threads have ended");
    file::save(&settings.out, &weights, counts.progress)?;
    Ok(Trained { progress: counts.progress, share: counts.share })
}

impl Counts {
    fn add(&mut self, Played { moves, given, made }: Played, is_tenth: bool) {
        self.progress.games += 1;
        self.progress.moves += moves;
        self.given += u64::from(given);
        self.made += u64::from(given && made);
        if is_tenth && self.given > 0 {
            self.share = self.made as f64 / self.given as f64;
            (self.given, self.made) = (0, 0);
        }
    }
}

/// Learns from the lessons, if there are any.
fn study(settings: &Settings, weights: &Weights, asked_to_stop: &AtomicBool) {
    let Settings { passes, threads, seed, quiet, ref lessons, .. } = *settings;
    let learn = |lessons: &[Lesson], over: f64| {
        let alpha = 1.0 - 0.97 * over as f32;
        lessons.iter().map(|lesson| learned(weights, lesson, alpha)).sum()
    };
    if !lessons.is_empty() {
        study::study(lessons, Plan { passes, threads, seed, quiet }, learn, asked_to_stop);
    }
}

/// Learns a lesson, and how far off it was.
fn learned(weights: &Weights, lesson: &Lesson, alpha: f32) -> f64 {
    let Some(keys) = seen(lesson.after) else { return 0.0 };
    let distance = (lesson.chance - weights.chance(&keys)).abs();
    weights.update(&keys, lesson.chance, alpha);
    distance.into()
}

/// A thread with its own random numbers and its own boards to begin from.
struct Thread<'a> {
    settings: &'a Settings,
    weights: &'a Weights,
    player: Player<'a>,
    search: Search,
    random: SmallRng,
    own: Vec<Bitboard>,
}

/// What one game came to.
#[derive(Clone, Copy, Debug)]
struct Played {
    moves: u64,
    /// Whether it began from a given board as it is.
    given: bool,
    made: bool,
}

impl<'a> Thread<'a> {
    fn new(settings: &'a Settings, weights: &'a Weights, number: u64) -> Self {
        let random = SmallRng::seed_from_u64(settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let player = Player::new(weights, settings.lambda);
        Self { settings, weights, player, search: Search::default(), random, own: Vec::new() }
    }

    fn game(&mut self, alpha: f32) -> Played {
        let (board, given) = self.start();
        if self.random.random_bool(self.settings.searched) {
            self.searched(board);
            return Played { moves: 0, given: false, made: false };
        }
        let made = self.player.game(board, alpha, &mut self.random);
        let moves = self.player.boards().len() as u64;
        let kept = (moves > 0).then(|| self.random.random_range(0..moves as usize));
        if let Some(board) = kept.and_then(|number| self.player.boards().nth(number)) {
            self.keep(board);
        }
        Played { moves, given, made }
    }

    /// A board to begin from, and whether it is a given one as it is.
    fn start(&mut self) -> (Bitboard, bool) {
        let Settings { own, starts, stray, .. } = self.settings;
        let from_own = self.own.len() >= LEAST_OWN && self.random.random_bool(*own);
        let boards = match from_own {
            true => &self.own,
            false => &starts[self.random.random_range(0..starts.len())],
        };
        let board = boards[self.random.random_range(0..boards.len())];
        let strays = *stray > 0 && (from_own || self.random.random_bool(0.3));
        let moves = if strays { self.random.random_range(0..=*stray) } else { 0 };
        (strayed(board, moves, &mut self.random), !from_own && moves == 0)
    }

    /// Plays a game by a search and keeps some of its boards.
    fn searched(&mut self, mut board: Bitboard) {
        let judge = Judge { weights: self.weights, network: &self.settings.network };
        let first = self.random.random_range(0..SEARCHED_EVERY);
        for number in first.. {
            if seen(board).is_none() {
                return;
            }
            let limit = Limit::Nodes(self.settings.nodes);
            let Some(choice) = self.search.decide(&judge, board, limit) else { return };
            if number % SEARCHED_EVERY == 0 {
                self.keep(board);
            }
            board = with_new_two(board.moved(choice.direction), &mut self.random);
        }
    }

    fn keep(&mut self, board: Bitboard) {
        if self.own.len() < MOST_OWN {
            self.own.push(board);
        } else {
            let place = self.random.random_range(0..MOST_OWN);
            self.own[place] = board;
        }
    }
}

/// What a search asks: the weights where they see a board, else the network.
struct Judge<'a> {
    weights: &'a Weights,
    network: &'a Network,
}

/// Moves that a chance of 1 stands for in a search: about what the network says of a board behind the fill.
const WORTH: f32 = 18_000.0;

impl Evaluate for Judge<'_> {
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let (cells, seen_sum) = known(after, sum, None);
        match layout::keys(cells, seen_sum) {
            Some(keys) => WORTH * self.weights.chance(&keys).clamp(0.0, 1.0),
            None => self.network.value(after, sum),
        }
    }
}
