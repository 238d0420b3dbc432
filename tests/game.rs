//! `./game` from end to end.

mod support;

use std::process::Command;

use estr2048::Direction;
use support::data;
use support::games::{recorded_games, whole_games};
use support::program::{boards, build, game, run, stdout};

#[test]
fn whole_games_by_pipe() {
    for recorded in whole_games() {
        let letters: Vec<String> = recorded.inputs.iter().map(|input| input.direction.letter().to_string()).collect();
        let one_per_line = format!("{}\n{}\n", recorded.seed, letters.join("\n"));
        let one_line = format!("{} {}", recorded.seed, letters.concat());
        let dos = one_per_line.replace('\n', "\r\n");
        for input in [one_per_line, one_line, dos] {
            let output = game(&[], &input);
            let text = stdout(&output);
            let mut expected = vec![recorded.start];
            expected.extend(recorded.inputs.iter().filter(|input| input.changed).map(|input| input.board));
            assert_eq!(boards(&text), expected, "seed {}", recorded.seed);
            let score = recorded.inputs.last().unwrap().score;
            let end = if recorded.over { "The game is over!" } else { "The input ended before the game did." };
            assert!(text.ends_with(&format!("Your score is {score}.\n{end}\n")), "{text}");
            let useless = recorded.inputs.iter().filter(|input| !input.changed).count();
            assert_eq!(text.matches("changes nothing on this board").count(), useless);
            assert_eq!(output.status.code(), Some(0));
            assert!(output.stderr.is_empty());
        }
    }
}

#[test]
fn recorded_scores_by_pipe() {
    for recorded in recorded_games() {
        let text = stdout(&game(&[], &format!("1234\n{}\n", recorded.moves)));
        assert!(text.ends_with(&format!("Your score is {}.\nThe game is over!\n", recorded.score)));
        assert_eq!(boards(&text).len(), recorded.moves.len() + 1);
    }
}

#[test]
fn wrong_letters_are_named_and_change_nothing() {
    let input = data("estr1002/moves_seed_1234.txt");
    let (seed, letters) = input.split_once('\n').unwrap();
    let text = stdout(&game(&[], &input));
    let only_commands: String = letters.chars().filter(|letter| "UDLR".contains(*letter)).collect();
    let clean = stdout(&game(&[], &format!("{seed} {only_commands}")));
    assert_eq!(boards(&text), boards(&clean));
    assert_eq!(text.lines().last(), clean.lines().last());
    let wrong = letters.chars().filter(|letter| !letter.is_whitespace() && !"UDLR".contains(*letter)).count();
    assert!(wrong > 0);
    assert_eq!(text.matches("is not a command").count(), wrong);

    // A letter of any alphabet and an arrow key get one answer each.
    let text = stdout(&game(&[], "1 u,\u{e9}\x1b\0?\x1b[A\n"));
    let names = ["'u'", "','", "'\u{e9}'", "'\\x1b'", "'\\x00'", "'?'", "'\\x1b[A'"];
    for name in names {
        assert!(text.contains(&format!("{name} is not a command. Type U")), "{name} in {text}");
    }
    assert_eq!(text.matches("is not a command").count(), names.len());
    assert_eq!(boards(&text).len(), 1);
}

#[test]
fn the_sample_game_ends() {
    let moves = std::fs::read_to_string(support::root().join("moves.txt")).unwrap();
    let text = stdout(&game(&[], &moves));
    assert!(text.ends_with("The game is over!\n"));
    let last = boards(&text).pop().unwrap();
    let score: i32 = last.as_flattened().iter().sum();
    assert!(text.contains(&format!("\nYour score is {score}.\n")));
}

