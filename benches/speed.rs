//! `make bench`: the generator against a plain C loop, and the two boards against each other.
//!
//! Each group measures its rivals in one run, so that their ratio means something on a noisy machine.

use std::ffi::{CStr, CString};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use estr2048::board::GameBoard;
use estr2048::courses::estr1002::{Cells, Game};
use estr2048::network::Network;
use estr2048::network::weights;
use estr2048::search::{Limit, Search};
use estr2048::{Bitboard, Board, Direction, Parameters, TinyMt32};

const NUMBERS: u32 = 1_000_000;
type Sum = unsafe extern "C" fn(*mut TinyMt32, u32) -> u32;

/// Compiles benches/reference.c as it is meant to be compared, and gives its functions.
fn reference() -> impl Fn(&CStr) -> Sum {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let make = Command::new("make").arg("libestr2048.a").current_dir(root).output().expect("make can be started");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("reference.so");
    let gcc = Command::new("gcc")
        .args(["-O2", "-std=c99", "-shared", "-fPIC", "-Iinclude", "benches/reference.c", "libestr2048.a", "-o"])
        .arg(&library)
        .current_dir(root)
        .status()
        .expect("gcc can be started");
    assert!(gcc.success());
    let path = CString::new(library.to_str().expect("a UTF-8 path")).expect("a path without NUL");
    // SAFETY: the library was just built from benches/reference.c; loading it runs no code of its own.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!handle.is_null(), "{} cannot be loaded", library.display());
    move |name| {
        // SAFETY: the handle stays open, and both functions of reference.c have the type `Sum`.
        unsafe {
            let function = libc::dlsym(handle, name.as_ptr());
            assert!(!function.is_null(), "{name:?} is missing");
            std::mem::transmute::<*mut libc::c_void, Sum>(function)
        }
    }
}

fn tinymt32(criterion: &mut Criterion) {
    let find = reference();
    let mut group = criterion.benchmark_group("tinymt32");
    group.throughput(Throughput::Elements(NUMBERS.into()));
    for (parameters, set) in [(Parameters::ZERO, "zero"), (Parameters::OFFICIAL, "official")] {
        for (name, function) in [("C loop", c"sum_by_c"), ("C calls the library", c"sum_by_library")] {
            let sum = find(function);
            let mut random = TinyMt32::new(1, parameters);
            group.bench_function(format!("{name}, {set}"), |bencher| {
                // SAFETY: the generator is ours for the length of the call.
                bencher.iter(|| unsafe { sum(&raw mut random, NUMBERS) });
            });
        }
        let mut random = TinyMt32::new(1, parameters);
        group.bench_function(format!("Rust, {set}"), |bencher| {
            bencher.iter(|| (0..NUMBERS).fold(0_u32, |sum, _| sum.wrapping_add(random.generate_u32())));
        });
    }
}

/// Boards as they come up in games, so that the tables are used as in play.
fn positions() -> Vec<Bitboard> {
    let mut positions = Vec::new();
    for seed in 1.. {
        if positions.len() >= 4096 {
            break;
        }
        random_game(seed, |game: &Game<Bitboard>| positions.push(*game.board()));
    }
    positions
}

/// Any legal moves to the end of a game; `watch` sees it before every move.
fn random_game<B: Cells>(seed: u32, mut watch: impl FnMut(&Game<B>)) -> Game<B> {
    let mut choices = TinyMt32::new(!seed, Parameters::OFFICIAL);
    let mut game = Game::new(TinyMt32::new(seed, Parameters::OFFICIAL));
    while !game.is_over() {
        watch(&game);
        while game.play(Direction::ALL[choices.generate_u32() as usize % 4]) == Ok(false) {}
    }
    game
}

fn single_moves(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("single-direction moves");
    group.throughput(Throughput::Elements(positions.len() as u64 * 4));
    let all = |positions: &[Bitboard]| {
        let moved = positions.iter().flat_map(|&board| Direction::ALL.map(|direction| board.moved(direction)));
        moved.fold(0, |sum, board| sum ^ board.cells())
    };
    group.bench_function("packed board", |bencher| bencher.iter(|| all(black_box(&positions))));
    let plain: Vec<_> = positions.iter().map(|board| board.to_board()).collect();
    group.bench_function("plain board", |bencher| {
        bencher.iter(|| {
            for board in black_box(&plain) {
                for direction in Direction::ALL {
                    let mut board = *board;
                    let shift = Board::from(&mut board).shift(direction);
                    black_box((shift, board));
                }
            }
        });
    });
}

fn random_games(criterion: &mut Criterion) {
    let mut group: BenchmarkGroup<'_, WallTime> = criterion.benchmark_group("random games");
    group.throughput(Throughput::Elements(1));
    let mut seeds = 1..;
    group.bench_function("packed board", |bencher| {
        bencher.iter(|| random_game::<Bitboard>(seeds.next().unwrap_or(1), |_| {}));
    });
    let mut seeds = 1..;
    group.bench_function("plain board", |bencher| {
        bencher.iter(|| random_game::<GameBoard>(seeds.next().unwrap_or(1), |_| {}));
    });
}

/// The moves of one game without search.
fn one_ply_game(search: &mut Search, network: &Network) -> u64 {
    let mut game: Game<Bitboard> = Game::new(TinyMt32::new(1, Parameters::ZERO));
    let mut moves = 0;
    while let Some(decision) = search.decide(network, *game.board(), Limit::Budget(1))
        && game.play(decision.direction) == Ok(true)
    {
        moves += 1;
    }
    moves
}

/// Megabytes of this process that are in memory; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) >> 10
}

fn one_ply_play(criterion: &mut Criterion) {
    let load = || weights::embedded().expect("the shipped network is whole");
    let before = resident();
    let Some(network) = load() else { return };
    println!(
        "the network takes {} MB, {} MB more are resident",
        network.bytes() >> 20,
        resident().saturating_sub(before)
    );
    let mut search = Search::new(1);
    let mut group = criterion.benchmark_group("moves without search");
    group.throughput(Throughput::Elements(one_ply_game(&mut search, &network)));
    group.bench_function("as detected", |bencher| bencher.iter(|| one_ply_game(&mut search, &network)));
    let network = Arc::into_inner(load().expect("it was there before")).expect("nobody shares it").portable();
    group.bench_function("without bit extract", |bencher| bencher.iter(|| one_ply_game(&mut search, &network)));
    drop(network);
    group.throughput(Throughput::Elements(1));
    group.bench_function("loading", |bencher| bencher.iter(load));
}

criterion_group!(speed, tinymt32, single_moves, random_games, one_ply_play);
criterion_main!(speed);
