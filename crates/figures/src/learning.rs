//! The learning curve of a network.

use anyhow::{Context, Result, ensure};

use crate::axis::Axis;
use crate::chart::{self, Form, Legend, Panel, Series};

/// The curve in the text of a `.csv` file that `estr2048 train` writes: the mean score, and the share of games that reach
/// a sum, each over the moves learned from. Lines that begin with `#` are remarks.
///
/// # Errors
/// If the text has no such columns, or a line is damaged.
pub fn learning(csv: &str, title: &str) -> Result<String> {
    let mut lines = csv.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let (_, head) = lines.next().context("the learning curve is empty")?;
    let names: Vec<&str> = head.split(',').collect();
    let column = |name: &str| names.iter().position(|&found| found == name);
    let moves = column("moves").context("the learning curve has no column \"moves\"")?;
    let mean = column("mean").context("the learning curve has no column \"mean\"")?;
    let mut rows = Vec::new();
    for (number, line) in lines {
        let row: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        let row = row.ok().filter(|row| row.len() == names.len());
        rows.push(row.with_context(|| format!("line {} of the learning curve is damaged", number + 1))?);
    }
    // In a window of nothing but games from late boards there is no score of a whole game.
    rows.retain(|row| row[mean] > 0.0);
    ensure!(!rows.is_empty(), "the learning curve has no game yet");
    let last = rows.iter().map(|row| row[moves]).fold(0.0, f64::max);
    let (unit, name) = unit(last);
    let points =
        |column: usize, factor: f64| rows.iter().map(|row| (row[moves] / unit, row[column] * factor)).collect();
    let line = |label: String, points| Series { label, points, form: Form::Line };
    let means: Vec<(f64, f64)> = points(mean, 1.0);
    let most = means.iter().map(|&(_, mean)| mean).fold(0.0, f64::max);
    let mut shares = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let sum = name.strip_prefix('r').and_then(|sum| sum.parse::<u32>().ok());
        if let Some(sum) = sum.filter(|_| rows.iter().any(|row| row[place] > 0.0)) {
            shares.push(line(format!("{sum}"), points(place, 100.0)));
        }
    }
    let mut panels = vec![Panel {
        y: Axis::from_zero("mean score", most),
        series: vec![line(String::new(), means)],
        legend: Legend::BelowRight,
    }];
    if !shares.is_empty() {
        let label = match &shares[..] {
            [one] => format!("games that reach {} (%)", one.label),
            _ => "games that reach a score (%)".into(),
        };
        panels.push(Panel { y: Axis::percent(label), series: shares, legend: Legend::BelowRight });
    }
    let x = Axis::from_zero(format!("{name} learned from"), last / unit);
    Ok(chart::draw(title, &x, &panels))
}

/// The unit in which so many moves are counted.
fn unit(moves: f64) -> (f64, &'static str) {
    match moves {
        2e9.. => (1e9, "thousand million moves"),
        2e6.. => (1e6, "million moves"),
        2e3.. => (1e3, "thousand moves"),
        _ => (1.0, "moves"),
    }
}

#[cfg(test)]
mod tests {
    use super::learning;

    #[test]
    fn a_curve_has_a_panel_for_each_unit() {
        let csv = "# a remark\nmoves,mean,r16384,r32768\n1000000,900,0,0\n3000000,20000,0.5,0\n";
        let picture = learning(csv, "Training").unwrap();
        for text in ["million moves learned from", "mean score", "games that reach 16384 (%)", "20000"] {
            assert!(picture.contains(text), "{text}");
        }
        assert!(!picture.contains("32768"));
    }

    #[test]
    fn what_is_no_curve_is_told() {
        for (csv, complaint) in [
            ("", "empty"),
            ("a,b\n1,2\n", "no column \"moves\""),
            ("moves,mean\n1\n", "line 2"),
            ("moves,mean\n1,x\n", "line 2"),
            ("moves,mean\n7,0\n", "no game yet"),
        ] {
            assert!(learning(csv, "").unwrap_err().to_string().contains(complaint), "{csv:?}");
        }
    }
}
