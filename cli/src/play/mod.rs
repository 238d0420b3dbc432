//! The courses' programs: their options.

pub mod comp1020;
pub mod cs61b;
pub mod estr1002;
pub mod pa4;
pub mod psa3;
mod seed;
mod wrong_use;
