//! Values every direction of one board, and asks how long it lives whatever cells are drawn.
//!
//! `cargo run --release --example analyse_a_position`

use estr2048::network::weights;
use estr2048::search::survival::Survival;
use estr2048::search::{Limit, Search};
use estr2048::{Bitboard, Direction};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = [[2, 4, 4, 2], [32, 16, 8, 4], [64, 128, 16, 8], [256, 8192, 16384, 32768]];
    let board = Bitboard::from_board(&board).ok_or("every tile is a power of two")?;
    let network = weights::standard()?.ok_or("the library was built without a network: set ESTR_WEIGHTS")?;
    let found = Search::default().decide(&*network, board, Limit::Nodes(20_000)).ok_or("some move exists")?;
    for direction in Direction::ALL {
        match found.values[direction as usize] {
            Some(value) => println!("{} {value:9.1} further moves expected", direction.letter()),
            None => println!("{}   changes nothing", direction.letter()),
        }
    }
    println!("best {}, {} moves deep, {} evaluations", found.direction.letter(), found.depth, found.nodes);
    let (moves, exact) = Survival::default().moves(board, 100_000);
    println!("survives {}{moves} moves whatever cells are drawn", if exact { "" } else { "at least " });
    Ok(())
}
