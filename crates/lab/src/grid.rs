//! Boards of any size up to 4×4, packed into 64 bits: moves, moves back, symmetries.
//!
//! Four bits a cell, 0 for empty and k for the tile 2^k. Row r lies in the bits from 16·r on, whatever the width; cells
//! outside the board stay 0.

/// A direction: the order is that of the assignment.
pub const DIRECTIONS: [Way; 4] = [Way::Up, Way::Down, Way::Left, Way::Right];

/// Where the tiles go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Way {
    Up,
    Down,
    Left,
    Right,
}

/// The largest code that combines: 65536 does not fit into four bits, so on 4×4 two 32768 stay what they are, and
/// [`Grid::makes_target`] says where the game would combine them.
const HIGHEST: u8 = 14;

const EACH_CELL: u64 = 0x1111_1111_1111_1111;

/// The size of a board, the ways that its tiles may go, and the tables that move them.
#[derive(Clone, Debug)]
pub struct Grid {
    rows: u32,
    cols: u32,
    /// The target tile is 2 to this.
    target_code: u32,
    /// One bit for the lowest bit of every cell.
    inside: u64,
    ways: Vec<Way>,
    maps: Vec<Map>,
    horizontal: Lines,
    vertical: Lines,
}

/// A symmetry: transpose, then exchange left and right, then top and bottom.
#[derive(Clone, Copy, Debug)]
struct Map {
    transpose: bool,
    mirror: bool,
    flip: bool,
}

/// All lines of one length, moved to the low end, and the way back.
#[derive(Clone, Debug)]
struct Lines {
    length: u32,
    moved: Vec<u16>,
    /// Where the lines that become line k begin in `origins`.
    first: Vec<u32>,
    origins: Vec<u16>,
}

impl Lines {
    fn new(length: u32) -> Self {
        let count = 1_usize << (4 * length);
        let moved: Vec<u16> = (0..count).map(|line| shifted(line as u16, length)).collect();
        let mut first = vec![0; count + 1];
        for &result in &moved {
            first[usize::from(result) + 1] += 1;
        }
        for line in 0..count {
            first[line + 1] += first[line];
        }
        let mut next = first.clone();
        let mut origins = vec![0; count];
        for (line, &result) in moved.iter().enumerate() {
            let place = &mut next[usize::from(result)];
            origins[*place as usize] = line as u16;
            *place += 1;
        }
        Self { length, moved, first, origins }
    }

    fn reversed(&self, line: u16) -> u16 {
        reversed(line) >> (4 * (4 - self.length))
    }

    fn origins(&self, line: u16) -> &[u16] {
        let line = usize::from(line);
        &self.origins[self.first[line] as usize..self.first[line + 1] as usize]
    }
}

pub(crate) fn reversed(line: u16) -> u16 {
    let line = line.rotate_left(8);
    line >> 4 & 0x0f0f | (line & 0x0f0f) << 4
}

/// Pull, combine, pull again: a code of 15 never combines.
pub(crate) fn shifted(line: u16, length: u32) -> u16 {
    let (mut result, mut place, mut waiting) = (0, 0, 0);
    for cell in 0..length {
        let code = line >> (4 * cell) & 15;
        if code != 0 && code == waiting && code <= HIGHEST.into() {
            result += 1 << (4 * (place - 1));
            waiting = 0;
        } else if code != 0 {
            result |= code << (4 * place);
            place += 1;
            waiting = code;
        }
    }
    result
}

