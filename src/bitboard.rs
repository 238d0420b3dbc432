//! A 4×4 board packed into 64 bits, for search: the same moves as [`Board`](crate::board::Board), by table
//! look-up.
//!
//! Each cell holds a 4-bit code: 0 for empty, k for the tile 2^k. The sum of all tiles of an ESTR1002 game never
//! passes 131070 (all sixteen cells, every tile from 2 to 65536 once), so at most one tile 65536 can exist. It has no
//! code of its own: its cell holds code 15, and one bit of `top` says which of the cells with code 15 it is.

use core::fmt;

use crate::direction::Direction;
use crate::symmetry::{mirrored, transposed};

/// The highest sum of tiles that a 4×4 game with only 2s can reach: 2 + 4 + ... + 65536.
pub const MAX_SUM: i64 = 131_070;

const TOP_CODE: u8 = 16;
const NIBBLE: u64 = 0xf;
pub(crate) const EACH_CELL: u64 = 0x1111_1111_1111_1111;

/// A packed 4×4 board. Cell `row * 4 + col` lies in the bits from `4 * cell` on.
///
/// It holds every board whose tiles are powers of two from 2 to 65536 and whose sum is at most [`MAX_SUM`], exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "[[i32; 4]; 4]", try_from = "[[i32; 4]; 4]"))]
pub struct Bitboard {
    cells: u64,
    top: u16,
}

/// A board that cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackError;

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a packed board is 4 x 4, its tiles are powers of two from 2 to 65536, and their sum is at most {MAX_SUM}"
        )
    }
}

impl core::error::Error for PackError {}

impl TryFrom<[[i32; 4]; 4]> for Bitboard {
    type Error = PackError;

    fn try_from(board: [[i32; 4]; 4]) -> Result<Self, PackError> {
        Self::from_board(&board).ok_or(PackError)
    }
}

impl From<Bitboard> for [[i32; 4]; 4] {
    fn from(board: Bitboard) -> Self {
        board.to_board()
    }
}

impl Bitboard {
    /// The packed form of a board, or `None` if it holds a tile that is not a power of two from 2 to 65536, or if its
    /// sum is above [`MAX_SUM`].
    #[must_use]
    pub fn from_board(board: &[[i32; 4]; 4]) -> Option<Self> {
        let mut codes = [0; 16];
        let mut sum = 0;
        for (code, &tile) in codes.iter_mut().zip(board.as_flattened()) {
            *code = match tile {
                0 => 0,
                2..=65536 if tile.count_ones() == 1 => tile.trailing_zeros() as u8,
                _ => return None,
            };
            sum += i64::from(tile);
        }
        (sum <= MAX_SUM).then(|| Self::from_codes(&codes))
    }

    /// The plain form of this board.
    #[must_use]
    pub fn to_board(self) -> [[i32; 4]; 4] {
        let mut board = [[0; 4]; 4];
        for (tile, code) in board.as_flattened_mut().iter_mut().zip(self.codes()) {
            *tile = if code == 0 { 0 } else { 1 << code };
        }
        board
    }

    /// A board from its 4-bit codes alone: no cell holds 65536, code 15 is 32768.
    ///
    /// The caller makes sure that the sum is at most [`MAX_SUM`]; the moves of another board mean nothing.
    #[must_use]
    pub const fn from_cells(cells: u64) -> Self {
        Self { cells, top: 0 }
    }

    /// The sixteen 4-bit codes; code 15 stands for 32768 and for 65536.
    #[inline]
    #[must_use]
    pub const fn cells(self) -> u64 {
        self.cells
    }

    /// One bit for the cell that holds 65536, or 0.
    #[inline]
    #[must_use]
    pub const fn top(self) -> u16 {
        self.top
    }

    fn from_codes(codes: &[u8; 16]) -> Self {
        let mut board = Self::default();
        for (cell, &code) in codes.iter().enumerate() {
            board.cells |= u64::from(code.min(15)) << (4 * cell);
            board.top |= u16::from(code == TOP_CODE) << cell;
        }
        board
    }

    fn codes(self) -> [u8; 16] {
        core::array::from_fn(|cell| self.code(cell))
    }

    /// The code of one cell: 0 for empty, k for the tile 2^k, 16 for 65536.
    ///
    /// # Panics
    /// May panic if `cell` is not below 16.
    #[inline]
    #[must_use]
    pub const fn code(self, cell: usize) -> u8 {
        (self.cells >> (4 * cell) & NIBBLE) as u8 + (self.top >> cell & 1) as u8
    }

