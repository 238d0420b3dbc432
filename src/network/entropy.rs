//! Numbers as few bits: a range variant of asymmetric numeral systems (rANS) with fixed frequencies.
//!
//! Source: J. Duda, "Asymmetric numeral systems: entropy coding combining speed of Huffman coding with compression rate
//! of arithmetic coding" (2013), in the form with states of 32 bits that are refilled by 16 bits (F. Giesen, "Interleaved
//! entropy coders", 2014): two states for symbols, by turns, and one for bits that are written as they are, so that the
//! processor need not wait for one before it goes on with the next. Unpacking needs no memory but the tables of its models.

/// Frequencies add up to this: 10 bits, so that the models lie close together in memory.
const TOTAL: u32 = 1 << BITS;
const BITS: u32 = 10;

/// A state is never below this between two symbols.
const LOWEST: u32 = 1 << 16;

/// Most bits that are written as they are at a time.
#[cfg(test)]
const MAX_RAW: u32 = 13;

/// Writes or reads symbols, so that one description of a format serves both.
pub(super) trait Coder {
    /// Writes this symbol of a model and returns it; or reads one, whatever it is given.
    fn symbol(&mut self, model: usize, symbol: u32) -> u32;
    /// The same for a number of so many bits, 13 at most, all values of which are as likely.
    fn raw(&mut self, bits: u32, value: u32) -> u32;
}

/// How often the symbols of some models come up: the first pass of a writer.
pub(super) struct Counter {
    counts: Vec<Vec<u64>>,
}

impl Counter {
    /// Models with so many symbols each.
    pub fn new(sizes: &[usize]) -> Self {
        Self { counts: sizes.iter().map(|&size| vec![0; size]).collect() }
    }

    /// Frequencies that add up to [`TOTAL`], for every model.
    pub fn frequencies(&self) -> Vec<Vec<u16>> {
        self.counts.iter().map(|counts| normalised(counts)).collect()
    }
}

impl Coder for Counter {
    fn symbol(&mut self, model: usize, symbol: u32) -> u32 {
        self.counts[model][symbol as usize] += 1;
        symbol
    }

    fn raw(&mut self, _: u32, value: u32) -> u32 {
        value
    }
}

/// Every symbol that occurs gets at least 1; a model that is never used gets one symbol.
fn normalised(counts: &[u64]) -> Vec<u16> {
    let all: u64 = counts.iter().sum();
    let mut frequencies = vec![0_u16; counts.len()];
    if all == 0 {
        frequencies[0] = TOTAL as u16;
        return frequencies;
    }
    for (frequency, &count) in frequencies.iter_mut().zip(counts) {
        if count > 0 {
            *frequency = (count * u64::from(TOTAL) / all).max(1) as u16;
        }
    }
    loop {
        let sum: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
        let Some(largest) = (0..counts.len()).max_by_key(|&symbol| frequencies[symbol]) else { return frequencies };
        match sum.cmp(&TOTAL) {
            std::cmp::Ordering::Equal => return frequencies,
            std::cmp::Ordering::Less => frequencies[largest] += (TOTAL - sum) as u16,
            // What is missing is taken from the largest ones, never their last.
            std::cmp::Ordering::Greater => {
                frequencies[largest] -= (sum - TOTAL).min(u32::from(frequencies[largest] / 2)) as u16;
            }
        }
    }
}

/// The second pass of a writer: collects what is then packed from its end.
pub(super) struct Writer<'a> {
    frequencies: &'a [Vec<u16>],
    starts: Vec<Vec<u16>>,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    Symbol { start: u16, frequency: u16 },
    Raw { bits: u8, value: u16 },
}

impl<'a> Writer<'a> {
    /// A writer for models with these frequencies.
    pub fn new(frequencies: &'a [Vec<u16>]) -> Self {
        let starts = frequencies.iter().map(|model| {
            let sums = model.iter().scan(0, |sum, &frequency| Some(std::mem::replace(sum, *sum + frequency)));
            sums.collect()
        });
        Self { frequencies, starts: starts.collect(), steps: Vec::new() }
    }

    /// The packed form of all that was written.
    pub fn finish(self) -> Vec<u16> {
        let mut states = [LOWEST; 3];
        let mut words = Vec::new();
        let mut symbols = self.steps.iter().filter(|step| matches!(step, Step::Symbol { .. })).count();
        for step in self.steps.iter().rev() {
            let (place, frequency, start, bits) = match *step {
                Step::Symbol { start, frequency } => {
                    symbols -= 1;
                    (symbols % 2, u32::from(frequency), u32::from(start), BITS)
                }
                Step::Raw { bits, value } => (2, 1, u32::from(value), u32::from(bits)),
            };
            let state = &mut states[place];
            if u64::from(*state) >= u64::from(frequency) << (32 - bits) {
                words.push(*state as u16);
                *state >>= 16;
            }
            *state = ((*state / frequency) << bits) + *state % frequency + start;
        }
        for state in states.into_iter().rev() {
            words.extend([state as u16, (state >> 16) as u16]);
        }
        words.reverse();
        words
    }
}

impl Coder for Writer<'_> {
    fn symbol(&mut self, model: usize, symbol: u32) -> u32 {
        let (start, frequency) = (self.starts[model][symbol as usize], self.frequencies[model][symbol as usize]);
        self.steps.push(Step::Symbol { start, frequency });
        symbol
    }

    fn raw(&mut self, bits: u32, value: u32) -> u32 {
        self.steps.push(Step::Raw { bits: bits as u8, value: value as u16 });
        value
    }
}

