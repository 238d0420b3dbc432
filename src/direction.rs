//! The four directions, numbered as the assignment numbers them.

/// A direction of a move; the number is the one that C callers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}
