//! The outside of a cell: starts it, watches it, ends it.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags};
use rustix::io::FdFlags;
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType};
use rustix::process::{Pid, PidfdFlags, Signal};
use tempfile::TempDir;

use super::cell::SUBCOMMAND;
use super::cgroup::Group;
use super::clock::{Clock, GLANCE};
use super::descriptors::{CHANNEL, MONITOR};
use super::isolation::Level;
use super::message::{Order, Task};
use super::report::{self, Word};
use super::{sys, tree, users};

/// How long the referee's own processes may take to set a cell up: long, since a machine may be very busy. Where
/// something fails it is told at once.
pub const SETUP_PATIENCE: Duration = Duration::from_secs(120);

/// How an inmate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
}

/// What the monitor has told.
#[derive(Default)]
struct Heard {
    inmate: Option<i32>,
    trouble: Option<String>,
    locked: Option<Locked>,
    offences: Vec<String>,
    memory: Option<String>,
    folder: Option<OwnedFd>,
    status: Option<i32>,
    /// Nothing more will be told.
    over: bool,
}

/// How an inmate is locked in, beside what its level says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locked {
    /// Landlock keeps it from files.
    pub landlock: bool,
    /// The monitor sees what it is refused.
    pub witness: bool,
}

/// A running cell. Dropping it kills everybody inside.
pub struct Cell {
    child: Child,
    /// Packets to and from the inmate.
    pub channel: OwnedFd,
    /// The monitor's line; closing it ends the cell.
    monitor: Option<OwnedFd>,
    heard: Heard,
    /// The cell's own folder, where it has no file system of its own.
    folder: Option<TempDir>,
    group: Option<Group>,
}

