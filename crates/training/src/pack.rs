//! From checkpoints to the small file that ships, and what that costs in strength.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use estr2048::Bitboard;
use estr2048::courses::estr1002::Game;
use estr2048::network::{Evaluate, Network, Shape, encode, weights};
use estr2048::search::{Limit, Search};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048_toolbox::statistics::{Mean, rate_ci95};

use crate::checkpoint;
use crate::tables::{Tables, Weights as Stage};

/// A checkpoint or a packed network, and the sum from which on its stages count.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub path: PathBuf,
    pub from: u32,
    /// What its weights are multiplied by: 1, unless its values count moves in another way than those before it.
    pub factor: f32,
}

/// What to pack, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The checkpoints by ascending `from`: the stages of a later one replace those of the ones before. What a packed
    /// network among them holds is kept; that of the first, in those stages, too, that went on from it.
    pub checkpoints: Vec<Checkpoint>,
    /// Weights whose errors add up to less than this in magnitude are dropped.
    pub prune: f32,
    /// The checkpoint that the first one was divided from: a weight that learned little in its own stage, after the
    /// division, is then that of the stage before.
    pub since: Option<PathBuf>,
    /// Value of one unit of a weight, in moves, before it is multiplied; positive. Packed networks keep their own.
    pub step: f32,
    /// The cost is measured with so many games without search, before and after.
    pub games: u32,
}

/// A packed network, and what became of its weights.
#[derive(Debug)]
pub struct Packed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Sums at which a new stage begins.
    pub bounds: Vec<u32>,
    pub kept: u64,
    pub dropped: u64,
    pub clipped: u64,
    /// How strong the network is as trained and as packed, if games were asked for.
    pub strength: Option<[Strength; 2]>,
}

/// What games without search come to.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    pub mean: Mean,
    /// Games with a sum of 32768 or more.
    pub large: usize,
}

/// A checkpoint that serves the sums from `from` on, up to where the next one begins.
struct Source {
    from: u32,
    factor: f32,
    tables: Tables,
    /// The units of a packed network, for each of its stages. It has been pruned already: what it holds is kept, and if
    /// it is the first, in checkpoints that went on from it, too.
    packed: Option<Vec<f32>>,
}

impl Source {
    fn read(&Checkpoint { ref path, from, factor }: &Checkpoint) -> Result<Self> {
        let (tables, packed) = if checkpoint::is_packed(path)? {
            let network = weights::load(path)?;
            let steps = (0..network.shape().stages()).map(|stage| network.step(stage)).collect();
            (checkpoint::unpacked(&network, None)?, Some(steps))
        } else {
            (checkpoint::load(path, None)?.0, None)
        };
        Ok(Self { from, factor, tables, packed })
    }

    /// The value of one unit of a weight of a stage, before the weights are multiplied.
    fn step(&self, stage: usize, settings: &Settings) -> f32 {
        self.packed.as_ref().map_or(settings.step, |steps| steps[stage])
    }
}

/// The stages of several checkpoints as one network.
struct Joined {
    sources: Vec<Source>,
}

impl Joined {
    fn source(&self, sum: u32) -> &Source {
        let last = self.sources.iter().rev().find(|source| source.from <= sum);
        last.unwrap_or(&self.sources[0])
    }

    fn bounds(&self) -> Vec<u32> {
        let own = |source: &Source| source.tables.shape().bounds().to_vec();
        let mut bounds: Vec<u32> = Vec::new();
        for source in &self.sources {
            bounds.retain(|&bound| bound < source.from);
            bounds.extend((source.from > 0).then_some(source.from));
            bounds.extend(own(source).into_iter().filter(|&bound| bound > source.from));
        }
        bounds
    }
}

impl Evaluate for Joined {
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let (_, known) = estr2048::network::known(after, sum);
        let source = self.source(known);
        source.tables.value(after, sum) * source.factor
    }
}

