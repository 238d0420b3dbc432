//! The parameter sets of TinyMT32 by name, for the option `--tinymt`.

use estr2048::tinymt32::Parameters;

/// A named parameter set of TinyMT32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tinymt {
    /// All three parameters zero, as in the assignment
    Zero,
    /// The set of the generator's authors
    Official,
}

impl Tinymt {
    /// The three parameters.
    pub fn parameters(self) -> Parameters {
        match self {
            Self::Zero => Parameters::ZERO,
            Self::Official => Parameters::OFFICIAL,
        }
    }
}
