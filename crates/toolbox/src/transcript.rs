//! The boards of a game in what a program printed, and what they tell of the cells that were drawn.

use anyhow::{Context, Result, bail};
use estr2048::board::GameBoard;
use estr2048::clairvoyant::observation::Observation;

use crate::position;

/// All boards of a text, in order; a board that is printed again is left out.
///
/// # Errors
/// If something that should be a board is none.
pub fn boards(text: &str) -> Result<Vec<GameBoard>> {
    let mut boards = Vec::new();
    if text.contains('|') {
        let rows: Vec<&str> = text.lines().filter_map(|line| Some(&line[line.find('|')?..=line.rfind('|')?])).collect();
        for rows in rows.chunks_exact(4) {
            boards.push(position::parse(&rows.join("\n"))?);
        }
    } else {
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            boards.push(position::parse(line)?);
        }
    }
    boards.dedup();
    Ok(boards)
}

/// What the boards tell, up to the last one, or up to the first board of another game.
///
/// # Errors
/// If they are not the boards of a game, from its first one on.
pub fn observations(boards: &[GameBoard]) -> Result<Vec<Observation>> {
    let Some((first, later)) = boards.split_first() else { bail!("there is no board in the input") };
    let first = Observation::of_first(first)
        .context("the first board is not the first of a game: it must hold one 2 and nothing else")?;
    let mut observations = vec![first];
    for (number, (board, previous)) in later.iter().zip(boards).enumerate() {
        if Observation::of_first(board).is_some() {
            break;
        }
        let after = Observation::after_some_move(previous, board);
        observations.push(after.with_context(|| {
            format!("board {} does not follow from the one before it by a move and one new 2", number + 2)
        })?);
    }
    Ok(observations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_from_a_transcript_and_from_numbers() {
        let picture = "Input: +----+\n|   2|    |    |    |\n+--+\n|||||\n|||||\n|||||\n";
        let picture = picture.replace("|||||", "|    |    |    |    |");
        let numbers = "# a game\n2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n\n2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
        assert_eq!(boards(&picture).unwrap(), boards(numbers).unwrap());
        assert_eq!(boards(numbers).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let first = [[0, 0, 0, 2], [0; 4], [0; 4], [0; 4]];
        let broken = [[0, 0, 0, 4], [0; 4], [0; 4], [2, 0, 0, 0]];
        assert!(observations(&[]).is_err());
        assert!(observations(&[broken]).is_err());
        assert!(observations(&[first, broken]).is_err());
        let follows = [[2, 0, 0, 0], [0; 4], [0; 4], [2, 0, 0, 0]];
        assert_eq!(observations(&[first, follows]).unwrap().len(), 2);
    }
}
