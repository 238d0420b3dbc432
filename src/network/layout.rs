//! What weights of a *layout* see of a board: where its largest tiles stand, and what lies in a window beside them.
//!
//! In the last thousand points before a fill the chain of the largest tiles, 32768 down to 256, does nothing but stand in
//! the way, each of its tiles once. Here these are *walls*, all alike, and which cells they stand on is the layout. A
//! six-cell tuple sees a layout through six cells, and its weights have to agree for all layouts; a *window* is a
//! rectangle of cells with weights of its own for every layout. Once a tile of the chain is there twice, the chain is about
//! to fall together, and all tiles are seen as they are.
//!
//! A board is turned to the first of its eight symmetries: by where the walls stand, then by the other tiles.

use super::walls::codes;
use crate::bitboard::EACH_CELL;
use crate::symmetry::symmetries;

/// The first sum whose boards are seen like this: 1024 points before 65536.
pub const FROM: u32 = 64_512;

/// The first sum behind these: 164 points after 65536.
pub const TO: u32 = 65_700;

/// Weights of one board: one for its layout alone, and one for every window.
pub const WINDOWS: usize = 23;

/// Bits of the key of a weight.
pub const KEY_BITS: u32 = 27;

/// So many points have weights of their own.
const STAGE: u32 = 64;

/// The code of the smallest tile that may be a wall, 256.
const SMALLEST_WALL: usize = 8;

/// Boards whose chain ends above this code, that of 2048, are not seen like this, unless it falls together.
const SHORTEST_CHAIN: usize = 11;

/// A wall, as it is seen: no other tile of such a board is seen as 32768.
const WALL: u64 = 15;

/// The chance that a board is taken to have, before anything is learned, once the chain is about to fall together.
const FALLING: f32 = 0.95;

/// What keeps the number that a layout's keys are made of from being small.
const SALT: u64 = 0x5555_0000_0000;

/// The cells of all windows as masks over a packed board; the first has none.
const MASKS: [u64; WINDOWS] = masks();

const fn masks() -> [u64; WINDOWS] {
    const SIZES: [[usize; 2]; 5] = [[2, 3], [3, 2], [2, 4], [4, 2], [3, 3]];
    let mut masks = [0; WINDOWS];
    let (mut count, mut size) = (1, 0);
    while size < SIZES.len() {
        let [height, width] = SIZES[size];
        let mut corner = 0;
        while corner < 16 {
            if corner / 4 + height <= 4 && corner % 4 + width <= 4 {
                let mut cell = 0;
                while cell < height * width {
                    masks[count] |= 0xf << (4 * (corner + 4 * (cell / width) + cell % width));
                    cell += 1;
                }
                count += 1;
            }
            corner += 1;
        }
        size += 1;
    }
    masks
}

/// The weights of an afterstate, and the chance that they are added to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keys {
    /// The keys of its weights, each below 2^[`KEY_BITS`].
    pub keys: [u32; WINDOWS],
    /// The chance to come through the fill where all weights are 0.
    pub base: f32,
}

impl Default for Keys {
    fn default() -> Self {
        Self { keys: [0; WINDOWS], base: 0.0 }
    }
}

/// The keys of the packed cells of an afterstate without a 65536, whose tiles add up to `sum`. `None` if it is not seen
/// like this.
#[inline]
#[must_use]
pub fn keys(cells: u64, sum: u32) -> Option<Keys> {
    if !(FROM..TO).contains(&sum) {
        return None;
    }
    let Chain { last, is_falling } = chain(cells)?;
    let seen = if is_falling { cells } else { with_walls(cells, last) };
    let mut views = symmetries(seen).into_iter();
    let first = views.next().unwrap_or(seen);
    let (layout, board) = views.map(|view| (walls(view), view)).fold((walls(first), first), Ord::min);
    let stage = u64::from((sum - FROM) / STAGE);
    let kind = u64::from(is_falling) << 7 ^ (last as u64) << 9 ^ stage << 1;
    let seed = mixed(layout.wrapping_mul(31) ^ kind ^ SALT);
    let mut keys = [0; WINDOWS];
    for ((number, key), mask) in (0_u32..).zip(&mut keys).zip(MASKS) {
        let window = mixed(board & mask ^ seed.rotate_left(2 * number + 1) ^ u64::from(number));
        *key = (window >> (64 - KEY_BITS)) as u32;
    }
    Some(Keys { keys, base: if is_falling { FALLING } else { 0.0 } })
}

/// The unbroken chain of tiles from 32768 down, at most to 256.
struct Chain {
    /// The code of its last tile.
    last: usize,
    /// Whether one of its tiles is there twice.
    is_falling: bool,
}

/// `None` if there is none, or it ends early and does not fall together.
#[inline]
fn chain(cells: u64) -> Option<Chain> {
    let [once, twice] = codes(cells);
    let length = once.leading_ones() as usize;
    let last = (16 - length).max(SMALLEST_WALL);
    let is_falling = u32::from(twice) >> last != 0;
    (last <= SHORTEST_CHAIN || is_falling).then_some(Chain { last, is_falling })
}

