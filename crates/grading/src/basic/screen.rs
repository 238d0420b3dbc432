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
    let text = without_codes(output);
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

/// The text as the cursor leaves it, as far as it only moves on.
fn without_codes(output: &str) -> String {
    /// Columns of a wide terminal, and the blanks that may be put in.
    const WIDEST: usize = 100;
    const MOST_BLANKS: usize = 1 << 20;
    let mut text = String::with_capacity(output.len());
    let (mut from, mut blanks, mut line) = (0, 0, 0);
    let mut room = |text: &mut String, columns: usize| {
        blanks += columns;
        if blanks <= MOST_BLANKS {
            text.extend(std::iter::repeat_n(' ', columns));
        }
    };
    for found in CODES.captures_iter(output) {
        let Some(whole) = found.get(0) else { continue };
        text.push_str(&output[from..whole.start()]);
        from = whole.end();
        let mut numbers = found.get(1).map_or("", |numbers| numbers.as_str()).split(';').map(str::parse);
        let mut number = || numbers.next().and_then(Result::ok).unwrap_or(1_usize);
        match found.get(2).map(|code| code.as_str()) {
            Some("H" | "f") => {
                let (row, column) = (number(), number().clamp(1, WIDEST));
                let written = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
                // On the same line to the right, or else to what does not belong to what was before.
                let on = row == line && column > written;
                if !on {
                    text.push('\n');
                }
                line = row;
                room(&mut text, column - 1 - if on { written } else { 0 });
            }
            Some("J" | "E" | "B") => text.push('\n'),
            Some("C") => room(&mut text, number().clamp(1, WIDEST)),
            _ => {}
        }
    }
    text.push_str(&output[from..]);
    text
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
        assert_eq!(plain("\u{1b}[5;1H2\u{1b}[5;4H16\u{1b}[6;1H\u{1b}[6;4H8"), "\n2  16\n   8");
    }
}
