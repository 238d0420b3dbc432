//! Moves that were solved for the last points before a fill, or before the end of the game: a *tablebase*, as chess has for its
//! endgames.
//!
//! The best play from the boards that a player comes to knows few boards of all that there are, whatever cells are drawn. A
//! tablebase holds these, each with its best move and the chance to come there; a board that it lacks is left to the search.
//!
//! The largest tiles of a board may be known alike, from 57344 points on: as long as none of them combines, it does not matter
//! which is which. Behind 122880 they never do again, and the way to the end of the game, 131070, may be known.

use std::ops::RangeInclusive;

use super::entropy::{Coder, Counter, Models, Reader, Writer, framed};
use super::format_error::FormatError;
use super::input::Input;
use super::number;
use super::order;
use super::top::{alike, downgraded, standing, tops};
use crate::bitboard::{Bitboard, slid};
use crate::direction::Direction;

/// The first sum that is looked up with all tiles as they are: 1024 points before 65536.
pub const FROM: u32 = 64_512;

/// So many tiles are looked up alike, from 32768 down: the third one, 8192, stands from 57344 points on, the sixth is 1024.
const ALIKE: RangeInclusive<usize> = 3..=6;

/// What their smallest number comes to.
const ALIKE_FROM: i64 = 57_344;

/// Where the second tile as large as the smallest of them is made at the latest.
const ALIKE_TO: i64 = 65_600;

/// Where it is as likely as not to come through the fill.
const EVEN: f32 = 0.5;

/// From so many of the largest tiles on, 65536 down to 8192, the way to the end may be known.
const TO_THE_END: usize = 4;

/// The chance of 131070 that is worth a move back to the way there: half of the best before the last fills, 0.45. With fewer than
/// eight large tiles no solved board has as much where the walls stand as games build them, so there is no way back then.
const NEAR_THE_END: f32 = 0.225;

/// Most boards of a tablebase: some 17 MB of memory.
const MAX_BOARDS: usize = 1 << 22;

/// So many boards are a block: its first board is found by halving, the others by their steps from one to the next.
const BLOCK: usize = 32;

/// Directions in a byte.
const PER_BYTE: usize = 4;

/// Most bytes of a step.
const STEP_LEN: usize = u64::BITS.div_ceil(7) as usize;

/// A board to be moved, and the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The packed cells that [`seen`] makes of it; or the first of the eight symmetries of the board with its largest tiles
    /// alike, as 32768: those that stand already from there down to 1024, three at the least. On the way to the end it is the last
    /// of these eight, the tiles alike are those from 65536 down, four at the least. (Of a board that is its own image in all eight the
    /// two are one.)
    pub board: u64,
    /// The best move of the board as it is seen.
    pub direction: Direction,
    /// The chance to come through the fill, or to the end, in 255ths.
    pub chance: u8,
}

impl Entry {
    /// The same board and move as they are known behind a fill, where another move may be the best one.
    #[must_use]
    pub fn behind_a_fill(self) -> Self {
        self.seen_last()
    }

    /// A board with its largest tiles alike and its move, as they are known on the way to the end.
    #[must_use]
    pub fn to_the_end(self) -> Self {
        self.seen_last()
    }

    fn seen_last(self) -> Self {
        let board = last(self.board);
        let direction = move_like(self.board, self.direction, board).unwrap_or(self.direction);
        Self { board, direction, ..self }
    }
}

/// What a tablebase knows of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The best move.
    pub direction: Direction,
    /// The chance to come there, from 0 to 1.
    pub chance: f32,
    /// Where the move leads.
    pub goal: Goal,
}

/// What a board is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// 131070, the end of the game.
    End,
    /// To come through the next fill.
    Fill,
}

/// The packed cells by which a board that is to be moved is looked up: turned to the first of its eight symmetries; if it
/// has a 65536, [downgraded] and turned to the last one, so that it is told from the one before the fill. `None` if it has
/// one still, or less than 64512 points.
#[must_use]
pub fn seen(board: Bitboard) -> Option<u64> {
    known(board).and_then(cells).map(if board.top() == 0 { first } else { last })
}

/// The board as it is known, not turned. `None` if it has a 65536 still.
fn known(board: Bitboard) -> Option<Bitboard> {
    Some(if board.top() == 0 { board } else { downgraded(board) }).filter(|board| board.top() == 0)
}