    /// A mask with the lowest bit of every empty cell's four bits set.
    #[inline]
    #[must_use]
    pub const fn empty_mask(self) -> u64 {
        let used = self.cells | self.cells >> 1;
        let used = used | used >> 2;
        !used & EACH_CELL
    }

    /// Number of empty cells.
    #[inline]
    #[must_use]
    pub const fn count_empty(self) -> u32 {
        self.empty_mask().count_ones()
    }

    /// The indices of the empty cells, in reading order.
    #[inline]
    pub fn empty_cells(self) -> impl Iterator<Item = usize> {
        let mut mask = self.empty_mask();
        core::iter::from_fn(move || {
            (mask != 0).then(|| {
                let cell = mask.trailing_zeros() as usize / 4;
                mask &= mask - 1;
                cell
            })
        })
    }

    /// This board with a new 2 in a cell that is empty; in a cell that is not, the result means nothing.
    #[inline]
    #[must_use]
    pub const fn with_two(self, cell: usize) -> Self {
        Self { cells: self.cells | 1 << (4 * cell), top: self.top }
    }

    /// The sum of all tiles.
    #[must_use]
    pub fn sum(self) -> i64 {
        let tile = |code: u8| if code == 0 { 0 } else { 1_i64 << code };
        self.codes().into_iter().map(tile).sum()
    }

    /// This board after a move, without a new tile; the board itself if the move changes nothing.
    #[inline]
    #[must_use]
    pub fn moved(self, direction: Direction) -> Self {
        let largest = full_codes(self.cells);
        if self.top == 0 && largest & largest.wrapping_sub(1) != 0 {
            return self.moved_cell_by_cell(direction);
        }
        let cells = slid(self.cells, direction);
        if self.top == 0 {
            return Self { cells, top: 0 };
        }
        let moved = full_codes(cells);
        if moved.count_ones() != largest.count_ones() {
            return self.moved_cell_by_cell(direction);
        }
        // 65536 and 32768 cannot combine and cannot pass each other: the first of them along the lines stays the first.
        let [first, second] = ends_along(direction, moved);
        let top = if ends_along(direction, largest)[0] == self.top { first } else { second };
        Self { cells, top }
    }

    /// The rare boards with several 32768s, or where a 32768 comes to a 65536.
    #[cold]
    fn moved_cell_by_cell(self, direction: Direction) -> Self {
        let codes = self.codes();
        let mut moved = [0; 16];
        for line in 0..4 {
            let cell = |place: usize| match direction {
                Direction::Up => place * 4 + line,
                Direction::Down => (3 - place) * 4 + line,
                Direction::Left => line * 4 + place,
                Direction::Right => line * 4 + 3 - place,
            };
            let shifted = shifted_codes(core::array::from_fn(|place| codes[cell(place)]), TOP_CODE);
            for (place, code) in shifted.into_iter().enumerate() {
                moved[cell(place)] = code;
            }
        }
        Self::from_codes(&moved)
    }

    /// Whether a move in this direction changes anything.
    #[inline]
    #[must_use]
    pub fn can_move(self, direction: Direction) -> bool {
        self.moved(direction) != self
    }

    /// The directions that change something, with the board after each.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = (Direction, Self)> {
        let moved = move |direction| (direction, self.moved(direction));
        Direction::ALL.into_iter().map(moved).filter(move |&(_, after)| after != self)
    }

    /// The boards after the moves that change something, in the order of [`moves`](Self::moves), and how many there are.
    #[inline]
    #[must_use]
    pub fn afterstates(self) -> ([Self; 4], usize) {
        let mut afters = [Self::default(); 4];
        let mut legal = 0;
        for (_, after) in self.moves() {
            afters[legal] = after;
            legal += 1;
        }
        (afters, legal)
    }

    /// Whether no direction changes anything.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.moves().next().is_none()
    }

    /// This board mirrored on the diagonal: rows become columns.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        self.map_cells(transposed, |cell| cell % 4 * 4 + cell / 4)
    }

    /// This board with left and right exchanged.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Self {
        self.map_cells(mirrored, |cell| cell / 4 * 4 + 3 - cell % 4)
    }

    fn map_cells(self, cells: impl Fn(u64) -> u64, place: impl Fn(u32) -> u32) -> Self {
        let top = match self.top {
            0 => 0,
            top => 1 << place(top.trailing_zeros()),
        };
        Self { cells: cells(self.cells), top }
    }

    /// The eight boards that the symmetries of the square make of this one, itself first.
    #[must_use]
    pub fn symmetries(self) -> [Self; 8] {
        let mut boards = [self; 8];
        for i in 1..8 {
            boards[i] = if i % 2 == 1 { boards[i - 1].mirrored() } else { boards[i - 1].transposed() };
        }
        boards
    }

    /// The least of the eight symmetric boards: the same for all of them.
    #[must_use]
    pub fn canonical(self) -> Self {
        self.symmetries().into_iter().min().unwrap_or(self)
    }
}

