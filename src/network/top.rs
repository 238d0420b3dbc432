//! Boards with a 65536, seen as the boards one size smaller that they play like.

use super::order::in_order;
use crate::bitboard::Bitboard;

/// From this sum on, the stages of a network are for boards whose largest tiles lie scattered: behind two fills or more, up to
/// half of the way to the next one, the tiles from 65536 down, which never combine again, lie elsewhere than along a snake
/// from a corner. Such a board is looked up by its own sum, 131072 added, and with these tiles alike.
pub const SCATTERED: u32 = 131_072;

/// The packed cells and the sum that a network values an afterstate by, before stages see its
/// [largest tiles alike](crate::network::Shape::with_walls_from).
///
/// A board with a 65536 is valued as the board that has every tile above its largest missing tile halved: it has the
/// same structure, and the network knows it. While a chain behind a later fill still falls together, the sum is the
/// board's own, from 98304 on: what follows is worth less than behind the first fill, so a stage tells them apart (and
/// [`scale`] one later fill from another). Tiles that never combine again, 65536 and those behind later fills, are put in
/// descending order where they lie along a snake from a corner; where they do not, a network with a stage for
/// [scattered](SCATTERED) ones, the first from `scattered_from` on, looks the board up there.
///
/// ```
/// # use estr2048::{Bitboard, network::{SCATTERED, known}};
/// # fn sum(board: [[i32; 4]; 4]) -> u32 {
/// # let after = Bitboard::from_board(&board).unwrap();
/// # known(after, after.sum() as u32, Some(SCATTERED)).1
/// # }
/// assert_eq!(sum([[65536, 32768, 2048, 64], [0; 4], [0; 4], [0; 4]]), 32768 + 16384 + 2048 + 64);
/// assert_eq!(sum([[65536, 16384, 16384, 2], [0; 4], [0; 4], [0; 4]]), 98306);
/// assert_eq!(sum([[65536, 0, 32768, 64], [0; 4], [0; 4], [0; 4]]), SCATTERED + 98304 + 64);
/// ```
#[inline]
#[must_use]
pub fn known(after: Bitboard, sum: u32, scattered_from: Option<u32>) -> (u64, u32) {
    if after.top() == 0 {
        return (after.cells(), sum);
    }
    let (halved, tops) = (downgraded(after), tops(after));
    let halved_sum = halved.sum() as u32;
    let ordered = in_order(halved.cells(), tops);
    let scattered_sum = SCATTERED + sum;
    // Half of the way to the next fill fifteen cells are needed, and the order can no longer be changed.
    let half_way = 65536 - (32768_u32 >> tops);
    if ordered.is_none() && halved_sum < half_way && scattered_from.is_some_and(|from| from <= scattered_sum) {
        return (alike(after, tops), scattered_sum);
    }
    (ordered.unwrap_or(halved.cells()), if halved_sum < 65536 { halved_sum } else { sum })
}

/// The packed cells with the `tops` largest tiles as one, which is none of the others.
pub(super) fn alike(board: Bitboard, tops: usize) -> u64 {
    (0..16).fold(0, |cells, cell| {
        let code = board.code(cell);
        cells | u64::from(if usize::from(code) + tops > 16 { 15 } else { code }) << (4 * cell)
    })
}

/// What a [`known`] sum's weights count: 1 up to 114687, then half as much from fill to fill; 1 where the largest tiles lie
/// [scattered](SCATTERED).
///
/// A chain that falls together looks alike behind every later fill, so one stage can serve several of them: its weights are
/// learned as if behind 98304; what is left from a fill to 131070, and so what the board is worth, is halved each time.
///
/// ```
/// # use estr2048::network::scale;
/// assert_eq!([65_600, 98_310, 114_690, 122_890, 262_000].map(scale), [1.0, 1.0, 0.5, 0.25, 1.0]);
/// ```
#[inline]
#[must_use]
pub fn scale(known_sum: u32) -> f32 {
    if !(114_688..SCATTERED).contains(&known_sum) {
        return 1.0;
    }
    let fills = (known_sum << 15).leading_ones();
    1.0 / (1_u32 << fills.saturating_sub(2)) as f32
}

/// How many fills a board has come through: the tiles from 65536 down to where the chain is first broken.
#[inline]
#[must_use]
pub fn tops(board: Bitboard) -> usize {
    if board.top() == 0 {
        return 0;
    }
    (present(board) << 15).leading_ones() as usize
}

/// How many tiles from 32768 down a board without a 65536 holds without a gap.
pub(super) fn standing(board: Bitboard) -> usize {
    (present(board) << 16).leading_ones() as usize
}

/// The board with every tile above its largest missing tile halved, once; the board itself if no tile below its
/// largest one is missing.
///
/// The largest missing tile is where the chain of tiles is broken: what lies above it does not take part in the game
/// before that gap is filled, so the board plays the same one size smaller.
#[must_use]
pub fn downgraded(board: Bitboard) -> Bitboard {
    let present = present(board);
    let largest = present.ilog2();
    let Some(missing) = (1..largest).rev().find(|&code| present >> code & 1 == 0) else {
        return board;
    };
    let cells = (0..16).fold(0_u64, |cells, cell| {
        let code = u64::from(board.code(cell));
        // A 65536 has at least one tile missing below it unless the game is at its very end.
        cells | (code - u64::from(code > u64::from(missing))).min(15) << (4 * cell)
    });
    Bitboard::from_cells(cells)
}

/// The board behind so many fills that [downgraded] once is this one: its tiles from 65536 >> `fills` on doubled. `None` if
/// there is no such board: a tile would be larger than 65536.
///
/// ```
/// # use estr2048::{Bitboard, network::{downgraded, upgraded}};
/// let board = |row| Bitboard::from_board(&[row, [2, 4, 8, 0], [0; 4], [0; 4]]).unwrap();
/// let (before, behind) = (board([32768, 16384, 8192, 64]), board([65536, 16384, 8192, 64]));
/// assert_eq!(upgraded(before, 1), Some(behind));
/// assert_eq!(downgraded(behind), before);
/// ```
#[must_use]
pub fn upgraded(board: Bitboard, fills: u32) -> Option<Bitboard> {
    let first = 65536_i32.unbounded_shr(fills).max(2);
    let tiles = board.to_board().map(|row| row.map(|tile| tile << u32::from(tile >= first)));
    Bitboard::from_board(&tiles)
}

/// The codes of a board's cells, a bit for each.
#[inline]
fn present(board: Bitboard) -> u32 {
    (0..16).fold(0, |present, cell| present | 1 << board.code(cell))
}