impl Grid {
    /// A board of `rows` × `cols` cells, 1 to 4 each and 2 at least, on which tiles may go `ways`.
    ///
    /// # Errors
    /// If the size or the ways are impossible.
    pub fn new(rows: u32, cols: u32, ways: &[Way]) -> anyhow::Result<Self> {
        anyhow::ensure!(
            (1..=4).contains(&rows) && (1..=4).contains(&cols) && rows * cols >= 2,
            "a board here has 1 to 4 rows and columns, 2 to 16 cells"
        );
        anyhow::ensure!(!ways.is_empty(), "tiles must be able to go somewhere");
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| 16 * row + 4 * col));
        let inside = cells.fold(0, |mask, shift| mask | 1 << shift);
        let allowed = |map: &Map| ways.iter().all(|&way| ways.contains(&map.way(way)));
        let maps = [false, true].into_iter().filter(|&transpose| !transpose || rows == cols);
        let maps = maps.flat_map(|transpose| {
            let all = [(false, false), (true, false), (false, true), (true, true)];
            all.map(|(mirror, flip)| Map { transpose, mirror, flip })
        });
        let ways: Vec<Way> = DIRECTIONS.into_iter().filter(|way| ways.contains(way)).collect();
        let maps = maps.filter(allowed).collect();
        let (horizontal, vertical) = (Lines::new(cols), Lines::new(rows));
        Ok(Self { rows, cols, target_code: rows * cols, inside, ways, maps, horizontal, vertical })
    }

    /// The same board with another fill, a sum that needs every cell: 2^n for n cells, where the tile 2^n is made, is the
    /// one that [`new`](Self::new) takes. With that tile on the board, 2^n + 2^(n-1) is the next, where the tile 2^(n-1) is
    /// made beside it, and so on up to the [ceiling](Self::ceiling).
    ///
    /// # Errors
    /// If this sum is no fill of the board, or its tiles are too large for it.
    pub fn with_fill(self, sum: u32) -> anyhow::Result<Self> {
        let cells = self.cells();
        let codes = if cells < 16 { 1..=cells } else { 16..=16 };
        if let Some(target_code) = codes.clone().find(|&code| fill(cells, code) == sum) {
            return Ok(Self { target_code, ..self });
        }
        let known: Vec<String> = codes.rev().map(|code| fill(cells, code).to_string()).collect();
        anyhow::bail!("{sum} is no fill of this board: it has {}", known.join(", "))
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// Number of cells.
    pub fn cells(&self) -> u32 {
        self.rows * self.cols
    }

    /// The tile that is made at the fill: 2 to the number of cells, unless it is a later fill.
    pub fn target(&self) -> u32 {
        1 << self.target_code
    }

    /// The power of two of the target tile.
    pub fn target_code(&self) -> u32 {
        self.target_code
    }

    /// The sum at which the target tile is made: all tiles from it up to 2^cells, once each.
    pub fn fill(&self) -> u32 {
        fill(self.cells(), self.target_code)
    }

    /// The highest sum: every tile from 2 to 2^cells once.
    pub fn ceiling(&self) -> u32 {
        fill(self.cells(), 1)
    }

    /// Whether the fill is behind this board: all tiles from the target on lie there.
    #[inline]
    pub fn is_passed(&self, board: u64) -> bool {
        (self.target_code..=self.cells()).all(|code| self.holds(board, code))
    }

    /// The ways that tiles may go here.
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The bit positions of the cells, in reading order.
    pub fn shifts(&self) -> Vec<u32> {
        (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| 16 * row + 4 * col)).collect()
    }

    /// The lowest bit of every empty cell.
    #[inline]
    pub fn empty(&self, board: u64) -> u64 {
        let used = board | board >> 1;
        let used = used | used >> 2;
        !used & self.inside
    }

    /// The lowest bit of every cell that holds a 2.
    #[inline]
    pub fn twos(&self, board: u64) -> u64 {
        self.tiles(board, 1)
    }

    /// The lowest bit of every cell that holds 2^`code`.
    #[inline]
    fn tiles(&self, board: u64, code: u32) -> u64 {
        holding(board, code.into()) & self.inside
    }

    /// Whether both halves of the target tile lie there.
    #[inline]
    pub fn has_halves(&self, board: u64) -> bool {
        self.target_code > 1 && self.tiles(board, self.target_code - 1).count_ones() >= 2
    }

    /// Whether some move makes the target tile.
    #[inline]
    pub fn makes_target(&self, board: u64) -> bool {
        if !self.has_halves(board) {
            return false;
        }
        let halves = self.tiles(board, self.target_code - 1);
        // As 2s among walls, which never combine, they show it on a board of any size.
        let walls = 15 * (self.inside & !self.empty(board) & !halves);
        self.afters(walls | halves).any(|after| self.holds(after, 2))
    }

    /// Whether a tile 2^`code` is on the board.
    pub fn holds(&self, board: u64, code: u32) -> bool {
        (0..64).step_by(4).any(|shift| board >> shift & 15 == u64::from(code))
    }

    /// Whether every tile 2^cells, the largest of all, lies in a corner.
    #[inline]
    pub fn has_top_in_corner(&self, board: u64) -> bool {
        let (right, bottom) = (4 * (self.cols - 1), 16 * (self.rows - 1));
        let corners = [0, right, bottom, bottom + right].iter().fold(0, |mask, shift| mask | 1_u64 << shift);
        self.tiles(board, self.cells()) & !corners == 0
    }

    /// Whether all tiles lie inside the board.
    pub fn fits(&self, board: u64) -> bool {
        board & !(15 * self.inside) == 0
    }

    /// The sum of all tiles.
    pub fn sum(&self, board: u64) -> u32 {
        (0..64).step_by(4).map(|shift| board >> shift & 15).filter(|&code| code != 0).map(|code| 1 << code).sum()
    }

    /// The board after a move, the same if the move changes nothing.
    #[inline]
    pub fn moved(&self, board: u64, way: Way) -> u64 {
        match way {
            Way::Left => each_line(board, |line| self.horizontal.moved[usize::from(line)]),
            Way::Right => {
                let lines = &self.horizontal;
                each_line(board, |line| lines.reversed(lines.moved[usize::from(lines.reversed(line))]))
            }
            Way::Up => transposed(each_line(transposed(board), |line| self.vertical.moved[usize::from(line)])),
            Way::Down => {
                let lines = &self.vertical;
                let moved = |line| lines.reversed(lines.moved[usize::from(lines.reversed(line))]);
                transposed(each_line(transposed(board), moved))
            }
        }
    }

    /// The boards after the moves that change something.
    #[inline]
    pub fn afters(&self, board: u64) -> impl Iterator<Item = u64> {
        self.ways.iter().map(move |&way| self.moved(board, way)).filter(move |&after| after != board)
    }

    /// Adds to `boards` every board that another move than none turns into `after`.
    pub fn unmoved(&self, after: u64, boards: &mut Vec<u64>) {
        for &way in &self.ways {
            let vertical = matches!(way, Way::Up | Way::Down);
            let backward = matches!(way, Way::Down | Way::Right);
            let (lines, count) = if vertical { (&self.vertical, self.cols) } else { (&self.horizontal, self.rows) };
            let turned = if vertical { transposed(after) } else { after };
            let start = boards.len();
            boards.push(0);
            for place in 0..count {
                let line = (turned >> (16 * place)) as u16;
                let line = if backward { lines.reversed(line) } else { line };
                let origins = lines.origins(line);
                let end = boards.len();
                for index in start..end {
                    let part = boards[index];
                    for &origin in origins {
                        let origin = if backward { lines.reversed(origin) } else { origin };
                        boards.push(part | u64::from(origin) << (16 * place));
                    }
                }
                boards.drain(start..end);
            }
            if vertical {
                boards[start..].iter_mut().for_each(|board| *board = transposed(*board));
            }
            if let Some(same) = boards[start..].iter().position(|&board| board == after) {
                boards.swap_remove(start + same);
            }
        }
    }

    /// The boards that the symmetries make of this one, itself first.
    pub fn symmetries(&self, board: u64) -> impl Iterator<Item = u64> {
        self.maps.iter().map(move |map| self.mapped(board, *map))
    }

    /// The least of them: the same for all.
    #[inline]
    pub fn canonical(&self, board: u64) -> u64 {
        self.symmetries(board).min().unwrap_or(board)
    }

    #[inline]
    fn mapped(&self, board: u64, map: Map) -> u64 {
        let mut board = if map.transpose { transposed(board) } else { board };
        if map.mirror {
            board = reversed_rows(board) >> (4 * (4 - self.cols));
        }
        if map.flip {
            board = flipped(board) >> (16 * (4 - self.rows));
        }
        board
    }

    /// The board as rows of tiles, 0 for an empty cell.
    pub fn unpacked(&self, board: u64) -> Vec<Vec<u32>> {
        let tile = |row: u32, col: u32| match board >> (16 * row + 4 * col) & 15 {
            0 => 0,
            code => 1 << code,
        };
        (0..self.rows).map(|row| (0..self.cols).map(|col| tile(row, col)).collect()).collect()
    }

    /// The board as text, one row a line.
    pub fn text(&self, board: u64) -> String {
        let cell = |tile: &u32| if *tile == 0 { format!("{:>6}", ".") } else { format!("{tile:>6}") };
        let rows: Vec<String> = self.unpacked(board).iter().map(|row| row.iter().map(cell).collect()).collect();
        rows.join("\n")
    }
}

