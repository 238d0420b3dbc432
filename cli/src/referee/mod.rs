//! The referee's cells: a student's C file becomes a player that can do nothing but play.
//!
//! Three steps lead from a file to a move: [`compile::Compiler`] makes a shared object, [`player::Player::start`] loads
//! it into a locked process of its own, [`player::Player::ask`] hands it a board and gives its answer or a
//! [`player::Failure`]. [`game::play`] is the whole game under the assignment's rules.

pub mod cell;
pub mod compile;
pub mod game;
mod guard;
mod inmate;
pub mod isolation;
mod message;
pub mod player;
mod policy;
pub mod program;
pub mod student;
mod sys;
pub mod verdict;

pub use sys::give_away;

/// A folder for compiling that other users cannot look into, though they can reach what they know is there.
pub fn workshop() -> anyhow::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt;
    // Players run as another user when the referee is root; what they need must be readable.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let folder = tempfile::Builder::new().prefix("estr2048-").tempdir()?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711))?;
    Ok(folder)
}
