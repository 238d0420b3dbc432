//! `estr2048 train`: temporal difference learning of a network, on any number of threads.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use estr2048::network::Shape;
use estr2048_lab::{endgame, walls};
use estr2048_toolbox::output::tell;
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{ensure_use, files, interrupt, numbers, outln, range, report};
use estr2048_training::checkpoint::{Division, Progress};
use estr2048_training::session::{self, Course, Settings, Start, Trained};
use estr2048_training::worker::{self, AfterTop, Recipe, Reward};
use estr2048_training::{lessons, starts, tablebase};
use serde_json::json;

use crate::named::{Named, one_of};
use crate::pack::checkpoint;

/// Train a network.
#[derive(Debug, clap::Args)]
pub struct Train {
    /// Checkpoint file; the learning curve goes to the same name with `.csv`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists: what it learned is lost
    #[arg(long)]
    force: bool,
    /// Go on from this checkpoint, or from a packed network, whose weights then learn at their full rate again; weights of
    /// layouts are left out (`pack --layouts`)
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// A tuple: its cells, 0 to 15 in reading order; repeat for more [default: the four six-tuples of the shipped
    /// network]
    #[arg(long = "tuple", value_name = "CELLS", value_parser = parse_tuple)]
    tuples: Vec<u16>,
    /// Sums at which a new stage begins; with --resume, stages are divided
    #[arg(long, value_name = "SUMS", value_delimiter = ',')]
    stages: Option<Vec<u32>>,
    /// Sum at which a stage begins: it and those after it see all tiles from 1024 on as one (below 64512 those from 2048 on, below
    /// 63488 those from 4096 on, and so on), and what they learn of a layout they know for every order of these tiles. With
    /// --resume, stages that saw them apart start anew
    #[arg(long, value_name = "SUM", value_parser = clap::value_parser!(u32).range(1..))]
    walls_from: Option<u32>,
    /// With --resume: the stages that begin at this sum or above are those of another checkpoint or packed
    /// network, multiplied by FACTOR
    #[arg(long, value_name = "FILE:SUM[:FACTOR]", requires = "resume")]
    join: Option<String>,
    /// With --resume: the stages that begin at this sum or above start anew
    #[arg(long, value_name = "SUM", requires = "resume")]
    fresh_from: Option<u32>,
    /// Value of an afterstate whose weights are all new, in moves: a high one makes the training try what it does not
    /// know
    #[arg(long, value_name = "V", default_value_t = 0.0, value_parser = numbers::not_negative::<f32>)]
    initial: f32,
    /// λ of TD(λ)
    #[arg(long, default_value_t = 0.5, value_parser = numbers::share::<f32>)]
    lambda: f32,
    /// What a move counts that comes one move later: at 0.999 a value is hardly about more than the next few thousand
    /// moves
    #[arg(long, default_value_t = 1.0, value_parser = numbers::share::<f32>)]
    discount: f32,
    /// What is learned
    #[arg(long, default_value = "moves", value_parser = one_of(REWARDS))]
    reward: Reward,
    /// Step size at the beginning
    #[arg(long, default_value_t = 1.0, value_parser = numbers::not_negative::<f32>)]
    alpha: f32,
    /// Step size at the end of the limit; falls evenly, over the games of this run or its minutes [default: as at the
    /// beginning]
    #[arg(long, value_parser = numbers::not_negative::<f32>)]
    alpha_end: Option<f32>,
    /// File of boards to start games from, 16 numbers a line
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,
    /// Sums of the boards that are taken from that file, both ends included
    #[arg(long, value_name = "A..B", value_parser = range::parse, default_value = "0..65535")]
    start_sums: RangeInclusive<u32>,
    /// Share of the games that start from such boards
    #[arg(long, default_value_t = 0.5, value_parser = numbers::share::<f64>)]
    start_share: f64,
    /// Random moves with which such a game begins, none to N: a search looks at such boards, though no game comes there
    #[arg(long, value_name = "N", default_value_t = 0)]
    stray: u32,
    /// End such a game after N further moves; it is then worth what the network says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    most_moves: Option<u64>,
    /// Sums whose weights learn, both ends included (as looked up: a board with a 65536 by its halved tiles, from 98304 on
    /// while a later fill's chain falls together, from 131072 on where its largest tiles lie scattered and a stage is for that: by
    /// its sum and 131072); a game that leaves them ends, and is worth what the network says. Games start from boards of --starts
    /// that are looked up by these sums; the stages behind them are not new with --fresh-from
    #[arg(long, value_name = "A..B", value_parser = range::parse)]
    learn: Option<RangeInclusive<u32>>,
    /// A game that leaves the sums of --learn goes on for so many moves before the network says what it is worth, and nothing
    /// learns from these: where it does not know yet what it comes to
    #[arg(long, value_name = "N", requires = "learn", default_value_t = 0)]
    play_on: u32,
    /// Moves that a game from such a board goes on after it made a 65536; its end is worth what the network says
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    moves_after_top: u32,
    /// End a game from such a board with a 65536, and let it be worth so many moves: the way there is learned, not what
    /// follows
    #[arg(long, value_name = "MOVES", conflicts_with = "moves_after_top", value_parser = numbers::not_negative::<f32>)]
    worth_of_top: Option<f32>,
    /// End a game where these tables begin (`estr2048 lab walls`), on boards of these folders (`estr2048 lab endgame --fill`) or of
    /// these files (as `pack --tablebase`, made for a fill), and let it be worth its chance by them, times --worth-of-top
    #[arg(long, value_name = "FOLDER|FILE", num_args = 1.., requires = "worth_of_top", requires = "end_sums")]
    ends: Vec<PathBuf>,
    /// With --ends: the sums at which a game may end; one that the tables do not know by then is lost
    #[arg(long, value_name = "A..B", value_parser = range::parse, requires = "ends")]
    end_sums: Option<RangeInclusive<u32>>,
    /// With --ends and folders of `lab endgame` or files: a game ends on an afterstate with at least this chance
    #[arg(long, value_name = "CHANCE", requires = "ends", default_value_t = 0.9, value_parser = numbers::share::<f32>)]
    enough: f32,
    /// Learn from the afterstates with known chances in this file (`estr2048 lab wall-starts --lessons`), and play no games;
    /// name what a chance of 1 is worth by --worth-of-top
    #[arg(long, value_name = "FILE", requires = "worth_of_top", conflicts_with_all = ["starts", "ends", "minutes", "games", "plot"])]
    lessons: Option<PathBuf>,
    /// How often to go through the lessons, each time in another order
    #[arg(long, value_name = "N", default_value_t = 10, requires = "lessons", value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Stop after so many minutes (this run's)
    #[arg(long, value_parser = numbers::positive::<f64>)]
    minutes: Option<f64>,
    /// Stop after so many games (in all)
    #[arg(long)]
    games: Option<u64>,
    /// Minutes between checkpoints
    #[arg(long, default_value_t = 5.0, value_parser = numbers::positive::<f64>)]
    checkpoint_minutes: f64,
    /// Threads; more than one make the result depend on the order of their updates
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Seed of the training games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the learning curve into this file (SVG)
    #[arg(long, value_name = "FILE", value_parser = estr2048_figures::file_name)]
    plot: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

const REWARDS: [Named<Reward>; 2] = [
    (&["moves"], Reward::Moves, "1 for every move: survival"),
    (&["merges"], Reward::Merges, "The tiles made by combining, as in ordinary 2048"),
];

/// The tuples of the shipped network: cells 0-5, 4-9, two blocks of 2×3.
const TUPLES: [u16; 4] = [0x003f, 0x03f0, 0x0077, 0x0770];

fn parse_tuple(text: &str) -> Result<u16, String> {
    text.split(',').try_fold(0, |cells, cell| match cell.trim().parse::<u32>() {
        Ok(cell @ 0..16) => Ok(cells | 1 << cell),
        _ => Err(format!("{cell:?} is no cell from 0 to 15")),
    })
}

/// Trains until the limit or Ctrl-C.
pub fn train(arguments: &Train) -> Result<ExitCode> {
    let settings = settings(arguments)?;
    interrupt::catch()?;
    let Trained { progress, passes } = session::train(&settings, interrupt::flag())?;
    let Progress { games, moves, seconds } = progress;
    let (out, curve) = (&arguments.out, arguments.curve());
    if let Some(course) = &settings.course {
        let lessons = course.lessons.len();
        if passes < course.passes {
            tell("stopped before the last pass: what was learned until then is kept");
        }
        if arguments.json {
            let report = json!({ "lessons": lessons, "passes": passes, "seconds": seconds, "out": out });
            report::print("train", &report)?;
        } else {
            outln!("{lessons} lessons, {passes} passes: {}", out.display())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.json {
        let report = json!({ "games": games, "moves": moves, "seconds": seconds, "out": out, "curve": curve });
        report::print("train", &report)?;
    } else {
        outln!("{games} games, {moves} moves: {}", out.display())?;
    }
    if let Some(path) = &arguments.plot {
        let text = std::fs::read_to_string(&curve).with_context(|| curve.display().to_string())?;
        files::write(path, estr2048_figures::learning(&text, &format!("Training of {}", out.display()))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Train {
    fn curve(&self) -> PathBuf {
        self.out.with_extension("csv")
    }
}

/// Hours of training are not replaced by accident: only by what goes on from them.
fn check_out(arguments: &Train) -> Result<()> {
    let out = &arguments.out;
    files::check_kept(out, arguments.resume.as_ref(), arguments.force)?;
    let curve = arguments.curve();
    ensure_use!(curve != *out, "the learning curve goes to {}: name another --out", curve.display());
    ensure_use!(
        arguments.force || arguments.resume.is_some() || !curve.exists(),
        "{} exists, where the learning curve goes: --force replaces it",
        curve.display()
    );
    files::check_outputs([out, &curve].into_iter().chain(&arguments.plot))
}

/// The tables or boards at which games end.
fn ends(arguments: &Train) -> Result<Option<Arc<dyn worker::Ends>>> {
    let Train { ends: folders, end_sums: Some(sums), enough, .. } = arguments else {
        return Ok(None);
    };
    let (first, sums) = (&folders[0], sums.clone());
    if first.is_file() {
        return Ok(Some(Arc::new(tablebase::Ends::new(tablebase::read(folders)?, sums, *enough))));
    }
    if endgame::ends::Ends::are_in(first) {
        return Ok(Some(Arc::new(endgame::ends::Ends::load(folders, sums, *enough)?)));
    }
    ensure_use!(folders.len() == 1, "{} has tables of `lab walls`: --ends takes one folder of these", first.display());
    Ok(Some(Arc::new(walls::ends::Ends::load(first, sums)?)))
}

fn settings(arguments: &Train) -> Result<Settings> {
    let renewed = arguments.resume.is_none() || arguments.fresh_from.is_some() || arguments.initial == 0.0;
    ensure_use!(renewed, "--initial is for new weights: with --resume, name them by --fresh-from");
    check_out(arguments)?;
    let initial = arguments.initial;
    let learned = arguments.learn.clone().unwrap_or(0..=u32::MAX);
    let starts_only = arguments.lessons.is_some() || arguments.starts.is_some() && arguments.start_share == 1.0;
    ensure_use!(
        starts_only || learned.contains(&2),
        "games begin with a sum of 2, where --learn learns nothing: give --starts and --start-share 1"
    );
    let start = match &arguments.resume {
        Some(path) => {
            let division = Division { bounds: arguments.stages.clone(), walls_from: arguments.walls_from };
            let fresh = arguments.fresh_from.map(|first| first..=*learned.end());
            let join = arguments.join.as_deref().map(checkpoint).transpose()?;
            Start::Checkpoint { path: path.clone(), division, join, fresh, initial }
        }
        None => {
            let tuples = if arguments.tuples.is_empty() { &TUPLES[..] } else { &arguments.tuples };
            let shape = Shape::new(tuples, arguments.stages.as_deref().unwrap_or_default())
                .and_then(|shape| shape.with_walls_from(arguments.walls_from));
            let shape = shape.map_err(|error| WrongUse(error.to_string()))?;
            Start::New { shape, initial }
        }
    };
    let recipe = Recipe {
        lambda: arguments.lambda,
        discount: arguments.discount,
        reward: arguments.reward,
        starts: match &arguments.starts {
            Some(path) => starts::read(path, &arguments.start_sums)?,
            None => Vec::new(),
        },
        start_share: arguments.start_share,
        stray: arguments.stray,
        most_moves: arguments.most_moves.map_or(usize::MAX, |moves| moves as usize),
        after_top: arguments.worth_of_top.map_or(AfterTop::Plays(arguments.moves_after_top), AfterTop::Worth),
        learned: learned.clone(),
        play_on: arguments.play_on,
        ends: ends(arguments)?,
    };
    let course = arguments.lessons.as_ref().map(|path| lessons::read(path, &learned)).transpose()?;
    let course = course.zip(arguments.worth_of_top);
    let course = course.map(|(lessons, worth)| Course { lessons, passes: arguments.passes, worth });
    Ok(Settings {
        out: arguments.out.clone(),
        start,
        recipe,
        course,
        alpha: (arguments.alpha, arguments.alpha_end.unwrap_or(arguments.alpha)),
        minutes: arguments.minutes,
        games: arguments.games,
        checkpoint_minutes: arguments.checkpoint_minutes,
        threads: arguments.threads,
        seed: arguments.seed,
        quiet: arguments.quiet,
    })
}
