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
use crate::sandbox::clock::{self, Clock, GLANCE, Overdue};
use crate::sandbox::guard::{self, Cell, Ending};
use crate::sandbox::isolation::Level;
use crate::sandbox::message::{self, Order, ProcessLimits, Reply, Task};
use crate::sandbox::policy::Role;
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
    /// Time that passed, the player's own part of it, CPU time used, and whether the machine gave it no more.
    Timeout {
        wall: Duration,
        own: Duration,
        cpu: Duration,
        starved: bool,
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
    /// The other end of an output that nobody prints to any more.
    silence: Option<OwnedFd>,
    limits: Limits,
    cookie: u64,
    number: u32,
    cpu: Duration,
    captured: Vec<u8>,
    stage: Stage,
}

/// How far a player has come: what it may say depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Locking,
    Loading,
    Playing,
}

impl Player {
    /// How much of what was printed is kept.
    const KEPT: usize = 2000;

    /// Loads a shared object into a new cell.
    pub fn start(library: &Path, function: &str, limits: &Limits) -> Result<Self, Failure> {
        let mut player = Self::spawn(library, function, limits).map_err(setup)?;
        // Until the inmate is locked in, nothing of the submission's has run, and all trouble is the referee's.
        match player.receive(Limits::LOAD_TIME) {
            Ok((Reply::Loading, _)) => {}
            _ => return Err(player.machine_fault()),
        }
        player.stage = Stage::Loading;
        match player.receive(Limits::LOAD_TIME)? {
            (Reply::Ready, _) => {}
            (reply, _) => return Err(player.failed(reply)),
        }
        player.stage = Stage::Playing;
        player.cpu = player.cpu_time();
        Ok(player)
    }

    fn spawn(library: &Path, function: &str, limits: &Limits) -> Result<Self> {
        let (output, write) = guard::output_pipe()?;
        let cookie = message::fresh_cookie();
        let order = Order {
            level: limits.level,
            cookie,
            user: None,
            limits: ProcessLimits { memory: limits.memory, processes: 1, ..ProcessLimits::default() },
            role: Role::Answer,
            task: Task::Answer { library: library.into(), function: function.into() },
            bring: Vec::new(),
            folder: None,
        };
        let nowhere = Path::new("");
        let cell = Cell::start(&order, nowhere, Stdio::null(), write.try_clone()?.into(), write.into())?;
        let (number, cpu, captured, stage) = (0, Duration::ZERO, Vec::new(), Stage::Locking);
        let (limits, silence) = (limits.clone(), None);
        Ok(Self { cell, output, silence, limits, cookie, number, cpu, captured, stage })
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

    /// Time that the player has waited for a processor since it started, if the kernel counts it.
    pub fn waited(&mut self) -> Option<Duration> {
        self.cell.inmate().and_then(clock::waited)
    }

    /// Waits for a packet and reads what is printed meanwhile.
    fn receive(&mut self, limit: Duration) -> Result<(Reply, u64), Failure> {
        /// After this long a move counts as slow, and it is looked at what the player does with its time.
        const SLOW: Duration = Duration::from_millis(50);
        let start = Instant::now();
        let mut next = start + limit.min(SLOW);
        let mut clock = None;
        let mut printed = 0;
        loop {
            let channel = PollFlags::IN | PollFlags::HUP;
            let mut poll = [PollFd::new(&self.cell.channel, channel), PollFd::new(&self.output, PollFlags::IN)];
            guard::wait_for(&mut poll, next).map_err(setup)?;
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
                let reply = message::parse(&bytes[..size], self.cookie, self.number);
                return match reply.filter(|reply| self.may_say(reply)) {
                    Some(reply) => Ok((reply, printed)),
                    None => Err(forged()),
                };
            }
            if Instant::now() < next {
                continue;
            }
            next = Instant::now() + GLANCE;
            let Some(inmate) = self.cell.inmate() else { return Err(self.machine_fault()) };
            let clock = clock.get_or_insert_with(|| Clock::new(inmate, start, self.cpu));
            clock.look(printed);
            // Who has answered meanwhile sleeps, and is in time.
            if let Some(overdue) = clock.verdict(limit).filter(|_| !has_packet(&self.cell)) {
                let starved = overdue == Overdue::Starved;
                return Err(Failure::Timeout { wall: clock.wall(), own: clock.own(), cpu: clock.cpu(), starved });
            }
        }
    }

