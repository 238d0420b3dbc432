//! Late boards seen with their largest tiles alike.
//!
//! Before a fill the largest tiles do nothing but stand in the way: no two of them are equal until the chain falls
//! together. Which is which does not matter before that, only where they stand. So in its last stages a network may see
//! them as one tile, a *wall*, and knows all orders of a layout by one of them. From 64512 on, which is 32768, 16384 and so on
//! down to 1024, these are the tiles from 1024 on, from 63488 on those from 2048 on, from 61440 on those from 4096 on.

use crate::bitboard::EACH_CELL;

/// The code of the smallest walls that there are, 1024.
const WALL: u8 = 10;

/// The tile that is made twice when the chain begins to fall together is seen as 256, and the one above it as 512.
const DOUBLE: u8 = 8;

/// The packed cells with all walls seen as the smallest one of that sum.
///
/// With a sum of 65536 or more the chain falls together: its largest double tile moves from 256 up, and is seen as 256
/// all the way, the tile above it as 512, and all others from 256 on as walls.
#[inline]
pub fn alike(cells: u64, sum: u32) -> u64 {
    if sum < 65536 {
        return with_walls(cells, smallest(sum));
    }
    let double = largest_double(cells);
    if double <= DOUBLE {
        return with_walls(cells, WALL);
    }
    (0..16).fold(0, |seen, cell| {
        let code = (cells >> (4 * cell) & 0xf) as u8;
        let code = match code {
            ..DOUBLE => code,
            _ if code == double => DOUBLE,
            _ if code == double + 1 => DOUBLE + 1,
            _ => WALL,
        };
        seen | u64::from(code) << (4 * cell)
    })
}

/// The code of the smallest wall before 65536: with it the walls, one of each, come to no more than the sum.
#[inline]
fn smallest(sum: u32) -> u8 {
    let missing = 65536 - sum;
    (missing.next_power_of_two().trailing_zeros() as u8).clamp(WALL, 15)
}

/// The packed cells with all tiles from this code on seen as it, which is 8 or more.
#[inline]
fn with_walls(cells: u64, wall: u8) -> u64 {
    // Of a code of 8 or more, the lower three bits carry over when what the wall lacks to 16 is added.
    let carried = (cells & (7 * EACH_CELL)) + u64::from(16 - wall) * EACH_CELL;
    let walls = (cells & carried) >> 3 & EACH_CELL;
    cells & !(walls * 0xf) | (walls * u64::from(wall))
}

/// The largest code that two cells hold, or 0.
fn largest_double(cells: u64) -> u8 {
    let [_, twice] = codes(cells);
    // Empty cells are no tile.
    (twice & !1).checked_ilog2().unwrap_or(0) as u8
}

/// The codes that a cell holds, and those that two cells do, a bit for each.
#[inline]
pub fn codes(cells: u64) -> [u16; 2] {
    let (mut once, mut twice) = (0_u16, 0_u16);
    for cell in 0..16 {
        let bit = 1 << (cells >> (4 * cell) & 0xf);
        twice |= once & bit;
        once |= bit;
    }
    [once, twice]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, cell by cell, from the words of the documentation.
    fn by_hand(codes: [u8; 16], sum: u32) -> [u8; 16] {
        let double = (1..16).rev().find(|&code| codes.iter().filter(|&&other| other == code).count() > 1);
        let double = double.filter(|&double| sum >= 65536 && double >= 8).unwrap_or(8);
        if sum < 64512 {
            let wall = (10..16).find(|&wall| (wall..16).map(|code| 1 << code).sum::<u32>() <= sum).unwrap_or(15);
            return codes.map(|code| code.min(wall));
        }
        codes.map(|code| match code {
            0..8 => code,
            _ if code == double => 8,
            _ if code == double + 1 => 9,
            _ => 10,
        })
    }

    fn packed(codes: [u8; 16]) -> u64 {
        codes.iter().rev().fold(0, |cells, &code| cells << 4 | u64::from(code))
    }

    #[test]
    fn walls_are_alike() {
        let before = [15, 14, 13, 12, 8, 9, 10, 11, 7, 6, 5, 4, 1, 2, 3, 0];
        let seen = [10, 10, 10, 10, 8, 9, 10, 10, 7, 6, 5, 4, 1, 2, 3, 0];
        assert_eq!(alike(packed(before), 65_534), packed(seen));
        assert_eq!(by_hand(before, 65_534), seen);
        let five = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 1, 0, 0, 0];
        let seen = [11, 11, 11, 11, 11, 10, 9, 8, 7, 6, 5, 4, 1, 0, 0, 0];
        assert_eq!(alike(packed(five), 64_510), packed(seen), "1024 is about to be made twice");
        let three = [15, 14, 13, 12, 11, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(alike(packed(three), 57_344), packed([13, 13, 13, 12, 11, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        let falling = [15, 14, 13, 12, 0, 11, 10, 10, 8, 1, 1, 0, 0, 0, 0, 0];
        let seen = [10, 10, 10, 10, 0, 9, 8, 8, 10, 1, 1, 0, 0, 0, 0, 0];
        assert_eq!(alike(packed(falling), 65_540), packed(seen));
    }

    proptest::proptest! {
        #[test]
        fn as_by_hand(codes in proptest::array::uniform16(0_u8..16), sum in 0_u32..131_072) {
            proptest::prop_assert_eq!(alike(packed(codes), sum), packed(by_hand(codes, sum)));
        }
    }
}