/// The packed cells of a board as it is known with every tile as it is. `None` if it has less than 64512 points.
fn cells(known: Bitboard) -> Option<u64> {
    (known.sum() >= i64::from(FROM)).then(|| known.cells())
}

/// A board as it is known, with the tiles alike that stand already and never combine before the fill: as 32768, and none of
/// the others is a half of it. `None` before there are three of them, and where the chain has long fallen together.
fn walled(known: Bitboard) -> Option<u64> {
    let standing = standing(known).min(*ALIKE.end());
    (ALIKE.contains(&standing) && known.sum() < ALIKE_TO).then(|| alike(known, standing + 1))
}

/// The first of the eight symmetries.
fn first(cells: u64) -> u64 {
    Bitboard::from_cells(cells).canonical().cells()
}

/// The last of the eight symmetries.
fn last(cells: u64) -> u64 {
    Bitboard::from_cells(cells).symmetries().map(Bitboard::cells).into_iter().max().unwrap_or(cells)
}

/// The move of another view of a board that is like this one: what it comes to says which. `None` if it is not legal.
fn move_like(view: u64, direction: Direction, other: u64) -> Option<Direction> {
    let after = first(slid(view, direction));
    Direction::ALL.into_iter().find(|&direction| {
        let moved = slid(other, direction);
        moved != other && first(moved) == after
    })
}

/// What was found for a view of a board, as it is told of these cells.
fn told(found: u16, view: u64, cells: u64, goal: Goal) -> Option<Known> {
    let direction = move_like(view, Direction::ALL[usize::from(found & 3)], cells)?;
    Some(Known { direction, chance: f32::from(found >> 2) / 255.0, goal })
}

/// Boards and their best moves, by ascending boards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tablebase {
    /// The first board of every block.
    firsts: Vec<u64>,
    /// Where the steps of every block begin.
    starts: Vec<u32>,
    /// The steps to the other boards of a block: seven bits a byte, the lowest first, with a mark for each that is not the last.
    steps: Vec<u8>,
    /// For each board the chance.
    chances: Vec<u8>,
    /// For each board the direction: four in a byte, the first in its lowest bits.
    directions: Vec<u8>,
}

impl Tablebase {
    /// A tablebase of these boards; of those that are alike, one is kept.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] if there are more than 2^22, [`FormatError::Memory`] if there is no memory for them.
    pub fn new(entries: &[Entry]) -> Result<Self, FormatError> {
        if entries.len() > MAX_BOARDS {
            return Err(FormatError::TooLarge);
        }
        let mut entries = entries.to_vec();
        // No board is empty, and the file form counts on it.
        entries.retain(|entry| entry.board != 0);
        entries.sort_by_key(|entry| entry.board);
        entries.dedup_by_key(|entry| entry.board);
        let mut tablebase = Self::reserve(entries.len()).ok_or(FormatError::Memory)?;
        entries.iter().fold(0, |before, entry| {
            tablebase.push(before, entry.board, u16::from(entry.chance) << 2 | entry.direction as u16);
            entry.board
        });
        tablebase.fitted().ok_or(FormatError::Memory)
    }

    /// An empty one with room for so many boards. `None` if there is no memory.
    fn reserve(count: usize) -> Option<Self> {
        let mut tablebase = Self::default();
        tablebase.firsts.try_reserve_exact(count.div_ceil(BLOCK)).ok()?;
        tablebase.starts.try_reserve_exact(count.div_ceil(BLOCK)).ok()?;
        tablebase.steps.try_reserve_exact(count * STEP_LEN).ok()?;
        tablebase.chances.try_reserve_exact(count).ok()?;
        tablebase.directions.try_reserve_exact(count.div_ceil(PER_BYTE)).ok()?;
        Some(tablebase)
    }

    /// Adds a board behind the one before.
    fn push(&mut self, before: u64, board: u64, found: u16) {
        let number = self.chances.len();
        if number.is_multiple_of(BLOCK) {
            self.firsts.push(board);
            self.starts.push(self.steps.len() as u32);
        } else {
            let mut step = board.wrapping_sub(before);
            while step >= 0x80 {
                self.steps.push(step as u8 | 0x80);
                step >>= 7;
            }
            self.steps.push(step as u8);
        }
        self.chances.push((found >> 2) as u8);
        if number.is_multiple_of(PER_BYTE) {
            self.directions.push(0);
        }
        self.directions[number / PER_BYTE] |= (found as u8 & 3) << (2 * (number % PER_BYTE));
    }

