//! Training as a whole: it learns, saves, goes on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use estr2048::Bitboard;
use estr2048::network::{Evaluate, Shape};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::checkpoint::{self, Division, Progress};
use crate::lessons::Lesson;
use crate::session::{self, Course, Settings, Start};
use crate::starts;
use crate::tables::Tables;
use crate::worker::{AfterTop, Ends, Recipe, Worker, with_new_two};

fn recipe(starts: Vec<Bitboard>) -> Recipe {
    let start_share = if starts.is_empty() { 0.0 } else { 1.0 };
    Recipe { starts, start_share, after_top: AfterTop::Plays(10), ..Recipe::default() }
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
    tables.renew(&(512..=u32::MAX), 240.0);
    assert!((tables.value(board, 100) - 50.0).abs() < 1e-3);
    assert!((tables.value(board, 600) - 240.0).abs() < 1e-3);
    let value = tables.update(board, 600, 100.0, 1.0);
    assert!((value - 100.0).abs() < 1e-3, "new weights learn at full rate: {value}");
    tables.renew(&(100..=511), 1.0);
    assert!((tables.value(board, 600) - 100.0).abs() < 1e-3);
}

#[test]
fn what_follows_a_65536_is_played_or_priced() {
    let tables = small_tables();
    // 32768 twice in the first row; nothing else combines.
    let board = Bitboard::from_cells(0x0000_0000_0021_12ff);
    let mut recipe = recipe(vec![board]);
    let outcome = Worker::new(&tables, &recipe, 1).game(0.0);
    assert!(outcome.moves > 10, "ten moves more: {outcome:?}");
    recipe.after_top = AfterTop::Worth(500.0);
    let mut worker = Worker::new(&tables, &recipe, 1);
    let outcome = worker.game(1.0);
    assert_eq!((outcome.moves, outcome.sum), (1, board.sum() as u32 + 2), "the 65536 at once, and the end");
    // The board before: its best afterstate is one move away from it.
    recipe.starts = vec![Bitboard::from_cells(0x0000_0000_0221_1eef)];
    let mut worker = Worker::new(&tables, &recipe, 2);
    let mut best = 0.0_f32;
    for _ in 0..300 {
        worker.game(1.0);
        let (afters, legal) = recipe.starts[0].afterstates();
        best = afters[..legal].iter().map(|&after| tables.value(after, 65544)).fold(best, f32::max);
    }
    assert!(best > 100.0, "what leads to a 65536 has learned its price: {best}");
}

#[test]
fn a_game_from_a_given_board_strays_and_is_cut_short() {
    let tables = small_tables();
    let board = Bitboard::from_cells(0x0000_0000_0021_12ff);
    let recipe = Recipe { stray: 3, most_moves: 5, ..recipe(vec![board]) };
    let mut worker = Worker::new(&tables, &recipe, 1);
    let outcomes: Vec<_> = (0..100).map(|_| worker.game(0.0)).collect();
    assert!(outcomes.iter().all(|outcome| outcome.moves == 5));
    let strayed = |moves: u32| outcomes.iter().any(|outcome| outcome.sum == board.sum() as u32 + 2 * (5 + moves));
    assert!((0..=3).all(strayed), "none to three random moves come first");
}

#[test]
fn the_new_two_falls_on_every_empty_cell() {
    let mut random = SmallRng::seed_from_u64(1);
    let after = Bitboard::from_board(&[[2, 4, 8, 16], [0, 4, 0, 2], [4, 2, 4, 2], [2, 4, 2, 0]]).unwrap();
    let mut seen: Vec<Bitboard> = (0..100).map(|_| with_new_two(after, &mut random)).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut all: Vec<Bitboard> = after.empty_cells().map(|cell| after.with_two(cell)).collect();
    all.sort_unstable();
    assert_eq!(seen, all);
}

