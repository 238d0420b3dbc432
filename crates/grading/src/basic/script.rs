//! The scripted games: a seed and what is typed.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use estr2048::{Parameters, TinyMt32};

use super::engine;

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub name: String,
    pub seed: u32,
    /// What is typed after the seed, one letter a line.
    pub letters: Vec<u8>,
}

impl Script {
    /// Everything that goes into standard input.
    pub fn input(&self) -> String {
        let mut text = format!("{}\n", self.seed);
        for &letter in &self.letters {
            text.push(letter as char);
            text.push('\n');
        }
        text
    }
}

/// The games that every program plays.
pub fn standard() -> Vec<Script> {
    let game = |name: &str, seed, wrong| Script { name: name.into(), seed, letters: until_over(seed, wrong) };
    let short = |name: &str, letters: &[u8]| Script { name: name.into(), seed: 1234, letters: letters.into() };
    let mut cut = until_over(77, b"");
    cut.truncate(25);
    vec![
        game("a whole game", 1234, b""),
        game("another whole game", 2026, b""),
        game("a game with wrong letters", 5, b"X7#"),
        game("a game with lower-case letters", 31, b"uldr"),
        Script { name: "input that ends early".into(), seed: 77, letters: cut },
        short("no wrong input", b"RLUDRLUD"),
    ]
}

/// Letters that lead a game to its end: moves that change something, now and then one that does not, and now and then
/// one of `wrong`.
fn until_over(seed: u32, wrong: &[u8]) -> Vec<u8> {
    let mut random = TinyMt32::new(seed ^ 0x5eed, Parameters::OFFICIAL);
    let mut letters = Vec::new();
    loop {
        if !wrong.is_empty() && random.generate_u32().is_multiple_of(6) {
            letters.push(wrong[random.generate_u32() as usize % wrong.len()]);
        }
        letters.push(b"ULDR"[random.generate_u32() as usize % 4]);
        if engine::run(seed, &letters, None).over {
            return letters;
        }
    }
}

/// More games from a folder of the staff: each file is a standard input, the seed first, then letters.
pub fn from_folder(folder: &Path) -> Result<Vec<Script>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let script = |path: &std::path::PathBuf| -> Result<Script> {
        let text = std::fs::read_to_string(path)?;
        let mut words = text.split_whitespace();
        let seed = words.next().context("it is empty; the first line must be the seed")?;
        let seed = seed.parse().with_context(|| format!("its first word {seed:?} is no seed"))?;
        let letters: Vec<u8> = words.flat_map(str::bytes).collect();
        ensure!(letters.is_ascii(), "it holds letters that are not ASCII");
        Ok(Script { name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), seed, letters })
    };
    paths.iter().map(|path| script(path).with_context(|| path.display().to_string())).collect()
}
