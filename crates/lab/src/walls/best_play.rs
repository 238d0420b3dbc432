//! The best play through a fill from given boards, with every tile as it is.
//!
//! The tables of walls say how likely a second 256 can be made. Whether the chain falls together then hangs on the order of
//! the walls, which they do not know; so a board is worth no more than they say. From the boards of a player, only few are
//! reached by moves that they hold for good. These are solved, from what a network says of the boards on which the second
//! 256 is made: forwards from the given boards, each move taken as often as it is promising, then backwards, and once more
//! with what was found.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use estr2048::network::tablebase::Entry;
use estr2048::network::{Evaluate, MAX_AFTERS, Network, downgraded, tops, upgraded};
use estr2048::{Bitboard, Direction};
use estr2048_toolbox::interrupt;
use estr2048_training::worker::with_new_two;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rayon::prelude::*;

use super::cells::each;
use super::files::Folder;
use super::guide::Guide;
use super::table::Table;
use crate::grid::{DIRECTIONS, Grid, holding};

/// Moves that the tables hold for worse than the best one by more are not looked at.
const MARGIN: f64 = 0.08;

/// Of what the tables say, this is expected before anything is solved.
pub const EXPECTED: f64 = 0.8;

/// A game that comes so far behind a fill has come through.
const BEHIND: i64 = 164;

/// A move that is worse by so much is taken in a share of 1/e of the games.
const SPREAD: f64 = 0.01;

/// The share of the games that comes to a board, which is turned to the first of its eight views.
type Shares = BTreeMap<u64, f64>;

/// The number of a stage, and what all tiles but the walls sum to.
type Place = (usize, u32);

/// By what boards are known, in the order in which a game comes to them.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// The number of a folder.
    folder: usize,
    /// Whether the halves that its tables are about are both made, and the next move combines them.
    combines: bool,
}

/// Boards in the order in which they are come to.
type Order = Vec<(Place, Vec<u64>)>;

/// How the best play is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Boards to which a smaller share of the games comes are left out.
    pub least: f64,
    /// How often to go forwards and backwards.
    pub rounds: u32,
    /// What says how likely a board comes through on which the second tile is made.
    pub ends: Ends,
    /// How many fills the boards have come through before.
    pub fills: u32,
}

/// How the network says what a board is worth on which the second tile is made.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// By its value, where it holds a passed fill for worth so many moves.
    Value(f32),
    /// By so many games from there, without search.
    Playouts(u32),
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The boards to which the best play comes, with their moves.
    pub entries: Vec<Entry>,
    /// The share of the games that makes a second 256.
    pub made: f64,
    /// The share that comes through the fill then, as the network says.
    pub passed: f64,
    /// The share that comes to boards without a chance.
    pub lost: f64,
    /// The share that comes to boards to which too few come.
    pub left_out: f64,
}

/// A move by which the play may go on.
#[derive(Clone, Copy, Debug)]
struct Way {
    direction: Direction,
    /// The first view of the afterstate.
    after: u64,
    /// What the tables say of it.
    bound: f64,
    leads: Leads,
}

#[derive(Clone, Copy, Debug)]
enum Leads {
    /// To boards of the same stage.
    On,
    /// To boards of the stage behind.
    Behind,
    /// To the second tile, with this chance to come through.
    Out(f64),
}

/// The best play by the tables of one family and of those behind it.
pub struct BestPlay<'a> {
    folders: Vec<Folder<'a>>,
    stages: Vec<Stage>,
    network: &'a Network,
    rules: Rules,
    grid: Grid,
    starts: BTreeMap<Place, Shares>,
    /// The moves of every board that was looked at.
    ways: HashMap<u64, Vec<Way>>,
    /// The chances of the boards that were solved.
    chances: HashMap<u64, f64>,
    /// The afterstates on which the second tile is made.
    outs: BTreeSet<u64>,
    /// What games came to from some of them.
    played: Mutex<HashMap<u64, f64>>,
}

