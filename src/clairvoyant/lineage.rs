//! Who descends from whom: the moves that lead to every board of a beam, in as little memory as possible.
//!
//! The lines of a beam that is many moves deep nearly all share their beginning. Every move is stored once, with the
//! number of lines that go on from it; what no line goes on from is forgotten.

use crate::direction::Direction;

/// A move in a [`Lineage`]. Whoever holds one has to give it back with [`Lineage::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(u32);

/// A forest of moves, each with its predecessor.
#[derive(Debug, Default)]
pub struct Lineage {
    moves: Vec<Move>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Move {
    previous: u32,
    holders: u32,
    direction: Direction,
}

const NONE: u32 = u32::MAX;

impl Lineage {
    /// A move after another one, or the first move of a line. It is held once, and holds its predecessor.
    pub fn add(&mut self, previous: Option<Link>, direction: Direction) -> Link {
        if let Some(previous) = previous {
            self.hold(previous);
        }
        let previous = previous.map_or(NONE, |link| link.0);
        let new = Move { previous, holders: 1, direction };
        match self.free.pop() {
            Some(place) => {
                self.moves[place as usize] = new;
                Link(place)
            }
            None => {
                self.moves.push(new);
                Link(self.moves.len() as u32 - 1)
            }
        }
    }

    /// One more holder of this move.
    pub fn hold(&mut self, link: Link) {
        self.moves[link.0 as usize].holders += 1;
    }

    /// One holder less; the last one takes the move with it, and the moves before it that nobody else holds.
    pub fn release(&mut self, link: Link) {
        let mut place = link.0;
        while place != NONE {
            let moved = &mut self.moves[place as usize];
            moved.holders -= 1;
            if moved.holders > 0 {
                break;
            }
            self.free.push(place);
            place = moved.previous;
        }
    }

    /// The moves of the line that ends with this one, the first one first.
    #[must_use]
    pub fn line(&self, last: Option<Link>) -> Vec<Direction> {
        let mut line = Vec::new();
        let mut place = last.map_or(NONE, |link| link.0);
        while place != NONE {
            let moved = self.moves[place as usize];
            line.push(moved.direction);
            place = moved.previous;
        }
        line.reverse();
        line
    }

    /// A look at how the stored lines begin.
    #[must_use]
    pub fn origins<'a>(&'a self, played: &'a [Direction]) -> Origins<'a> {
        Origins { lineage: self, played, known: vec![None; self.moves.len()] }
    }
}

/// Answers for many lines of a [`Lineage`] whether they begin with the moves that were played.
#[derive(Debug)]
pub struct Origins<'a> {
    lineage: &'a Lineage,
    played: &'a [Direction],
    /// For moves that were asked about: how many moves lead to it, itself included, and whether they are as played.
    known: Vec<Option<(usize, bool)>>,
}

impl Origins<'_> {
    /// Whether the line that ends with this move has all moves that were played, and first.
    pub fn begins_as_played(&mut self, last: Option<Link>) -> bool {
        let mut unknown = Vec::new();
        let mut place = last.map_or(NONE, |link| link.0);
        while place != NONE && self.known[place as usize].is_none() {
            unknown.push(place);
            place = self.lineage.moves[place as usize].previous;
        }
        let known = |place: u32| if place == NONE { Some((0, true)) } else { self.known[place as usize] };
        let (mut count, mut as_played) = known(place).unwrap_or((0, true));
        for place in unknown.into_iter().rev() {
            let direction = self.lineage.moves[place as usize].direction;
            as_played &= self.played.get(count).is_none_or(|&played| played == direction);
            count += 1;
            self.known[place as usize] = Some((count, as_played));
        }
        as_played && count >= self.played.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};

    fn stored(lineage: &Lineage) -> usize {
        lineage.moves.len() - lineage.free.len()
    }

    #[test]
    fn origins_are_compared_with_the_moves_that_were_played() {
        let mut lineage = Lineage::default();
        let up = lineage.add(None, Up);
        let left = lineage.add(Some(up), Left);
        let right = lineage.add(Some(up), Right);
        let late = lineage.add(Some(left), Down);
        let mut origins = lineage.origins(&[Up, Left]);
        assert!(origins.begins_as_played(Some(late)));
        assert!(origins.begins_as_played(Some(left)));
        assert!(!origins.begins_as_played(Some(right)));
        assert!(!origins.begins_as_played(Some(up)), "too short");
        assert!(!lineage.origins(&[Down]).begins_as_played(Some(late)));
        assert!(lineage.origins(&[]).begins_as_played(None));
    }

    #[test]
    fn lines_share_their_beginning_and_die_alone() {
        let mut lineage = Lineage::default();
        let up = lineage.add(None, Up);
        let left = lineage.add(Some(up), Left);
        let right = lineage.add(Some(up), Right);
        lineage.release(up);
        let down = lineage.add(Some(right), Down);
        assert_eq!(lineage.line(Some(left)), [Up, Left]);
        assert_eq!(lineage.line(Some(down)), [Up, Right, Down]);
        assert_eq!(stored(&lineage), 4);
        lineage.release(left);
        assert_eq!(stored(&lineage), 3);
        lineage.release(right);
        assert_eq!(lineage.line(Some(down)), [Up, Right, Down]);
        lineage.release(down);
        assert_eq!(stored(&lineage), 0);
        let again = lineage.add(None, Down);
        assert_eq!(lineage.line(Some(again)), [Down]);
        assert_eq!(lineage.line(None), []);
    }
}
