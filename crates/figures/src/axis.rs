//! An axis: what it shows, in which unit, and where its marks are.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The most marks of an axis.
const MOST_MARKS: f64 = 8.0;

/// An axis from one value to another.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    pub low: f64,
    pub high: f64,
    /// The values that are written beside it.
    marks: Vec<f64>,
    /// Each value is as far from its double as any other.
    logarithmic: bool,
}

impl Axis {
    /// From 0 to the first round number that is not below `most`.
    pub fn from_zero(label: impl Into<String>, most: f64) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        let rough = most / MOST_MARKS;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|&step| step >= rough);
        Self::stepped(label, 0.0, most, step.unwrap_or(unit))
    }

    /// Shares of games, from 0 to 100 %.
    pub fn percent(label: impl Into<String>) -> Self {
        Self::stepped(label, 0.0, 100.0, 20.0)
    }

    /// From 0, with marks at multiples of a power of two, as the sums of this game have their thresholds.
    pub fn of_sums(label: impl Into<String>, most: f64) -> Self {
        let step = (most / MOST_MARKS).max(1.0).log2().ceil().exp2();
        Self::stepped(label, 0.0, most, step)
    }

    /// From the first number to the last, which are whole.
    pub fn of_numbers(label: impl Into<String>, first: u32, last: u32) -> Self {
        let (first, last) = (f64::from(first), f64::from(last));
        let wide = Self::from_zero(label, last - first);
        let step = (wide.marks[1] - wide.marks[0]).max(1.0);
        let marks = std::iter::successors(Some(first), |mark| Some(mark + step)).take_while(|&mark| mark <= last);
        Self { low: first - 0.5, high: last + 0.5, marks: marks.collect(), ..wide }
    }

    /// From 1 to the first power of two that is not below `most`, each the same way from the one before.
    pub fn doubling(label: impl Into<String>, most: f64) -> Self {
        let powers = Self::stepped(label, 0.0, most.max(2.0).log2().ceil(), 1.0);
        let marks = powers.marks.iter().map(|mark| mark.exp2()).collect();
        Self { low: 1.0, high: powers.high.exp2(), marks, logarithmic: true, ..powers }
    }

    fn stepped(label: impl Into<String>, low: f64, most: f64, step: f64) -> Self {
        // A value that is a mark but for rounding needs no step more.
        let steps = ((most - low) / step - 1e-9).ceil().max(1.0);
        let marks = (0..=steps as u32).map(|mark| low + f64::from(mark) * step).collect();
        Self { label: label.into(), low, high: low + steps * step, marks, logarithmic: false }
    }

    /// Where a value lies, from 0 at the low end to 1 at the high one.
    fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        if self.logarithmic {
            (value / self.low).log2() / (self.high / self.low).log2()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        limit.0 + (self.place(*value) * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.marks.iter().map(Axis::format).collect()
    }

    #[test]
    fn marks_are_round_numbers_that_hold_all_values() {
        assert_eq!(texts(&Axis::from_zero("", 5.4)), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(texts(&Axis::from_zero("", 0.03)), ["0", "0.005", "0.01", "0.015", "0.02", "0.025", "0.03"]);
        assert_eq!(texts(&Axis::from_zero("", 0.0)).first().unwrap(), "0");
        assert_eq!(texts(&Axis::percent("")), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(&Axis::of_sums("", 122_880.0)).last().unwrap(), "131072");
        assert_eq!(texts(&Axis::of_sums("", 300.0)), ["0", "64", "128", "192", "256", "320"]);
        assert_eq!(texts(&Axis::of_numbers("", 5, 7)), ["5", "6", "7"]);
        assert_eq!(texts(&Axis::of_numbers("", 9, 9)), ["9"]);
        assert_eq!(texts(&Axis::of_numbers("", 1, 100)), ["1", "21", "41", "61", "81"]);
        assert_eq!(texts(&Axis::doubling("", 150.0)), ["1", "2", "4", "8", "16", "32", "64", "128", "256"]);
    }

    #[test]
    fn a_value_lies_between_the_ends() {
        let axis = Axis::doubling("", 256.0);
        assert_eq!([1.0, 16.0, 0.0, 1e9].map(|value| axis.map(&value, (400, 0))), [400, 200, 400, 0]);
    }
}
