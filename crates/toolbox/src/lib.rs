//! What the tools of estr2048 share.

pub mod files;
pub mod interrupt;
pub mod numbers;
pub mod output;
pub mod position;
pub mod progress;
pub mod range;
pub mod report;
pub mod results;
pub mod statistics;
pub mod template;
pub mod transcript;
pub mod usage;
