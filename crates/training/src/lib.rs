//! Temporal difference learning of a network, and the file that ships.
//!
//! [`tables`] are the weights in training; a [`worker`] plays games and learns from them, or from [`lessons`];
//! [`session::train`] keeps workers at it until it is time to stop, with a learning [`curve`] and a [`checkpoint`] now
//! and then; [`pack::pack`] makes the small file out of checkpoints.

pub mod checkpoint;
pub mod curve;
pub mod layouts;
pub mod lessons;
mod memory;
pub mod old_network;
pub mod pack;
pub mod session;
pub mod starts;
mod study;
pub mod tablebase;
pub mod tables;
pub mod worker;

#[cfg(test)]
mod tests;
