//! Games by the tables, all of them at the same sum at the same time, so that few layers have to be at hand.

use estr2048::Bitboard;
use estr2048_training::lessons::Lesson;
use estr2048_training::worker::with_new_two;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

use super::family::{Family, Goal};
use super::guide::{Guide, Move};
use crate::grid::holding;

/// A game from a board among walls.
#[derive(Debug)]
pub struct Game {
    board: Bitboard,
    random: SmallRng,
    /// How it ended: whether the tile was made a second time.
    pub made: Option<bool>,
    /// What the tables said of the best move of the first board.
    pub promised: f64,
    /// The boards that were moved, the first one first.
    pub boards: Vec<Bitboard>,
    /// The afterstates of all their moves, with their chances, if they are asked for.
    pub lessons: Vec<Lesson>,
    rules: Rules,
}

/// What goes for all games.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Share of the moves that are drawn among those with a chance, not chosen.
    pub stray: f64,
    /// A game is left after so many moves.
    pub most_moves: u64,
    /// Whether the afterstates are kept.
    pub lessons: bool,
}

impl Game {
    /// A game from this board; the seed draws the new tiles.
    pub fn new(board: Bitboard, seed: u64, rules: Rules) -> Self {
        let random = SmallRng::seed_from_u64(seed);
        Self { board, random, made: None, promised: 0.0, boards: Vec::new(), lessons: Vec::new(), rules }
    }

    /// Whether the game has not ended and is not left.
    pub fn is_open(&self) -> bool {
        self.made.is_none() && (self.boards.len() as u64) < self.rules.most_moves
    }

    /// What all tiles but the walls sum to.
    pub fn sum(&self, family: Family) -> u32 {
        self.board.sum() as u32 - family.walls_sum()
    }

    /// Plays a move by a table whose layer of the sum after the next tile is at hand, and what is behind it. A game that
    /// they give no chance is lost.
    pub fn play(&mut self, guide: &Guide) {
        let family = guide.table.family;
        let walled = family.walled(self.board);
        let moves = walled.map_or_else(Vec::new, |walled| guide.moves(walled, self.sum(family)));
        let best = best_of(&moves);
        if self.boards.is_empty() {
            self.promised = best.map_or(0.0, |best| best.chance);
        }
        if self.rules.lessons {
            let lesson = |of: &Move| Lesson { after: self.board.moved(of.direction), chance: of.chance as f32 };
            self.lessons.extend(moves.iter().map(lesson));
        }
        let Some(best) = best else {
            self.made = Some(false);
            return;
        };
        let strays = self.rules.stray > 0.0 && self.random.random_bool(self.rules.stray);
        let drawn = strays.then(|| moves.iter().filter(|of| of.chance > 0.0).choose(&mut self.random)).flatten();
        self.boards.push(self.board);
        let after = self.board.moved(drawn.unwrap_or(&best).direction);
        if is_made(family, after) {
            self.made = Some(true);
        }
        self.board = with_new_two(after, &mut self.random);
    }

    /// Goes on by tables behind of this family, if the tile is made: once, as twice is what they wait for.
    pub fn go_on(&mut self, behind: Family) {
        if self.made == Some(true) && behind.walled(self.board).is_some() {
            self.made = None;
        }
    }
}

/// The move with the greatest chance, of equal ones one that makes the tile. None without a chance.
fn best_of(moves: &[Move]) -> Option<Move> {
    let possible = moves.iter().filter(|of| of.chance > 0.0);
    possible.copied().reduce(|best, of| {
        let better = of.chance > best.chance || of.made != 0 && of.chance >= best.chance;
        if better { of } else { best }
    })
}

/// Whether the tile lies there that is to be made, beside the smallest wall if that is its like.
fn is_made(family: Family, after: Bitboard) -> bool {
    holding(after.cells(), family.target().into()).count_ones() > u32::from(family.goal == Goal::Second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DIRECTIONS, Grid};
    use crate::walls::table::Table;

    const TO_THE_END: Rules = Rules { stray: 0.0, most_moves: u64::MAX, lessons: false };

    /// Twelve walls, and these tiles below them.
    fn below_twelve_walls(last: [i32; 4]) -> Bitboard {
        let walls = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 16]];
        Bitboard::from_board(&[walls[0], walls[1], walls[2], last]).unwrap()
    }

    #[test]
    fn a_game_ends_with_the_tile_or_without_a_chance() {
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let guide = Guide { grid: Grid::new(4, 4, &DIRECTIONS).unwrap(), table: Table::new(family), behind: None };
        for (last, made) in [([8, 8, 0, 0], true), ([0, 8, 4, 2], false)] {
            let mut game = Game::new(below_twelve_walls(last), 1, TO_THE_END);
            assert_eq!(game.sum(family), last.iter().sum::<i32>() as u32);
            game.play(&guide);
            assert_eq!((game.made, game.promised > 0.5), (Some(made), made));
            assert_eq!(game.boards.len(), usize::from(made));
        }
    }

    #[test]
    fn a_game_is_left_after_its_moves() {
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let mut table = Table::new(family);
        table.keep(6, vec![51; table.size(6)]);
        let guide = Guide { grid: Grid::new(4, 4, &DIRECTIONS).unwrap(), table, behind: None };
        let mut game = Game::new(below_twelve_walls([0, 0, 2, 2]), 1, Rules { most_moves: 1, ..TO_THE_END });
        assert!(game.is_open());
        game.play(&guide);
        assert_eq!((game.is_open(), game.made, game.boards.len()), (false, None, 1));
        assert!(game.lessons.is_empty() && (game.promised - 0.2).abs() < 1e-6, "{}", game.promised);
    }

    #[test]
    fn a_game_goes_on_where_a_tile_became_a_wall() {
        let family = Family { walls: 11, slack: 4, goal: Goal::Wall(4) };
        let mut behind = Table::new(Family { walls: 12, slack: 4, goal: Goal::Second });
        behind.keep(0, vec![51; behind.size(0)]);
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let guide = Guide { grid, table: Table::new(family), behind: Some(&behind) };
        let walls = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 0]];
        let game = |last| {
            let board = Bitboard::from_board(&[walls[0], walls[1], walls[2], last]).unwrap();
            let mut game = Game::new(board, 1, TO_THE_END);
            game.play(&guide);
            assert_eq!(game.made, Some(true));
            game.go_on(behind.family);
            game
        };
        let once = game([8, 8, 0, 0]);
        assert!((once.promised - 0.2).abs() < 1e-6, "{}", once.promised);
        assert_eq!((once.made, once.sum(behind.family)), (None, 2));
        let twice = game([8, 8, 8, 8]);
        assert!((twice.promised - 1.0).abs() < 1e-6, "{}", twice.promised);
        assert_eq!(twice.made, Some(true), "nothing is left to make");
    }
}