impl Cell {
    /// Starts a cell with these standard streams and gives it its order. A folder that it may need is made in `workshop`.
    pub fn start(order: &Order, workshop: &Path, stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Result<Self> {
        let pair = || rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
        let ((channel, theirs), (monitor, report)) = (pair()?, pair()?);
        let (theirs, report) = (above(theirs)?, above(report)?);
        let mut order = order.clone();
        order.user = users::fresh();
        let mut folder = None;
        if order.level < Level::L3 && matches!(order.task, Task::Execute { .. }) {
            folder =
                Some(tempfile::Builder::new().prefix("cell-").tempdir_in(workshop).context("a folder for a cell")?);
            order.folder = folder.as_ref().map(|folder| folder.path().into());
        }
        let mut command = Command::new(std::env::current_exe().context("where is this program?")?);
        command.arg(SUBCOMMAND).env_clear().stdin(stdin).stdout(stdout).stderr(stderr);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        sys::hand_over(&mut command, [(theirs.as_raw_fd(), CHANNEL), (report.as_raw_fd(), MONITOR)]);
        let memory = order.limits.memory.max(order.limits.resident);
        let group = Group::new(memory, order.limits.processes);
        let child = command.spawn().context("start a cell")?;
        let group = group.filter(|group| group.take(child.id()));
        let cell = Self { child, channel, monitor: Some(monitor), heard: Heard::default(), folder, group };
        rustix::net::send(&cell.channel, &serde_json::to_vec(&order)?, SendFlags::NOSIGNAL)?;
        Ok(cell)
    }

    /// Listens to the monitor until this is known, or this time has passed, or nothing more will come.
    fn listen<T>(&mut self, patience: Duration, known: impl Fn(&Heard) -> Option<T>) -> Option<T> {
        let until = Instant::now() + patience;
        loop {
            if let Some(found) = known(&self.heard) {
                return Some(found);
            }
            let line = self.monitor.as_ref().filter(|_| !self.heard.over)?;
            let mut poll = [PollFd::new(line, PollFlags::IN)];
            if wait_for(&mut poll, until).ok()? == 0 {
                return None;
            }
            match report::hear(line.as_fd()) {
                Some((word, descriptor)) => self.heard.add(word, descriptor),
                None => self.heard.over = true,
            }
        }
    }

    /// The inmate's process number.
    pub fn inmate(&mut self) -> Option<i32> {
        self.listen(SETUP_PATIENCE, |heard| heard.inmate)
    }

    /// How the inmate is locked in, if it is so within this time.
    pub fn locked(&mut self, patience: Duration) -> Option<Locked> {
        self.listen(patience, |heard| heard.locked)
    }

    /// How the inmate ended, if it does so within this time.
    pub fn ending(&mut self, patience: Duration) -> Option<Ending> {
        let status = self.listen(patience, |heard| heard.status)?;
        Some(if libc::WIFSIGNALED(status) {
            Ending::Signal(libc::WTERMSIG(status))
        } else {
            Ending::Exit(libc::WEXITSTATUS(status))
        })
    }

    /// How the inmate ended, if it does so within this time of its own, however long that takes on a busy machine.
    pub fn ending_in_own_time(&mut self, limit: Duration) -> Option<Ending> {
        let inmate = self.inmate()?;
        let used = sys::cpu_time(inmate).unwrap_or_default();
        let mut clock = Clock::new(inmate, Instant::now(), used);
        loop {
            let ending = self.ending(GLANCE);
            clock.look(0);
            if ending.is_some() || self.heard.over || clock.verdict(limit).is_some() {
                return ending;
            }
        }
    }

    /// Forbidden system calls that were seen so far, in words.
    pub fn offences(&self) -> &[String] {
        &self.heard.offences
    }

    /// Whether memory ran out, in words.
    pub fn memory(&self) -> Option<String> {
        let by_kernel = || self.group.as_ref().is_some_and(Group::ran_out_of_memory);
        self.heard.memory.clone().or_else(|| by_kernel().then(|| "the memory of all its processes ran out".into()))
    }

    /// The guard's own trouble with this cell, which is nobody's fault inside.
    pub fn trouble(&self) -> Option<String> {
        if let Some(trouble) = &self.heard.trouble {
            return Some(trouble.clone());
        }
        (self.heard.over && self.heard.status.is_none()).then(|| "the monitor of the cell ended early".into())
    }

    /// Copies a plain file of at most so many bytes out of the cell's own folder, once the cell has ended.
    pub fn fetch(&mut self, name: &str, target: &Path, most: u64) -> Result<bool> {
        if let Some(folder) = &self.folder {
            return tree::fetch(std::fs::File::open(folder.path())?, name, target, most);
        }
        self.listen(Duration::ZERO, |heard| heard.folder.as_ref().map(|_| ()));
        match &self.heard.folder {
            Some(folder) => tree::fetch(folder, name, target, most),
            None => Ok(false),
        }
    }

    /// Kills everybody in the cell and waits until they are gone.
    pub fn kill(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(30);
        // What has been said already stays known; then the monitor is told to end the cell.
        self.listen(Duration::ZERO, |heard| heard.status);
        self.monitor = None;
        let process = Pid::from_raw(self.child.id() as i32);
        let ended = process.and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        let gone = ended.is_some_and(|ended| {
            let mut poll = [PollFd::new(&ended, PollFlags::IN)];
            wait_for(&mut poll, Instant::now() + PATIENCE).is_ok_and(|ready| ready > 0)
        });
        if !gone {
            if let Some(group) = process {
                let _ = rustix::process::kill_process_group(group, Signal::KILL);
            }
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        if let Some(group) = &self.group {
            group.kill();
        }
    }
}

impl Heard {
    fn add(&mut self, word: Word, descriptor: Option<OwnedFd>) {
        match word {
            Word::Trouble(text) => self.trouble = Some(text),
            Word::Started(inmate) => self.inmate = Some(inmate),
            Word::Folder => self.folder = descriptor,
            Word::Locked { landlock, witness } => self.locked = Some(Locked { landlock, witness }),
            Word::Offence(text) => self.offences.push(text),
            Word::Memory(text) => self.memory = Some(text),
            Word::Ended(status) => self.status = Some(status),
        }
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The same descriptor under a number that does not collide with those that a cell expects.
fn above(descriptor: OwnedFd) -> Result<OwnedFd> {
    const FREE: i32 = 10;
    Ok(rustix::io::fcntl_dupfd_cloexec(descriptor, FREE)?)
}

/// Waits until one of the descriptors has something or the time has come. The number of those that have.
pub fn wait_for(poll: &mut [PollFd<'_>], until: Instant) -> io::Result<usize> {
    loop {
        let rest = until.saturating_duration_since(Instant::now());
        let timeout = rustix::event::Timespec { tv_sec: rest.as_secs() as i64, tv_nsec: rest.subsec_nanos().into() };
        match rustix::event::poll(poll, Some(&timeout)) {
            Err(rustix::io::Errno::INTR) => {}
            other => return Ok(other?),
        }
    }
}

/// A pipe whose reading end is ours and does not block.
pub fn output_pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&read, true)?;
    debug_assert!(rustix::io::fcntl_getfd(&read)?.contains(FdFlags::CLOEXEC));
    Ok((read, write))
}
