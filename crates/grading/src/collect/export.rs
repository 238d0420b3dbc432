//! The names under which learning systems hand over submissions: whose it is, which attempt, and whether it was late.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use yaml_rust2::{Yaml, YamlLoader};

/// A system that exports submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    Blackboard,
    Canvas,
    Gradescope,
    Moodle,
}

impl System {
    pub fn name(self) -> &'static str {
        match self {
            Self::Blackboard => "Blackboard",
            Self::Canvas => "Canvas",
            Self::Gradescope => "Gradescope",
            Self::Moodle => "Moodle",
        }
    }
}

/// What the name of an exported file or folder says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub system: System,
    /// The user's name or number, as the system writes it.
    pub user: String,
    /// When it was handed in, in the system's own writing, which sorts by time; empty if it does not say.
    pub attempt: String,
    pub late: bool,
    /// The student's own name for the file; empty for a folder or a receipt.
    pub file: String,
}

// What comes first is the system's; a student's own name for a file may look like another system's prefix.
// Assignment_1155000001_attempt_2026-11-20-23-58-00_aiplayer_1155000001.c, and a receipt that ends in .txt
static BLACKBOARD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?s:.+?)_([^_]+)_attempt_(\d{4}(?:-\d\d){5})(?:_((?s:.+))|\.txt)$").expect("a regex")
});
// doejane_LATE_12345_67890_aiplayer_1155000001-1.c
static CANVAS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([^_]+)_(LATE_)?(\d{2,})_(\d{2,})_((?s:.+))$").expect("a regex"));
static CANVAS_NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-\d{1,2}(\.[^.]+)$").expect("a regex"));
// Jane Doe_1234567_assignsubmission_file_ as a folder, or with the file's name behind it
static MOODLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_(.*))?$").expect("a regex"));

/// The systems that tell everything by names, the most telling names first.
const BY_NAME: [System; 3] = [System::Blackboard, System::Moodle, System::Canvas];

/// Whether any system may have written this name, and what it says.
pub fn exported(name: &str) -> Option<Exported> {
    BY_NAME.into_iter().find_map(|system| exported_by(system, name))
}

/// Whether this system may have written this name, and what it says.
pub fn exported_by(system: System, name: &str) -> Option<Exported> {
    let text = |found: Option<regex::Match<'_>>| found.map_or(String::new(), |found| found.as_str().into());
    let (user, attempt, late, file) = match system {
        System::Blackboard => {
            let found = BLACKBOARD.captures(name)?;
            (text(found.get(1)), text(found.get(2)), false, text(found.get(3)))
        }
        System::Moodle => {
            let found = MOODLE.captures(name)?;
            (format!("{}_{}", &found[1], &found[2]), String::new(), false, text(found.get(3)))
        }
        System::Canvas => {
            let found = CANVAS.captures(name).filter(|found| !["aiplayer", "aplayer", "basic"].contains(&&found[1]))?;
            let file = CANVAS_NUMBER.replace(&found[5], "$1").into_owned();
            (format!("{}_{}", &found[1], &found[3]), String::new(), found.get(2).is_some(), file)
        }
        System::Gradescope => return None,
    };
    Some(Exported { system, user, attempt, late, file })
}

/// The system that wrote most of these names. A single one proves nothing: students choose names, too.
pub fn system_of<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<System> {
    let most = names.clone().count() / 2;
    let count = |system| names.clone().filter(|name| exported_by(system, name).is_some()).count();
    // Of equals the first.
    let (system, written) =
        BY_NAME.into_iter().rev().map(|system| (system, count(system))).max_by_key(|found| found.1)?;
    (written > most).then_some(system)
}

/// Who sent a folder of a Gradescope export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sender {
    pub names: Vec<String>,
    /// The student's number, if the course's list at Gradescope has it.
    pub ids: Vec<String>,
    pub created_at: String,
}

/// The senders in `submission_metadata.yml`, by the folder's name.
///
/// # Errors
/// In words, if the text is none that Gradescope writes.
pub fn gradescope(text: &str) -> Result<BTreeMap<String, Sender>, String> {
    const LARGEST: usize = 256 << 20;
    if text.len() > LARGEST {
        return Err(format!("it is larger than {} MB", LARGEST >> 20));
    }
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let (mut folder, mut wanted) = (None, false);
    for line in text.lines() {
        if !line.starts_with([' ', '-', '#']) {
            folder = line.trim_end().strip_suffix(':').map(|name| name.trim_matches(['"', '\'']));
            wanted = false;
        } else if line.starts_with("  :") {
            // The rest is older attempts and what an autograder said: students' own words, as long as they like.
            wanted = line.starts_with("  :submitters:") || line.starts_with("  :created_at:");
        }
        if let Some(folder) = folder {
            let part = parts.entry(folder).or_default();
            if wanted && line.starts_with(' ') {
                part.push_str(line);
                part.push('\n');
            }
        }
    }
    if parts.is_empty() {
        return Err("it lists no submissions".into());
    }
    Ok(parts.into_iter().map(|(folder, part)| (folder.into(), sender(&part))).collect())
}

