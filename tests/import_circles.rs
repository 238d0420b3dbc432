//! No file imports another one that, by whatever way, imports it: data flows one way through the house.
//!
//! Read as text: every `use` (and every path that begins with `crate::`) outside of `#[cfg(test)]` is followed to the file
//! of the module that it names. `mod` lines are no imports: a folder's `mod.rs` declares its files, and files that use
//! what it re-exports would make a circle with it only if it used them, too.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of a crate by the path of its module: `["search", "fill"]`.
type Modules = BTreeMap<Vec<String>, PathBuf>;

fn modules(source: &Path) -> Modules {
    let mut modules = Modules::new();
    let mut folders = vec![source.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(source).unwrap().with_extension("");
                let mut module: Vec<String> = below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                    module.pop();
                }
                modules.insert(module, path);
            }
        }
    }
    modules
}

/// The code of a file without its comments, its texts and its unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// All paths that a tree of `use` names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn leaves(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once("::").filter(|(head, _)| !head.contains(['{', ','])) else {
        match tree.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
            Some(inner) => parts(inner).into_iter().for_each(|part| leaves(part, before, paths)),
            None => {
                let name = tree.split_whitespace().next().unwrap_or_default();
                paths.push([before, &[name.to_owned()]].concat());
            }
        }
        return;
    };
    leaves(rest, &[before, &[head.trim().to_owned()]].concat(), paths);
}

/// What stands between the outermost commas.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

/// The paths that a file imports, each from the root of its crate.
fn imports(text: &str, module: &[String], is_folder: bool) -> Vec<Vec<String>> {
    let code = code(text);
    let mut paths = Vec::new();
    for statement in code.split(';') {
        // `use` begins a line; what stands before it are attributes and `pub`.
        if let Some((before, tree)) = statement.split_once("use ")
            && before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty() || line.trim().starts_with("pub"))
        {
            leaves(tree, &[], &mut paths);
        }
    }
    // Paths in the code itself.
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = code.split(|letter| !is_name(letter)).map(|word| word.trim_end_matches(':'));
    for word in words.filter(|word| word.starts_with("crate::")) {
        paths.push(word.split("::").map(str::to_owned).collect());
    }
    paths.into_iter().filter_map(|path| absolute(&path, module, is_folder)).collect()
}

fn absolute(path: &[String], module: &[String], is_folder: bool) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let mut parent = module.to_vec();
            parent.pop()?;
            let (ups, rest) = rest.split_at(rest.iter().take_while(|part| *part == "super").count());
            for _ in ups {
                parent.pop()?;
            }
            Some([&parent, rest].concat())
        }
        // A child of a folder's own file, or another crate, which cannot be part of a circle.
        _ if is_folder => Some([module, path].concat()),
        _ => None,
    }
}

fn graph(source: &Path) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let modules = modules(source);
    let mut graph = BTreeMap::new();
    for (module, file) in &modules {
        let is_folder = file.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib" || stem == "main");
        let text = fs::read_to_string(file).unwrap();
        let mut found = BTreeSet::new();
        for path in imports(&text, module, is_folder) {
            // The longest beginning of the path that is a module is the file that is imported.
            let target = (0..=path.len()).rev().find_map(|len| modules.get(&path[..len]));
            found.extend(target.filter(|target| *target != file).cloned());
        }
        graph.insert(file.clone(), found);
    }
    graph
}

/// A circle that can be reached from this file.
fn circle(
    file: &PathBuf,
    graph: &BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    way: &mut Vec<PathBuf>,
    done: &mut BTreeSet<PathBuf>,
) -> Option<Vec<PathBuf>> {
    if let Some(start) = way.iter().position(|passed| passed == file) {
        return Some(way[start..].to_vec());
    }
    if !done.insert(file.clone()) {
        return None;
    }
    way.push(file.clone());
    let found = graph[file].iter().find_map(|next| circle(next, graph, way, done));
    way.pop();
    found
}

fn sources() -> Vec<PathBuf> {
    let root = support::root();
    let mut sources = vec![root.join("src"), root.join("cli/src")];
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    sources.extend(crates.filter(|source| source.is_dir()));
    sources
}

#[test]
fn no_file_is_part_of_a_circle() {
    let mut arrows = 0;
    let mut circles = Vec::new();
    for source in sources() {
        let graph = graph(&source);
        arrows += graph.values().map(BTreeSet::len).sum::<usize>();
        let mut done = BTreeSet::new();
        for file in graph.keys() {
            circles.extend(circle(file, &graph, &mut Vec::new(), &mut done));
        }
    }
    assert!(circles.is_empty(), "these files import each other: {circles:#?}");
    assert!(arrows > 100, "only {arrows} imports were found: this test is blind");
}

/// The test above can see.
#[test]
fn a_circle_and_an_import_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\n");
    write("a.rs", "use std::fmt;\nuse crate::{b::Thing, c::{self, Other}};\n");
    write("b.rs", "fn f() { crate::c::g::<u8>() }\n");
    write("c/mod.rs", "pub mod d;\n// use crate::a::X;\n");
    write("c/d.rs", "use super::super::a::Y;\n#[cfg(test)]\nmod tests { use crate::b::Z; }\n");
    let graph = graph(folder.path());
    let names = |file: &str| -> Vec<String> {
        let found = &graph[&folder.path().join(file)];
        found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
    };
    assert_eq!(names("a.rs"), ["b.rs", "c/mod.rs"]);
    assert_eq!(names("b.rs"), ["c/mod.rs"]);
    assert_eq!(names("c/d.rs"), ["a.rs"]);
    let search = |graph: &BTreeMap<PathBuf, BTreeSet<PathBuf>>| {
        let mut done = BTreeSet::new();
        graph.keys().find_map(|file| circle(file, graph, &mut Vec::new(), &mut done))
    };
    assert_eq!(search(&graph), None);
    let mut joined = graph.clone();
    joined.get_mut(&folder.path().join("c/mod.rs")).unwrap().insert(folder.path().join("c/d.rs"));
    assert!(search(&joined).is_some_and(|circle| circle.len() >= 3));
}
