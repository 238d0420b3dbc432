//! `repro_<id>.c`: a program that repeats a failing game on the student's own machine, without its seed; and what the
//! sanitizers say when it runs here.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use regex::Regex;

use estr2048_referee::compile::Compiler;
use estr2048_referee::game::GameRecord;
use estr2048_referee::sandbox::program::Stop;

const TEMPLATE: &str = include_str!("repro.c.in");

/// The C program for this game.
pub fn source(id: &str, function: &str, game: &GameRecord) -> String {
    let rows: Vec<String> = game.board.chunks(4).map(|row| format!(" *   {}", numbers(row))).collect();
    let spawns: Vec<String> =
        game.spawns.as_bytes().chunks(100).map(|part| format!("    \"{}\",", String::from_utf8_lossy(part))).collect();
    TEMPLATE
        .replace("aiplayer_@ID@(", &format!("{function}("))
        .replace("@ID@", id)
        .replace("@VERDICT@", &comment(&game.detail))
        .replace("@MOVE@", &(game.moves + 1).to_string())
        .replace("@BOARD@", &rows.join("\n"))
        .replace("@SPAWNS@", &spawns.join("\n"))
}

fn numbers(row: &[i32]) -> String {
    row.iter().map(|tile| format!("{tile:5}")).collect::<Vec<_>>().join(" ")
}

/// A text that cannot end a C comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

/// Compiles the program with the sanitizers, runs it, and gives their finding in one sentence with file and line.
pub fn sanitize(compiler: &Compiler, folder: &Path, id: &str, repro: &str) -> Result<Option<String>> {
    fs::write(folder.join("repro.c"), repro)?;
    let player = format!("aiplayer_{id}.c");
    let sanitizers = "-fsanitize=address,undefined";
    let options = [
        "-g",
        "-O1",
        "-fno-omit-frame-pointer",
        "-fno-tree-pta",
        "-w",
        sanitizers,
        "repro.c",
        &player,
        "-o",
        "repro",
        "-lm",
    ];
    let built = compiler.run(folder, &options)?;
    if !built.success() {
        return Ok(None);
    }
    let outcome = compiler.run_result(folder, "repro", None, Duration::from_secs(20), true)?;
    if matches!(outcome.ending, Stop::Timeout | Stop::Starved | Stop::Memory) {
        return Ok(None);
    }
    Ok(finding(&outcome.stderr, id))
}

/// The first complaint in the sanitizers' output.
fn finding(text: &str, id: &str) -> Option<String> {
    let file = format!(r"aiplayer_{}\.[ch]", regex::escape(id));
    let undefined = Regex::new(&format!(r"({file}:\d+)(?::\d+)?: runtime error: ([^\n]+)")).ok()?;
    let address = Regex::new(r"ERROR: AddressSanitizer: ([a-zA-Z-]+)").ok()?;
    let frame = Regex::new(&format!(r"#\d+ \S+ in (\S+) \S*?({file}:\d+)")).ok()?;
    let first_undefined = undefined.captures(text);
    let first_address = address.captures(text).and_then(|kind| {
        let rest = &text[kind.get(0)?.start()..];
        let place = frame.captures(rest)?;
        Some((kind.get(0)?.start(), format!("{} in {}: {}", &place[2], &place[1], in_words(&kind[1]))))
    });
    match (first_undefined, first_address) {
        (Some(found), Some((at, _))) if found.get(0)?.start() < at => Some(format!("{}: {}", &found[1], &found[2])),
        (_, Some((_, sentence))) => Some(sentence),
        (Some(found), None) => Some(format!("{}: {}", &found[1], &found[2])),
        (None, None) => None,
    }
}

fn in_words(kind: &str) -> String {
    let words = match kind {
        "heap-buffer-overflow" => "an access outside the board or outside memory from malloc",
        "stack-buffer-overflow" => "an access outside a local array",
        "stack-buffer-underflow" => "an access before a local array",
        "global-buffer-overflow" => "an access outside a global or static array",
        "heap-use-after-free" => "a use of memory after free",
        "stack-overflow" => "the stack is used up (endless recursion, or a very large local array)",
        "SEGV" => "an access through a pointer that leads nowhere",
        "FPE" => "a division by zero",
        "double-free" | "attempting" => "memory is freed twice, or was never from malloc",
        "ABRT" => "the program gave up (abort, a failed assert)",
        _ => return kind.into(),
    };
    format!("{words} ({kind})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_finding_is_given_with_file_and_line() {
        let text = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\nWRITE of size 4\n    #0 0x55 in helper_7 \
                    /tmp/x/aiplayer_7.c:12\n    #1 0x55 in aiplayer_7 /tmp/x/aiplayer_7.c:20\n";
        let found = finding(text, "7").unwrap();
        assert!(found.starts_with("aiplayer_7.c:12 in helper_7: an access outside the board"), "{found}");
        let text = "aiplayer_7.c:5:3: runtime error: index 4 out of bounds for type 'int [4]'\n";
        assert_eq!(finding(text, "7").unwrap(), "aiplayer_7.c:5: index 4 out of bounds for type 'int [4]'");
        assert_eq!(finding("all is well", "7"), None);
    }
}
