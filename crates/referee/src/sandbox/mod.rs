//! A process that is locked up: it computes, answers through one channel, and reaches nothing else.
//!
//! [`guard::Cell`] is the outside of a cell, [`cell`] and [`inmate`] are its inside, [`message`] is what they say to
//! each other. [`program::Program`] runs a whole program in a cell; a function of a shared object is asked through
//! [`guard::Cell::channel`]. How much stands between a cell and the machine is its [`isolation::Level`].

pub mod cell;
mod cgroup;
pub(crate) mod clock;
mod descriptors;
pub mod doctor;
pub mod guard;
pub mod inmate;
pub mod isolation;
pub mod message;
mod monitor;
pub mod policy;
pub mod probe;
pub mod program;
pub(crate) mod report;
pub(crate) mod sys;
mod tree;
mod users;

/// A folder for compiling that other users cannot look into, though they can reach what they know is there.
///
/// # Errors
/// If it cannot be made.
pub fn workshop() -> anyhow::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt;
    // Players run as another user when the referee is root; what they need must be readable.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let folder = tempfile::Builder::new().prefix("estr2048-").tempdir()?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711))?;
    Ok(folder)
}