#[test]
fn bad_seeds_and_options() {
    let long = "0".repeat(36) + "1234";
    let many = "9".repeat(200_000);
    let bad = ["-1", "4294967296", &many, &long, "+5", "12x", "0x10", "1.5", "seed", "7U", "\0", "12\0", "12\0x"];
    for seed in bad {
        let output = game(&[], seed);
        assert_eq!(output.status.code(), Some(2), "{seed}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("whole number from 0 to 4294967295"), "{message}");
        assert!(boards(&String::from_utf8_lossy(&output.stdout)).is_empty());
    }
    let output = game(&[], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no random seed"));
    for options in [&["--player"][..], &["--player", "nobody"], &["--tinymt", "x"], &["-x"], &["moves.txt"]] {
        let output = game(options, "1 U");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("Try './game --help'"));
    }
    for help in ["--help", "-h"] {
        let output = game(&[help], "");
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).starts_with("Usage: ./game"));
    }
    let version = stdout(&game(&["--version"], ""));
    assert_eq!(version, concat!("game (estr2048) ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn seed_as_an_option() {
    let asked = stdout(&game(&[], "1234 RLRL"));
    let given = stdout(&game(&["--seed", "1234"], "RLRL"));
    assert_eq!(format!("Please enter the random seed: \n{given}"), asked);
    for bad in [&["--seed"][..], &["--seed", "-1"], &["--seed", "4294967296"], &["--seed", ""], &["--seed", "1x"]] {
        assert_eq!(game(bad, "RL").status.code(), Some(2), "{bad:?}");
    }
}

/// What Windows' editor puts at the start of a file.
#[test]
fn byte_order_mark_is_skipped() {
    assert_eq!(game(&[], "\u{feff}1234\r\nRL").stdout, game(&[], "1234 RL").stdout);
    assert_eq!(game(&["--seed", "1234"], "\u{feff}RL").stdout, game(&["--seed", "1234"], "RL").stdout);
    assert_eq!(game(&[], "\u{feff}").status.code(), Some(2));
    for broken in [&b"\xef1234"[..], b"\xef\xbb1234"] {
        build();
        let output = run(Command::new(support::root().join("game")).arg("--tinymt").arg("zero"), broken);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn largest_and_padded_seeds() {
    for seed in ["0", "4294967295", "0000000000000001234"] {
        assert_eq!(game(&[], seed).status.code(), Some(0), "{seed}");
    }
    assert_eq!(game(&[], "0001234 RLRL").stdout, game(&[], "1234 RLRL").stdout);
}

#[test]
fn input_that_ends_early() {
    let output = game(&[], "1234");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).ends_with("Your score is 2.\nThe input ended before the game did.\n"));
}

#[test]
fn a_seed_that_runs_out_of_cells() {
    let letters = "UDLR".repeat(100);
    for seed in [33914, 45834, 150_515] {
        let output = game(&[], &format!("{seed} {letters}"));
        assert_eq!(output.status.code(), Some(3), "seed {seed}");
        let text = stdout(&output);
        let last = boards(&text).pop().unwrap();
        let score: i32 = last.as_flattened().iter().sum();
        let end = "The random numbers of this seed never reach an empty cell.";
        assert!(text.ends_with(&format!("Your score is {score}.\n{end}\n")), "{text}");
    }
}

#[test]
fn official_parameters_make_another_game() {
    let official = stdout(&game(&["--tinymt", "official"], "1234 RLRL"));
    let zero = stdout(&game(&["--tinymt", "zero"], "1234 RLRL"));
    assert_ne!(boards(&official), boards(&zero));
    assert_eq!(zero, stdout(&game(&[], "1234 RLRL")));
}

/// Every round of the computer's game is one legal move and one new 2, up to a board without moves.
#[test]
fn the_computer_plays_by_the_rules() {
    let output = game(&["--player", "ai"], "7");
    let text = stdout(&output);
    assert!(text.ends_with("The game is over!\n"));
    let boards = boards(&text);
    assert!(boards.len() > 100, "only {} boards", boards.len());
    let shifted = |mut board: [[i32; 4]; 4], direction| {
        estr2048::Board::from(&mut board).shift(direction);
        board
    };
    for pair in boards.windows(2) {
        let one_more = |moved: [[i32; 4]; 4]| {
            let cells = moved.as_flattened().iter().zip(pair[1].as_flattened());
            let new: Vec<_> = cells.filter(|(before, after)| before != after).collect();
            moved != pair[0] && new == [(&0, &2)]
        };
        assert!(Direction::ALL.into_iter().any(|direction| one_more(shifted(pair[0], direction))), "{pair:?}");
    }
}

#[test]
fn the_perfect_game_by_pipe() {
    let text = stdout(&game(&[], &data("perfect_seed_1234.moves")));
    assert!(text.ends_with("Your score is 131070.\nThe game is over!\n"));
}

/// A full disk does not pass for a game.
#[test]
fn an_output_that_cannot_be_written() {
    support::program::build();
    let (short, long) = ("1234 RL", format!("33914 {}", "UDLR".repeat(200)));
    for (options, input) in [("", short), ("", &long), ("--help", "")] {
        for output in ["> /dev/full", ">&-"] {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("exec ./game {options} {output}")).current_dir(support::root());
            let ended = run(&mut shell, input.as_bytes());
            assert_eq!(ended.status.code(), Some(1), "{output}");
            assert!(String::from_utf8(ended.stderr).unwrap().contains("the output could not be written"));
        }
    }
}
