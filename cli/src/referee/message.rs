//! The packets between the referee and a cell.
//!
//! Every packet carries the cookie of the game and the number of the move. A packet that a submission writes to all
//! descriptors that it finds is a packet of its own, has neither, and so betrays itself.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::isolation::Level;

/// The longest packet that a cell may send.
pub const MAX_PACKET: usize = 512;

/// The signal by which an inmate dies that has lost the channel: one that hardly any program sends itself.
pub const CHANNEL_LOST: i32 = libc::SIGIO;

const HEADER: usize = 16;

/// A board to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub cookie: u64,
    pub number: u32,
    pub board: [i32; 16],
}

impl Request {
    pub const SIZE: usize = HEADER + 64;

    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.cookie.to_ne_bytes());
        bytes[8..12].copy_from_slice(&self.number.to_ne_bytes());
        for (place, tile) in bytes[HEADER..].chunks_exact_mut(4).zip(self.board) {
            place.copy_from_slice(&tile.to_ne_bytes());
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let mut board = [0; 16];
        for (tile, place) in board.iter_mut().zip(bytes[HEADER..].chunks_exact(4)) {
            *tile = i32::from_ne_bytes([place[0], place[1], place[2], place[3]]);
        }
        let (cookie, number, _) = header(bytes);
        Self { cookie, number, board }
    }
}

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The value that the function returned, and what it did to the board's surroundings: the index of the first int
    /// outside the board that changed, counted from the board's first cell.
    Answer { value: i32, modified: bool, outside: Option<i32> },
    /// The function is loaded.
    Ready,
    /// The dynamic linker's complaint.
    LoadFailed(String),
    /// A forbidden system call, in words.
    Violation(String),
    /// A deadly signal: number, whether the stack is used up, whether memory ran out before, the address.
    Crash { signal: i32, stack: bool, memory: bool, address: u64 },
    /// Memory was asked for beyond the limit, in words.
    Memory(String),
    /// The cell could not be set up; not the submission's fault.
    Setup(String),
}

const ANSWER: u32 = 1;
const READY: u32 = 2;
pub const LOAD_FAILED: u32 = 3;
pub const VIOLATION: u32 = 4;
pub const CRASH: u32 = 5;
pub const MEMORY: u32 = 6;
pub const SETUP: u32 = 7;

/// Offset that stands for "nothing outside changed".
const NOTHING: i32 = i32::MIN;

/// The bytes of an answer.
pub fn answer(cookie: u64, number: u32, value: i32, modified: bool, outside: Option<i32>) -> [u8; HEADER + 12] {
    let mut bytes = [0; HEADER + 12];
    bytes[..HEADER].copy_from_slice(&header_bytes(cookie, number, ANSWER));
    bytes[16..20].copy_from_slice(&value.to_ne_bytes());
    bytes[20..24].copy_from_slice(&u32::from(modified).to_ne_bytes());
    bytes[24..28].copy_from_slice(&outside.unwrap_or(NOTHING).to_ne_bytes());
    bytes
}

/// The bytes of "the function is loaded".
pub fn ready(cookie: u64) -> [u8; HEADER] {
    header_bytes(cookie, 0, READY)
}

/// The first bytes of a report; its text follows.
pub fn header_bytes(cookie: u64, number: u32, kind: u32) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&cookie.to_ne_bytes());
    bytes[8..12].copy_from_slice(&number.to_ne_bytes());
    bytes[12..].copy_from_slice(&kind.to_ne_bytes());
    bytes
}

fn header(bytes: &[u8]) -> (u64, u32, u32) {
    let word = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let mut cookie = [0; 8];
    cookie.copy_from_slice(&bytes[..8]);
    (u64::from_ne_bytes(cookie), word(8), word(12))
}

/// The reply to the request with this cookie and number; `None` for anything that is not one.
pub fn parse(bytes: &[u8], cookie: u64, number: u32) -> Option<Reply> {
    if bytes.len() < HEADER {
        return None;
    }
    let (their_cookie, their_number, kind) = header(bytes);
    if their_cookie != cookie || their_number != number {
        return None;
    }
    let rest = &bytes[HEADER..];
    let int =
        |at: usize| rest.get(at..at + 4).map(|place| i32::from_ne_bytes([place[0], place[1], place[2], place[3]]));
    let text = || String::from_utf8_lossy(rest).into_owned();
    Some(match kind {
        ANSWER if rest.len() == 12 => Reply::Answer {
            value: int(0)?,
            modified: int(4)? != 0,
            outside: int(8).filter(|&offset| offset != NOTHING),
        },
        READY if rest.is_empty() => Reply::Ready,
        LOAD_FAILED => Reply::LoadFailed(text()),
        VIOLATION => Reply::Violation(text()),
        MEMORY => Reply::Memory(text()),
        SETUP => Reply::Setup(text()),
        CRASH => {
            let text = text();
            let mut fields = text.split(' ').map(|field| field.parse::<u64>().ok());
            let mut next = || fields.next().flatten();
            Reply::Crash {
                signal: i32::try_from(next()?).ok()?,
                stack: next()? != 0,
                memory: next()? != 0,
                address: next()?,
            }
        }
        _ => return None,
    })
}

/// What a cell is told when it starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// How far it locks itself up.
    pub level: Level,
    pub cookie: u64,
    pub limits: ProcessLimits,
    pub task: Task,
}

/// What the kernel enforces on a cell.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Bytes of address space beyond what the cell itself uses.
    pub memory: u64,
    /// CPU time of the whole process, if limited.
    pub cpu: Option<Duration>,
    /// Size of any file written, in bytes.
    pub file_size: u64,
    /// Processes of the user.
    pub processes: u64,
}

/// What a cell is for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Load a shared object and answer boards with one of its functions.
    Play { library: PathBuf, function: String },
    /// Run a program that may read, write and execute only below these paths.
    Execute { program: PathBuf, arguments: Vec<String>, folder: PathBuf, read: Vec<PathBuf>, write: Vec<PathBuf> },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_survives_the_packet() {
        let packet = answer(77, 5, -3, true, Some(-4));
        assert_eq!(parse(&packet, 77, 5), Some(Reply::Answer { value: -3, modified: true, outside: Some(-4) }));
        let request = Request { cookie: 9, number: 2, board: std::array::from_fn(|cell| cell as i32 - 8) };
        assert_eq!(Request::from_bytes(&request.to_bytes()), request);
    }

    #[test]
    fn what_lacks_the_cookie_or_comes_late_is_no_reply() {
        let packet = answer(77, 5, 1, false, None);
        assert_eq!(parse(&packet, 78, 5), None);
        assert_eq!(parse(&packet, 77, 6), None);
        assert_eq!(parse(&packet[..20], 77, 5), None);
        assert_eq!(parse(b"0\n", 77, 5), None);
        assert_eq!(parse(&[], 77, 5), None);
    }
}
