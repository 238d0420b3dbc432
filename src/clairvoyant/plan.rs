//! Planning with known cells: a beam search that looks for the perfect game.
//!
//! With the stream of cells known, the game is a puzzle with full information. The search keeps the best boards after
//! every number of moves. Two boards of the same layer have the same sum, so they can be compared; the ranking is the
//! value that a network gives to the best move from them. Where all lines of the beam die, the search goes back some
//! moves and tries again with a wider beam, the further and the wider the more often it has failed there. A bottleneck
//! that stays one was mostly made long before it, by a layout that no wide beam mends: then a new try begins near the
//! start, with a beam of another width, which takes another way.

use std::time::Instant;

use crate::bitboard::{Bitboard, MAX_SUM};
use crate::clairvoyant::lineage::{Lineage, Link};
use crate::clairvoyant::rank::rank;
use crate::clairvoyant::stream::Stream;
use crate::direction::Direction;
use crate::network::Evaluate;

/// How many boards a beam keeps when nothing is said.
pub const DEFAULT_WIDTH: usize = 16;

/// The widest beam that is tried at a bottleneck.
pub const MAX_WIDTH: usize = 8192;

const SNAPSHOT_EVERY: usize = 64;
const MAX_SNAPSHOTS: usize = 256;
/// A death at most so many moves after the last one is no gain.
const NO_GAIN: usize = 16;
/// A death at most so many moves after the last one belongs to the same bottleneck.
const SAME_BOTTLENECK: usize = 512;

/// What is tried at a bottleneck, one after the other: how many moves to go back, and how many times wider the beam
/// becomes. All four together cost about as much as a whole game does with the beam as it is.
const ATTEMPTS: [(usize, usize); 4] = [(128, 8), (512, 8), (256, 64), (2048, 16)];

/// A try that has valued so many times the boards of a game without any death has met bottlenecks enough.
const MOST_WORK: usize = 3;
/// Boards that come out of one board of the beam, about.
const CHILDREN: usize = 3;
/// How often a new try begins, each with a beam half as wide again as the last.
const MAX_TRIES: usize = 9;
/// A new try keeps this part of the best game so far, from the present board on: the moves that may be played while
/// it is searched.
const KEPT_PART: usize = 8;

/// A board of the beam.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Bitboard,
    position: u32,
    last_move: Option<Link>,
}

/// A board that may become part of the next layer.
#[derive(Clone, Copy, Debug)]
struct Child {
    board: Bitboard,
    position: u32,
    parent: u32,
    direction: Direction,
    value: f32,
}

/// The beam as it was after some moves, to go back to.
#[derive(Debug)]
struct Snapshot {
    depth: usize,
    nodes: Vec<Node>,
}

/// How far a plan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There are boards to go on with.
    Working,
    /// The best game from here is found: it ends at the highest sum that the rules allow.
    Perfect,
    /// Every attempt has failed; [`Planner::line`] is the best game found.
    GivenUp,
}

/// What a beam looks like at the moment; for progress bars and plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamState {
    /// Moves since the board that the plan starts from.
    pub depth: usize,
    /// The sum of all tiles of every board in the beam.
    pub sum: i64,
    /// Boards in the beam.
    pub boards: usize,
    /// How many it may hold at this depth.
    pub width: usize,
    /// The value of the best board: expected further moves if the cells were not known.
    pub value: f32,
    /// How often all lines have died so far.
    pub deaths: usize,
}

/// A search for the perfect game from one board on. It can be stopped and taken up again at any time.
#[derive(Debug)]
pub struct Planner {
    stream: Stream,
    lineage: Lineage,
    start_sum: i64,
    /// The moves played so far, and the board that they lead to.
    played: Vec<Direction>,
    present: Node,
    width: usize,
    tries: usize,
    /// Boards valued in this try.
    work: usize,
    depth: usize,
    nodes: Vec<Node>,
    value: f32,
    snapshots: Vec<Snapshot>,
    widened: usize,
    bottleneck: usize,
    attempts: usize,
    deaths: usize,
    best: Vec<Direction>,
    progress: Progress,
    children: Vec<Child>,
}

impl Planner {
    /// A plan from this board on, whose next cell is the stream's first free one from `position` on, with a beam of
    /// `width` boards (at least 1).
    #[must_use]
    pub fn new(stream: Stream, board: Bitboard, position: usize, width: usize) -> Self {
        let start = Node { board, position: position as u32, last_move: None };
        let mut planner = Self {
            stream,
            lineage: Lineage::default(),
            start_sum: board.sum(),
            played: Vec::new(),
            present: start,
            tries: 1,
            work: 0,
            width: width.clamp(1, MAX_WIDTH),
            depth: 0,
            nodes: vec![start],
            value: 0.0,
            snapshots: vec![Snapshot { depth: 0, nodes: vec![start] }],
            widened: width.clamp(1, MAX_WIDTH),
            bottleneck: 0,
            attempts: 0,
            deaths: 0,
            best: Vec::new(),
            progress: Progress::Working,
            children: Vec::new(),
        };
        if planner.start_sum == MAX_SUM {
            planner.progress = Progress::Perfect;
        }
        planner
    }

