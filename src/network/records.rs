//! Records: the weights under one key, those that are not 0, after a header of 32 bits that says which these are.

/// The most records' words, of 16 bits: 268 MB.
pub(super) const MAX_WORDS: usize = 1 << 27;

/// Records of up to this many words lie in one line of the processor's cache.
const LINE: usize = 32;

/// Words of a header.
const HEADER: usize = 2;

/// The gaps of one length that are remembered.
const GAPS: usize = 16;

/// The weights under a key: sixteen for the first tuple of a table, then sixteen for the second.
pub(super) type Record = [i16; 32];

/// The records of all stages.
#[derive(Debug)]
pub(super) struct Records {
    words: Vec<u16>,
    /// The first word that begins a line.
    skipped: usize,
    /// Apart, because it is larger than all else in a network that is not a table.
    packing: Box<Packing>,
}

impl Records {
    /// Room for so many words, an empty record among them. `None` if there is no memory for them or they are more than
    /// [`MAX_WORDS`].
    pub fn reserve(words: usize) -> Option<Self> {
        let mut all: Vec<u16> = Vec::new();
        all.try_reserve_exact(Self::bytes_of(words).filter(|_| words <= MAX_WORDS)? / 2).ok()?;
        let skipped = LINE + all.as_ptr().align_offset(2 * LINE).min(LINE);
        all.resize(skipped, 0);
        Some(Self { words: all, skipped, packing: Box::default() })
    }

    /// The header and the weights of the record at a place.
    #[inline]
    pub fn get(&self, place: u32) -> (u32, Record) {
        let place = place as usize;
        let mut record = [0; 32];
        let header = u32::from(self.words[place]) | u32::from(self.words[place + 1]) << 16;
        let mut rest = header;
        for &word in &self.words[place + HEADER..place + len(header)] {
            record[rest.trailing_zeros() as usize] = word as i16;
            rest &= rest - 1;
        }
        (header, record)
    }

    /// Whether the record at a place has this header, and the first of these weights, as many as the header has.
    #[inline]
    pub fn is(&self, place: u32, header: u32, weights: &Record) -> bool {
        let (head, rest) = self.words[place as usize..].split_at(HEADER);
        head == words_of(header) && rest.iter().zip(weights).take(len(header) - HEADER).all(|(&a, &b)| a as i16 == b)
    }

    /// Adds a record with this header, and with the first of these weights, as many as the header has. Its place, or `None`
    /// if there is no room for it.
    #[inline]
    pub fn push(&mut self, header: u32, weights: &Record) -> Option<u32> {
        let len = len(header);
        let place = self.skipped + self.packing.place(len);
        let end = place + len;
        if end + 2 * LINE > self.words.capacity() {
            return None;
        }
        let weights = weights.map(|weight| weight as u16);
        if end > self.words.len() {
            // All weights at once are faster copied than as many as there are.
            self.words.resize(place, 0);
            self.words.extend_from_slice(&words_of(header));
            self.words.extend_from_slice(&weights);
            self.words.truncate(end);
        } else {
            let (first, rest) = self.words[place..end].split_at_mut(HEADER);
            first.copy_from_slice(&words_of(header));
            rest.copy_from_slice(&weights[..len - HEADER]);
        }
        Some(place as u32)
    }

    /// Ends the building: adds as many words as a lookup may read beyond the header of the last record.
    pub fn finish(&mut self) {
        self.words.resize(self.words.len() + 2 * LINE, 0);
    }

    /// All words. A place is an index here, and at least two lines follow it.
    #[inline]
    pub fn words(&self) -> &[u16] {
        &self.words
    }

    /// Bytes of memory that records of so many words take. `None` if there are no so large ones.
    pub fn bytes_of(words: usize) -> Option<usize> {
        // Before the records there is an empty one and whatever it takes to begin a line; after them there is as much
        // as a lookup may read beyond a header.
        words.checked_add(4 * LINE)?.checked_mul(2)
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        2 * self.words.capacity()
    }
}

/// A header as it lies in memory.
fn words_of(header: u32) -> [u16; HEADER] {
    [header as u16, (header >> 16) as u16]
}

/// Words of a record with this header.
fn len(header: u32) -> usize {
    HEADER + header.count_ones() as usize
}

/// Counts the words of records, before there are any.
#[derive(Default)]
pub(super) struct WordCount {
    packing: Packing,
}

