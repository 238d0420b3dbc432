//! Which seed draws the cells that were seen: a search through all 2^32 seeds, in pieces.
//!
//! Small seeds come first, because people type small seeds: the lowest 2^24 with each set of parameters, then the
//! rest. Every seed is tested against the first new cell; one in sixteen goes on to the next eight draws, and hardly
//! any further.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::clairvoyant::lanes::{BATCH, BLOCK, eight_cells, first_cells};
use crate::clairvoyant::observation::{NewCell, Observation, positions_after};
use crate::clairvoyant::stream::Stream;
use crate::tinymt32::Parameters;

/// The sets of parameters that an ESTR1002 game may have, in the order of trying.
pub const PARAMETER_SETS: [Parameters; 2] = [Parameters::ZERO, Parameters::OFFICIAL];

/// A search begins when the observations tell this many bits: then fewer than a thousand of 2^32 seeds fit by accident.
pub const BITS_TO_SEARCH: f64 = 24.0;

/// A seed is trusted when the observations tell this many bits: then the chance that any of 2^33 wrong seeds fits is
/// below 10^-9.
pub const BITS_TO_TRUST: f64 = 64.0;

const CHUNK: u64 = 1 << 20;
const CHUNKS: usize = ((1 << 32) / CHUNK) as usize;
const SMALL_CHUNKS: usize = 16;

/// A seed, and the parameters that go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The 32-bit seed.
    pub seed: u32,
    /// The parameters of the generator.
    pub parameters: Parameters,
}

impl Candidate {
    /// The cells that it draws.
    #[must_use]
    pub fn stream(self) -> Stream {
        Stream::new(self.seed, self.parameters)
    }

    /// Where its stream stands after these observations; `None` if it contradicts them.
    fn follow(self, observations: &[Observation]) -> Option<Follower> {
        let mut stream = self.stream();
        let positions = positions_after(&mut stream, observations);
        (!positions.is_empty()).then_some(Follower { candidate: self, stream, positions })
    }
}

/// A candidate's stream, followed as far as the observations go, so that one more costs one more look.
#[derive(Debug)]
struct Follower {
    candidate: Candidate,
    stream: Stream,
    positions: Vec<usize>,
}

impl Follower {
    /// Whether the stream goes on as the next board says.
    fn observe(&mut self, observation: &Observation) -> bool {
        self.positions = observation.positions_after(&mut self.stream, &self.positions);
        !self.positions.is_empty()
    }
}

/// A search for the seeds that fit a growing list of observations. It can be stopped and taken up again at any time.
///
/// ```
/// use estr2048::clairvoyant::observation::NewCell;
/// use estr2048::clairvoyant::recover::{PARAMETER_SETS, Recovery};
/// use estr2048::clairvoyant::stream::Stream;
/// use estr2048::Parameters;
///
/// let mut stream = Stream::new(1234, Parameters::ZERO);
/// let mut recovery = Recovery::new(&PARAMETER_SETS);
/// let mut position = 0;
/// for taken in [0, 1, 3, 5, 9, 3, 7, 1, 5, 9, 3, 7, 1, 5, 9, 3, 7, 1] {
///     let (cell, next) = stream.next_cell(position, taken).unwrap();
///     recovery.observe(NewCell { taken, cell }.into());
///     position = next;
/// }
/// recovery.search(1, None);
/// assert_eq!(recovery.trusted().map(|found| found.seed), Some(1234));
/// ```
#[derive(Debug)]
pub struct Recovery {
    parameters: Vec<Parameters>,
    observations: Vec<Observation>,
    bits: f64,
    next_chunk: usize,
    candidates: Vec<Follower>,
}

impl Recovery {
    /// A search among these sets of parameters, in this order, without any observation.
    #[must_use]
    pub fn new(parameters: &[Parameters]) -> Self {
        Self {
            parameters: parameters.to_vec(),
            observations: Vec::new(),
            bits: 0.0,
            next_chunk: 0,
            candidates: Vec::new(),
        }
    }