/// The weights of all stages, in units.
struct Weights {
    all: Vec<i16>,
    stage_len: usize,
    kept: u64,
    dropped: u64,
    clipped: u64,
}

impl Weights {
    /// Adds a stage. A weight that learned little is dropped; if the stage was divided from `parent` it then has the
    /// weight of the stage before. A weight that a packed network held already, `base`, is kept.
    fn add(&mut self, stage: Stage, parent: Option<Stage>, base: Option<Stage>, unit: f32, prune: f32) {
        let before = self.all.len().checked_sub(self.stage_len).filter(|_| parent.is_some());
        for (position, weight) in stage.iter().enumerate() {
            let [value, _, magnitudes] = weight.get();
            let (learned, otherwise) = match (before, parent) {
                (Some(before), Some(parent)) => {
                    (magnitudes - parent.at(position).get()[2], self.all[before + position])
                }
                _ => (magnitudes, 0),
            };
            let packed = base.is_some_and(|base| base.at(position).get()[0] != 0.0);
            if value == 0.0 || (learned < prune && !packed) {
                self.dropped += u64::from(value != 0.0);
                self.all.push(otherwise);
                continue;
            }
            let units = (value / unit).round();
            self.clipped += u64::from(units.abs() > f32::from(i16::MAX));
            // A float cast to an integer stops at the ends of the range.
            let units = units as i16;
            self.kept += u64::from(units != 0);
            self.all.push(units);
        }
    }
}

/// Packs checkpoints.
///
/// # Errors
/// If a checkpoint cannot be read, or they do not fit together.
pub fn pack(settings: &Settings) -> Result<Packed> {
    let mut sources = Vec::new();
    for checkpoint in &settings.checkpoints {
        sources.push(Source::read(checkpoint)?);
    }
    ensure!(!sources.is_empty(), "there is no checkpoint to pack");
    ensure!(sources.is_sorted_by_key(|source| source.from), "the checkpoints must come by ascending sums");
    let joined = Joined { sources };
    let tuples = joined.sources[0].tables.shape().tuples();
    let same = joined.sources.iter().all(|source| source.tables.shape().tuples() == tuples);
    ensure!(same, "the checkpoints have different tuples");
    let shape = Shape::new(&tuples, &joined.bounds())?;

    let parent = match &settings.since {
        Some(path) => Some(checkpoint::load(path, None)?.0),
        None => None,
    };
    let fits = parent.as_ref().is_none_or(|parent| parent.shape().tuples() == tuples);
    ensure!(fits, "the checkpoint of --since has different tuples");
    let mut weights = Weights { all: Vec::new(), stage_len: shape.stage_len(), kept: 0, dropped: 0, clipped: 0 };
    let (mut previous, mut steps) = (None, Vec::new());
    for first_sum in std::iter::once(0).chain(shape.bounds().iter().copied()) {
        let stage_of = |tables: &Tables| tables.shape().stage(first_sum);
        let source = joined.source(first_sum);
        let first = &joined.sources[0];
        let base = [source, first].into_iter().find(|source| source.packed.is_some());
        let base = base.map(|base| base.tables.stage(stage_of(&base.tables)));
        // The parent counts where it had one stage for this one and the one before.
        let own = first_sum < joined.sources.get(1).map_or(u32::MAX, |second| second.from);
        let divided =
            |parent: &&Tables| own && previous.is_some_and(|sum| parent.shape().stage(sum) == stage_of(parent));
        let parent = parent.as_ref().filter(divided).map(|parent| parent.stage(stage_of(parent)));
        let unit = source.step(stage_of(&source.tables), settings);
        steps.push(unit * source.factor);
        weights.add(source.tables.stage(stage_of(&source.tables)), parent, base, unit, settings.prune);
        previous = Some(first_sum);
    }
    let tuple_starts: Vec<usize> = (0..tuples.len()).map(|tuple| shape.tuple_start(tuple)).collect();
    let weight =
        |stage: usize, tuple: usize, index: usize| weights.all[stage * weights.stage_len + tuple_starts[tuple] + index];
    let bytes = encode(&shape, &steps, weight)?;
    let strength = match settings.games {
        0 => None,
        games => Some([strength(&joined, games), strength(&Network::decode(&bytes)?, games)]),
    };
    let Weights { kept, dropped, clipped, .. } = weights;
    Ok(Packed { bytes, bounds: shape.bounds().to_vec(), kept, dropped, clipped, strength })
}