/// One sender; without a name or number if the part cannot be read.
fn sender(part: &str) -> Sender {
    let mut sender = Sender::default();
    // The parser recurses with the depth of the text, and an alias can make a small text a large one.
    let nests = |line: &str| line.matches(['[', '{']).count() > 100 || line.len() - line.trim_start().len() > 200;
    if part.lines().any(|line| nests(line) || line.contains(": *") || line.contains("- *")) {
        return sender;
    }
    let Ok(documents) = YamlLoader::load_from_str(part) else { return sender };
    let Some(Yaml::Hash(about)) = documents.first() else { return sender };
    let key = |name: &str| Yaml::String(format!(":{name}"));
    let word = |value: &Yaml| match value {
        Yaml::String(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        _ => None,
    };
    if let Some(Yaml::Array(submitters)) = about.get(&key("submitters")) {
        for submitter in submitters {
            let Yaml::Hash(submitter) = submitter else { continue };
            let field = |name: &str| submitter.get(&key(name)).and_then(word).filter(|text| !text.is_empty());
            sender.ids.extend(field("sid"));
            sender.names.extend(field("name"));
        }
    }
    sender.created_at = about.get(&key("created_at")).and_then(word).unwrap_or_default();
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_names_are_read() {
        let found = exported("Course_Project_1155000001_attempt_2026-11-20-23-58-00_basic_1155000001.zip").unwrap();
        assert_eq!((found.system, found.user.as_str()), (System::Blackboard, "1155000001"));
        assert_eq!((found.attempt.as_str(), found.file.as_str()), ("2026-11-20-23-58-00", "basic_1155000001.zip"));
        assert_eq!(exported("P_1155000001_attempt_2026-11-20-23-58-00.txt").unwrap().file, "");
        let found = exported("doejane_LATE_12345_67890_aiplayer_1155000001-2.c").unwrap();
        assert_eq!((found.system, found.late, found.file.as_str()), (System::Canvas, true, "aiplayer_1155000001.c"));
        let found = exported("doejane_12345_67890_basic_1155000001.zip").unwrap();
        assert_eq!(
            (found.user.as_str(), found.late, found.file.as_str()),
            ("doejane_12345", false, "basic_1155000001.zip")
        );
        let found = exported("Jane Doe_1234567_assignsubmission_file_").unwrap();
        assert_eq!((found.system, found.user.as_str(), found.file.as_str()), (System::Moodle, "Jane Doe_1234567", ""));
        let found = exported("Jane Doe_1234567_assignsubmission_file_aiplayer_1155000001.c").unwrap();
        assert_eq!(found.file, "aiplayer_1155000001.c");
        for own in ["aiplayer_1155000001.c", "basic_1155000001.zip", "aiplayer_115_22_33_x.c", "upload_77.zip"] {
            assert_eq!(exported(own), None, "{own}");
        }
    }

    #[test]
    fn a_students_own_name_for_a_file_is_no_systems_prefix() {
        let evil = "P_1155000002_attempt_2099-01-01-00-00-00_aiplayer_1155000002.c";
        let found = exported(&format!("P_1155000001_attempt_2026-11-20-10-00-00_{evil}")).unwrap();
        assert_eq!((found.user.as_str(), found.file.as_str()), ("1155000001", evil));
        let found = exported("Jane Doe_71_assignsubmission_file_Bob Roe_72_assignsubmission_file_x.c").unwrap();
        assert_eq!((found.user.as_str(), found.file.as_str()), ("Jane Doe_71", "Bob Roe_72_assignsubmission_file_x.c"));
        let canvas = format!("doejane_12_90_{evil}");
        let names = ["roebob_13_91_aiplayer_1155000002.c", "doejane_12_92_x.h", canvas.as_str()];
        assert_eq!(system_of(names.into_iter()), Some(System::Canvas));
        assert_eq!(exported_by(System::Canvas, &canvas).unwrap().user, "doejane_12");
        // An assignment's name may look like the beginning of Canvas's.
        let blackboard = ["ESTR_2026_20_s1_attempt_2026-11-20-10-00-00.txt"];
        assert_eq!(system_of(blackboard.into_iter()), Some(System::Blackboard));
        assert_eq!(system_of(["aiplayer_1155000001.c", "aiplayer_1155000002.c", evil].into_iter()), None);
    }

    #[test]
    fn gradescopes_list_is_read() {
        let text = "---\nsubmission_71:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '1155000001'\n    :email: j@x.hk\n  \
                    :created_at: 2026-11-20 12:14:04.123456000 Z\n  :score: 4.0\n  :history: []\nsubmission_72:\n  \
                    :submitters:\n  - :name: No Number\n    :sid:\n";
        let senders = gradescope(text).unwrap();
        assert_eq!(senders["submission_71"].ids, ["1155000001"]);
        assert!(senders["submission_71"].created_at.starts_with("2026-11-20 12:14:04"));
        assert_eq!((senders["submission_72"].ids.len(), senders["submission_72"].names.len()), (0, 1));
        assert!(gradescope("- a\n- b\n").is_err());
        assert!(gradescope(&"[".repeat(100_000)).is_err());
        // What a student printed for an earlier autograder stands in it, too.
        let words =
            ["    submission_71: *alias", "", &"[".repeat(1000), "    - :sid: '9'", "      :submitters:", "\t\u{1}"];
        let results: String = words.map(|line| format!("        {line}\n")).concat();
        let text = text.replace("  :history: []\n", &format!("  :results:\n    :tests:\n    - :output: |\n{results}  :history:\n  - :id: 7\n    :submitters:\n    - :sid: '8'\n"));
        assert_eq!(gradescope(&text).unwrap()["submission_71"], senders["submission_71"]);
        assert_eq!(gradescope(&text).unwrap().len(), 2);
    }
}
