//! Numbers as people type them, with what makes no sense refused.

use std::str::FromStr;

/// A number from 0 on that is no infinity.
///
/// # Errors
/// In words for the person who typed it.
pub fn not_negative<T: FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    within(text, |number| number >= 0.0 && number.is_finite(), "a number from 0 on")
}

/// A number above 0 that is no infinity.
///
/// # Errors
/// In words for the person who typed it.
pub fn positive<T: FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    within(text, |number| number > 0.0 && number.is_finite(), "a number above 0")
}

/// A number from 0 to 1.
///
/// # Errors
/// In words for the person who typed it.
pub fn share<T: FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    within(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1")
}

fn within<T: FromStr + Into<f64> + Copy>(text: &str, good: fn(f64) -> bool, what: &str) -> Result<T, String> {
    let number: Option<T> = text.trim().parse().ok();
    number.filter(|&number| good(number.into())).ok_or_else(|| format!("expected {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sensible_number_is_refused() {
        assert_eq!(not_negative::<f64>("2.5"), Ok(2.5));
        assert_eq!(not_negative::<f32>(" 0"), Ok(0.0));
        assert_eq!(share::<f64>("1"), Ok(1.0));
        for wrong in ["", "-1", "nan", "inf", "1e999", "x"] {
            assert!(not_negative::<f64>(wrong).is_err() && positive::<f32>(wrong).is_err(), "{wrong}");
        }
        assert!(positive::<f64>("0").is_err() && share::<f32>("1.01").is_err() && share::<f64>("nan").is_err());
    }
}
