//! How many tiles are walls, and which tables there are then.

use estr2048::Bitboard;

use super::cells::WALL;
use crate::grid::holding;

/// The tables that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Number of walls, 8 to 12: with eight, the tiles from 256 on.
    pub walls: u32,
    /// A table goes so many points beyond the sum at which its next tile is due.
    pub slack: u32,
}

/// Which tiles lie on a board besides walls and the small ones, and how far its table goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Codes of these tiles, the larger ones first.
    pub special: Vec<u32>,
    /// What these tiles sum to.
    pub held: u32,
    /// Codes of the small tiles are below this.
    pub base: u32,
    /// Largest sum of the small tiles that is not taken for lost.
    pub most: u32,
}

impl Part {
    /// Largest sum of all tiles but the walls.
    pub fn end(&self) -> u32 {
        self.held + self.most
    }

    /// The special tiles, as in the names of files: `128-64`.
    pub fn name(&self) -> String {
        let tiles: Vec<String> = self.special.iter().map(|code| (1_u32 << code).to_string()).collect();
        if tiles.is_empty() { "bare".to_owned() } else { tiles.join("-") }
    }
}

/// What a board among walls is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tile that was wanted lies there.
    Made,
    /// Its chance stands in the table of this part.
    Open(usize),
    /// No table holds it: it counts as lost.
    Lost,
}

/// Points behind the slack that the last two tables go further: nothing is due there but to bring tiles together.
const MEETING: u32 = 16;

impl Family {
    /// The code of the tile that is to be made a second time, the smallest wall's.
    pub fn target(self) -> u32 {
        16 - self.walls
    }

    /// That tile; so many points before the fill there is nothing but walls.
    pub fn points(self) -> u32 {
        1 << self.target()
    }

    /// What the walls sum to.
    pub fn walls_sum(self) -> u32 {
        65536 - self.points()
    }

    /// The parts in the order in which they are solved: each leads to those before it, and to itself.
    pub fn parts(self) -> [Part; 5] {
        let large = self.target() - 1;
        let half = large - 1;
        let part = |special: &[u32], most| Part {
            special: special.to_vec(),
            held: special.iter().map(|code| 1 << code).sum(),
            base: if special.is_empty() { large } else { half },
            most,
        };
        [
            part(&[large, large], self.slack + MEETING),
            part(&[large, half, half], self.slack + MEETING),
            part(&[large, half], (1 << half) + self.slack),
            part(&[large], (1 << half) + self.slack),
            part(&[], (1 << large) + self.slack),
        ]
    }

    /// What this board is.
    #[inline]
    pub fn kind(self, board: u64) -> Kind {
        let target = u64::from(self.target());
        if holding(board, target) != 0 {
            return Kind::Made;
        }
        let without_first = |cells: u64| cells & cells.wrapping_sub(1);
        let large = holding(board, target - 1);
        if large == 0 {
            return Kind::Open(4);
        }
        let half = holding(board, target - 2);
        let (seconds, second_halves) = (without_first(large), without_first(half));
        if seconds != 0 {
            return if half == 0 && without_first(seconds) == 0 { Kind::Open(0) } else { Kind::Lost };
        }
        match (half, second_halves) {
            (0, _) => Kind::Open(3),
            (_, 0) => Kind::Open(2),
            _ if without_first(second_halves) == 0 => Kind::Open(1),
            _ => Kind::Lost,
        }
    }

    /// The board with a wall for every tile from the smallest wall on, if these lie there once each.
    pub fn walled(self, board: Bitboard) -> Option<u64> {
        let cells = board.cells();
        let each = (self.target()..16).map(|code| holding(cells, code.into()));
        let once = board.top() == 0 && each.clone().all(|found| found.count_ones() == 1);
        once.then(|| each.fold(cells, |cells, found| cells | (found * WALL)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_eight_walls() {
        let family = Family { walls: 8, slack: 24 };
        assert_eq!((family.points(), family.walls_sum()), (256, 65280));
        let parts = family.parts().map(|part| (part.name(), part.held, part.base, part.most));
        let expected = [
            ("128-128", 256, 6, 40),
            ("128-64-64", 256, 6, 40),
            ("128-64", 192, 6, 88),
            ("128", 128, 6, 88),
            ("bare", 0, 7, 152),
        ];
        assert_eq!(parts, expected.map(|(name, held, base, most)| (name.to_owned(), held, base, most)));
        for (board, kind) in [
            (0xff8, Kind::Made),
            (0x7f7, Kind::Open(0)),
            (0x777, Kind::Lost),
            (0x776, Kind::Lost),
            (0x7f66, Kind::Open(1)),
            (0x7666, Kind::Lost),
            (0x67, Kind::Open(2)),
            (0xf7f, Kind::Open(3)),
            (0x6660, Kind::Open(4)),
            (0xf0f, Kind::Open(4)),
        ] {
            assert_eq!(family.kind(board), kind, "{board:x}");
        }
    }

    #[test]
    fn tiles_become_walls_where_each_lies_there_once() {
        let family = Family { walls: 8, slack: 24 };
        let walled = |rows| family.walled(Bitboard::from_board(&rows).unwrap());
        let rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 2, 0, 4], [0; 4]];
        assert_eq!(walled(rows), Some(0x0000_2017_ffff_ffff));
        for (cell, tile) in [(0, 0), (0, 256), (12, 256), (0, 65536)] {
            let mut rows = rows;
            rows.as_flattened_mut()[cell] = tile;
            assert_eq!(walled(rows), None, "{tile}");
        }
    }
}
