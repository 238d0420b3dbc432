//! The boards to which the best play comes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use estr2048::network::tablebase::Entry;
use estr2048::{Bitboard, Direction};

use super::files;
use super::goal::Goal;
use super::walled::{is_goal, settled, walled, with_two};
use crate::grid::{DIRECTIONS, Grid};
use crate::retrograde::Table;

/// How to play.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Boards to which less than this share of the games comes are left out.
    pub least: f64,
    /// So much of the chance may be given away with a move, if it comes to an afterstate to which others come as well.
    pub spare: f32,
}

/// What the best play comes to.
#[derive(Debug, Default)]
pub struct Found {
    /// The boards, each with its move and its chance.
    pub entries: Vec<Entry>,
    /// The boards that were given and are solved, up to symmetry and to which of the largest tiles is which.
    pub starts: usize,
    /// The share of the games from these that come to the goal.
    pub won: f64,
    /// That of the games that have no chance left.
    pub lost: f64,
    /// That of the games that come to boards that are left out.
    pub left_out: f64,
}

/// A move of a board.
#[derive(Clone, Copy)]
struct Choice {
    direction: Direction,
    /// Where it leads, `None` where it comes to the goal.
    after: Option<u64>,
    chance: f32,
}

/// The best play through a fill, or to the end, by the boards that a folder of `lab endgame` knows, from those of these that it
/// knows. `tell` is called with the moves that are left, and says whether to go on; `None` if not.
///
/// # Errors
/// If the folder cannot be read, or knows none of these boards.
pub fn find(
    grid: &Grid,
    folder: &Path,
    boards: &[Bitboard],
    rules: Rules,
    mut tell: impl FnMut(u32) -> bool,
) -> Result<Option<Found>> {
    let (goal, last) = files::load_any(folder, 1)?;
    let most = files::solved(folder)?;
    let asked = asked(grid, goal, boards, most);
    let mut found = Found::default();
    let mut shares: BTreeMap<u64, f64> = BTreeMap::new();
    let Some((&first, _)) = asked.last_key_value() else { return none_known(folder) };
    let load =
        |left| if left == 1 { Ok(last.clone()) } else { files::load_any(folder, left).map(|(_, boards)| boards) };
    let mut known = Table::new(&load(first)?);
    for left in (1..=first).rev() {
        if !tell(left) {
            return Ok(None);
        }
        let next = if left > 1 { Table::new(&load(left - 1)?) } else { Table::new(&[]) };
        let starts: BTreeSet<u64> =
            asked.get(&left).into_iter().flatten().copied().filter(|&board| known.get(board) > 0.0).collect();
        found.starts += starts.len();
        for &board in &starts {
            *shares.entry(board).or_default() += 1.0;
        }
        let mut boards: Vec<(u64, f64)> = std::mem::take(&mut shares).into_iter().collect();
        // The most frequent first: the others follow them.
        boards.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut afters: BTreeMap<u64, f64> = BTreeMap::new();
        for (board, share) in boards {
            if share < rules.least && !starts.contains(&board) {
                found.left_out += share;
                continue;
            }
            let choices = choices(grid, goal, board, &next);
            let Some(choice) = best(&choices, rules.spare, &afters) else {
                found.lost += share;
                continue;
            };
            let chance = choices.iter().map(|choice| choice.chance).fold(0.0, f32::max);
            let entry = Entry { board, direction: choice.direction, chance: (chance * 255.0).round() as u8 };
            found.entries.push(if goal == Goal::End { entry.to_the_end() } else { entry });
            match choice.after {
                Some(after) => *afters.entry(after).or_default() += share,
                None => found.won += share,
            }
        }
        for (after, share) in afters {
            let count = f64::from(grid.empty(after).count_ones());
            for board in with_two(grid, after) {
                *shares.entry(board).or_default() += share / count;
            }
        }
        known = next;
    }
    if found.starts == 0 {
        return none_known(folder);
    }
    let starts = found.starts as f64;
    let Found { won, lost, left_out, .. } = &mut found;
    [won, lost, left_out].into_iter().for_each(|share| *share /= starts);
    Ok(Some(found))
}

