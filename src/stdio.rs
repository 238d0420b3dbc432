//! The only calls of C stdio.
//!
//! C callers and this library share standard input and output. C's `stdin` may hold bytes that were read ahead, and
//! its `stdout` bytes that are not yet written, so Rust's own `std::io` would lose the first and overtake the second.

use std::ffi::c_int;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

/// The next byte of C's standard input, or `None` at its end or on an error.
pub fn read_byte() -> Option<u8> {
    // SAFETY: getchar has no preconditions.
    u8::try_from(unsafe { libc::getchar() }).ok()
}

/// C's standard output, for `write!`. A closed or full output is no error of `write!`, as it is none of the game;
/// [`error`](Self::error) tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Stdout;

impl fmt::Write for Stdout {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: putchar takes any int; an error leaves the stream's error flag set and nothing else.
            keep_error(unsafe { libc::putchar(byte.into()) });
        }
        Ok(())
    }
}

impl Stdout {
    /// Sends what is buffered on its way, so that a prompt is seen before its answer is waited for. C's standard output
    /// has no portable name here, so all of C's output streams are flushed.
    pub fn flush(self) {
        // SAFETY: a null pointer is allowed and means all output streams.
        keep_error(unsafe { libc::fflush(std::ptr::null_mut()) });
    }

    /// Why the output of this library first could not be written, if that has happened.
    #[must_use]
    pub fn error(self) -> Option<io::Error> {
        match ERROR.load(Ordering::Relaxed) {
            0 => None,
            number => Some(io::Error::from_raw_os_error(number)),
        }
    }
}

/// The system's number of the first error, or 0.
static ERROR: AtomicI32 = AtomicI32::new(0);

fn keep_error(result: c_int) {
    if result == libc::EOF
        && let Some(number) = io::Error::last_os_error().raw_os_error()
    {
        // A later error does not replace the first.
        let _ = ERROR.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }
}