    /// The same in as little memory as it takes. `None` if there is none.
    fn fitted(mut self) -> Option<Self> {
        let mut steps = Vec::new();
        steps.try_reserve_exact(self.steps.len()).ok()?;
        steps.extend_from_slice(&self.steps);
        self.steps = steps;
        Some(self)
    }

    /// The boards of a block, ascending.
    fn block(&self, number: usize) -> impl Iterator<Item = u64> {
        let first = self.firsts[number];
        let mut steps = self.steps[self.starts[number] as usize..].iter();
        let others = (self.boards() - number * BLOCK).min(BLOCK) - 1;
        let mut next = move |board: &mut u64| {
            let mut shift = 0;
            loop {
                let byte = *steps.next()?;
                *board += u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    return Some(*board);
                }
            }
        };
        std::iter::once(first).chain((0..others).scan(first, move |board, _| next(board)))
    }

    fn each_board(&self) -> impl Iterator<Item = u64> {
        (0..self.firsts.len()).flat_map(|number| self.block(number))
    }

    /// The chance of the board of this number and, in the two lowest bits, its direction.
    fn found_at(&self, number: usize) -> u16 {
        let direction = self.directions[number / PER_BYTE] >> (2 * (number % PER_BYTE)) & 3;
        u16::from(self.chances[number]) << 2 | u16::from(direction)
    }

    /// Its boards with what [`found_at`](Self::found_at) says of them, by ascending boards.
    fn each_found(&self) -> impl Iterator<Item = (u64, u16)> {
        self.each_board().enumerate().map(|(number, board)| (board, self.found_at(number)))
    }

    /// Number of boards.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.chances.len()
    }

    /// Its boards with their moves, by ascending boards.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.each_found().map(|(board, found)| {
            let direction = Direction::ALL[usize::from(found & 3)];
            Entry { board, direction, chance: (found >> 2) as u8 }
        })
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.firsts.capacity() * size_of::<u64>()
            + self.starts.capacity() * size_of::<u32>()
            + self.steps.capacity()
            + self.chances.capacity()
            + self.directions.capacity()
    }

    /// The best move of a board: by what is known of it, or of those to which it may be moved. The way to the end, and back to it,
    /// counts before that through the next fill.
    #[must_use]
    pub fn best_move(&self, board: Bitboard) -> Option<Known> {
        if self.boards() == 0 || known(board)?.sum() < ALIKE_FROM {
            return None;
        }
        let known = |goal| self.find_for(goal, board).or_else(|| self.back_to(goal, board));
        known(Goal::End).or_else(|| known(Goal::Fill))
    }

    /// What is known of a board on its way to the end, or else to the next fill.
    #[must_use]
    pub fn find(&self, board: Bitboard) -> Option<Known> {
        self.find_for(Goal::End, board).or_else(|| self.find_for(Goal::Fill, board))
    }

    fn find_for(&self, goal: Goal, board: Bitboard) -> Option<Known> {
        match goal {
            Goal::End => self.find_to_the_end(board),
            Goal::Fill => self.find_to_the_fill(board),
        }
    }

    fn find_to_the_end(&self, board: Bitboard) -> Option<Known> {
        let tops = tops(board);
        if tops < TO_THE_END {
            return None;
        }
        let known = known(board)?;
        let walled = Bitboard::from_cells(alike(known, tops + 1));
        self.known_as(last(walled.cells()), walled, known, Goal::End)
    }

    /// Behind a fill the best move is that of the board before, if no other is known, and tiles that never combine again may lie in
    /// any order.
    fn find_to_the_fill(&self, board: Bitboard) -> Option<Known> {
        let plain = known(board)?;
        if let Some(found) = self.find_alike(plain) {
            return Some(found);
        }
        let cells = cells(plain)?;
        if board.top() == 0 {
            return self.known(cells, [first(cells)]);
        }
        order::orders(cells, tops(board)).find_map(|cells| self.known(cells, [last(cells), first(cells)]))
    }

    /// The best move after which the board is known, whatever cell is drawn, if it has chance enough: a board beside the best
    /// play, from which a move leads back.
    fn back_to(&self, goal: Goal, board: Bitboard) -> Option<Known> {
        let enough = match goal {
            Goal::End if tops(board) < TO_THE_END => return None,
            Goal::End => NEAR_THE_END,
            Goal::Fill => EVEN,
        };
        let moves = board.moves().filter_map(|(direction, after)| {
            let chance = self.chance_after(goal, after, enough)?;
            Some(Known { direction, chance, goal })
        });
        moves.max_by(|a, b| a.chance.total_cmp(&b.chance))
    }

    /// The chance of an afterstate to come through the fill, boards that are not known counting as lost, if it is at least `enough`.
    #[must_use]
    pub fn after(&self, after: Bitboard, enough: f32) -> Option<f32> {
        self.chance_after(Goal::Fill, after, enough)
    }

    fn chance_after(&self, goal: Goal, after: Bitboard, enough: f32) -> Option<f32> {
        let count = after.count_empty() as f32;
        let (mut chance, mut lost) = (0.0, 0.0);
        for cell in after.empty_cells() {
            lost += 1.0 - self.find_for(goal, after.with_two(cell)).map_or(0.0, |known| known.chance);
            chance = 1.0 - lost / count;
            if chance < enough {
                return None;
            }
        }
        Some(chance)
    }

    /// What is known of a board with its largest tiles alike.
    fn find_alike(&self, known: Bitboard) -> Option<Known> {
        let walled = walled(known)?;
        self.known_as(first(walled), Bitboard::from_cells(walled), known, Goal::Fill)
    }

    /// What is known of a board as `seen`, one of the symmetries of `walled`, which is the board with its largest tiles alike.
    fn known_as(&self, seen: u64, walled: Bitboard, known: Bitboard, goal: Goal) -> Option<Known> {
        let found = self.found(seen)?;
        // The same view of the board itself, on which no two of these tiles are equal.
        let mut views = walled.symmetries().into_iter().zip(known.symmetries());
        let (_, view) = views.find(|&(view, _)| view.cells() == seen)?;
        told(found, view.cells(), known.cells(), goal)
    }

    /// What is known of a board by the first of these views that is known.
    fn known<const VIEWS: usize>(&self, cells: u64, views: [u64; VIEWS]) -> Option<Known> {
        let (view, found) = views.into_iter().find_map(|view| Some((view, self.found(view)?)))?;
        told(found, view, cells, Goal::Fill)
    }

    /// The chance and the direction of a board as it is seen.
    fn found(&self, seen: u64) -> Option<u16> {
        let number = self.firsts.partition_point(|&first| first <= seen).checked_sub(1)?;
        let place = self.block(number).position(|board| board == seen)?;
        Some(self.found_at(number * BLOCK + place))
    }

    /// The file form: the number of boards (32 bits), the frequencies of the symbols of all models (16 bits each), the number
    /// of packed words (32 bits), and these words of 16 bits. They hold board by board what [`pass`] says.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut counter = Counter::new(&(0..model::ALL).map(model::symbols).collect::<Vec<_>>());
        self.pass(&mut counter);
        let frequencies = counter.frequencies();
        let mut writer = Writer::new(&frequencies);
        self.pass(&mut writer);
        let packed = writer.finish();
        let mut bytes = (self.boards() as u32).to_le_bytes().to_vec();
        bytes.extend(framed(&frequencies, &packed));
        bytes
    }

    fn pass(&self, coder: &mut impl Coder) {
        self.each_found().fold((0, 0), |before, entry| pass(coder, before, entry));
    }

    pub(super) fn read(input: &mut Input<'_>) -> Result<Self, FormatError> {
        let count = input.word()? as usize;
        if count > MAX_BOARDS {
            return Err(FormatError::TooLarge);
        }
        let mut tablebase = Self::reserve(count).ok_or(FormatError::Memory)?;
        let mut models = Models::reserve(model::ALL).ok_or(FormatError::Memory)?;
        input.models(&mut models, model::ALL, model::symbols)?;
        let packed = input.word()? as usize;
        let mut reader: Reader<'_, { model::ALL }> =
            Reader::new(&models, input.pairs(packed)?).ok_or(FormatError::Damaged)?;
        let mut before = (0, 0);
        let mut ascend = true;
        for _ in 0..count {
            let entry = pass(&mut reader, before, (0, 0));
            ascend &= entry.0 > before.0;
            tablebase.push(before.0, entry.0, entry.1);
            before = entry;
        }
        if !reader.ends_well() || !ascend {
            return Err(FormatError::Damaged);
        }
        tablebase.fitted().ok_or(FormatError::Memory)
    }
}

