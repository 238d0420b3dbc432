//! Means and rates of games, and how far luck reaches.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The mean of a sample and how much its values differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Number of values.
    pub count: usize,
    /// Their mean, 0 if there are none.
    pub mean: f64,
    /// Their variance (divided by one less than their number); `None` for fewer than two.
    variance: Option<f64>,
}

impl Mean {
    /// The mean of these values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let count = values.len();
        // The sum of nothing is -0.0, which would be printed with its sign.
        let mean = (0.0 + values.iter().sum::<f64>()) / count.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { count, mean, variance: (count > 1).then(|| squares / (count - 1) as f64) }
    }

    /// Half the width of the 95 % interval of the mean (Student's t); `None` for fewer than two values.
    #[must_use]
    pub fn ci95(&self) -> Option<f64> {
        Some(student_t(self.count as f64 - 1.0) * self.square_of_error()?.sqrt())
    }

    /// Whether two means differ at the 5 % level (Welch's t-test). Fewer than two values never tell.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> bool {
        let (Some(a), Some(b)) = (self.square_of_error(), other.square_of_error()) else { return false };
        let spread = a + b;
        if spread == 0.0 {
            return self.mean != other.mean;
        }
        let freedom = spread.powi(2) / (a.powi(2) / (self.count - 1) as f64 + b.powi(2) / (other.count - 1) as f64);
        (self.mean - other.mean).abs() > student_t(freedom) * spread.sqrt()
    }

    fn square_of_error(&self) -> Option<f64> {
        Some(self.variance? / self.count as f64)
    }
}

/// The two-sided 5 % point of Student's distribution.
fn student_t(freedom: f64) -> f64 {
    let Ok(distribution) = StudentsT::new(0.0, 1.0, freedom) else { return f64::INFINITY };
    distribution.inverse_cdf(0.975)
}

/// The 95 % interval of a rate by Wilson's score; from 0 to 1 if there were no trials.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
#[must_use]
pub fn rate_ci95(successes: usize, trials: usize) -> (f64, f64) {
    /// The two-sided 5 % point of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return (0.0, 1.0);
    }
    let trials = trials as f64;
    let rate = successes as f64 / trials;
    let middle = rate + Z * Z / (2.0 * trials);
    let reach = Z * (rate * (1.0 - rate) / trials + Z * Z / (4.0 * trials * trials)).sqrt();
    let whole = 1.0 + Z * Z / trials;
    (((middle - reach) / whole).max(0.0), ((middle + reach) / whole).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students() {
        let mean = Mean::of(&[200.0, 220.0, 240.0, 260.0, 280.0]);
        assert_eq!((mean.count, mean.mean), (5, 240.0));
        // s = 31.622 777, s / sqrt 5 = 14.142 136, t(4) = 2.776 445
        assert!((mean.ci95().unwrap() - 39.264_86).abs() < 1e-4, "{:?}", mean.ci95());
        assert_eq!(Mean::of(&[7.0]).ci95(), None);
        assert_eq!(format!("{:.1}", Mean::of(&[]).mean), "0.0");
    }

    /// From the usual table.
    #[test]
    fn the_points_of_students_distribution() {
        for (freedom, point) in [(1.0, 12.706), (2.0, 4.303), (9.0, 2.262), (30.0, 2.042), (120.0, 1.980), (1e6, 1.960)]
        {
            assert!((student_t(freedom) - point).abs() < 6e-4, "{freedom}: {}", student_t(freedom));
        }
    }

    #[test]
    fn near_players_cannot_be_told_apart() {
        let weak = Mean::of(&[200.0, 220.0, 240.0, 260.0, 280.0]);
        let near = Mean::of(&[210.0, 230.0, 250.0, 270.0, 290.0]);
        let strong = Mean::of(&[2000.0, 2200.0, 2400.0, 2600.0, 2800.0]);
        assert!(!weak.differs_from(&near));
        assert!(weak.differs_from(&strong));
        assert!(!weak.differs_from(&Mean::of(&[9000.0])));
        assert!(!weak.differs_from(&weak));
    }

    /// From R: `prop.test(x, n, correct = FALSE)$conf.int`.
    #[test]
    fn the_interval_of_a_rate_is_wilsons() {
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| (low - a).abs() < 1e-6 && (high - b).abs() < 1e-6;
        assert!(near(rate_ci95(0, 10), (0.0, 0.277_532_8)));
        assert!(near(rate_ci95(10, 10), (0.722_467_2, 1.0)));
        assert!(near(rate_ci95(5, 10), (0.236_593_1, 0.763_406_9)));
        assert_eq!(rate_ci95(0, 0), (0.0, 1.0));
    }
}
