//! Submissions that share more than the template explains: a hint for a human, never a mark.
//!
//! The method is winnowing (S. Schleimer, D. Wilkerson, A. Aiken: Winnowing: local algorithms for document
//! fingerprinting, SIGMOD 2003), the one behind Moss. A program becomes a row of tokens in which every name is the same;
//! of the hashes of all `GRAM` tokens in a row, the least in each window of `WINDOW` is a fingerprint. Whatever two
//! programs share over `GRAM + WINDOW - 1` tokens, they share a fingerprint of.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::collect::unpack::{Budget, unpack};
use estr2048_toolbox::template;

/// Tokens in a hash.
const GRAM: usize = 20;
/// Hashes of which one is kept.
const WINDOW: usize = 10;
/// Tokens of a program that are looked at.
const MOST_TOKENS: usize = 100_000;
/// Pairs with less in common are not shown: fingerprints, and the share of the smaller program.
const LEAST_SHARED: usize = 8;
const LEAST_SHARE: f64 = 0.25;
/// Pairs that are shown.
const MOST_PAIRS: usize = 40;

/// A program of a student.
#[derive(Clone, Debug)]
pub struct Document {
    pub id: String,
    /// `aiplayer` or `basic`: only like is compared with like.
    pub kind: &'static str,
    pub text: String,
}

/// Two programs that share something.
#[derive(Clone, Debug)]
pub struct Pair {
    pub kind: &'static str,
    pub ids: [String; 2],
    /// The share of each program's own fingerprints that the other has, too.
    pub shares: [f64; 2],
    pub fingerprints: usize,
    /// The texts, and which of their lines (from 0) are shared.
    pub texts: [String; 2],
    pub lines: [BTreeSet<usize>; 2],
}

/// A token without its name or value, and its line.
fn tokens(text: &str) -> Vec<(u64, usize)> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    let mut line = 0;
    let hash = |token: &str| {
        let mut hasher = DefaultHasher::new();
        token.hash(&mut hasher);
        hasher.finish()
    };
    const KEYWORDS: [&str; 22] = [
        "break", "case", "char", "const", "continue", "default", "do", "double", "else", "float", "for", "if", "int",
        "long", "return", "sizeof", "static", "struct", "switch", "unsigned", "void", "while",
    ];
    while let Some(letter) = letters.next() {
        if tokens.len() >= MOST_TOKENS {
            break;
        }
        match letter {
            '\n' => line += 1,
            '/' if letters.peek() == Some(&'/') => {
                while letters.peek().is_some_and(|&next| next != '\n') {
                    letters.next();
                }
            }
            '/' if letters.peek() == Some(&'*') => {
                letters.next();
                let mut before = ' ';
                for next in letters.by_ref() {
                    line += usize::from(next == '\n');
                    if before == '*' && next == '/' {
                        break;
                    }
                    before = next;
                }
            }
            // Which headers are included says nothing.
            '#' => {
                while letters.peek().is_some_and(|&next| next != '\n') {
                    letters.next();
                }
            }
            '"' | '\'' => {
                let mut escaped = false;
                while let Some(&next) = letters.peek() {
                    if next == '\n' {
                        break;
                    }
                    letters.next();
                    if next == letter && !escaped {
                        break;
                    }
                    escaped = next == '\\' && !escaped;
                }
                tokens.push((hash("text"), line));
            }
            _ if letter.is_alphabetic() || letter == '_' => {
                let mut word = String::from(letter);
                while let Some(&next) = letters.peek().filter(|next| next.is_alphanumeric() || **next == '_') {
                    word.push(next);
                    letters.next();
                }
                let kept = if KEYWORDS.contains(&word.as_str()) { word.as_str() } else { "name" };
                tokens.push((hash(kept), line));
            }
            _ if letter.is_ascii_digit() => {
                while letters.peek().is_some_and(|next| next.is_alphanumeric() || *next == '.') {
                    letters.next();
                }
                tokens.push((hash("number"), line));
            }
            _ if letter.is_whitespace() => {}
            _ => tokens.push((hash(letter.encode_utf8(&mut [0; 4])), line)),
        }
    }
    tokens
}

/// The fingerprints of a text, each with the lines from which to which it stands, in every place.
fn fingerprints(text: &str) -> HashMap<u64, Vec<(usize, usize)>> {
    let tokens = tokens(text);
    let hashes: Vec<u64> = tokens
        .windows(GRAM)
        .map(|gram| {
            let mut hasher = DefaultHasher::new();
            gram.iter().for_each(|(token, _)| token.hash(&mut hasher));
            hasher.finish()
        })
        .collect();
    let mut found = HashMap::<u64, Vec<(usize, usize)>>::new();
    let mut last = None;
    for start in 0..(hashes.len() + 1).saturating_sub(WINDOW.min(hashes.len().max(1))) {
        let window = &hashes[start..(start + WINDOW).min(hashes.len())];
        // The least, and of equals the last: then neighbouring windows choose the same one.
        let Some((at, &hash)) = window.iter().enumerate().rev().min_by_key(|&(_, &hash)| hash) else { continue };
        if last != Some(start + at) {
            last = Some(start + at);
            found.entry(hash).or_default().push((tokens[start + at].1, tokens[start + at + GRAM - 1].1));
        }
    }
    found
}

