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
    /// The same for a model of three symbols, most of which come as the processor expects them.
    fn one_of_three(&mut self, model: usize, symbol: u32) -> u32 {
        self.symbol(model, symbol)
    }
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

/// What is packed as it stands in a file: the frequencies of all models (16 bits each), the number of packed words (32 bits), and
/// these words of 16 bits.
pub(super) fn framed(frequencies: &[Vec<u16>], packed: &[u16]) -> Vec<u8> {
    let mut bytes: Vec<u8> = frequencies.iter().flatten().flat_map(|frequency| frequency.to_le_bytes()).collect();
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(packed.iter().flat_map(|word| word.to_le_bytes()));
    bytes
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

/// The most symbols of a model.
pub(super) const MAX_SYMBOLS: usize = 64;

/// For every value of the low bits of a state, its symbol.
type Symbols = [u8; TOTAL as usize];

/// For every symbol its frequency, in the high 16 bits, and where its range of values begins.
type Ranges = [u32; MAX_SYMBOLS];

/// The models of a reader. They are two small tables each, because one table of symbols with their ranges would not
/// stay in the processor's nearest cache.
pub(super) struct Models {
    symbols: Vec<Symbols>,
    ranges: Vec<Ranges>,
}

impl Models {
    /// Room for so many models; `None` if there is no memory for them.
    pub fn reserve(models: usize) -> Option<Self> {
        let (mut symbols, mut ranges) = (Vec::new(), Vec::new());
        symbols.try_reserve_exact(models).ok()?;
        ranges.try_reserve_exact(models).ok()?;
        Some(Self { symbols, ranges })
    }

    /// Forgets all models.
    pub fn clear(&mut self) {
        self.symbols.clear();
        self.ranges.clear();
    }

    /// Adds a model with these frequencies; `None` if they are too many or do not add up.
    pub fn add(&mut self, frequencies: impl Iterator<Item = u16>) -> Option<()> {
        let mut symbols = [0; TOTAL as usize];
        let mut ranges = [0; MAX_SYMBOLS];
        let mut start = 0;
        for (symbol, frequency) in frequencies.enumerate() {
            let end = start + usize::from(frequency);
            symbols.get_mut(start..end)?.fill(symbol as u8);
            *ranges.get_mut(symbol)? = u32::from(frequency) << 16 | start as u32;
            start = end;
        }
        self.symbols.push(symbols);
        self.ranges.push(ranges);
        (start == TOTAL as usize).then_some(())
    }
}

/// Reads what a [`Writer`] packed. Whatever the input, it gives some symbols, and [`ends_well`](Self::ends_well) tells
/// whether they can be all that somebody wrote; that they were is for a checksum to say.
pub(super) struct Reader<'a, const MODELS: usize> {
    symbols: &'a [Symbols; MODELS],
    ranges: &'a [Ranges; MODELS],
    words: &'a [[u8; 2]],
    /// How many words were read, or missed.
    place: usize,
    /// The state of the next symbol, that of the one after it, and that of raw bits.
    states: [u32; 3],
}

