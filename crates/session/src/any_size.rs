//! A small player for boards of any size and any tiles: the moves of a look at two plies, valued by hand.
//!
//! The trained player knows 4 × 4 boards alone. This one likes room, large tiles at an edge, and neighbours that can
//! combine or nearly so.

use estr2048::{Board, Direction};

/// Empty cells in which a new tile is tried; on a larger board, so many of them spread evenly.
const TRIED: usize = 6;
/// Boards of more cells are looked at one ply deep.
const LOOKED_INTO: usize = 144;

/// The value of each direction in points of this player, higher being better; `None` if it changes nothing.
pub fn values(board: &Board) -> [Option<f32>; 4] {
    Direction::ALL.map(|direction| {
        let mut after = board.clone();
        after.shift(direction).changed.then(|| expectation(&after))
    })
}

fn expectation(after: &Board) -> f32 {
    let empty: Vec<usize> = after.empty_cells().collect();
    if empty.is_empty() || after.cells().len() > LOOKED_INTO {
        return evaluate(after);
    }
    let tried = empty.iter().step_by(empty.len().div_ceil(TRIED));
    let values: Vec<f32> = tried
        .map(|&cell| {
            let mut board = after.clone();
            if let Some(cell) = board.cells_mut().get_mut(cell) {
                *cell = 2;
            }
            let moved = Direction::ALL.into_iter().filter_map(|direction| {
                let mut after = board.clone();
                after.shift(direction).changed.then(|| evaluate(&after))
            });
            moved.max_by(f32::total_cmp).unwrap_or(DEAD)
        })
        .collect();
    values.iter().sum::<f32>() / values.len() as f32
}

const DEAD: f32 = -1.0e5;
const EMPTY_CELL: f32 = 270.0;
const NEIGHBOUR_STEP: f32 = 35.0;
const COMBINING: f32 = 120.0;
const EDGE: f32 = 10.0;

fn evaluate(board: &Board) -> f32 {
    let (rows, cols) = (board.rows(), board.cols());
    let height = |tile: i32| if tile > 0 { (tile as f32).log2() } else { 0.0 };
    let mut value = EMPTY_CELL * board.count_empty() as f32;
    let cells = board.cells();
    for (index, &tile) in cells.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
        let (row, col) = (index / cols, index % cols);
        let right = (col + 1 < cols).then(|| cells.get(index + 1)).flatten();
        let below = (row + 1 < rows).then(|| cells.get(index + cols)).flatten();
        for &neighbour in right.into_iter().chain(below).filter(|&&neighbour| neighbour != 0) {
            let step = (height(tile) - height(neighbour)).abs();
            value += if neighbour == tile { COMBINING } else { -NEIGHBOUR_STEP * step };
        }
        let edges = usize::from(row == 0 || row + 1 == rows) + usize::from(col == 0 || col + 1 == cols);
        value += EDGE * height(tile).powi(2) * edges as f32;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::values;
    use estr2048::{Course, Direction, Game};

    /// It is no great player, but far better than none: 256 is beyond what moving at random makes on most seeds.
    #[test]
    fn it_plays_boards_of_any_size() {
        for (rows, cols, least) in [(3, 3, 32), (4, 5, 512), (2, 7, 64)] {
            let mut game = Game::new(Course::Pa4, rows, cols, 118).unwrap();
            for _ in 0..1500 {
                let values = values(game.board());
                let legal = Direction::ALL.into_iter().filter(|&direction| values[direction as usize].is_some());
                let best = legal.max_by(|&a, &b| values[a as usize].partial_cmp(&values[b as usize]).unwrap());
                let Some(best) = best else { break };
                assert!(game.make_move(best).unwrap());
            }
            let largest = game.board().cells().iter().max();
            assert!(largest >= Some(&least), "{rows} x {cols}: {largest:?}");
        }
    }

    #[test]
    fn a_direction_without_effect_has_no_value() {
        let game = Game::new(Course::Estr1002, 4, 4, 1234).unwrap();
        let values = values(game.board());
        for direction in Direction::ALL {
            assert_eq!(values[direction as usize].is_some(), game.can_move(direction));
        }
    }
}
