//! The network and the search, against naive oracles.

mod support;

use std::collections::HashMap;
use std::time::Duration;

use estr2048::network::{Endgame, Evaluate, FormatError, MAX_AFTERS, Network, SCATTERED, Shape, downgraded, encode};
use estr2048::search::{Limit, Search};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Bitboard, Direction};

/// The first and the fourth share all but one cell, the others stand alone; the last has fewer keys than a block.
const TUPLES: [u16; 5] = [0x001f, 0x0770, 0x8421, 0x002f, 0x0020];
const BOUNDS: [u32; 2] = [100, 5000];
const STEPS: [f32; 3] = [1.0, 0.5, 2.0];

/// A weight for every place, most of them 0, like in a trained network.
fn weight(stage: usize, tuple: usize, index: usize) -> i16 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (stage * 7 + tuple) as u64);
    let mixed = mixed ^ mixed >> 31;
    if mixed.is_multiple_of(3) { (mixed >> 20) as i16 } else { 0 }
}

fn small_network_file() -> Vec<u8> {
    let shape = Shape::new(&TUPLES, &BOUNDS).unwrap();
    encode(&shape, &STEPS, Endgame::default(), weight).unwrap()
}

/// The value as the definition has it: cells of the plain board, seen from eight sides.
fn naive_value(board: Bitboard, sum: u32) -> f32 {
    let stage = BOUNDS.iter().filter(|&&bound| bound <= sum).count();
    let mut units = 0_i32;
    for view in board.symmetries() {
        for (tuple, cells) in TUPLES.into_iter().enumerate() {
            let members: Vec<usize> = (0..16).filter(|cell| cells >> cell & 1 == 1).collect();
            let index = members.iter().rev().fold(0, |index, &cell| index * 16 + usize::from(view.code(cell)));
            units += i32::from(weight(stage, tuple, index));
        }
    }
    units as f32 * STEPS[stage]
}

fn random_board(random: &mut TinyMt32, highest: u32) -> Bitboard {
    Bitboard::from_cells((0..16).fold(0, |cells, _| cells << 4 | u64::from(random.generate_u32() % (highest + 1))))
}

#[test]
fn values_are_the_sums_of_the_definition_with_and_without_bit_extract() {
    let file = small_network_file();
    let network = Network::decode(&file).unwrap();
    let portable = Network::decode(&file).unwrap().portable();
    let mut random = TinyMt32::new(1, Parameters::OFFICIAL);
    for sum in [0, 99, 100, 4999, 5000, 60000] {
        for _ in 0..300 {
            let board = random_board(&mut random, 15);
            let value = network.value(board, sum);
            assert_eq!(value, naive_value(board, sum), "{board:?} {sum}");
            assert_eq!(value, portable.value(board, sum));
            let others = [board, random_board(&mut random, 11), random_board(&mut random, 6)];
            let expected = others.map(|board| naive_value(board, sum));
            for network in [&network, &portable] {
                let mut values = [0.0; MAX_AFTERS];
                network.values(&others, sum, &mut values);
                assert_eq!(values[..3], expected);
            }
        }
    }
    assert_eq!(network.shape().tuples(), TUPLES);
    assert_eq!(network.shape().bounds(), BOUNDS);
}

#[test]
fn a_stage_that_resembles_the_one_before_takes_little_room() {
    let shape = Shape::new(&TUPLES, &BOUNDS).unwrap();
    // Differences may pass the ends of the range of a weight.
    let heir = |stage: usize, tuple: usize, index: usize| match (stage, index % 50) {
        (1.., 0) => i16::MIN + stage as i16,
        _ => weight(0, tuple, index).saturating_add(i16::MAX / 2),
    };
    let pack =
        |weight: &dyn Fn(usize, usize, usize) -> i16| encode(&shape, &[1.0; 3], Endgame::default(), weight).unwrap();
    let related = pack(&heir);
    let alone = pack(&|stage, tuple, index| if stage == 0 { heir(0, tuple, index) } else { 0 });
    assert!(related.len() < alone.len() * 5 / 4, "{} {}", related.len(), alone.len());
    let network = Network::decode(&related).unwrap();
    let unrelated = Network::decode(&pack(&|stage, tuple, index| match stage {
        2 => heir(2, tuple, index),
        _ => 0,
    }));
    let unrelated = unrelated.unwrap();
    let mut random = TinyMt32::new(3, Parameters::OFFICIAL);
    for _ in 0..300 {
        let board = random_board(&mut random, 15);
        assert_eq!(network.value(board, 5000), unrelated.value(board, 5000), "{board:?}");
    }
}

