//! What the chances are of, and what becomes a wall on the way there.

/// The end of the game, or a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A board that is full of walls: a tile as large as all free cells is one.
    End,
    /// That of two tiles 2^`free`, with so many free cells, the second is made: with ten, 1024 points behind 64512. The first one is
    /// the smallest wall by then. Before, a cell is to spare: of n free ones, the tile 2^(n-1) becomes a wall.
    Fill {
        /// Free cells when the last wall is made.
        free: u32,
        /// So many moves later than the points allow it the second tile counts as well.
        late: u32,
    },
}

impl Goal {
    /// The tile 2^this becomes a wall where walls leave so many free cells, or is the one that the goal is.
    #[inline]
    pub fn next_wall(self, free: u32) -> u32 {
        match self {
            Self::Fill { free: last, .. } if free > last => free - 1,
            _ => free,
        }
    }

    /// Whether with so many free cells there will be no wall more.
    #[inline]
    pub fn ends_with(self, free: u32) -> bool {
        matches!(self, Self::Fill { free: last, .. } if free == last)
    }

    /// The moves to the end, or to where the second tile has to be made by, with so many free cells and points.
    #[inline]
    pub fn moves_left(self, free: u32, points: u32) -> u32 {
        match self {
            Self::End => ((2 << free) - 2 - points) / 2,
            Self::Fill { late, .. } => ((1 << free) + 2 * late + 2 - points) / 2,
        }
    }

    /// The points with so many free cells and moves left; none if there would be fewer than none.
    #[inline]
    pub fn points(self, free: u32, left: u32) -> Option<u32> {
        self.moves_left(free, 0).checked_sub(left).map(|moves| 2 * moves)
    }

    /// The sum of all tiles with so many moves left.
    pub fn sum(self, left: u32) -> u32 {
        match self {
            Self::End => 131_070 - 2 * left,
            Self::Fill { late, .. } => 65_538 + 2 * late - 2 * left,
        }
    }

    /// The largest tile of its boards is 2^this.
    pub fn largest(self) -> usize {
        match self {
            Self::End => 16,
            Self::Fill { .. } => 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_the_game() {
        // 65536 + 32768 + ... + 2048 and 24 points; 32768 + ... + 1024 and 1000 of the 1024 that are needed.
        assert_eq!(Goal::End.sum(Goal::End.moves_left(10, 24)), 129_024 + 24);
        let fill = Goal::Fill { free: 10, late: 14 };
        assert_eq!(fill.sum(fill.moves_left(10, 1000)), 65_512);
        assert_eq!(fill.sum(fill.moves_left(11, 2)), 63_490);
        assert_eq!(fill.moves_left(10, 1024 + 28), 1);
        for goal in [Goal::End, fill] {
            assert_eq!(goal.points(11, goal.moves_left(11, 300)), Some(300));
        }
        assert_eq!(fill.points(10, 2000), None);
    }

    #[test]
    fn before_a_fill_a_cell_is_to_spare() {
        let fill = Goal::Fill { free: 10, late: 14 };
        assert_eq!([13, 12, 11, 10].map(|free| fill.next_wall(free)), [12, 11, 10, 10]);
        assert_eq!([11, 10, 9].map(|free| Goal::End.next_wall(free)), [11, 10, 9]);
        assert!(fill.ends_with(10) && !fill.ends_with(11) && !Goal::End.ends_with(10));
    }
}
