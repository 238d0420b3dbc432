//! Where the games of the computer player end on 4×4, fill by fill: by the layout that it came with, or by its moves.
//!
//! Two points before a fill the tiles take fifteen or sixteen cells. Some points before it the best chance to come through
//! can be solved exactly on many boards: what is missing to 1 is the layout's fault. What the games lose beyond that, they
//! lose by choice.

use std::sync::Arc;

use estr2048::network::Network;
use estr2048::player::computer::Effort;
use estr2048::search::Limit;
use estr2048::search::fill::{Limits, SLACK, Solver};
use estr2048::{Bitboard, Computer, Direction};
use estr2048_training::worker::with_new_two;
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// A fill that the games met.
#[derive(Clone, Debug, Default)]
pub struct Fill {
    /// The sum at which the chain combines.
    pub sum: i64,
    /// Games that came in reach of it.
    pub met: u32,
    /// Where games were lost on the way there, behind the fill before: their sums.
    pub lost_before: Vec<i64>,
    /// Where games that met it were lost at it.
    pub lost_at: Vec<i64>,
    /// Games whose chance was solved when they met it.
    pub solved: u32,
    /// The sum of these chances.
    pub chances: f64,
    /// Games of these that came through.
    pub passed: u32,
}

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Below this sum the network plays without search.
    pub from: i64,
    /// From there on, what a move may cost.
    pub effort: Effort,
    /// A fill is solved so many points before it.
    pub reach: i64,
    /// What the solution of a fill may cost, in boards.
    pub boards: u64,
    /// The games end behind this sum.
    pub to: i64,
}

/// The fills from one sum to another that leave one cell at most, by ascending sum. Where more than nine tiles are left of
/// the chain, hardly a board has the empty cells by which the solution knows that a fill is passed.
#[must_use]
pub fn fills(from: i64, to: i64) -> Vec<Fill> {
    let fills = |sum: &i64| sum % 64 == 0 && (sum - 2).count_ones() + 1 >= 15 && sum.count_ones() <= 9;
    let sums = (from..=to).filter(fills);
    sums.map(|sum| Fill { sum, ..Fill::default() }).collect()
}

/// A player of such games, and what came of them.
#[derive(Debug)]
pub struct Games {
    settings: Settings,
    quick: Computer,
    player: Computer,
    solver: Solver,
    /// Games that reached the first sum.
    pub begun: u32,
    /// What happened at the fills.
    pub fills: Vec<Fill>,
}

impl Games {
    /// No games yet.
    #[must_use]
    pub fn new(network: &Arc<Network>, settings: Settings) -> Self {
        let player = |effort| Computer::new(Some(network.clone()), effort);
        Self {
            settings,
            quick: player(Effort::from(Limit::Budget(1))),
            player: player(settings.effort),
            solver: Solver::default(),
            begun: 0,
            fills: fills(settings.from, settings.to),
        }
    }

    /// Plays the game with this seed.
    pub fn play(&mut self, seed: u64) {
        let Settings { from, reach, boards, to, .. } = self.settings;
        let mut random = SmallRng::seed_from_u64(seed);
        let mut board = with_new_two(Bitboard::default(), &mut random);
        while board.sum() < from {
            let Some(choice) = self.quick.decide(board) else { return };
            board = with_new_two(board.moved(choice.direction), &mut random);
        }
        self.begun += 1;
        let mut chances = vec![None; self.fills.len()];
        let (mut next, mut in_reach) = (0, 0);
        while board.sum() <= to + SLACK {
            let sum = board.sum();
            while self.fills.get(next).is_some_and(|fill| sum > fill.sum + SLACK) {
                self.passed(next, chances[next]);
                next += 1;
            }
            let near = |fill: &&mut Fill| in_reach <= next && sum < fill.sum && fill.sum - sum <= reach;
            if let Some(fill) = self.fills.get_mut(next).filter(near) {
                in_reach = next + 1;
                fill.met += 1;
                let limits = Limits { boards, deadline: None };
                self.solver.forget();
                let best = self.solver.best_move(board, fill.sum, Direction::ALL, limits);
                chances[next] = best.map(|(_, chance)| chance);
            }
            let Some(choice) = self.player.decide(board) else { return self.lost(next, sum, chances[next]) };
            board = with_new_two(board.moved(choice.direction), &mut random);
        }
        (next..self.fills.len()).for_each(|place| self.passed(place, chances[place]));
    }

    fn passed(&mut self, place: usize, chance: Option<f32>) {
        let fill = &mut self.fills[place];
        fill.passed += u32::from(chance.is_some());
        fill.count(chance);
    }

    fn lost(&mut self, place: usize, sum: i64, chance: Option<f32>) {
        let Some(fill) = self.fills.get_mut(place) else { return };
        if sum < fill.sum - self.settings.reach {
            fill.lost_before.push(sum);
        } else {
            fill.lost_at.push(sum);
            fill.count(chance);
        }
    }
}

impl Fill {
    fn count(&mut self, chance: Option<f32>) {
        if let Some(chance) = chance {
            self.solved += 1;
            self.chances += f64::from(chance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fills_before_65536_leave_one_cell_and_the_last_none() {
        let sums: Vec<i64> = fills(57408, 65536).iter().map(|fill| fill.sum).collect();
        assert_eq!(sums, [61440, 63488, 64512, 65024, 65280, 65408, 65536]);
    }
}
