//! A network with weights of layouts: what it says before a fill, behind it, and elsewhere.

use std::sync::Arc;

use estr2048::network::layouts::{Entry, FILLS, Layouts};
use estr2048::network::{Endgame, Evaluate, FormatError, MAX_AFTERS, Network, Shape, encode, known, layout, tops};
use estr2048::player::computer::Effort;
use estr2048::{Bitboard, Computer, Direction};

const STEP: f32 = 1.0 / 8192.0;

/// What the fills are worth.
const WORTHS: [f32; FILLS] = [8000.0, 4000.0, 2000.0, 1000.0, 500.0, 250.0, 125.0, 62.0];

/// What tuples say of every board.
const ELSEWHERE: f32 = 80.0;

fn board(rows: [[i32; 4]; 4]) -> Bitboard {
    Bitboard::from_board(&rows).unwrap()
}

/// 62 points before 65536.
const BEFORE_THE_FILL: [[i32; 4]; 4] =
    [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 0, 0], [2, 0, 0, 0]];

/// The same, half of it behind the 65536.
const BEFORE_THE_NEXT_FILL: [[i32; 4]; 4] =
    [[65536, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 0, 0], [2, 0, 0, 0]];

fn file(layouts: Option<&Layouts>) -> Vec<u8> {
    let shape = Shape::new(&[0x000f], &[]).unwrap();
    encode(&shape, &[10.0], Endgame { layouts, tablebase: None }, |_, _, _| 1).unwrap()
}

/// Weights that give each of these afterstates this chance.
fn giving(chances: &[(Bitboard, f32)]) -> Layouts {
    let mut entries = Vec::new();
    for &(after, chance) in chances {
        let (cells, sum) = known(after, after.sum() as u32, None);
        let keys = layout::keys(cells, sum).expect("a board before a fill").keys;
        let weight = (chance / STEP / keys.len() as f32).round() as i16;
        entries.extend(keys.map(|key| Entry { key, weight, importance: 1.0 }));
    }
    entries.sort_by_key(|entry| entry.key);
    entries.dedup_by_key(|entry| entry.key);
    Layouts::new(STEP, WORTHS, entries).0
}

fn value(network: &Network, after: Bitboard) -> f32 {
    network.value(after, after.sum() as u32)
}

#[test]
fn a_board_before_a_fill_is_worth_its_chance() {
    let [first, second] = [BEFORE_THE_FILL, BEFORE_THE_NEXT_FILL].map(board);
    let layouts = giving(&[(first, 0.5)]);
    let network = Network::decode(&file(Some(&layouts))).unwrap();
    assert_eq!(network.layouts(), Some(&layouts));
    assert!((value(&network, first) - 4000.0).abs() < 40.0, "{}", value(&network, first));
    // It plays like the first one.
    assert!((value(&network, second) - 2000.0).abs() < 20.0, "{}", value(&network, second));
    let early = board([[16384, 8192, 4096, 0], [2; 4], [0; 4], [0; 4]]);
    let behind = board([[65536, 128, 64, 0], [2; 4], [0; 4], [0; 4]]);
    for after in [early, behind] {
        assert_eq!(value(&network, after), ELSEWHERE);
    }
    let mut values = [0.0; MAX_AFTERS];
    network.values(&[behind, first, early, first], 65_600, &mut values);
    assert_eq!(values[0], ELSEWHERE);
    assert_eq!(values[2], ELSEWHERE);
    let portable = Network::decode(&file(Some(&layouts))).unwrap().portable();
    assert_eq!([first, second, early, behind].map(|after| value(&portable, after).to_bits()), {
        [first, second, early, behind].map(|after| value(&network, after).to_bits())
    });
}

#[test]
fn an_unknown_board_before_a_fill_is_worth_nothing() {
    let first = board(BEFORE_THE_FILL);
    let network = Network::decode(&file(Some(&giving(&[])))).unwrap();
    assert_eq!(value(&network, first), 0.0);
}

#[test]
fn fills_are_counted_from_65536_on() {
    for (rows, count) in [
        ([[32768, 0, 0, 0], [0; 4], [0; 4], [0; 4]], 0),
        ([[65536, 0, 0, 0], [0; 4], [0; 4], [0; 4]], 1),
        ([[65536, 16384, 2, 0], [0; 4], [0; 4], [0; 4]], 1),
        ([[65536, 32768, 8192, 0], [0; 4], [0; 4], [0; 4]], 2),
        ([[65536, 32768, 16384, 8192], [4096, 0, 0, 0], [0; 4], [0; 4]], 5),
    ] {
        assert_eq!(tops(board(rows)), count, "{rows:?}");
    }
}

#[test]
fn no_fill_is_solved_where_layouts_are_known() {
    let rows = BEFORE_THE_FILL;
    let board = board(rows);
    let afters: Vec<Bitboard> = board.moves().map(|(_, after)| after).collect();
    let right = board.moved(Direction::Right);
    let chances: Vec<_> = afters.iter().map(|&after| (after, if after == right { 0.9 } else { 0.1 })).collect();
    let player = |layouts: Option<&Layouts>| {
        let network = Network::decode(&file(layouts)).unwrap();
        Computer::new(Some(Arc::new(network)), Effort { limit: estr2048::Limit::Nodes(10), ..Effort::USUAL })
    };
    let choice = player(Some(&giving(&chances))).decide(board).unwrap();
    assert_eq!((choice.direction, choice.fill), (Direction::Right, None));
    assert!(player(None).decide(board).unwrap().fill.is_some());
}

#[test]
fn a_damaged_file_is_refused() {
    let layouts = giving(&[(board(BEFORE_THE_FILL), 0.5)]);
    let bytes = file(Some(&layouts));
    assert!(bytes.starts_with(b"ESTRNET5") && file(None).starts_with(b"ESTRNET4"));
    for place in [8, bytes.len() / 2, bytes.len() - 20] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert_eq!(Network::decode(&damaged).unwrap_err(), FormatError::Damaged);
    }
    for length in [9, 40, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Network::decode(&bytes[..length]).unwrap_err(), FormatError::Damaged);
    }
}
