//! The outside of a cell: starts it, watches it, ends it.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags};
use rustix::io::FdFlags;
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType};
use rustix::process::{Pid, Signal};

use super::cell::SUBCOMMAND;
use super::descriptors::{CHANNEL, MONITOR};
use super::message::Order;
use super::sys;

/// How an inmate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
}

/// A running cell. Dropping it kills everybody inside.
pub struct Cell {
    child: Child,
    /// Packets to and from the inmate.
    pub channel: OwnedFd,
    monitor: OwnedFd,
    /// The inmate's process, once the monitor has named it.
    inmate: Option<i32>,
}

impl Cell {
    /// Starts a cell with these standard streams and gives it its order.
    pub fn start(order: &Order, stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Result<Self> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let (monitor, report) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let (theirs, report) = (above(theirs)?, above(report)?);
        let mut command = Command::new(std::env::current_exe().context("where is this program?")?);
        command.arg(SUBCOMMAND).env_clear().stdin(stdin).stdout(stdout).stderr(stderr);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        sys::hand_over(&mut command, [(theirs.as_raw_fd(), CHANNEL), (report.as_raw_fd(), MONITOR)]);
        let child = command.spawn().context("start a cell")?;
        rustix::net::send(&ours, &serde_json::to_vec(order)?, SendFlags::NOSIGNAL)?;
        Ok(Self { child, channel: ours, monitor, inmate: None })
    }

    /// The inmate's process number.
    pub fn inmate(&mut self) -> Option<i32> {
        if self.inmate.is_none() {
            self.inmate = self.read_monitor(Duration::from_secs(5));
        }
        self.inmate
    }

    /// How the inmate ended, if it does so within this time.
    pub fn ending(&mut self, patience: Duration) -> Option<Ending> {
        self.inmate()?;
        let status = self.read_monitor(patience)?;
        Some(if libc::WIFSIGNALED(status) {
            Ending::Signal(libc::WTERMSIG(status))
        } else {
            Ending::Exit(libc::WEXITSTATUS(status))
        })
    }

    fn read_monitor(&self, patience: Duration) -> Option<i32> {
        let mut number = [0; 4];
        let mut poll = [PollFd::new(&self.monitor, PollFlags::IN)];
        wait_for(&mut poll, Instant::now() + patience).ok()?;
        let ready = poll[0].revents().contains(PollFlags::IN);
        (ready && rustix::io::read(&self.monitor, &mut number) == Ok(4)).then(|| i32::from_ne_bytes(number))
    }

    /// Kills everybody in the cell and waits until they are gone.
    pub fn kill(&mut self) {
        if let Some(inmate) = self.inmate().and_then(Pid::from_raw) {
            // The monitor has not reaped it unless it has ended, so the number is still its own or nobody's.
            if self.child.try_wait().ok().flatten().is_none() {
                let _ = rustix::process::kill_process(inmate, Signal::KILL);
            }
        }
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
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