impl Map {
    fn way(self, way: Way) -> Way {
        let way = match way {
            Way::Up if self.transpose => Way::Left,
            Way::Left if self.transpose => Way::Up,
            Way::Down if self.transpose => Way::Right,
            Way::Right if self.transpose => Way::Down,
            way => way,
        };
        match way {
            Way::Left if self.mirror => Way::Right,
            Way::Right if self.mirror => Way::Left,
            Way::Up if self.flip => Way::Down,
            Way::Down if self.flip => Way::Up,
            way => way,
        }
    }
}

/// The tiles from 2^`code` up to 2^`cells`, once each, as a sum.
fn fill(cells: u32, code: u32) -> u32 {
    (2 << cells) - (1 << code)
}

/// The cells whose lowest bits are set in `mask`, as these bits.
#[inline]
pub fn bits(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// The lowest bit of every cell that holds this code, those outside the board among them.
#[inline]
pub const fn holding(board: u64, code: u64) -> u64 {
    let other = board ^ (EACH_CELL * code);
    let other = other | other >> 1;
    !(other | other >> 2) & EACH_CELL
}

#[inline]
fn each_line(board: u64, line: impl Fn(u16) -> u16) -> u64 {
    let part = |shift: u32| u64::from(line((board >> shift) as u16)) << shift;
    // A board of three rows has nothing in the fourth.
    part(0) | part(16) | part(32) | if board >> 48 == 0 { 0 } else { part(48) }
}

/// Rows become columns: cells are exchanged in 2×2 blocks, then the blocks themselves.
#[inline]
pub(crate) const fn transposed(x: u64) -> u64 {
    let x = x & 0xf0f0_0f0f_f0f0_0f0f | (x & 0x0000_f0f0_0000_f0f0) << 12 | (x & 0x0f0f_0000_0f0f_0000) >> 12;
    x & 0xff00_ff00_00ff_00ff | (x & 0x00ff_00ff_0000_0000) >> 24 | (x & 0x0000_0000_ff00_ff00) << 24
}

#[inline]
pub(crate) const fn reversed_rows(x: u64) -> u64 {
    let x = (x & 0x00ff_00ff_00ff_00ff) << 8 | (x & 0xff00_ff00_ff00_ff00) >> 8;
    (x & 0x0f0f_0f0f_0f0f_0f0f) << 4 | (x & 0xf0f0_f0f0_f0f0_f0f0) >> 4
}

#[inline]
pub(crate) const fn flipped(x: u64) -> u64 {
    let x = x.rotate_left(32);
    (x & 0x0000_ffff_0000_ffff) << 16 | (x & 0xffff_0000_ffff_0000) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use estr2048::{Bitboard, Direction};
    use proptest::prelude::*;

    fn sizes() -> impl Strategy<Value = (u32, u32)> {
        (1..=4_u32, 1..=4_u32).prop_filter("2 to 16 cells", |&(rows, cols)| rows * cols >= 2)
    }

    fn packed(grid: &Grid, codes: &[u64]) -> u64 {
        grid.shifts().iter().zip(codes).fold(0, |board, (shift, code)| board | code << shift)
    }

    /// A move written down cell by cell, for comparison: the codes in reading order, up to 16.
    fn naive(grid: &Grid, board: u64, way: Way) -> Vec<u64> {
        let (lines, length) = match way {
            Way::Up | Way::Down => (grid.cols, grid.rows),
            Way::Left | Way::Right => (grid.rows, grid.cols),
        };
        let cell = |line: u32, place: u32| match way {
            Way::Up => (place, line),
            Way::Down => (length - 1 - place, line),
            Way::Left => (line, place),
            Way::Right => (line, length - 1 - place),
        };
        let mut result = vec![0; grid.cells() as usize];
        for line in 0..lines {
            let cells: Vec<(u32, u32)> = (0..length).map(|place| cell(line, place)).collect();
            let codes = cells.iter().map(|(row, col)| board >> (16 * row + 4 * col) & 15);
            let mut tiles: Vec<u64> = codes.filter(|&code| code != 0).collect();
            let mut index = 0;
            while index + 1 < tiles.len() {
                if tiles[index] == tiles[index + 1] {
                    tiles[index] += 1;
                    tiles.remove(index + 1);
                }
                index += 1;
            }
            for (code, (row, col)) in tiles.into_iter().zip(cells) {
                result[(row * grid.cols + col) as usize] = code;
            }
        }
        result
    }

    proptest! {
        #[test]
        fn a_square_moves_as_the_board_of_the_library(codes in prop::array::uniform16(0_u64..9)) {
            let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
            let board = packed(&grid, &codes);
            for (way, direction) in DIRECTIONS.into_iter().zip(Direction::ALL) {
                prop_assert_eq!(grid.moved(board, way), Bitboard::from_cells(board).moved(direction).cells());
            }
        }

        #[test]
        fn moves_are_those_of_the_rules((rows, cols) in sizes(), codes in prop::collection::vec(0..5_u64, 16)) {
            let grid = Grid::new(rows, cols, &DIRECTIONS).unwrap();
            let board = packed(&grid, &codes);
            for way in DIRECTIONS {
                prop_assert_eq!(grid.moved(board, way), packed(&grid, &naive(&grid, board, way)));
            }
        }

        #[test]
        fn the_target_is_made_by_the_moves_that_combine_its_halves(
            (rows, cols) in sizes(),
            ways in prop::sample::subsequence(DIRECTIONS.to_vec(), 1..=4),
            kinds in prop::collection::vec(0..4_u64, 16),
        ) {
            let grid = Grid::new(rows, cols, &ways).unwrap();
            let half = u64::from(grid.cells()) - 1;
            // Empty, half, or another tile, which has a neighbour of its kind now and then.
            let codes: Vec<u64> = kinds.iter().map(|kind| [0, half, half, half.saturating_sub(1)][*kind as usize]).collect();
            let board = packed(&grid, &codes);
            let makes = ways.iter().any(|&way| naive(&grid, board, way).contains(&(half + 1)));
            prop_assert_eq!(grid.makes_target(board), makes);
        }

        #[test]
        fn moves_back_are_the_boards_that_move_here((rows, cols) in sizes(), codes in prop::collection::vec(0..4_u64, 16)) {
            let grid = Grid::new(rows, cols, &DIRECTIONS).unwrap();
            let board = packed(&grid, &codes);
            for after in grid.afters(board) {
                let mut origins = Vec::new();
                grid.unmoved(after, &mut origins);
                prop_assert!(origins.contains(&board));
                prop_assert!(origins.iter().all(|&origin| origin != after && grid.afters(origin).any(|same| same == after)));
            }
        }

        #[test]
        fn symmetric_boards_have_one_form((rows, cols) in sizes(), codes in prop::collection::vec(0..9_u64, 16)) {
            let grid = Grid::new(rows, cols, &DIRECTIONS).unwrap();
            let board = packed(&grid, &codes);
            let form = grid.canonical(board);
            for other in grid.symmetries(board) {
                prop_assert_eq!(grid.canonical(other), form);
                prop_assert_eq!(grid.sum(other), grid.sum(board));
                let mut ours: Vec<u64> = grid.afters(board).map(|after| grid.canonical(after)).collect();
                let mut theirs: Vec<u64> = grid.afters(other).map(|after| grid.canonical(after)).collect();
                ours.sort_unstable();
                theirs.sort_unstable();
                prop_assert_eq!(ours, theirs);
            }
        }
    }

    #[test]
    fn walls_slide_and_never_combine() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        assert_eq!(grid.moved(0xf0f0, Way::Left), 0xff);
        assert_eq!(grid.moved(0x1ff1, Way::Right), 0x1ff1);
        assert_eq!(grid.moved(0xf011, Way::Left), 0xf2);
    }

    #[test]
    fn without_a_way_only_the_symmetries_that_keep_it_out_are_left() {
        let grid = Grid::new(3, 4, &[Way::Up, Way::Left, Way::Right]).unwrap();
        assert_eq!(grid.symmetries(1).collect::<Vec<_>>(), [1, 0x1000]);
        assert_eq!(Grid::new(3, 3, &DIRECTIONS).unwrap().symmetries(1).count(), 8);
        assert!(Grid::new(4, 5, &DIRECTIONS).is_err());
    }

    #[test]
    fn twos_and_empty_cells_are_found() {
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap();
        assert_eq!(bits(grid.twos(0x0012_0310)).collect::<Vec<_>>(), [0x10, 0x10_0000]);
        assert_eq!(grid.empty(0x0012_0310), 0x0100_0001);
    }

    #[test]
    fn every_fill_needs_every_cell() {
        let grid = || Grid::new(3, 4, &DIRECTIONS).unwrap();
        assert_eq!((grid().fill(), grid().target(), grid().ceiling()), (4096, 4096, 8190));
        for (fill, target) in [(4096, 4096), (6144, 2048), (7168, 1024), (8188, 4), (8190, 2)] {
            let grid = grid().with_fill(fill).unwrap();
            assert_eq!((grid.fill(), grid.target(), grid.ceiling()), (fill, target, 8190));
        }
        let refused = grid().with_fill(5000).unwrap_err().to_string();
        assert!(refused.contains("no fill") && refused.contains(" 4096, 6144, 7168, "), "{refused}");
        assert!(Grid::new(4, 4, &DIRECTIONS).unwrap().with_fill(98304).is_err(), "a 65536 has no code");
    }

    #[test]
    fn a_fill_is_passed_when_its_tile_lies_there_with_all_that_are_larger() {
        let grid = Grid::new(2, 3, &DIRECTIONS).unwrap().with_fill(96).unwrap();
        assert!(grid.is_passed(0x0560) && grid.is_passed(0x0001_0065));
        assert!(!grid.is_passed(0x0066) && !grid.is_passed(0x0055));
        assert!(grid.has_top_in_corner(0x0650_0006) && grid.has_top_in_corner(0x0050));
        assert!(!grid.has_top_in_corner(0x0060_0000));
    }
}
