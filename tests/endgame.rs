//! The exact rooms of the player, against exhaustive play: survival whatever is drawn, and the chance to come through a fill.

use std::collections::HashMap;

use estr2048::search::fill::{Limits, SLACK, Solver, ahead, at};
use estr2048::search::survival::{MAX_MOVES, Survival};
use estr2048::tinymt32::{Parameters, TinyMt32};
use estr2048::{Bitboard, Direction};
use proptest::prelude::*;

const NO_LIMIT: Limits = Limits { boards: u64::MAX, deadline: None };

fn packed(board: [[i32; 4]; 4]) -> Bitboard {
    Bitboard::from_board(&board).unwrap()
}

/// Some move leaves a board that every new tile can be survived on: nothing else.
fn naive_survives(board: Bitboard, moves: u32) -> bool {
    moves == 0
        || board
            .moves()
            .any(|(_, after)| after.empty_cells().all(|cell| naive_survives(after.with_two(cell), moves - 1)))
}

/// The probability under best play from a board to be moved: all boards, all moves, all cells.
fn naive_chance(board: Bitboard, target: i64, known: &mut HashMap<Bitboard, f64>) -> f64 {
    if board.sum() > target + SLACK {
        return 0.0;
    }
    if let Some(&chance) = known.get(&board) {
        return chance;
    }
    let mut best = 0.0_f64;
    for (_, after) in board.moves() {
        best = best.max(naive_chance_after(after, target, known));
    }
    known.insert(board, best);
    best
}

fn naive_chance_after(after: Bitboard, target: i64, known: &mut HashMap<Bitboard, f64>) -> f64 {
    if after.sum() >= target && after.count_empty() >= 3 {
        return 1.0;
    }
    let empty: Vec<usize> = after.empty_cells().collect();
    let total: f64 = empty.iter().map(|&cell| naive_chance(after.with_two(cell), target, known)).sum();
    total / empty.len() as f64
}

/// The large tiles of a late position in a chain, the rest played until few points are missing: well for the most part,
/// at random every sixth time.
fn late_positions(chain: [[i32; 4]; 4], target: i64, missing: i64, count: usize) -> Vec<Bitboard> {
    let mut random = TinyMt32::new(7, Parameters::OFFICIAL);
    let mut guide = Solver::new(16);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = packed(chain);
        while target - board.sum() > missing && !board.is_over() {
            let afters: Vec<Bitboard> = board.moves().map(|(_, after)| after).collect();
            let after = if random.generate_u32().is_multiple_of(6) {
                afters[random.generate_u32() as usize % afters.len()]
            } else {
                board.moved(guide.best_move(board, target, Direction::ALL, NO_LIMIT).unwrap().0)
            };
            let empty: Vec<usize> = after.empty_cells().collect();
            board = after.with_two(empty[random.generate_u32() as usize % empty.len()]);
        }
        if target - board.sum() == missing && !board.is_over() {
            positions.push(board);
        }
    }
    positions
}

/// 30 points before 65536 or 98304: every cell is needed.
const BEFORE_65536: [[i32; 4]; 4] =
    [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 0], [2, 0, 0, 0]];
const BEFORE_98304: [[i32; 4]; 4] =
    [[65536, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 0], [2, 0, 0, 0]];

#[test]
fn chances_are_those_of_exhaustive_play() {
    for (chain, target) in [(BEFORE_65536, 65536), (BEFORE_98304, 98304)] {
        let mut solver = Solver::new(16);
        let mut known = HashMap::new();
        let (mut certain, mut open) = (0, 0);
        for (i, board) in late_positions(chain, target, 16, 60).into_iter().enumerate() {
            let expected = naive_chance(board, target, &mut known);
            let mut preferred = Direction::ALL;
            preferred.rotate_left(i % 4);
            if i % 2 == 0 {
                solver.forget();
            }
            let (direction, chance) = solver.best_move(board, target, preferred, NO_LIMIT).unwrap();
            assert!((f64::from(chance) - expected).abs() < 1e-4, "{board:?}: {chance}, {expected}");
            let after = board.moved(direction);
            assert_ne!(after, board);
            assert!((naive_chance_after(after, target, &mut known) - expected).abs() < 1e-4, "{board:?} {direction:?}");
            certain += i32::from(expected == 1.0);
            open += i32::from(expected > 0.0 && expected < 1.0);
        }
        assert!(open > 5, "{open} open and {certain} certain positions before {target}");
    }
}

#[test]
fn a_preferred_move_stands_unless_another_one_is_better() {
    let mut solver = Solver::new(16);
    let (mut stands, mut falls) = (0, 0);
    for board in late_positions(BEFORE_65536, 65536, 16, 20) {
        let mut known = HashMap::new();
        let best = naive_chance(board, 65536, &mut known);
        for first in Direction::ALL.into_iter().filter(|&first| board.can_move(first)) {
            let mut preferred = Direction::ALL;
            preferred.sort_by_key(|&direction| direction != first);
            let (direction, _) = solver.best_move(board, 65536, preferred, NO_LIMIT).unwrap();
            let own = naive_chance_after(board.moved(first), 65536, &mut known);
            assert_eq!(direction == first, own > best - 1e-5, "{board:?} {first:?}: {own}, {best}");
            stands += i32::from(direction == first && best > 0.0);
            falls += i32::from(direction != first);
        }
    }
    assert!(stands > 5 && falls > 5, "{stands} {falls}");
}

