//! From checkpoints to the small file that ships, and what that costs in strength.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use estr2048::Bitboard;
use estr2048::courses::estr1002::Game;
use estr2048::network::layouts::Layouts;
use estr2048::network::{Endgame, Evaluate, Network, SCATTERED, Shape, Tablebase, encode, layout, weights};
use estr2048::search::{Limit, Search};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048_toolbox::statistics::{Mean, rate_ci95};

use crate::checkpoint::{self, Division};
use crate::layouts;
use crate::tablebase;
use crate::tables::Tables;

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
    /// network among them holds is kept.
    pub checkpoints: Vec<Checkpoint>,
    /// Weights whose errors add up to less than this in magnitude are dropped.
    pub prune: f32,
    /// In stages that went on from the first checkpoint, a packed network: a weight that it holds stays as it was if its
    /// errors add up to less than this.
    pub prune_first: f32,
    /// The checkpoint that the first one was divided from: a weight that learned little in its own stage, after the
    /// division, is then that of the stage before.
    pub since: Option<PathBuf>,
    /// Value of one unit of a weight, in moves, before it is multiplied; positive. Packed networks keep their own.
    pub step: f32,
    /// Weights of layouts: they take the place of all stages that begin where they do or later. Without, those of the last
    /// packed network that has any.
    pub layouts: Option<layouts::pack::Settings>,
    /// Moves of exact solutions: of a board that is in several, the first one's counts. Without, those of the last packed
    /// network that has any.
    pub tablebases: Vec<PathBuf>,
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
    /// Weights of layouts that are kept, if there are any.
    pub layouts: Option<usize>,
    /// Boards whose move is known, if there are any.
    pub tablebase: Option<usize>,
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
    trained: Trained,
}

enum Trained {
    Checkpoint(Tables),
    /// It has been pruned already: what it holds is kept.
    Packed(Box<Network>),
}

/// The weights of a stage, one after the other: the value, and the sum of the magnitudes of its errors, which a packed
/// network does not know.
type Stage<'a> = Box<dyn Iterator<Item = [f32; 2]> + 'a>;

impl Trained {
    fn shape(&self) -> &Shape {
        match self {
            Self::Checkpoint(tables) => tables.shape(),
            Self::Packed(network) => network.shape(),
        }
    }

    /// The stage that a sum belongs to.
    fn stage(&self, sum: u32) -> Stage<'_> {
        let stage = self.shape().stage(sum);
        match self {
            Self::Checkpoint(tables) => Box::new(tables.stage(stage).iter().map(|weight| {
                let [value, _, magnitudes] = weight.get();
                [value, magnitudes]
            })),
            Self::Packed(network) => Box::new(network.weights(stage).into_iter().map(|value| [value, 0.0])),
        }
    }
}

impl Source {
    /// A checkpoint of which only the stages for the sums from `first` to below `to` are needed.
    fn read(&Checkpoint { ref path, from, factor }: &Checkpoint, first: u32, to: u32) -> Result<Self> {
        let trained = if checkpoint::is_packed(path)? {
            Trained::Packed(Box::new(weights::load(path)?))
        } else {
            Trained::Checkpoint(checkpoint::load_part(path, first, to)?)
        };
        Ok(Self { from, factor, trained })
    }

    /// Its weights of layouts, if it has any.
    fn layouts(&self) -> Option<Layouts> {
        match &self.trained {
            Trained::Packed(network) => network.layouts().cloned(),
            Trained::Checkpoint(_) => None,
        }
    }

    /// Its moves of an exact solution, if it has any.
    fn tablebase(&self) -> Option<Tablebase> {
        match &self.trained {
            Trained::Packed(network) => network.tablebase().cloned(),
            Trained::Checkpoint(_) => None,
        }
    }

    /// The value of one unit of a weight of the stage that a sum belongs to, before the weights are multiplied.
    fn step(&self, sum: u32, settings: &Settings) -> f32 {
        match &self.trained {
            Trained::Checkpoint(_) => settings.step,
            Trained::Packed(network) => network.step(network.shape().stage(sum)),
        }
    }
}

/// The stages of several checkpoints as one network.
struct Joined {
    sources: Vec<Source>,
    /// Whether no stage begins where weights of layouts see boards.
    ends: bool,
    /// The sum at which the first stage begins for boards whose largest tiles lie scattered.
    scattered_from: Option<u32>,
}

impl Joined {
    fn source(&self, sum: u32) -> &Source {
        let last = self.sources.iter().rev().find(|source| source.from <= sum);
        last.unwrap_or(&self.sources[0])
    }

    fn bounds(&self) -> Vec<u32> {
        let own = |source: &Source| source.trained.shape().bounds().to_vec();
        let mut bounds: Vec<u32> = Vec::new();
        for source in &self.sources {
            bounds.retain(|&bound| bound < source.from);
            bounds.extend((source.from > 0).then_some(source.from));
            bounds.extend(own(source).into_iter().filter(|&bound| bound > source.from));
        }
        bounds.retain(|&bound| !self.ends || bound < layout::FROM);
        bounds
    }

