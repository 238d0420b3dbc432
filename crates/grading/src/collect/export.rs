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

// Assignment_1155000001_attempt_2026-11-20-23-58-00_aiplayer_1155000001.c, and a receipt that ends in .txt
static BLACKBOARD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?s:.+)_([^_]+)_attempt_(\d{4}(?:-\d\d){5})(?:_((?s:.+))|\.txt)$").expect("a regex")
});
// doejane_LATE_12345_67890_aiplayer_1155000001-1.c
static CANVAS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([^_]+)_(LATE_)?(\d{2,})_(\d{2,})_((?s:.+))$").expect("a regex"));
static CANVAS_NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-\d{1,2}(\.[^.]+)$").expect("a regex"));
// Jane Doe_1234567_assignsubmission_file_ as a folder, or with the file's name behind it
static MOODLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.+)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_(.*))?$").expect("a regex"));

/// Whether a system wrote this name, and what it says.
pub fn exported(name: &str) -> Option<Exported> {
    let text = |found: Option<regex::Match<'_>>| found.map_or(String::new(), |found| found.as_str().into());
    if let Some(found) = BLACKBOARD.captures(name) {
        let attempt = text(found.get(2));
        return Some(Exported {
            system: System::Blackboard,
            user: text(found.get(1)),
            attempt,
            late: false,
            file: text(found.get(3)),
        });
    }
    if let Some(found) = MOODLE.captures(name) {
        let user = format!("{}_{}", &found[1], &found[2]);
        let file = text(found.get(3));
        return Some(Exported { system: System::Moodle, user, attempt: String::new(), late: false, file });
    }
    let found = CANVAS.captures(name).filter(|found| !["aiplayer", "aplayer", "basic"].contains(&&found[1]))?;
    let user = format!("{}_{}", &found[1], &found[3]);
    let file = CANVAS_NUMBER.replace(&found[5], "$1").into_owned();
    Some(Exported { system: System::Canvas, user, attempt: String::new(), late: found.get(2).is_some(), file })
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
/// In words, if the text is no YAML or none that Gradescope writes.
pub fn gradescope(text: &str) -> Result<BTreeMap<String, Sender>, String> {
    const LARGEST: usize = 64 << 20;
    if text.len() > LARGEST {
        return Err("it is larger than 64 MB".into());
    }
    // The parser recurses with the depth of the text, and an alias can make a small text a large one.
    let nests = |line: &str| line.matches(['[', '{']).count() > 100 || line.len() - line.trim_start().len() > 200;
    if text.lines().any(nests) || text.lines().any(|line| line.contains(": *") || line.contains("- *")) {
        return Err("it is nested or linked as Gradescope writes none".into());
    }
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    let Some(Yaml::Hash(folders)) = documents.first() else { return Err("it lists no submissions".into()) };
    let key = |name: &str| Yaml::String(format!(":{name}"));
    let word = |value: &Yaml| match value {
        Yaml::String(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        _ => None,
    };
    let mut senders = BTreeMap::new();
    for (folder, about) in folders {
        let (Some(folder), Yaml::Hash(about)) = (word(folder), about) else { continue };
        let mut sender = Sender::default();
        if let Some(Yaml::Array(submitters)) = about.get(&key("submitters")) {
            for submitter in submitters {
                let Yaml::Hash(submitter) = submitter else { continue };
                let field = |name: &str| submitter.get(&key(name)).and_then(word).filter(|text| !text.is_empty());
                sender.ids.extend(field("sid"));
                sender.names.extend(field("name"));
            }
        }
        sender.created_at = about.get(&key("created_at")).and_then(word).unwrap_or_default();
        senders.insert(folder, sender);
    }
    Ok(senders)
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
    }
}
