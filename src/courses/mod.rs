//! The assignments: one file for each course, with its rules, its texts and its files.

pub mod estr1002;
