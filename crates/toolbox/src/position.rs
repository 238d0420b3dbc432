//! Boards as text: sixteen numbers, or the picture that `./game` prints.

use anyhow::{Context, Result, bail};
use estr2048::board::GameBoard;

/// The first board in a text: its first sixteen numbers, or four lines of cells between `|`, a blank cell being empty.
///
/// # Errors
/// If there are fewer than sixteen numbers and no such lines.
pub fn parse(text: &str) -> Result<GameBoard> {
    let cells = if text.contains('|') { cells_of_picture(text) } else { cells_of_numbers(text) }?;
    let mut board = [[0; 4]; 4];
    let size = cells.len();
    let cells: [i32; 16] = cells.try_into().ok().with_context(|| format!("a board has 16 cells, not {size}"))?;
    board.as_flattened_mut().copy_from_slice(&cells);
    Ok(board)
}

/// A board as a line of sixteen numbers, as [`parse`] and files of boards have it.
#[must_use]
pub fn line(board: &GameBoard) -> String {
    let tiles: Vec<String> = board.as_flattened().iter().map(i32::to_string).collect();
    tiles.join(" ") + "\n"
}

fn cells_of_numbers(text: &str) -> Result<Vec<i32>> {
    let words = text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '/'));
    words.filter(|word| !word.is_empty()).map(tile).collect()
}

fn cells_of_picture(text: &str) -> Result<Vec<i32>> {
    let mut cells = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with('|')).take(4) {
        let row: Vec<&str> = line.trim_matches('|').split('|').collect();
        if row.len() != 4 {
            bail!("a row has 4 cells, not {}: {line}", row.len());
        }
        for cell in row {
            cells.push(if cell.trim().is_empty() { 0 } else { tile(cell.trim())? });
        }
    }
    Ok(cells)
}

fn tile(word: &str) -> Result<i32> {
    word.parse().with_context(|| format!("{word:?} is no tile"))
}

#[cfg(test)]
mod tests {
    use super::{line, parse};
    use estr2048::Board;
    use estr2048::courses::estr1002::Look;

    #[test]
    fn both_forms_are_read() {
        let board = [[2, 0, 4, 65536], [0; 4], [8, 8, 0, 0], [0, 0, 0, 2]];
        assert_eq!(parse("2 0 4 65536  0,0,0,0/8 8 0 0\n0 0 0 2").unwrap(), board);
        let picture = Look(&Board::from(&board)).to_string();
        assert_eq!(parse(&picture).unwrap(), board);
        assert_eq!(parse(&line(&board)).unwrap(), board);
        assert_eq!(line(&board), "2 0 4 65536 0 0 0 0 8 8 0 0 0 0 0 2\n");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1 2 3", "x", "|2|2|\n", "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
