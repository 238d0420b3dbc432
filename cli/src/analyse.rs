//! `estr2048 analyse`: what the fair player thinks of a board.

use std::fmt::Write as _;
use std::io::Read;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048::player::analysis;
use estr2048::player::computer::{Choice, Computer};
use estr2048::{Bitboard, Direction};

use crate::players::Effort;
use estr2048_toolbox::position;

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
    let effort = &arguments.effort;
    let mut players = Players { computer: effort.computer()?, line: effort.or_nodes(LINE_NODES).computer()? };
    if arguments.position != ["-"] {
        print!("{}", report(&mut players, &arguments.position.join(" "), arguments.line)?);
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    if text.contains('|') {
        print!("{}", report(&mut players, &text, arguments.line)?);
        return Ok(ExitCode::SUCCESS);
    }
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        println!("{}", line.trim());
        print!("{}", report(&mut players, line, arguments.line)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn report(players: &mut Players, text: &str, moves: usize) -> Result<String> {
    let board = position::parse(text)?;
    let board = Bitboard::from_board(&board).context("only boards with tiles 2 to 65536 can be analysed")?;
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
