//! A small player without weights: expectimax with a hand-made evaluation.
//!
//! It likes empty cells, large tiles in the order of a snake that starts in a corner, and neighbours that can combine.

use crate::bitboard::Bitboard;
use crate::board::{Board, GameBoard};
use crate::direction::Direction;

/// Chooses a legal direction on any board, or `None` if there is none.
#[must_use]
pub fn choose(game_board: &GameBoard) -> Option<Direction> {
    match Bitboard::from_board(game_board) {
        Some(board) => best_move(board),
        None => most_room(game_board),
    }
}

/// The best move by expectimax over our move, the new cell and our next moves.
fn best_move(board: Bitboard) -> Option<Direction> {
    // A full board has few new cells to try, so there is time to look further ahead.
    let plies = if board.count_empty() > 5 { 1 } else { 2 };
    best_by(board.moves(), |after| expectation(after, plies))
}

fn best_by<B>(moves: impl Iterator<Item = (Direction, B)>, value: impl Fn(B) -> f32) -> Option<Direction> {
    let valued = moves.map(|(direction, after)| (direction, value(after)));
    valued.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(direction, _)| direction)
}

/// The mean value over all cells in which the next 2 may come.
fn expectation(after: Bitboard, plies: u32) -> f32 {
    let total: f32 = after.empty_cells().map(|cell| best_value(after.with_two(cell), plies)).sum();
    total / after.count_empty().max(1) as f32
}

fn best_value(board: Bitboard, plies: u32) -> f32 {
    let value = |after| if plies == 1 { evaluate(after) } else { expectation(after, plies - 1) };
    board.moves().map(|(_, after)| value(after)).max_by(f32::total_cmp).unwrap_or(DEAD)
}

const DEAD: f32 = -1.0e6;
const EMPTY_CELL: f32 = 270.0;
const NEIGHBOUR_STEP: f32 = 35.0;
const SNAKE: [[f32; 4]; 4] =
    [[15.0, 14.0, 13.0, 12.0], [8.0, 9.0, 10.0, 11.0], [7.0, 6.0, 5.0, 4.0], [0.0, 1.0, 2.0, 3.0]];

fn evaluate(after: Bitboard) -> f32 {
    let snake = after.symmetries().into_iter().map(snake_value).max_by(f32::total_cmp);
    snake.unwrap_or(0.0) + EMPTY_CELL * after.count_empty() as f32 - NEIGHBOUR_STEP * roughness(after)
}

/// Large tiles early in the snake are worth most; codes grow like logarithms, so they are weighed steeply.
fn snake_value(board: Bitboard) -> f32 {
    let weights = SNAKE.as_flattened().iter().enumerate();
    weights.map(|(cell, weight)| weight * f32::from(board.code(cell)).powi(3) * 0.1).sum()
}

/// The sum of the differences between neighbouring tiles, in steps of doubling.
fn roughness(board: Bitboard) -> f32 {
    let step = |a: usize, b: usize| match (board.code(a), board.code(b)) {
        (0, _) | (_, 0) => 0,
        (a, b) => i32::from(a.abs_diff(b)),
    };
    let across = (0..16).filter(|cell| cell % 4 != 3).map(|cell| step(cell, cell + 1));
    let down = (0..12).map(|cell| step(cell, cell + 4));
    across.chain(down).sum::<i32>() as f32
}

/// For boards that no game of powers of two can show: the legal move that leaves the most empty cells.
fn most_room(game_board: &GameBoard) -> Option<Direction> {
    let board = Board::from(game_board);
    let legal = Direction::ALL.into_iter().filter(|&direction| board.can_move(direction));
    let moved = legal.map(|direction| {
        let mut after = board.to_owned_board();
        after.shift(direction);
        (direction, after)
    });
    best_by(moved, |after| after.count_empty() as f32)
}