/// The models of a reader. For every value of the low bits of a state: the symbol (8 bits), its frequency less 1 (12),
/// and how far into the symbol's range the value is (12).
pub(super) struct Models {
    slots: Vec<u32>,
}

impl Models {
    /// Room for so many models; `None` if there is no memory for them.
    pub fn reserve(models: usize) -> Option<Self> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(models * TOTAL as usize).ok()?;
        Some(Self { slots })
    }

    /// Forgets all models.
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// Adds a model with these frequencies, 256 at most; `None` if they do not add up.
    pub fn add(&mut self, frequencies: impl Iterator<Item = u16>) -> Option<()> {
        let end = self.slots.len() + TOTAL as usize;
        for (symbol, frequency) in frequencies.enumerate() {
            let frequency = u32::from(frequency);
            if frequency as usize > end - self.slots.len() {
                return None;
            }
            self.slots.extend((0..frequency).map(|within| within << 20 | (frequency - 1) << 8 | symbol as u32 & 0xff));
        }
        (self.slots.len() == end).then_some(())
    }
}

/// Reads what a [`Writer`] packed. Whatever the input, it gives some symbols, and [`ends_well`](Self::ends_well) tells
/// whether they can be all that somebody wrote; that they were is for a checksum to say.
pub(super) struct Reader<'a> {
    slots: &'a [u32],
    words: &'a [[u8; 2]],
    /// How many words were read, or missed.
    place: usize,
    /// The state of the next symbol, that of the one after it, and that of raw bits.
    states: [u32; 3],
}

impl<'a> Reader<'a> {
    pub fn new(models: &'a Models, words: &'a [[u8; 2]]) -> Self {
        let mut reader = Self { slots: &models.slots, words, place: 6, states: [0; 3] };
        let word = |place| reader.word(place);
        reader.states = [word(0) << 16 | word(1), word(2) << 16 | word(3), word(4) << 16 | word(5)];
        reader
    }

    /// Whether all words were read, no more, and lead back to where the writer began.
    pub fn ends_well(&self) -> bool {
        self.place == self.words.len() && self.states == [LOWEST; 3]
    }

    #[inline(always)]
    fn word(&self, place: usize) -> u32 {
        u16::from_le_bytes(self.words.get(place).copied().unwrap_or_default()).into()
    }

    /// The state with another word if it needs one. Without a branch, for nobody can foretell which way it would go.
    #[inline(always)]
    fn refilled(&mut self, state: u32) -> u32 {
        let longer = state << 16 | self.word(self.place);
        let is_low = state < LOWEST;
        self.place += usize::from(is_low);
        std::hint::select_unpredictable(is_low, longer, state)
    }
}

impl Coder for Reader<'_> {
    #[inline(always)]
    fn symbol(&mut self, model: usize, _: u32) -> u32 {
        let [state, other, _] = self.states;
        let slot = self.slots.get(model << BITS | (state & (TOTAL - 1)) as usize).copied().unwrap_or(0);
        let frequency = (slot >> 8 & (TOTAL - 1)) + 1;
        self.states[1] = self.refilled(frequency * (state >> BITS) + (slot >> 20));
        self.states[0] = other;
        slot & 0xff
    }

    #[inline(always)]
    fn raw(&mut self, bits: u32, _: u32) -> u32 {
        let state = self.states[2];
        self.states[2] = self.refilled(state >> bits);
        state & ((1 << bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn write(coder: &mut impl Coder, steps: &[(bool, u32)]) {
        for &(is_raw, value) in steps {
            let _ = if is_raw { coder.raw(MAX_RAW, value) } else { coder.symbol((value % 2) as usize, value % 60) };
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_and_every_change_is_seen(
            steps in proptest::collection::vec((any::<bool>(), 0..1_u32 << MAX_RAW), 0..400),
            flip in any::<prop::sample::Index>(),
        ) {
            let mut counter = Counter::new(&[60, 60]);
            write(&mut counter, &steps);
            let frequencies = counter.frequencies();
            let mut writer = Writer::new(&frequencies);
            write(&mut writer, &steps);
            let mut words: Vec<[u8; 2]> = writer.finish().into_iter().map(u16::to_le_bytes).collect();
            let mut models = Models::reserve(2).unwrap();
            for frequencies in &frequencies {
                models.add(frequencies.iter().copied()).unwrap();
            }
            let read = |words: &[[u8; 2]]| {
                let mut reader = Reader::new(&models, words);
                let read: Vec<u32> = steps.iter().map(|&(is_raw, value)| {
                    if is_raw { reader.raw(MAX_RAW, 0) } else { reader.symbol((value % 2) as usize, 0) }
                }).collect();
                (read, reader.ends_well())
            };
            let written: Vec<u32> = steps.iter().map(|&(is_raw, value)| if is_raw { value } else { value % 60 }).collect();
            let written = (written, true);
            prop_assert_eq!(&read(&words), &written);
            // Other words are other symbols or another end.
            let place = flip.index(words.len());
            words[place][0] ^= 1;
            prop_assert_ne!(&read(&words), &written);
            words[place][0] ^= 1;
            words.pop();
            prop_assert!(!read(&words).1);
        }
    }
}
