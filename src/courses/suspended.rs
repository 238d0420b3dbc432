//! A file of our own for a game that is to go on later: unlike the courses' files it holds the generator's state, so
//! that the same moves give the same game as if it had never been interrupted.
//!
//! It is a text of words and blanks: `estr2048-game 1` (the format and its version), `course` and its number, `size` and
//! the rows and columns, `combined` and the sum of all tiles made by combining, then `tinymt32` with the four words of
//! its state and the three parameters or `java` with its state, last `cells` and the tiles, row by row. All numbers are
//! decimal.

use std::fmt::Write;

use super::text::Words;
use super::{Course, Position, Random, ReadError};
use crate::java_random::JavaRandom;
use crate::tinymt32::{Parameters, TinyMt32};

const FORMAT: &str = "estr2048-game";
const VERSION: &str = "1";

impl Position {
    /// The text of the file; `None` if the rules are those of no course.
    #[must_use]
    pub fn suspend(&self) -> Option<String> {
        let course = Course::ALL.into_iter().find(|course| course.rules().name == self.rules.name)?;
        let board = &self.board;
        let mut text = format!("{FORMAT} {VERSION}\ncourse {}\n", course as i32);
        let _ = writeln!(text, "size {} {}\ncombined {}", board.rows(), board.cols(), self.combined);
        let _ = match &self.random {
            Random::TinyMt(random) => {
                let [a, b, c, d] = random.status();
                let Parameters { mat1, mat2, tmat } = random.parameters();
                writeln!(text, "tinymt32 {a} {b} {c} {d} {mat1} {mat2} {tmat}")
            }
            Random::Java(random) => writeln!(text, "java {}", random.state()),
        };
        text.push_str("cells\n");
        for row in board.cells().chunks(board.cols()) {
            let tiles: Vec<String> = row.iter().map(i32::to_string).collect();
            text.push_str(&tiles.join(" "));
            text.push('\n');
        }
        Some(text)
    }

    /// The position of a file that [`suspend`](Self::suspend) made.
    ///
    /// # Errors
    /// [`ReadError`] says where the file is damaged, or that it is another one.
    pub fn resume(file: &[u8]) -> Result<Self, ReadError> {
        let mut words = Words::new(file);
        expect(&mut words, FORMAT)?;
        expect(&mut words, VERSION)?;
        expect(&mut words, "course")?;
        let before = words.clone();
        let course = Course::from_number(words.number("the number of a course")?);
        let course = course.ok_or_else(|| complain(before, "the number of a course"))?;
        expect(&mut words, "size")?;
        let before = words.clone();
        let (rows, cols) = (words.side(1, "rows")?, words.side(1, "columns")?);
        if !course.rules().allows(rows, cols) {
            return Err(complain(before, "a size that the course plays on"));
        }
        expect(&mut words, "combined")?;
        let combined = words.number("the sum of all combined tiles")?;
        let random = match course.rules().random(0) {
            Random::TinyMt(_) => {
                expect(&mut words, "tinymt32")?;
                let mut number = || words.number("a number of TinyMT32's state, from 0 to 4294967295");
                let status = [number()?, number()?, number()?, number()?];
                let parameters = Parameters { mat1: number()?, mat2: number()?, tmat: number()? };
                Random::TinyMt(TinyMt32::from_status(status, parameters))
            }
            Random::Java(_) => {
                expect(&mut words, "java")?;
                Random::Java(JavaRandom::from_state(words.number("the state of java.util.Random")?))
            }
        };
        expect(&mut words, "cells")?;
        let board = words.board(rows, cols)?;
        Ok(Self { rules: course.rules(), board, combined, random })
    }
}

/// Steps over a word that must come next.
fn expect(words: &mut Words<'_>, wanted: &str) -> Result<(), ReadError> {
    let before = words.clone();
    match words.next() {
        Some(word) if word.text == wanted.as_bytes() => Ok(()),
        _ => Err(complain(before, &format!("\"{wanted}\""))),
    }
}

/// An error at the next word.
fn complain(mut words: Words<'_>, expected: &str) -> ReadError {
    match words.next() {
        Some(word) => word.error(expected),
        None => words.ends_early(expected),
    }
}
