//! A whole class of submissions: from files to marks.
//!
//! [`collect`] finds the submissions, [`class::Classroom`] examines them and plays their games, [`journal`] keeps what
//! happened, [`marks`] and [`places`] rank, [`output`] writes the files for staff, students and other programs.

pub mod basic;
pub mod class;
pub mod collect;
mod examine;
mod files;
pub mod journal;
pub mod marks;
pub mod output;
pub mod places;
pub mod progress;
pub mod report;
mod repro;
pub mod seeds;
pub mod statistics;
pub mod words;
