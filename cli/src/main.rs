//! The workbench of estr2048: one subcommand for each thing that people do with it.

mod analyse;
mod ceiling;
mod pack;
mod perfect;
mod players;
mod position;
mod recover;
mod run;
mod train;

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
enum Command {
    Analyse(analyse::Analyse),
    Ceiling(ceiling::Ceiling),
    Pack(pack::Pack),
    Perfect(perfect::Perfect),
    Recover(recover::Recover),
    Run(run::Run),
    Train(train::Train),
}

fn main() -> ExitCode {
    let result: anyhow::Result<ExitCode> = match Arguments::parse().command {
        Command::Analyse(arguments) => analyse::analyse(&arguments),
        Command::Ceiling(arguments) => ceiling::ceiling(&arguments),
        Command::Pack(arguments) => pack::pack(&arguments),
        Command::Perfect(arguments) => perfect::perfect(&arguments),
        Command::Recover(arguments) => recover::recover(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Train(arguments) => train::train(&arguments),
    };
    result.unwrap_or_else(|error: anyhow::Error| {
        eprintln!("estr2048: {error:#}");
        ExitCode::FAILURE
    })
}
