//! The full-screen game as somebody sees it: the real program on a pseudo-terminal with a model of its screen.

mod support;
#[path = "support/terminal.rs"]
mod terminal;

use std::fs;

use support::{data_path, run, stderr, stdout};
use tempfile::tempdir;
use terminal::{ARROWS, Terminal, number};

const COURSES: [(&str, &str); 5] = [
    ("estr1002", "ESTR1002, CUHK"),
    ("psa3", "PSA3, UCSD"),
    ("pa4", "PA4, UCSD"),
    ("comp1020", "COMP 1020, Manitoba"),
    ("cs61b", "CS 61B, Berkeley"),
];

fn moves(terminal: &Terminal, count: i64) -> vt100::Screen {
    terminal.wait(&format!("{count} moves"), |screen| number(screen, "Moves") == Some(count))
}

/// Presses directions in turn until so many moves are made: some change nothing.
fn play(terminal: &mut Terminal, keys: [&str; 4], count: i64) {
    /// The answer to a key without meaning. It stands in the last line, which is drawn last: with it the frame is whole.
    const WHOLE: &str = "? shows the keys";
    for turn in 0.. {
        terminal.press("x");
        let screen = terminal.wait_for(WHOLE);
        if number(&screen, "Moves").unwrap() >= count {
            return;
        }
        terminal.press(keys[[0, 2, 3, 1][turn % 4]]);
        terminal.wait("an answer", |screen| !screen.contents().contains(WHOLE));
    }
}

#[test]
fn every_course_is_played_with_every_kind_of_key() {
    let folder = tempdir().unwrap();
    for (course, title) in COURSES {
        let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", course], &[]);
        terminal.wait_for(title);
        let letters = if course == "comp1020" { ["i", "k", "j", "l"] } else { ["k", "j", "h", "l"] };
        play(&mut terminal, ARROWS, 3);
        play(&mut terminal, ["w", "s", "a", "d"], 6);
        play(&mut terminal, letters, 9);
        if course == "estr1002" {
            play(&mut terminal, ["U", "D", "L", "R"], 12);
        }
        terminal.press("q");
        let (status, screen) = terminal.end();
        assert!(status.success() && !screen.alternate_screen() && !screen.hide_cursor(), "{course}");
    }
}

#[test]
fn a_game_is_resumed_undone_and_made_again() {
    let folder = tempdir().unwrap();
    let start = || Terminal::start(folder.path(), (80, 24), &["play", "pa4", "--no-animation"], &[]);
    let mut terminal = start();
    play(&mut terminal, ARROWS, 5);
    // The last line is drawn last, so that with it the board is whole.
    terminal.press("x");
    let fifth = terminal.wait_for("? shows the keys").contents();
    terminal.press("uuu");
    terminal.wait_for("2 of 5");
    terminal.press("q");
    assert!(terminal.end().0.success());

    let mut terminal = start();
    terminal.wait_for("2 of 5");
    terminal.press("\x1b[H");
    terminal.wait_for("0 of 5");
    terminal.press("u");
    terminal.wait_for("this is the first board");
    terminal.press("rr");
    terminal.wait_for("2 of 5");
    terminal.press("\x1b[F");
    moves(&terminal, 5);
    let line = |line: &str| line.chars().take(46).collect::<String>().trim_end().to_owned();
    let board = |contents: &str| contents.lines().take(22).map(line).collect::<Vec<String>>();
    terminal.press("x");
    terminal.wait_for("? shows the keys");
    terminal.wait("the same board", |screen| board(&screen.contents()) == board(&fifth));
    // A new game can be taken back, too.
    terminal.press("N");
    moves(&terminal, 0);
    terminal.press("b");
    moves(&terminal, 5);
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn a_game_that_is_killed_is_there_again_and_so_is_the_terminal() {
    for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
        let folder = tempdir().unwrap();
        let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "cs61b"], &[]);
        play(&mut terminal, ARROWS, 4);
        terminal.signal(signal);
        let (status, screen) = terminal.end();
        assert_eq!(status.exit_code(), 128 + signal as u32);
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        let terminal = Terminal::start(folder.path(), (80, 24), &["play", "cs61b"], &[]);
        moves(&terminal, 4);
        terminal.signal(libc::SIGKILL);
        terminal.end();
        let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "cs61b"], &[]);
        moves(&terminal, 4);
        terminal.press("q");
        assert!(terminal.end().0.success());
    }
}