#[test]
fn only_the_sums_in_the_range_learn() {
    let tables = small_tables();
    let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
    tables.update(board, 512, 70.0, 1.0);
    let later: Vec<[f32; 3]> = tables.stage(1).iter().map(|weight| weight.get()).collect();
    let recipe = Recipe { learned: 0..=511, ..recipe(Vec::new()) };
    let mut worker = Worker::new(&tables, &recipe, 1);
    let outcomes: Vec<_> = (0..2000).map(|_| worker.game(1.0)).collect();
    assert!(outcomes.iter().all(|outcome| outcome.sum <= 512), "a game ends at the first sum that does not learn");
    assert!(outcomes.iter().any(|outcome| outcome.sum == 512));
    assert!(tables.stage(0).iter().any(|weight| weight.get()[0] > 0.0));
    assert!(tables.stage(1).iter().map(|weight| weight.get()).eq(later), "other stages stay as they are");
}

#[test]
fn a_game_that_leaves_the_sums_that_learn_is_played_on() {
    let first = |play_on| {
        let tables = small_tables();
        // The second afterstate, of sum 4, learns nothing any more; all moves lead there.
        let recipe = Recipe { learned: 0..=2, play_on, ..recipe(Vec::new()) };
        let outcome = Worker::new(&tables, &recipe, 1).game(1.0);
        assert_eq!((outcome.moves, outcome.sum), (1, 4), "what is played on is no part of it");
        assert!(tables.stage(1).iter().all(|weight| weight.get() == [0.0; 3]));
        let twos = (0..16).map(|cell| Bitboard::from_cells(1 << (4 * cell)));
        twos.map(|board| tables.value(board, 2)).fold(0.0, f32::max)
    };
    // The first game moves every weight in proportion to its target: one move out, and what the network says, nothing; and
    // nine moves more, in which no game is lost.
    let (alone, on) = (first(0), first(9));
    assert!(alone > 0.0 && (on / alone - 10.0).abs() < 1e-3, "{alone} {on}");
}

/// Every afterstate of a sum of 4 or more has a chance of a quarter.
#[derive(Debug)]
struct AQuarter;

impl Ends for AQuarter {
    fn chance(&self, _: Bitboard, sum: u32) -> Option<f32> {
        (sum >= 4).then_some(0.25)
    }
}

#[test]
fn a_game_that_ends_on_a_known_chance_is_worth_it() {
    let played = |after_top| {
        let tables = small_tables();
        let recipe = Recipe { ends: Some(Arc::new(AQuarter)), after_top, ..recipe(Vec::new()) };
        let outcome = Worker::new(&tables, &recipe, 1).game(1.0);
        let twos = (0..16).map(|cell| Bitboard::from_cells(1 << (4 * cell)));
        (outcome, twos.map(|board| tables.value(board, 2)).fold(0.0, f32::max))
    };
    // The first afterstate learns one move and a quarter of what a chance of 1 is worth.
    let (outcome, nothing) = played(AfterTop::Worth(0.0));
    assert_eq!((outcome.moves, outcome.sum), (2, 6));
    let (outcome, learned) = played(AfterTop::Worth(200.0));
    assert_eq!((outcome.moves, outcome.sum), (2, 6));
    assert!(nothing > 0.0 && (learned / nothing - 51.0).abs() < 1e-3, "{nothing} {learned}");
    let (outcome, _) = played(AfterTop::Plays(10));
    assert!(outcome.moves > 2, "a chance has no worth: {outcome:?}");
}

#[test]
fn games_start_alike_from_all_sums_that_boards_have() {
    let tables = small_tables();
    // Between the second and the third lies what no board has.
    let boards = [0x1234, 0x1_1234, 0xe000_0000_1234].map(Bitboard::from_cells);
    let recipe = Recipe { most_moves: 1, ..recipe(boards.to_vec()) };
    let mut worker = Worker::new(&tables, &recipe, 1);
    let mut counts = [0; 3];
    for _ in 0..3000 {
        let start = i64::from(worker.game(0.0).sum) - 2;
        counts[boards.iter().position(|board| board.sum() == start).unwrap()] += 1;
    }
    assert!(counts.iter().all(|count| (400..=1600).contains(count)), "{counts:?}");
}

