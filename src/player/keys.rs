//! What a person types, one key at a time: a letter of any alphabet and an arrow key are one key each, however many
//! bytes they come in.

use std::fmt;

use crate::stdio;

const ESCAPE: u8 = 0x1b;
/// White space to C's `isspace`, but not to Rust's `is_ascii_whitespace`.
const VERTICAL_TAB: u8 = 0x0b;
/// What some editors put at the start of a file to say that it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// More bytes than any key of a keyboard sends. What goes on longer is cut there.
const LONGEST: usize = 16;

/// The bytes of one typed character, or of one escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Key {
    fn new(first: u8) -> Self {
        let mut bytes = [0; LONGEST];
        bytes[0] = first;
        Self { bytes, length: 1 }
    }

    /// Whether there was room.
    fn push(&mut self, byte: u8) -> bool {
        let place = self.bytes.get_mut(self.length);
        let pushed = place.map(|place| *place = byte).is_some();
        self.length += usize::from(pushed);
        pushed
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// A key of one byte: a letter, a digit, a blank ...
    #[must_use]
    pub fn as_byte(&self) -> Option<u8> {
        if let [byte] = *self.bytes() { Some(byte) } else { None }
    }

    fn as_char(&self) -> Option<char> {
        let mut chars = str::from_utf8(self.bytes()).ok()?.chars();
        let first = chars.next()?;
        chars.next().is_none().then_some(first)
    }

    /// White space as C's `isspace` has it, and the byte-order mark, which nobody typed.
    #[must_use]
    pub fn is_white_space(&self) -> bool {
        match self.as_byte() {
            Some(byte) => byte.is_ascii_whitespace() || byte == VERTICAL_TAB,
            None => self.as_char() == Some(BYTE_ORDER_MARK),
        }
    }
}

/// As it is to be shown in a message: what a terminal shows as it is, all else in Rust's escapes.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_char() {
            Some(letter) if !letter.is_ascii() => write!(f, "{}", letter.escape_debug()),
            _ => write!(f, "{}", self.bytes().escape_ascii()),
        }
    }
}

/// The next key of C's standard input, or `None` at its end. No byte behind the key is taken.
#[must_use]
pub fn read() -> Option<Key> {
    read_from(stdio::read_byte, stdio::unread_byte)
}

fn read_from(mut next: impl FnMut() -> Option<u8>, mut put_back: impl FnMut(u8)) -> Option<Key> {
    let mut key = Key::new(next()?);
    // Takes the next byte into the key if it belongs there.
    let mut take = |key: &mut Key, belongs: &dyn Fn(u8) -> bool| {
        let byte = next()?;
        if belongs(byte) && key.push(byte) {
            return Some(byte);
        }
        put_back(byte);
        None
    };
    match key.bytes[0] {
        ESCAPE => match take(&mut key, &|byte| byte == b'[' || byte == b'O') {
            // Parameters, then one final byte.
            Some(b'[') => {
                while take(&mut key, &|byte| (b' '..=b'~').contains(&byte)).is_some_and(|byte| byte < b'@') {}
            }
            Some(_) => drop(take(&mut key, &|byte| byte.is_ascii_graphic())),
            None => {}
        },
        first => {
            let more = match first {
                0xc2..=0xdf => 1,
                0xe0..=0xef => 2,
                0xf0..=0xf4 => 3,
                _ => 0,
            };
            for _ in 0..more {
                if take(&mut key, &|byte| (0x80..0xc0).contains(&byte)).is_none() {
                    break;
                }
            }
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// All keys of an input, as messages show them.
    fn keys(input: &[u8]) -> Vec<String> {
        let rest = RefCell::new(input.iter().rev().copied().collect::<Vec<_>>());
        let next = || read_from(|| rest.borrow_mut().pop(), |byte| rest.borrow_mut().push(byte));
        std::iter::from_fn(next).filter(|key| !key.is_white_space()).map(|key| key.to_string()).collect()
    }

    #[test]
    fn a_key_is_a_character_or_an_escape_sequence() {
        assert_eq!(keys(b"U d\r\n\x0bx'"), ["U", "d", "x", r"\'"]);
        assert_eq!(keys("é上🎲\u{202e}".as_bytes()), ["é", "上", "🎲", r"\u{202e}"]);
        assert_eq!(keys(b"\x1b[A\x1bOBU\x1b[1;5CL\x1b"), [r"\x1b[A", r"\x1bOB", "U", r"\x1b[1;5C", "L", r"\x1b"]);
        assert_eq!(keys("\u{feff}R\u{feff}".as_bytes()), ["R"]);
    }

    #[test]
    fn broken_sequences_take_nothing_that_follows() {
        assert_eq!(keys(b"\xc3U\xe4\xb8D"), [r"\xc3", "U", r"\xe4\xb8", "D"]);
        assert_eq!(keys(b"\x1b\nU\x1bU\x1b[\nD"), [r"\x1b", "U", r"\x1b", "U", r"\x1b[", "D"]);
        assert_eq!(keys(b"\x80\xff"), [r"\x80", r"\xff"]);
        assert_eq!(keys(&[b"\x1b[".to_vec(), vec![b'2'; 40]].concat()).concat().matches('2').count(), 40);
    }
}