#[test]
fn the_computer_plays_and_gives_hints() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "estr1002", "--seed", "1234"], &[]);
    terminal.wait_for("1234");
    terminal.press("i");
    terminal.wait_for("expected further moves");
    terminal.wait_for("Survives");
    terminal.press(" ");
    moves(&terminal, 1);
    terminal.press("++++++A");
    terminal.wait("many moves", |screen| number(screen, "Moves") > Some(60));
    terminal.press("-");
    terminal.wait_for("moves a second");
    terminal.press("A");
    terminal.wait("the end of it", |screen| !screen.contents().contains("The computer plays"));
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn the_clairvoyant_player_plans() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "estr1002", "--seed", "7"], &[]);
    terminal.wait_for("Moves");
    terminal.press("c");
    terminal.wait_for("Plans up to");
    terminal.press(ARROWS[0]);
    terminal.wait("a person takes over", |screen| !screen.contents().contains("Plans up to"));
    terminal.press("q");
    assert!(terminal.end().0.success());
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "psa3"], &[]);
    terminal.wait_for("Moves");
    terminal.press("c");
    terminal.wait_for("knows ESTR1002 only");
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn windows_of_any_size() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "pa4", "--new", "--seed", "1"], &[]);
    terminal.wait_for("PA4, UCSD");
    terminal.resize(200, 60);
    terminal.wait("large digits", |screen| screen.contents().contains('█'));
    terminal.resize(40, 12);
    terminal.wait("a summary instead of the panel", |screen| {
        let contents = screen.contents();
        contents.contains("Score 0") && !contents.contains("PA4")
    });
    terminal.resize(12, 6);
    terminal.wait("what it needs", |screen| screen.contents().contains("needs"));
    terminal.resize(1, 1);
    terminal.resize(80, 24);
    terminal.wait_for("PA4, UCSD");
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn keys_are_not_lost_while_the_window_changes() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "pa4", "--new", "--seed", "1"], &[]);
    terminal.wait_for("PA4, UCSD");
    for _ in 0..200 {
        for shown in [true, false] {
            terminal.signal(libc::SIGWINCH);
            terminal.press("?");
            terminal.wait("the keys, or the game", |screen| screen.contents().contains(" Keys ") == shown);
        }
    }
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn colours_as_many_as_there_are() {
    let folder = tempdir().unwrap();
    let coloured = |screen: &vt100::Screen| {
        let cells = (0..24).flat_map(|row| (0..80).map(move |col| (row, col)));
        let grounds = cells.filter_map(|(row, col)| Some(screen.cell(row, col)?.bgcolor()));
        let mut found: Vec<_> = grounds.filter(|&ground| ground != vt100::Color::Default).collect();
        found.dedup();
        found
    };
    let with = |variables: &[(&str, &str)]| {
        let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "pa4"], variables);
        let screen = terminal.wait_for("PA4, UCSD");
        terminal.press("q");
        assert!(terminal.end().0.success());
        screen
    };
    let indexed = coloured(&with(&[]));
    assert!(!indexed.is_empty() && indexed.iter().all(|colour| matches!(colour, vt100::Color::Idx(16..))));
    let full = coloured(&with(&[("COLORTERM", "truecolor")]));
    assert!(!full.is_empty() && full.iter().all(|colour| matches!(colour, vt100::Color::Rgb(..))));
    let sixteen = coloured(&with(&[("TERM", "xterm")]));
    assert!(!sixteen.is_empty() && sixteen.iter().all(|colour| matches!(colour, vt100::Color::Idx(..16))));
    let none = with(&[("NO_COLOR", "1")]);
    assert!(coloured(&none).is_empty() && none.contents().contains("┼"));
    let ascii = with(&[("NO_COLOR", "1"), ("LANG", "C")]);
    assert!(ascii.contents().is_ascii(), "{}", ascii.contents());
}

#[test]
fn files_of_the_courses_are_saved_and_opened() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "psa3"], &[]);
    play(&mut terminal, ARROWS, 3);
    terminal.press("o\r");
    terminal.wait_for("saved to 2048.board");
    terminal.press("o\x15game.log\r");
    terminal.wait_for("saved to game.log");
    terminal.press("o\x15no/such/folder\r");
    terminal.wait_for("cannot save to no/such/folder");
    terminal.press("O2048.board\r");
    terminal.wait_for("opened");
    moves(&terminal, 0);
    terminal.press("q");
    assert!(terminal.end().0.success());
    let replayed = run(folder.path(), &["psa3", "--replay", "game.log", "--delay", "0"], "q");
    assert!(replayed.status.success());
    let board = fs::read_to_string(folder.path().join("2048.board")).unwrap();
    let last = board.lines().last().unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(stdout(&replayed).contains(&last));
}

#[test]
fn replays_go_forward_and_back_with_marks() {
    let folder = tempdir().unwrap();
    let moves_file = format!("1234\n{}", "UDLR".repeat(60));
    fs::write(folder.path().join("moves.txt"), moves_file).unwrap();
    let mut terminal = Terminal::start(folder.path(), (80, 24), &["play", "--replay", "moves.txt"], &[]);
    terminal.wait_for("Move");
    terminal.wait_for("lost a tenth or more");
    terminal.press(ARROWS[3]);
    terminal.wait("move 1", |screen| number(screen, "Move ") == Some(1));
    terminal.press("g12\r");
    terminal.wait("move 12", |screen| number(screen, "Move ") == Some(12));
    terminal.press(ARROWS[2]);
    terminal.wait("move 11", |screen| number(screen, "Move ") == Some(11));
    terminal.wait("all moves are compared", |screen| !screen.contents().contains("compared so far"));
    terminal.press("n");
    terminal.wait_for("Loses");
    terminal.press("\r");
    terminal.wait_for("the game goes on from here");
    terminal.press("q");
    assert!(terminal.end().0.success());
}

#[test]
fn on_a_pipe_everything_is_as_ever() {
    let folder = tempdir().unwrap();
    let refused = run(folder.path(), &["play"], "q");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("needs a terminal"));
    let games = [("estr1002", "7 UDLRUDLR"), ("psa3", "w a s d q"), ("pa4", "w\na\nq\n"), ("cs61b", "w\na\nq\n")];
    for (course, input) in games {
        let plain = run(folder.path(), &[course], input);
        let screen = run(folder.path(), &[course, "--screen"], input);
        assert_eq!((plain.status, stdout(&plain)), (screen.status, stdout(&screen)), "{course}");
    }
    assert!(data_path("psa3").exists());
}
