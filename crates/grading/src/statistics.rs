//! What the scores of one player come to.

use estr2048_toolbox::statistics::Mean;

/// Scores of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    pub games: usize,
    pub best: i64,
    pub mean: f64,
    /// Half the width of the 95 % interval of the mean; infinite for fewer than two games.
    pub ci95: f64,
    sample: Mean,
}

impl Scores {
    pub fn of(scores: &[i64]) -> Self {
        let sample = Mean::of(&scores.iter().map(|&score| score as f64).collect::<Vec<_>>());
        let best = scores.iter().copied().max().unwrap_or(0);
        Self { games: sample.count, best, mean: sample.mean, ci95: sample.ci95().unwrap_or(f64::INFINITY), sample }
    }

    /// Whether the means differ at the 5 % level.
    pub fn differs_from(&self, other: &Self) -> bool {
        self.sample.differs_from(&other.sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_mean_and_interval() {
        let scores = Scores::of(&[200, 220, 240, 280, 260]);
        assert_eq!((scores.games, scores.best, scores.mean), (5, 280, 240.0));
        assert!((scores.ci95 - 39.2649).abs() < 1e-3);
        assert_eq!(Scores::of(&[9000]).ci95, f64::INFINITY);
        assert_eq!(format!("{:.1}", Scores::of(&[]).mean), "0.0");
        assert!(!scores.differs_from(&Scores::of(&[9000])));
        assert!(scores.differs_from(&Scores::of(&[2000, 2200, 2400])));
    }
}
