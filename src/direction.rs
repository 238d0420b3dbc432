//! The four directions, numbered as the assignment numbers them.

use core::fmt;
use core::str::FromStr;

/// A direction of a move; the number is the one that C callers use.
///
/// It prints as a word, and is read from a word or a letter, in capitals or not:
///
/// ```
/// use estr2048::Direction;
///
/// assert_eq!(Direction::Left.to_string(), "left");
/// assert_eq!(("Left".parse(), "l".parse()), (Ok(Direction::Left), Ok(Direction::Left)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Direction {
    /// Towards row 0.
    Up = 0,
    /// Towards the last row.
    Down = 1,
    /// Towards column 0.
    Left = 2,
    /// Towards the last column.
    Right = 3,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The direction with this number, if there is one.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index).copied())
    }

    /// The number of this direction: 0 up, 1 down, 2 left, 3 right.
    #[must_use]
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The direction of one of the assignment's letters, `U D L R`; no other letter names one.
    #[must_use]
    pub fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'U' => Some(Self::Up),
            b'D' => Some(Self::Down),
            b'L' => Some(Self::Left),
            b'R' => Some(Self::Right),
            _ => None,
        }
    }

    /// The assignment's letter for this direction.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A text that names no direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDirectionError;

impl fmt::Display for ParseDirectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a direction is up, down, left or right, or one of their first letters")
    }
}

impl core::error::Error for ParseDirectionError {}

impl FromStr for Direction {
    type Err = ParseDirectionError;

    fn from_str(text: &str) -> Result<Self, ParseDirectionError> {
        let names = |direction: &Self| {
            let word = direction.word();
            text.eq_ignore_ascii_case(word) || text.eq_ignore_ascii_case(&word[..1])
        };
        Self::ALL.into_iter().find(names).ok_or(ParseDirectionError)
    }
}
