//! Which isolation works on this machine: found out by trying.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::net::RecvFlags;

use super::guard::{Cell, Ending};
use super::isolation::Level;
use super::message::{self, Order, ProcessLimits, Reply, Task, fresh_cookie};
use super::program::system_folders;

/// The strongest level that works here, and why a stronger one does not.
pub fn strongest_level() -> Result<(Level, Vec<String>)> {
    let mut reasons = Vec::new();
    for level in [Level::L3, Level::L2, Level::L1] {
        match try_level(level) {
            Ok(()) => return Ok((level, reasons)),
            Err(error) => reasons.push(format!("{level}: {error:#}")),
        }
    }
    anyhow::bail!("no cell can be started here: {}", reasons.join("; "))
}

/// Starts a cell at this level with the smallest of programs in it.
fn try_level(level: Level) -> Result<()> {
    let limits = ProcessLimits { memory: 0, cpu: None, file_size: 0, processes: 1 };
    let read = system_folders();
    let (program, folder) = ("/bin/true".into(), "/".into());
    let task = Task::Execute { program, arguments: Vec::new(), folder, read, write: Vec::new() };
    let order = Order { level, cookie: fresh_cookie(), limits, task };
    let mut cell = Cell::start(&order, Stdio::null(), Stdio::null(), Stdio::null())?;
    match cell.ending(Duration::from_secs(10)) {
        Some(Ending::Exit(0)) => Ok(()),
        other => {
            let mut bytes = [0; message::MAX_PACKET];
            let size = rustix::net::recv(&cell.channel, &mut bytes, RecvFlags::DONTWAIT).map_or(0, |(size, _)| size);
            let reply = message::parse(&bytes[..size], order.cookie, 0);
            let why = match reply {
                Some(Reply::Setup(text)) => text,
                _ => format!("a cell ended with {other:?}"),
            };
            Err(anyhow::Error::msg(why)).context("not available")
        }
    }
}
