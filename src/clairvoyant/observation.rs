//! What a board tells about the generator: where the new cell fell, and which cells it could not fall on.

use crate::board::{Board, GameBoard};
use crate::clairvoyant::stream::Stream;
use crate::direction::Direction;

/// One reading of a board: the cells that were taken when the new cell was drawn, and the new cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewCell {
    /// Bit `row * 4 + col` set for every cell that was taken before the draw.
    pub taken: u16,
    /// The new cell, `row * 4 + col`, not among the taken ones.
    pub cell: u8,
}

impl NewCell {
    /// Reads the new cell off two boards, before and after it: `None` unless they differ in one cell only, which was
    /// empty and now holds a 2.
    #[must_use]
    pub fn between(before: &GameBoard, after: &GameBoard) -> Option<Self> {
        let (before, after) = (before.as_flattened(), after.as_flattened());
        let mut changed = (0..before.len()).filter(|&cell| before[cell] != after[cell]);
        let cell = changed.next()?;
        let one_new_two = changed.next().is_none() && before[cell] == 0 && after[cell] == 2;
        one_new_two.then(|| Self { taken: taken_cells(before), cell: cell as u8 })
    }

    /// How many cells the draw could have hit.
    #[must_use]
    pub fn choices(self) -> u32 {
        self.taken.count_zeros()
    }
}

fn taken_cells(cells: &[i32]) -> u16 {
    cells.iter().enumerate().fold(0, |taken, (cell, &tile)| taken | u16::from(tile != 0) << cell)
}

/// Everything that one board can mean. Who does not know the move may find several moves that explain the board; then
/// there are several readings, of which one is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    readings: Vec<NewCell>,
}

impl From<NewCell> for Observation {
    fn from(reading: NewCell) -> Self {
        Self { readings: vec![reading] }
    }
}

impl Observation {
    /// The first board of a game: one 2, all else empty.
    #[must_use]
    pub fn of_first(board: &GameBoard) -> Option<Self> {
        NewCell::between(&GameBoard::default(), board).map(Self::from)
    }

    /// The board after a move and a new cell, when the move is not known.
    #[must_use]
    pub fn after_some_move(previous: &GameBoard, board: &GameBoard) -> Option<Self> {
        let moves = Direction::ALL.into_iter().filter_map(|direction| moved(previous, direction));
        let mut readings: Vec<NewCell> = moves.filter_map(|moved| NewCell::between(&moved, board)).collect();
        readings.dedup();
        (!readings.is_empty()).then_some(Self { readings })
    }

    /// What the board can mean; at least one reading.
    #[must_use]
    pub fn readings(&self) -> &[NewCell] {
        &self.readings
    }

    /// The positions in the stream after this board, if the one before it left these; none if the stream contradicts it.
    #[must_use]
    pub fn positions_after(&self, stream: &mut Stream, positions: &[usize]) -> Vec<usize> {
        let mut next = Vec::new();
        for &position in positions {
            for reading in &self.readings {
                if let Some((cell, after)) = stream.next_cell(position, reading.taken)
                    && cell == reading.cell
                {
                    next.push(after);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// How much this board tells, in bits: log2 of the cells that could have been drawn, less what is unclear.
    #[must_use]
    pub fn bits(&self) -> f64 {
        let chance: f64 = self.readings.iter().map(|reading| 1.0 / f64::from(reading.choices())).sum();
        (-chance.log2()).max(0.0)
    }
}

/// The board after a move without a new cell, or `None` if nothing moves.
pub(super) fn moved(board: &GameBoard, direction: Direction) -> Option<GameBoard> {
    let mut moved = *board;
    Board::from(&mut moved).shift(direction).changed.then_some(moved)
}

/// The positions in the stream after all these observations, or none if the stream contradicts them. Several positions
/// are possible only after observations with several readings.
#[must_use]
pub fn positions_after(stream: &mut Stream, observations: &[Observation]) -> Vec<usize> {
    let mut positions = vec![0];
    for observation in observations {
        positions = observation.positions_after(stream, &positions);
        if positions.is_empty() {
            break;
        }
    }
    positions
}
