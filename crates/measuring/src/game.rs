//! One game under the assignment's rules, timed move by move.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use estr2048::board::GameBoard;
use estr2048::courses::estr1002::Game;
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048_toolbox::interrupt;
use serde::{Deserialize, Serialize};

use crate::player::Player;

/// What is kept of a finished game: one line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Seed of the generator.
    pub seed: u32,
    /// Sum of all tiles at the end.
    pub score: i64,
    /// Moves made.
    pub moves: u64,
    /// Largest tile.
    pub tile: i32,
    /// Whether the game stopped because the generator never reached an empty cell.
    pub stuck: bool,
    /// Seconds that the player thought.
    pub seconds: f64,
    /// Longest move, in microseconds.
    pub us_max: f64,
    /// How many moves took how long: microseconds, rounded to two digits, and a count.
    pub times: BTreeMap<u64, u64>,
}

/// Plays one game to its end. `watch` sees every board that the player sees. `None` if the work was asked to stop.
///
/// # Errors
/// If the player fails, or names a direction that changes nothing while another one would.
pub fn play(
    player: &mut dyn Player,
    seed: u32,
    parameters: Parameters,
    mut watch: impl FnMut(&GameBoard),
) -> Result<Option<GameRecord>> {
    let mut game: Game = Game::new(TinyMt32::new(seed, parameters));
    let mut record = GameRecord {
        seed,
        score: 0,
        moves: 0,
        tile: 0,
        stuck: false,
        seconds: 0.0,
        us_max: 0.0,
        times: BTreeMap::new(),
    };
    loop {
        if interrupt::asked() {
            return Ok(None);
        }
        watch(game.board());
        let start = Instant::now();
        let choice = player.choose(game.board())?;
        let time = start.elapsed().as_secs_f64();
        let Some(direction) = choice else {
            ensure!(game.is_over(), "seed {seed}: the player gave up on a board that can still move");
            break;
        };
        record.seconds += time;
        record.us_max = record.us_max.max(time * 1e6);
        *record.times.entry(two_digits(time * 1e6)).or_default() += 1;
        let played = game.play(direction);
        ensure!(played != Ok(false), "seed {seed}: {} changes nothing", direction.letter());
        record.moves += 1;
        if played.is_err() {
            record.stuck = true;
            break;
        }
    }
    record.score = game.score();
    record.tile = game.board().as_flattened().iter().copied().max().unwrap_or(0);
    Ok(Some(record))
}

/// Rounded up to two significant digits.
fn two_digits(us: f64) -> u64 {
    let us = us.ceil() as u64;
    let unit = 10_u64.pow(us.checked_ilog10().unwrap_or(0).saturating_sub(1));
    us.div_ceil(unit) * unit
}
