//! People at a keyboard: the courses' programs on a console, byte for byte as the assignments show them.

pub mod comp1020;
pub mod console;
pub mod cs61b;
pub mod estr1002;
pub mod pa4;
pub mod psa3;