    /// How far the plan has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What the beam looks like at the moment.
    #[must_use]
    pub fn state(&self) -> BeamState {
        BeamState {
            depth: self.depth,
            sum: self.start_sum + 2 * self.depth as i64,
            boards: self.nodes.len(),
            width: self.widened,
            value: self.value,
            deaths: self.deaths,
        }
    }

    /// The moves of the best game so far: to the best board of the beam, or to the end of the longest game that was
    /// found.
    #[must_use]
    pub fn line(&self) -> Vec<Direction> {
        match self.nodes.first() {
            Some(node) if self.depth > self.best.len() => self.lineage.line(node.last_move),
            _ => self.best.clone(),
        }
    }

    /// Searches until the plan is finished or the deadline is reached (which may be passed by some milliseconds).
    pub fn advance(&mut self, evaluate: &impl Evaluate, deadline: Instant) -> Progress {
        while self.progress == Progress::Working && Instant::now() < deadline {
            self.step(evaluate);
        }
        self.progress
    }

    /// Makes one more layer.
    pub fn step(&mut self, evaluate: &impl Evaluate) -> Progress {
        if self.progress == Progress::Working {
            if self.depth > self.bottleneck {
                self.widened = self.width;
            }
            self.collect_children(evaluate);
            if self.children.is_empty() {
                self.die();
            } else {
                self.keep_best_children();
            }
        }
        self.progress
    }

    /// Tells the planner the moves that have been played since its start, which were the first ones of
    /// [`line`](Self::line): everything that begins otherwise is forgotten. False if nothing is left to go on with;
    /// then a new plan is needed.
    pub fn keep_only(&mut self, played: &[Direction]) -> bool {
        let later = played.strip_prefix(self.played.as_slice());
        let Some(present) = later.and_then(|later| self.follow(self.present, later)) else {
            return false;
        };
        self.present = present;
        self.played = played.to_vec();
        if !self.best.starts_with(played) {
            self.best.clear();
        }
        if self.progress != Progress::Working {
            return !self.best.is_empty();
        }
        let mut origins = self.lineage.origins(played);
        let mut forgotten = Vec::new();
        let mut keep = |nodes: &mut Vec<Node>| {
            nodes.retain(|node| {
                let kept = origins.begins_as_played(node.last_move);
                forgotten.extend((!kept).then_some(*node));
                kept
            });
        };
        keep(&mut self.nodes);
        for snapshot in &mut self.snapshots {
            keep(&mut snapshot.nodes);
        }
        self.snapshots.retain(|snapshot| !snapshot.nodes.is_empty());
        self.release(&forgotten);
        if self.nodes.is_empty() && !self.best.is_empty() {
            self.begin_again();
        }
        !(self.nodes.is_empty() && self.best.is_empty())
    }

    fn collect_children(&mut self, evaluate: &impl Evaluate) {
        self.children.clear();
        for (parent, node) in self.nodes.iter().enumerate() {
            for (direction, after) in node.board.moves() {
                if let Some((cell, position)) = self.stream.next_cell(node.position as usize, taken(after)) {
                    let board = after.with_two(cell.into());
                    let (parent, position) = (parent as u32, position as u32);
                    self.children.push(Child { board, position, parent, direction, value: 0.0 });
                }
            }
        }
        let place = |child: &Child| (child.board, child.position);
        self.children.sort_unstable_by_key(|child| (place(child), child.parent));
        self.children.dedup_by_key(|child| place(child));

        self.work += self.children.len();
        let sum = self.start_sum + 2 * self.depth as i64 + 2;
        for child in &mut self.children {
            child.value = rank(evaluate, child.board, sum as u32);
        }
        let over = |child: &Child| child.value == f32::NEG_INFINITY;
        if self.depth + 1 > self.best.len()
            && let Some(last) = self.children.iter().find(|child| over(child))
        {
            // A game that ends, but no shorter than any before it.
            if sum == MAX_SUM || self.children.iter().all(over) {
                self.best = self.lineage.line(self.nodes[last.parent as usize].last_move);
                self.best.push(last.direction);
            }
        }
        if sum == MAX_SUM && self.best.len() == self.depth + 1 {
            self.progress = Progress::Perfect;
        }
        self.children.retain(|child| !over(child));
    }

