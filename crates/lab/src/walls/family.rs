//! How many tiles are walls, and which tile is to be made beside them.

use estr2048::Bitboard;

use super::cells::WALL;
use crate::grid::holding;

/// Which tile the small ones are to make. Where tables are behind, which say what a board is worth then, their slack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The smallest wall's tile a second time.
    Second,
    /// The next smaller tile, which becomes a wall.
    Wall(u32),
    /// Half of that tile. The tables behind know where it lies, so it is no wall.
    Half(u32),
    /// The same beside the first one, whose place is known: these two make the next wall.
    Halves(u32),
}

/// The tables that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Number of walls, 6 to 12: with eight, the tiles from 256 on.
    pub walls: u32,
    /// A table goes so many points beyond the sum at which its tile is due; what comes later counts as lost.
    pub slack: u32,
    /// What is to be made.
    pub goal: Goal,
}

impl Family {
    /// Whether there are such tables: the tiles below the one to be made must not be too many, and twelve walls cannot go on,
    /// for want of tables behind.
    pub fn is_possible(self) -> bool {
        let walls = match self.goal {
            Goal::Second => 8..=12,
            Goal::Wall(_) => 7..=11,
            Goal::Half(_) | Goal::Halves(_) => 6..=11,
        };
        walls.contains(&self.walls)
    }

    /// The slack of the tables behind, if there are some.
    pub fn behind(self) -> Option<u32> {
        match self.goal {
            Goal::Second => None,
            Goal::Wall(slack) | Goal::Half(slack) | Goal::Halves(slack) => Some(slack),
        }
    }

    /// Whether tables of another family can be behind these.
    pub fn is_before(self, other: Self) -> bool {
        let fits = match self.goal {
            Goal::Second => false,
            Goal::Wall(_) => other.walls == self.walls + 1 && other.goal == Goal::Second,
            Goal::Half(_) => other.walls == self.walls && other.has_half(),
            Goal::Halves(_) => other.walls == self.walls + 1 && matches!(other.goal, Goal::Second | Goal::Wall(_)),
        };
        fits && self.behind() == Some(other.slack)
    }

    /// Whether half of the next wall lies beside the walls, in a place that is known.
    pub fn has_half(self) -> bool {
        matches!(self.goal, Goal::Halves(_))
    }

    /// The cells that are left to the small tiles.
    pub fn free(self) -> u32 {
        16 - self.walls - u32::from(self.has_half())
    }

    /// The code of the smallest wall.
    pub fn smallest(self) -> u32 {
        16 - self.walls
    }

    /// The code of the tile that is to be made.
    pub fn target(self) -> u32 {
        match self.goal {
            Goal::Second => self.smallest(),
            Goal::Wall(_) => self.smallest() - 1,
            Goal::Half(_) | Goal::Halves(_) => self.smallest() - 2,
        }
    }

    /// So many points before the fill there is nothing but walls, and the half.
    pub fn points(self) -> u32 {
        (1 << self.smallest()) - if self.has_half() { self.due() } else { 0 }
    }

    /// The sum of all tiles but the walls at which the tile is due.
    pub fn due(self) -> u32 {
        1 << self.target()
    }

    /// The largest sum of all tiles but the walls that is not taken for lost.
    pub fn most(self) -> u32 {
        self.due() + self.slack
    }

    /// What the walls sum to, and the half.
    pub fn walls_sum(self) -> u32 {
        65536 - self.points()
    }

    /// The board with a wall for every tile from the smallest wall on, if these lie there once each, and none that is
    /// to be made, but for a half that has to.
    pub fn walled(self, board: Bitboard) -> Option<u64> {
        let cells = board.cells();
        let count = |code: u32| holding(cells, code.into()).count_ones();
        let once = board.top() == 0 && (self.smallest()..16).all(|code| count(code) == 1);
        let half = u32::from(self.has_half());
        let open =
            (self.target()..self.smallest()).all(|code| count(code) == if code == self.target() { half } else { 0 });
        (once && open).then(|| self.with_walls(cells))
    }

