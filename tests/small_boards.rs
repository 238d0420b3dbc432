//! Optimal play on boards that are small enough to be solved: an independent check of the moves against values and
//! state counts that were computed elsewhere.
//!
//! The game starts with one 2 in any cell, every round adds one 2 in any empty cell, all cells equally likely; the value
//! is the expected sum of all tiles at the end when every move is the best.

use std::collections::HashMap;

use estr2048::{Board, Direction};

struct Solver {
    rows: usize,
    cols: usize,
    /// Positions with the player to move, by canonical form: the expected final sum.
    solved: HashMap<u64, f64>,
    dead: usize,
}

impl Solver {
    fn new(rows: usize, cols: usize) -> Self {
        Self { rows, cols, solved: HashMap::new(), dead: 0 }
    }

    /// The expected final sum from an afterstate: a board that gets its new 2 now.
    fn expectation(&mut self, after: &Board) -> f64 {
        let empty: Vec<usize> = after.empty_cells().collect();
        let mut total = 0.0;
        for &cell in &empty {
            let mut board = after.clone();
            board.cells_mut()[cell] = 2;
            total += self.value(&board);
        }
        total / empty.len() as f64
    }

    fn value(&mut self, board: &Board) -> f64 {
        let key = self.canonical(board.cells());
        if let Some(&value) = self.solved.get(&key) {
            return value;
        }
        let mut best = f64::NEG_INFINITY;
        for direction in Direction::ALL {
            let mut after = board.clone();
            if after.shift(direction).changed {
                best = best.max(self.expectation(&after));
            }
        }
        if best == f64::NEG_INFINITY {
            self.dead += 1;
            best = board.sum() as f64;
        }
        self.solved.insert(key, best);
        best
    }

    /// The least packed form over all symmetries of the board: four, or eight if it is square.
    fn canonical(&self, cells: &[i32]) -> u64 {
        let (rows, cols) = (self.rows, self.cols);
        let packed = |at: &dyn Fn(usize, usize) -> usize| {
            let codes = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
            codes.fold(0_u64, |packed, (row, col)| packed << 4 | u64::from(cells[at(row, col)].max(1).ilog2()))
        };
        let mut least = u64::MAX;
        for turn in 0..4 {
            let place = |row: usize, col: usize| {
                let row = if turn & 1 == 0 { row } else { rows - 1 - row };
                let col = if turn & 2 == 0 { col } else { cols - 1 - col };
                (row, col)
            };
            least = least.min(packed(&|row, col| {
                let (row, col) = place(row, col);
                row * cols + col
            }));
            if rows == cols {
                least = least.min(packed(&|row, col| {
                    let (row, col) = place(row, col);
                    col * cols + row
                }));
            }
        }
        least
    }
}

fn solve(rows: usize, cols: usize) -> (f64, Solver) {
    let mut solver = Solver::new(rows, cols);
    let value = solver.expectation(&Board::empty(rows, cols).unwrap());
    (value, solver)
}

#[test]
fn expected_sums_of_single_lines() {
    let known = [(4, 21.5), (5, 43.0), (6, 78.796_296_296_3), (7, 141.879_758_230_5), (8, 267.514_766_075_5)];
    for (cols, expected) in known {
        let (value, _) = solve(1, cols);
        assert!((value - expected).abs() < 1e-9, "1x{cols}: {value}");
    }
}

/// On these boards optimal play reaches the highest sum there is, every time.
#[test]
fn small_boards_are_won_for_certain() {
    for (rows, cols, ceiling, states, dead) in [(2, 2, 30.0, 33, 9), (2, 3, 126.0, 4_409, 723)] {
        let (value, solver) = solve(rows, cols);
        assert!((value - ceiling).abs() < 1e-9, "{rows}x{cols}: {value}");
        assert_eq!((solver.solved.len(), solver.dead), (states, dead), "{rows}x{cols}");
    }
}

#[test]
fn two_by_four_is_won_for_certain() {
    let (value, solver) = solve(2, 4);
    assert!((value - 510.0).abs() < 1e-9, "{value}");
    assert_eq!((solver.solved.len(), solver.dead), (764_859, 104_004));
}