#[test]
fn damaged_files_are_refused() {
    let file = small_network_file();
    assert_eq!(Network::decode(b"").unwrap_err(), FormatError::Magic);
    assert_eq!(Network::decode(b"ESTRNET1 something").unwrap_err(), FormatError::Version);
    assert_eq!(Network::decode(b"something else").unwrap_err(), FormatError::Magic);
    for len in [8, 9, 15, 30, 60, file.len() / 2, file.len() - 1] {
        assert_eq!(Network::decode(&file[..len]).unwrap_err(), FormatError::Damaged, "{len} bytes");
    }
    for place in (8..file.len()).step_by(file.len() / 40) {
        let mut damaged = file.clone();
        damaged[place] ^= 0x10;
        assert!(Network::decode(&damaged).is_err(), "byte {place}");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert_eq!(Network::decode(&longer).unwrap_err(), FormatError::Damaged);
}

/// The last eight bytes of a file are the checksum of the others: FNV-1a over words and then the bytes that are left.
fn with_new_checksum(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(file.len() - 8);
    let step = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3);
    let (words, rest) = file.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, &byte| step(hash, byte.into()));
    file.extend(hash.to_le_bytes());
    file
}

#[test]
fn a_crafted_file_is_refused_and_takes_no_more_memory_than_it_may() {
    let shape = Shape::new(&[0x000f, 0x0033, 0x0f00], &[64]).unwrap();
    let file =
        encode(&shape, &[1.0, 1.0], Endgame::default(), |stage, _, index| (index % 7) as i16 * stage as i16).unwrap();
    assert!(Network::decode(&with_new_checksum(file.clone())).is_ok(), "the checksum is computed as it should be");
    let words = 8 + 1 + 3 * 2 + 1 + 4 + 2 * 4 + 4;
    let with_words = |words_said: u32| {
        let mut file = file.clone();
        file[words..words + 4].copy_from_slice(&words_said.to_le_bytes());
        Network::decode(&with_new_checksum(file))
    };
    assert_eq!(with_words(u32::MAX).unwrap_err(), FormatError::TooLarge);
    assert_eq!(with_words(100).unwrap_err(), FormatError::Damaged, "more weights than it said");
    // Whatever a byte is changed to, the file is refused or read as a network.
    let mut random = TinyMt32::new(8, Parameters::OFFICIAL);
    for _ in 0..300 {
        let mut damaged = file.clone();
        let place = random.generate_u32() as usize % (file.len() - 8);
        damaged[place] ^= 1 << (random.generate_u32() % 8);
        if let Ok(network) = Network::decode(&with_new_checksum(damaged)) {
            assert!(network.value(random_board(&mut random, 15), 50).is_finite() || place < words);
        }
    }
}

#[test]
fn walls_are_valued_alike_in_any_order() {
    let shape = Shape::new(&TUPLES, &BOUNDS).unwrap().with_walls_from(Some(BOUNDS[1])).unwrap();
    let file = encode(&shape, &STEPS, Endgame::default(), weight).unwrap();
    let network = Network::decode(&file).unwrap();
    assert_eq!(*network.shape(), shape);
    let board = packed([[4096, 32768, 1024, 2], [0, 16384, 512, 256], [8192, 128, 0, 2], [2048, 0, 4, 0]]);
    let other = packed([[32768, 2048, 4096, 2], [0, 1024, 512, 256], [16384, 128, 0, 2], [8192, 0, 4, 0]]);
    let alike = packed([[1024, 1024, 1024, 2], [0, 1024, 512, 256], [1024, 128, 0, 2], [1024, 0, 4, 0]]);
    let late = board.sum() as u32;
    assert_eq!(network.value(board, late), naive_value(alike, late));
    assert_eq!(network.value(other, late), naive_value(alike, late));
    assert_eq!(
        network.value(board, BOUNDS[1] - 1),
        naive_value(board, BOUNDS[1] - 1),
        "an early stage tells them apart"
    );
    // Behind the fill, the two 4096 are about to combine, and then with the 8192: as 256s and a 512.
    let falling = packed([[32768, 0, 0, 16384], [4096, 4096, 8192, 128], [64, 32, 0, 2], [0; 4]]);
    let alike = packed([[1024, 0, 0, 1024], [256, 256, 512, 128], [64, 32, 0, 2], [0; 4]]);
    assert_eq!(network.value(falling, 65_762), naive_value(alike, 65_762));
}

