//! The first draws of many seeds at once.
//!
//! The loops below have no branches and no memory between seeds, so the compiler turns them into vector code: of 4
//! lanes on any x86-64, of 8 with AVX2, of 16 with AVX-512. The vector form is chosen when the program runs; all forms
//! give the same numbers.

use crate::tinymt32::Parameters;

/// How many consecutive seeds [`first_cells`] takes at once.
pub const BLOCK: usize = 4096;

/// How many seeds [`eight_cells`] takes at once.
pub const BATCH: usize = 256;

/// The cell that each of the seeds `first`, `first + 1`, ... draws first, as `row * 4 + col`.
pub fn first_cells(first: u32, parameters: Parameters, cells: &mut [u8; BLOCK]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has AVX-512F and AVX-512BW.
            return unsafe { first_cells_avx512(first, parameters, cells) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { first_cells_avx2(first, parameters, cells) };
        }
    }
    first_cells_portable(first, parameters, cells);
}

/// The first eight cells that each seed draws: draw k in the bits from `4 * k` on.
pub fn eight_cells(seeds: &[u32; BATCH], parameters: Parameters, cells: &mut [u32; BATCH]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F.
            return unsafe { eight_cells_avx512(seeds, parameters, cells) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { eight_cells_avx2(seeds, parameters, cells) };
        }
    }
    eight_cells_portable(seeds, parameters, cells);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn first_cells_avx512(first: u32, parameters: Parameters, cells: &mut [u8; BLOCK]) {
    first_cells_portable(first, parameters, cells);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn first_cells_avx2(first: u32, parameters: Parameters, cells: &mut [u8; BLOCK]) {
    first_cells_portable(first, parameters, cells);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn eight_cells_avx512(seeds: &[u32; BATCH], parameters: Parameters, cells: &mut [u32; BATCH]) {
    eight_cells_portable(seeds, parameters, cells);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn eight_cells_avx2(seeds: &[u32; BATCH], parameters: Parameters, cells: &mut [u32; BATCH]) {
    eight_cells_portable(seeds, parameters, cells);
}

/// With zero parameters most of the work falls away, if the compiler knows that they are zero: hence two loops.
#[inline(always)]
fn first_cells_portable(first: u32, parameters: Parameters, cells: &mut [u8; BLOCK]) {
    if parameters == Parameters::ZERO {
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = Lane::seeded(first.wrapping_add(i as u32), Parameters::ZERO).draw() as u8;
        }
    } else {
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = Lane::seeded(first.wrapping_add(i as u32), parameters).draw() as u8;
        }
    }
}

#[inline(always)]
fn eight_cells_portable(seeds: &[u32; BATCH], parameters: Parameters, cells: &mut [u32; BATCH]) {
    for (cells, &seed) in cells.iter_mut().zip(seeds) {
        let mut lane = Lane::seeded(seed, parameters);
        let first_half = lane.draw() | lane.draw() << 4 | lane.draw() << 8 | lane.draw() << 12;
        let second_half = lane.draw() | lane.draw() << 4 | lane.draw() << 8 | lane.draw() << 12;
        *cells = first_half | second_half << 16;
    }
}

/// A [`TinyMt32`](crate::TinyMt32) without loops and branches, which gives the lowest two bits of its outputs only.
struct Lane {
    status: [u32; 4],
    parameters: Parameters,
}

impl Lane {
    #[inline(always)]
    fn seeded(seed: u32, parameters: Parameters) -> Self {
        let mix = |status: u32, i: u32| (status ^ status >> 30).wrapping_mul(1_812_433_253).wrapping_add(i);
        let Parameters { mat1, mat2, tmat } = parameters;
        let b = mat1 ^ mix(seed, 1);
        let c = mat2 ^ mix(b, 2);
        let d = tmat ^ mix(c, 3);
        let a = seed ^ mix(d, 4);
        let b = b ^ mix(a, 5);
        let c = c ^ mix(b, 6);
        let d = d ^ mix(c, 7);
        let mut lane = Self { status: leave_zero([a, b, c, d]), parameters };
        lane.step();
        lane.step();
        lane.step();
        lane.step();
        lane.step();
        lane.step();
        lane.step();
        lane.step();
        lane
    }

    #[inline(always)]
    fn step(&mut self) {
        let [s0, s1, s2, s3] = self.status;
        let x = (s0 & 0x7fff_ffff) ^ s1 ^ s2;
        let x = x ^ x << 1;
        let y = s3 ^ s3 >> 1 ^ x;
        let odd = (y & 1).wrapping_neg();
        self.status = [s1, s2 ^ odd & self.parameters.mat1, x ^ y << 10 ^ odd & self.parameters.mat2, y];
    }

    #[inline(always)]
    fn output(&mut self) -> u32 {
        self.step();
        let [s0, _, s2, s3] = self.status;
        let t = s0.wrapping_add(s2 >> 8);
        (s3 ^ t ^ (t & 1).wrapping_neg() & self.parameters.tmat) & 3
    }

    #[inline(always)]
    fn draw(&mut self) -> u32 {
        let row = self.output();
        row << 2 | self.output()
    }
}

/// The all-zero state is replaced, as in the reference.
#[inline(always)]
fn leave_zero(status: [u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = status;
    let zero = u32::from(a << 1 | b | c | d == 0).wrapping_neg();
    let letter = |letter: u8| zero & u32::from(letter);
    [a & !zero | letter(b'T'), b | letter(b'I'), c | letter(b'N'), d | letter(b'Y')]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TinyMt32;
    use crate::courses::estr1002::draw_cell;

    const SETS: [Parameters; 3] =
        [Parameters::ZERO, Parameters::OFFICIAL, Parameters { mat1: 0xdead_beef, mat2: 7, tmat: 0x8000_0001 }];

    fn drawn(seed: u32, parameters: Parameters, draws: usize) -> u32 {
        let mut random = TinyMt32::new(seed, parameters);
        (0..draws).map(|k| (draw_cell(&mut random) as u32) << (4 * k)).sum()
    }

    fn seeds_to_try() -> [u32; BATCH] {
        std::array::from_fn(|i| (i as u32).wrapping_mul(0x9e37_79b9) ^ (i as u32 & 1))
    }

    /// Every form that this processor can run.
    #[test]
    fn first_cells_are_those_of_the_generator() {
        let mut cells = [0; BLOCK];
        for parameters in SETS {
            for first in [0, 33_000, u32::MAX - 2000] {
                let mut check = |form: &dyn Fn(u32, Parameters, &mut [u8; BLOCK])| {
                    form(first, parameters, &mut cells);
                    for (i, &cell) in cells.iter().enumerate() {
                        let seed = first.wrapping_add(i as u32);
                        assert_eq!(u32::from(cell), drawn(seed, parameters, 1), "seed {seed}, {parameters:?}");
                    }
                };
                check(&first_cells);
                check(&first_cells_portable);
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    check(&|first, parameters, cells| unsafe { first_cells_avx2(first, parameters, cells) });
                }
            }
        }
    }

    #[test]
    fn eight_cells_are_those_of_the_generator() {
        let seeds = seeds_to_try();
        let mut cells = [0; BATCH];
        for parameters in SETS {
            for form in [eight_cells, eight_cells_portable] {
                form(&seeds, parameters, &mut cells);
                for (&seed, &cells) in seeds.iter().zip(&cells) {
                    assert_eq!(cells, drawn(seed, parameters, 8), "seed {seed}, {parameters:?}");
                }
            }
        }
    }

    #[test]
    fn zero_state_is_left() {
        let tiny = [b'T', b'I', b'N', b'Y'].map(u32::from);
        assert_eq!(leave_zero([0, 0, 0, 0]), tiny);
        assert_eq!(leave_zero([0x8000_0000, 0, 0, 0]), tiny);
        for status in [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0x8000_0000, 0], [0, 0, 0, 9]] {
            assert_eq!(leave_zero(status), status);
        }
    }
}