    /// Whether such a packet belongs to this stage. Anything else is a forgery: never the referee's trouble.
    fn may_say(&self, reply: &Reply) -> bool {
        matches!(
            (self.stage, reply),
            (Stage::Locking, Reply::Loading)
                | (Stage::Loading, Reply::Ready | Reply::LoadFailed(_) | Reply::Crash { .. })
                | (Stage::Playing, Reply::Answer(_) | Reply::Crash { .. })
        )
    }

    /// What the monitor says about a cell that has no inmate yet.
    fn machine_fault(&mut self) -> Failure {
        let ending = self.cell.ending_in_own_time(Duration::from_secs(1));
        let text = self.cell.trouble().unwrap_or_else(|| format!("a cell ended early: {ending:?}"));
        Failure::Setup(text)
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
                    (self.output, self.silence) = (quiet, Some(write));
                }
                Ok(size as u64)
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(error) => Err(setup(error)),
        }
    }

    /// What a report of the inmate means. How the process really ended is the monitor's word.
    fn failed(&mut self, reply: Reply) -> Failure {
        let _ = self.drain();
        match reply {
            Reply::LoadFailed(text) if text.contains("annot allocate memory") || text.contains("failed to map") => {
                Failure::Memory("its global variables need more memory than there is".into())
            }
            Reply::LoadFailed(text) => Failure::Load(text),
            Reply::Crash { signal, stack, memory, address } => {
                let ending = self.cell.ending_in_own_time(Duration::from_secs(2));
                match self.witnessed(ending) {
                    Some(failure) => failure,
                    None if memory && !stack => Failure::Memory(
                        "malloc gave NULL because no memory was left, and the program went on and crashed".into(),
                    ),
                    None => match ending {
                        Some(Ending::Exit(code)) => Failure::Exit(code),
                        Some(Ending::Signal(real)) if real != signal => {
                            Failure::Crash { signal: real, stack: false, address: None }
                        }
                        _ => Failure::Crash { signal, stack, address: Some(address) },
                    },
                }
            }
            Reply::Answer(_) | Reply::Loading | Reply::Ready => forged(),
        }
    }

    /// What a closed channel means.
    fn vanished(&mut self) -> Failure {
        let _ = self.drain();
        let ending = self.cell.ending_in_own_time(Duration::from_secs(2));
        if let Some(failure) = self.witnessed(ending) {
            return failure;
        }
        match ending {
            Some(Ending::Signal(libc::SIGXFSZ)) => Failure::Violation("it tried to write a file".into()),
            Some(Ending::Signal(message::CHANNEL_LOST)) => closed_channel(),
            Some(Ending::Signal(signal)) => Failure::Crash { signal, stack: false, address: None },
            Some(Ending::Exit(code)) => Failure::Exit(code),
            // Below level 2 a player can reach its monitor.
            None if self.limits.level < Level::L2 => closed_channel(),
            None => match self.cell.trouble() {
                Some(trouble) => Failure::Setup(trouble),
                None => closed_channel(),
            },
        }
    }

    /// What the monitor has seen of the inmate's deeds, or the kernel has ended it for.
    fn witnessed(&self, ending: Option<Ending>) -> Option<Failure> {
        if let Some(offence) = self.cell.offences().first() {
            return Some(Failure::Violation(offence.clone()));
        }
        if let Some(text) = self.cell.memory() {
            return Some(Failure::Memory(text));
        }
        (ending == Some(Ending::Signal(libc::SIGSYS))).then(|| {
            let text = "it made a system call that no player needs, or one of another kind of machine";
            Failure::Violation(text.into())
        })
    }
}

/// Whether there is something to read from the inmate, or nothing ever again.
fn has_packet(cell: &Cell) -> bool {
    let mut poll = [PollFd::new(&cell.channel, PollFlags::IN | PollFlags::HUP)];
    guard::wait_for(&mut poll, Instant::now()).is_ok_and(|ready| ready > 0)
}

fn closed_channel() -> Failure {
    Failure::Violation("it closed the referee's channel (all file descriptors)".into())
}

/// What a packet means that is no answer.
fn forged() -> Failure {
    let text = "it wrote to the referee's channel (a forged answer, or a write to every descriptor)";
    Failure::Violation(text.into())
}

fn setup(error: impl Into<anyhow::Error>) -> Failure {
    Failure::Setup(format!("{:#}", error.into()))
}
