//! Waiting for an input or an output for a short time: a signal need not wake the one who waits.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long a signal may go unnoticed.
pub const TICK: Duration = Duration::from_millis(50);

/// Whether there is something to read, or the end, within this time.
pub fn has_input(file: &impl AsFd, within: Duration) -> io::Result<bool> {
    is_ready(file, PollFlags::IN, within)
}

/// Whether something can be written, or will fail, within this time.
pub fn takes_output(file: &impl AsFd, within: Duration) -> io::Result<bool> {
    is_ready(file, PollFlags::OUT, within)
}

fn is_ready(file: &impl AsFd, flags: PollFlags, within: Duration) -> io::Result<bool> {
    let within = Timespec::try_from(within).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(file, flags)], Some(&within)) {
        Err(rustix::io::Errno::INTR) => Ok(false),
        ready => Ok(ready? > 0),
    }
}
