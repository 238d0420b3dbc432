//! What stands in for `grade` and `check` where submissions cannot be locked up.

use std::process::ExitCode;

use anyhow::{Result, bail};

fn refuse() -> Result<ExitCode> {
    bail!(
        "submissions run locked up by Landlock and seccomp, which this build does not have: use the program on Linux, \
         for example in a virtual machine, built with its feature `sandbox`"
    )
}

pub mod grade {
    /// Check and rank submissions (only on Linux, where they can be locked up)
    #[derive(Debug, clap::Args)]
    pub struct Grade {
        #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
        _arguments: Vec<std::ffi::OsString>,
    }

    pub fn run(_: &Grade) -> anyhow::Result<std::process::ExitCode> {
        super::refuse()
    }
}

pub mod check {
    /// Check one submission as the referee would (only on Linux, where it can be locked up)
    #[derive(Debug, clap::Args)]
    pub struct Check {
        #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
        _arguments: Vec<std::ffi::OsString>,
    }

    pub fn run(_: &Check) -> anyhow::Result<std::process::ExitCode> {
        super::refuse()
    }
}
