//! A player that knows the next cells: it recovers the seed from the boards that it is shown, and plans the whole game.
//!
//! This is an exploit of a 32-bit seed, and the yardstick for fair players; see `docs/clairvoyant.md`.

mod lanes;
mod lineage;
pub mod observation;
pub mod plan;
pub mod play;
mod rank;
pub mod recover;
pub mod settings;
pub mod stream;
