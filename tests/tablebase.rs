//! A network with moves of an exact solution: what a player does with them, and the file that holds them.

use std::sync::Arc;

use estr2048::network::layouts::{self, FILLS, Layouts};
use estr2048::network::tablebase::{Entry, seen};
use estr2048::network::{Endgame, FormatError, Network, Shape, Tablebase, encode};
use estr2048::player::computer::Effort;
use estr2048::{Bitboard, Computer, Direction, Limit};

/// 152 points before 65536, the eight largest tiles in two rows.
const KNOWN: [[i32; 4]; 4] = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [64, 32, 4, 2], [2, 0, 0, 0]];

const UNKNOWN: [[i32; 4]; 4] = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [64, 32, 4, 2], [0, 2, 0, 0]];

fn board(rows: [[i32; 4]; 4]) -> Bitboard {
    Bitboard::from_board(&rows).unwrap()
}

fn file(endgame: Endgame) -> Vec<u8> {
    let shape = Shape::new(&[0x000f], &[]).unwrap();
    encode(&shape, &[10.0], endgame, |_, _, index| (index % 5) as i16).unwrap()
}

/// Knows one board, and each of its legal moves as the best one by turns.
fn tablebases() -> Vec<Tablebase> {
    let board = seen(board(KNOWN)).unwrap();
    let legal = Bitboard::from_cells(board).moves();
    legal.map(|(direction, _)| Tablebase::new(&[Entry { board, direction, chance: 102 }]).unwrap()).collect()
}

fn player(tablebase: Option<&Tablebase>, effort: impl Into<Effort>) -> Computer {
    let network = Network::decode(&file(Endgame { tablebase, layouts: None })).unwrap();
    assert_eq!(network.tablebase(), tablebase);
    Computer::new(Some(Arc::new(network)), effort)
}

#[test]
fn a_known_board_is_moved_as_the_solution_says() {
    let tablebases = tablebases();
    assert!(tablebases.len() > 1);
    let efforts = [Limit::Budget(1), Limit::Budget(100), Limit::Nodes(200)].map(Effort::from);
    for effort in efforts.into_iter().chain([Effort::USUAL]) {
        let afters = tablebases.iter().map(|tablebase| {
            let choice = player(Some(tablebase), effort).decide(board(KNOWN)).unwrap();
            assert_eq!(choice.fill, Some(0.4));
            assert!(choice.search.values.iter().flatten().count() > 1, "what the network says is told, too");
            board(KNOWN).moved(choice.direction).canonical().cells()
        });
        let afters: std::collections::BTreeSet<u64> = afters.collect();
        assert_eq!(afters.len(), tablebases.len(), "each move is another one");
    }
}

#[test]
fn the_chance_of_the_highest_score_is_not_told_as_that_of_a_fill() {
    const FOUR: [[i32; 4]; 4] = [[65536, 2, 4, 16384], [8192, 64, 8, 32768], [2, 0, 0, 0], [0; 4]];
    let code = |tile: i32| if tile >= 8192 { 15 } else { u64::from((tile as u32).checked_ilog2().unwrap_or(0)) };
    let cells = FOUR.as_flattened().iter().rev().fold(0, |cells, &tile| cells << 4 | code(tile));
    let seen = Bitboard::from_cells(cells).canonical();
    let mut told = 0;
    for direction in Direction::ALL {
        let to_the_fill = Entry { board: seen.cells(), direction, chance: 102 };
        let choices = [to_the_fill, to_the_fill.to_the_end()].map(|entry| {
            let tablebase = Tablebase::new(&[entry]).unwrap();
            player(Some(&tablebase), Limit::Budget(1)).decide(board(FOUR)).unwrap()
        });
        // Not every move of the view is legal: the large tiles are no equal ones.
        let Some(chance) = choices[0].fill else { continue };
        assert_eq!((chance, choices[1].fill), (0.4, None));
        assert_eq!(choices[0].direction, choices[1].direction);
        told += 1;
    }
    assert_eq!(told, board(FOUR).moves().count());
}

#[test]
fn other_boards_are_moved_as_ever() {
    let tablebase = &tablebases()[0];
    for rows in [UNKNOWN, [[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]] {
        let choices = [Some(tablebase), None].map(|tablebase| player(tablebase, Limit::Nodes(200)).decide(board(rows)));
        assert_eq!(choices[0], choices[1]);
    }
}

/// Where its moves end, the chain is left to the network: the solution of the fill may come to other ends.
#[test]
fn no_fill_is_solved_where_moves_are_known() {
    let near = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 8], [0, 0, 2, 8]];
    let tablebase = &tablebases()[0];
    let solved = |tablebase| player(tablebase, Effort::USUAL).decide(board(near)).unwrap().fill;
    assert_eq!(solved(Some(tablebase)), None);
    assert!(solved(None).is_some());
}

#[test]
fn it_is_written_with_weights_of_layouts_and_without() {
    let entries = vec![layouts::Entry { key: 5, weight: 7, importance: 1.0 }];
    let (layouts, _) = Layouts::new(0.1, [1000.0; FILLS], entries);
    let tablebase = &tablebases()[0];
    let both = Endgame { layouts: Some(&layouts), tablebase: Some(tablebase) };
    for endgame in [both, Endgame { layouts: None, ..both }, Endgame { tablebase: None, ..both }, Endgame::default()] {
        let network = Network::decode(&file(endgame)).unwrap();
        assert_eq!((network.layouts(), network.tablebase()), (endgame.layouts, endgame.tablebase));
    }
    let bytes = |endgame| Network::decode(&file(endgame)).unwrap().bytes();
    assert_eq!(bytes(both) - bytes(Endgame { tablebase: None, ..both }), tablebase.bytes());
}

#[test]
fn a_damaged_file_is_refused() {
    let bytes = file(Endgame { tablebase: tablebases().first(), layouts: None });
    assert!(bytes.starts_with(b"ESTRNET6"));
    for place in [8, bytes.len() / 2, bytes.len() - 20] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert_eq!(Network::decode(&damaged).unwrap_err(), FormatError::Damaged);
    }
    for length in [9, 40, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Network::decode(&bytes[..length]).unwrap_err(), FormatError::Damaged);
    }
}
