//! Wrong use of a command: values that make no sense, told as the command line's own errors are, with exit status 2.

use std::fmt;

/// What is wrong with the values that were given.
#[derive(Debug)]
pub struct WrongUse(pub String);

impl fmt::Display for WrongUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUse {}

/// Ends a function with [`WrongUse`] unless the condition holds, as `anyhow::ensure!` does with a failure.
#[macro_export]
macro_rules! ensure_use {
    ($condition:expr, $($text:tt)*) => {
        if !$condition {
            return Err($crate::usage::WrongUse(format!($($text)*)).into());
        }
    };
}