#[test]
fn games_behind_a_later_fill_start_where_they_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    // Behind 98304, the chain not yet fallen together and fallen; behind 65536.
    let lines = [
        "65536 16384 8192 4096 2048 2048 4 2 0 0 0 0 0 0 0 0\n",
        "65536 32768 4 2 0 0 0 0 0 0 0 0 0 0 0 0\n",
        "32768 16384 8192 4096 2048 2048 4 2 0 0 0 0 0 0 0 0\n",
    ];
    std::fs::write(&path, lines.concat()).unwrap();
    let shape = small_tables().shape().clone();
    let found = |sums, learned| -> Vec<i64> {
        let recipe = Recipe { starts: starts::read(&path, &sums).unwrap_or_default(), learned, ..Recipe::default() };
        let boards = recipe.for_shape(&shape).map(|recipe| recipe.starts).unwrap_or_default();
        boards.iter().map(|board| board.sum()).collect()
    };
    assert_eq!(found(0..=131_070, 0..=131_070), [65_542, 98_310, 98_310]);
    assert_eq!(found(98_304..=98_560, 98_304..=98_560), [98_310], "the one that has not fallen");
    assert_eq!(found(98_304..=98_560, 49_152..=49_200), [98_310], "the other one");
    assert!(found(65_536..=98_303, 98_304..=98_560).is_empty());
}

#[test]
fn what_comes_later_counts_less() {
    let tables = small_tables();
    let recipe = Recipe { discount: 0.5, ..recipe(Vec::new()) };
    let mut worker = Worker::new(&tables, &recipe, 1);
    for _ in 0..2000 {
        worker.game(1.0);
    }
    let (afters, legal) = Bitboard::from_cells(0x11).afterstates();
    for after in &afters[..legal] {
        let value = tables.value(*after, 4);
        assert!((value - 2.0).abs() < 0.1, "1 + 0.5 + 0.25 ... moves: {value}");
    }
}

#[test]
fn training_makes_play_better() {
    let tables = small_tables();
    let recipe = recipe(Vec::new());
    let mut worker = Worker::new(&tables, &recipe, 1);
    let mean =
        |worker: &mut Worker<'_>, alpha: f32| (0..200).map(|_| u64::from(worker.game(alpha).sum)).sum::<u64>() / 200;
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
    let (same, counters) = checkpoint::load(&path, &Division::default()).unwrap();
    assert_eq!(counters, progress);
    assert!(tables.weights().iter().zip(same.weights().iter()).all(|(a, b)| a.get() == b.get()));
    let (divided, _) =
        checkpoint::load(&path, &Division { bounds: Some(vec![256, 512]), ..Division::default() }).unwrap();
    for (heir, parent) in [(0, 0), (1, 0), (2, 1)] {
        let pairs = divided.stage(heir).iter().zip(tables.stage(parent).iter());
        assert!(pairs.into_iter().all(|(a, b)| a.get() == b.get()), "stage {heir} inherits from stage {parent}");
    }
    // A file from before there were walls lacks the sum that they begin at, behind magic, counts, tuples and bounds.
    let head = 8 + 2 + 3 * 2 + 4;
    let whole = zstd::decode_all(&std::fs::read(&path).unwrap()[..]).unwrap();
    let mut old = [&whole[..head], &whole[head + 4..]].concat();
    old[..8].copy_from_slice(b"ESTRCKP1");
    std::fs::write(dir.path().join("old.ckp"), zstd::encode_all(&old[..], 1).unwrap()).unwrap();
    let (same, counters) = checkpoint::load(&dir.path().join("old.ckp"), &Division::default()).unwrap();
    assert_eq!(counters, progress);
    assert!(tables.weights().iter().zip(same.weights().iter()).all(|(a, b)| a.get() == b.get()));
    let walls = Division { bounds: Some(vec![256, 512]), walls_from: Some(512) };
    let (with_walls, _) = checkpoint::load(&path, &walls).unwrap();
    assert!(with_walls.stage(2).iter().all(|weight| weight.get() == [0.0; 3]), "it learned nothing of walls");
    let pairs = with_walls.stage(1).iter().zip(tables.stage(0).iter());
    assert!(pairs.into_iter().all(|(a, b)| a.get() == b.get()));
    let low = Bitboard::from_cells(0x1234_5678_9abc_def0);
    let high = Bitboard::from_cells(0x1234_5678_9cba_fde0);
    with_walls.update(low, 64_512, 90.0, 1.0);
    assert!(with_walls.value(low, 64_512) > 45.0);
    assert_eq!(with_walls.value(low, 64_512), with_walls.value(high, 64_512), "the walls stand in another order");
    checkpoint::save(&path, &with_walls, progress).unwrap();
    let (again, _) = checkpoint::load(&path, &Division::default()).unwrap();
    assert_eq!(again.shape(), with_walls.shape());
    assert!(again.weights().iter().zip(with_walls.weights().iter()).all(|(a, b)| a.get() == b.get()));
    assert!(checkpoint::join(&tables, &path, 512, 1.0).is_err(), "one of them sees walls");
    std::fs::write(&path, b"ESTRCKP2 cut").unwrap();
    assert!(checkpoint::load(&path, &Division::default()).is_err());
}

