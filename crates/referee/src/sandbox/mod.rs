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
mod processes;
pub mod program;
pub(crate) mod report;
pub(crate) mod sys;
mod tree;
mod users;
mod workshop;

pub use workshop::{await_the_end, leave_when_asked, not_leaving, workshop};
