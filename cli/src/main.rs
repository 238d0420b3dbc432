//! The workbench of estr2048: one subcommand for each thing that people do with it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The 2048 of five university courses: play, train, plan, check and rank.
#[derive(Parser)]
#[command(name = "estr2048", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

fn main() -> ExitCode {
    let result: anyhow::Result<ExitCode> = match Arguments::parse().command {};
    result.unwrap_or_else(|error: anyhow::Error| {
        eprintln!("estr2048: {error:#}");
        ExitCode::FAILURE
    })
}
