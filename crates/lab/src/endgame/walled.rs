//! Boards whose largest tiles are walls.

use std::collections::HashSet;

use estr2048::Bitboard;
use estr2048::network::tops;

use super::goal::Goal;
use crate::grid::{Grid, bits, holding};
use crate::walls::cells::WALL;

/// The lowest bits of the cells with walls.
#[inline]
pub fn walls(board: u64) -> u64 {
    holding(board, WALL)
}

/// The cells that the walls leave.
#[inline]
pub fn free(board: u64) -> u32 {
    16 - walls(board).count_ones()
}

/// A board of a game with its largest tiles as walls, in one of its symmetric forms: from 65536 down to the largest missing
/// one where the goal is the end, before a fill from 32768 down, and no more than lie there when it comes. `None` if it has no
/// wall, or has passed the fill.
pub fn walled(grid: &Grid, board: Bitboard, goal: Goal) -> Option<u64> {
    let present = (0..16).fold(0_u16, |present, cell| present | 1_u32.unbounded_shl(board.code(cell).into()) as u16);
    let standing = match goal {
        Goal::End => tops(board),
        Goal::Fill { free, .. } if board.top() == 0 => (present.leading_ones() as usize).min(16 - free as usize),
        Goal::Fill { .. } => 0,
    };
    let least = goal.largest() + 1 - standing;
    let code = |cell| {
        let code = board.code(cell);
        if usize::from(code) < least { u64::from(code) } else { WALL }
    };
    (standing > 0).then(|| grid.canonical((0..16).fold(0, |cells, cell| cells | code(cell) << (4 * cell))))
}

/// The points of all tiles but the walls.
#[inline]
pub fn points(grid: &Grid, board: u64) -> u32 {
    grid.sum(board & !(WALL * walls(board)))
}

/// An afterstate on which the tiles that become walls are walls.
pub fn settled(mut after: u64, goal: Goal) -> u64 {
    while !goal.ends_with(free(after)) {
        let made = holding(after, goal.next_wall(free(after)).into());
        if made == 0 {
            break;
        }
        after |= WALL * made;
    }
    after
}

/// Whether this afterstate, on which the tiles that become walls are walls, is the goal: all cells but one are walls, or the second
/// tile of a [fill](Goal::Fill) lies there.
pub fn is_goal(after: u64, goal: Goal) -> bool {
    let free = free(after);
    if goal == Goal::End {
        return free == 1;
    }
    goal.ends_with(free) && holding(after, goal.next_wall(free).into()) != 0
}

/// The boards that a new 2 makes of an afterstate, in one of their symmetric forms.
#[inline]
pub fn with_two(grid: &Grid, after: u64) -> impl Iterator<Item = u64> {
    bits(grid.empty(after)).map(move |two| grid.canonical(after | two))
}

/// Whether a game can come to this board that is to be moved. From the 2 that was added last of those in it, a tile 2^k takes
/// k - 1 moves: as long as the points are fewer moves behind a multiple of 2^k, the tiles from 2^k on do not add up to it.
pub fn is_in_time(grid: &Grid, board: u64, goal: Goal) -> bool {
    let (free, points) = (free(board), points(grid, board));
    let in_time = |code: u32| {
        let made: u32 = (code..WALL as u32).map(|code| holding(board, code.into()).count_ones() << code).sum();
        let behind = points % (1 << code) / 2;
        made == 0 || behind + 1 >= code || made + behind * 2 < points
    };
    // The smallest wall is a tile that was made, too.
    points / 2 + 1 >= goal.next_wall(free + 1) && (2..=free).all(in_time)
}

/// Where walls may stand.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// The lowest bits of the cells with walls, in all symmetric forms.
    sets: HashSet<u64>,
    /// Of how many walls there are some; any other number may stand anywhere.
    named: [bool; 17],
    /// Within so many points behind the last wall they may stand anywhere.
    anywhere: u32,
}

/// Points before the next wall from which on walls may stand anywhere, too.
const BEFORE_A_WALL: u32 = 24;

impl Layouts {
    /// These, each a board of walls, and any others within so many points behind a wall.
    pub fn new(grid: &Grid, boards: &[u64], anywhere: u32) -> Self {
        let sets: HashSet<u64> = boards.iter().flat_map(|&board| grid.symmetries(walls(board))).collect();
        let mut named = [false; 17];
        sets.iter().for_each(|set| named[set.count_ones() as usize] = true);
        Self { sets, named, anywhere }
    }

    /// The lowest bits of the cells with walls, in all symmetric forms, ascending.
    pub fn sets(&self) -> Vec<u64> {
        let mut sets: Vec<u64> = self.sets.iter().copied().collect();
        sets.sort_unstable();
        sets
    }

    /// Points behind the last wall within which they may stand anywhere.
    pub fn anywhere(&self) -> u32 {
        self.anywhere
    }

    /// One of each with so many walls, up to symmetry.
    pub fn with(&self, grid: &Grid, walls: u32) -> Vec<u64> {
        let all = self.sets.iter().filter(|set| set.count_ones() == walls);
        let mut all: Vec<u64> = all.map(|&set| grid.canonical(set)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether the walls of this board may stand as they do.
    pub fn allow(&self, grid: &Grid, board: u64, goal: Goal) -> bool {
        let walls = walls(board);
        if !self.named[walls.count_ones() as usize] || self.sets.contains(&walls) {
            return true;
        }
        let (free, points) = (free(board), points(grid, board));
        points <= self.anywhere || !goal.ends_with(free) && points + BEFORE_A_WALL >= 1 << goal.next_wall(free)
    }
}
