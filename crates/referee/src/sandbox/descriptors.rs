//! The descriptors that the guard hands to a cell, under numbers that both know.

use std::os::fd::{BorrowedFd, RawFd};

/// Packets to and from the inmate.
pub const CHANNEL: RawFd = 3;

/// The monitor's pipe.
pub const MONITOR: RawFd = 4;

/// A descriptor that stays open as long as this process.
pub fn borrowed(fd: RawFd) -> BorrowedFd<'static> {
    // SAFETY: the number is not -1; whether it is open is the kernel's business: a closed one only makes calls fail.
    unsafe { BorrowedFd::borrow_raw(fd) }
}