fn strength(network: &(impl Evaluate + Sync), games: u32) -> Strength {
    let mut search = Search::new(1);
    let mut scores = Vec::new();
    for seed in 1..=games {
        let mut game: Game<Bitboard> = Game::new(TinyMt32::new(seed, Parameters::ZERO));
        while let Some(decision) = search.decide(network, *game.board(), Limit::Budget(1))
            && game.play(decision.direction).is_ok()
        {}
        scores.push(game.score() as f64);
    }
    let large = scores.iter().filter(|&&score| score >= 32768.0).count();
    Strength { mean: Mean::of(&scores), large }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}", self.mean.mean)?;
        if let Some(ci95) = self.mean.ci95() {
            write!(f, " ± {ci95:.0}")?;
        }
        let (low, high) = rate_ci95(self.large, self.mean.count);
        let share = self.large as f64 / self.mean.count as f64;
        write!(f, ", 32768 in {:.1} % ({:.1} to {:.1})", 100.0 * share, 100.0 * low, 100.0 * high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::{Progress, save};

    #[test]
    fn the_packed_network_is_close_to_the_trained_one() {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape::new(&[0x000f, 0x0033], &[1000]).unwrap();
        let tables = Tables::zero(shape).unwrap();
        let mut random = TinyMt32::new(5, Parameters::OFFICIAL);
        let mut boards = Vec::new();
        for _ in 0..500 {
            let cells = (0..16).fold(0, |cells, _| cells << 4 | u64::from(random.generate_u32() % 12));
            let board = Bitboard::from_cells(cells);
            let sum = random.generate_u32() % 2000;
            tables.update(board, sum, (random.generate_u32() % 5000) as f32, 1.0);
            boards.push((board, sum));
        }
        let checkpoint = folder.path().join("net.ckp");
        save(&checkpoint, &tables, Progress::default()).unwrap();
        let checkpoints = vec![Checkpoint { path: checkpoint, from: 0, factor: 1.0 }];
        let packed = pack(&Settings { checkpoints, prune: 0.0, since: None, step: 0.25, games: 3 }).unwrap();
        assert!(packed.strength.unwrap().iter().all(|strength| strength.mean.count == 3 && strength.large == 0));
        let packed = Network::decode(&packed.bytes).unwrap();
        assert_eq!(packed.shape(), tables.shape());
        for (board, sum) in boards {
            // Sixteen weights make a value; each is off by half a step at most.
            let (exact, rounded) = (tables.value(board, sum), packed.value(board, sum));
            assert!((exact - rounded).abs() <= 16.0 * 0.125 + 0.1, "{exact} {rounded}");
        }
    }

    #[test]
    fn what_a_packed_network_holds_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let old = Bitboard::from_cells(0x1234_5678_9abc_def0);
        let new = Bitboard::from_cells(0xfedc_ba98_7654_3211);
        let tables = Tables::zero(Shape::new(&[0x000f, 0x0033], &[1000]).unwrap()).unwrap();
        tables.update(old, 0, 640.0, 1.0);
        tables.update(old, 1000, 960.0, 1.0);
        save(&path("step"), &tables, Progress::default()).unwrap();
        let packed = |checkpoints: Vec<Checkpoint>, prune: f32| {
            pack(&Settings { checkpoints, prune, since: None, step: 1.0, games: 0 }).unwrap().bytes
        };
        let first = packed(vec![Checkpoint { path: path("step"), from: 0, factor: 1.0 }], 0.0);
        std::fs::write(path("first"), first).unwrap();
        // The training goes on from the packed network, learns little, and nothing of the old board.
        let (later, _) = checkpoint::load(&path("first"), None).unwrap();
        assert!((later.value(old, 1000) - 960.0).abs() <= 16.0);
        later.update(new, 1000, 50.0, 1.0);
        save(&path("later"), &later, Progress::default()).unwrap();
        let checkpoints = vec![
            Checkpoint { path: path("first"), from: 0, factor: 1.0 },
            Checkpoint { path: path("later"), from: 1000, factor: 1.0 },
        ];
        let both = Network::decode(&packed(checkpoints, 300.0)).unwrap();
        assert!((both.value(old, 0) - 640.0).abs() <= 16.0);
        assert!((both.value(old, 1000) - 960.0).abs() <= 16.0);
        assert_eq!(both.value(new, 1000), 0.0, "too little was learned of it");
    }

    #[test]
    fn later_stages_are_multiplied_and_keep_their_units() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
        let tables = Tables::zero(Shape::new(&[0x000f, 0x0033], &[1000]).unwrap()).unwrap();
        tables.update(board, 0, 640.0, 1.0);
        tables.update(board, 1000, 960.0, 1.0);
        save(&path("trained"), &tables, Progress::default()).unwrap();
        let network = |checkpoints: Vec<Checkpoint>, prune: f32, step: f32| {
            Network::decode(&pack(&Settings { checkpoints, prune, since: None, step, games: 0 }).unwrap().bytes)
                .unwrap()
        };
        let trained = |factor: f32| Checkpoint { path: path("trained"), from: 0, factor };
        let late = pack(&Settings { checkpoints: vec![trained(1.0)], prune: 0.0, since: None, step: 0.5, games: 0 });
        std::fs::write(path("late"), late.unwrap().bytes).unwrap();
        // All of the checkpoint is pruned, and nothing of the network.
        let late = Checkpoint { path: path("late"), from: 1000, factor: 3.0 };
        let both = network(vec![trained(2.0), late.clone()], 1e9, 0.25);
        assert_eq!((both.step(0), both.step(1)), (0.5, 1.5));
        assert_eq!(both.value(board, 0), 0.0);
        assert!((both.value(board, 1000) - 3.0 * 960.0).abs() <= 16.0 * 0.75);
        let both = network(vec![trained(2.0), late], 0.0, 0.25);
        assert!((both.value(board, 0) - 2.0 * 640.0).abs() <= 16.0 * 0.25);
    }

    #[test]
    fn a_divided_stage_falls_back_on_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let known = Bitboard::from_cells(0x1234_5678_9abc_def0);
        let other = Bitboard::from_cells(0xfedc_ba98_7654_3211);
        let parent = Tables::zero(Shape::new(&[0x000f, 0x0033], &[]).unwrap()).unwrap();
        for _ in 0..3 {
            parent.update(known, 0, 640.0, 1.0);
            parent.update(other, 0, 320.0, 1.0);
        }
        save(&path("parent"), &parent, Progress::default()).unwrap();
        let (divided, _) = checkpoint::load(&path("parent"), Some(&[1000])).unwrap();
        // The first stage learns about one board, the second about the other.
        divided.update(known, 0, 1280.0, 1.0);
        divided.update(other, 1000, 1600.0, 1.0);
        save(&path("divided"), &divided, Progress::default()).unwrap();
        let checkpoints = vec![Checkpoint { path: path("divided"), from: 0, factor: 1.0 }];
        let since = Some(path("parent"));
        let packed = pack(&Settings { checkpoints, prune: 100.0, since, step: 1.0, games: 0 }).unwrap();
        let packed = Network::decode(&packed.bytes).unwrap();
        let near = |value: f32, expected: f32| (value - expected).abs() <= 16.0;
        assert!(near(packed.value(known, 0), 1280.0));
        assert!(near(packed.value(known, 1000), 1280.0), "learned nothing of its own: {}", packed.value(known, 1000));
        assert!(near(packed.value(other, 1000), 1600.0));
    }
}
