//! The clairvoyant player: seeds from boards, games from seeds.

mod support;

use std::time::{Duration, Instant};

use estr2048::bitboard::MAX_SUM;
use estr2048::board::GameBoard;
use estr2048::clairvoyant::observation::{NewCell, Observation, positions_after};
use estr2048::clairvoyant::plan::{Planner, Progress};
use estr2048::clairvoyant::play::{Clairvoyant, Options, Players};
use estr2048::clairvoyant::recover::{BITS_TO_TRUST, PARAMETER_SETS, Recovery};
use estr2048::clairvoyant::stream::Stream;
use estr2048::courses::estr1002::{Game, draw_cell};
use estr2048::network::Evaluate;
use estr2048::{Bitboard, Board, Direction, JavaRandom, Parameters, TinyMt32};
use proptest::prelude::*;
use support::games::whole_games;
use support::{data, heavy};

fn moved(board: &GameBoard, direction: Direction) -> Option<GameBoard> {
    let mut moved = *board;
    Board::from(&mut moved).shift(direction).changed.then_some(moved)
}

/// The first boards of a game, up to `count` of them, whose cells come from `draw` and whose moves are the first legal ones after `turn`.
fn boards_of(count: usize, turn: usize, mut draw: impl FnMut() -> usize) -> Vec<GameBoard> {
    let mut boards: Vec<GameBoard> = Vec::new();
    let mut board = GameBoard::default();
    for round in 0..count {
        let cell = std::iter::repeat_with(&mut draw).find(|&cell| board.as_flattened()[cell] == 0).unwrap();
        board.as_flattened_mut()[cell] = 2;
        boards.push(board);
        let directions = (0..4).map(|i| Direction::ALL[(i + round * turn) % 4]);
        let Some(after) = directions.into_iter().find_map(|direction| moved(&board, direction)) else { break };
        board = after;
    }
    boards
}

fn tinymt_boards(seed: u32, parameters: Parameters, count: usize) -> Vec<GameBoard> {
    let mut random = TinyMt32::new(seed, parameters);
    boards_of(count, 1, || draw_cell(&mut random))
}

fn observations(boards: &[GameBoard]) -> Vec<Observation> {
    let later = boards.windows(2).map(|pair| Observation::after_some_move(&pair[0], &pair[1]).unwrap());
    std::iter::once(Observation::of_first(&boards[0]).unwrap()).chain(later).collect()
}

fn recovery_of(boards: &[GameBoard], parameters: &[Parameters]) -> Recovery {
    let mut recovery = Recovery::new(parameters);
    observations(boards).into_iter().for_each(|observation| recovery.observe(observation));
    recovery
}

