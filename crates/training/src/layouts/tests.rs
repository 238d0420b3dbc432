//! Weights of layouts: they learn, are kept, are gone on from, and become those of a network.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use estr2048::Bitboard;
use estr2048::network::layout;
use estr2048::network::layouts::FILLS;
use estr2048::network::{Endgame, Network, Shape, encode};

use super::file::{self, Progress};
use super::pack;
use super::session::{self, Settings, Trained};
use super::weights::Weights;
use crate::lessons::Lesson;

/// The second 256 lies beside the first, at the end of the snake.
fn falling() -> Bitboard {
    let rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [256, 0, 0, 0], [2, 4, 0, 0]];
    Bitboard::from_board(&rows).unwrap()
}

fn before_the_fill() -> Bitboard {
    let rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 0], [2, 4, 0, 0]];
    Bitboard::from_board(&rows).unwrap()
}

fn settings(out: &Path) -> Settings {
    let shape = Shape::new(&[0x000f], &[]).unwrap();
    let network = Network::decode(&encode(&shape, &[1.0], Endgame::default(), |_, _, _| 1).unwrap()).unwrap();
    Settings {
        out: out.into(),
        resume: None,
        lessons: Vec::new(),
        passes: 2,
        starts: vec![vec![falling()]],
        own: 0.3,
        stray: 1,
        searched: 0.05,
        nodes: 10,
        network: Arc::new(network),
        lambda: 0.5,
        alpha: (0.5, 0.05),
        minutes: None,
        games: Some(400),
        threads: 1,
        seed: 1,
        quiet: true,
    }
}

fn train(settings: &Settings) -> Trained {
    session::train(settings, &AtomicBool::new(false)).unwrap()
}

#[test]
fn a_chain_that_falls_is_learned_to_be_combined() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let trained = train(&settings(&first));
    assert_eq!(trained.progress.games, 400);
    assert!(trained.progress.moves > 400, "{:?}", trained.progress);
    assert!(trained.share > 0.5, "{trained:?}");
    let bytes = std::fs::read(&first).unwrap();
    train(&settings(&first));
    assert!(std::fs::read(&first).unwrap() == bytes, "the same command learns the same");
    let trained = train(&Settings { resume: Some(first), games: Some(50), ..settings(&second) });
    assert_eq!(trained.progress.games, 450);
    assert!(trained.share > 0.5, "what was learned is known: {trained:?}");
}

#[test]
fn lessons_are_learned_and_packed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("weights");
    let after = before_the_fill();
    let early = Lesson { after: Bitboard::default().with_two(3), chance: 1.0 };
    let lessons = vec![Lesson { after, chance: 0.6 }, early];
    train(&Settings { lessons, passes: 10, games: Some(1), ..settings(&out) });
    let settings = |trainings: &[&Path], prune: f32| {
        let trainings = trainings.iter().map(|path| path.to_path_buf()).collect();
        pack::Settings { trainings, prune, worths: [1000.0; FILLS] }
    };
    let keys = layout::keys(after.cells(), after.sum() as u32).unwrap();
    let (layouts, dropped) = pack::pack(&settings(&[&out], 0.0)).unwrap();
    assert!((layouts.chance(&keys) - 0.6).abs() < 0.01, "{}", layouts.chance(&keys));
    assert_eq!(dropped, 0);
    let nothing = folder.path().join("nothing");
    file::save(&nothing, &Weights::zero(false).unwrap(), Progress::default()).unwrap();
    let (mean, _) = pack::pack(&settings(&[&out, &nothing], 0.0)).unwrap();
    assert!((mean.chance(&keys) - 0.3).abs() < 0.01, "{}", mean.chance(&keys));
    let (pruned, dropped) = pack::pack(&settings(&[&out], 1e9)).unwrap();
    assert_eq!((pruned.weights(), pruned.chance(&keys)), (0, 0.0));
    assert!(dropped >= layouts.weights());
}

#[test]
fn what_is_no_such_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    let weights = Weights::zero(false).unwrap();
    weights.set(7, [1.0, 2.0, 3.0]);
    let progress = Progress { games: 3, moves: 5 };
    file::save(&path, &weights, progress).unwrap();
    let read = Weights::zero(false).unwrap();
    assert_eq!(file::add(&path, &read, 0.5).unwrap(), progress);
    assert_eq!(read.get(7), [0.5, 2.0, 3.0]);
    let bytes = std::fs::read(&path).unwrap();
    for damaged in [&bytes[..bytes.len() - 3], &bytes[..10], b"2 0 0 0"] {
        std::fs::write(&path, damaged).unwrap();
        let error = file::add(&path, &read, 1.0).unwrap_err().to_string();
        assert!(error.contains("holds no weights of layouts"), "{error}");
    }
    let error = file::add(&folder.path().join("missing"), &read, 1.0).unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
}
