//! The five courses by name.

use estr2048::Course;
use estr2048::courses::{comp1020, cs61b, pa4, psa3};
use estr2048::direction::Direction;

/// The name of a course in commands and files: `estr1002`, `psa3`, `pa4`, `comp1020`, `cs61b`.
#[must_use]
pub fn name(course: Course) -> &'static str {
    match course {
        Course::Estr1002 => "estr1002",
        Course::Psa3 => "psa3",
        Course::Pa4 => "pa4",
        Course::Comp1020 => "comp1020",
        Course::Cs61b => "cs61b",
    }
}

/// The course of this name.
#[must_use]
pub fn from_name(text: &str) -> Option<Course> {
    Course::ALL.into_iter().find(|&course| name(course) == text)
}

/// The course as people call it, with its university.
#[must_use]
pub fn title(course: Course) -> &'static str {
    match course {
        Course::Estr1002 => "ESTR1002, CUHK",
        Course::Psa3 => "PSA3, UCSD",
        Course::Pa4 => "PA4, UCSD",
        Course::Comp1020 => "COMP 1020, Manitoba",
        Course::Cs61b => "CS 61B, Berkeley",
    }
}

/// The seed of the course's own program; `None` if it has none and every game is another one.
#[must_use]
pub fn usual_seed(course: Course) -> Option<i64> {
    match course {
        Course::Estr1002 | Course::Comp1020 => None,
        Course::Psa3 => Some(psa3::SEED),
        Course::Pa4 => Some(pa4::RANDOM_SEED),
        Course::Cs61b => Some(cs61b::RANDOM_SEED),
    }
}

/// The direction of a key that the course's own program knows. ESTR1002's `U D L R` are capitals; COMP 1020 has
/// `i j k l` beside `w a s d`.
#[must_use]
pub fn direction_of_key(course: Course, key: char) -> Option<Direction> {
    match course {
        Course::Estr1002 => u8::try_from(key).ok().and_then(Direction::from_letter),
        Course::Comp1020 => comp1020::direction_of_key(key),
        Course::Psa3 | Course::Pa4 | Course::Cs61b => estr2048::courses::direction_of_key(key),
    }
}

/// Every new tile of this course is a 2, as the computer player's network expects.
#[must_use]
pub fn only_twos(course: Course) -> bool {
    course == Course::Estr1002
}

/// Serde's form of a course: its name.
pub(crate) mod by_name {
    use estr2048::Course;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(course: &Course, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(super::name(*course))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Course, D::Error> {
        let name = String::deserialize(deserializer)?;
        super::from_name(&name).ok_or_else(|| D::Error::custom(format!("there is no course {name:?}")))
    }
}

/// Whether the score is the sum of all tiles; otherwise it is the sum of all combined tiles.
#[must_use]
pub fn scores_by_sum(course: Course) -> bool {
    course == Course::Estr1002
}
