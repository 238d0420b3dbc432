//! How many tiles are walls, and which tile is to be made beside them.

use estr2048::Bitboard;

use super::cells::WALL;
use crate::grid::holding;

/// The tables that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Number of walls, 7 to 12: with eight, the tiles from 256 on.
    pub walls: u32,
    /// A table goes so many points beyond the sum at which its tile is due; what comes later counts as lost.
    pub slack: u32,
    /// The slack of the tables behind, if there are some: the tile that is made becomes a wall, and tables with one wall
    /// more say what the board is worth then. Else it is the smallest wall's, made a second time.
    pub behind: Option<u32>,
}

impl Family {
    /// Whether there are such tables: seven walls have to go on, as the tiles below the next one are too many else, and
    /// twelve cannot, for want of tables behind.
    pub fn is_possible(self) -> bool {
        if self.behind.is_some() { self.walls < 12 } else { self.walls > 7 }
    }

    /// The family of the tables behind.
    pub fn next(self) -> Option<Self> {
        self.behind.map(|slack| Self { walls: self.walls + 1, slack, behind: None })
    }

    /// The code of the smallest wall.
    pub fn smallest(self) -> u32 {
        16 - self.walls
    }

    /// The code of the tile that is to be made.
    pub fn target(self) -> u32 {
        self.smallest() - u32::from(self.behind.is_some())
    }

    /// The smallest wall's tile; so many points before the fill there is nothing but walls.
    pub fn points(self) -> u32 {
        1 << self.smallest()
    }

    /// The sum of all tiles but the walls at which the tile is due.
    pub fn due(self) -> u32 {
        1 << self.target()
    }

    /// The largest sum of all tiles but the walls that is not taken for lost.
    pub fn most(self) -> u32 {
        self.due() + self.slack
    }

    /// What the walls sum to.
    pub fn walls_sum(self) -> u32 {
        65536 - self.points()
    }

    /// The board with a wall for every tile from the smallest wall on, if these lie there once each, and none that is
    /// to be made.
    pub fn walled(self, board: Bitboard) -> Option<u64> {
        let cells = board.cells();
        let mut each = (self.smallest()..16).map(|code| holding(cells, code.into()));
        let once = board.top() == 0 && each.all(|found| found.count_ones() == 1);
        let open = self.target() == self.smallest() || holding(cells, self.target().into()) == 0;
        (once && open).then(|| self.with_walls(cells))
    }

    /// Packed cells with a wall for every tile from the smallest wall on.
    pub fn with_walls(self, cells: u64) -> u64 {
        let walls = (self.smallest()..16).map(|code| holding(cells, code.into()));
        walls.fold(cells, |seen, found| seen | (found * WALL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_eight_walls_and_of_seven() {
        let eight = Family { walls: 8, slack: 24, behind: None };
        assert_eq!((eight.target(), eight.points(), eight.due(), eight.most()), (8, 256, 256, 280));
        assert_eq!(eight.walls_sum(), 65280);
        let seven = Family { walls: 7, slack: 24, behind: Some(64) };
        assert_eq!((seven.target(), seven.points(), seven.due(), seven.most()), (8, 512, 256, 280));
        assert_eq!(seven.walls_sum(), 65024);
        assert_eq!((seven.next(), eight.next()), (Some(Family { slack: 64, ..eight }), None));
    }

    #[test]
    fn tiles_become_walls_where_each_lies_there_once() {
        let eight = Family { walls: 8, slack: 24, behind: None };
        let seven = Family { walls: 7, slack: 24, behind: Some(64) };
        let walled = |family: Family, rows| family.walled(Bitboard::from_board(&rows).unwrap());
        let rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 2, 0, 4], [0; 4]];
        assert_eq!(walled(eight, rows), Some(0x0000_2017_ffff_ffff));
        assert_eq!(walled(seven, rows), None, "the 256 is made");
        for (cell, tile) in [(0, 0), (0, 256), (12, 256), (0, 65536)] {
            let mut rows = rows;
            rows.as_flattened_mut()[cell] = tile;
            assert_eq!(walled(eight, rows), None, "{tile}");
        }
        let mut rows = rows;
        rows[1][0] = 0;
        assert_eq!(walled(seven, rows), Some(0x0000_2017_fff0_ffff));
    }
}
