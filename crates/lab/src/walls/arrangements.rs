//! The small tiles in the free cells, numbered for each of their sums.

/// All arrangements of tiles below a code in so many cells, up to a sum.
#[derive(Debug)]
pub struct Arrangements {
    cells: usize,
    /// For every half sum the packed arrangements, four bits a cell, by ascending code.
    packed: Vec<Vec<u32>>,
    /// For every arrangement as digits of a number its place in its list.
    places: Vec<u32>,
    /// What a tile counts in that number, for each cell.
    weights: [u32; 8],
}

impl Arrangements {
    /// Those with sums of at most `most`, eight cells at most.
    pub fn new(cells: usize, base: u32, most: u32) -> Self {
        let mut weights = [0; 8];
        weights.iter_mut().zip(0..cells as u32).for_each(|(weight, cell)| *weight = base.pow(cell));
        let mut packed = vec![Vec::new(); most as usize / 2 + 1];
        let mut places = vec![u32::MAX; base.pow(cells as u32) as usize];
        for (number, place) in (0..).zip(&mut places) {
            let digits = weights[..cells].iter().map(|weight| number / weight % base);
            let sum: u32 = digits.clone().filter(|&code| code > 0).map(|code| 1 << code).sum();
            if let Some(list) = packed.get_mut(sum as usize / 2) {
                *place = list.len() as u32;
                list.push(digits.rev().fold(0, |packed, code| packed << 4 | code));
            }
        }
        Self { cells, packed, places, weights }
    }

    /// Those of a sum, four bits a cell.
    pub fn of(&self, sum: u32) -> &[u32] {
        self.packed.get(sum as usize / 2).map_or(&[], Vec::as_slice)
    }

    /// The place of an arrangement among those of its sum: the tiles of a board in cells with these shifts.
    #[inline]
    pub fn place(&self, board: u64, shifts: &[u8]) -> usize {
        let number: u32 =
            shifts.iter().zip(&self.weights).map(|(shift, weight)| (board >> shift & 15) as u32 * weight).sum();
        self.places[number as usize] as usize
    }

    /// The places of all arrangements that a new 2 makes of this one, which has to be below the largest sum.
    pub fn with_two(&self, packed: u32) -> impl Iterator<Item = u32> {
        let code = move |cell: usize| packed >> (4 * cell) & 15;
        let number: u32 = (0..self.cells).map(|cell| code(cell) * self.weights[cell]).sum();
        let empty = (0..self.cells).filter(move |&cell| code(cell) == 0);
        empty.map(move |cell| self.places[(number + self.weights[cell]) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_its_place() {
        let arrangements = Arrangements::new(4, 3, 12);
        let counts: Vec<usize> = (0..=12).step_by(2).map(|sum| arrangements.of(sum).len()).collect();
        assert_eq!(counts, [1, 4, 10, 16, 19, 16, 10]);
        assert!(arrangements.of(14).is_empty());
        let shifts = [0, 8, 12, 20];
        for sum in (0..=12).step_by(2) {
            for (place, &packed) in arrangements.of(sum).iter().enumerate() {
                let code = |cell: usize| u64::from(packed) >> (4 * cell) & 15;
                let board = shifts.iter().enumerate().fold(0, |board, (cell, shift)| board | code(cell) << shift);
                assert_eq!(arrangements.place(board, &shifts), place);
                for next in arrangements.with_two(packed).filter(|_| sum < 12) {
                    let next = arrangements.of(sum + 2)[next as usize];
                    assert!((next ^ packed).count_ones() == 1 && next > packed, "{packed:x} {next:x}");
                }
            }
        }
    }
}
