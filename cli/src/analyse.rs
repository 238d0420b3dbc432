//! `estr2048 analyse`: what the fair player thinks of a board.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::process::ExitCode;

use anyhow::{Context, Result};
use estr2048::board::GameBoard;
use estr2048::player::analysis;
use estr2048::player::computer::Computer;
use estr2048::{Bitboard, Direction};
use estr2048_toolbox::usage::WrongUse;
use estr2048_toolbox::{output, position, report};
use serde::Serialize;

use crate::players::Effort;

/// Value each direction of a board in expected moves.
#[derive(Debug, clap::Args)]
pub struct Analyse {
    /// The board: 16 numbers or the text that ./game prints; `-` reads boards from standard input, 16 numbers a line
    #[arg(required = true, allow_negative_numbers = true, num_args = 1..)]
    position: Vec<String>,
    /// Moves of the best line that are shown
    #[arg(long, value_name = "N", default_value_t = 8)]
    line: usize,
    /// Print the analysis as JSON, an object for each board
    #[arg(long)]
    json: bool,
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
        let analysis = Analysis::of(&mut players, board, arguments.line);
        if arguments.json {
            report::print("analyse", &analysis)?;
        } else {
            output::print(format_args!("{heading}{analysis}"))?;
        }
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

/// What the player thinks of a board.
#[derive(Serialize)]
struct Analysis {
    board: GameBoard,
    sum: i64,
    over: bool,
    /// What each direction is worth, in moves; nothing if it changes nothing.
    values: BTreeMap<char, Option<f32>>,
    /// `None` if no move exists or there is no network.
    best: Option<char>,
    depth: u32,
    evaluations: u64,
    /// The chance to come through the fill ahead or just behind.
    fill: Option<f32>,
    /// For how many moves the board can be played on whatever cells are drawn, and whether that is exact.
    survives: (u32, bool),
    line: Vec<Step>,
}

/// A move of the best line and the cell that its 2 falls on.
#[derive(Serialize)]
struct Step {
    direction: char,
    row: usize,
    column: usize,
}

impl Analysis {
    fn of(players: &mut Players, board: Bitboard, moves: usize) -> Self {
        let choice = players.computer.decide(board);
        let values = choice.iter().flat_map(|choice| {
            Direction::ALL.map(|direction| (direction.letter(), choice.search.values[direction as usize]))
        });
        let values = values.collect();
        let line = choice.map_or(Vec::new(), |choice| analysis::best_line(&mut players.line, board, choice, moves));
        let step = |step: &analysis::Step| {
            let (row, column) = (step.cell / 4, step.cell % 4);
            Step { direction: step.direction.letter(), row, column }
        };
        Self {
            board: board.to_board(),
            sum: board.sum(),
            over: board.is_over(),
            values,
            best: choice.map(|choice| choice.direction.letter()),
            depth: choice.map_or(0, |choice| choice.search.depth),
            evaluations: choice.map_or(0, |choice| choice.search.nodes),
            fill: choice.and_then(|choice| choice.fill),
            survives: analysis::survival(board),
            line: line.iter().map(step).collect(),
        }
    }
}

impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sum, depth, evaluations, survives: (moves, exact), .. } = self;
        let Some(best) = self.best else {
            return writeln!(f, "sum {sum}: {}", if self.over { "no move exists" } else { "there is no network" });
        };
        for letter in Direction::ALL.map(Direction::letter) {
            match self.values.get(&letter).copied().flatten() {
                Some(value) => writeln!(f, "{letter}  {value:9.1}")?,
                None => writeln!(f, "{letter}  no change")?,
            }
        }
        writeln!(f, "best {best}, {depth} moves deep, {evaluations} evaluations")?;
        if let Some(chance) = self.fill {
            writeln!(f, "comes through the fill with probability {chance:.4} under best play")?;
        }
        let (least, plural) = (if *exact { "exactly" } else { "at least" }, if *moves == 1 { "" } else { "s" });
        writeln!(f, "survives {least} {moves} move{plural} whatever cells are drawn")?;
        // `D(2,3)` is the move down, then a 2 at row 2, column 3.
        let steps = self.line.iter().map(|Step { direction, row, column }| format!("{direction}({row},{column})"));
        writeln!(f, "line {}", steps.collect::<Vec<_>>().join(" "))
    }
}
