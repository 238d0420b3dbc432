//! Where the network comes from: the library itself, or a file.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::network::{FormatError, Network};

/// The environment variable that names another network file.
pub const WEIGHTS_VARIABLE: &str = "ESTR_WEIGHTS";

#[cfg(embedded_network)]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../../weights/estr1002.net"));
#[cfg(not(embedded_network))]
const EMBEDDED: Option<&[u8]> = None;

/// The file of the network inside the library, `None` if it was built without one: what a checksum is made of.
#[must_use]
pub fn embedded_bytes() -> Option<&'static [u8]> {
    EMBEDDED
}

/// The longest network file: 256 MB.
const MAX_FILE: usize = 1 << 28;

/// Why no network could be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The file could not be read.
    File(PathBuf, ErrorKind),
    /// The file, or what is inside the library, is no network. An error of memory must not need any.
    Format(Cow<'static, Path>, FormatError),
}

impl LoadError {
    /// Whether there was not enough memory.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self, Self::File(_, ErrorKind::OutOfMemory) | Self::Format(_, FormatError::Memory))
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, ErrorKind::NotFound) => write!(f, "{}: there is no such file", path.display()),
            Self::File(path, kind) => write!(f, "{}: {kind}", path.display()),
            Self::Format(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for LoadError {}

/// The network in this file.
///
/// # Errors
/// [`LoadError`] if the file cannot be read or is no network.
pub fn load(path: &Path) -> Result<Network, LoadError> {
    let bytes = read(path).map_err(|error| LoadError::File(path.into(), error))?;
    Network::decode(&bytes).map_err(|error| LoadError::Format(path.to_path_buf().into(), error))
}

/// The bytes of a file, of which there are not more than a network file may have.
fn read(path: &Path) -> Result<Vec<u8>, ErrorKind> {
    const PART: usize = 1 << 20;
    let mut file = File::open(path).map_err(|error| error.kind())?;
    let len = file.metadata().map_or(0, |metadata| metadata.len()).min(MAX_FILE as u64) as usize;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len + 1).map_err(|_| ErrorKind::OutOfMemory)?;
    loop {
        let start = bytes.len();
        if start > MAX_FILE {
            return Err(ErrorKind::FileTooLarge);
        }
        if start == bytes.capacity() {
            bytes.try_reserve_exact(PART).map_err(|_| ErrorKind::OutOfMemory)?;
        }
        // As much as there is room for, so that nothing has to grow.
        let room = (bytes.capacity() - start) as u64;
        let read = Read::by_ref(&mut file).take(room).read_to_end(&mut bytes).map_err(|error| error.kind())?;
        if read == 0 {
            return Ok(bytes);
        }
    }
}

/// The network that a player uses when it is told nothing: the file named by [`WEIGHTS_VARIABLE`] or else the one
/// inside the library. It is read once. `None` if the library was built without a network and the variable is not set.
///
/// # Errors
/// [`LoadError`] if the variable names a file that is no network.
pub fn standard() -> Result<Option<Arc<Network>>, LoadError> {
    static STANDARD: OnceLock<Result<Option<Arc<Network>>, LoadError>> = OnceLock::new();
    let load_standard = || match std::env::var_os(WEIGHTS_VARIABLE) {
        Some(path) => load(Path::new(&path)).map(|network| Some(Arc::new(network))),
        None => embedded(),
    };
    STANDARD.get_or_init(load_standard).clone()
}

/// The network inside the library, read anew; `None` if the library was built without one.
///
/// # Errors
/// [`LoadError`] if what was put into the library is no network.
pub fn embedded() -> Result<Option<Arc<Network>>, LoadError> {
    let Some(bytes) = EMBEDDED else { return Ok(None) };
    let network = Network::decode(bytes);
    let network = network.map_err(|error| LoadError::Format(Path::new("the embedded network").into(), error))?;
    Ok(Some(Arc::new(network)))
}
