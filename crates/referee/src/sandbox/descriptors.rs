//! The descriptors that the guard hands to a cell, under numbers that both know.

use std::os::fd::{BorrowedFd, RawFd};

/// Packets to and from the inmate.
pub const CHANNEL: RawFd = 3;

/// What the monitor reports to the guard. The inmate closes it before it loads or runs anything.
pub const MONITOR: RawFd = 4;

/// What the inmate hands to the monitor while it locks itself up.
pub const SETUP: RawFd = 5;

/// A descriptor that stays open as long as this process.
pub fn borrowed(fd: RawFd) -> BorrowedFd<'static> {
    // SAFETY: the number is not -1; whether it is open is the kernel's business: a closed one only makes calls fail.
    unsafe { BorrowedFd::borrow_raw(fd) }
}
