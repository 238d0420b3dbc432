//! A whole class of submissions: from files to marks.
//!
//! [`collect`] finds the submissions, [`class::Classroom`] examines them and plays their games, [`journal`] keeps what
//! happened, [`marks`] and [`places`] rank, [`output`] writes the files for staff, students and other programs.

pub mod autograder;
pub mod basic;
pub mod class;
pub mod collect;
pub mod estimate;
mod examine;
pub mod files;
mod gradebook;
pub mod journal;
pub mod marks;
pub mod output;
pub mod pages;
pub mod places;
pub mod progress;
pub mod report;
mod repro;
pub mod seeds;
pub mod similar;
pub mod slug;
mod spreadsheet;
pub mod statistics;
pub mod words;
