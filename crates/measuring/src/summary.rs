//! What many games come to.

use std::collections::BTreeMap;
use std::fmt;

use estr2048_toolbox::statistics::{Mean, rate_ci95};
use serde::Serialize;

use crate::game::GameRecord;

/// Tiles whose reach rates are given in JSON; in words, those that tell about the player.
const TILES: [i32; 15] = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Sums whose reach rates are given beside the tiles: the places where games end.
const SUMS: [i64; 4] = [49152, 57344, 61440, 64512];

/// The numbers of `estr2048 run`.
#[derive(Debug, Serialize)]
pub struct Summary {
    games: usize,
    mean: f64,
    /// Half the width of the 95 % interval of the mean, if there are at least two games.
    ci95: Option<f64>,
    median: i64,
    min: i64,
    min_seed: u32,
    max: i64,
    /// Share of the games that made this tile.
    tiles: BTreeMap<i32, f64>,
    /// The 95 % intervals of these shares.
    tiles_ci95: BTreeMap<i32, (f64, f64)>,
    /// Share of the games whose sum came so far.
    sums: BTreeMap<i64, f64>,
    /// The 95 % intervals of these shares.
    sums_ci95: BTreeMap<i64, (f64, f64)>,
    /// Games that stopped because the generator never reached an empty cell.
    stuck: usize,
    moves_per_s: f64,
    us_mean: f64,
    us_p99: f64,
    us_p999: f64,
    us_max: f64,
}

impl Summary {
    /// The summary of these games, `None` if there are none.
    #[must_use]
    pub fn of(records: &[GameRecord]) -> Option<Self> {
        let games = records.len();
        let worst = records.iter().min_by_key(|record| record.score)?;
        let mut scores: Vec<i64> = records.iter().map(|record| record.score).collect();
        scores.sort_unstable();
        let mean = Mean::of(&scores.iter().map(|&score| score as f64).collect::<Vec<_>>());
        let share = |count: usize| count as f64 / games as f64;
        let made = |tile: i32| records.iter().filter(|record| record.tile >= tile).count();
        let reached = |sum: i64| scores.iter().filter(|&&score| score >= sum).count();
        let moves: u64 = records.iter().map(|record| record.moves).sum();
        let seconds: f64 = records.iter().map(|record| record.seconds).sum();
        Some(Self {
            games,
            mean: mean.mean,
            ci95: mean.ci95(),
            median: (scores[(games - 1) / 2] + scores[games / 2]) / 2,
            min: worst.score,
            min_seed: worst.seed,
            max: scores[games - 1],
            tiles: TILES.into_iter().map(|tile| (tile, share(made(tile)))).collect(),
            tiles_ci95: TILES.into_iter().map(|tile| (tile, rate_ci95(made(tile), games))).collect(),
            sums: SUMS.into_iter().map(|sum| (sum, share(reached(sum)))).collect(),
            sums_ci95: SUMS.into_iter().map(|sum| (sum, rate_ci95(reached(sum), games))).collect(),
            stuck: records.iter().filter(|record| record.stuck).count(),
            moves_per_s: moves as f64 / seconds,
            us_mean: seconds * 1e6 / moves as f64,
            us_p99: percentile(records, 0.99),
            us_p999: percentile(records, 0.999),
            us_max: records.iter().map(|record| record.us_max).fold(0.0, f64::max),
        })
    }
}

/// The time that this share of all moves did not pass, in microseconds, rounded up to two digits.
fn percentile(records: &[GameRecord], share: f64) -> f64 {
    let mut times = BTreeMap::<u64, u64>::new();
    for (&us, &count) in records.iter().flat_map(|record| &record.times) {
        *times.entry(us).or_default() += count;
    }
    let total: u64 = times.values().sum();
    let mut left = (total as f64 * share).ceil() as u64;
    for (us, count) in times {
        if count >= left {
            return us as f64;
        }
        left -= count;
    }
    0.0
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games     {}", self.games)?;
        match self.ci95 {
            Some(ci95) => writeln!(f, "mean      {:.0} ± {ci95:.0} (95 %)", self.mean)?,
            None => writeln!(f, "mean      {:.0} (one game tells nothing about the next)", self.mean)?,
        }
        writeln!(f, "median    {}", self.median)?;
        writeln!(f, "min       {} (seed {})", self.min, self.min_seed)?;
        writeln!(f, "max       {}", self.max)?;
        if self.stuck > 0 {
            writeln!(f, "stuck     {} (the generator never reached an empty cell)", self.stuck)?;
        }
        let percent = |rate: f64, (low, high): (f64, f64)| {
            format!("{:5.1} %  ({:.1} to {:.1})", rate * 100.0, low * 100.0, high * 100.0)
        };
        // From the last tile that all games made to the first that none did.
        let (all, made) =
            (self.tiles.values().filter(|&&rate| rate == 1.0), self.tiles.values().filter(|&&rate| rate > 0.0));
        let told = all.count().saturating_sub(1)..=made.count();
        for (_, (tile, &rate)) in self.tiles.iter().enumerate().filter(|(place, _)| told.contains(place)) {
            writeln!(f, "tile {tile:5}     {}", percent(rate, self.tiles_ci95[tile]))?;
        }
        // A player that never comes near the first of these sums has nothing to tell about them.
        let near = self.max >= SUMS[0] / 2;
        for (sum, &rate) in self.sums.iter().filter(|_| near) {
            writeln!(f, "sum >= {sum:5}   {}", percent(rate, self.sums_ci95[sum]))?;
        }
        writeln!(f, "moves/s   {:.0}", self.moves_per_s)?;
        let Self { us_mean, us_p99, us_p999, us_max, .. } = self;
        writeln!(f, "us a move mean {us_mean:.1}, p99 {us_p99:.0}, p99.9 {us_p999:.0}, max {us_max:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(seed: u32, score: i64, times: &[(u64, u64)]) -> GameRecord {
        let times: BTreeMap<u64, u64> = times.iter().copied().collect();
        let moves = times.values().sum();
        GameRecord { seed, score, moves, tile: 2048, stuck: false, seconds: 0.01, us_max: 70.0, times }
    }

    #[test]
    fn numbers_by_hand() {
        let records = [record(1, 10, &[(5, 98)]), record(2, 40, &[(9, 1), (70, 1)]), record(3, 70, &[])];
        let summary = Summary::of(&records).unwrap();
        assert_eq!((summary.mean, summary.median, summary.min, summary.min_seed, summary.max), (40.0, 40, 10, 1, 70));
        // t(2) = 4.302 653
        assert!((summary.ci95.unwrap() - 4.302_653 * 30.0 / 3.0_f64.sqrt()).abs() < 1e-3);
        assert_eq!(summary.tiles[&2048], 1.0);
        assert_eq!(summary.tiles[&4096], 0.0);
        assert_eq!((summary.us_p99, summary.us_p999), (9.0, 70.0));
        assert!(summary.tiles_ci95[&2048].0 > 0.4 && summary.tiles_ci95[&4096].1 < 0.6);
        assert!(Summary::of(&[]).is_none());
        let one = Summary::of(&records[..1]).unwrap();
        assert_eq!(one.ci95, None);
        assert!(one.to_string().contains("mean      10 (one game"));
    }
}
