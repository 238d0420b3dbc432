//! Lines and words of an input, cut as `java.util.Scanner` cuts them.

use std::io::{self, BufRead};

/// An input, read line by line or word by word.
pub struct Input<R> {
    reader: R,
    /// The last line ended with CR: an LF right after it belongs to that end.
    after_return: bool,
}

/// What is kept of one line or word. No command is longer; the rest is read and dropped, so that an endless line
/// takes no memory.
const KEPT: usize = 4096;

impl<R: BufRead> Input<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, after_return: false }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.reader.fill_buf()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
        }
        Ok(byte)
    }

    /// The next line without its end; `None` after the last one (`nextLine`).
    ///
    /// A line ends with LF, CR LF, CR, or one of Unicode's three other line ends. The last line needs no end. What is
    /// not UTF-8 becomes U+FFFD.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut started = false;
        while let Some(byte) = self.byte()? {
            if std::mem::take(&mut self.after_return) && byte == b'\n' {
                continue;
            }
            started = true;
            match byte {
                b'\n' => return Ok(Some(text(line))),
                b'\r' => {
                    self.after_return = true;
                    return Ok(Some(text(line)));
                }
                _ => line.push(byte),
            }
            for end in ["\u{85}", "\u{2028}", "\u{2029}"] {
                if let Some(line) = line.strip_suffix(end.as_bytes()) {
                    return Ok(Some(text(line.to_vec())));
                }
            }
            if line.len() > KEPT {
                line.drain(KEPT / 2..KEPT);
            }
        }
        Ok(started.then(|| text(line)))
    }

    /// The next word between blanks; `None` if only blanks are left (`next`).
    pub fn next_word(&mut self) -> io::Result<Option<String>> {
        let mut word = Vec::new();
        while let Some(byte) = self.byte()? {
            match byte {
                b'\t'..=b'\r' | 0x1c..=0x1f | b' ' if word.is_empty() => {}
                b'\t'..=b'\r' | 0x1c..=0x1f | b' ' => break,
                _ if word.len() < KEPT => word.push(byte),
                _ => {}
            }
        }
        Ok((!word.is_empty()).then(|| text(word)))
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let mut input = Input::new(text);
        std::iter::from_fn(|| input.next_line().unwrap()).collect()
    }

    #[test]
    fn lines_end_as_in_java() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(lines(b"w"), ["w"]);
        assert_eq!(lines(b"w\na\r\ns\rd"), ["w", "a", "s", "d"]);
        assert_eq!(lines(b"\r\n\r\r\n\n"), ["", "", "", ""]);
        assert_eq!(lines("a\u{85}b\u{2028}c\u{2029}d".as_bytes()), ["a", "b", "c", "d"]);
        assert_eq!(lines(b"\xff\n \t\0\n"), ["\u{fffd}", " \t\0"]);
    }

    #[test]
    fn words_are_cut_at_blanks() {
        let mut input = Input::new(&b" w\r\n\ta \x0b\x0c\x1csd"[..]);
        let words: Vec<String> = std::iter::from_fn(|| input.next_word().unwrap()).collect();
        assert_eq!(words, ["w", "a", "sd"]);
    }

    #[test]
    fn an_endless_line_takes_little_memory() {
        let long = [vec![b'w'; 100_000], b"\nq".to_vec()].concat();
        let lines = lines(&long);
        assert!(lines[0].len() > 1 && lines[0].len() <= KEPT + 1);
        assert_eq!(lines[1..], ["q"]);
        assert_eq!(Input::new(&long[..]).next_word().unwrap().unwrap().len(), KEPT);
    }
}
