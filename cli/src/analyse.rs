//! `estr2048 analyse`: what the fair player thinks of a board.

use std::fmt::Write as _;
use std::io::Read;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048::player::analysis;
use estr2048::player::computer::{Choice, Computer};
use estr2048::{Bitboard, Direction};

use crate::players::Effort;
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{output, position};

/// Value each direction of a board in expected moves.
#[derive(Debug, clap::Args)]
pub struct Analyse {
    /// The board: 16 numbers or the text that ./game prints; `-` reads boards from standard input, 16 numbers a line
    #[arg(required = true, allow_negative_numbers = true, num_args = 1..)]
    position: Vec<String>,
    /// Moves of the best line that are shown
    #[arg(long, value_name = "N", default_value_t = 8)]
    line: usize,
    #[command(flatten)]
    effort: Effort,
}

/// Evaluations for each reply of the best line, if no effort was named: it has many.
const LINE_NODES: u64 = 5000;

/// Who values a board, and who goes on with the best line.
struct Players {
    computer: Computer,
    line: Computer,
}

/// Analyses one board, or one for every line of standard input.
pub fn analyse(arguments: &Analyse) -> Result<ExitCode> {
    let boards = boards(&arguments.position)?;
    let effort = &arguments.effort;
    let mut players = Players { computer: effort.computer()?, line: effort.or_nodes(LINE_NODES).computer()? };
    for (heading, board) in boards {
        output::print(heading)?;
        output::print(report(&mut players, board, arguments.line)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The boards that were named, each with the line that comes before its report. They are read before the network is.
fn boards(position: &[String]) -> Result<Vec<(String, Bitboard)>> {
    if position != ["-"] {
        return Ok(vec![(String::new(), board(&position.join(" "))?)]);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    if text.contains('|') {
        return Ok(vec![(String::new(), board(&text)?)]);
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let board = board(line).with_context(|| format!("standard input, line {}", number + 1))?;
            Ok((format!("{}\n", line.trim()), board))
        })
        .collect()
}

fn board(text: &str) -> Result<Bitboard> {
    let board = position::parse(text).map_err(|error| WrongUse(format!("{error:#}")))?;
    let board = Bitboard::from_board(&board);
    Ok(board.ok_or_else(|| WrongUse("only boards with tiles 2 to 65536 can be analysed".into()))?)
}

fn report(players: &mut Players, board: Bitboard, moves: usize) -> Result<String> {
    let mut out = String::new();
    let Some(choice) = players.computer.decide(board) else {
        writeln!(
            out,
            "sum {}: {}",
            board.sum(),
            if board.is_over() { "no move exists" } else { "there is no network" }
        )?;
        return Ok(out);
    };
    for direction in Direction::ALL {
        match choice.search.values[direction as usize] {
            Some(value) => writeln!(out, "{}  {value:9.1}", direction.letter())?,
            None => writeln!(out, "{}  no change", direction.letter())?,
        }
    }
    let (best, search) = (choice.direction.letter(), choice.search);
    writeln!(out, "best {best}, {} moves deep, {} evaluations", search.depth, search.nodes)?;
    if let Some(chance) = choice.fill {
        writeln!(out, "comes through the fill ahead with probability {chance:.4} under best play")?;
    }
    writeln!(out, "{}", survival(board))?;
    writeln!(out, "line {}", best_line(&mut players.line, board, choice, moves))?;
    Ok(out)
}

/// For how long this board can be played on whatever cells are drawn.
fn survival(board: Bitboard) -> String {
    let (moves, exact) = analysis::survival(board);
    let least = if exact { "exactly" } else { "at least" };
    let plural = if moves == 1 { "" } else { "s" };
    format!("survives {least} {moves} move{plural} whatever cells are drawn")
}

/// The best line: `D(2,3)` is the move down, then a 2 at row 2, column 3.
fn best_line(computer: &mut Computer, board: Bitboard, first: Choice, moves: usize) -> String {
    let line = analysis::best_line(computer, board, first, moves);
    let steps = line.iter().map(|step| format!("{}({},{})", step.direction.letter(), step.cell / 4, step.cell % 4));
    steps.collect::<Vec<_>>().join(" ")
}
