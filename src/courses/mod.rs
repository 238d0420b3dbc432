//! The assignments: one file for each course, with its rules, its texts and its files.
//!
//! The sliding itself is the same everywhere and lives in [`Line`](crate::line::Line) and [`Board`](crate::Board). A
//! course adds what is its own, as one value of [`Rules`]: the sizes and tiles of the start, how a new tile is drawn,
//! when the game ends, what counts as score, how a board looks as text and in a file. Beside it stand the names that
//! its students know.
//!
//! In order to add a new course, write its file and add its line to the table at the end of this one;
//! CONTRIBUTING.md goes through it step by step.

pub mod comp1020;
pub mod cs61b;
pub mod estr1002;
mod keys;
pub mod pa4;
mod position;
pub mod psa3;
mod rules;
mod suspended;
mod text;

pub use keys::{direction_of_key, key_of_direction};
pub use position::Position;
pub use rules::{Draw, Random, Rules, Saved};
pub use text::{MAX_SIDE, ReadError};

/// Makes [`Course`] of the table of courses: the only place that knows them all.
macro_rules! courses {
    ($($(#[$doc:meta])* $course:ident = $number:literal => $file:ident;)+) => {
        /// Whose rules a game is played by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Course {
            $($(#[$doc])* $course = $number,)+
        }

        impl Course {
            /// All courses, in the order of their numbers.
            pub const ALL: [Self; [$($number),+].len()] = [$(Self::$course),+];

            /// The rules of the course.
            #[must_use]
            pub const fn rules(self) -> &'static Rules {
                match self {
                    $(Self::$course => &$file::RULES,)+
                }
            }
        }
    };
}

impl Course {
    /// The course with this number, if there is one.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index).copied())
    }

    /// Whether the course plays on a board of these sides. No side is larger than [`MAX_SIDE`].
    #[must_use]
    pub fn allows(self, rows: usize, cols: usize) -> bool {
        self.rules().allows(rows, cols)
    }
}

impl From<Course> for &'static Rules {
    fn from(course: Course) -> Self {
        course.rules()
    }
}

courses! {
    /// ESTR1002, CUHK: 4 × 4 only.
    Estr1002 = 0 => estr1002;
    /// PSA3, UCSD CSE 8B 2018: square, from 2 × 2.
    Psa3 = 1 => psa3;
    /// PA4, UCSD CSE 8B 2020: any rectangle.
    Pa4 = 2 => pa4;
    /// COMP 1020, Manitoba: any square.
    Comp1020 = 3 => comp1020;
    /// CS 61B, Berkeley: any square.
    Cs61b = 4 => cs61b;
}