/// The packed cells with every tile from this code on seen as a wall.
#[inline]
fn with_walls(cells: u64, last: usize) -> u64 {
    (0..64).step_by(4).fold(0, |seen, shift| {
        let code = cells >> shift & 0xf;
        seen | (if code >= last as u64 { WALL } else { code }) << shift
    })
}

/// The lowest bit of every cell with a wall.
#[inline]
fn walls(cells: u64) -> u64 {
    cells & cells >> 1 & cells >> 2 & cells >> 3 & EACH_CELL
}

/// All bits of a number spread over all bits of another. Source of the constants: the finaliser of SplitMix64 (G. Steele, D.
/// Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
#[inline]
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::Bitboard;

    fn cells(rows: [[i32; 4]; 4]) -> (u64, u32) {
        let board = Bitboard::from_board(&rows).unwrap();
        (board.cells(), board.sum() as u32)
    }

    fn keys_of(rows: [[i32; 4]; 4]) -> Option<Keys> {
        let (cells, sum) = cells(rows);
        keys(cells, sum)
    }

    const SNAKE: [[i32; 4]; 4] = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [2, 8, 0, 64], [0, 2, 4, 8]];

    #[test]
    fn windows_are_the_layout_and_twenty_two_rectangles() {
        let sizes = MASKS.map(|mask| mask.count_ones() / 4);
        assert_eq!(sizes[0], 0);
        assert_eq!([6, 8, 9].map(|cells| sizes.iter().filter(|&&size| size == cells).count()), [12, 6, 4]);
        assert!((1..WINDOWS).all(|window| !MASKS[..window].contains(&MASKS[window])));
    }

    #[test]
    fn walls_are_alike_and_other_tiles_are_not() {
        let keys = keys_of(SNAKE).unwrap();
        let mut swapped = SNAKE;
        swapped[0].reverse();
        assert_eq!(keys_of(swapped), Some(keys), "another order of the walls");
        let mut other = SNAKE;
        other[3][3] = 2;
        other[3][0] = 8;
        let other = keys_of(other).unwrap();
        assert_ne!(other, keys);
        assert_eq!(other.keys[0], keys.keys[0], "the layout alone is the same");
        assert_eq!(keys.base, 0.0);
    }

    #[test]
    fn symmetries_have_the_same_weights() {
        let (cells, sum) = cells(SNAKE);
        for view in symmetries(cells) {
            assert_eq!(keys(view, sum), keys(cells, sum));
        }
    }

    #[test]
    fn a_chain_that_falls_is_seen_as_it_is() {
        let falling = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [256, 8, 0, 0], [0, 0, 4, 8]];
        let keys = keys_of(falling).unwrap();
        assert_eq!(keys.base, FALLING);
        let mut swapped = falling;
        swapped[0].swap(0, 1);
        assert_ne!(keys_of(swapped).unwrap(), keys);
        let later = [[32768, 16384, 8192, 4096], [4096, 16, 0, 0], [0; 4], [0; 4]];
        let (cells, _) = cells(later);
        assert_eq!(self::keys(cells, 65_560).unwrap().base, FALLING, "it is seen to its end");
    }

    #[test]
    fn other_boards_are_not_seen() {
        let early = [[32768, 16384, 8192, 4096], [256, 512, 1024, 0], [2, 8, 0, 64], [0, 2, 4, 8]];
        assert!(keys_of(early).is_none(), "a sum of {}", cells(early).1);
        let broken = [[32768, 16384, 8192, 2048], [2048, 512, 1024, 1024], [512, 256, 0, 0], [0; 4]];
        assert_eq!(cells(broken).1, 64_512 + 256);
        assert!(keys_of(broken).is_none(), "there is no 4096");
        assert!(keys(SNAKE_WITHOUT_2048, FROM).is_none());
        assert!(keys(0, FROM).is_none());
        assert!(keys(u64::MAX, TO).is_none());
    }

    const SNAKE_WITHOUT_2048: u64 = 0xfedc_a987_1234_5670;

    /// The chain in words: from 32768 down while the next smaller tile is there.
    fn chain_by_hand(cells: u64) -> Option<(usize, bool)> {
        let count = |code: u64| (0..16).filter(|cell| cells >> (4 * cell) & 0xf == code).count();
        let chain: Vec<u64> = (8..16).rev().take_while(|&code| count(code) > 0).collect();
        let last = *chain.last()?;
        let is_falling = chain.iter().any(|&code| count(code) > 1);
        (last <= 11 || is_falling).then_some((last as usize, is_falling))
    }

    proptest::proptest! {
        #[test]
        fn the_chain_is_found(codes in proptest::array::uniform16(0_u64..16), chained in 0_usize..10) {
            let mut codes = codes;
            for (code, place) in (6..16).rev().zip(0..chained) {
                codes[place] = code;
            }
            let cells = codes.iter().fold(0, |cells, code| cells << 4 | code);
            let found = chain(cells).map(|Chain { last, is_falling }| (last, is_falling));
            proptest::prop_assert_eq!(found, chain_by_hand(cells));
        }

        #[test]
        fn keys_are_in_range(cells: u64, sum in FROM..TO) {
            if let Some(found) = keys(cells, sum) {
                proptest::prop_assert!(found.keys.iter().all(|key| key >> KEY_BITS == 0));
            }
        }
    }
}
