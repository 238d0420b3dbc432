//! The symmetries of a packed board: the eight ways to look at a square.

/// Rows become columns: cells are exchanged in 2×2 blocks, then the blocks themselves.
#[inline(always)]
pub(crate) const fn transposed(x: u64) -> u64 {
    let x = x & 0xf0f0_0f0f_f0f0_0f0f | (x & 0x0000_f0f0_0000_f0f0) << 12 | (x & 0x0f0f_0000_0f0f_0000) >> 12;
    x & 0xff00_ff00_00ff_00ff | (x & 0x00ff_00ff_0000_0000) >> 24 | (x & 0x0000_0000_ff00_ff00) << 24
}

/// The four cells of every row in reverse order: left and right are exchanged.
#[inline(always)]
pub(crate) const fn mirrored(x: u64) -> u64 {
    let x = (x & 0x00ff_00ff_00ff_00ff) << 8 | (x & 0xff00_ff00_ff00_ff00) >> 8;
    (x & 0x0f0f_0f0f_0f0f_0f0f) << 4 | (x & 0xf0f0_f0f0_f0f0_f0f0) >> 4
}

/// The four rows in reverse order: top and bottom are exchanged.
#[inline(always)]
const fn flipped(x: u64) -> u64 {
    let x = x.rotate_left(32);
    (x & 0x0000_ffff_0000_ffff) << 16 | (x & 0xffff_0000_ffff_0000) >> 16
}

/// The eight views of a packed board, itself first.
#[inline(always)]
pub(crate) const fn symmetries(cells: u64) -> [u64; 8] {
    let turned = transposed(cells);
    let [a, b] = [cells, mirrored(cells)];
    let [c, d] = [turned, mirrored(turned)];
    [a, b, flipped(a), flipped(b), c, d, flipped(c), flipped(d)]
}
