//! One planned game: its moves, its last board, and how the planning went.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use estr2048::bitboard::MAX_SUM;
use estr2048::clairvoyant::plan::{BeamState, MAX_WIDTH};
use estr2048::courses::estr1002::Look;
use estr2048::{Board, Direction};
use estr2048_toolbox::progress::Progress;
use estr2048_toolbox::{files, interrupt, outln, output, report, results};
use serde_json::json;

use super::plan::{Game, How, network};

/// Plans one game and prints what came of it.
pub fn plan(seed: u32, how: &How, trace_file: Option<&PathBuf>) -> Result<ExitCode> {
    let How { tinymt, out, search, plot, .. } = how;
    let outputs = || [out.as_ref(), trace_file, plot.as_ref()].into_iter().flatten();
    files::check_outputs(outputs())?;
    for path in outputs() {
        ensure!(!results::is_one(path), "{} holds results of many games: name another file", path.display());
    }
    interrupt::catch()?;
    let network = network()?;
    let bar = Progress::new(MAX_SUM as u64, "points", how.quiet);
    let mut trace = String::from("depth,sum,boards,width,value,deaths\n");
    let watch = |state: BeamState| {
        if state.depth.is_multiple_of(64) {
            let BeamState { depth, sum, boards, width, value, deaths } = state;
            bar.at(sum as u64, &format!("move {depth}, beam {boards}/{width}, value {value:.0}, {deaths} dead ends"));
            trace.push_str(&format!("{depth},{sum},{boards},{width},{value:.1},{deaths}\n"));
        }
    };
    let game = search.plan(&network, seed, tinymt.parameters(), watch)?;
    bar.finish();
    if let Some(path) = trace_file {
        files::write(path, &trace)?;
    }
    // A plan that was cut off replaces no whole one.
    if let Some(path) = out.as_ref().filter(|path| !(interrupt::asked() && path.exists())) {
        files::write(path, moves_file(seed, &game.moves))?;
    }
    // What was planned until a signal came is told.
    let status = || if interrupt::asked() { interrupt::STATUS.into() } else { ExitCode::SUCCESS };
    let set = format!("{tinymt:?}").to_lowercase();
    if let Some(path) = plot {
        let title = format!("The beam over the game of seed {seed}, {set} parameters, beam {}", search.beam);
        files::write(path, estr2048_figures::beam(&trace, &title)?)?;
    }
    let letters = || game.moves.iter().map(|direction| direction.letter()).collect::<String>();
    if how.json {
        let Game { board, score, time, deaths, finished, .. } = &game;
        let result = json!({ "seed": seed, "tinymt": set, "beam": search.beam, "score": score, "board": board,
            "moves": letters(), "seconds": time.as_secs_f64(), "dead_ends": deaths, "finished": finished });
        report::print("perfect --seed", &result)?;
        return Ok(status());
    }
    output::print(Look(&Board::from(&game.board)))?;
    let Game { score, time, deaths, .. } = game;
    let moves = game.moves.len();
    outln!("Score {score} after {moves} moves, planned in {:.1} s with {deaths} dead ends.", time.as_secs_f64())?;
    if interrupt::asked() {
        output::tell("stopped before the plan was whole");
    } else if score < MAX_SUM {
        outln!("The highest score is {MAX_SUM}; try a wider beam (--beam {}).", (search.beam * 4).min(MAX_WIDTH))?;
    }
    Ok(status())
}

/// The seed on a line of its own, then the letters of the moves, a hundred a line.
fn moves_file(seed: u32, moves: &[Direction]) -> String {
    let mut text = format!("{seed}\n");
    for line in moves.chunks(100) {
        text.extend(line.iter().map(|direction| direction.letter()));
        text.push('\n');
    }
    text
}
