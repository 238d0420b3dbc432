//! `estr2048 pa4`: the program of PA4 (UCSD CSE 8B, Winter 2020).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use estr2048::courses::{direction_of_key, pa4};
use estr2048_toolbox::files;

use crate::console::{self, Earlier, Input, leave_prompt, somebody_types, tell};

/// Plays with the arguments of the course's program: none, or the file to go on with and to save to; and with the values
/// of its `Config`.
///
/// # Errors
/// If the input ends before the game, the file is damaged, or input or output fails.
pub fn run(files: &[PathBuf], config: &pa4::Config) -> anyhow::Result<ExitCode> {
    console::play(|input, out| play(files, config, input, out))
}

fn play(
    arguments: &[PathBuf],
    config: &pa4::Config,
    input: &mut Input<impl io::BufRead>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let (mut state, file) = match arguments {
        [] => {
            writeln!(out, "{}", pa4::START)?;
            (pa4::GameState::new_game_with(config)?, Path::new(pa4::DEFAULT_OUTFILE))
        }
        [file] => {
            writeln!(out, "Attempting to load game from {}..", file.display())?;
            (load(file, config, out)?, file.as_path())
        }
        _ => {
            write!(out, "{}", pa4::USAGE)?;
            out.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let mut earlier = Earlier::offered(somebody_types(), out)?;
    loop {
        if state.is_game_over() {
            writeln!(out, "{state}{}", pa4::GAME_OVER)?;
            if earlier.offer_last(&mut state, input, out)? {
                continue;
            }
            return Ok(ExitCode::SUCCESS);
        }
        write!(out, "{state}{}", pa4::PROMPT)?;
        out.flush()?;
        let Some(line) = input.next_line()? else {
            leave_prompt(out)?;
            bail!("the input ended before the game did; q quits it");
        };
        // Java counts a character beyond U+FFFF as two.
        let mut units = line.encode_utf16();
        let (Some(_), None) = (units.next(), units.next()) else {
            writeln!(out, "{}", pa4::COMMAND_LENGTH)?;
            continue;
        };
        match line.chars().next() {
            Some('o') => match files::write(file, state.save()) {
                Ok(()) => writeln!(out, "{}{}", pa4::SAVED, file.display())?,
                Err(error) => {
                    out.flush()?;
                    tell(format_args!("{error:#}"));
                }
            },
            Some('q') => return Ok(ExitCode::SUCCESS),
            Some('z') if earlier.are_kept() => earlier.take_back(&mut state),
            key => match key.and_then(direction_of_key) {
                Some(direction) => earlier.play(&mut state, |state| state.r#move(direction)),
                None => writeln!(out, "{}", pa4::POSSIBLE_COMMANDS)?,
            },
        }
    }
}

/// The game of a file. Like the course's program it starts a new one if there is no such file, or if the file cannot
/// be read at all; a file that can be read must be a saved game.
fn load(file: &Path, config: &pa4::Config, out: &mut impl Write) -> anyhow::Result<pa4::GameState> {
    let bytes = match fs::exists(file) {
        Ok(false) => return Ok(pa4::GameState::new_game_with(config)?),
        _ => files::read(file),
    };
    match bytes {
        Ok(bytes) => match pa4::GameState::load_with(&bytes, config) {
            Ok(state) => Ok(state),
            Err(error) => bail!("{}:{error}\nThe file is left as it is.", file.display()),
        },
        Err(error) if error.downcast_ref::<io::Error>().is_some() => {
            out.flush()?;
            tell(format_args!("{error:#}; starting a new game"));
            Ok(pa4::GameState::new_game_with(config)?)
        }
        Err(error) => Err(error),
    }
}