/// The lowest bit of every cell that holds code 15.
#[inline]
const fn full_codes(cells: u64) -> u64 {
    let full = cells & cells >> 1;
    full & full >> 2 & EACH_CELL
}

/// The first and the last of some cells, in the order of the lines of this direction: rows, or columns. `cells` has the
/// lowest bit of each set, and is not 0; the answer has one bit per cell.
#[inline]
fn ends_along(direction: Direction, cells: u64) -> [u16; 2] {
    match direction {
        Direction::Left | Direction::Right => {
            [cells.trailing_zeros(), 63 - cells.leading_zeros()].map(|bit| 1 << (bit / 4))
        }
        Direction::Up | Direction::Down => {
            let columns = transposed(cells);
            let ends = [columns.trailing_zeros(), 63 - columns.leading_zeros()].map(|bit| bit / 4);
            ends.map(|cell| 1 << (cell % 4 * 4 + cell / 4))
        }
    }
}

/// Pull, combine, pull again on four codes; codes from `highest` on do not combine.
const fn shifted_codes(line: [u8; 4], highest: u8) -> [u8; 4] {
    let mut shifted = [0; 4];
    let mut free = 0;
    let mut waiting = 0;
    let mut place = 0;
    while place < 4 {
        let code = line[place];
        if code != 0 && code == waiting && code < highest {
            shifted[free - 1] = code + 1;
            waiting = 0;
        } else if code != 0 {
            shifted[free] = code;
            free += 1;
            waiting = code;
        }
        place += 1;
    }
    shifted
}

/// Every row of four codes moved towards its lowest place. Two codes 15 do not combine here: the boards where they
/// might are moved cell by cell.
#[allow(long_running_const_eval, reason = "65536 rows, once")]
static MOVED_LEFT: [u16; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut row = 0_usize;
    while row < table.len() {
        table[row] = packed(shifted_codes(unpacked(row), 15));
        row += 1;
    }
    table
};

/// The same towards the highest place.
#[allow(long_running_const_eval, reason = "65536 rows, once")]
static MOVED_RIGHT: [u16; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut row = 0_usize;
    while row < table.len() {
        let [a, b, c, d] = unpacked(row);
        let [a, b, c, d] = shifted_codes([d, c, b, a], 15);
        table[row] = packed([d, c, b, a]);
        row += 1;
    }
    table
};

const fn unpacked(row: usize) -> [u8; 4] {
    [(row & 15) as u8, (row >> 4 & 15) as u8, (row >> 8 & 15) as u8, (row >> 12 & 15) as u8]
}

const fn packed(row: [u8; 4]) -> u16 {
    row[0] as u16 | (row[1] as u16) << 4 | (row[2] as u16) << 8 | (row[3] as u16) << 12
}

/// Packed cells after a move, where nothing above 16384 combines.
#[inline]
pub(crate) fn slid(cells: u64, direction: Direction) -> u64 {
    match direction {
        Direction::Up => transposed(moved_left(transposed(cells))),
        Direction::Down => transposed(moved_right(transposed(cells))),
        Direction::Left => moved_left(cells),
        Direction::Right => moved_right(cells),
    }
}

#[inline]
fn moved_left(cells: u64) -> u64 {
    each_row(cells, &MOVED_LEFT)
}

#[inline]
fn moved_right(cells: u64) -> u64 {
    each_row(cells, &MOVED_RIGHT)
}

#[inline]
fn each_row(cells: u64, table: &[u16; 1 << 16]) -> u64 {
    let row = |shift: u32| u64::from(table[(cells >> shift) as u16 as usize]) << shift;
    row(0) | row(16) | row(32) | row(48)
}
