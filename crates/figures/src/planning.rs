//! Planned games: one on its way, or what came of many.

use anyhow::{Context, Result, ensure};

use crate::axis::Axis;
use crate::chart::{self, Form, Legend, Panel, Series};

/// The beam over one game, from the text that `estr2048 perfect --trace` writes: how many moves the network expects from
/// the best board, and how many boards are kept. Lines that begin with `#` are remarks.
///
/// # Errors
/// If the text is no such trace.
pub fn beam(trace: &str, title: &str) -> Result<String> {
    let mut lines = trace.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let (_, head) = lines.next().context("the trace is empty")?;
    ensure!(head == "depth,sum,boards,width,value,deaths", "the trace does not begin with its six names");
    let (mut values, mut boards) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let row: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        let row = row.ok().and_then(|row| <[f64; 6]>::try_from(row).ok());
        let [_, sum, kept, _, value, _] =
            row.with_context(|| format!("line {} of the trace is damaged", number + 1))?;
        values.push((sum, value));
        boards.push((sum, kept));
    }
    let most = |points: &[(f64, f64)]| points.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    let x = Axis::of_sums("sum of all tiles", values.last().map_or(0.0, |&(sum, _)| sum));
    let panels = [
        (Axis::from_zero("value of the best board (moves)", most(&values)), values),
        (Axis::doubling("boards in the beam", most(&boards)), boards),
    ];
    let panels = panels.map(|(y, points)| Panel {
        y,
        series: vec![Series { label: String::new(), points, form: Form::Line }],
        legend: Legend::AboveRight,
    });
    Ok(chart::draw(title, &x, &panels))
}

/// What came of planning the game of a seed.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    pub seed: u32,
    pub score: i64,
    pub seconds: f64,
}

/// The score and the time of every planned game, seed by seed.
#[must_use]
pub fn planned(games: &[Planned], title: &str) -> String {
    let seeds = || games.iter().map(|game| game.seed);
    let x = Axis::of_numbers("seed", seeds().min().unwrap_or(0), seeds().max().unwrap_or(0));
    let dots = |value: fn(&Planned) -> f64| -> Vec<(f64, f64)> {
        games.iter().map(|game| (f64::from(game.seed), value(game))).collect()
    };
    let (scores, times) = (dots(|game| game.score as f64), dots(|game| game.seconds));
    let longest = times.iter().map(|&(_, time)| time).fold(0.0, f64::max);
    let highest = scores.iter().map(|&(_, score)| score).fold(0.0, f64::max);
    let panels = [
        (Axis::of_sums("best score (sum of all tiles)", highest), scores),
        (Axis::from_zero("time of planning (s)", longest), times),
    ];
    let panels = panels.map(|(y, points)| Panel {
        y,
        series: vec![Series { label: String::new(), points, form: Form::Dots }],
        legend: Legend::AboveRight,
    });
    chart::draw(title, &x, &panels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_drawn_and_anything_else_refused() {
        let trace = "depth,sum,boards,width,value,deaths\n0,2,1,16,9000.0,0\n64,130,16,16,9500.5,0\n";
        let picture = beam(trace, "Seed 7").unwrap();
        for text in ["Seed 7", "sum of all tiles", "value of the best board (moves)", "boards in the beam"] {
            assert!(picture.contains(text), "{text}");
        }
        for wrong in ["", "1,2\n", "depth,sum,boards,width,value,deaths\n1,2,3\n"] {
            assert!(beam(wrong, "").is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn each_seed_is_a_dot_in_both_panels() {
        let games = [1, 2].map(|seed| Planned { seed, score: 131_070, seconds: 2.5 });
        let picture = planned(&games, "Two seeds");
        assert_eq!(picture.matches("<circle").count(), 4);
        assert!(picture.contains("time of planning (s)") && picture.contains("best score"));
    }
}
