//! Numbers as symbols: small ones by a symbol each, larger ones by their three highest bits and the others as they are.

use super::entropy::{Coder, MAX_SYMBOLS};

/// Symbols of a number.
pub(super) const SYMBOLS: usize = MAX_SYMBOLS;

/// For every symbol: the smallest number that has it, and how many bits the others are told apart by. Numbers are folded
/// here: 0, -1, 1, -2, 2 ... are 0, 1, 2, 3, 4 ...
const TOKENS: [(u32, u32); SYMBOLS] = {
    let mut tokens = [(0, 0); SYMBOLS];
    let mut token = 0;
    while token < tokens.len() {
        let bits = if token < 16 { 0 } else { token as u32 / 4 - 2 };
        tokens[token] = if token < 16 { (token as u32, 0) } else { ((4 | token as u32 & 3) << bits, bits) };
        token += 1;
    }
    tokens
};

/// Writes this number with a model, or reads one, as the coder does. Gives its symbol, too.
#[inline(always)]
pub(super) fn code(coder: &mut impl Coder, model: usize, number: i16) -> (i16, usize) {
    let folded = (number << 1 ^ number >> 15) as u16 as u32;
    let token = match folded {
        ..16 => folded,
        _ => {
            let bits = folded.ilog2() - 2;
            16 + (bits - 2) * 4 + (folded >> bits & 3)
        }
    };
    let token = coder.symbol(model, token) as usize % SYMBOLS;
    let (first, bits) = TOKENS[token];
    let folded = first + coder.raw(bits, folded & ((1 << bits) - 1));
    ((folded >> 1) as i16 ^ -((folded & 1) as i16), token)
}