impl<'a> BestPlay<'a> {
    /// From each of these boards that the tables in these folders know, each folder behind the one before: boards behind so many
    /// fills, which are seen one size smaller.
    pub fn new(grid: Grid, folders: Vec<Folder<'a>>, network: &'a Network, boards: &[Bitboard], rules: Rules) -> Self {
        let all = (0..folders.len()).flat_map(|folder| [false, true].map(|combines| Stage { folder, combines }));
        let stages: Vec<Stage> = all.filter(|of| !of.combines || folders[of.folder].family.has_half()).collect();
        let known = |board: Bitboard| {
            if tops(board) != rules.fills as usize {
                return None;
            }
            let board = if rules.fills == 0 { board } else { downgraded(board) };
            stages.iter().enumerate().filter(|(_, stage)| !stage.combines).find_map(|(number, stage)| {
                let family = folders[stage.folder].family;
                let sum = (board.sum() as u32).checked_sub(family.walls_sum())?;
                family.walled(board)?;
                (sum < family.due()).then(|| ((number, sum), first(board.cells())))
            })
        };
        let known: Vec<(Place, u64)> = boards.iter().filter_map(|&board| known(board)).collect();
        let mut starts: BTreeMap<Place, Shares> = BTreeMap::new();
        for &(place, board) in &known {
            *starts.entry(place).or_default().entry(board).or_default() += 1.0 / known.len() as f64;
        }
        Self {
            folders,
            stages,
            network,
            rules,
            grid,
            starts,
            ways: HashMap::new(),
            chances: HashMap::new(),
            outs: BTreeSet::new(),
            played: Mutex::default(),
        }
    }

    /// The number of different boards to start from.
    pub fn starts(&self) -> usize {
        self.starts.values().map(Shares::len).sum()
    }

