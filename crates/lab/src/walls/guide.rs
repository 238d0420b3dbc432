//! The moves of a board among walls, by the tables.

use estr2048::Direction;

use super::cells::each;
use super::table::Table;
use crate::grid::{DIRECTIONS, Grid, holding};

/// What is played by.
#[derive(Debug)]
pub struct Guide<'a> {
    pub grid: Grid,
    /// The layer of the sum after the next tile has to be at hand.
    pub table: Table,
    /// The tables behind, if the tile that is made becomes a wall.
    pub behind: Option<&'a Table>,
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub direction: Direction,
    /// The afterstate.
    pub after: u64,
    /// Marks of the tiles that it makes.
    pub made: u64,
    pub chance: f64,
}

impl Guide<'_> {
    /// All moves of a board with walls whose other tiles have this sum: the chance of one that makes the tile is what that is
    /// worth, of another the mean, over the new tiles, of the best chance after it.
    pub fn moves(&self, board: u64, sum: u32) -> Vec<Move> {
        let ways = Direction::ALL.into_iter().zip(DIRECTIONS);
        let afters = ways.map(|(direction, way)| (direction, self.grid.moved(board, way)));
        let legal = afters.filter(|&(_, after)| after != board);
        let valued = legal.map(|(direction, after)| {
            let made = self.table.family.made(after);
            let chance = if made != 0 { self.worth(after, sum) } else { self.ahead(after, sum) };
            Move { direction, after, made, chance }
        });
        valued.collect()
    }

    fn worth(&self, after: u64, sum: u32) -> f64 {
        f64::from(self.table.chance(self.behind, after, sum)) / 255.0
    }

    /// The mean of the best chance after each new tile.
    fn ahead(&self, after: u64, sum: u32) -> f64 {
        let chance = |after| self.table.chance(self.behind, after, sum + 2);
        let of_board = |board: u64| self.grid.afters(board).map(chance).max().unwrap_or(0);
        let empty = holding(after, 0);
        let total: u32 = each(empty).map(|two| u32::from(of_board(after | two))).sum();
        f64::from(total) / (255.0 * f64::from(empty.count_ones().max(1)))
    }
}
