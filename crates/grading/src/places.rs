//! The class list: every submission with its rank and its marks.

use crate::marks::{self, Scheme};
use crate::report::Report;

/// A line of the class list.
pub struct Place<'a> {
    pub report: &'a Report,
    pub rank: Option<usize>,
    pub mark: f64,
    pub bonus: f64,
}

/// All submissions with rank and marks, best first.
pub fn places<'a>(reports: &'a [Report], scheme: &Scheme) -> Vec<Place<'a>> {
    let best: Vec<i64> = reports.iter().map(|report| report.scores().best).collect();
    let ranks = marks::ranks(&best);
    let mut places: Vec<Place<'_>> = reports
        .iter()
        .zip(best.iter().zip(ranks))
        .map(|(report, (&best, rank))| Place {
            report,
            rank,
            mark: scheme.mark(best),
            bonus: rank.map_or(0.0, |rank| scheme.bonus(rank)),
        })
        .collect();
    places.sort_by(|a, b| {
        let key = |place: &Place<'_>| place.rank.unwrap_or(usize::MAX);
        key(a).cmp(&key(b)).then_with(|| a.report.id.cmp(&b.report.id))
    });
    places
}
