//! TinyMT32, the 127-bit generator of Saito and Matsumoto, bit for bit as in their reference C.
//!
//! Source: M. Saito, M. Matsumoto, "TinyMT", version 1.1 (`tinymt32.h`, `tinymt32.c`); RFC 8682 describes the same
//! recurrence. The known answers in `tests/data/tinymt` are the ones that the authors publish.

use rand_core::{Infallible, SeedableRng, TryRng};

const LOW_31_BITS: u32 = 0x7fff_ffff;
const MIN_LOOP: usize = 8;
const PRE_LOOP: usize = 8;
const WORDS: usize = 4;

/// The three parameters that choose one generator of the TinyMT32 family.
///
/// Any values are accepted; only sets made by the authors' TinyMTDC have the full period of 2^127 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameters {
    /// Mask that is added to the second status word when the state is odd.
    pub mat1: u32,
    /// Mask that is added to the third status word when the state is odd.
    pub mat2: u32,
    /// Mask of the tempering, which turns the state into an output.
    pub tmat: u32,
}

impl Parameters {
    /// All three parameters zero: what a C global `tinymt32_t state;` holds, and so the set of the ESTR1002 game.
    pub const ZERO: Self = Self { mat1: 0, mat2: 0, tmat: 0 };

    /// The set of the authors' own check program (`check32.c`).
    pub const OFFICIAL: Self = Self { mat1: 0x8f70_11ee, mat2: 0xfc78_ff1f, tmat: 0x3793_fdff };
}

/// A TinyMT32 generator, laid out like the reference's `tinymt32_t`: seven 32-bit words.
///
/// ```
/// use estr2048::tinymt32::{Parameters, TinyMt32};
///
/// let mut random = TinyMt32::new(1, Parameters::OFFICIAL);
/// assert_eq!(random.generate_u32(), 2_545_341_989);
/// ```
#[repr(C)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TinyMt32 {
    status: [u32; WORDS],
    mat1: u32,
    mat2: u32,
    tmat: u32,
}

impl TinyMt32 {
    /// A generator with these parameters, seeded with one 32-bit number (the reference's `tinymt32_init`).
    #[must_use]
    pub fn new(seed: u32, parameters: Parameters) -> Self {
        let mut random = Self::unseeded(parameters);
        random.init(seed);
        random
    }

    /// A generator seeded with any number of 32-bit keys (the reference's `tinymt32_init_by_array`).
    #[must_use]
    pub fn from_keys(keys: &[u32], parameters: Parameters) -> Self {
        let mut random = Self::unseeded(parameters);
        random.init_by_array(keys);
        random
    }

    /// A generator that goes on from a [`status`](Self::status).
    #[must_use]
    pub fn from_status(status: [u32; WORDS], parameters: Parameters) -> Self {
        Self { status, ..Self::unseeded(parameters) }
    }

    fn unseeded(parameters: Parameters) -> Self {
        let Parameters { mat1, mat2, tmat } = parameters;
        Self { status: [0; WORDS], mat1, mat2, tmat }
    }

