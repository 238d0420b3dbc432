//! Which games are played: seeds that a student cannot guess, and none whose games cannot be finished.

use anyhow::{Context, Result, anyhow, bail, ensure};
use estr2048::courses::estr1002::draw_cell;
use estr2048::{Parameters, TinyMt32};
use estr2048_toolbox::range;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What starts a game's random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seed {
    /// The assignment's: one 32-bit number.
    Narrow(u32),
    /// 128 bits, as four keys.
    Wide([u32; 4]),
}

impl Seed {
    /// The generator, with the assignment's zero parameters.
    pub fn generator(self) -> TinyMt32 {
        match self {
            Self::Narrow(seed) => TinyMt32::new(seed, Parameters::ZERO),
            Self::Wide(keys) => TinyMt32::from_keys(&keys, Parameters::ZERO),
        }
    }

    /// Whether it has 128 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, Self::Wide(_))
    }

    /// Whether its draws reach all sixteen cells. With zero parameters a few seeds only ever draw eight.
    pub fn reaches_all_cells(self) -> bool {
        /// Draws in which sixteen equally likely cells are all hit but for a chance below 10^-25.
        const ENOUGH: usize = 1024;
        let mut random = self.generator();
        let seen = (0..ENOUGH).fold(0_u16, |seen, _| seen | 1 << draw_cell(&mut random));
        seen == u16::MAX
    }
}

impl std::fmt::Display for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Narrow(seed) => write!(f, "{seed}"),
            Self::Wide(keys) => keys.iter().try_for_each(|key| write!(f, "{key:08x}")),
        }
    }
}

impl std::str::FromStr for Seed {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.len() == 32 {
            let mut keys = [0; 4];
            for (key, at) in keys.iter_mut().zip((0..).step_by(8)) {
                *key = u32::from_str_radix(text.get(at..at + 8).context("not hexadecimal")?, 16)?;
            }
            return Ok(Self::Wide(keys));
        }
        Ok(Self::Narrow(
            text.parse().with_context(|| format!("{text:?} is no seed: use a number from 0 to 4294967295"))?,
        ))
    }
}

/// Seeds from a secret and the name of a run: both again give the same seeds, another run has others, and from some of
/// them nobody can find the rest.
pub fn from_secret(secret: &[u8], run: &str, games: usize, wide: bool) -> Vec<Seed> {
    let candidate = |number: u64| {
        let hash = Sha256::new().chain_update(b"estr2048 seeds 2\0").chain_update(number.to_le_bytes());
        let hash = hash.chain_update((run.len() as u64).to_le_bytes()).chain_update(run);
        let hash = hash.chain_update(secret).finalize();
        let word = |at: usize| u32::from_le_bytes([hash[at], hash[at + 1], hash[at + 2], hash[at + 3]]);
        if wide { Seed::Wide([word(0), word(4), word(8), word(12)]) } else { Seed::Narrow(word(0)) }
    };
    (0..).map(candidate).filter(|seed| seed.reaches_all_cells()).take(games).collect()
}

/// A name for a run that has none: 64 random bits.
pub fn fresh_name() -> Result<String> {
    Ok(random::<8>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A secret that nobody keeps.
pub fn fresh_secret() -> Result<[u8; 32]> {
    random()
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    ensure!(filled == bytes.len(), "the kernel gave no random numbers");
    Ok(bytes)
}

/// Seeds that the staff name: `1,5,9` or `1..5` or both mixed.
///
/// # Errors
/// For a seed that cannot finish a game; inside a range such seeds are left out.
pub fn parse(text: &str) -> Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if part.contains("..") {
            let range = range::parse(part).map_err(|error| anyhow!("{part:?} is no range of seeds: {error}"))?;
            ensure!(range.end() - range.start() < 100_000, "{part:?} has more than 100000 seeds");
            seeds.extend(range.map(Seed::Narrow).filter(|seed| seed.reaches_all_cells()));
        } else {
            let seed: Seed = part.parse()?;
            if !seed.reaches_all_cells() {
                bail!("seed {seed} only ever draws half of the cells, so its games cannot be finished; choose another");
            }
            seeds.push(seed);
        }
    }
    ensure!(!seeds.is_empty(), "--seeds names no seed");
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_draw_half_of_the_cells_are_known() {
        for seed in [33914, 45834, 69557, 73509, 96248, 150_515] {
            assert!(!Seed::Narrow(seed).reaches_all_cells(), "{seed}");
            assert!(parse(&seed.to_string()).is_err());
        }
        assert!((1..300).all(|seed| Seed::Narrow(seed).reaches_all_cells()));
        assert_eq!(parse("33913..33915").unwrap(), [Seed::Narrow(33913), Seed::Narrow(33915)]);
    }

    #[test]
    fn a_secret_gives_the_same_seeds_again_and_another_secret_others() {
        let seeds = from_secret(b"class of 2026", "final", 5, false);
        assert_eq!(seeds, from_secret(b"class of 2026", "final", 5, false));
        assert_eq!(seeds[..3], from_secret(b"class of 2026", "final", 3, false));
        assert_ne!(seeds, from_secret(b"class of 2027", "final", 5, false));
        assert_ne!(seeds, from_secret(b"class of 2026", "pre-test", 5, false));
        let wide = from_secret(b"x", "", 2, true);
        assert_eq!(wide[1].to_string().parse::<Seed>().unwrap(), wide[1]);
    }
}
