//! Where every tile goes in a move, to be shown as movement.

use estr2048::{Board, Direction};

/// A tile's way. Cells are counted in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where it was.
    pub from: usize,
    /// Where it goes.
    pub to: usize,
    /// The tile before the move.
    pub tile: i32,
    /// Whether it combines with another one there.
    pub combines: bool,
}

/// The ways of all tiles in this move, those that stay too.
#[must_use]
pub fn ways(board: &Board, direction: Direction) -> Vec<Way> {
    let (rows, cols) = (board.rows(), board.cols());
    let (lines, len) = match direction {
        Direction::Up | Direction::Down => (cols, rows),
        Direction::Left | Direction::Right => (rows, cols),
    };
    let cell = |line: usize, place: usize| match direction {
        Direction::Up => place * cols + line,
        Direction::Down => (rows - 1 - place) * cols + line,
        Direction::Left => line * cols + place,
        Direction::Right => line * cols + cols - 1 - place,
    };
    let mut ways: Vec<Way> = Vec::new();
    for line in 0..lines {
        let mut landing = 0;
        // The tile that came last, as long as it can still combine.
        let mut open: Option<usize> = None;
        for place in 0..len {
            let from = cell(line, place);
            let Some(&tile) = board.cells().get(from).filter(|&&tile| tile != 0) else { continue };
            let partner = open.and_then(|open| ways.get_mut(open));
            if let Some(partner) = partner.filter(|way| way.tile == tile && tile.checked_mul(2).is_some()) {
                partner.combines = true;
                let to = partner.to;
                ways.push(Way { from, to, tile, combines: true });
                open = None;
            } else {
                open = Some(ways.len());
                ways.push(Way { from, to: cell(line, landing), tile, combines: false });
                landing += 1;
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The tiles arrive where the engine puts them.
        #[test]
        fn ways_lead_to_the_board_after_the_move(
            rows in 1_usize..6,
            cols in 1_usize..6,
            seed in prop::collection::vec(prop_oneof![Just(0), Just(2), Just(4), Just(1 << 30), Just(-3)], 36),
            direction in 0_i32..4,
        ) {
            let direction = Direction::from_number(direction).unwrap();
            let mut board = Board::over(rows, cols, seed[..rows * cols].to_vec()).unwrap();
            let mut arrived = vec![0; rows * cols];
            let ways = ways(&board, direction);
            for way in &ways {
                prop_assert_eq!(board.cells()[way.from], way.tile);
                arrived[way.to] += way.tile;
            }
            prop_assert_eq!(ways.len(), rows * cols - board.count_empty());
            board.shift(direction);
            prop_assert_eq!(&arrived, board.cells());
        }
    }
}
