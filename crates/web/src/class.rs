//! The folder of a graded class: its pages, and nothing outside of it.

use std::fs;
use std::path::{Component, Path};

/// A file of the folder with its type; `None` if there is none, or if the path leads out of the folder.
pub fn file(folder: &Path, path: &str) -> Option<(&'static str, Vec<u8>)> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let folder = fs::canonicalize(folder).ok()?;
    let mut found = fs::canonicalize(folder.join(path)).ok().filter(|found| found.starts_with(&folder))?;
    if found.is_dir() {
        found = found.join("index.html");
    }
    let kind = match found.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "jsonl" => "application/json; charset=utf-8",
        "txt" | "csv" | "md" | "log" | "c" | "h" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    Some((kind, fs::read(found).ok()?))
}

#[cfg(test)]
mod tests {
    use super::file;
    use std::fs;

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("graded");
        fs::create_dir_all(inside.join("students")).unwrap();
        fs::write(folder.path().join("class.secret"), "secret").unwrap();
        fs::write(inside.join("index.html"), "class").unwrap();
        fs::write(inside.join("students/index.html"), "students").unwrap();
        std::os::unix::fs::symlink("../class.secret", inside.join("link.txt")).unwrap();
        assert_eq!(file(&inside, "index.html").unwrap().1, b"class");
        assert_eq!(file(&inside, "students").unwrap().1, b"students");
        for path in ["../class.secret", "students/../../class.secret", "/etc/passwd", "link.txt", "none.html", ""] {
            assert!(file(&inside, path).is_none_or(|(_, bytes)| bytes != b"secret"), "{path}");
        }
    }
}