#[test]
fn a_stage_that_sees_tiles_alike_is_for_scattered_ones_as_well() {
    let bounds = [57_344, 61_440, SCATTERED + 114_688];
    let board = packed([[2, 32768, 2, 0], [65536, 0, 16384, 0], [0; 4], [0; 4]]);
    for (walls_from, sum) in [(None, SCATTERED + 114_692), (Some(61_440), SCATTERED + 114_692), (Some(57_344), 57_348)]
    {
        let shape = Shape::new(&TUPLES, &bounds).unwrap().with_walls_from(walls_from).unwrap();
        assert_eq!(shape.known(board, 114_692).1, sum, "{walls_from:?}");
    }
}

#[test]
fn a_file_from_before_there_were_walls_is_read() {
    let file = small_network_file();
    let head = 8 + 1 + TUPLES.len() * 2 + 1 + BOUNDS.len() * 4 + STEPS.len() * 4;
    let mut old = [&file[..head], &file[head + 4..]].concat();
    old[..8].copy_from_slice(b"ESTRNET3");
    let (old, new) = (Network::decode(&with_new_checksum(old)).unwrap(), Network::decode(&file).unwrap());
    assert_eq!(old.shape(), new.shape());
    let mut random = TinyMt32::new(2, Parameters::OFFICIAL);
    for _ in 0..100 {
        let board = random_board(&mut random, 15);
        assert_eq!(old.value(board, 5000), new.value(board, 5000));
    }
}

#[test]
fn impossible_shapes_are_refused() {
    assert!(Shape::new(&[], &[]).is_err());
    assert!(Shape::new(&[0x7f], &[]).is_err(), "seven cells");
    assert!(Shape::new(&[0], &[]).is_err(), "no cells");
    assert!(Shape::new(&[1; 9], &[]).is_err(), "nine tuples");
    assert!(Shape::new(&[1], &[5, 5]).is_err(), "an empty stage");
    let bounds: Vec<u32> = (1..=64).collect();
    assert!(Shape::new(&[1], &bounds[1..]).is_ok(), "sixty-four stages");
    assert!(Shape::new(&[1], &bounds).is_err(), "sixty-five stages");
    let shape = Shape::new(&[1], &[5, 9]).unwrap();
    assert!(shape.clone().with_walls_from(Some(6)).is_err(), "walls within a stage");
    assert!(shape.with_walls_from(Some(9)).is_ok());
    let scattered = Shape::new(&[1], &[SCATTERED]).unwrap();
    assert!(scattered.with_walls_from(Some(SCATTERED)).is_err(), "walls where tiles are alike already");
}

fn packed(board: [[i32; 4]; 4]) -> Bitboard {
    Bitboard::from_board(&board).unwrap()
}

