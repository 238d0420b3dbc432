//! `estr2048 completions` and `estr2048 man`: what shells and `man` want to know about the commands.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Command, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;
use estr2048_toolbox::{files, outln, output};

/// Print the completions of the commands for a shell.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  estr2048 completions bash > ~/.local/share/bash-completion/completions/estr2048\n  \
                        estr2048 completions fish > ~/.config/fish/completions/estr2048.fish\n\n\
                        `make install` installs those of bash, fish and zsh."
)]
pub struct Completions {
    /// The shell
    #[arg(value_parser = value_parser!(Shell))]
    shell: Shell,
}

/// Write the man pages of the commands into a folder.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "`make install` installs them.\n\nExample: estr2048 man /tmp/pages && man /tmp/pages/estr2048-run.1"
)]
pub struct Pages {
    /// The folder; it is made if it does not exist
    folder: PathBuf,
}

/// Prints the completions.
pub fn completions(arguments: &Completions, mut command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    output::print(String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the whole and one for each command.
pub fn man(arguments: &Pages, mut command: Command) -> Result<ExitCode> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    // Now every command knows its whole name.
    command.build();
    let mut pages = vec![&command];
    while let Some(page) = pages.pop() {
        let shown = page.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
        pages.extend(shown);
        let name = page.get_display_name().unwrap_or("estr2048");
        let path = folder.join(format!("{name}.1"));
        let mut text = Vec::new();
        Man::new(page.clone()).title(name).manual("estr2048").render(&mut text)?;
        files::write(&path, text)?;
        outln!("{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
