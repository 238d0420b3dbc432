//! The only calls of C stdio.
//!
//! C callers and this library share standard input and output. C's `stdin` may hold bytes that were read ahead, and
//! its `stdout` bytes that are not yet written, so Rust's own `std::io` would lose the first and overtake the second.

use std::fmt;

/// The next byte of C's standard input, or `None` at its end or on an error.
pub fn read_byte() -> Option<u8> {
    // SAFETY: getchar has no preconditions.
    u8::try_from(unsafe { libc::getchar() }).ok()
}

/// C's standard output, for `write!`. A closed or full output is not reported, as with C's own `putchar`.
#[derive(Clone, Copy, Debug)]
pub struct Stdout;

impl fmt::Write for Stdout {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: putchar takes any int; an error leaves the stream's error flag set and nothing else.
            unsafe { libc::putchar(byte.into()) };
        }
        Ok(())
    }
}

impl Stdout {
    /// Sends what is buffered on its way, so that a prompt is seen before its answer is waited for. C's standard output
    /// has no portable name here, so all of C's output streams are flushed.
    pub fn flush(self) {
        // SAFETY: a null pointer is allowed and means all output streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }
}