#[test]
fn seeds_of_the_recorded_games() {
    let mut checked = 0;
    for recorded in whole_games() {
        let mut boards = vec![recorded.start];
        boards.extend(recorded.inputs.iter().filter(|input| input.changed).map(|input| input.board).take(25));
        let mut recovery = recovery_of(&boards, &PARAMETER_SETS);
        assert!(recovery.bits() > BITS_TO_TRUST);
        recovery.search(2, None);
        let found = recovery.trusted().unwrap();
        assert_eq!((u64::from(found.seed), found.parameters), (u64::from(recorded.seed), Parameters::ZERO));
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn a_large_seed_is_found_in_pieces() {
    let seed = 200_000_003;
    let mut recovery = recovery_of(&tinymt_boards(seed, Parameters::OFFICIAL, 22), &[Parameters::OFFICIAL]);
    let mut pieces = 0;
    while recovery.trusted().is_none() && !recovery.is_complete() {
        recovery.search(2, Some(Instant::now() + Duration::from_millis(5)));
        pieces += 1;
    }
    assert_eq!(recovery.trusted().map(|found| found.seed), Some(seed));
    assert!(pieces > 1 && recovery.tested() < recovery.total());
}

/// A game whose cells come from another generator fits none of all 2^32 seeds.
fn has_no_seed(boards: &[GameBoard], parameters: Parameters) {
    let mut recovery = recovery_of(boards, &[parameters]);
    recovery.search(2, None);
    assert!(recovery.is_complete());
    assert_eq!(recovery.candidates().len(), 0);
}

/// The `rand` that the C standard gives as an example.
#[test]
fn cells_of_c_rand_have_no_seed() {
    let mut state = 12345_u32;
    let mut rand = move || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        state / 65536 % 32768
    };
    has_no_seed(&boards_of(22, 1, || (rand() % 4 * 4 + rand() % 4) as usize), Parameters::ZERO);
}

#[test]
fn cells_of_java_util_random_have_no_seed() {
    if !heavy("all 2^32 seeds with the official parameters") {
        return;
    }
    let mut random = JavaRandom::new(1234);
    let mut draw = || random.next_int_below(4).unwrap() as usize;
    has_no_seed(&boards_of(22, 1, || draw() * 4 + draw()), Parameters::OFFICIAL);
}

#[test]
fn seeding_by_array_is_not_taken_for_a_seed() {
    let mut random = TinyMt32::from_keys(&[1234], Parameters::ZERO);
    let recovery = recovery_of(&boards_of(22, 1, || draw_cell(&mut random)), &[Parameters::ZERO]);
    for seed in 0..100_000 {
        assert!(positions_after(&mut Stream::new(seed, Parameters::ZERO), recovery.observations()).is_empty());
    }
}

#[test]
fn a_board_that_two_moves_explain_has_two_readings() {
    let corner = [[2, 0, 0, 0], [0; 4], [0; 4], [0; 4]];
    let two = [[0, 0, 0, 2], [0; 4], [0; 4], [2, 0, 0, 0]];
    let observation = Observation::after_some_move(&corner, &two).unwrap();
    let mut readings = observation.readings().to_vec();
    readings.sort_by_key(|reading| reading.cell);
    assert_eq!(readings, [NewCell { taken: 1 << 12, cell: 3 }, NewCell { taken: 1 << 3, cell: 12 }]);
    assert!(observation.bits() < 3.0);
    assert_eq!(Observation::after_some_move(&corner, &corner), None);
    let four = [[0, 0, 0, 2], [0; 4], [0; 4], [4, 0, 0, 0]];
    assert_eq!(Observation::after_some_move(&corner, &four), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The true seed always fits, whatever the moves are and whether they are known or not.
    #[test]
    fn the_true_seed_fits(seed: u32, official: bool, turn in 0_usize..4, count in 1_usize..60) {
        let parameters = PARAMETER_SETS[usize::from(official)];
        let mut random = TinyMt32::new(seed, parameters);
        let mut draws = 0;
        let boards = boards_of(count, turn, || { draws += 1; draw_cell(&mut random) });
        let positions = positions_after(&mut Stream::new(seed, parameters), &observations(&boards));
        prop_assert!(positions.contains(&draws), "{positions:?} without {draws}");
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Small seeds are found whole, with either set.
    #[test]
    fn small_seeds_are_found(seed in 0_u32..1 << 22, official: bool) {
        let parameters = PARAMETER_SETS[usize::from(official)];
        let boards = tinymt_boards(seed, parameters, 24);
        prop_assume!(observations(&boards).iter().map(Observation::bits).sum::<f64>() >= BITS_TO_TRUST);
        let mut recovery = recovery_of(&boards, &PARAMETER_SETS);
        recovery.search(1, None);
        let found = recovery.trusted().unwrap();
        prop_assert_eq!((found.seed, found.parameters), (seed, parameters));
    }
}

/// Enough of a network for short plans: empty cells.
struct Roomy;

impl Evaluate for Roomy {
    fn value(&self, after: Bitboard, _sum: u32) -> f32 {
        after.count_empty() as f32
    }
}

fn planner(seed: u32, width: usize) -> Planner {
    let mut stream = Stream::new(seed, Parameters::ZERO);
    let (cell, position) = stream.next_cell(0, 0).unwrap();
    Planner::new(stream, Bitboard::default().with_two(cell.into()), position, width)
}

/// The board after these moves by the plain rules; panics if one of them changes nothing.
fn replay(seed: u32, moves: &[Direction]) -> GameBoard {
    let mut game: Game = Game::new(TinyMt32::new(seed, Parameters::ZERO));
    for &direction in moves {
        assert_eq!(game.play(direction), Ok(true));
    }
    *game.board()
}

fn sum(board: &GameBoard) -> i64 {
    board.as_flattened().iter().map(|&tile| i64::from(tile)).sum()
}

#[test]
fn lines_of_a_plan_are_games() {
    for seed in [0, 1, 1234, u32::MAX] {
        let mut planner = planner(seed, 8);
        let mut longest = 0;
        for _ in 0..1500 {
            if planner.step(&Roomy) != Progress::Working {
                break;
            }
            assert!(planner.state().boards <= planner.state().width);
        }
        let line = planner.line();
        assert_eq!(sum(&replay(seed, &line)), 2 * (line.len() as i64 + 1));
        longest = longest.max(line.len());
        assert!(longest > 200, "seed {seed}: {longest}");
    }
}

#[test]
fn plans_go_on_from_the_moves_that_were_played() {
    let mut planner = planner(7, 8);
    let mut played = Vec::new();
    for _ in 0..60 {
        for _ in 0..10 {
            planner.step(&Roomy);
        }
        let line = planner.line();
        assert!(line.starts_with(&played));
        played.push(line[played.len()]);
        if !planner.keep_only(&played) {
            break;
        }
        assert!(planner.line().starts_with(&played));
    }
    assert!(played.len() > 20);
    replay(7, &played);
    assert!(!planner.keep_only(&[Direction::Up, Direction::Down, Direction::Up, Direction::Down, Direction::Up]));
}

/// Seed 33914 only ever draws eight cells: the game ends when none of them is free.
#[test]
fn a_degenerate_seed_has_an_end() {
    let mut planner = planner(33_914, 4);
    for _ in 0..20_000 {
        if planner.state().deaths < 2 {
            planner.step(&Roomy);
        }
    }
    let line = planner.line();
    assert!(planner.state().deaths > 0);
    assert_eq!(sum(&replay(33_914, &line)), 2 * (line.len() as i64 + 1));
}

/// One move is left on this board, two ways: every try ends there.
#[test]
fn a_hopeless_board_is_tried_again_and_given_up() {
    let hopeless = [[512, 64, 512, 64], [1024, 128, 1024, 128], [2048, 256, 2048, 256], [4, 8, 16, 0]];
    let board = Bitboard::from_board(&hopeless).unwrap();
    let mut planner = Planner::new(Stream::new(1234, Parameters::ZERO), board, 0, 1);
    while planner.step(&Roomy) == Progress::Working {}
    assert_eq!(planner.progress(), Progress::GivenUp);
    assert!(planner.state().deaths >= 9, "{} deaths", planner.state().deaths);
    assert_eq!(planner.line().len(), 1);
    assert!(planner.keep_only(&planner.line()));
    assert!(!planner.keep_only(&[Direction::Up]));
}

#[test]
fn the_shipped_perfect_game() {
    let moves = data("perfect_seed_1234.txt");
    let letters = moves.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let moves: Vec<Direction> = letters.map(|letter| Direction::from_letter(letter).unwrap()).collect();
    assert_eq!(moves.len(), 65_534);
    let board = replay(1234, &moves);
    assert_eq!(sum(&board), MAX_SUM);
    let mut tiles = *board.as_flattened().first_chunk::<16>().unwrap();
    tiles.sort_unstable();
    assert_eq!(tiles, std::array::from_fn(|i| 2 << i));
    assert!(Board::from(&board).is_over());
}

fn quick() -> Options {
    Options { budget: Duration::from_millis(5), threads: 1, ..Options::default() }
}

/// Several games at once, some by other generators, and no network: every move is legal, and a board that is shown
/// again gets the same answer.
#[test]
fn games_at_once_and_fair_play() {
    let players = Players::new();
    let mut games: [Game; 4] =
        std::array::from_fn(|seed| Game::new(TinyMt32::from_keys(&[seed as u32, 5], Parameters::ZERO)));
    for _ in 0..60 {
        for game in &mut games {
            let board = *game.board();
            let Some(direction) = players.choose(&board, || Clairvoyant::new(None, quick())) else { continue };
            assert_eq!(players.choose(&board, || unreachable!("the game is known")), Some(direction));
            assert_eq!(game.play(direction), Ok(true));
        }
    }
    let over = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]];
    assert_eq!(players.choose(&over, || Clairvoyant::new(None, quick())), None);
}

#[cfg(feature = "weights")]
mod with_the_network {
    use super::*;
    use estr2048::network::weights;

    fn player() -> Clairvoyant {
        Clairvoyant::new(weights::standard().unwrap(), Options::default())
    }

    #[test]
    fn the_player_reaches_the_ceiling() {
        for (seed, parameters) in [(77, Parameters::ZERO), (123_456, Parameters::OFFICIAL)] {
            let mut player = player();
            let mut game: Game = Game::new(TinyMt32::new(seed, parameters));
            while let Some(direction) = player.choose(game.board()) {
                assert_eq!(game.play(direction), Ok(true));
            }
            assert_eq!(player.seed().map(|found| found.seed), Some(seed));
            assert_eq!(game.score(), MAX_SUM);
        }
    }

    #[test]
    fn a_harness_that_draws_otherwise_later_is_noticed() {
        let mut player = player();
        let mut game: Game = Game::new(TinyMt32::new(77, Parameters::ZERO));
        for round in 0..120 {
            let direction = player.choose(game.board()).unwrap();
            if round == 60 {
                assert!(player.seed().is_some());
                game.reseed(TinyMt32::new(78, Parameters::OFFICIAL));
            }
            assert_eq!(game.play(direction), Ok(true));
        }
        assert_eq!(player.seed(), None);
    }
}
