//! What a program printed, as plain text: terminal codes gone, box drawing and full-width signs as ASCII.

use std::sync::LazyLock;

use regex::Regex;

// Colours and cursor movements, titles, and the short sequences of old terminals (ECMA-48).
static CODES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\x1b\[([0-?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()#][0-9A-Z]|\x1b[=>78cDEHMNOZ]")
        .expect("a regex")
});

/// The text without anything that only a terminal understands.
pub fn plain(output: &str) -> String {
    let text = CODES.replace_all(output, |found: &regex::Captures<'_>| match found.get(2).map(|code| code.as_str()) {
        // What is cleared or left by the cursor does not belong to what comes next.
        Some("J" | "H" | "f" | "E" | "B") => "\n".to_string(),
        Some("C") => {
            let columns = found[1].parse().unwrap_or(1_usize).clamp(1, 100);
            " ".repeat(columns)
        }
        _ => String::new(),
    });
    let mut plain = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        match letter {
            '\r' | '\u{b}' | '\u{c}' => plain.push('\n'),
            '\u{8}' => {
                if plain.ends_with(|last| last != '\n') {
                    plain.pop();
                }
            }
            '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋' | '▏' | '▕' => plain.push('|'),
            '─' | '━' | '═' | '╌' | '╍' | '┄' | '┅' | '┈' | '┉' | '—' | '–' => plain.push('-'),
            '┌'..='╋' | '╒'..='╬' | '╭'..='╰' => plain.push('+'),
            '·' | '•' | '∙' | '․' | '□' | '▢' | '○' | '◦' => plain.push('.'),
            '\u{a0}' | '\u{3000}' | '\u{2007}' => plain.push(' '),
            // Full-width digits, brackets and marks.
            '\u{ff01}'..='\u{ff5e}' => plain.push(char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter)),
            '\u{200b}'..='\u{200f}' | '\u{feff}' => {}
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_and_signs_become_ascii() {
        assert_eq!(plain("\u{1b}[1;31m228\u{1b}[0m points"), "228 points");
        assert_eq!(plain("move? \u{1b}[2J\u{1b}[1;1H2"), "move? \n\n2");
        assert_eq!(plain("│ 2 ║\r\n┌──┐"), "| 2 |\n+--+");
        assert_eq!(plain("\u{1b}]0;title\u{7}得分\u{ff1a}228"), "得分:228");
        assert_eq!(plain("1\u{1b}[3C2"), "1   2");
    }
}