    /// The parameters of this generator.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters { mat1: self.mat1, mat2: self.mat2, tmat: self.tmat }
    }

    /// The four words of the state.
    #[must_use]
    pub fn status(&self) -> [u32; WORDS] {
        self.status
    }

    /// Seeds the generator anew and keeps its parameters (`tinymt32_init`).
    pub fn init(&mut self, seed: u32) {
        let s = &mut self.status;
        *s = [seed, self.mat1, self.mat2, self.tmat];
        for i in 1..MIN_LOOP {
            let previous = s[(i - 1) % WORDS];
            let mixed = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253);
            s[i % WORDS] ^= mixed.wrapping_add(i as u32);
        }
        self.finish_seeding();
    }

    /// Seeds the generator anew from keys and keeps its parameters (`tinymt32_init_by_array`).
    pub fn init_by_array(&mut self, keys: &[u32]) {
        self.init_by(keys.len(), |index| keys[index]);
    }

    /// `init_by_array` with the keys `key(0)` to `key(length - 1)`, wherever they are kept.
    pub(crate) fn init_by(&mut self, length: usize, key: impl Fn(usize) -> u32) {
        fn scramble(x: u32, factor: u32) -> u32 {
            (x ^ (x >> 27)).wrapping_mul(factor)
        }
        const FIRST: u32 = 1_664_525;
        const SECOND: u32 = 1_566_083_941;

        let s = &mut self.status;
        *s = [0, self.mat1, self.mat2, self.tmat];
        let rounds = length.saturating_add(1).max(MIN_LOOP);
        // Round 0 adds the number of keys, the next rounds a key each, the rest nothing; each adds its position too.
        for round in 0..rounds {
            let i = round % WORDS;
            let key = match round {
                0 => length as u32,
                _ if round <= length => key(round - 1),
                _ => 0,
            };
            let mut r = scramble(s[i] ^ s[(i + 1) % WORDS] ^ s[(i + 3) % WORDS], FIRST);
            s[(i + 1) % WORDS] = s[(i + 1) % WORDS].wrapping_add(r);
            r = r.wrapping_add(key).wrapping_add(i as u32);
            s[(i + 2) % WORDS] = s[(i + 2) % WORDS].wrapping_add(r);
            s[i] = r;
        }
        for step in 0..WORDS {
            let i = (rounds + step) % WORDS;
            let sum = s[i].wrapping_add(s[(i + 1) % WORDS]).wrapping_add(s[(i + 3) % WORDS]);
            let mut r = scramble(sum, SECOND);
            s[(i + 1) % WORDS] ^= r;
            r = r.wrapping_sub(i as u32);
            s[(i + 2) % WORDS] ^= r;
            s[i] = r;
        }
        self.finish_seeding();
    }

    /// Leaves the all-zero state, which the recurrence could never leave, and runs the generator in.
    fn finish_seeding(&mut self) {
        let [a, b, c, d] = self.status;
        if a & LOW_31_BITS == 0 && b == 0 && c == 0 && d == 0 {
            self.status = [b'T', b'I', b'N', b'Y'].map(u32::from);
        }
        for _ in 0..PRE_LOOP {
            self.next_state();
        }
    }

    /// Steps the state once (`tinymt32_next_state`).
    #[inline]
    pub fn next_state(&mut self) {
        let [s0, s1, s2, s3] = self.status;
        let mut x = (s0 & LOW_31_BITS) ^ s1 ^ s2;
        x ^= x << 1;
        let y = s3 ^ (s3 >> 1) ^ x;
        let odd = (y & 1).wrapping_neg();
        self.status = [s1, s2 ^ (odd & self.mat1), x ^ (y << 10) ^ (odd & self.mat2), y];
    }

    /// The output of the present state (`tinymt32_temper`).
    #[inline]
    #[must_use]
    pub fn temper(&self) -> u32 {
        let [s0, _, s2, s3] = self.status;
        let t = s0.wrapping_add(s2 >> 8);
        let odd = (t & 1).wrapping_neg();
        s3 ^ t ^ (odd & self.tmat)
    }

    /// Steps the state and gives its output, uniform over all 32-bit numbers (`tinymt32_generate_uint32`).
    #[inline]
    pub fn generate_u32(&mut self) -> u32 {
        self.next_state();
        self.temper()
    }

    /// A float in 0.0 ≤ r < 1.0 with 24 random bits (`tinymt32_generate_float`).
    pub fn generate_f32(&mut self) -> f32 {
        (self.generate_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// A float in 1.0 ≤ r < 2.0 with 23 random bits (`tinymt32_generate_float12`).
    pub fn generate_f32_1_2(&mut self) -> f32 {
        self.next_state();
        self.temper_f32_1_2()
    }

    /// The float of the present state in 1.0 ≤ r < 2.0 (`tinymt32_temper_conv`).
    #[must_use]
    pub fn temper_f32_1_2(&self) -> f32 {
        f32::from_bits((self.temper() >> 9) | 0x3f80_0000)
    }

    /// The float of the present state in 1.0 < r < 2.0 (`tinymt32_temper_conv_open`).
    #[must_use]
    pub fn temper_f32_open(&self) -> f32 {
        f32::from_bits((self.temper() >> 9) | 0x3f80_0001)
    }

    /// A float in 0.0 ≤ r < 1.0 with 23 random bits (`tinymt32_generate_float01`).
    pub fn generate_f32_0_1(&mut self) -> f32 {
        self.generate_f32_1_2() - 1.0
    }

    /// A float in 0.0 < r ≤ 1.0 (`tinymt32_generate_floatOC`).
    pub fn generate_f32_open_closed(&mut self) -> f32 {
        1.0 - self.generate_f32()
    }

    /// A float in 0.0 < r < 1.0 (`tinymt32_generate_floatOO`).
    pub fn generate_f32_open_open(&mut self) -> f32 {
        self.next_state();
        self.temper_f32_open() - 1.0
    }

    /// A double in 0.0 ≤ r < 1.0 with 32 random bits (`tinymt32_generate_32double`).
    pub fn generate_f64(&mut self) -> f64 {
        f64::from(self.generate_u32()) * (1.0 / 4_294_967_296.0)
    }
}

impl TryRng for TinyMt32 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.generate_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        rand_core::utils::next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        rand_core::utils::fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

/// Seeds by array with the official parameters: the four words of the seed, little-endian, are the keys.
impl SeedableRng for TinyMt32 {
    type Seed = [u8; 16];

    fn from_seed(seed: [u8; 16]) -> Self {
        let mut keys = [0; WORDS];
        for (key, bytes) in keys.iter_mut().zip(seed.as_chunks::<4>().0) {
            *key = u32::from_le_bytes(*bytes);
        }
        Self::from_keys(&keys, Parameters::OFFICIAL)
    }
}