    fn keep_best_children(&mut self) {
        let by_value = |a: &Child, b: &Child| b.value.total_cmp(&a.value).then(a.board.cmp(&b.board));
        if self.children.len() > self.widened {
            self.children.select_nth_unstable_by(self.widened, by_value);
            self.children.truncate(self.widened);
        }
        if let Some(best) = (0..self.children.len()).min_by(|&a, &b| by_value(&self.children[a], &self.children[b])) {
            self.children.swap(0, best);
            self.value = self.children[0].value;
        }
        let descend = |child: &Child| {
            let previous = self.nodes[child.parent as usize].last_move;
            let last_move = Some(self.lineage.add(previous, child.direction));
            Node { board: child.board, position: child.position, last_move }
        };
        let next = self.children.iter().map(descend).collect();
        let previous = std::mem::replace(&mut self.nodes, next);
        self.release(&previous);
        self.depth += 1;
        if self.depth.is_multiple_of(SNAPSHOT_EVERY) {
            self.take_snapshot();
        }
    }

    /// The board after these moves; its line is not known to the lineage.
    fn follow(&mut self, node: Node, moves: &[Direction]) -> Option<Node> {
        moves.iter().try_fold(node, |node, &direction| {
            let after = Some(node.board.moved(direction)).filter(|&after| after != node.board)?;
            let (cell, position) = self.stream.next_cell(node.position as usize, taken(after))?;
            Some(Node { board: after.with_two(cell.into()), position: position as u32, last_move: None })
        })
    }

    fn release(&mut self, nodes: &[Node]) {
        for link in nodes.iter().filter_map(|node| node.last_move) {
            self.lineage.release(link);
        }
    }

    fn hold(&mut self, nodes: &[Node]) {
        for link in nodes.iter().filter_map(|node| node.last_move) {
            self.lineage.hold(link);
        }
    }

    fn take_snapshot(&mut self) {
        if self.snapshots.len() == MAX_SNAPSHOTS {
            let oldest = self.snapshots.remove(0);
            self.release(&oldest.nodes);
        }
        let nodes = self.nodes.clone();
        self.hold(&nodes);
        self.snapshots.push(Snapshot { depth: self.depth, nodes });
    }

    /// All lines have died: back to an earlier beam, to pass this place with a wider one.
    fn die(&mut self) {
        if self.progress == Progress::Perfect {
            return;
        }
        self.best = self.line();
        self.deaths += 1;
        let gained = (self.depth + 1).saturating_sub(self.bottleneck);
        self.attempts = match self.attempts {
            0 => 1,
            attempts if gained <= NO_GAIN => attempts + 1,
            attempts if gained <= SAME_BOTTLENECK => attempts,
            _ => 1,
        };
        self.bottleneck += gained;
        let left = (MAX_SUM - self.present.board.sum()) as usize / 2;
        let attempt = ATTEMPTS.get(self.attempts - 1).filter(|_| self.work < MOST_WORK * CHILDREN * self.width * left);
        let Some(&(back, wider)) = attempt else {
            self.begin_again();
            return;
        };
        self.widened = (self.width * wider).min(MAX_WIDTH);
        let target = self.bottleneck.saturating_sub(back);
        let dead = std::mem::take(&mut self.nodes);
        self.release(&dead);
        while self.snapshots.len() > 1 && self.snapshots.last().is_some_and(|snapshot| snapshot.depth > target) {
            if let Some(later) = self.snapshots.pop() {
                self.release(&later.nodes);
            }
        }
        let Some(snapshot) = self.snapshots.last() else {
            self.progress = Progress::GivenUp;
            return;
        };
        self.depth = snapshot.depth;
        self.nodes = snapshot.nodes.clone();
        let nodes = self.nodes.clone();
        self.hold(&nodes);
    }

    /// Another try, with a beam of another width, from a board that the best game so far will reach soon.
    fn begin_again(&mut self) {
        let forgotten: Vec<Node> = self.snapshots.drain(..).flat_map(|snapshot| snapshot.nodes).collect();
        self.release(&forgotten);
        let dead = std::mem::take(&mut self.nodes);
        self.release(&dead);
        let kept = self.played.len() + self.best.len().saturating_sub(self.played.len()) / KEPT_PART;
        let line = self.best.get(..kept).unwrap_or(&self.played).to_vec();
        let start = line.get(self.played.len()..).and_then(|later| self.follow(self.present, later));
        let Some(mut start) = start.filter(|_| self.tries < MAX_TRIES) else {
            self.progress = Progress::GivenUp;
            return;
        };
        for &direction in &line {
            let link = self.lineage.add(start.last_move, direction);
            // The new move holds the one before it.
            self.release(&[start]);
            start.last_move = Some(link);
        }
        self.nodes.push(start);
        self.depth = line.len();
        self.hold(&[start]);
        self.snapshots.push(Snapshot { depth: self.depth, nodes: vec![start] });
        self.tries += 1;
        self.width = (self.width + self.width.div_ceil(2)).min(MAX_WIDTH);
        self.widened = self.width;
        (self.work, self.attempts, self.bottleneck) = (0, 0, 0);
    }
}

/// One bit for every taken cell.
fn taken(board: Bitboard) -> u16 {
    board.empty_cells().fold(u16::MAX, |taken, cell| taken & !(1 << cell))
}
