//! A student's function as a player: a shared object in a cell that answers boards.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Result;
use estr2048::board::GameBoard;
use rustix::event::{PollFd, PollFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::guest;
use crate::sandbox::guard::{self, Cell, Ending};
use crate::sandbox::isolation::Level;
use crate::sandbox::message::{self, Order, ProcessLimits, Reply, Task};
use crate::sandbox::sys;

/// What a player may use.
#[derive(Clone, Debug)]
pub struct Limits {
    pub level: Level,
    /// Wall time of one move.
    pub move_time: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes that may be printed in one move.
    pub output: u64,
}

impl Limits {
    /// Time in which the shared object must be loaded.
    const LOAD_TIME: Duration = Duration::from_secs(10);
}

/// The function's answer to one board, and what it did beside answering.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What it returned, unchecked.
    pub value: i32,
    pub wall: Duration,
    pub cpu: Duration,
    /// Bytes that it printed.
    pub printed: u64,
    /// Whether it changed the board that it was handed.
    pub modified: bool,
    /// Row and column of the nearest int outside the board that it changed.
    pub outside: Option<(i32, i32)>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Time used, CPU time used, and time that the process waited for a processor.
    Timeout {
        wall: Duration,
        cpu: Duration,
        starved: Duration,
    },
    /// A deadly signal, whether the stack was used up, and the address of a bad access.
    Crash {
        signal: i32,
        stack: bool,
        address: Option<u64>,
    },
    Exit(i32),
    Memory(String),
    /// Bytes printed.
    OutputFlood(u64),
    Violation(String),
    /// The dynamic linker's complaint.
    Load(String),
    /// The referee's own trouble.
    Setup(String),
}

/// A loaded submission, fresh for one game.
pub struct Player {
    cell: Cell,
    output: OwnedFd,
    limits: Limits,
    cookie: u64,
    number: u32,
    cpu: Duration,
    captured: Vec<u8>,
}

impl Player {
    /// How much of what was printed is kept.
    const KEPT: usize = 2000;

    /// Loads a shared object into a new cell.
    pub fn start(library: &Path, function: &str, limits: &Limits) -> Result<Self, Failure> {
        let mut player = Self::spawn(library, function, limits).map_err(setup)?;
        match player.receive(Limits::LOAD_TIME)? {
            (Reply::Ready, _) => {}
            (reply, _) => return Err(player.failed(reply)),
        }
        player.cpu = player.cpu_time();
        Ok(player)
    }

    fn spawn(library: &Path, function: &str, limits: &Limits) -> Result<Self> {
        let (output, write) = guard::output_pipe()?;
        let cookie = message::fresh_cookie();
        let order = Order {
            level: limits.level,
            cookie,
            limits: ProcessLimits { memory: limits.memory, cpu: None, file_size: 0, processes: 1 },
            task: Task::Answer { library: library.into(), function: function.into() },
        };
        let cell = Cell::start(&order, Stdio::null(), write.try_clone()?.into(), write.into())?;
        let (number, cpu, captured) = (0, Duration::ZERO, Vec::new());
        Ok(Self { cell, output, limits: limits.clone(), cookie, number, cpu, captured })
    }

    /// Asks for a move.
    pub fn ask(&mut self, board: &GameBoard) -> Result<Answer, Failure> {
        self.number += 1;
        let mut flat = [0; 16];
        flat.copy_from_slice(board.as_flattened());
        let question = message::ask(self.cookie, self.number, &guest::question(&flat));
        let start = Instant::now();
        if rustix::net::send(&self.cell.channel, &question, SendFlags::NOSIGNAL).is_err() {
            return Err(self.vanished());
        }
        let (reply, printed) = self.receive(self.limits.move_time)?;
        let wall = start.elapsed();
        let Reply::Answer(bytes) = reply else { return Err(self.failed(reply)) };
        let answer = guest::Answer::from_bytes(&bytes);
        let Some(guest::Answer { value, modified, outside }) = answer else { return Err(forged()) };
        let cpu = self.cpu_time();
        let used = cpu.saturating_sub(self.cpu);
        self.cpu = cpu;
        let outside = outside.map(|offset| (offset.div_euclid(4), offset.rem_euclid(4)));
        Ok(Answer { value, wall, cpu: used, printed, modified, outside })
    }

    /// The beginning of what was printed so far.
    pub fn captured(&self) -> String {
        String::from_utf8_lossy(&self.captured).into_owned()
    }

    fn cpu_time(&mut self) -> Duration {
        self.cell.inmate().and_then(sys::cpu_time).unwrap_or_default()
    }