    /// Adds the next board of the game. Candidates that contradict it are dropped.
    pub fn observe(&mut self, observation: Observation) {
        self.bits += observation.bits();
        self.candidates.retain_mut(|candidate| candidate.observe(&observation));
        self.observations.push(observation);
    }

    /// The boards so far.
    #[must_use]
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// What the boards so far tell, in bits.
    #[must_use]
    pub fn bits(&self) -> f64 {
        self.bits
    }

    /// The seeds tested so far that fit, in the order of the search.
    #[must_use]
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = Candidate> {
        self.candidates.iter().map(|follower| follower.candidate)
    }

    /// How many pairs of seed and parameters have been tested.
    #[must_use]
    pub fn tested(&self) -> u64 {
        self.next_chunk as u64 * CHUNK
    }

    /// How many pairs of seed and parameters there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.chunks() as u64 * CHUNK
    }

    /// Whether every seed has been tested.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.next_chunk == self.chunks()
    }

    /// The seed of the game, once one fits [`BITS_TO_TRUST`] bits of observations.
    #[must_use]
    pub fn trusted(&self) -> Option<Candidate> {
        if self.bits < BITS_TO_TRUST {
            return None;
        }
        self.candidates().next()
    }

    /// Tests seeds with this many threads until a trusted one is found, all are tested, or the deadline is reached
    /// (which may be passed by some milliseconds). Does nothing before [`BITS_TO_SEARCH`] bits are known.
    pub fn search(&mut self, threads: usize, deadline: Option<Instant>) {
        if self.bits < BITS_TO_SEARCH {
            return;
        }
        let in_time = || deadline.is_none_or(|deadline| Instant::now() < deadline);
        while !self.is_complete() && self.trusted().is_none() && in_time() {
            let end = (self.next_chunk + threads.max(1) * 4).min(self.chunks());
            let found = self.search_chunks(threads, end);
            self.candidates.extend(found);
            self.next_chunk = end;
        }
    }

    /// Tests a few chunks, the next one always by the thread that is free first.
    fn search_chunks(&self, threads: usize, end: usize) -> Vec<Follower> {
        let next = AtomicUsize::new(self.next_chunk);
        let found = Mutex::new(Vec::new());
        let work = || {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= end {
                    break;
                }
                for candidate in self.search_chunk(chunk) {
                    found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((chunk, candidate));
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // A thread that cannot be had is no loss: the others take its chunks.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.sort_by_key(|(chunk, follower)| (*chunk, follower.candidate.seed));
        found.into_iter().map(|(_, follower)| follower).collect()
    }

    fn chunks(&self) -> usize {
        self.parameters.len() * CHUNKS
    }

    /// The parameters and the first seed of a chunk: first the small seeds of every set, then the rest of every set.
    fn chunk(&self, chunk: usize) -> (Parameters, u32) {
        let small = self.parameters.len() * SMALL_CHUNKS;
        let (set, part) = match chunk.checked_sub(small) {
            None => (chunk / SMALL_CHUNKS, chunk % SMALL_CHUNKS),
            Some(rest) => {
                let large = CHUNKS - SMALL_CHUNKS;
                (rest / large, SMALL_CHUNKS + rest % large)
            }
        };
        (self.parameters[set], (part as u64 * CHUNK) as u32)
    }

    fn search_chunk(&self, chunk: usize) -> Vec<Follower> {
        let (parameters, first_seed) = self.chunk(chunk);
        let mut sieve = Sieve::new(parameters, &self.observations);
        let mut cells = [0; BLOCK];
        for block in (0..CHUNK as u32).step_by(BLOCK) {
            first_cells(first_seed + block, parameters, &mut cells);
            sieve.take_block(first_seed + block, &cells);
        }
        sieve.finish()
    }
}

/// A power of two, so that `% ROOM` costs nothing and spares the check of bounds.
const ROOM: usize = (BLOCK + BATCH).next_power_of_two();

/// Lets few seeds pass to the costly tests.
struct Sieve<'a> {
    parameters: Parameters,
    observations: &'a [Observation],
    first_cell: u8,
    /// Bit `cell` set if the second draw of a game may be that cell: the new cell, or one that is taken.
    second_cells: u16,
    waiting: [u32; ROOM],
    waiting_count: usize,
    found: Vec<Follower>,
}

