//! One stretch of the game on 4×4: which of the games from given boards come to a sum, and what lies on their way.

use estr2048::{Bitboard, Computer};
use estr2048_training::worker::{strayed_up_to, with_new_two};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// How a game from one of the boards ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It came to the sum and was not over there.
    Came,
    /// It was over before, with this sum of its tiles.
    Lost(i64),
}

/// What a game from one of the boards is.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Up to so many random moves come first.
    pub stray: u32,
    /// It ends when the tiles have this sum and a move exists.
    pub to: i64,
}

/// Plays such a game. The seed draws the board, the random moves and the new tiles; `moved` is told each board that is moved
/// behind these moves.
///
/// # Panics
/// If there are no boards.
#[must_use]
pub fn play(
    player: &mut Computer,
    boards: &[Bitboard],
    Course { stray, to }: Course,
    seed: u64,
    mut moved: impl FnMut(Bitboard),
) -> End {
    let mut random = SmallRng::seed_from_u64(seed);
    let start = boards[random.random_range(0..boards.len())];
    let mut board = strayed_up_to(start, stray, &mut random);
    while board.is_over() || board.sum() < to {
        let Some(choice) = player.decide(board) else { return End::Lost(board.sum()) };
        moved(board);
        board = with_new_two(board.moved(choice.direction), &mut random);
    }
    End::Came
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use estr2048::network::weights;
    use estr2048::player::computer::Effort;
    use estr2048::search::Limit;

    use super::*;

    fn board(rows: [[i32; 4]; 4]) -> Bitboard {
        Bitboard::from_board(&rows).unwrap()
    }

    #[test]
    fn a_game_comes_to_a_sum_only_if_it_is_not_over_there() {
        let to = |to| Course { stray: 0, to };
        let network = weights::standard().unwrap().expect("the network inside");
        let mut player = Computer::new(Some(Arc::clone(&network)), Effort::from(Limit::Budget(1)));
        // The only move is upwards and leaves one cell; the 2 that falls there ends the game.
        let last = board([[2, 8, 16, 32], [2, 64, 128, 256], [4, 16, 2, 4], [8, 32, 8, 16]]);
        let sum = last.sum();
        assert_eq!(play(&mut player, &[last], to(sum), 1, |_| {}), End::Came);
        for seed in 0..20 {
            let end = play(&mut player, &[last], to(sum + 2), seed, |_| {});
            assert!(end == End::Lost(sum + 2) || end == End::Came, "{end:?}");
        }
        let over = board([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]);
        assert_eq!(play(&mut player, &[over], to(2), 1, |_| {}), End::Lost(over.sum()));
        let open = board([[32, 16, 8, 4], [2, 0, 0, 0], [0; 4], [0; 4]]);
        let mut way = Vec::new();
        assert_eq!(play(&mut player, &[open], to(600), 1, |board| way.push(board.sum())), End::Came);
        assert_eq!(way, (open.sum()..600).step_by(2).collect::<Vec<i64>>());
    }
}