/// The models: the highest bit of the step from the board before, which is never 0; the direction; how far the chance is from
/// the one before.
mod model {
    pub const BITS: usize = 0;
    pub const DIRECTION: usize = BITS + 1;
    pub const CHANCE: usize = DIRECTION + 1;
    pub const ALL: usize = CHANCE + 1;

    pub fn symbols(model: usize) -> usize {
        match model {
            BITS => 64,
            DIRECTION => 4,
            _ => super::number::SYMBOLS,
        }
    }
}

/// One board and its move behind another: the same for who counts, writes and reads.
fn pass(coder: &mut impl Coder, before: (u64, u16), entry: (u64, u16)) -> (u64, u16) {
    let step = entry.0.wrapping_sub(before.0);
    let bits = coder.symbol(model::BITS, step.checked_ilog2().unwrap_or(0));
    let mut read = 1 << bits;
    for shift in (0..bits).step_by(RAW_BITS as usize) {
        let some = RAW_BITS.min(bits - shift);
        read |= u64::from(coder.raw(some, (step >> shift) as u32 & ((1 << some) - 1))) << shift;
    }
    let direction = coder.symbol(model::DIRECTION, u32::from(entry.1 & 3)) as u16 & 3;
    let [old, new] = [before, entry].map(|(_, found)| (found >> 2) as u8);
    let (step, _) = number::code(coder, model::CHANCE, i16::from(new.wrapping_sub(old) as i8));
    let chance = u16::from(old.wrapping_add(step as u8));
    (before.0.wrapping_add(read), chance << 2 | direction)
}