impl WordCount {
    /// Adds a record with this header.
    pub fn add(&mut self, header: u32) {
        self.packing.place(len(header));
    }

    /// All that were added, gaps included.
    pub fn words(&self) -> usize {
        self.packing.end
    }
}

/// Where records go, so that one that fits in a line lies in one: into the shortest gap that it fits in, or behind the
/// last one, where it may leave a gap before itself.
#[derive(Debug, Default)]
struct Packing {
    end: usize,
    /// Which lengths there are gaps of, a bit for each.
    lengths: u32,
    /// The gaps of every length: how many, and where they begin.
    gaps: [(usize, [usize; GAPS]); LINE],
}

impl Packing {
    /// The place of the next record, which has so many words.
    #[inline]
    fn place(&mut self, len: usize) -> usize {
        if len <= LINE {
            if let Some(gap) = self.shortest_gap(len) {
                return self.fill(gap, len);
            }
            let left = LINE - self.end % LINE;
            if len > left {
                self.leave(self.end, left);
                self.end += left;
            }
        }
        self.end += len;
        self.end - len
    }

    /// The length of the shortest gap with room for so many words.
    fn shortest_gap(&self, len: usize) -> Option<usize> {
        let long_enough = self.lengths & u32::MAX.checked_shl(len as u32).unwrap_or(0);
        (long_enough != 0).then_some(long_enough.trailing_zeros() as usize)
    }

    /// The place in the last gap of this length, which is shorter by so many words now.
    fn fill(&mut self, gap: usize, len: usize) -> usize {
        let (count, places) = &mut self.gaps[gap];
        *count -= 1;
        let place = places[*count];
        if *count == 0 {
            self.lengths &= !(1 << gap);
        }
        self.leave(place + len, gap - len);
        place
    }

    /// Remembers a gap, if a record can be as short and there are not too many of its length.
    fn leave(&mut self, place: usize, gap: usize) {
        let (count, places) = &mut self.gaps[gap];
        if gap > HEADER && *count < GAPS {
            places[*count] = place;
            *count += 1;
            self.lengths |= 1 << gap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameters, TinyMt32};

    #[test]
    fn records_come_back_and_lie_in_one_line_of_the_cache() {
        let mut random = TinyMt32::new(1, Parameters::OFFICIAL);
        let mut next = || {
            // Mostly few weights, and now and then more than fit in a line.
            let header = match random.generate_u32() % 20 {
                0 => u32::MAX,
                _ => random.generate_u32() & random.generate_u32() & random.generate_u32() | 1,
            };
            (header, std::array::from_fn(|_| random.generate_u32() as i16))
        };
        let all: Vec<(u32, Record)> = (0..20_000).map(|_| next()).collect();

        let mut count = WordCount::default();
        all.iter().for_each(|&(header, _)| count.add(header));
        let mut records = Records::reserve(count.words()).unwrap();
        let places: Vec<u32> = all.iter().map(|(header, weights)| records.push(*header, weights).unwrap()).collect();

        for (&place, (header, weights)) in places.iter().zip(&all) {
            let (read, record) = records.get(place);
            let kept = (0..32).filter(|bit| header >> bit & 1 == 1).map(|bit| record[bit]);
            assert_eq!(read, *header);
            assert!(records.is(place, *header, weights));
            let other = weights.map(|weight| weight ^ 1);
            assert!(!records.is(place, *header, &other) && !records.is(0, *header, weights));
            assert!(kept.eq(weights[..header.count_ones() as usize].iter().copied()), "no record lies over another");
            let first = place as usize - records.skipped;
            assert!(len(*header) > LINE || first / LINE == (first + len(*header) - 1) / LINE, "{first}");
        }
        let used: usize = all.iter().map(|&(header, _)| len(header)).sum();
        assert!(count.words() < used + used / 30, "gaps are filled: {} words for {used}", count.words());
    }

    #[test]
    fn records_do_not_take_more_room_than_was_asked_for() {
        let mut records = Records::reserve(100).unwrap();
        let pushed = (0..1000).take_while(|_| records.push(u32::MAX, &[1; 32]).is_some()).count();
        assert!((2..=6).contains(&pushed), "{pushed} records of 34 words");
        assert!(Records::reserve(MAX_WORDS + 1).is_none());
    }
}
