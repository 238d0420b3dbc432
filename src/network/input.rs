//! The bytes of a network file, read from the first to the last.

use super::entropy::Models;
use super::format_error::FormatError;

/// What was not read yet.
pub(super) struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// So many bytes.
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], FormatError> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The frequencies of so many models, in place of those before; `symbols` gives the number of symbols of each.
    pub fn models(
        &mut self,
        models: &mut Models,
        count: usize,
        symbols: impl Fn(usize) -> usize,
    ) -> Result<(), FormatError> {
        models.clear();
        for model in 0..count {
            let frequencies = self.pairs(symbols(model))?.iter().map(|pair| u16::from_le_bytes(*pair));
            models.add(frequencies).ok_or(FormatError::Damaged)?;
        }
        Ok(())
    }

    /// So many times two bytes.
    pub fn pairs(&mut self, count: usize) -> Result<&'a [[u8; 2]], FormatError> {
        Ok(self.bytes(count.saturating_mul(2))?.as_chunks().0)
    }

    /// The next bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(*bytes)
    }

    /// A byte.
    pub fn byte(&mut self) -> Result<u8, FormatError> {
        self.array().map(|[byte]| byte)
    }

    /// A number of 32 bits.
    pub fn word(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }
}
