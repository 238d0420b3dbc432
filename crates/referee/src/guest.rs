//! The player's side of a question: a board in, a direction out, and what the function did to the memory around it.

use std::ffi::{c_int, c_void};
use std::ptr;

use anyhow::Result;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};

use crate::sandbox::inmate::Guest;

/// Ints in the page that the board lies in, and the index of the board's first cell.
const PAGE_INTS: usize = 1024;
const BOARD_AT: usize = 480;

type Function = unsafe extern "C" fn(*mut [c_int; 4]) -> c_int;

/// The bytes of a question: sixteen tiles.
pub const QUESTION: usize = 64;

/// The bytes of an answer: the value returned, whether the board was changed, and what was changed outside of it.
pub const ANSWER: usize = 12;

/// Offset that stands for "nothing outside changed".
const NOTHING: i32 = i32::MIN;

/// What the function answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub value: i32,
    pub modified: bool,
    /// The index of the int outside the board that changed, counted from the board's first cell.
    pub outside: Option<i32>,
}

/// A board as a question.
pub fn question(board: &[i32; 16]) -> [u8; QUESTION] {
    let mut bytes = [0; QUESTION];
    for (place, tile) in bytes.chunks_exact_mut(4).zip(board) {
        place.copy_from_slice(&tile.to_ne_bytes());
    }
    bytes
}

fn board(question: &[u8; QUESTION]) -> [i32; 16] {
    let (tiles, _) = question.as_chunks::<4>();
    std::array::from_fn(|cell| i32::from_ne_bytes(tiles[cell]))
}

impl Answer {
    fn to_bytes(self) -> [u8; ANSWER] {
        let mut bytes = [0; ANSWER];
        bytes[0..4].copy_from_slice(&self.value.to_ne_bytes());
        bytes[4..8].copy_from_slice(&u32::from(self.modified).to_ne_bytes());
        bytes[8..].copy_from_slice(&self.outside.unwrap_or(NOTHING).to_ne_bytes());
        bytes
    }

    /// The answer in these bytes; `None` for anything that is not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; ANSWER] = bytes.try_into().ok()?;
        let (ints, _) = bytes.as_chunks::<4>();
        let [value, modified, outside] = [ints[0], ints[1], ints[2]].map(i32::from_ne_bytes);
        Some(Self { value, modified: modified != 0, outside: Some(outside).filter(|&offset| offset != NOTHING) })
    }
}

/// A submission's function and the page that its boards lie in.
pub struct Seated {
    function: Function,
    page: BoardPage,
}

/// Takes the function at this address for a player.
pub fn seat(address: *mut c_void, secret: u64) -> Result<Seated> {
    // SAFETY: the referee has checked the declaration; a lie here only harms this process.
    let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address) };
    Ok(Seated { function, page: BoardPage::new(secret)? })
}

impl Guest for Seated {
    #[inline(never)]
    fn answer(&self, question: &[u8], room: &mut [u8]) -> Option<usize> {
        let board = board(question.try_into().ok()?);
        let place = self.page.prepare(&board);
        // SAFETY: `place` points to 16 ints inside a page of this process's own.
        let value = unsafe { (self.function)(place) };
        let (modified, outside) = self.page.compare(&board);
        let answer = Answer { value, modified, outside }.to_bytes();
        room.get_mut(..ANSWER)?.copy_from_slice(&answer);
        Some(ANSWER)
    }
}

/// A page with the board in the middle, a pattern around it, and no memory before and after it.
struct BoardPage {
    ints: *mut c_int,
    pattern: Vec<c_int>,
}

impl BoardPage {
    fn new(secret: u64) -> Result<Self> {
        let page = rustix::param::page_size();
        // SAFETY: a fresh private mapping; its first and last page are then closed again.
        let ints = unsafe {
            let start = rustix::mm::mmap_anonymous(ptr::null_mut(), 3 * page, ProtFlags::empty(), MapFlags::PRIVATE)?;
            let middle = start.cast::<u8>().add(page);
            rustix::mm::mprotect(middle.cast(), page, MprotectFlags::READ | MprotectFlags::WRITE)?;
            middle.cast::<c_int>()
        };
        let mut word = secret | 1;
        let pattern = (0..PAGE_INTS).map(|_| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Odd and negative: no tile looks like this.
            ((word >> 33) as c_int) | c_int::MIN | 1
        });
        let page = Self { ints, pattern: pattern.collect() };
        page.refill();
        Ok(page)
    }

    fn refill(&self) {
        // SAFETY: the page holds PAGE_INTS ints, as many as the pattern.
        unsafe { ptr::copy_nonoverlapping(self.pattern.as_ptr(), self.ints, PAGE_INTS) };
    }

    fn prepare(&self, board: &[c_int; 16]) -> *mut [c_int; 4] {
        // SAFETY: the 16 ints from BOARD_AT on lie inside the page.
        unsafe {
            let place = self.ints.add(BOARD_AT);
            ptr::copy_nonoverlapping(board.as_ptr(), place, board.len());
            place.cast()
        }
    }

    /// Whether the board changed, and where the first change outside is, counted from the board's first cell.
    fn compare(&self, board: &[c_int; 16]) -> (bool, Option<i32>) {
        // SAFETY: the page holds PAGE_INTS ints, and nothing writes to it while this slice lives.
        let now = unsafe { std::slice::from_raw_parts(self.ints, PAGE_INTS) };
        let (before, rest) = now.split_at(BOARD_AT);
        let (middle, after) = rest.split_at(board.len());
        let modified = middle != board;
        let intact = before == &self.pattern[..BOARD_AT] && after == &self.pattern[BOARD_AT + board.len()..];
        if intact {
            return (modified, None);
        }
        // The change nearest to the board is the one that a student can make sense of.
        let changed = |&at: &usize| !(BOARD_AT..BOARD_AT + 16).contains(&at) && now[at] != self.pattern[at];
        let first = (0..PAGE_INTS).filter(changed).min_by_key(|&at| at.abs_diff(BOARD_AT + 8));
        self.refill();
        (modified, first.map(|at| at as i32 - BOARD_AT as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_answers_survive_the_packet() {
        let tiles = std::array::from_fn(|cell| cell as i32 - 8);
        assert_eq!(board(&question(&tiles)), tiles);
        for outside in [None, Some(-4)] {
            let answer = Answer { value: -3, modified: true, outside };
            assert_eq!(Answer::from_bytes(&answer.to_bytes()), Some(answer));
        }
        assert_eq!(Answer::from_bytes(&[0; ANSWER - 1]), None);
    }
}
