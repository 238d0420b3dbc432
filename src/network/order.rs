//! The largest tiles of a board behind some fills, from 65536 down. They never combine again, so any order of them plays like
//! any other, and each can be put into the one that a network or a tablebase knows.

use crate::bitboard::Bitboard;

/// The cells of a snake from a corner, row by row.
const SNAKE: [usize; 16] = [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12];

/// Its eight views.
const SNAKES: [[usize; 16]; 8] = snakes();

const fn snakes() -> [[usize; 16]; 8] {
    let mut all = [[0; 16]; 8];
    let mut view = 0;
    while view < 8 {
        let mut index = 0;
        while index < 16 {
            let (mut row, mut col) = (SNAKE[index] / 4, SNAKE[index] % 4);
            if view & 1 != 0 {
                (row, col) = (col, row);
            }
            if view & 2 != 0 {
                row = 3 - row;
            }
            if view & 4 != 0 {
                col = 3 - col;
            }
            all[view][index] = 4 * row + col;
            index += 1;
        }
        view += 1;
    }
    all
}

/// Most largest tiles whose orders are tried.
const MAX_TRIED: usize = 6;

/// The packed cells with their `count` largest tiles in descending order along the snake, if they fill its first cells in one of
/// the eight views. Where they do so in two views, as a full line does, it is the one in which the largest of the other tiles
/// comes sooner. `None` if they lie scattered, or are not those of a game, 15 and the codes below it once each.
#[inline]
pub fn in_order(cells: u64, count: usize) -> Option<u64> {
    if count < 2 {
        return Some(cells);
    }
    let places = largest(cells, count)?;
    let fits = |snake: &&[usize; 16]| snake[..count].iter().all(|cell| places >> cell & 1 == 1);
    let code = |&cell: &usize| Bitboard::from_cells(cells).code(cell);
    let next = |snake: &&[usize; 16]| {
        let largest = snake[count..].iter().map(code).max();
        snake[count..].iter().position(|cell| Some(code(cell)) == largest)
    };
    let snake = SNAKES.iter().filter(fits).min_by_key(next)?;
    Some(snake[..count].iter().zip((0..16).rev()).fold(cells, with))
}

/// The packed cells as they are, and then, if there are not too many of its `count` largest tiles, with these in every other order.
pub fn orders(cells: u64, count: usize) -> impl Iterator<Item = u64> {
    let places = largest(cells, count).filter(|_| count <= MAX_TRIED).unwrap_or(0);
    let places = (0..16).filter(|cell| places >> cell & 1 == 1).collect::<Vec<usize>>();
    let others = (1..=places.len()).product();
    std::iter::once(cells).chain((0..others).filter_map(move |mut number: usize| {
        let mut codes: Vec<u64> = (16 - places.len() as u64..16).collect();
        let order = places.iter().map(|cell| {
            let code = codes.remove(number % codes.len());
            number /= codes.len() + 1;
            (cell, code)
        });
        let ordered = order.fold(cells, with);
        (ordered != cells).then_some(ordered)
    }))
}

/// The cells of the `count` largest tiles, a bit for each. `None` if they are not 15 and the codes below it, once each.
#[inline]
fn largest(cells: u64, count: usize) -> Option<u16> {
    let least = 16_u8.checked_sub(u8::try_from(count).ok()?).filter(|&least| least > 0)?;
    let (mut places, mut codes) = (0_u16, 0_u16);
    for cell in 0..16 {
        let code = Bitboard::from_cells(cells).code(cell);
        if code >= least {
            places |= 1 << cell;
            codes |= 1 << code;
        }
    }
    ([places, codes].map(|bits| bits.count_ones() as usize) == [count; 2]).then_some(places)
}

/// The packed cells with this code in this cell.
#[inline]
fn with(cells: u64, (&cell, code): (&usize, u64)) -> u64 {
    cells & !(0xf << (4 * cell)) | code << (4 * cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(rows: [[i32; 4]; 4]) -> u64 {
        Bitboard::from_board(&rows).unwrap().cells()
    }

    #[test]
    fn the_largest_tiles_are_put_in_order_along_the_snake() {
        let cases = [
            (
                2,
                [[16384, 0, 0, 2], [32768, 4, 0, 0], [0; 4], [0; 4]],
                [[32768, 0, 0, 2], [16384, 4, 0, 0], [0; 4], [0; 4]],
            ),
            (
                4,
                [[4096, 32768, 8192, 16384], [2, 4, 0, 512], [0; 4], [0; 4]],
                [[32768, 16384, 8192, 4096], [2, 4, 0, 512], [0; 4], [0; 4]],
            ),
            (
                4,
                [[4096, 32768, 8192, 16384], [512, 4, 0, 2], [0; 4], [0; 4]],
                [[4096, 8192, 16384, 32768], [512, 4, 0, 2], [0; 4], [0; 4]],
            ),
            (
                5,
                [[0; 4], [0, 0, 2, 4], [2048, 0, 8, 8], [32768, 16384, 4096, 8192]],
                [[0; 4], [0, 0, 2, 4], [2048, 0, 8, 8], [4096, 8192, 16384, 32768]],
            ),
        ];
        for (count, rows, ordered) in cases {
            assert_eq!(in_order(packed(rows), count), Some(packed(ordered)), "{rows:?}");
        }
    }

    #[test]
    fn elsewhere_they_lie_scattered() {
        let aside = packed([[32768, 16384, 8192, 0], [0, 4096, 0, 0], [2, 0, 0, 0], [0; 4]]);
        assert_eq!([2, 3].map(|count| in_order(aside, count)), [Some(aside); 2]);
        assert_eq!(in_order(aside, 4), None);
        let twice = packed([[32768, 16384, 16384, 8192], [0; 4], [0; 4], [0; 4]]);
        assert_eq!([3, 4, 15, 16, 17].map(|count| in_order(twice, count)), [None; 5]);
    }

    #[test]
    fn every_order_comes_once() {
        let cells = packed([[32768, 16384, 2, 0], [0, 4096, 0, 0], [2, 0, 8192, 0], [4, 0, 0, 0]]);
        let mut all: Vec<u64> = orders(cells, 4).collect();
        assert_eq!((all.len(), all[0]), (24, cells));
        let rest = packed([[0, 0, 2, 0], [0; 4], [2, 0, 0, 0], [4, 0, 0, 0]]);
        assert!(all.iter().all(|cells| largest(*cells, 4) == largest(all[0], 4)));
        assert!(all.iter().all(|cells| in_order(*cells, 4).is_none() && cells & rest == rest));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 24);
        for count in [0, 1, 7, 16] {
            assert_eq!(orders(cells, count).collect::<Vec<u64>>(), [cells], "{count}");
        }
    }
}
