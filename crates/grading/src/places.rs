//! The class list: every submission with its rank and its marks.

use crate::marks::{self, Scheme};
use crate::report::Report;

/// A line of the class list.
pub struct Place<'a> {
    pub report: &'a Report,
    pub rank: Option<usize>,
    pub mark: f64,
    pub bonus: f64,
    /// The basic part's mark; none where there is no basic part, or a human must look first.
    pub basic: Option<f64>,
}

/// All submissions with rank and marks, best first.
pub fn places<'a>(reports: &'a [Report], scheme: &Scheme) -> Vec<Place<'a>> {
    let best: Vec<i64> = reports.iter().map(|report| report.scores().best).collect();
    let ranks = marks::ranks(&best);
    let mut places: Vec<Place<'_>> = reports
        .iter()
        .zip(best.iter().zip(ranks))
        .map(|(report, (&best, rank))| {
            let mark = scheme.mark(best);
            // A bonus is for players that earned a mark.
            let bonus = rank.filter(|_| mark > 0.0).map_or(0.0, |rank| scheme.bonus(rank));
            let basic = report.basic.as_ref().and_then(|basic| scheme.basic_mark(basic));
            Place { report, rank, mark, bonus, basic }
        })
        .collect();
    places.sort_by(|a, b| {
        let key = |place: &Place<'_>| place.rank.unwrap_or(usize::MAX);
        key(a).cmp(&key(b)).then_with(|| a.report.id.cmp(&b.report.id))
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_0_brings_no_bonus() {
        let mut weak = Report::new("1", String::new());
        weak.games.push(crate::report::tests::game(30));
        let reports = [weak];
        let places = places(&reports, &Scheme::default());
        assert_eq!((places[0].rank, places[0].mark, places[0].bonus), (Some(1), 0.0, 0.0));
    }
}
