//! The workbench of estr2048: one subcommand for each thing that people do with it.

mod analyse;
#[cfg(all(feature = "sandbox", target_os = "linux"))]
mod autograder;
mod bench;
#[cfg(all(feature = "sandbox", target_os = "linux"))]
mod check;
mod completions;
#[cfg(all(feature = "sandbox", target_os = "linux"))]
mod conditions;
#[cfg(all(feature = "sandbox", target_os = "linux"))]
mod grade;
mod layouts;
mod mean;
mod named;
mod new;
mod pack;
mod perfect;
mod play;
mod players;
mod recover;
mod run;
mod tinymt;
mod train;
#[cfg(not(all(feature = "sandbox", target_os = "linux")))]
mod without_sandbox;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};
use estr2048_toolbox::output::{NobodyReads, tell};
use estr2048_toolbox::usage::WrongUse;

#[cfg(not(all(feature = "sandbox", target_os = "linux")))]
use crate::without_sandbox::{check, grade};
use play::{comp1020, cs61b, estr1002, pa4, psa3};

/// The 2048 of five university courses: play, train, plan, check and rank.
#[derive(Parser)]
#[command(name = "estr2048", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Estr1002(estr1002::Estr1002),
    Play(estr2048_screen::Play),
    Psa3(psa3::Psa3),
    Pa4(pa4::Pa4),
    Comp1020(comp1020::Comp1020),
    Cs61b(cs61b::Cs61b),
    Web(estr2048_web::Web),
    Page(estr2048_web::Page),
    Analyse(analyse::Analyse),
    Bench(bench::Bench),
    #[command(hide = true)]
    Ceiling(perfect::Ceiling),
    Lab(estr2048_lab::Lab),
    Layouts(layouts::Layouts),
    Mean(mean::Mean),
    Pack(pack::Pack),
    Perfect(perfect::Perfect),
    Recover(recover::Recover),
    Run(run::Run),
    Train(train::Train),
    Completions(completions::Completions),
    Man(completions::Pages),
    #[cfg(all(feature = "sandbox", target_os = "linux"))]
    Autograder(autograder::Autograder),
    Check(check::Check),
    Grade(grade::Grade),
    New(new::New),
}

fn main() -> ExitCode {
    #[cfg(all(feature = "sandbox", target_os = "linux"))]
    if estr2048_referee::is_cell() {
        estr2048_referee::cell();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return print(&help).unwrap_or_else(complain),
    };
    let result: anyhow::Result<ExitCode> = match arguments.command {
        #[cfg(all(feature = "sandbox", target_os = "linux"))]
        Command::Autograder(arguments) => autograder::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Grade(arguments) => grade::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Estr1002(arguments) => estr1002::run(&arguments),
        Command::Play(arguments) => estr2048_screen::run(&arguments),
        Command::Psa3(arguments) => psa3::run(&arguments),
        Command::Pa4(arguments) => pa4::run(&arguments),
        Command::Comp1020(arguments) => comp1020::run(&arguments),
        Command::Cs61b(arguments) => cs61b::run(&arguments),
        Command::Web(arguments) => estr2048_web::run(&arguments),
        Command::Page(arguments) => estr2048_web::page(&arguments),
        Command::Analyse(arguments) => analyse::analyse(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Ceiling(arguments) => perfect::ceiling(&arguments),
        Command::Lab(arguments) => estr2048_lab::run(&arguments),
        Command::Layouts(arguments) => layouts::layouts(&arguments),
        Command::Mean(arguments) => mean::mean(&arguments),
        Command::Pack(arguments) => pack::pack(&arguments),
        Command::Perfect(arguments) => perfect::perfect(&arguments),
        Command::Recover(arguments) => recover::recover(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Train(arguments) => train::train(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments, Arguments::command()),
        Command::Man(arguments) => completions::man(&arguments, Arguments::command()),
    };
    #[cfg(all(feature = "sandbox", target_os = "linux"))]
    estr2048_referee::sandbox::await_the_end();
    result.unwrap_or_else(complain)
}

/// Prints the help or the version that was asked for, in colours where there is a terminal.
fn print(help: &clap::Error) -> anyhow::Result<ExitCode> {
    match help.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        printed => printed.context("cannot write to standard output")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The message of an error, and the exit status: 2 for a wrong use, 1 for a failure; nothing but an end if the output has
/// no reader any more.
fn complain(error: anyhow::Error) -> ExitCode {
    if error.is::<NobodyReads>() {
        return ExitCode::SUCCESS;
    }
    tell(format_args!("estr2048: {error:#}"));
    if error.is::<WrongUse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}