fn none_known(folder: &Path) -> Result<Option<Found>> {
    anyhow::bail!("{} knows none of these boards", folder.display())
}

/// These boards with their largest tiles as walls, by the moves that are left, of which there are `most` at most.
fn asked(grid: &Grid, goal: Goal, boards: &[Bitboard], most: u32) -> BTreeMap<u32, BTreeSet<u64>> {
    let mut asked: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for board in boards.iter().filter_map(|&board| walled(grid, board, goal)) {
        let left = moves_left(grid, goal, board);
        if (1..=most).contains(&left) {
            asked.entry(left).or_default().insert(board);
        }
    }
    asked
}

fn moves_left(grid: &Grid, goal: Goal, board: u64) -> u32 {
    goal.moves_left(super::walled::free(board), super::walled::points(grid, board))
}

/// All moves of a board, by the boards with one move less.
fn choices(grid: &Grid, goal: Goal, board: u64, next: &Table) -> Vec<Choice> {
    let moves = DIRECTIONS.into_iter().zip(Direction::ALL).map(|(way, direction)| (direction, grid.moved(board, way)));
    let choice = |(direction, after)| {
        let after = settled(after, goal);
        if is_goal(after, goal) {
            return Choice { direction, after: None, chance: 1.0 };
        }
        let total: f32 = with_two(grid, after).map(|board| next.get(board)).sum();
        let chance = total / grid.empty(after).count_ones() as f32;
        Choice { direction, after: Some(grid.canonical(after)), chance }
    };
    moves.filter(|&(_, after)| after != board).map(choice).collect()
}

