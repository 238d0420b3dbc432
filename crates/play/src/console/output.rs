//! Standard output whose errors say that they are its own. A signal gets past it, though its reader takes nothing more,
//! where the program has asked for Ctrl-C and its kin to be caught.

use std::io::{self, BufWriter, Write};

/// What a program prints: whole boards at a time. Who reads input or waits must flush it first.
pub type Output = BufWriter<Stdout>;

/// The largest board of any course, 128 × 128 cells of five characters, fits.
const SIZE: usize = 1 << 17;

/// Opens standard output.
///
/// # Errors
/// If the system has no more descriptors.
pub fn open() -> io::Result<Output> {
    Ok(BufWriter::with_capacity(SIZE, Stdout::open()?))
}

/// Standard output, unbuffered.
#[derive(Debug)]
pub struct Stdout {
    #[cfg(unix)]
    file: std::fs::File,
    #[cfg(not(unix))]
    file: io::Stdout,
}

impl Stdout {
    #[cfg(unix)]
    fn open() -> io::Result<Self> {
        use std::os::fd::AsFd;
        Ok(Self { file: io::stdout().as_fd().try_clone_to_owned()?.into() })
    }

    #[cfg(not(unix))]
    fn open() -> io::Result<Self> {
        Ok(Self { file: io::stdout() })
    }

    /// Writes what the output takes without waiting for its reader.
    #[cfg(unix)]
    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use super::ready::{TICK, takes_output};
        use estr2048_toolbox::interrupt;
        /// A pipe that takes anything takes so much.
        const PIPE: usize = 4096;
        while !takes_output(&self.file, TICK)? {
            if interrupt::asked() {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "nobody reads it"));
            }
        }
        self.file.write(&bytes[..bytes.len().min(PIPE)])
    }

    #[cfg(not(unix))]
    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_some(bytes).map_err(name_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(name_output)
    }
}

fn name_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}