impl<'a, const MODELS: usize> Reader<'a, MODELS> {
    /// A reader of these words; `None` if there is another number of models.
    pub fn new(models: &'a Models, words: &'a [[u8; 2]]) -> Option<Self> {
        let symbols = models.symbols.as_slice().try_into().ok()?;
        let ranges = models.ranges.as_slice().try_into().ok()?;
        let mut reader = Self { symbols, ranges, words, place: 6, states: [0; 3] };
        let word = |place| reader.word(place);
        reader.states = [word(0) << 16 | word(1), word(2) << 16 | word(3), word(4) << 16 | word(5)];
        Some(reader)
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

impl<const MODELS: usize> Coder for Reader<'_, MODELS> {
    #[inline(always)]
    fn symbol(&mut self, model: usize, _: u32) -> u32 {
        let [state, other, _] = self.states;
        let low = state & (TOTAL - 1);
        let symbol = self.symbols[model][low as usize];
        let range = self.ranges[model][usize::from(symbol) % MAX_SYMBOLS];
        self.states[1] = self.refilled((range >> 16) * (state >> BITS) + low - (range & 0xffff));
        self.states[0] = other;
        symbol.into()
    }

    /// With branches, so that what follows need not wait for a symbol that was foretold.
    #[inline(always)]
    fn one_of_three(&mut self, model: usize, _: u32) -> u32 {
        let [state, other, _] = self.states;
        let (low, high) = (state & (TOTAL - 1), state >> BITS);
        let [_, second, third, ..] = self.ranges[model];
        let [second_start, third_start] = [second & 0xffff, third & 0xffff];
        let (symbol, next) = if low < second_start {
            (0, second_start * high + low)
        } else if low < third_start {
            (1, (second >> 16) * high + low - second_start)
        } else {
            (2, (third >> 16) * high + low - third_start)
        };
        self.states[1] = self.refilled(next);
        self.states[0] = other;
        symbol
    }

    #[inline(always)]
    fn raw(&mut self, bits: u32, _: u32) -> u32 {
        let state = self.states[2];
        let high = state >> bits;
        self.states[2] = self.refilled(high);
        state - (high << bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is written: symbols of models with 60 symbols and with three, and numbers as they are.
    #[derive(Clone, Copy, Debug)]
    enum Kind {
        Symbol,
        OneOfThree,
        Raw,
    }

    fn steps() -> impl Strategy<Value = Vec<(Kind, u32)>> {
        let kinds = prop::sample::select(vec![Kind::Symbol, Kind::OneOfThree, Kind::Raw]);
        let step = (kinds, 0..1_u32 << MAX_RAW).prop_map(|(kind, value)| match kind {
            Kind::Symbol => (kind, value % 60),
            Kind::OneOfThree => (kind, value % 3),
            Kind::Raw => (kind, value),
        });
        prop::collection::vec(step, 0..400)
    }

    fn pass(coder: &mut impl Coder, steps: &[(Kind, u32)]) -> Vec<u32> {
        let step = |&(kind, value): &(Kind, u32)| match kind {
            Kind::Symbol => coder.symbol((value % 2) as usize, value),
            Kind::OneOfThree => coder.one_of_three(2 + (value % 2) as usize, value),
            Kind::Raw => coder.raw(MAX_RAW, value),
        };
        steps.iter().map(step).collect()
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_and_every_change_is_seen(
            steps in steps(),
            flip in any::<prop::sample::Index>(),
        ) {
            let mut counter = Counter::new(&[60, 60, 3, 3]);
            pass(&mut counter, &steps);
            let frequencies = counter.frequencies();
            let mut writer = Writer::new(&frequencies);
            pass(&mut writer, &steps);
            let mut words: Vec<[u8; 2]> = writer.finish().into_iter().map(u16::to_le_bytes).collect();
            let mut models = Models::reserve(4).unwrap();
            for frequencies in &frequencies {
                models.add(frequencies.iter().copied()).unwrap();
            }
            let read = |words: &[[u8; 2]]| {
                let mut reader = Reader::<4>::new(&models, words).unwrap();
                // The models are chosen by what was written.
                (pass(&mut reader, &steps), reader.ends_well())
            };
            let written = (steps.iter().map(|&(_, value)| value).collect(), true);
            prop_assert_eq!(&read(&words), &written);
            // Other words are other symbols or another end.
            let place = flip.index(words.len());
            words[place][0] ^= 1;
            prop_assert_ne!(&read(&words), &written);
            words[place][0] ^= 1;
            words.pop();
            prop_assert!(!read(&words).1);
        }

        #[test]
        fn frequencies_that_do_not_add_up_are_refused(frequencies in prop::collection::vec(0..300_u16, 0..70)) {
            let sum: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
            let is_model = sum == TOTAL && frequencies.len() <= MAX_SYMBOLS;
            prop_assert_eq!(Models::reserve(1).unwrap().add(frequencies.into_iter()).is_some(), is_model);
        }
    }
}
