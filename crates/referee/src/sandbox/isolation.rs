//! How far a submission can be locked up on this machine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What stands between a submission and the machine. Every level includes the ones below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Resource limits only
    L1,
    /// Also no files (Landlock) and only harmless system calls (seccomp)
    L2,
    /// Also namespaces of its own: no other process, no network, an empty file system
    L3,
}

impl Level {
    /// One sentence for a report.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::L1 => "resource limits only: this kernel refuses Landlock, seccomp and namespaces",
            Self::L2 => "no files (Landlock), only harmless system calls (seccomp), resource limits",
            Self::L3 => {
                "namespaces of its own (no other process, no network, an empty file system), no files (Landlock), only \
                 harmless system calls (seccomp), resource limits"
            }
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