impl<'a> Sieve<'a> {
    fn new(parameters: Parameters, observations: &'a [Observation]) -> Self {
        let readings = |i: usize| observations.get(i).map_or(&[][..], Observation::readings);
        let possible = |cells, reading: &NewCell| cells | reading.taken | 1 << reading.cell;
        Self {
            parameters,
            observations,
            first_cell: readings(0).first().map_or(0, |reading| reading.cell),
            second_cells: readings(1).iter().fold(0, possible),
            waiting: [0; ROOM],
            waiting_count: 0,
            found: Vec::new(),
        }
    }

    /// Keeps the seeds of a block with the right first cell.
    fn take_block(&mut self, first_seed: u32, cells: &[u8; BLOCK]) {
        for (i, &cell) in cells.iter().enumerate() {
            self.waiting[self.waiting_count % ROOM] = first_seed + i as u32;
            self.waiting_count += usize::from(cell == self.first_cell);
        }
        while self.waiting_count >= BATCH {
            self.test_batch();
        }
    }

    fn finish(mut self) -> Vec<Follower> {
        self.test_batch();
        self.found
    }

    /// Tests the last seeds that wait, at most [`BATCH`].
    fn test_batch(&mut self) {
        let count = self.waiting_count.min(BATCH);
        self.waiting_count -= count;
        let mut seeds = [0; BATCH];
        seeds[..count].copy_from_slice(&self.waiting[self.waiting_count..][..count]);
        let mut cells = [0; BATCH];
        eight_cells(&seeds, self.parameters, &mut cells);
        for (&seed, &cells) in seeds[..count].iter().zip(&cells) {
            if self.second_cells >> (cells >> 4 & 15) & 1 == 1 && eight_may_fit(cells, 0, self.observations) {
                let candidate = Candidate { seed, parameters: self.parameters };
                if let Some(follower) = candidate.follow(self.observations) {
                    self.found.push(follower);
                }
            }
        }
    }
}

/// Whether the draws from number `drawn` to the eighth do not contradict the observations.
fn eight_may_fit(cells: u32, drawn: u32, observations: &[Observation]) -> bool {
    let Some((observation, later)) = observations.split_first() else {
        return true;
    };
    observation.readings().iter().any(|reading| {
        for drawn in drawn..8 {
            let cell = cells >> (4 * drawn) & 15;
            if cell == u32::from(reading.cell) {
                return eight_may_fit(cells, drawn + 1, later);
            }
            if reading.taken >> cell & 1 == 0 {
                return false;
            }
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_seed_of_every_set_once_and_small_seeds_first() {
        let recovery = Recovery::new(&PARAMETER_SETS);
        let chunks: Vec<_> = (0..recovery.chunks()).map(|chunk| recovery.chunk(chunk)).collect();
        assert_eq!(recovery.total(), 1 << 33);
        for parameters in PARAMETER_SETS {
            let mut seeds: Vec<u32> =
                chunks.iter().filter(|chunk| chunk.0 == parameters).map(|chunk| chunk.1).collect();
            assert!(seeds.is_sorted());
            seeds.dedup();
            assert_eq!(seeds.len(), CHUNKS);
        }
        let small = &chunks[..2 * SMALL_CHUNKS];
        assert!(small.iter().all(|&(_, seed)| seed < 1 << 24));
        assert_eq!((small[0].0, small[2 * SMALL_CHUNKS - 1].0), (Parameters::ZERO, Parameters::OFFICIAL));
    }
}
