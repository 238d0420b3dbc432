//! Ranges as people type them: `A..B`, both ends included, or one number alone.

use std::ops::RangeInclusive;

/// The range in a text: `3..7`, `3..=7` and `7` alone; both ends belong to it.
///
/// # Errors
/// In words for the person who typed it, if an end is no number or the first is above the last.
pub fn parse(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (first, last.strip_prefix('=').unwrap_or(last)),
        None => (text, text),
    };
    let number = |text: &str| text.trim().parse::<u32>().map_err(|error| format!("{text:?}: {error}"));
    let (first, last) = (number(first)?, number(last)?);
    if first > last { Err(format!("{first} is above {last}")) } else { Ok(first..=last) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn both_ends_belong_to_a_range() {
        assert_eq!(parse("3..7"), Ok(3..=7));
        assert_eq!(parse(" 3 ..=7"), Ok(3..=7));
        assert_eq!(parse("0..4294967295"), Ok(0..=u32::MAX));
        assert_eq!(parse("7"), Ok(7..=7));
        for wrong in ["", "..", "3..", "..7", "7..3", "a..b", "-1..3", "1..4294967296", "1...3"] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(parse("7..3"), Err("7 is above 3".into()));
    }
}
