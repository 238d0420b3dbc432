//! The assignment's program as a reference, and with each of the mistakes that students are known to make.

use estr2048::courses::estr1002::MAX_DRAWS;
use estr2048::{Parameters, TinyMt32};

use super::reader::Cells;

/// A known mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    DoubleMerge,
    WrongEdge,
    CellAfterNoChange,
    OfficialParameters,
    ColumnFirst,
    LowerCase,
    NewCellValue,
    TwoCells,
}

impl Mistake {
    pub const ALL: [Self; 8] = [
        Self::DoubleMerge,
        Self::WrongEdge,
        Self::CellAfterNoChange,
        Self::OfficialParameters,
        Self::ColumnFirst,
        Self::LowerCase,
        Self::NewCellValue,
        Self::TwoCells,
    ];

    /// The cause, in words for the student.
    pub fn words(self) -> &'static str {
        match self {
            Self::DoubleMerge => {
                "double merge: a tile that was just made by combining combines again in the same move (2 2 4 becomes 8 instead of \
                 4 4)"
            }
            Self::WrongEdge => {
                "merge at the wrong edge: of three equal tiles the two nearest the edge that they move to must combine (left: 2 2 2 \
                 becomes 4 2, not 2 4)"
            }
            Self::CellAfterNoChange => {
                "new cell after a no-change move: a move that changes nothing must not add a cell"
            }
            Self::OfficialParameters => {
                "official instead of zero TinyMT parameters: mat1, mat2 and tmat of the state must stay 0, as in a global \
                 `tinymt32_t state;`"
            }
            Self::ColumnFirst => "j drawn before i: the row must be drawn first, then the column",
            Self::LowerCase => "lower-case letters are taken as moves: only U, D, L, R are",
            Self::NewCellValue => "the new cell is not always a 2",
            Self::TwoCells => {
                "starts with two cells: the game of the assignment starts with one cell (the game on the web starts with two)"
            }
        }
    }
}

/// What a run of the program shows.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Every distinct board in order, the starting board first.
    pub boards: Vec<Cells>,
    /// For each board but the first, the board after the move and before the new cell.
    pub moved: Vec<Cells>,
    /// How many characters of the input were read when the board appeared.
    pub read: Vec<usize>,
    pub over: bool,
}

impl Run {
    /// Sum of the last board.
    pub fn score(&self) -> i64 {
        self.boards.last().map_or(0, |cells| cells.iter().map(|&tile| i64::from(tile)).sum())
    }
}

/// Plays these letters.
pub fn run(seed: u32, letters: &[u8], mistake: Option<Mistake>) -> Run {
    let has = |other| mistake == Some(other);
    let parameters = if has(Mistake::OfficialParameters) { Parameters::OFFICIAL } else { Parameters::ZERO };
    let mut random = TinyMt32::new(seed, parameters);
    let mut board = [0; 16];
    let mut run = Run::default();
    let mut count = 0;
    let mut add = |board: &mut Cells| {
        count += 1;
        for _ in 0..MAX_DRAWS {
            let first = random.generate_u32() as usize % 4;
            let second = random.generate_u32() as usize % 4;
            let cell = if has(Mistake::ColumnFirst) { second * 4 + first } else { first * 4 + second };
            if board[cell] == 0 {
                board[cell] = if has(Mistake::NewCellValue) && count % 10 == 0 { 4 } else { 2 };
                return;
            }
        }
    };
    add(&mut board);
    if has(Mistake::TwoCells) {
        add(&mut board);
    }
    run.boards.push(board);
    run.read.push(0);
    for (at, &letter) in letters.iter().enumerate() {
        let letter = if has(Mistake::LowerCase) { letter.to_ascii_uppercase() } else { letter };
        let Some(direction) = estr2048::Direction::from_letter(letter) else { continue };
        let moved = shift(&board, direction, mistake);
        if moved == board && !(has(Mistake::CellAfterNoChange) && board.contains(&0)) {
            continue;
        }
        board = moved;
        run.moved.push(board);
        add(&mut board);
        run.boards.push(board);
        run.read.push(at + 1);
        if estr2048::Direction::ALL.iter().all(|&direction| shift(&board, direction, None) == board) {
            run.over = true;
            break;
        }
    }
    run
}

fn shift(board: &Cells, direction: estr2048::Direction, mistake: Option<Mistake>) -> Cells {
    use estr2048::Direction::{Down, Left, Right, Up};
    let mut after = [0; 16];
    for line in 0..4 {
        let place = |k: usize| match direction {
            Up => k * 4 + line,
            Down => (3 - k) * 4 + line,
            Left => line * 4 + k,
            Right => line * 4 + 3 - k,
        };
        let tiles: Vec<i32> = (0..4).map(|k| board[place(k)]).filter(|&tile| tile != 0).collect();
        for (k, tile) in combined(tiles, mistake).into_iter().enumerate() {
            after[place(k)] = tile;
        }
    }
    after
}

fn combined(mut tiles: Vec<i32>, mistake: Option<Mistake>) -> Vec<i32> {
    if mistake == Some(Mistake::WrongEdge) {
        tiles.reverse();
        let mut tiles = combined(tiles, None);
        tiles.reverse();
        return tiles;
    }
    let mut out: Vec<i32> = Vec::new();
    let mut fresh = false;
    for tile in tiles {
        match out.last_mut() {
            Some(last) if *last == tile && (!fresh || mistake == Some(Mistake::DoubleMerge)) => {
                *last *= 2;
                fresh = true;
            }
            _ => {
                out.push(tile);
                fresh = false;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_the_library() {
        use estr2048::courses::estr1002;
        for seed in 1..40 {
            let letters: Vec<u8> = (0..600).map(|at| b"ULDR"[(at * 7 + at / 5 + seed as usize) % 4]).collect();
            let run = run(seed, &letters, None);
            let mut random = TinyMt32::new(seed, Parameters::ZERO);
            let mut board = [[0; 4]; 4];
            estr1002::new_cell(&mut board, &mut random).unwrap();
            let mut boards = vec![board];
            for &letter in &letters {
                let direction = estr2048::Direction::from_letter(letter).unwrap();
                let mut plain = estr2048::Board::from(&mut board);
                if plain.shift(direction).changed {
                    estr1002::new_cell(&mut board, &mut random).unwrap();
                    boards.push(board);
                }
            }
            let boards: Vec<Cells> = boards.iter().map(|board| board.as_flattened().try_into().unwrap()).collect();
            assert_eq!(run.boards, boards);
        }
    }

    #[test]
    fn the_mistakes_are_the_mistakes() {
        assert_eq!(combined(vec![2, 2, 4], None), [4, 4]);
        assert_eq!(combined(vec![2, 2, 4], Some(Mistake::DoubleMerge)), [8]);
        assert_eq!(combined(vec![2, 2, 2], None), [4, 2]);
        assert_eq!(combined(vec![2, 2, 2], Some(Mistake::WrongEdge)), [2, 4]);
        assert_eq!(combined(vec![2, 2, 2, 2], None), [4, 4]);
    }
}
