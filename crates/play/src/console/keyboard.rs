//! Standard input that a signal can end: where the program has asked for Ctrl-C and its kin to be caught, one of them is
//! the end of the input.

use std::io::{self, BufReader, Read};

#[cfg(unix)]
use estr2048_toolbox::interrupt;

#[cfg(unix)]
use super::ready::{TICK, has_input};

/// Standard input.
pub type Keyboard = BufReader<Raw>;

/// Opens standard input.
///
/// # Errors
/// If the system has no more descriptors.
pub fn open() -> io::Result<Keyboard> {
    Ok(BufReader::new(Raw::open()?))
}

/// Standard input, unbuffered.
#[derive(Debug)]
pub struct Raw {
    #[cfg(unix)]
    file: std::fs::File,
    #[cfg(not(unix))]
    file: io::Stdin,
}

impl Raw {
    #[cfg(unix)]
    fn open() -> io::Result<Self> {
        use std::os::fd::AsFd;
        Ok(Self { file: io::stdin().as_fd().try_clone_to_owned()?.into() })
    }

    #[cfg(not(unix))]
    fn open() -> io::Result<Self> {
        Ok(Self { file: io::stdin() })
    }

    /// Waits for input or its end; false if a signal came first.
    #[cfg(unix)]
    fn wait(&self) -> io::Result<bool> {
        while !interrupt::asked() {
            if has_input(&self.file, TICK)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[cfg(not(unix))]
    fn wait(&self) -> io::Result<bool> {
        Ok(true)
    }
}

impl Read for Raw {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.wait().and_then(|more| if more { self.file.read(bytes) } else { Ok(0) });
        read.map_err(|error| io::Error::new(error.kind(), format!("cannot read standard input: {error}")))
    }
}
