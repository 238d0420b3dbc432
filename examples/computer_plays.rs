//! Lets the computer player make the first 100 moves of the ESTR1002 game with seed 1234.
//!
//! `cargo run --release --example computer_plays`

use estr2048::courses::estr1002::{Game, Look};
use estr2048::network::weights;
use estr2048::{Board, Computer, Limit, Parameters, TinyMt32};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The network inside the library, or the file that ESTR_WEIGHTS names. Without either the computer plays, too.
    let mut computer = Computer::new(weights::standard()?, Limit::Nodes(1000));
    let mut game: Game = Game::new(TinyMt32::new(1234, Parameters::ZERO));
    for _ in 0..100 {
        let Some(direction) = computer.choose(game.board()) else { break };
        game.play(direction)?;
        print!("{}", direction.letter());
    }
    print!("\n{}Score {}\n", Look(&Board::from(game.board())), game.score());
    Ok(())
}
