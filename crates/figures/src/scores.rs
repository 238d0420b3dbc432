//! How far games come: the share of them that reach a score.

use crate::axis::Axis;
use crate::chart::{self, Form, Legend, Panel, Series};

/// The games of one player.
#[derive(Clone, Debug)]
pub struct Group {
    /// Who played.
    pub label: String,
    pub scores: Vec<i64>,
}

/// The share of each group's games that reach a score.
#[must_use]
pub fn scores(groups: &[Group]) -> String {
    let most = groups.iter().flat_map(|group| &group.scores).max().copied().unwrap_or(0);
    let x = Axis::of_sums("score (sum of all tiles)", most as f64);
    let series = groups.iter().map(|Group { label, scores }| Series {
        label: format!("{label}, {} games", scores.len()),
        points: steps(scores, x.high),
        form: Form::Line,
    });
    let panel = Panel {
        y: Axis::percent("games that reach the score (%)"),
        series: series.collect(),
        legend: Legend::AboveRight,
    };
    let title = match groups {
        [Group { label, scores }] => format!("Scores: {label}, {} games", scores.len()),
        _ => "Share of games that reach a score".into(),
    };
    chart::draw(&title, &x, &[panel])
}

/// From all games at 0 down by one game at each score.
fn steps(scores: &[i64], end: f64) -> Vec<(f64, f64)> {
    let mut scores: Vec<f64> = scores.iter().map(|&score| score as f64).collect();
    scores.sort_by(f64::total_cmp);
    let share = |games: usize| 100.0 * games as f64 / scores.len().max(1) as f64;
    let mut points = vec![(0.0, 100.0)];
    for (lower, &score) in scores.iter().enumerate() {
        points.push((score, share(scores.len() - lower)));
        points.push((score, share(scores.len() - lower - 1)));
    }
    points.push((end, 0.0));
    points
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn each_game_is_a_step_down() {
        let corners = [(0.0, 100.0), (10.0, 100.0), (10.0, 50.0), (30.0, 50.0), (30.0, 0.0), (32.0, 0.0)];
        assert_eq!(steps(&[30, 10], 32.0), corners);
    }
}
