//! What the tools of estr2048 share.

pub mod position;
