//! Games by the tables, all of them at the same sum at the same time, so that few layers have to be at hand.

use estr2048::{Bitboard, Direction};
use estr2048_training::worker::with_new_two;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::family::Family;
use super::table::{Table, chance};
use crate::grid::{Grid, holding};

/// A game from a board among walls.
#[derive(Debug)]
pub struct Game {
    board: Bitboard,
    random: SmallRng,
    /// How it ended: whether the tile was made a second time.
    pub made: Option<bool>,
    /// What the tables said of the best move of the first board.
    pub promised: f64,
    /// The boards that were moved, the first one first.
    pub boards: Vec<Bitboard>,
}

impl Game {
    /// A game from this board; the seed draws the new tiles.
    pub fn new(board: Bitboard, seed: u64) -> Self {
        let random = SmallRng::seed_from_u64(seed);
        Self { board, random, made: None, promised: 0.0, boards: Vec::new() }
    }

    /// What all tiles but the walls sum to.
    pub fn sum(&self, family: Family) -> u32 {
        self.board.sum() as u32 - family.walls_sum()
    }

    /// Plays a move by tables whose layers of the sum after the next tile are at hand. A game that they give no chance
    /// is lost.
    pub fn play(&mut self, family: Family, grid: &Grid, tables: &[Table]) {
        let found = best(family, grid, tables, self.board);
        if self.boards.is_empty() {
            self.promised = found.map_or(0.0, |(_, chance)| chance);
        }
        let Some((direction, _)) = found else {
            self.made = Some(false);
            return;
        };
        self.boards.push(self.board);
        let after = self.board.moved(direction);
        if is_made(family, after) {
            self.made = Some(true);
        } else {
            self.board = with_new_two(after, &mut self.random);
        }
    }
}

fn is_made(family: Family, after: Bitboard) -> bool {
    holding(after.cells(), family.target().into()).count_ones() == 2
}

/// The move that makes the tile; if there is none, the one with the greatest mean, over the new tiles, of the best
/// chance after it, and that mean. None without a chance.
fn best(family: Family, grid: &Grid, tables: &[Table], board: Bitboard) -> Option<(Direction, f64)> {
    if let Some((direction, _)) = board.moves().find(|&(_, after)| is_made(family, after)) {
        return Some((direction, 1.0));
    }
    let sum = board.sum() as u32 - family.walls_sum();
    let mut best = None;
    for (direction, after) in board.moves() {
        let chance = ahead(family, grid, tables, after, sum);
        if chance > best.map_or(0.0, |(_, chance)| chance) {
            best = Some((direction, chance));
        }
    }
    best
}

/// The mean of the best chance after each new tile.
fn ahead(family: Family, grid: &Grid, tables: &[Table], after: Bitboard, sum: u32) -> f64 {
    let Some(walled) = family.walled(after) else { return 0.0 };
    let of_board =
        |board: u64| grid.afters(board).map(|after| chance(family, tables, after, sum + 2)).max().unwrap_or(0);
    let total: u32 = after.empty_cells().map(|cell| u32::from(of_board(walled | 1 << (4 * cell)))).sum();
    f64::from(total) / (255.0 * f64::from(after.count_empty().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;

    #[test]
    fn a_game_ends_with_the_tile_or_without_a_chance() {
        let family = Family { walls: 12, slack: 4 };
        let (grid, tables) = (Grid::new(4, 4, &DIRECTIONS).unwrap(), Vec::new());
        let walls = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 16]];
        for (last, made) in [([8, 8, 0, 0], true), ([0, 8, 4, 2], false)] {
            let board = Bitboard::from_board(&[walls[0], walls[1], walls[2], last]).unwrap();
            let mut game = Game::new(board, 1);
            assert_eq!(game.sum(family), last.iter().sum::<i32>() as u32);
            game.play(family, &grid, &tables);
            assert_eq!((game.made, game.promised > 0.5), (Some(made), made));
            assert_eq!(game.boards.len(), usize::from(made));
        }
    }
}