#[test]
fn an_effort_that_is_not_enough_gives_no_answer() {
    let board = packed(BEFORE_65536);
    let mut solver = Solver::new(16);
    let effort = Limits { boards: 10, deadline: None };
    assert_eq!(solver.best_move(board, 65536, Direction::ALL, effort), None);
    let effort = Limits { boards: u64::MAX, deadline: Some(std::time::Instant::now()) };
    assert_eq!(solver.best_move(board, 65536, Direction::ALL, effort), None);
    // What was left unfinished is not taken for an answer.
    let after_failures = solver.best_move(board, 65536, Direction::ALL, NO_LIMIT);
    assert_eq!(after_failures, Solver::new(16).best_move(board, 65536, Direction::ALL, NO_LIMIT));
    assert!(after_failures.is_some_and(|(_, chance)| chance > 0.0));
}

#[test]
fn fills_are_the_sums_that_take_all_cells() {
    for (sum, fill) in [
        (65534, Some(65536)),
        (65474, Some(65536)),
        (65472, None),
        (65536, None),
        (98302, Some(98304)),
        (114_686, Some(114_688)),
        (81918, None),
        (61438, None),
        (32766, None),
        (131_070, None),
        (2, None),
        (0, None),
    ] {
        assert_eq!(ahead(sum), fill, "{sum}");
    }
}

#[test]
fn a_fill_is_at_hand_until_nothing_can_come_through_any_more() {
    for (sum, fill) in [
        (65472, None),
        (65474, Some(65536)),
        (65536, Some(65536)),
        (65574, Some(65536)),
        (65576, None),
        (98304, Some(98304)),
        (81920, None),
        // 130944 and 131008 are fills both: what is ahead counts.
        (130_944, Some(130_944)),
        (130_946, Some(131_008)),
        (131_046, Some(131_008)),
        (131_048, None),
        (131_070, None),
        (0, None),
        (-40, None),
        (i64::MIN, None),
        (i64::MAX, None),
    ] {
        assert_eq!(at(sum), fill, "{sum}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nearly full boards of small tiles, where much combines.
    #[test]
    fn survival_is_what_exhaustive_play_says(
        codes in prop::array::uniform16(1..6_u64),
        holes in prop::collection::vec(0..16_usize, 0..4),
    ) {
        let cells = (0..16).filter(|cell| !holes.contains(cell)).fold(0, |cells, cell| cells | codes[cell] << (4 * cell));
        check_survival(Bitboard::from_cells(cells), 3);
    }
}

fn check_survival(board: Bitboard, most: u32) {
    let mut survival = Survival::new(10);
    let expected: Vec<bool> = (0..=most).map(|moves| naive_survives(board, moves)).collect();
    for moves in (0..=most).rev() {
        assert_eq!(survival.survives(board, moves, u64::MAX), Some(expected[moves as usize]), "{board:?} {moves}");
    }
    for boards in [0, 1, 2, 5, 20, 100, 1000] {
        let mut survival = Survival::new(10);
        let (proved, refuted) = survival.moves(board, boards);
        if proved <= most {
            assert!(expected[proved as usize], "{board:?} does not survive {proved} moves");
        }
        if refuted && proved < most {
            assert!(!expected[proved as usize + 1], "{board:?} survives {} moves", proved + 1);
        }
        for moves in 0..=most {
            let claim = survival.survives(board, moves, boards);
            assert!(claim.is_none_or(|claim| claim == expected[moves as usize]), "{board:?} {moves}: {claim:?}");
        }
    }
}

#[test]
fn survival_of_late_positions_is_what_exhaustive_play_says() {
    let mut deaths = 0;
    for (chain, target) in [(BEFORE_65536, 65536), (BEFORE_98304, 98304)] {
        for missing in [4, 8, 12] {
            for board in late_positions(chain, target, missing, 10) {
                check_survival(board, 6);
                deaths += u32::from(!naive_survives(board, 6));
            }
        }
    }
    assert!(deaths > 0, "none of the positions is in danger");
}

/// From games of the computer player.
#[test]
fn survival_of_boards_from_games_is_what_exhaustive_play_says() {
    for board in [
        [[4096, 8192, 16384, 65536], [16, 64, 32, 16], [2, 4, 8, 4], [2, 2, 8, 2]],
        [[32768, 16, 0, 2], [16384, 128, 4, 4], [8192, 256, 32, 4], [1024, 512, 64, 2]],
        [[2, 4, 4, 2], [32, 16, 8, 4], [64, 128, 16, 8], [256, 8192, 16384, 32768]],
        [[2, 4, 4, 32768], [4, 16, 32, 16384], [0, 0, 512, 8192], [0, 2, 1024, 2048]],
        [[2, 2, 0, 0], [32, 16, 8, 4], [256, 512, 1024, 2048], [32768, 16384, 8192, 4096]],
    ] {
        check_survival(packed(board), 4);
    }
}

#[test]
fn survivals_that_are_too_long_to_prove_are_not_claimed() {
    let open = Bitboard::default().with_two(5);
    let mut survival = Survival::default();
    assert_eq!(survival.survives(open, MAX_MOVES + 1, u64::MAX), None);
    assert_eq!(survival.survives(open, 500, 1000), None);
    let dead = packed([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]);
    assert_eq!(survival.moves(dead, 1000), (0, true));
}
