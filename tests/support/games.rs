//! The recorded games in `tests/data/estr1002`.

use estr2048::Direction;

use super::{board_from, data};

/// One game, from its seed to its last input.
pub struct Game {
    pub seed: u32,
    pub start: [[i32; 4]; 4],
    pub inputs: Vec<Input>,
    pub over: bool,
}

/// One letter that was typed, and the board after it and after the new cell.
pub struct Input {
    pub direction: Direction,
    pub changed: bool,
    pub score: i32,
    pub board: [[i32; 4]; 4],
}

/// Every game of `games.txt`.
pub fn whole_games() -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for line in data("estr1002/games.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["game", seed, _] => games.push(Game {
                seed: seed.strip_prefix("seed=").unwrap().parse().unwrap(),
                start: [[0; 4]; 4],
                inputs: Vec::new(),
                over: false,
            }),
            ["init", score, board] => {
                assert_eq!(score, "2");
                games.last_mut().unwrap().start = board_from(board);
            }
            ["end", inputs, over, score] => {
                let game = games.last_mut().unwrap();
                assert_eq!(inputs, format!("inputs={}", game.inputs.len()));
                assert_eq!(score, format!("score={}", game.inputs.last().unwrap().score));
                game.over = over == "over=1";
            }
            [letter, changed, score, board] => games.last_mut().unwrap().inputs.push(Input {
                direction: Direction::from_letter(letter.as_bytes()[0]).unwrap(),
                changed: changed == "1",
                score: score.parse().unwrap(),
                board: board_from(board),
            }),
            _ => panic!("not understood: {line}"),
        }
    }
    assert!(games.len() >= 8, "only {} games in the file", games.len());
    games
}

/// A whole game of a student's computer player on seed 1234.
pub struct Recorded {
    pub score: i64,
    pub final_board: String,
    pub moves: String,
}

/// Every game of `recorded_scores_seed1234.txt`.
pub fn recorded_games() -> Vec<Recorded> {
    let file = data("estr1002/recorded_scores_seed1234.txt");
    let mut games = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_depths, count, score, final_board, moves] = words[..] else {
            panic!("not understood: {line}");
        };
        assert_eq!(moves.len().to_string(), count);
        let score = score.parse().unwrap();
        games.push(Recorded { score, final_board: final_board.into(), moves: moves.into() });
    }
    assert!(!games.is_empty());
    games
}
