//! The packets between the guard and a cell.
//!
//! Every packet carries the cookie of the cell and the number of the question. A packet that a submission writes to all
//! descriptors that it finds is a packet of its own, has neither, and so betrays itself.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::isolation::Level;
use super::policy::Role;

/// The longest packet that a cell may send.
pub const MAX_PACKET: usize = 512;

/// The signal by which an inmate dies that has lost the channel: one that hardly any program sends itself.
pub const CHANNEL_LOST: i32 = libc::SIGIO;

/// The bytes before a packet's text: cookie, number, kind.
pub const HEADER: usize = 16;

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The guest's answer.
    Answer(Vec<u8>),
    /// The inmate is locked in and will now load the function.
    Loading,
    /// The function is loaded.
    Ready,
    /// The dynamic linker's complaint.
    LoadFailed(String),
    /// A deadly signal: number, whether the stack is used up, whether memory ran out before, the address.
    Crash { signal: i32, stack: bool, memory: bool, address: u64 },
}

const QUESTION: u32 = 0;
pub const ANSWER: u32 = 1;
const READY: u32 = 2;
pub const LOAD_FAILED: u32 = 3;
pub const CRASH: u32 = 5;
pub const LOADING: u32 = 6;

/// The packet of a question.
pub fn ask(cookie: u64, number: u32, question: &[u8]) -> Vec<u8> {
    [&header_bytes(cookie, number, QUESTION)[..], question].concat()
}

/// Number and text of a question; `None` for a packet that is none.
pub fn question(packet: &[u8]) -> Option<(u32, &[u8])> {
    let (header, question) = packet.split_first_chunk::<HEADER>()?;
    let (_, number, _) = self::header(header);
    Some((number, question))
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

fn header(bytes: &[u8; HEADER]) -> (u64, u32, u32) {
    let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes;
    let cookie = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
    (cookie, u32::from_ne_bytes([i, j, k, l]), u32::from_ne_bytes([m, n, o, p]))
}

/// The reply to the question with this cookie and number; `None` for anything that is not one.
pub fn parse(bytes: &[u8], cookie: u64, number: u32) -> Option<Reply> {
    let (head, rest) = bytes.split_first_chunk::<HEADER>()?;
    let (their_cookie, their_number, kind) = header(head);
    if their_cookie != cookie || their_number != number {
        return None;
    }
    let text = || String::from_utf8_lossy(rest).into_owned();
    Some(match kind {
        ANSWER => Reply::Answer(rest.to_vec()),
        LOADING if rest.is_empty() => Reply::Loading,
        READY if rest.is_empty() => Reply::Ready,
        LOAD_FAILED => Reply::LoadFailed(text()),
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
    /// The user that the cell becomes, if the guard is privileged: nobody else has it.
    pub user: Option<u32>,
    pub limits: ProcessLimits,
    pub role: Role,
    pub task: Task,
    /// Files and folders of the guard that are copied into the cell's own folder, and their names there.
    pub bring: Vec<(PathBuf, PathBuf)>,
    /// The cell's own folder, empty, where it has no file system of its own.
    pub folder: Option<PathBuf>,
}

/// What the kernel and the monitor enforce on a cell.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Bytes of address space of a process, beyond what the cell itself uses; 0 for no limit.
    pub memory: u64,
    /// Bytes of memory that all processes use together; 0 if the limit above is enough.
    pub resident: u64,
    /// CPU time of a process, if limited.
    pub cpu: Option<Duration>,
    /// Size of any file written, in bytes.
    pub file_size: u64,
    /// Bytes in the cell's own folder.
    pub disk: u64,
    /// Processes of the user.
    pub processes: u64,
}

/// What a cell is for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Load a shared object and answer questions with one of its functions.
    Answer { library: PathBuf, function: String },
    /// Run a program in the cell's own folder, with these files and folders of the system in view.
    Execute { program: PathBuf, arguments: Vec<String>, view: Vec<PathBuf>, environment: Vec<(String, String)> },
}

/// A number that a submission cannot guess.
pub fn fresh_cookie() -> u64 {
    static LAST_RESORT: AtomicU64 = AtomicU64::new(1);
    let mut bytes = [0; 8];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(8) => u64::from_ne_bytes(bytes),
        _ => LAST_RESORT.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_survive_the_packet() {
        assert_eq!(question(&ask(77, 5, b"who?")), Some((5, &b"who?"[..])));
        assert_eq!(question(b"short"), None);
        let packet = [&header_bytes(77, 5, ANSWER)[..], b"me"].concat();
        assert_eq!(parse(&packet, 77, 5), Some(Reply::Answer(b"me".to_vec())));
    }

    #[test]
    fn what_lacks_the_cookie_or_comes_late_is_no_reply() {
        let packet = header_bytes(77, 5, ANSWER);
        assert_eq!(parse(&packet, 78, 5), None);
        assert_eq!(parse(&packet, 77, 6), None);
        assert_eq!(parse(&packet[..15], 77, 5), None);
        assert_eq!(parse(b"0\n", 77, 5), None);
        assert_eq!(parse(&[], 77, 5), None);
    }
}