    /// The sum from which on the largest tiles are seen alike.
    fn walls_from(&self) -> Result<Option<u32>> {
        let bounds = self.bounds();
        let has_walls = |&bound: &u32| self.source(bound).trained.shape().has_walls(bound);
        let first = bounds.iter().position(has_walls);
        let later = first.map_or(&[][..], |first| &bounds[first..]);
        let later = &later[..later.partition_point(|&bound| bound < SCATTERED)];
        ensure!(
            later.iter().all(has_walls),
            "a stage that sees the largest tiles alike comes before one that does not"
        );
        Ok(later.first().copied())
    }
}

impl Evaluate for Joined {
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let (_, known) = estr2048::network::known(after, sum, self.scattered_from);
        let source = self.source(known);
        let value = match &source.trained {
            Trained::Checkpoint(tables) => tables.value(after, sum),
            Trained::Packed(network) => network.value(after, sum),
        };
        value * source.factor
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
    /// weight of the stage before. A weight that was there before, in `base`, stays as it was if it learned little.
    fn add(
        &mut self,
        stage: Stage,
        mut parent: Option<Stage>,
        mut base: Option<Stage>,
        unit: f32,
        [prune_base, prune]: [f32; 2],
    ) {
        let before = self.all.len().checked_sub(self.stage_len);
        for (position, [value, magnitudes]) in stage.enumerate() {
            let (learned, otherwise) = match (before, parent.as_mut().and_then(Iterator::next)) {
                (Some(before), Some([_, of_parent])) => (magnitudes - of_parent, self.all[before + position]),
                _ => (magnitudes, 0),
            };
            let base = base.as_mut().and_then(Iterator::next).map_or(0.0, |[base, _]| base);
            let value = if base != 0.0 && learned < prune_base { base } else { value };
            if value == 0.0 || (base == 0.0 && learned < prune) {
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
    let checkpoints = &settings.checkpoints;
    ensure!(!checkpoints.is_empty(), "there is no checkpoint to pack");
    ensure!(checkpoints.is_sorted_by_key(|checkpoint| checkpoint.from), "the checkpoints must come by ascending sums");
    for (number, checkpoint) in checkpoints.iter().enumerate() {
        let to = checkpoints.get(number + 1).map_or(u32::MAX, |next| next.from);
        // The first one serves the sums below its own, too.
        let first = if number == 0 { 0 } else { checkpoint.from };
        sources.push(Source::read(checkpoint, first, to)?);
    }
    let layouts = match &settings.layouts {
        Some(settings) => Some(layouts::pack::pack(settings)?.0),
        None => sources.iter().rev().find_map(Source::layouts),
    };
    let tablebase = match &settings.tablebases[..] {
        [] => sources.iter().rev().find_map(Source::tablebase),
        paths => Some(tablebase::read(paths)?),
    };
    let mut joined = Joined { sources, ends: layouts.is_some(), scattered_from: None };
    let tuples = joined.sources[0].trained.shape().tuples();
    let same = joined.sources.iter().all(|source| source.trained.shape().tuples() == tuples);
    ensure!(same, "the checkpoints have different tuples");
    let shape = Shape::new(&tuples, &joined.bounds())?.with_walls_from(joined.walls_from()?)?;
    joined.scattered_from = shape.scattered_from();

    let parent = match &settings.since {
        Some(path) => Some(Trained::Checkpoint(checkpoint::load(path, &Division::default())?.0)),
        None => None,
    };
    let fits = parent.as_ref().is_none_or(|parent| parent.shape().tuples() == tuples);
    ensure!(fits, "the checkpoint of --since has different tuples");
    let mut weights = Weights { all: Vec::new(), stage_len: shape.stage_len(), kept: 0, dropped: 0, clipped: 0 };
    let (mut previous, mut steps) = (None, Vec::new());
    for first_sum in std::iter::once(0).chain(shape.bounds().iter().copied()) {
        let source = joined.source(first_sum);
        let is_packed = |source: &&Source| matches!(source.trained, Trained::Packed(_));
        let sees_the_same = |other: &Shape| other.has_walls(first_sum) == shape.has_walls(first_sum);
        let base = Some(&joined.sources[0]).filter(is_packed).filter(|first| sees_the_same(first.trained.shape()));
        let base = base.map(|first| first.trained.stage(first_sum));
        let prune = if is_packed(&source) { [0.0; 2] } else { [settings.prune_first, settings.prune] };
        // The parent counts where it had one stage for this one and the one before.
        let own = first_sum < joined.sources.get(1).map_or(u32::MAX, |second| second.from);
        let divided = |parent: &&Trained| {
            let shape = parent.shape();
            own && previous.is_some_and(|sum| shape.stage(sum) == shape.stage(first_sum))
        };
        let parent = parent.as_ref().filter(divided).map(|parent| parent.stage(first_sum));
        let unit = source.step(first_sum, settings);
        steps.push(unit * source.factor);
        weights.add(source.trained.stage(first_sum), parent, base, unit, prune);
        previous = Some(first_sum);
    }
    let tuple_starts: Vec<usize> = (0..tuples.len()).map(|tuple| shape.tuple_start(tuple)).collect();
    let weight =
        |stage: usize, tuple: usize, index: usize| weights.all[stage * weights.stage_len + tuple_starts[tuple] + index];
    let endgame = Endgame { layouts: layouts.as_ref(), tablebase: tablebase.as_ref() };
    let bytes = encode(&shape, &steps, endgame, weight)?;
    let strength = match settings.games {
        0 => None,
        games => Some([strength(&joined, games), strength(&Network::decode(&bytes)?, games)]),
    };
    let Weights { kept, dropped, clipped, .. } = weights;
    let (layouts, tablebase) =
        (layouts.map(|layouts| layouts.weights()), tablebase.map(|tablebase| tablebase.boards()));
    Ok(Packed { bytes, bounds: shape.bounds().to_vec(), kept, dropped, clipped, layouts, tablebase, strength })
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

    fn settings(checkpoints: Vec<Checkpoint>, prune: f32) -> Settings {
        Settings {
            checkpoints,
            prune,
            prune_first: 0.0,
            since: None,
            step: 1.0,
            layouts: None,
            tablebases: Vec::new(),
            games: 0,
        }
    }

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
        let packed = pack(&Settings { step: 0.25, games: 3, ..settings(checkpoints, 0.0) }).unwrap();
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
        let packed = |checkpoints: Vec<Checkpoint>, prune: f32| pack(&settings(checkpoints, prune)).unwrap().bytes;
        let first = packed(vec![Checkpoint { path: path("step"), from: 0, factor: 1.0 }], 0.0);
        std::fs::write(path("first"), first).unwrap();
        // The training goes on from the packed network and learns little of another board.
        let (later, _) = checkpoint::load(&path("first"), &Division::default()).unwrap();
        assert!((later.value(old, 1000) - 960.0).abs() <= 16.0);
        later.update(new, 1000, 50.0, 1.0);
        save(&path("later"), &later, Progress::default()).unwrap();
        let checkpoints = vec![
            Checkpoint { path: path("first"), from: 0, factor: 1.0 },
            Checkpoint { path: path("later"), from: 1000, factor: 1.0 },
        ];
        let both = Network::decode(&packed(checkpoints.clone(), 300.0)).unwrap();
        assert!((both.value(old, 0) - 640.0).abs() <= 16.0);
        assert!((both.value(old, 1000) - 960.0).abs() <= 16.0);
        assert_eq!(both.value(new, 1000), 0.0, "too little was learned of it");
        // It goes on to the old board.
        later.update(old, 1000, 1600.0, 1.0);
        save(&path("later"), &later, Progress::default()).unwrap();
        let old_in_the_later_stage = |prune_first: f32| {
            let packed = pack(&Settings { prune_first, ..settings(checkpoints.clone(), 300.0) }).unwrap();
            Network::decode(&packed.bytes).unwrap().value(old, 1000)
        };
        assert!((old_in_the_later_stage(300.0) - 1600.0).abs() <= 16.0);
        assert!((old_in_the_later_stage(700.0) - 960.0).abs() <= 16.0, "too little to change it");
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
            Network::decode(&pack(&Settings { step, ..settings(checkpoints, prune) }).unwrap().bytes).unwrap()
        };
        let trained = |factor: f32| Checkpoint { path: path("trained"), from: 0, factor };
        let late = pack(&Settings { step: 0.5, ..settings(vec![trained(1.0)], 0.0) });
        std::fs::write(path("late"), late.unwrap().bytes).unwrap();
        // All of the checkpoint is pruned, and nothing of the network.
        let late = Checkpoint { path: path("late"), from: 1000, factor: 3.0 };
        let both = network(vec![trained(2.0), late.clone()], 1e9, 0.25);
        assert_eq!((both.step(0), both.step(1)), (0.5, 1.5));
        assert_eq!(both.value(board, 0), 0.0);
        let alone = network(vec![Checkpoint { from: 1000, ..trained(1.0) }], 0.0, 1.0);
        assert!((alone.value(board, 0) - 640.0).abs() <= 16.0, "what lies below the first is its own, too");
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
        let (divided, _) =
            checkpoint::load(&path("parent"), &Division { bounds: Some(vec![1000]), ..Division::default() }).unwrap();
        // The first stage learns about one board, the second about the other.
        divided.update(known, 0, 1280.0, 1.0);
        divided.update(other, 1000, 1600.0, 1.0);
        save(&path("divided"), &divided, Progress::default()).unwrap();
        let checkpoints = vec![Checkpoint { path: path("divided"), from: 0, factor: 1.0 }];
        let since = Some(path("parent"));
        let packed = pack(&Settings { since, ..settings(checkpoints, 100.0) }).unwrap();
        let packed = Network::decode(&packed.bytes).unwrap();
        let near = |value: f32, expected: f32| (value - expected).abs() <= 16.0;
        assert!(near(packed.value(known, 0), 1280.0));
        assert!(near(packed.value(known, 1000), 1280.0), "learned nothing of its own: {}", packed.value(known, 1000));
        assert!(near(packed.value(other, 1000), 1600.0));
    }
}
