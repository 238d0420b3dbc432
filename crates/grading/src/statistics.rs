//! Mean, 95 % interval, and whether two players can be told apart.

/// Scores of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    pub games: usize,
    pub best: i64,
    pub mean: f64,
    /// Half the width of the 95 % interval of the mean (Student's t); infinite for fewer than two games.
    pub ci95: f64,
    variance: f64,
}

impl Scores {
    pub fn of(scores: Vec<i64>) -> Self {
        let games = scores.len();
        let mean = scores.iter().sum::<i64>() as f64 / games.max(1) as f64;
        let squares: f64 = scores.iter().map(|&score| (score as f64 - mean).powi(2)).sum();
        let variance = if games > 1 { squares / (games - 1) as f64 } else { f64::INFINITY };
        let ci95 = student_t(games.saturating_sub(1) as f64) * (variance / games.max(1) as f64).sqrt();
        Self { games, best: scores.iter().copied().max().unwrap_or(0), mean, ci95, variance }
    }

    /// Whether the means differ at the 5 % level (Welch's t-test).
    pub fn differs_from(&self, other: &Self) -> bool {
        let part = |scores: &Self| scores.variance / scores.games.max(1) as f64;
        let (a, b) = (part(self), part(other));
        let spread = a + b;
        if !spread.is_finite() {
            return false;
        }
        if spread == 0.0 {
            return self.mean != other.mean;
        }
        let freedom = spread.powi(2) / (a.powi(2) / (self.games - 1) as f64 + b.powi(2) / (other.games - 1) as f64);
        (self.mean - other.mean).abs() > student_t(freedom) * spread.sqrt()
    }
}

/// The two-sided 5 % point of Student's distribution (the usual table; between its lines the stricter value).
fn student_t(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 18] = [
        (1.0, 12.706),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (9.0, 2.262),
        (10.0, 2.228),
        (12.0, 2.179),
        (15.0, 2.131),
        (20.0, 2.086),
        (30.0, 2.042),
        (60.0, 2.000),
        (120.0, 1.980),
        (1000.0, 1.962),
        (f64::INFINITY, 1.960),
    ];
    TABLE.iter().rev().find(|(least, _)| freedom >= *least).map_or(12.706, |&(_, t)| t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students() {
        let scores = Scores::of(vec![200, 220, 240, 260, 280]);
        assert_eq!((scores.best, scores.mean), (280, 240.0));
        // s = 31.6228, s / sqrt 5 = 14.1421, t(4) = 2.776
        assert!((scores.ci95 - 39.2585).abs() < 1e-3);
    }

    #[test]
    fn near_players_cannot_be_told_apart() {
        let weak = Scores::of(vec![200, 220, 240, 260, 280]);
        let near = Scores::of(vec![210, 230, 250, 270, 290]);
        let strong = Scores::of(vec![2000, 2200, 2400, 2600, 2800]);
        assert!(!weak.differs_from(&near));
        assert!(weak.differs_from(&strong));
        assert!(!weak.differs_from(&Scores::of(vec![9000])));
        assert!(!weak.differs_from(&weak));
    }
}
