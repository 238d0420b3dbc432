//! `java.util.Random`: the 48-bit linear congruential generator of the Java platform, bit for bit.
//!
//! Source: the API specification of `java.util.Random`, which fixes the algorithm of every method here. The known
//! answers in `tests/data/java` come from OpenJDK 17.

use rand_core::{Infallible, SeedableRng, TryRng};

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const ADDEND: u64 = 0xB;
const LOW_48_BITS: u64 = (1 << 48) - 1;

/// A `java.util.Random`.
///
/// ```
/// use estr2048::JavaRandom;
///
/// let mut random = JavaRandom::new(42);
/// assert_eq!(random.next_int(), -1_170_105_035);
/// assert_eq!(random.next_int_below(100), Some(63));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JavaRandom {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "low_48_bits"))]
    state: u64,
}

#[cfg(feature = "serde")]
fn low_48_bits<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    <u64 as serde::Deserialize>::deserialize(deserializer).map(|state| state & LOW_48_BITS)
}

impl JavaRandom {
    /// A generator seeded like `new Random(seed)`. Seeds that agree in their low 48 bits give the same numbers.
    #[must_use]
    pub fn new(seed: i64) -> Self {
        Self { state: (seed.cast_unsigned() ^ MULTIPLIER) & LOW_48_BITS }
    }

    /// The 48 bits of the state.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.state
    }

    /// A generator that goes on from a [`state`](Self::state); only its low 48 bits count.
    #[must_use]
    pub fn from_state(state: u64) -> Self {
        Self { state: state & LOW_48_BITS }
    }

    /// Steps the state and gives its top `bits` bits, 1 to 32 of them (Java's protected `next`).
    fn next(&mut self, bits: u32) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(ADDEND) & LOW_48_BITS;
        (self.state >> (48 - bits)) as u32
    }

    /// Any of the 2^32 `int`s (`nextInt()`).
    pub fn next_int(&mut self) -> i32 {
        self.next(32).cast_signed()
    }

    /// A number from 0 to `bound` - 1, all equally likely (`nextInt(bound)`). `None`, and no step, if `bound` is not
    /// positive: Java throws then.
    ///
    /// A power of two takes the high bits of one step. Any other bound takes the remainder of a 31-bit number, and
    /// draws again if that number lies in the last, incomplete run of `bound` numbers.
    pub fn next_int_below(&mut self, bound: i32) -> Option<i32> {
        let bound = u32::try_from(bound).ok().filter(|&bound| bound > 0)?;
        let number = if bound.is_power_of_two() {
            ((u64::from(bound) * u64::from(self.next(31))) >> 31) as u32
        } else {
            loop {
                let bits = self.next(31);
                let number = bits % bound;
                // Java lets `bits - number + (bound - 1)` overflow an int, and draws again if it does.
                if bits - number + (bound - 1) <= i32::MAX.cast_unsigned() {
                    break number;
                }
            }
        };
        Some(number.cast_signed())
    }

    /// An index below `count`, for arrays: [`next_int_below`](Self::next_int_below) without a step if `count` is 0 or
    /// does not fit an `int`.
    pub(crate) fn next_index(&mut self, count: usize) -> Option<usize> {
        let index = self.next_int_below(i32::try_from(count).ok()?)?;
        usize::try_from(index).ok()
    }

    /// One of 2^48 `long`s (`nextLong()`): two steps, the high word first.
    pub fn next_long(&mut self) -> i64 {
        let high = i64::from(self.next_int()) << 32;
        high.wrapping_add(self.next_int().into())
    }

    /// A double in 0.0 ≤ r < 1.0 with 53 random bits (`nextDouble()`): two steps.
    pub fn next_double(&mut self) -> f64 {
        let high = u64::from(self.next(26)) << 27;
        (high + u64::from(self.next(27))) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

/// `next_u32` is `nextInt()`, `next_u64` is `nextLong()`, and bytes come as `nextBytes` gives them.
impl TryRng for JavaRandom {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next(32))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_long().cast_unsigned())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        rand_core::utils::fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

/// The seed is a `long`, little-endian.
impl SeedableRng for JavaRandom {
    type Seed = [u8; 8];

    fn from_seed(seed: [u8; 8]) -> Self {
        Self::new(i64::from_le_bytes(seed))
    }

    fn seed_from_u64(seed: u64) -> Self {
        Self::new(seed.cast_signed())
    }
}