#[test]
fn tiles_above_the_largest_gap_are_halved() {
    let board = packed([[65536, 32768, 8192, 2], [0, 4, 4, 0], [0; 4], [0; 4]]);
    let halved = packed([[32768, 16384, 8192, 2], [0, 4, 4, 0], [0; 4], [0; 4]]);
    assert_eq!(downgraded(board), halved);
    let unbroken = packed([[16, 8, 4, 2], [0; 4], [0; 4], [2; 4]]);
    assert_eq!(downgraded(unbroken), unbroken);
    let alone = packed([[65536, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
    assert_eq!(downgraded(alone), packed([[32768, 0, 0, 0], [0; 4], [0; 4], [0; 4]]));
}

#[test]
fn largest_tiles_that_lie_scattered_are_seen_alike_up_to_half_of_the_way_to_the_next_fill() {
    let shape = |bounds: &[u32]| Shape::new(&[1], bounds).unwrap();
    let (with, without) = (shape(&[61_440, SCATTERED + 98_304]), shape(&[61_440, 98_304]));
    assert_eq!([&with, &without].map(Shape::scattered_from), [Some(SCATTERED + 98_304), None]);
    let seen = |shape: &Shape, rows| shape.seen(packed(rows), packed(rows).sum() as u32);
    let scattered = |rows: [[i32; 4]; 4]| {
        let (cells, stage) = seen(&with, rows);
        (stage == 2).then_some(cells)
    };
    let aside = [[65536, 32768, 16384, 2], [0, 8192, 4, 0], [0; 4], [0; 4]];
    assert_eq!(scattered(aside), Some(0x02f0_1fff));
    assert_eq!(seen(&without, aside), (0x02c0_1def, 1), "halved");
    let order = [[16384, 2, 65536, 32768], [0, 8192, 4, 0], [0; 4], [0; 4]];
    assert_eq!(scattered(order), Some(0x02f0_ff1f));
    // Along the snake they are put in order, and halved.
    let row = [[65536, 8192, 32768, 16384], [0, 0, 4, 512], [0; 4], [0; 4]];
    for shape in [&with, &without] {
        assert_eq!(seen(shape, row), (0x9200_cdef, 1));
    }
    let later = shape(&[61_440, SCATTERED + 122_880]);
    assert_eq!(seen(&later, aside), (0x02f0_1fff, 2));
    let early = [[65536, 0, 32768, 2], [0; 4], [0; 4], [0; 4]];
    assert!(scattered(early).is_some());
    assert_eq!(seen(&later, early), (0x1e0f, 0), "halved");
    // Half of the way to the next fill.
    let rest = |tile| [[65536, 32768, 16384, tile], [0, 8192, 0, 0], [0; 4], [0; 4]];
    assert_eq!([1024, 2048].map(|tile| scattered(rest(tile)).is_some()), [true, false]);
    // A chain that falls together, and boards behind one fill or none.
    for rows in [
        [[65536, 0, 16384, 16384], [2, 0, 0, 0], [0; 4], [0; 4]],
        [[0, 65536, 0, 8192], [0; 4], [0; 4], [0; 4]],
        [[0, 32768, 0, 16384], [0; 4], [0; 4], [0; 4]],
    ] {
        assert_eq!(scattered(rows), None, "{rows:?}");
        assert_eq!(seen(&with, rows).0, seen(&without, rows).0);
    }
}

#[test]
fn the_falling_chains_of_different_fills_are_in_different_stages() {
    let shape = Shape::new(&[1], &[49152, 57344, 65536, 98304, 114_688]).unwrap();
    let stage = |board: [i32; 8]| {
        let mut cells = [[0; 4]; 4];
        cells.as_flattened_mut()[..8].copy_from_slice(&board);
        let board = packed(cells);
        shape.seen(board, board.sum() as u32)
    };
    // The chain of the first fill, with a tile twice; then that of each later one, which looks like it once halved.
    let (cells, first) = stage([32768, 16384, 8192, 4096, 2048, 2048, 2, 0]);
    assert_eq!(first, 3);
    assert_eq!(stage([65536, 16384, 8192, 4096, 2048, 2048, 2, 0]), (cells, 4));
    assert_eq!(stage([65536, 32768, 8192, 4096, 2048, 2048, 2, 0]), (cells, 5));
    assert_eq!(stage([65536, 32768, 16384, 4096, 2048, 2048, 2, 0]), (cells, 5), "for want of a later one");
    // Once fallen together, and before the next tile is due, each is the board one size smaller.
    assert_eq!(stage([65536, 32768, 64, 0, 0, 0, 0, 0]).1, 1);
    assert_eq!(stage([65536, 32768, 16384, 64, 0, 0, 0, 0]).1, 2);
    assert_eq!(stage([65536, 16384, 8192, 4096, 2048, 1024, 0, 2]).1, 2);
}

#[test]
fn a_falling_chain_is_worth_half_as_much_from_fill_to_fill() {
    let shape = Shape::new(&[0x000f], &[98304]).unwrap();
    let file = encode(&shape, &[10.0, 10.0], Endgame::default(), |stage, _, _| 5 - stage as i16).unwrap();
    let network = Network::decode(&file).unwrap();
    let value = |board: [i32; 8]| {
        let mut cells = [[0; 4]; 4];
        cells.as_flattened_mut()[..8].copy_from_slice(&board);
        network.value(packed(cells), board.iter().sum::<i32>() as u32)
    };
    let falling = |[a, b, c, d]: [i32; 4]| value([a, b, c, d, 2048, 2048, 2, 0]);
    // A weight for each of eight views: 5 of them before the stage, 4 in it.
    assert_eq!(falling([32768, 16384, 8192, 4096]), 400.0);
    assert_eq!(falling([65536, 16384, 8192, 4096]), 320.0);
    assert_eq!(falling([65536, 32768, 8192, 4096]), 160.0);
    assert_eq!(falling([65536, 32768, 16384, 4096]), 80.0);
    assert_eq!(falling([65536, 32768, 16384, 8192]), 40.0);
    assert_eq!(value([65536, 32768, 16384, 8192, 64, 0, 2, 0]), 400.0, "fallen together");
}

/// Something that depends on every cell and on the sum.
struct Mixed;

impl Evaluate for Mixed {
    fn value(&self, after: Bitboard, sum: u32) -> f32 {
        let mixed = (after.cells() ^ u64::from(sum)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        mixed as f32 / 256.0 + 10.0 * after.count_empty() as f32
    }
}

/// Expectimax by its definition: no table, no limit, no shortcuts.
fn naive_best(board: Bitboard, sum: u32, budget: f32) -> f32 {
    let moves: Vec<_> = board.moves().collect();
    let share = budget / moves.len() as f32;
    moves.iter().map(|&(_, after)| 1.0 + naive_after(after, sum, share)).fold(0.0, f32::max)
}

fn naive_after(after: Bitboard, sum: u32, budget: f32) -> f32 {
    let empty: Vec<usize> = after.empty_cells().collect();
    let share = budget / empty.len() as f32;
    if share < 1.0 {
        return Mixed.value(after, sum);
    }
    empty.iter().map(|&cell| naive_best(after.with_two(cell), sum + 2, share)).sum::<f32>() / empty.len() as f32
}

/// The same with a memory: what was found with at least this budget is not searched again.
fn remembering_best(board: Bitboard, sum: u32, budget: f32, known: &mut HashMap<Bitboard, (f32, f32)>) -> f32 {
    let moves: Vec<_> = board.moves().collect();
    let share = budget / moves.len() as f32;
    moves.iter().map(|&(_, after)| 1.0 + remembering_after(after, sum, share, known)).fold(0.0, f32::max)
}

fn remembering_after(after: Bitboard, sum: u32, budget: f32, known: &mut HashMap<Bitboard, (f32, f32)>) -> f32 {
    let empty: Vec<usize> = after.empty_cells().collect();
    let share = budget / empty.len() as f32;
    if share < 1.0 {
        return Mixed.value(after, sum);
    }
    if let Some(&(_, value)) = known.get(&after).filter(|(found_with, _)| *found_with >= budget) {
        return value;
    }
    let mut total = 0.0;
    for &cell in &empty {
        total += remembering_best(after.with_two(cell), sum + 2, share, known);
    }
    let value = total / empty.len() as f32;
    known.insert(after, (budget, value));
    value
}

/// Small budgets meet no board twice; with large ones the table may answer with a deeper search, and does so in the same
/// order as an unlimited memory.
#[test]
fn search_equals_the_definition() {
    let mut random = TinyMt32::new(2, Parameters::OFFICIAL);
    let mut search = Search::new(20);
    let mut deepest = 0;
    for _ in 0..60 {
        let board = random_board(&mut random, 7);
        let sum = board.sum() as u32;
        for budget in [1, 10, 100, 2000] {
            let Some(decision) = search.decide(&Mixed, board, Limit::Budget(budget)) else {
                assert!(board.is_over());
                continue;
            };
            let legal = board.moves().count() as f32;
            let mut known = HashMap::new();
            for (direction, after) in board.moves() {
                let share = budget as f32 / legal;
                let expected = 1.0 + remembering_after(after, sum, share, &mut known);
                let value = decision.values[direction as usize].unwrap();
                let close = (value - expected).abs() <= 1e-4 * expected;
                assert!(close, "{board:?} {direction:?} budget {budget}: {value}, {expected}");
                if budget <= 10 {
                    assert!((expected - 1.0 - naive_after(after, sum, share)).abs() <= 1e-4 * expected);
                }
            }
            let best = decision.values.iter().flatten().copied().fold(0.0, f32::max);
            assert_eq!(decision.values[decision.direction as usize], Some(best));
            deepest = deepest.max(decision.depth);
        }
    }
    assert!(deepest >= 4, "budget 2000 sees at least four moves ahead somewhere, not {deepest}");
}

#[test]
fn a_limit_in_nodes_is_kept_and_makes_the_search_repeatable() {
    let mut random = TinyMt32::new(3, Parameters::OFFICIAL);
    let boards: Vec<Bitboard> = (0..40).map(|_| random_board(&mut random, 9)).collect();
    let decide = |search: &mut Search, board: Bitboard| search.decide(&Mixed, board, Limit::Nodes(3000));
    let mut search = Search::new(12);
    let forwards: Vec<_> = boards.iter().map(|&board| decide(&mut search, board)).collect();
    for (&board, &first) in boards.iter().zip(&forwards).rev() {
        let again = decide(&mut search, board);
        assert_eq!(again, first, "what was searched before must not matter");
        assert_eq!(again.is_none(), board.is_over());
        if let Some(decision) = again {
            assert!(decision.nodes <= 3000);
            assert!(board.can_move(decision.direction));
        }
    }
}

#[test]
fn threads_do_not_change_what_a_limit_in_nodes_finds() {
    let mut random = TinyMt32::new(4, Parameters::OFFICIAL);
    let boards: Vec<Bitboard> = (0..12).map(|_| random_board(&mut random, 8)).collect();
    let mut alone = Search::with_threads(12, 1);
    for threads in [2, 3, 8] {
        let mut together = Search::with_threads(12, threads);
        for &board in &boards {
            // The first of these is searched as a whole, the others in parts.
            for nodes in [3000, 20_000, 60_000] {
                let decision = together.decide(&Mixed, board, Limit::Nodes(nodes));
                assert_eq!(decision, alone.decide(&Mixed, board, Limit::Nodes(nodes)), "{threads} threads");
                assert!(decision.is_none_or(|decision| decision.nodes <= nodes));
            }
        }
    }
}

/// What is searched in parts has the values of the definition, too.
#[test]
fn a_search_in_parts_equals_the_definition() {
    let mut random = TinyMt32::new(5, Parameters::OFFICIAL);
    let mut compared = 0;
    for _ in 0..30 {
        let board = random_board(&mut random, 6);
        // No table to speak of: nothing deeper than the budget says can come from it.
        let Some(decision) = Search::with_threads(1, 2).decide(&Mixed, board, Limit::Nodes(20_000)) else { continue };
        let legal = board.moves().count() as f32;
        for (direction, after) in board.moves() {
            let expected = 1.0 + naive_after(after, board.sum() as u32, decision.budget / legal);
            let value = decision.values[direction as usize].unwrap();
            assert!((value - expected).abs() <= 0.02 * expected, "{board:?} {direction:?}: {value}, {expected}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_limit_in_time_gives_legal_moves_with_any_number_of_threads() {
    let mut random = TinyMt32::new(6, Parameters::OFFICIAL);
    for threads in [0, 1, 2, 5, 1000] {
        let mut search = Search::with_threads(10, threads);
        for time in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(5)] {
            let board = random_board(&mut random, 9);
            match search.decide(&Mixed, board, Limit::Time(time)) {
                Some(decision) => assert!(board.can_move(decision.direction)),
                None => assert!(board.is_over()),
            }
        }
    }
}

/// All that matters is to live on: where one move survives every new tile and another one does not, it is found.
#[test]
fn search_sees_the_end_of_the_game() {
    struct Blind;
    impl Evaluate for Blind {
        fn value(&self, _: Bitboard, _: u32) -> f32 {
            5.0
        }
    }
    // Either way the 8s combine and one cell is left. To the left, the new 2 has no equal beside it; to the right it has.
    let board = packed([[2, 4, 8, 8], [4, 8, 32, 64], [8, 16, 64, 128], [16, 32, 128, 256]]);
    let decision = Search::new(10).decide(&Blind, board, Limit::Budget(1000)).unwrap();
    assert_eq!(decision.direction, Direction::Right);
    assert_eq!(decision.values[Direction::Left as usize], Some(1.0));
    assert!(decision.values[Direction::Right as usize].unwrap() > 2.0);
    assert_eq!(decision.values[Direction::Up as usize], None);
}
