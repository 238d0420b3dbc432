//! What the name of a file says: which part of a submission it is, whose, and why it cannot be one.

use std::sync::LazyLock;

use regex::Regex;

/// A part of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `aiplayer_<id>.c`
    Source,
    /// `aiplayer_<id>.h`
    Header,
    /// `basic_<id>.zip`
    Basic,
}

/// What a file is, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    Part(Part, String),
    /// Another header, which a player may include.
    Companion,
    /// A zip with the submission in it.
    Zip,
    /// Work that cannot be taken under this name or in this form, and why.
    Almost(String),
    /// Something that is no part of any submission, and what it is.
    Other(&'static str),
    /// What systems and archivers leave behind.
    Litter,
}

macro_rules! regex {
    ($name:ident, $pattern:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("a regex"));
    };
}

// The assignment calls the file `aiplayer_<ID>` in one section and `aplayer_<ID>` in another.
regex!(PLAYER, r"^ai?player_([A-Za-z0-9]{1,40})\.([ch])$");
regex!(BASIC, r"^basic_([A-Za-z0-9]{1,40})\.zip$");
regex!(NUMBERED, r"(?i)( ?\(\d+\)|-\d+| - copy|^copy of )");
regex!(DOUBLE, r"(?i)\.[ch]\.(txt|c|h|docx?)$");
regex!(NUMBER, r"\d{6,}");

/// What the file is, by its name alone.
pub fn named(name: &str) -> Named {
    if let Some(found) = PLAYER.captures(name) {
        let part = if &found[2] == "c" { Part::Source } else { Part::Header };
        return Named::Part(part, found[1].into());
    }
    if let Some(found) = BASIC.captures(name) {
        return Named::Part(Part::Basic, found[1].into());
    }
    let lower = name.to_lowercase();
    let litter = ["thumbs.db", "desktop.ini", "submission_metadata.yml", "__macosx"];
    if name.starts_with('.') || litter.contains(&lower.as_str()) {
        return Named::Litter;
    }
    let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
    let wanted = "aiplayer_<id>.c, aiplayer_<id>.h or basic_<id>.zip";
    let is_basic = lower.starts_with("basic");
    match ending {
        _ if DOUBLE.is_match(&lower) => {
            Named::Almost("has two endings (Windows hides the second one); take the second one away".into())
        }
        "c" | "h" if NUMBERED.is_match(&lower) && lower.contains("player") => {
            Named::Almost("was numbered by a browser or a copy; the name must be exactly aiplayer_<id>.c or .h".into())
        }
        "zip" if is_basic => {
            Named::Almost("must be called exactly basic_<id>.zip, with an underscore and in small letters".into())
        }
        "zip" => Named::Zip,
        "h" if !lower.contains("player") => Named::Companion,
        "c" | "h" => Named::Almost("must be called exactly aiplayer_<id>.c or aiplayer_<id>.h".into()),
        "cpp" | "cc" | "cxx" | "c++" | "hpp" => {
            Named::Almost("is C++; the course's language is C, and the file must be called aiplayer_<id>.c".into())
        }
        "rar" | "7z" | "tar" | "gz" | "tgz" | "xz" | "bz2" => {
            Named::Almost(format!("is an archive that is not opened here; hand in {wanted}"))
        }
        "txt" if lower.contains("player") || is_basic => Named::Almost(format!("is a text file; hand in {wanted}")),
        "docx" | "doc" | "pdf" | "odt" | "pages" | "rtf" => Named::Other("a document, not a program"),
        "png" | "jpg" | "jpeg" | "gif" | "bmp" | "heic" | "webp" | "svg" => Named::Other("a picture, not a program"),
        "exe" | "o" | "obj" | "out" | "so" | "dll" | "app" => Named::Other("a compiled program; the source counts"),
        "py" | "java" | "js" | "rs" | "m" => Named::Other("a program in another language than C"),
        _ => Named::Other("no part of a submission"),
    }
}

/// The student numbers that may be meant by a name: all runs of at least six digits.
pub fn numbers(name: &str) -> impl Iterator<Item = &str> {
    NUMBER.find_iter(name).map(|found| found.as_str())
}

/// A student number in a name, or the name itself with nothing strange in it.
pub fn id_in(name: &str) -> String {
    if let Some(number) = numbers(name).next() {
        return number.into();
    }
    let stem = name.split('.').next().unwrap_or_default();
    let id: String =
        stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).take(40).collect();
    if id.is_empty() { "unnamed".into() } else { id }
}

/// A name as it may be shown: control characters and quotes escaped, and not too long.
pub fn shown(name: &str) -> String {
    let text: String = name.chars().take(200).collect();
    text.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_names_are_parts_and_wrong_ones_are_explained() {
        let part = |part, id: &str| Named::Part(part, id.into());
        assert_eq!(named("aiplayer_1155000001.c"), part(Part::Source, "1155000001"));
        assert_eq!(named("aplayer_1155000001.h"), part(Part::Header, "1155000001"));
        assert_eq!(named("basic_1155000001.zip"), part(Part::Basic, "1155000001"));
        assert_eq!(named("upload.zip"), Named::Zip);
        assert_eq!(named("board.h"), Named::Companion);
        assert_eq!(named(".DS_Store"), Named::Litter);
        for (name, why) in [
            ("aiplayer_1155000001 (1).c", "numbered"),
            ("Copy of aiplayer_1155000001.c", "numbered"),
            ("aiplayer_1155000001.c.txt", "two endings"),
            ("aiplayer_1155000001.cpp", "C++"),
            ("AIPlayer_1155000001.C", "exactly"),
            ("basic-1155000001.zip", "underscore"),
            ("Basic_1155000001.zip", "underscore"),
            ("aiplayer_1155000001.rar", "archive"),
            ("homework.7z", "archive"),
            ("main.c", "exactly"),
        ] {
            match named(name) {
                Named::Almost(text) => assert!(text.contains(why), "{name}: {text}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        assert_eq!(named("report.docx"), Named::Other("a document, not a program"));
        assert_eq!(named("board.PNG"), Named::Other("a picture, not a program"));
    }
}