    /// Finds the best play; `step` hears of every sum that is done. `None` if the work was asked to stop.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn find(&mut self, mut step: impl FnMut()) -> Result<Option<Found>> {
        for _ in 0..self.rules.rounds {
            let Some((places, _)) = self.forwards(false, &mut step)? else { return Ok(None) };
            self.backwards(&places);
        }
        Ok(self.forwards(true, &mut step)?.map(|(_, found)| found))
    }

    /// The mean chance of the boards that the play starts from.
    pub fn chance(&self) -> f64 {
        let shares = self.starts.values().flatten();
        shares.map(|(board, share)| share * self.chances.get(board).copied().unwrap_or(0.0)).sum()
    }

    /// The best chance that the network gives a board on which the second tile is made. Below [EXPECTED] no board that is
    /// solved looks as good as one that is not, and the play does not come to an end: the worth of [`Ends::Value`] is too large.
    pub fn best_end(&self) -> f64 {
        let chances = self.ways.values().flatten().filter_map(|way| match way.leads {
            Leads::Out(chance) => Some(chance),
            _ => None,
        });
        chances.fold(0.0, f64::max)
    }

    /// The boards behind the second tile, each with a new tile, to which one of the promising moves came.
    pub fn ends(&self) -> impl Iterator<Item = Bitboard> {
        let with_twos = |&after: &u64| each(holding(after, 0)).map(move |two| Bitboard::from_cells(after | two));
        self.outs.iter().flat_map(with_twos).filter_map(|board| upgraded(board, self.rules.fills))
    }

    /// All boards that are come to: by every promising move, or by the best one alone.
    fn forwards(&mut self, best: bool, step: &mut impl FnMut()) -> Result<Option<(Order, Found)>> {
        let mut waiting = self.starts.clone();
        let mut found = Found::default();
        let mut places = Order::new();
        let mut behind: Option<(usize, Option<Table>)> = None;
        while let Some((place, shares)) = waiting.pop_first() {
            if interrupt::asked() {
                return Ok(None);
            }
            let (number, sum) = place;
            let stage = self.stages[number];
            let family = self.folders[stage.folder].family;
            let due = if stage.combines { 0 } else { family.due() };
            let (mut boards, others): (Vec<_>, Vec<_>) =
                shares.into_iter().partition(|&(_, share)| share >= self.rules.least);
            found.left_out += others.iter().map(|(_, share)| share).sum::<f64>();
            // The boards to which most games come choose first among moves that are equal.
            boards.sort_by(|a, b| b.1.total_cmp(&a.1));
            let new: Vec<u64> =
                boards.iter().map(|&(board, _)| board).filter(|board| !self.ways.contains_key(board)).collect();
            if !new.is_empty() {
                if behind.as_ref().is_none_or(|&(last, _)| last != number) {
                    let folder = self.folders.get(stage.folder + 1);
                    behind = Some((number, folder.map(|folder| folder.table_behind(family)).transpose()?));
                }
                let behind = behind.as_ref().and_then(|(_, table)| table.as_ref());
                match behind.filter(|_| stage.combines) {
                    Some(behind) => self.look_for_halves(sum, new, behind),
                    None => self.look(place, new, behind)?,
                }
            }
            let mut afters = Shares::new();
            let mut afters_behind = Shares::new();
            for &(board, share) in &boards {
                let ways = &self.ways[&board];
                let chances: Vec<f64> = ways.iter().map(|way| self.chance_of(way)).collect();
                let most = chances.iter().copied().fold(0.0, f64::max);
                let weight = |chance: f64| ((chance - most) / SPREAD).exp();
                let games = |way: &Way| afters.get(&way.after).copied().unwrap_or(0.0);
                let chosen = ways.iter().zip(&chances).filter(|(_, chance)| **chance >= most);
                let Some(chosen) = chosen.map(|(way, _)| *way).max_by(|a, b| games(a).total_cmp(&games(b))) else {
                    found.lost += share;
                    continue;
                };
                if best {
                    let chance = (most.min(1.0) * 255.0).round() as u8;
                    let entry = Entry { board, direction: chosen.direction, chance };
                    found.entries.push(if self.rules.fills == 0 { entry } else { entry.behind_a_fill() });
                }
                let all: f64 = chances.iter().map(|&chance| weight(chance)).sum();
                let shared = ways.iter().zip(&chances).map(|(way, &chance)| (*way, share * weight(chance) / all));
                let taken: Vec<(Way, f64)> = if best { vec![(chosen, share)] } else { shared.collect() };
                for (way, share) in taken {
                    match way.leads {
                        Leads::On => *afters.entry(way.after).or_default() += share,
                        Leads::Behind => *afters_behind.entry(way.after).or_default() += share,
                        Leads::Out(chance) => {
                            self.outs.insert(way.after);
                            found.made += share;
                            found.passed += share * chance;
                        }
                    }
                }
            }
            add_twos(&mut waiting, (number, sum + 2), afters);
            if let Some(sum) = (sum + 2).checked_sub(due) {
                add_twos(&mut waiting, (number + 1, sum), afters_behind);
            }
            places.push((place, boards.into_iter().map(|(board, _)| board).collect()));
            step();
        }
        Ok(Some((places, found)))
    }

    /// Solves the boards, the last ones first.
    fn backwards(&mut self, places: &Order) {
        self.chances.clear();
        for (_, boards) in places.iter().rev() {
            let best = |board: &u64| self.ways[board].iter().map(|way| self.chance_of(way)).fold(0.0, f64::max);
            let solved: Vec<f64> = boards.par_iter().map(best).collect();
            self.chances.extend(boards.iter().copied().zip(solved));
        }
    }

    /// What a move is worth: the mean over the new tiles, what is not solved as the tables say, less what the chain may cost.
    fn chance_of(&self, way: &Way) -> f64 {
        if let Leads::Out(chance) = way.leads {
            return chance;
        }
        let empty = holding(way.after, 0);
        let unknown = EXPECTED * way.bound;
        let chance = |board: u64| self.chances.get(&first(board)).copied().unwrap_or(unknown);
        let total: f64 = each(empty).map(|two| chance(way.after | two)).sum();
        total / f64::from(empty.count_ones().max(1))
    }

    /// The moves of these boards that combine two halves, by the tables behind.
    fn look_for_halves(&mut self, sum: u32, boards: Vec<u64>, behind: &Table) {
        let family = behind.family;
        let smallest = family.smallest().into();
        for board in boards {
            let way = |direction: Direction| {
                let after = self.grid.moved(board, DIRECTIONS[direction as usize]);
                let bound = f64::from(behind.open(family.with_walls(after), sum)) / 255.0;
                let combines = after != board && holding(after, smallest) != 0;
                (combines && bound > 0.0).then_some(Way { direction, after: first(after), bound, leads: Leads::Behind })
            };
            let ways = Direction::ALL.into_iter().filter_map(way).collect();
            self.ways.insert(board, ways);
        }
    }

    /// The promising moves of these boards, by the tables.
    fn look(&mut self, (number, sum): Place, boards: Vec<u64>, behind: Option<&Table>) -> Result<()> {
        let folder = self.folders[self.stages[number].folder];
        let family = folder.family;
        let mut table = folder.table()?;
        if sum < family.most() {
            table.keep(sum + 2, folder.load(sum + 2, table.size(sum + 2))?);
        }
        let guide = Guide { grid: Grid::new(4, 4, &DIRECTIONS)?, table, behind };
        let is_last = number + 1 == self.stages.len();
        let ways: Vec<Vec<Way>> = boards.par_iter().map(|&board| self.ways_of(board, sum, &guide, is_last)).collect();
        self.ways.extend(boards.into_iter().zip(ways));
        Ok(())
    }

    fn ways_of(&self, board: u64, sum: u32, guide: &Guide, is_last: bool) -> Vec<Way> {
        let family = guide.table.family;
        let moves = guide.moves(family.with_walls(board), sum);
        let best = moves.iter().map(|of| of.chance).fold(0.0, f64::max);
        let promising = moves.iter().filter(|of| of.chance > 0.0 && of.chance >= best - MARGIN);
        let way = |of: &super::guide::Move| {
            let after = self.grid.moved(board, DIRECTIONS[of.direction as usize]);
            let leads = match of.made.count_ones() {
                0 => Leads::On,
                1 if !is_last => Leads::Behind,
                _ if family.has_half() => Leads::Behind,
                _ => Leads::Out(self.passes(after)),
            };
            Way { direction: of.direction, after: first(after), bound: of.chance, leads }
        };
        promising.map(way).collect()
    }

    /// What the network says of an afterstate on which the second tile is made.
    fn passes(&self, after: u64) -> f64 {
        let after = first(after);
        let Some(board) = upgraded(Bitboard::from_cells(after), self.rules.fills) else { return 0.0 };
        match self.rules.ends {
            Ends::Value(worth) => f64::from(self.network.value(board, board.sum() as u32) / worth).clamp(0.0, 1.0),
            Ends::Playouts(games) => {
                let known = || self.played.lock().unwrap_or_else(PoisonError::into_inner);
                let found = known().get(&after).copied();
                found.unwrap_or_else(|| {
                    let share = self.play_out(board, games, after);
                    known().insert(after, share);
                    share
                })
            }
        }
    }

    /// The share of so many games without search from an afterstate that come [`BEHIND`] the fill. The seed makes the same board
    /// come to the same.
    fn play_out(&self, after: Bitboard, games: u32, seed: u64) -> f64 {
        let mut random = SmallRng::seed_from_u64(seed);
        let fill = i64::from(131_072 - (65_536 >> self.rules.fills));
        let mut values = [0.0; MAX_AFTERS];
        let mut comes = || {
            let mut after = after;
            while after.sum() < fill + BEHIND {
                let board = with_new_two(after, &mut random);
                let (afters, legal) = board.afterstates();
                self.network.values(&afters[..legal], board.sum() as u32, &mut values);
                let best = afters[..legal].iter().zip(values).max_by(|a, b| a.1.total_cmp(&b.1));
                let Some((&best, _)) = best else { return false };
                after = best;
            }
            true
        };
        let came = (0..games).filter(|_| comes()).count();
        came as f64 / f64::from(games)
    }
}

/// The boards that new tiles make of these afterstates.
fn add_twos(waiting: &mut BTreeMap<Place, Shares>, place: Place, afters: Shares) {
    if afters.is_empty() {
        return;
    }
    let boards = waiting.entry(place).or_default();
    for (after, share) in afters {
        let empty = holding(after, 0);
        let share = share / f64::from(empty.count_ones().max(1));
        each(empty).for_each(|two| *boards.entry(first(after | two)).or_default() += share);
    }
}

/// The first view of a board.
fn first(board: u64) -> u64 {
    Bitboard::from_cells(board).canonical().cells()
}