#[test]
fn the_same_command_learns_the_same_though_the_step_size_falls() {
    let dir = tempfile::tempdir().unwrap();
    let learned = |name: &str| {
        let settings = Settings {
            out: dir.path().join(name),
            start: Start::New { shape: small_tables().shape().clone(), initial: 0.0 },
            recipe: recipe(Vec::new()),
            course: None,
            alpha: (1.0, 0.1),
            minutes: None,
            games: Some(2_000),
            checkpoint_minutes: 60.0,
            threads: 1,
            seed: 5,
            quiet: true,
        };
        session::train(&settings, &AtomicBool::new(false)).unwrap();
        checkpoint::load(&settings.out, &Division::default()).unwrap().0
    };
    let (one, other) = (learned("one.ckp"), learned("other.ckp"));
    assert!(one.weights().iter().zip(other.weights().iter()).all(|(a, b)| a.get() == b.get()));
}

#[test]
fn lessons_are_learned_without_games() {
    let dir = tempfile::tempdir().unwrap();
    let [high, low] = [0x1234_5678_9abc_def0, 0xfedc_ba98_7654_3210].map(Bitboard::from_cells);
    let lessons = vec![Lesson { after: high, chance: 0.75 }, Lesson { after: low, chance: 0.25 }];
    let course = |passes| Course { lessons: lessons.clone(), passes, worth: 200.0 };
    let settings = |name: &str, passes, threads| Settings {
        out: dir.path().join(name),
        start: Start::New { shape: small_tables().shape().clone(), initial: 0.0 },
        recipe: Recipe::default(),
        course: Some(course(passes)),
        alpha: (0.5, 0.1),
        minutes: None,
        games: None,
        checkpoint_minutes: 60.0,
        threads,
        seed: 3,
        quiet: true,
    };
    let learned = |name: &str, passes, threads| {
        let settings = settings(name, passes, threads);
        let trained = session::train(&settings, &AtomicBool::new(false)).unwrap();
        assert_eq!((trained.progress.games, trained.progress.moves, trained.passes), (0, 0, passes));
        checkpoint::load(&settings.out, &Division::default()).unwrap().0
    };
    let off = |tables: &Tables| {
        let off = lessons
            .iter()
            .map(|lesson| (tables.value(lesson.after, lesson.after.sum() as u32) - 200.0 * lesson.chance).abs());
        off.sum::<f32>()
    };
    let (short, long, other) = (learned("a.ckp", 2, 1), learned("b.ckp", 40, 1), learned("c.ckp", 40, 3));
    assert!(
        off(&short) > 10.0 && off(&long) < 1.0 && off(&other) < 10.0,
        "{} {} {}",
        off(&short),
        off(&long),
        off(&other)
    );
    let again = learned("d.ckp", 40, 1);
    assert!(again.weights().iter().zip(long.weights().iter()).all(|(a, b)| a.get() == b.get()));
    let stopped = settings("e.ckp", 40, 1);
    assert_eq!(session::train(&stopped, &AtomicBool::new(true)).unwrap().passes, 0);
    let stopped = checkpoint::load(&stopped.out, &Division::default()).unwrap().0;
    assert_eq!(off(&stopped), 200.0, "nothing is learned any more");
}