/// The pairs that share most, best first.
pub fn pairs(documents: &[Document]) -> Vec<Pair> {
    let given: BTreeSet<u64> = template::FILES.iter().flat_map(|(_, text)| fingerprints(text).into_keys()).collect();
    let mut prints: Vec<HashMap<u64, Vec<(usize, usize)>>> =
        documents.iter().map(|document| fingerprints(&document.text)).collect();
    let mut holders: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    for (index, document) in documents.iter().enumerate() {
        for &print in prints[index].keys() {
            holders.entry((document.kind, print)).or_default().push(index);
        }
    }
    // What a quarter of a class has was given to the class, or is the natural way to write it.
    let of_kind = |kind: &str| documents.iter().filter(|document| document.kind == kind).count();
    let common = |kind: &str, count: usize| count > (of_kind(kind) / 4).max(3);
    let dropped: BTreeSet<(&str, u64)> = holders
        .iter()
        .filter(|((kind, print), holders)| given.contains(print) || common(kind, holders.len()))
        .map(|(&key, _)| key)
        .collect();
    for (index, document) in documents.iter().enumerate() {
        prints[index].retain(|&print, _| !dropped.contains(&(document.kind, print)));
    }
    let mut shared: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
    for ((kind, print), holders) in &holders {
        if dropped.contains(&(*kind, *print)) {
            continue;
        }
        for (at, &a) in holders.iter().enumerate() {
            for &b in &holders[at + 1..] {
                if documents[a].id != documents[b].id {
                    shared.entry((a, b)).or_default().push(*print);
                }
            }
        }
    }
    let mut pairs: Vec<Pair> = shared
        .into_iter()
        .filter(|(_, common)| common.len() >= LEAST_SHARED)
        .map(|((a, b), common)| {
            let share = |index: usize| common.len() as f64 / prints[index].len().max(1) as f64;
            let lines = |index: usize| {
                let places = common.iter().filter_map(|print| prints[index].get(print)).flatten();
                places.flat_map(|&(first, last)| first..=last).collect()
            };
            Pair {
                kind: documents[a].kind,
                ids: [documents[a].id.clone(), documents[b].id.clone()],
                shares: [share(a), share(b)],
                fingerprints: common.len(),
                texts: [documents[a].text.clone(), documents[b].text.clone()],
                lines: [lines(a), lines(b)],
            }
        })
        .filter(|pair| pair.shares[0].max(pair.shares[1]) >= LEAST_SHARE)
        .collect();
    let worth = |pair: &Pair| pair.shares[0].max(pair.shares[1]);
    pairs.sort_by(|a, b| {
        worth(b).total_cmp(&worth(a)).then(b.fingerprints.cmp(&a.fingerprints)).then(a.ids.cmp(&b.ids))
    });
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// The programs in a student's files: the player's source, and the sources in a basic zip.
pub fn documents(id: &str, files: &[impl AsRef<Path>]) -> Vec<Document> {
    const LARGEST: u64 = 2 << 20;
    let read = |path: &Path| -> Option<String> {
        let small = std::fs::metadata(path).is_ok_and(|about| about.len() <= LARGEST);
        small.then(|| std::fs::read(path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut documents = Vec::new();
    for path in files.iter().map(AsRef::as_ref) {
        if path.extension().is_some_and(|ending| ending == "zip") {
            let Ok(folder) = tempfile::tempdir() else { continue };
            let source = |name: &str| name.to_lowercase().ends_with(".c");
            if unpack(path, folder.path(), &mut Budget::student(), &source).is_err() {
                continue;
            }
            let mut paths = Vec::new();
            sources(folder.path(), &mut paths);
            let text: String = paths.iter().filter_map(|path| read(path)).map(|text| text + "\n").collect();
            documents.push(Document { id: id.into(), kind: "basic", text });
        } else if let Some(text) = read(path) {
            documents.push(Document { id: id.into(), kind: "aiplayer", text });
        }
    }
    documents
}

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("c")) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of many different statements, which depend on `salt`.
    fn program(salt: usize) -> String {
        let mut text = String::from("int f(int b[4][4]) {\n");
        let mut state = salt * 7919 + 1;
        for line in 0..60 {
            text += "  b[1][2] = x";
            for _ in 0..12 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let sign = ["+", "-", "*", "/", "%", "&", "|", "^", "<", ">"][(state >> 33) % 10];
                text += &format!(" {sign} x{line}");
            }
            text += ";\n";
        }
        text + "}\n"
    }

    fn document(id: &str, text: String) -> Document {
        Document { id: id.into(), kind: "aiplayer", text }
    }

    #[test]
    fn a_copy_with_other_names_and_comments_is_found() {
        let mut class: Vec<Document> = (0..12).map(|salt| document(&salt.to_string(), program(salt))).collect();
        let copy =
            program(3).replace("b[", "gameBoard[").replace('\n', " /* my own idea */\n\n").replace(" x", " value_");
        class.push(document("copy", copy));
        let pairs = pairs(&class);
        assert_eq!(pairs[0].ids, ["3", "copy"]);
        assert!(pairs[0].shares[0] > 0.9 && pairs[0].lines[0].len() > 40, "{:?}", pairs[0].shares);
        assert!(
            pairs.iter().skip(1).all(|pair| pair.shares[0] < 0.5),
            "{:?}",
            pairs.iter().map(|pair| pair.shares).collect::<Vec<_>>()
        );
    }

    #[test]
    fn the_template_explains_itself() {
        let template = template::FILES[0].1;
        let class = [document("1", template.replace("@ID@", "1")), document("2", template.replace("@ID@", "2"))];
        assert!(pairs(&class).is_empty());
        assert!(pairs(&[document("1", String::new()), document("2", "int".into())]).is_empty());
    }
}
