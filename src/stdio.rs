//! The only calls of C stdio.
//!
//! C callers and this library share standard input and output. C's `stdin` may hold bytes that were read ahead, and
//! its `stdout` bytes that are not yet written, so Rust's own `std::io` would lose the first and overtake the second.

use std::ffi::c_int;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

/// The next byte of C's standard input, or `None` at its end or on an error. A signal that interrupts the waiting is
/// no error: its handler has run, and the waiting goes on.
pub fn read_byte() -> Option<u8> {
    loop {
        // SAFETY: getchar has no preconditions.
        if let Ok(byte) = u8::try_from(unsafe { libc::getchar() }) {
            return Some(byte);
        }
        let interrupted = io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
        // SAFETY: C's own stream, which is open or says itself that it is not.
        unsafe {
            if libc::feof(standard(0)) != 0 || libc::ferror(standard(0)) == 0 || !interrupted {
                return None;
            }
            libc::clearerr(standard(0));
        }
    }
}

/// Puts back the byte that [`read_byte`] gave last, for the next reader of C's standard input.
pub fn unread_byte(byte: u8) {
    // SAFETY: C's own stream; there is always room for the byte that was read last.
    unsafe { libc::ungetc(byte.into(), standard(0)) };
}

/// C's own stream: standard input is 0, standard output 1.
fn standard(number: usize) -> *mut libc::FILE {
    #[cfg(windows)]
    {
        unsafe extern "C" {
            fn __acrt_iob_func(number: libc::c_uint) -> *mut libc::FILE;
        }
        // SAFETY: the C library has both streams.
        unsafe { __acrt_iob_func(number as libc::c_uint) }
    }
    #[cfg(not(windows))]
    {
        unsafe extern "C" {
            #[cfg_attr(target_vendor = "apple", link_name = "__stdinp")]
            static stdin: *mut libc::FILE;
            #[cfg_attr(target_vendor = "apple", link_name = "__stdoutp")]
            static stdout: *mut libc::FILE;
        }
        // SAFETY: the C library sets both before `main` and this library never writes to them.
        unsafe { if number == 0 { stdin } else { stdout } }
    }
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
    /// Sends what is buffered on its way, so that a prompt is seen before its answer is waited for. No other stream is
    /// touched: another thread may hold one for as long as it waits for input.
    pub fn flush(self) {
        // SAFETY: C's own stream.
        keep_error(unsafe { libc::fflush(standard(1)) });
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