    /// Waits for a packet and reads what is printed meanwhile.
    fn receive(&mut self, limit: Duration) -> Result<(Reply, u64), Failure> {
        /// After this long a move counts as slow, and it is noted how often it has had to wait for a processor.
        const SLOW: Duration = Duration::from_millis(50);
        let start = Instant::now();
        let mut waited_before = None;
        let mut printed = 0;
        loop {
            let until = if waited_before.is_none() { limit.min(SLOW) } else { limit };
            let channel = PollFlags::IN | PollFlags::HUP;
            let mut poll = [PollFd::new(&self.cell.channel, channel), PollFd::new(&self.output, PollFlags::IN)];
            guard::wait_for(&mut poll, start + until).map_err(setup)?;
            let (packet, output) = (!poll[0].revents().is_empty(), !poll[1].revents().is_empty());
            if output {
                printed += self.drain()?;
                if printed > self.limits.output {
                    return Err(Failure::OutputFlood(printed));
                }
            }
            if packet {
                let mut bytes = [0; message::MAX_PACKET];
                let size = match rustix::net::recv(&self.cell.channel, &mut bytes, RecvFlags::DONTWAIT) {
                    Ok((size, _)) => size,
                    Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => continue,
                    Err(_) => 0,
                };
                if size == 0 {
                    return Err(self.vanished());
                }
                let Some(reply) = message::parse(&bytes[..size], self.cookie, self.number) else {
                    return Err(forged());
                };
                return Ok((reply, printed));
            }
            if start.elapsed() >= limit {
                let starved = self.starved().zip(waited_before).map_or(Duration::ZERO, |(now, then)| now - then);
                let cpu = self.cpu_time().saturating_sub(self.cpu);
                return Err(Failure::Timeout { wall: start.elapsed(), cpu, starved });
            }
            if start.elapsed() >= SLOW && waited_before.is_none() {
                waited_before = Some(self.starved().unwrap_or_default());
            }
        }
    }

    /// Time that the inmate has been ready to run and had no processor.
    fn starved(&mut self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/schedstat", self.cell.inmate()?)).ok()?;
        Some(Duration::from_nanos(text.split(' ').nth(1)?.parse().ok()?))
    }

    fn drain(&mut self) -> Result<u64, Failure> {
        let mut bytes = [0; 8192];
        match rustix::io::read(&self.output, &mut bytes) {
            Ok(size) => {
                let room = Self::KEPT.saturating_sub(self.captured.len());
                self.captured.extend_from_slice(&bytes[..size.min(room)]);
                if size == 0 {
                    // Nobody can print any more; an end of file would wake every wait from now on.
                    let (quiet, write) = guard::output_pipe().map_err(setup)?;
                    self.output = quiet;
                    std::mem::forget(write);
                }
                Ok(size as u64)
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(error) => Err(setup(error)),
        }
    }

    /// What a report of the cell means.
    fn failed(&mut self, reply: Reply) -> Failure {
        let _ = self.drain();
        match reply {
            Reply::LoadFailed(text) if text.contains("annot allocate memory") || text.contains("failed to map") => {
                Failure::Memory("its global variables need more memory than there is".into())
            }
            Reply::LoadFailed(text) => Failure::Load(text),
            Reply::Violation(text) => Failure::Violation(text),
            Reply::Memory(text) => Failure::Memory(text),
            Reply::Setup(text) => Failure::Setup(text),
            Reply::Crash { memory: true, stack: false, .. } => Failure::Memory(
                "malloc gave NULL because no memory was left, and the program went on and crashed".into(),
            ),
            Reply::Crash { signal, stack, address, .. } => {
                // The handler has spoken; how the process really ended is the monitor's word.
                match self.cell.ending(Duration::from_secs(2)) {
                    Some(Ending::Exit(code)) => Failure::Exit(code),
                    Some(Ending::Signal(real)) if real != signal => {
                        Failure::Crash { signal: real, stack: false, address: None }
                    }
                    _ => Failure::Crash { signal, stack, address: Some(address) },
                }
            }
            Reply::Answer(_) | Reply::Ready => {
                Failure::Violation("it wrote to the referee's channel out of turn".into())
            }
        }
    }

    /// What a closed channel means.
    fn vanished(&mut self) -> Failure {
        let _ = self.drain();
        match self.cell.ending(Duration::from_secs(1)) {
            Some(Ending::Signal(libc::SIGSYS)) => Failure::Violation(
                "it made a forbidden system call: usually starting a thread or another program".into(),
            ),
            Some(Ending::Signal(libc::SIGXFSZ)) => Failure::Violation("it tried to write a file".into()),
            Some(Ending::Signal(message::CHANNEL_LOST)) | None => {
                Failure::Violation("it closed the referee's channel (all file descriptors)".into())
            }
            Some(Ending::Signal(signal)) => Failure::Crash { signal, stack: false, address: None },
            Some(Ending::Exit(code)) => Failure::Exit(code),
        }
    }
}

/// What a packet means that is no answer.
fn forged() -> Failure {
    let text = "it wrote to the referee's channel (a forged answer, or a write to every descriptor)";
    Failure::Violation(text.into())
}

fn setup(error: impl Into<anyhow::Error>) -> Failure {
    Failure::Setup(format!("{:#}", error.into()))
}
