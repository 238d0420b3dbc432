//! The list of the class: everybody on it appears in the result, and a system's user names become student numbers.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// One student of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    pub id: String,
    pub first: String,
    pub last: String,
    pub username: String,
}

impl Student {
    /// First and last name, or what there is of them.
    pub fn name(&self) -> String {
        format!("{} {}", self.first, self.last).trim().into()
    }
}

/// The class.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    pub students: BTreeMap<String, Student>,
}

/// Letters and digits only, in small letters: `Doe, Jane` and `doejane` are the same.
fn folded(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name, sorted: its order differs between systems.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(folded).collect();
    words.sort();
    words
}

impl Roster {
    /// Reads a CSV file: one with a header line, as Blackboard, Canvas, Moodle and Gradescope write it, or plain lines
    /// that begin with a student number. Comma, semicolon or tab; UTF-8 or UTF-16 with a mark.
    ///
    /// # Errors
    /// If no column holds student numbers, or one number stands there twice.
    pub fn read(path: &Path) -> Result<Self> {
        estr2048_toolbox::files::check_readable(path)?;
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        Self::parse(&decoded(&bytes)).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Self> {
        let first = text.lines().next().unwrap_or_default();
        // Of equals the comma.
        let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|&mark| first.matches(mark as char).count());
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter.unwrap_or(b','))
            .from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>()?;
        let head: Vec<String> = rows.first().map(|row| row.iter().map(folded).collect()).unwrap_or_default();
        let column = |names: &[&str]| names.iter().find_map(|name| head.iter().position(|title| title == name));
        let ids = ["studentid", "sid", "sisuserid", "studentnumber", "idnumber", "學號", "学号", "id"];
        let found = column(&ids).or_else(|| column(&["username", "sisloginid"]));
        let (start, id) = found.map_or((0, 0), |id| (1, id));
        let first = column(&["firstname", "givenname"]);
        let last = column(&["lastname", "surname", "familyname"]);
        let whole = column(&["name", "fullname", "student", "studentname"]);
        let username = column(&["username", "sisloginid", "loginid", "login", "emailaddress", "email"]);
        let mut roster = Self::default();
        for row in rows.iter().skip(start) {
            let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default().trim().to_string();
            let id = cell(Some(id)).trim_start_matches(['s', 'S']).to_string();
            if id.is_empty()
                || !id.bytes().all(|byte| byte.is_ascii_alphanumeric())
                || !id.bytes().any(|byte| byte.is_ascii_digit())
            {
                continue;
            }
            let mut student =
                Student { id: id.clone(), first: cell(first), last: cell(last), username: cell(username) };
            if student.name().is_empty() {
                match cell(whole).split_once(',') {
                    Some((last, first)) => (student.last, student.first) = (last.trim().into(), first.trim().into()),
                    None => student.first = cell(whole),
                }
            }
            ensure!(roster.students.insert(id.clone(), student).is_none(), "the number {id} stands there twice");
        }
        ensure!(
            !roster.students.is_empty(),
            "no student number is in it: there must be a column called `Student ID`, or lines that begin with the number"
        );
        Ok(roster)
    }

    /// The one student that a system's user name can mean.
    pub fn id_of(&self, user: &str) -> Option<&str> {
        let bare = user.trim_start_matches(['s', 'S']);
        if let Some(student) = self.students.get(user).or_else(|| self.students.get(bare)) {
            return Some(&student.id);
        }
        // Canvas and Moodle put a number of their own behind the name.
        let name = user.rsplit_once('_').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let name = name.map_or(user, |(name, _)| name);
        let (plain, parts) = (folded(name), words(name));
        let fits = |student: &&Student| {
            let user = folded(student.username.split('@').next().unwrap_or_default());
            let both = [
                folded(&format!("{}{}", student.first, student.last)),
                folded(&format!("{}{}", student.last, student.first)),
            ];
            !plain.is_empty() && (user == plain || both.contains(&plain) || parts == words(&student.name()))
        };
        let mut fitting = self.students.values().filter(fits);
        let first = fitting.next()?;
        fitting.next().is_none().then_some(&first.id)
    }
}

/// The text of a file in UTF-8 or UTF-16, without its mark.
fn decoded(bytes: &[u8]) -> String {
    let wide = |read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_all_systems_are_read() {
        let ids = |text: &str| Roster::parse(text).unwrap().students.into_keys().collect::<Vec<_>>();
        assert_eq!(ids("1155000001\n1155000002,Jane\n"), ["1155000001", "1155000002"]);
        assert_eq!(ids("Last Name\tFirst Name\tUsername\tStudent ID\nDoe\tJane\tjd\t1155000001\n"), ["1155000001"]);
        let canvas = "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n\"Doe, Jane\",71,1155000001,jdoe,A\n";
        assert_eq!(ids(canvas), ["1155000001"]);
        assert_eq!(decoded(b"\xff\xfeI\0D\0"), "ID");
        assert!(Roster::parse("name\nJane\n").is_err());
        assert!(Roster::parse("1155000001\n1155000001\n").is_err());
    }

    #[test]
    fn a_user_name_means_one_student_or_nobody() {
        let text = "Student ID,First Name,Last Name,Username\n1155000001,Jane,Doe,jd1\n1155000002,John,Roe,jr2\n1155000003,Doe,Jane,x\n";
        let roster = Roster::parse(text).unwrap();
        assert_eq!(roster.id_of("roejohn_12345"), Some("1155000002"));
        assert_eq!(roster.id_of("John Roe_1234567"), Some("1155000002"));
        assert_eq!(roster.id_of("s1155000001"), Some("1155000001"));
        assert_eq!(roster.id_of("jd1"), Some("1155000001"));
        assert_eq!(roster.id_of("Jane Doe_7"), None, "two students have this name");
    }
}
