//! Large digits, three columns wide, for tiles with room: two rows of pixels to a line of text.

/// Five rows of three pixels for each digit.
const SHAPES: [[&str; 5]; 10] = [
    ["###", "# #", "# #", "# #", "###"],
    ["## ", " # ", " # ", " # ", "###"],
    ["###", "  #", "###", "#  ", "###"],
    ["###", "  #", "###", "  #", "###"],
    ["# #", "# #", "###", "  #", "  #"],
    ["###", "#  ", "###", "  #", "###"],
    ["###", "#  ", "###", "# #", "###"],
    ["###", "  #", "  #", "  #", "  #"],
    ["###", "# #", "###", "# #", "###"],
    ["###", "# #", "###", "  #", "###"],
];

/// Lines that a number takes at this scale.
pub fn height(scale: usize) -> usize {
    (5 * scale).div_ceil(2)
}

/// Columns that so many digits take at this scale.
pub fn width(digits: usize, scale: usize) -> usize {
    (4 * digits).saturating_sub(1) * scale
}

/// A number as lines of half blocks; `None` if it has other characters than digits.
pub fn lines(text: &str, scale: usize) -> Option<Vec<String>> {
    let shapes: Option<Vec<_>> = text.chars().map(|digit| SHAPES.get(digit.to_digit(10)? as usize)).collect();
    let shapes = shapes?;
    let pixel = |row: usize, col: usize| {
        let (digit, within) = (col / scale / 4, col / scale % 4);
        let line = shapes.get(digit).and_then(|shape| shape.get(row / scale));
        line.and_then(|line| line.as_bytes().get(within)) == Some(&b'#')
    };
    let columns = width(shapes.len(), scale);
    let line = |line: usize| {
        let half = |col| match (pixel(2 * line, col), pixel(2 * line + 1, col)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (0..columns).map(half).collect()
    };
    Some((0..height(scale)).map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_drawn_in_half_blocks() {
        assert_eq!(lines("24", 1).unwrap(), ["▀▀█ █ █", "█▀▀ ▀▀█", "▀▀▀   ▀"]);
        assert_eq!(lines("-2", 1), None);
    }

    #[test]
    fn sizes_are_as_promised() {
        for scale in 1..4 {
            let lines = lines("65536", scale).unwrap();
            assert_eq!(lines.len(), height(scale));
            assert!(lines.iter().all(|line| line.chars().count() == width(5, scale)));
        }
    }
}
