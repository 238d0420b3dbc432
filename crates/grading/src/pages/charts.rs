//! Drawings of scores, as SVG that takes its colours from the page.

use maud::{Markup, html};

use crate::statistics::Scores;

const WIDTH: f64 = 260.0;
/// Half of the longest number of an axis fits into it.
const MARGIN: f64 = 20.0;

/// A logarithmic axis of scores: each tile doubles them.
pub struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis with room for all scores and intervals.
    pub fn over(scores: &[Scores]) -> Self {
        let played = || scores.iter().filter(|scores| scores.games > 0 && scores.best > 0);
        let high = played().map(|scores| scores.best as f64).fold(64.0, f64::max);
        let low = played().map(|scores| (scores.mean / 2.0).max(2.0)).fold(high / 2.0, f64::min);
        Self { low: low.log2().floor(), high: high.log2().ceil() }
    }

    fn x(&self, score: f64) -> f64 {
        let share = (score.max(1.0).log2() - self.low) / (self.high - self.low).max(1.0);
        MARGIN + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN)
    }

    /// The numbers of the axis.
    pub fn head(&self) -> Markup {
        let steps = ((self.high - self.low) / 5.0).ceil().max(1.0) as usize;
        let marks: Vec<f64> =
            (self.low as i64..=self.high as i64).step_by(steps).map(|power| (power as f64).exp2()).collect();
        html! {
            svg width=(WIDTH) height="14" role="img" aria-label="score" {
                @for mark in marks { text x=(self.x(mark)) y="11" text-anchor="middle" { (mark) } }
            }
        }
    }

    /// Best, mean and the mean's interval of one player.
    pub fn interval(&self, scores: &Scores) -> Markup {
        let label = format!("best {}, mean {:.1} ± {:.1}", scores.best, scores.mean, scores.ci95);
        html! {
            @if scores.games > 0 {
                svg width=(WIDTH) height="18" role="img" aria-label=(label) {
                    title { (label) }
                    line.axis x1="0" x2=(WIDTH) y1="9" y2="9" {}
                    @if scores.ci95.is_finite() {
                        line.range x1=(self.x(scores.mean - scores.ci95)) x2=(self.x(scores.mean + scores.ci95)) y1="9" y2="9" {}
                    }
                    circle.mean cx=(self.x(scores.mean)) cy="9" r="4" {}
                    circle.best cx=(self.x(scores.best as f64)) cy="9" r="5" {}
                }
            }
        }
    }
}

/// How many players have a best score from each power of two to the next.
pub fn distribution(scores: &[Scores]) -> Markup {
    const HEIGHT: f64 = 150.0;
    const COLUMN: f64 = 62.0;
    let class = |scores: &Scores| (scores.best > 0).then(|| (scores.best as u64).ilog2());
    let classes: Vec<u32> = scores.iter().filter_map(class).collect();
    let none = scores.len() - classes.len();
    let (low, high) = (classes.iter().min().copied().unwrap_or(5), classes.iter().max().copied().unwrap_or(5));
    let mut bars: Vec<(String, usize)> = if none > 0 { vec![("0".into(), none)] } else { Vec::new() };
    bars.extend((low..=high).map(|power| {
        let count = classes.iter().filter(|&&other| other == power).count();
        (format!("{}–{}", 1_u64 << power, (2_u64 << power) - 1), count)
    }));
    let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(1).max(1) as f64;
    let width = COLUMN.mul_add(bars.len() as f64, 10.0);
    html! {
        div.wide { svg width=(width) height=(HEIGHT + 40.0) role="img" aria-label="distribution of best scores" {
            @for (at, (label, count)) in bars.iter().enumerate() {
                @let height = HEIGHT * *count as f64 / most;
                @let x = COLUMN.mul_add(at as f64, 6.0);
                rect.bar x=(x) y=(HEIGHT + 16.0 - height) width=(COLUMN - 8.0) height=(height) {}
                text x=(x + COLUMN / 2.0 - 4.0) y=(HEIGHT + 12.0 - height) text-anchor="middle" { (count) }
                text x=(x + COLUMN / 2.0 - 4.0) y=(HEIGHT + 32.0) text-anchor="middle" font-size="9" { (label) }
            }
        } }
    }
}