/// As many bits are written as they are at a time.
const RAW_BITS: u32 = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GameBoard;

    const SEVEN: GameBoard = [[32768, 16384, 8192, 4096], [512, 1024, 2048, 0], [2, 8, 0, 64], [0, 2, 4, 8]];
    const EIGHT: GameBoard = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [2, 8, 0, 64], [0, 2, 4, 8]];

    /// Boards, and such that play like them behind a fill.
    const LATER: [(GameBoard, GameBoard); 2] =
        [(SEVEN, behind(SEVEN, [65536, 16384, 8192, 4096])), (EIGHT, behind(EIGHT, [65536, 32768, 8192, 4096]))];

    const fn behind(mut rows: GameBoard, tiles: [i32; 4]) -> GameBoard {
        rows[0] = tiles;
        rows
    }

    fn board(rows: GameBoard) -> Bitboard {
        Bitboard::from_board(&rows).unwrap()
    }

    fn entry(rows: GameBoard, direction: Direction, chance: u8) -> Entry {
        Entry { board: seen(board(rows)).unwrap(), direction, chance }
    }

    /// A tablebase of all boards, with a move that the board as it is seen can make.
    fn of(all: &[GameBoard]) -> Tablebase {
        let moved = |rows: &GameBoard| {
            let seen = seen(board(*rows)).unwrap();
            let mut legal = Direction::ALL.into_iter().filter(|&direction| slid(seen, direction) != seen);
            Entry { board: seen, direction: legal.next_back().unwrap(), chance: 51 }
        };
        Tablebase::new(&all.iter().map(moved).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_board_is_found_in_all_its_symmetries_with_the_same_move() {
        for rows in [SEVEN, EIGHT] {
            let tablebase = of(&[SEVEN, EIGHT]);
            let afters: Vec<Bitboard> = board(rows)
                .symmetries()
                .map(|board| board.moved(tablebase.find(board).unwrap().direction).canonical())
                .to_vec();
            assert!(afters.iter().all(|after| *after == afters[0] && *after != board(rows).canonical()));
            assert_eq!(tablebase.find(board(rows)).unwrap().chance, 0.2);
        }
    }

    #[test]
    fn a_board_behind_a_fill_plays_like_the_one_before() {
        let tablebase = of(&[SEVEN, EIGHT]);
        for (rows, later) in LATER {
            assert_eq!(tablebase.find(board(later)), tablebase.find(board(rows)));
        }
    }

    #[test]
    fn tiles_that_never_combine_again_may_lie_in_any_order() {
        let tablebase = of(&[SEVEN, EIGHT]);
        let [.., (eight, mut swapped)] = LATER;
        swapped[0].swap(0, 1);
        assert_eq!(tablebase.find(board(swapped)), tablebase.find(board(eight)));
        swapped[0].swap(0, 2);
        assert_eq!(tablebase.find(board(swapped)), None, "the 8192 is still needed");
    }

    #[test]
    fn the_largest_tiles_may_be_known_alike() {
        const FOUR: GameBoard = [[32768, 2, 4, 16384], [8192, 64, 8, 4096], [0, 2, 0, 0], [0; 4]];
        let alike = Bitboard::from_cells(walled(board(FOUR)).unwrap());
        let seen = alike.canonical();
        let (_, view) =
            alike.symmetries().into_iter().zip(board(FOUR).symmetries()).find(|&(view, _)| view == seen).unwrap();
        for (direction, after) in view.moves() {
            let tablebase = Tablebase::new(&[Entry { board: seen.cells(), direction, chance: 204 }]).unwrap();
            let mut swapped = FOUR;
            (swapped[0][0], swapped[1][3]) = (4096, 32768);
            for rows in [FOUR, swapped, swapped.map(|mut row| (row.reverse(), row).1)] {
                let found = tablebase.find(board(rows)).unwrap();
                assert_eq!(found.chance, 0.8);
                let settled = |after: Bitboard| first(walled(after).unwrap());
                assert_eq!(settled(board(rows).moved(found.direction)), settled(after), "{rows:?} {direction:?}");
            }
            let later = FOUR.map(|row| row.map(|tile| if tile > 4096 { 2 * tile } else { tile }));
            assert_eq!(tablebase.find(board(later)), tablebase.find(board(FOUR)), "behind a fill");
            let mut two = FOUR;
            two[1][0] = 2048;
            assert_eq!(tablebase.find(board(two)), None, "the 8192 is still to be made");
            two[1][0] = 8192;
            two[1][1] = 128;
            assert_eq!(tablebase.find(board(two)), None, "another small tile");
        }
    }

    #[test]
    fn a_board_behind_a_fill_may_have_a_move_of_its_own() {
        for (rows, later) in LATER {
            for [before, behind] in [[0, 1], [1, 0]] {
                let legal: Vec<Direction> = board(rows).moves().map(|(direction, _)| direction).collect();
                let entry = |number: usize, chance| Entry { direction: legal[number], ..entry(rows, legal[0], chance) };
                let turned = |entry: Entry| Entry {
                    direction: move_like(board(rows).cells(), entry.direction, entry.board).unwrap(),
                    ..entry
                };
                let both = [turned(entry(before, 51)), turned(entry(behind, 102)).behind_a_fill()];
                assert_eq!(both[1].board, seen(board(later)).unwrap());
                for some in [&both[..], &both[1..]] {
                    let tablebase = Tablebase::new(some).unwrap();
                    let known = Known { direction: legal[behind], chance: 0.4, goal: Goal::Fill };
                    assert_eq!(tablebase.find(board(later)), Some(known));
                    let first = (some.len() == 2).then_some(Known { direction: legal[before], chance: 0.2, ..known });
                    assert_eq!(tablebase.find(board(rows)), first);
                }
            }
        }
    }

    /// A tablebase of all boards that a move of this one may lead to, with this chance, but for some of them.
    fn behind_a_move(rows: GameBoard, direction: Direction, chance: u8, without: usize) -> Tablebase {
        let after = board(rows).moved(direction);
        let boards = after.empty_cells().skip(without).map(|cell| after.with_two(cell));
        let entry = |board: Bitboard| {
            let alike = Bitboard::from_cells(walled(board).unwrap());
            let seen = alike.canonical();
            let mut views = alike.symmetries().into_iter().zip(board.symmetries());
            let (_, view) = views.find(|&(view, _)| view == seen).unwrap();
            Entry { board: seen.cells(), direction: view.moves().next().unwrap().0, chance }
        };
        Tablebase::new(&boards.map(entry).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_move_leads_back_to_what_is_known() {
        const FOUR: GameBoard = [[32768, 2, 4, 16384], [8192, 64, 8, 4096], [2, 0, 0, 0], [0; 4]];
        const LATER: GameBoard = [[65536, 2, 4, 16384], [8192, 64, 8, 4096], [2, 0, 0, 0], [0; 4]];
        for (direction, after) in board(FOUR).moves() {
            let whole = behind_a_move(FOUR, direction, 204, 0);
            assert_eq!(whole.find(board(FOUR)), None);
            for rows in [FOUR, LATER] {
                assert_eq!(whole.best_move(board(rows)).unwrap().direction, direction, "{rows:?}");
            }
            assert!((whole.best_move(board(FOUR)).unwrap().chance - 0.8).abs() < 1e-6);
            let some = behind_a_move(FOUR, direction, 255, 2);
            let cells = f64::from(after.count_empty());
            let chance = some.after(after, 0.0).unwrap();
            assert!((f64::from(chance) - (cells - 2.0) / cells).abs() < 1e-6, "what is not known is lost: {chance}");
            assert_eq!(some.after(after, chance + 0.01), None);
            assert_eq!(behind_a_move(FOUR, direction, 100, 0).best_move(board(FOUR)), None, "a poor chance");
        }
        assert_eq!(Tablebase::default().best_move(board(FOUR)), None);
    }

    #[test]
    fn the_way_to_the_end_is_known_apart() {
        const FOUR: GameBoard = [[65536, 2, 4, 16384], [8192, 64, 8, 32768], [2, 0, 0, 0], [0; 4]];
        let walled = Bitboard::from_cells(alike(downgraded(board(FOUR)), 5)).canonical();
        for direction in [Direction::Down, Direction::Right] {
            let to_the_fill = Entry { board: walled.cells(), direction, chance: 204 };
            let (to_the_end, found) =
                (Entry { chance: 102, ..to_the_fill }.to_the_end(), |tablebase: &Tablebase, rows| {
                    let known = tablebase.find(board(rows))?;
                    Some((known.chance, board(rows).moved(known.direction)))
                });
            let [fill, end] = [&[to_the_fill][..], &[to_the_end]].map(|entries| Tablebase::new(entries).unwrap());
            let both = Tablebase::new(&[to_the_fill, to_the_end]).unwrap();
            let mut swapped = FOUR;
            (swapped[0][0], swapped[1][3]) = (32768, 65536);
            for rows in [FOUR, swapped, swapped.map(|mut row| (row.reverse(), row).1)] {
                assert_eq!(found(&fill, rows).unwrap().0, 0.8);
                assert_eq!(found(&end, rows).unwrap().0, 0.4);
                assert_eq!(found(&both, rows), found(&end, rows));
                assert_eq!(both.best_move(board(rows)), both.find(board(rows)));
            }
            let before = FOUR.map(|row| row.map(|tile| if tile > 4096 { tile / 2 } else { tile }));
            assert_eq!(found(&end, before), None, "before the first fill");
            assert_eq!(found(&both, before).unwrap().0, 0.8);
            let three = FOUR.map(|row| row.map(|tile| if tile == 8192 { 4096 } else { tile }));
            assert_eq!(found(&end, three), None, "the 8192 is still to be made");
        }
    }

    #[test]
    fn a_move_leads_back_to_the_way_to_the_end() {
        const FOUR: GameBoard = [[65536, 2, 4, 16384], [8192, 64, 8, 32768], [2, 0, 0, 0], [0; 4]];
        for (direction, after) in board(FOUR).moves() {
            let entries = |chance| {
                let boards = after.empty_cells().map(move |cell| after.with_two(cell));
                boards.map(move |board| {
                    let seen = last(alike(downgraded(board), 5));
                    let legal = |&direction: &Direction| slid(seen, direction) != seen;
                    Entry { board: seen, direction: Direction::ALL.into_iter().find(legal).unwrap(), chance }
                })
            };
            let tablebase = |chance| Tablebase::new(&entries(chance).collect::<Vec<_>>()).unwrap();
            let known = tablebase(102).best_move(board(FOUR)).unwrap();
            assert_eq!((known.direction, known.goal), (direction, Goal::End));
            assert!((known.chance - 0.4).abs() < 1e-6);
            assert_eq!(tablebase(51).best_move(board(FOUR)), None, "a poor chance");
            assert_eq!(tablebase(102).after(after, 0.1), None, "not of the fill");
        }
    }

    #[test]
    fn other_boards_are_not_known() {
        let mut other = EIGHT;
        other[3].reverse();
        let mut swapped = EIGHT;
        swapped[0].swap(0, 1);
        let tablebase = of(&[SEVEN, EIGHT]);
        for rows in [other, swapped, [[0; 4]; 4], [[2; 4]; 4]] {
            assert_eq!(tablebase.find(board(rows)), None, "{rows:?}");
        }
        let early = [[32768, 16384, 8192, 4096], [2048, 512, 256, 128], [64, 32, 0, 0], [0; 4]];
        assert_eq!(seen(board(early)), None, "a sum of {}", board(early).sum());
        let behind = [[65536, 2, 0, 0], [0; 4], [0; 4], [0; 4]];
        assert_eq!(seen(board(behind)), None);
        assert_eq!(Tablebase::default().find(board(SEVEN)), None);
    }

    #[test]
    fn of_equal_boards_one_is_kept_and_not_too_many() {
        let entries = [entry(SEVEN, Direction::Up, 9), entry(SEVEN, Direction::Down, 9)];
        assert_eq!(Tablebase::new(&entries).unwrap().boards(), 1);
        let many = vec![entries[0]; MAX_BOARDS + 1];
        assert_eq!(Tablebase::new(&many), Err(FormatError::TooLarge));
    }

    /// Whatever is known of a board and of all boards that follow it, for the fill and for the end.
    fn moves_are_legal(board: Bitboard) -> Result<(), proptest::test_runner::TestCaseError> {
        let next = board.moves().flat_map(|(_, after)| after.empty_cells().map(move |cell| after.with_two(cell)));
        let entries = next.chain([board]).filter_map(known).flat_map(|known| {
            let entry = |board| Entry { board, direction: Direction::Left, chance: 255 };
            let ends = (4..16).map(move |tops| entry(first(alike(known, tops + 1))).to_the_end());
            ends.chain(walled(known).map(|cells| entry(first(cells))))
        });
        let tablebase = Tablebase::new(&entries.collect::<Vec<_>>()).unwrap();
        for tablebase in [tablebase, of(&[SEVEN, EIGHT])] {
            proptest::prop_assert!(tablebase.find(board).is_none_or(|known| board.can_move(known.direction)));
            proptest::prop_assert!(tablebase.best_move(board).is_none_or(|known| board.can_move(known.direction)));
        }
        Ok(())
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read(
            entries in proptest::collection::vec((1_u64.., 0_usize..4, 0_u8..), 0..500),
        ) {
            let entry = |(board, direction, chance)| Entry { board, direction: Direction::ALL[direction], chance };
            let entries = entries.into_iter().map(entry);
            let tablebase = Tablebase::new(&entries.collect::<Vec<_>>()).unwrap();
            let bytes = tablebase.write();
            let mut input = Input(&bytes);
            proptest::prop_assert_eq!(Tablebase::read(&mut input).unwrap(), tablebase);
            proptest::prop_assert!(input.0.is_empty());
            for length in [0, 3, 40, bytes.len() / 2, bytes.len() - 2] {
                proptest::prop_assert!(Tablebase::read(&mut Input(&bytes[..length])).is_err());
            }
        }

        #[test]
        fn no_board_is_too_strange(codes in proptest::array::uniform16(0_u64..16)) {
            let cells = codes.iter().fold(0, |cells, &code| cells << 4 | code);
            moves_are_legal(Bitboard::from_cells(cells))?;
        }

        #[test]
        fn nor_one_of_the_end(tiles in proptest::sample::subsequence((4_u32..13).collect::<Vec<_>>(), 0..9), turn in 0_usize..12) {
            let mut cells = [65536, 32768, 16384, 8192, 2, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            tiles.iter().zip(&mut cells[7..]).for_each(|(&code, cell)| *cell = 1 << code);
            cells.rotate_left(turn);
            let rows: Vec<[i32; 4]> = cells.chunks(4).map(|row| row.try_into().unwrap()).collect();
            moves_are_legal(board(rows.try_into().unwrap()))?;
        }
    }
}