    /// Marks of the tiles that an afterstate has made, those cells in which they lie.
    #[inline]
    pub fn made(self, after: u64) -> u64 {
        let found = holding(after, self.target().into());
        if self.has_half() && found.count_ones() < 2 { 0 } else { found }
    }

    /// Whether a set of cells is one of its layouts: the walls in the lower sixteen bits, the half in the upper ones.
    pub fn has_layout(self, set: u32) -> bool {
        (set & 0xffff).count_ones() == self.walls && (set >> 16 != 0) == self.has_half()
    }

    /// What lies in its layouts, in words.
    pub fn layout(self) -> String {
        format!("{} walls{}", self.walls, if self.has_half() { " and an h" } else { "" })
    }

    /// Which tiles a board has to have, in words.
    pub fn tiles(self) -> String {
        let half = if self.has_half() { format!(" and a single {}", self.due()) } else { String::new() };
        format!("each tile from {} to 32768 once{half}", 1 << self.smallest())
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
        let eight = Family { walls: 8, slack: 24, goal: Goal::Second };
        assert_eq!((eight.target(), eight.points(), eight.due(), eight.most()), (8, 256, 256, 280));
        assert_eq!(eight.walls_sum(), 65280);
        let seven = Family { walls: 7, slack: 24, goal: Goal::Wall(64) };
        assert_eq!((seven.target(), seven.points(), seven.due(), seven.most()), (8, 512, 256, 280));
        assert_eq!(seven.walls_sum(), 65024);
        let six = |goal: Goal| Family { walls: 6, slack: 24, goal };
        let (half, halves) = (six(Goal::Half(24)), six(Goal::Halves(24)));
        assert_eq!((half.target(), half.points(), half.due(), half.free()), (8, 1024, 256, 10));
        assert_eq!((halves.target(), halves.points(), halves.due(), halves.free()), (8, 768, 256, 9));
        assert_eq!((half.walls_sum(), halves.walls_sum()), (64512, 64768));
        assert_eq!(half.tiles(), "each tile from 1024 to 32768 once");
        assert_eq!(halves.tiles(), "each tile from 1024 to 32768 once and a single 256");
        let chain = [half, halves, seven, Family { slack: 64, ..eight }];
        assert!(
            chain.iter().all(|family| family.is_possible()) && chain.is_sorted_by(|&one, &next| one.is_before(next))
        );
        for (one, other) in [(seven, eight), (half, seven), (halves, half), (halves, eight), (eight, eight)] {
            assert!(!one.is_before(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn tiles_become_walls_where_each_lies_there_once() {
        let eight = Family { walls: 8, slack: 24, goal: Goal::Second };
        let seven = Family { walls: 7, slack: 24, goal: Goal::Wall(64) };
        let walled = |family: Family, rows| family.walled(Bitboard::from_board(&rows).unwrap());
        let rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 2, 0, 4], [0; 4]];
        assert_eq!(walled(eight, rows), Some(0x0000_2017_ffff_ffff));
        assert_eq!(walled(seven, rows), None, "the 256 is made");
        let six = |goal: Goal| Family { walls: 6, slack: 24, goal };
        let rows_of_six = [[32768, 16384, 8192, 4096], [256, 0, 1024, 2048], [128, 2, 0, 4], [0; 4]];
        assert_eq!(walled(six(Goal::Halves(24)), rows_of_six), Some(0x0000_2017_ff08_ffff));
        assert_eq!(walled(six(Goal::Half(24)), rows_of_six), None, "the half is made");
        assert_eq!(walled(six(Goal::Halves(24)), rows), None, "the 512 is made");
        assert_eq!(six(Goal::Halves(24)).made(0x0000_2017_ff08_ffff), 0);
        assert_eq!(six(Goal::Halves(24)).made(0x0008_2017_ff08_ffff), 0x0001_0000_0001_0000);
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