#[test]
fn the_mean_of_trainings_values_every_afterstate_by_their_mean() {
    let folder = tempfile::tempdir().unwrap();
    let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
    let paths: Vec<_> = [90.0, 30.0, 60.0]
        .into_iter()
        .enumerate()
        .map(|(number, target)| {
            let tables = small_tables();
            tables.update(board, 600, target, 1.0);
            let path = folder.path().join(format!("{number}.ckp"));
            checkpoint::save(&path, &tables, Progress { games: 2, moves: 30, seconds: 1.0 }).unwrap();
            path
        })
        .collect();
    let (mean, progress) = checkpoint::mean(&paths).unwrap();
    assert!((mean.value(board, 600) - 60.0).abs() < 1e-3);
    assert_eq!(mean.value(board, 100), 0.0);
    assert_eq!(progress, Progress { games: 6, moves: 90, seconds: 3.0 });
    let magnitudes = |tables: &Tables| tables.weights().iter().map(|weight| f64::from(weight.get()[2])).sum::<f64>();
    let each = |path| magnitudes(&checkpoint::load(path, &Division::default()).unwrap().0);
    assert!((magnitudes(&mean) - paths.iter().map(|path| each(path)).sum::<f64>()).abs() < 1e-2);
    let other = Tables::zero(Shape::new(&[0x000f], &[512]).unwrap()).unwrap();
    checkpoint::save(&paths[2], &other, Progress::default()).unwrap();
    let error = checkpoint::mean(&paths).unwrap_err().to_string();
    assert!(error.contains("2.ckp has other tuples or stages than") && error.ends_with("0.ckp"), "{error}");
}

#[test]
fn late_stages_come_from_another_checkpoint() {
    let board = Bitboard::from_cells(0x1234_5678_9abc_def0);
    let (early, late) = (small_tables(), small_tables());
    for (tables, value) in [(&early, 50.0), (&late, 90.0)] {
        tables.update(board, 100, value, 1.0);
        tables.update(board, 600, value, 1.0);
    }
    let only_here = Bitboard::from_cells(0xfedc_ba98_7654_3211);
    early.update(only_here, 600, 20.0, 1.0);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("late.ckp");
    checkpoint::save(&path, &late, Progress::default()).unwrap();
    checkpoint::join(&early, &path, 512, 1.0).unwrap();
    assert!((early.value(board, 100) - 50.0).abs() < 1e-3);
    assert!(early.stage(1).iter().zip(late.stage(1).iter()).all(|(a, b)| a.get() == b.get()));
    checkpoint::join(&early, &path, 512, 0.5).unwrap();
    assert!((early.value(board, 600) - 45.0).abs() < 1e-3);
    let other = Tables::zero(Shape::new(&[0x000f], &[512]).unwrap()).unwrap();
    assert!(checkpoint::join(&other, &path, 512, 1.0).is_err(), "other tuples");
}
