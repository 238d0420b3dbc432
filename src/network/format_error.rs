//! Why bytes are no network.

use std::fmt;

use super::shape::ShapeError;

/// Why bytes could not be read as a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The magic is missing: not a network file.
    Magic,
    /// A network file of another version.
    Version,
    /// The file ends too early, goes on too long, or its checksum differs: it was damaged.
    Damaged,
    /// The tuples or stages are impossible.
    Shape(ShapeError),
    /// The file says that it needs more memory than any network may.
    TooLarge,
    /// There is not enough memory for the network.
    Memory,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("this is no network file"),
            Self::Version => {
                f.write_str("the network file is of another version; `estr2048 pack OLD --out NEW` renews it")
            }
            Self::Damaged => f.write_str("the network file is damaged"),
            Self::Shape(error) => write!(f, "the network file has an impossible shape: {error}"),
            Self::TooLarge => f.write_str("the network is too large"),
            Self::Memory => f.write_str("there is not enough memory for the network"),
        }
    }
}

impl std::error::Error for FormatError {}

impl From<ShapeError> for FormatError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}
