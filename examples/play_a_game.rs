//! Plays PA4's game to its end with the first direction that is possible, then takes the last move back.
//!
//! `cargo run --release --example play_a_game`

use estr2048::game::GameError;
use estr2048::{Course, Direction, Game};

fn main() -> Result<(), GameError> {
    let mut game = Game::new(Course::Pa4, 4, 4, 118)?;
    while !game.is_over() {
        for direction in [Direction::Left, Direction::Down, Direction::Right, Direction::Up] {
            if game.make_move(direction)? {
                break;
            }
        }
    }
    print!("The game is over after {} moves.\n{game}", game.history_len());
    game.undo();
    print!("One move before:\n{game}");
    Ok(())
}
