//! What the tools of estr2048 share.

pub mod files;
pub mod position;
pub mod range;
pub mod statistics;
pub mod template;