/// Of the moves with nearly the best chance the one to the afterstate to which most games come already. `None` if none has a
/// chance.
fn best(choices: &[Choice], spare: f32, afters: &BTreeMap<u64, f64>) -> Option<Choice> {
    let best = choices.iter().map(|choice| choice.chance).fold(0.0, f32::max);
    let share = |choice: &Choice| choice.after.map_or(0.0, |after| afters.get(&after).copied().unwrap_or(0.0));
    let good = choices.iter().filter(|choice| choice.chance > 0.0 && choice.chance >= best - spare);
    good.max_by(|a, b| share(a).total_cmp(&share(b)).then(a.chance.total_cmp(&b.chance))).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use estr2048::network::Tablebase;

    use super::*;
    use crate::endgame::backwards::{self, Problem};
    use crate::endgame::walled::Layouts;
    use crate::grid::bits;
    use crate::retrograde::Chances;
    use crate::walls::cells::WALL;

    const LATE: u32 = 6;

    /// The second 32 on five free cells.
    const FILL: Goal = Goal::Fill { free: 5, late: LATE };

    /// A board of a game with tiles of its own in place of the walls, from 65536 or 32768 down.
    fn real(board: u64, goal: Goal) -> Bitboard {
        let mut tiles = (1..=goal.largest()).rev();
        let mut tile = |code| if code == WALL as usize { tiles.next().unwrap() } else { code };
        let rows = Bitboard::from_cells(board).to_board().map(|row| {
            row.map(|value| match value {
                0 => 0,
                value => 1 << tile(value.trailing_zeros() as usize),
            })
        });
        Bitboard::from_board(&rows).unwrap()
    }

    /// All boards with so many moves left at the most, in a folder; those with most moves.
    fn solved(grid: &Grid, folder: &Path, goal: Goal, most: u32) -> Chances {
        let walls = (0..1 << 16_u64).filter(|set: &u64| set.count_ones() == 11);
        let cells: Vec<u64> = bits(grid.empty(0)).collect();
        let board = |set: u64| (0..16).filter(|at| set >> at & 1 == 1).map(|at| WALL * cells[at]).sum();
        let layouts = Layouts::new(grid, &walls.map(board).collect::<Vec<_>>(), 0);
        let rules = backwards::Rules { floor: 0.0, most: usize::MAX, most_at_fills: usize::MAX, late: LATE };
        let problem = Problem { grid, goal, layouts: &layouts, rules };
        let mut boards = problem.last();
        files::save(folder, 1, &problem, &boards).unwrap();
        for left in 2..=most {
            boards = problem.before(&boards, left);
            files::save(folder, left, &problem, &boards).unwrap();
        }
        boards
    }

    /// The chance to come to the end by the moves of a tablebase.
    fn played(tablebase: &Tablebase, board: Bitboard, known: &mut HashMap<Bitboard, f64>) -> f64 {
        if board.sum() == 131_068 {
            return 1.0;
        }
        if let Some(&chance) = known.get(&board) {
            return chance;
        }
        let chance = tablebase.find(board).map_or(0.0, |found| {
            let after = board.moved(found.direction);
            assert_ne!(after, board);
            let boards: Vec<Bitboard> = after.empty_cells().map(|cell| after.with_two(cell)).collect();
            let total: f64 = boards.iter().map(|&board| played(tablebase, board, known)).sum();
            total / boards.len() as f64
        });
        known.insert(board, chance);
        chance
    }

    #[test]
    fn the_best_play_comes_through_as_often_as_the_chances_say() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let boards = solved(&grid, folder.path(), FILL, 14);
        let some: Chances = boards.iter().copied().step_by(boards.len().div_ceil(60)).collect();
        let mean = some.iter().map(|&(_, chance)| f64::from(chance)).sum::<f64>() / some.len() as f64;
        let starts: Vec<Bitboard> = some.iter().map(|&(board, _)| real(board, FILL)).collect();
        let play = |least, spare| {
            let rules = Rules { least, spare };
            find(&grid, folder.path(), &starts, rules, |_| true).unwrap().unwrap()
        };
        let exact = play(0.0, 0.0);
        assert_eq!(exact.starts, some.len());
        assert!((exact.won - mean).abs() < 1e-4, "{}, not {mean}", exact.won);
        assert!((exact.won + exact.lost - 1.0).abs() < 1e-9 && exact.left_out == 0.0);
        for &(board, chance) in &some {
            let entry = exact.entries.iter().find(|entry| entry.board == board).unwrap();
            assert!((f32::from(entry.chance) / 255.0 - chance).abs() < 0.003, "{board:016x}");
            assert!(Bitboard::from_cells(board).can_move(entry.direction));
        }
        let (fewer, rough) = (play(0.0, 0.05), play(0.05, 0.0));
        assert!(fewer.won < mean + 1e-9 && fewer.won > mean - 0.05 * 14.0, "{}", fewer.won);
        assert!(rough.entries.len() < exact.entries.len() && rough.left_out > 0.0);
        assert!((rough.won + rough.lost + rough.left_out - 1.0).abs() < 1e-9);
        assert!(find(&grid, folder.path(), &starts, Rules { least: 0.0, spare: 0.0 }, |_| false).unwrap().is_none());
    }

    #[test]
    fn the_moves_to_the_end_come_there_as_often_as_the_chances_say() {
        let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let boards = solved(&grid, folder.path(), Goal::End, 20);
        let some: Chances = boards.iter().copied().step_by(boards.len().div_ceil(60)).collect();
        let mean = some.iter().map(|&(_, chance)| f64::from(chance)).sum::<f64>() / some.len() as f64;
        let starts: Vec<Bitboard> = some.iter().map(|&(board, _)| real(board, Goal::End)).collect();
        let found = find(&grid, folder.path(), &starts, Rules { least: 0.0, spare: 0.0 }, |_| true).unwrap().unwrap();
        assert_eq!(found.starts, some.len());
        assert!((found.won - mean).abs() < 1e-4, "{}, not {mean}", found.won);
        let tablebase = Tablebase::new(&found.entries).unwrap();
        let mut known = HashMap::new();
        let by_moves =
            starts.iter().map(|&board| played(&tablebase, board, &mut known)).sum::<f64>() / some.len() as f64;
        assert!((by_moves - mean).abs() < 1e-4, "{by_moves}, not {mean}");
    }
}
