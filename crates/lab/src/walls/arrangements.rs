//! The small tiles in the cells that are free of walls, numbered for each of their sums.

/// Bits for the code of a tile in the number of an arrangement.
pub const BITS: u32 = 3;

/// All arrangements of tiles below a code in so many cells, up to a sum. The first cells, which have the lowest bits of a
/// number, make its low half.
#[derive(Debug)]
pub struct Arrangements {
    low_bits: u32,
    /// For every half sum the low halves, those without an empty cell last.
    lows: Vec<Lows>,
    /// For every low half its place among those of its sum.
    low_places: Vec<u32>,
    highs: Vec<High>,
    high_numbers: usize,
}

#[derive(Clone, Debug, Default)]
struct Lows {
    numbers: Vec<u32>,
    with_empty: usize,
}

/// A high half.
#[derive(Clone, Copy, Debug)]
pub struct High {
    pub number: u32,
    sum: u32,
    is_full: bool,
}

/// Where the arrangements of one sum stand.
#[derive(Debug)]
pub struct Places {
    sum: u32,
    all: bool,
    /// For every high half where those that have it begin.
    first: Vec<u32>,
    count: usize,
}

impl Places {
    /// How many arrangements there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The place of the first arrangement with this high half.
    #[inline]
    pub fn first(&self, high: u32) -> u32 {
        self.first[high as usize]
    }
}

impl Arrangements {
    /// Those of codes below `base`, at most 8, in at most nine cells, with sums of at most `most`.
    pub fn new(cells: u32, base: u32, most: u32) -> Self {
        let low_cells = cells / 2;
        let halves = |cells: u32| {
            let codes = move |number: u32| (0..cells).map(move |cell| code(number, cell));
            (0..1_u32 << (BITS * cells)).filter(move |&number| codes(number).all(|code| code < base)).map(
                move |number| {
                    let sum: u32 = codes(number).filter(|&code| code > 0).map(|code| 1 << code).sum();
                    High { number, sum, is_full: codes(number).all(|code| code > 0) }
                },
            )
        };
        let mut lows = vec![Lows::default(); most as usize / 2 + 1];
        let mut low_places = vec![u32::MAX; 1 << (BITS * low_cells)];
        for full in [false, true] {
            for half in halves(low_cells).filter(|half| half.is_full == full && half.sum <= most) {
                let lows = &mut lows[half.sum as usize / 2];
                low_places[half.number as usize] = lows.numbers.len() as u32;
                lows.numbers.push(half.number);
                lows.with_empty += usize::from(!full);
            }
        }
        let highs = halves(cells - low_cells).filter(|half| half.sum <= most).collect();
        let high_numbers = 1 << (BITS * (cells - low_cells));
        Self { low_bits: BITS * low_cells, lows, low_places, highs, high_numbers }
    }

    /// Number of bits of a low half.
    pub fn low_bits(&self) -> u32 {
        self.low_bits
    }

    /// Where the arrangements of a sum stand that is no larger than the largest: all of them, or those with an empty
    /// cell, which every afterstate has.
    pub fn places(&self, sum: u32, all: bool) -> Places {
        let mut places = Places { sum, all, first: vec![0; self.high_numbers], count: 0 };
        for &high in &self.highs {
            places.first[high.number as usize] = places.count as u32;
            places.count += self.lows(&places, high).len();
        }
        places
    }

    /// The high halves, in the order of the places.
    pub fn highs(&self) -> impl Iterator<Item = High> {
        self.highs.iter().copied()
    }

    /// The low halves that stand with this high half, in the order of the places.
    #[inline]
    pub fn lows(&self, places: &Places, high: High) -> &[u32] {
        let Some(rest) = places.sum.checked_sub(high.sum) else { return &[] };
        let lows = &self.lows[rest as usize / 2];
        let count = if places.all || !high.is_full { lows.numbers.len() } else { lows.with_empty };
        &lows.numbers[..count]
    }

    /// All low halves.
    pub fn all_lows(&self) -> impl Iterator<Item = u32> {
        self.lows.iter().flat_map(|lows| lows.numbers.iter().copied())
    }

    /// The place of a low half among those of its sum.
    #[inline]
    pub fn low_place(&self, low: u32) -> u32 {
        self.low_places[low as usize]
    }

    /// The place of an arrangement of that sum.
    #[inline]
    pub fn place(&self, places: &Places, number: u64) -> usize {
        let low = number & ((1 << self.low_bits) - 1);
        (places.first[(number >> self.low_bits) as usize] + self.low_places[low as usize]) as usize
    }
}

/// The code in a cell of a half.
#[inline]
pub fn code(number: u32, cell: u32) -> u32 {
    number >> (BITS * cell) & ((1 << BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_its_place() {
        for (cells, all, expected) in [
            (4, true, [1, 4, 10, 16, 19, 16, 10]),
            (4, false, [1, 4, 10, 16, 18, 12, 4]),
            (5, true, [1, 5, 15, 30, 45, 51, 45]),
        ] {
            let arrangements = Arrangements::new(cells, 3, 12);
            for (sum, expected) in (0..=12).step_by(2).zip(expected) {
                let places = arrangements.places(sum, all);
                assert_eq!(places.count(), expected, "{cells} {all} {sum}");
                let mut place = 0;
                for high in arrangements.highs() {
                    for &low in arrangements.lows(&places, high) {
                        let number = u64::from(high.number) << arrangements.low_bits() | u64::from(low);
                        let codes = (0..cells).map(|cell| number >> (BITS * cell) & 7);
                        assert_eq!(codes.clone().filter(|&code| code > 0).map(|code| 1 << code).sum::<u32>(), sum);
                        assert!(all || codes.clone().any(|code| code == 0));
                        assert_eq!(arrangements.place(&places, number), place);
                        assert_eq!((places.first(high.number) + arrangements.low_place(low)) as usize, place);
                        place += 1;
                    }
                }
                assert_eq!(place, expected);
            }
        }
    }
}
