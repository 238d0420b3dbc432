//! Files of numbers between blanks, as PSA3 and PA4 have them.

use std::fmt;

use crate::board::Board;

/// The largest side of a board that is made by a running game or read from a file.
///
/// The assignments set no limit. This one keeps a damaged file from asking for all the memory there is.
pub const MAX_SIDE: usize = 128;

/// Where a file could not be understood, and why.
///
/// It prints as `line:column: message`, so that a file name and a colon before it make the usual form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1. Lines end with LF, CR LF or CR.
    pub line: usize,
    /// The character in that line, counted from 1.
    pub column: usize,
    /// What was expected there and what was found.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// A walk over the words of a file, with the place of each.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
    line: usize,
    column: usize,
}

/// One word and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a [u8],
    pub line: usize,
    pub column: usize,
}

/// What `java.util.Scanner` takes for a blank, as far as it is ASCII.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ')
}

impl Word<'_> {
    /// An error at this word; the message names the word itself.
    pub fn error(&self, expected: &str) -> ReadError {
        const SHOWN: usize = 20;
        let shown = self.text.get(..SHOWN).unwrap_or(self.text).escape_ascii();
        let more = if self.text.len() > SHOWN { "..." } else { "" };
        let message = format!("expected {expected}, found \"{shown}{more}\"");
        ReadError { line: self.line, column: self.column, message }
    }
}

impl<'a> Words<'a> {
    pub fn new(file: &'a [u8]) -> Self {
        Self { rest: file, line: 1, column: 1 }
    }

    /// Steps over one byte and keeps count of where it was.
    fn step(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        match byte {
            b'\n' => (self.line, self.column) = (self.line + 1, 1),
            b'\r' if rest.first() != Some(&b'\n') => (self.line, self.column) = (self.line + 1, 1),
            // The further bytes of a UTF-8 character do not start a column of their own.
            0x80..=0xbf => {}
            _ => self.column += 1,
        }
        Some(byte)
    }

    /// An error at the present place, where the file ends too early.
    pub fn ends_early(&self, expected: &str) -> ReadError {
        let message = format!("expected {expected}, found the end of the file");
        ReadError { line: self.line, column: self.column, message }
    }

    /// The next number, in the range of `T`.
    ///
    /// # Errors
    /// If the next word is not such a number, or there is none.
    pub fn number<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, ReadError> {
        let Some(word) = self.next() else {
            return Err(self.ends_early(expected));
        };
        let number = str::from_utf8(word.text).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| word.error(expected))
    }

    /// The next number, which must be a side of a board.
    ///
    /// # Errors
    /// If it is not a number from `least` to [`MAX_SIDE`].
    pub fn side(&mut self, least: usize, name: &str) -> Result<usize, ReadError> {
        let expected = format!("{name} from {least} to {}", MAX_SIDE);
        let word = self.clone().next();
        let side = self.number(&expected)?;
        match word {
            Some(word) if !(least..=MAX_SIDE).contains(&side) => Err(word.error(&expected)),
            _ => Ok(side),
        }
    }

    /// The tiles of a board, row by row, and nothing after them.
    ///
    /// # Errors
    /// If a tile is missing or is no `i32`, or if more follows.
    pub fn board(&mut self, rows: usize, cols: usize) -> Result<Board, ReadError> {
        let mut board = Board::empty(rows, cols).map_err(|_| self.ends_early("a board with cells"))?;
        for (cell, tile) in board.cells_mut().iter_mut().enumerate() {
            *tile = self.number(&format!("the tile of row {}, column {}", cell / cols + 1, cell % cols + 1))?;
        }
        match self.next() {
            Some(word) => Err(word.error("the end of the file")),
            None => Ok(board),
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        while self.rest.first().copied().is_some_and(is_blank) {
            self.step();
        }
        let (line, column, start) = (self.line, self.column, self.rest);
        let len = start.iter().position(|&byte| is_blank(byte)).unwrap_or(start.len());
        let text = start.get(..len).filter(|text| !text.is_empty())?;
        for _ in text {
            self.step();
        }
        Some(Word { text, line, column })
    }
}
