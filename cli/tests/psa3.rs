//! `estr2048 psa3`: recorded games through the program, files, records, replays and kills.

mod support;

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

use support::{data, data_path, run, run_command, stderr, stdout, text, workbench};

const CONTROLS: &str = "  Controls:\n    w - Move Up\n    s - Move Down\n    a - Move Left\n    d - Move Right\n    \
                        q - Quit and Save Board\n\n";

/// One recorded game: its setting, and for every board the command, the score and the cells.
struct Game {
    seed: String,
    size: String,
    keys: Vec<String>,
    boards: Vec<(String, String)>,
    over: bool,
}

fn games() -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for line in text("psa3/games.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let value = |word: &str| word.split_once('=').unwrap().1.to_string();
        match words[0] {
            "game" => games.push(Game {
                seed: value(words[1]),
                size: value(words[2]),
                keys: Vec::new(),
                boards: Vec::new(),
                over: false,
            }),
            "end" => games.last_mut().unwrap().over = words[2] == "over=true",
            key => {
                let game = games.last_mut().unwrap();
                if key != "init" {
                    game.keys.push(key.into());
                }
                game.boards.push((words[2].into(), words[3].into()));
            }
        }
    }
    games
}

/// A board as the program prints it, with the blank line of `println`.
fn printed((score, cells): &(String, String)) -> String {
    let rows = cells.split('/').map(|row| {
        let cells = row.split(',').map(|cell| format!("{:>5}", if cell == "0" { "-" } else { cell }));
        cells.collect::<String>() + "\n"
    });
    format!("Score: {score}\n{}\n", rows.collect::<String>())
}

fn saved(game: &Game) -> String {
    let (score, cells) = game.boards.last().unwrap();
    let rows = cells.split('/').map(|row| format!("{} \n", row.replace(',', " ")));
    format!("{}\n{score}\n{}", game.size, rows.collect::<String>())
}

fn whole_text(game: &Game, doing: &str) -> String {
    let boards: Vec<String> = game.boards.iter().map(printed).collect();
    let end = if game.over { "Game Over!\n" } else { "> " };
    format!("Welcome to 2048!\n{doing}\n{CONTROLS}{}{end}", boards.join("> "))
}

#[test]
fn recorded_games() {
    let games = games();
    assert_eq!(games.len(), 8);
    for game in games {
        let folder = tempfile::tempdir().unwrap();
        let input = game.keys.join("\n") + "\nq\n";
        let output = run(folder.path(), &["psa3", "-s", &game.size, "--seed", &game.seed], &input);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stdout(&output), whole_text(&game, "Generating a New Board"));
        assert_eq!(fs::read_to_string(folder.path().join("2048.board")).unwrap(), saved(&game));

        // The same with a record, and then as a replay of the record.
        let words = ["psa3", "--seed", &game.seed, "--record", "log", "-s", &game.size];
        let recorded = run(folder.path(), &words, &input);
        assert_eq!(stdout(&recorded), whole_text(&game, "Recording gameplay"));
        let seed = if game.seed == "420" { String::new() } else { format!("seed={} ", game.seed) };
        let log = format!("{} {seed}{}", game.size, game.keys.concat());
        assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), log);
        let replayed = run(folder.path(), &["psa3", "--replay", "log", "--delay", "0"], "q");
        assert_eq!(stdout(&replayed), whole_text(&game, "Replaying a game"));
        assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), log);
    }
}

#[test]
fn an_unknown_command_prints_the_controls_and_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let board = "Score: 0\n    -    2\n    -    4\n\n";
    for unknown in ["x", "W", "wa", "\u{e9}", "Q", "1"] {
        let output = run(folder.path(), &["psa3", "-s", "2"], format!("{unknown} q"));
        assert_eq!(
            stdout(&output),
            format!("Welcome to 2048!\nGenerating a New Board\n{CONTROLS}{board}> {CONTROLS}{board}> ")
        );
    }
}

#[test]
fn commands_stand_between_any_blanks() {
    let folder = tempfile::tempdir().unwrap();
    let expected = stdout(&run(folder.path(), &["psa3"], "w\na\ns\nd\nq\n"));
    for input in ["w a s d q", "\r\nw\r\na\r\n\r\ns\r\nd\r\nq\r\n", "w\ta\x0bs\x0cd\rq", "w\na\ns\nd\n"] {
        assert_eq!(stdout(&run(folder.path(), &["psa3"], input)), expected, "{input:?}");
    }
}

#[test]
fn every_board_file_is_saved_as_it_was() {
    for entry in fs::read_dir(data_path("psa3/boards")).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("recordfile") {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let words = ["psa3", "-o", "out", "-s", "9", "-i", path.to_str().unwrap()];
        let output = run(folder.path(), &words, "q\n");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let loading = format!("Welcome to 2048!\nLoading Board from {}\n", path.display());
        assert!(stdout(&output).starts_with(&loading));
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), fs::read(&path).unwrap());
        assert_eq!(stdout(&output).ends_with("Game Over!\n"), path.ends_with("gameOver0.in"), "{}", path.display());
    }
}

#[test]
fn sizes() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |words: &[&str]| {
        let output = run(folder.path(), words, "q");
        let shown = stdout(&output);
        let board =
            shown.split_once("Score: 0\n").map(|(_, board)| board.split_once("\n\n").unwrap().0.lines().count());
        (output.status.code(), board)
    };
    for size in ["1", "0", "-7", "-2147483648", "4", "+4"] {
        assert_eq!(rows(&["psa3", "-s", size]), (Some(0), Some(4)), "{size}");
    }
    assert_eq!(rows(&["psa3"]), (Some(0), Some(4)));
    assert_eq!(rows(&["psa3", "-s", "2"]), (Some(0), Some(2)));
    assert_eq!(rows(&["psa3", "-s", "128"]), (Some(0), Some(128)));
    assert_eq!(rows(&["psa3", "-s", "3", "-s", "5"]), (Some(0), Some(5)));
    for wrong in [&["-s", "129"][..], &["-s", "x"], &["-s"], &["-s", "99999999999"], &["-x", "1"], &["file"]] {
        assert_eq!(rows(&[&["psa3"], wrong].concat()).0, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_record_cannot_be_saved_to_a_board() {
    let folder = tempfile::tempdir().unwrap();
    for words in [["-o", "x", "--record", "log"], ["--record", "log", "-i", "x"]] {
        let output = run(folder.path(), &[&["psa3"], &words[..]].concat(), "q");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--record cannot be used with -o or -i"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// A replay looks at no other option, and goes on where the record ends.
#[test]
fn replay_goes_on_with_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let whole = run(folder.path(), &["psa3", "-o", "x"], "d s d s d d d d w a q");
    fs::remove_file(folder.path().join("x")).unwrap();
    for (record, after) in [
        (&b"4 dsdsdddd"[..], &b"4 dsdsddddwa"[..]),
        (&data("psa3/boards/recordfile"), b"4 dsdsdddd\r\nwa"),
        (b"4", b"4 dsdsddddwa"),
        (b"4 seed=420", b"4 seed=420 dsdsddddwa"),
        (b"4\n", b"4\ndsdsddddwa"),
    ] {
        fs::write(&log, record).unwrap();
        let input = if after.len() - record.len() > 5 { "d s d s d d d d w x a q" } else { "w x a q" };
        let words = ["psa3", "--replay", "log", "--delay", "0", "--record", "log", "-o", "x", "-i", "y", "-s", "7"];
        let output = run(folder.path(), &words, input);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let expected = stdout(&whole).replace("Generating a New Board", "Replaying a game");
        let shown = stdout(&output);
        let (before, answer) = shown.split_once(&format!("> {CONTROLS}Score: ")).unwrap();
        let (_, after_board) = answer.split_once("\n\n").unwrap();
        assert_eq!(format!("{before}{after_board}"), expected);
        assert_eq!(fs::read(&log).unwrap(), after);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the record is written");
    }
}

/// A replay only reads: its file may be on a disk that cannot be written. A further move needs the record.
#[test]
fn a_replay_writes_nothing_before_a_new_move() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for record in ["4", "4 wasd"] {
        fs::write(&log, record).unwrap();
        let mut permissions = fs::metadata(&log).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&log, permissions).unwrap();
        let output = run(folder.path(), &["psa3", "--replay", "log", "--delay", "0"], "x q");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        assert_eq!(fs::read_to_string(&log).unwrap(), record);
        fs::remove_file(&log).unwrap();
    }
    fs::write(&log, "4 w").unwrap();
    let mut child = workbench(folder.path(), &["psa3", "--replay", "log", "--delay", "0"]).spawn().unwrap();
    let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    wait_for_prompts(&mut out, &mut Vec::new(), 2);
    fs::remove_file(&log).unwrap();
    stdin.write_all(b"a s q\n").unwrap();
    drop(stdin);
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), rest.as_str()), (Some(1), ""));
    assert!(stderr(&output).contains("cannot write to log; the game has stopped before that move"));
}

/// The game does not start if its board could not be saved, and a check before the game leaves the old board alone.
#[test]
fn a_bad_output_is_noticed_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("d")).unwrap();
    for bad in ["d", "no/such/folder/x", "missing/"] {
        let output = run(folder.path(), &["psa3", "-o", bad], "w q");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
        assert!(stderr(&output).contains(&format!("cannot save to {bad}")), "{}", stderr(&output));
    }
    fs::write(folder.path().join("old"), "old").unwrap();
    for (file, before) in [("old", Some("old")), ("new", None)] {
        let mut child = workbench(folder.path(), &["psa3", "-o", file]).spawn().unwrap();
        wait_for_prompts(child.stdout.as_mut().unwrap(), &mut Vec::new(), 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join(file)).ok().as_deref(), before);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "d and old");
}

#[test]
fn replay_takes_its_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log"), "4 wasd").unwrap();
    let start = std::time::Instant::now();
    assert!(run(folder.path(), &["psa3", "--replay", "log", "--delay", "0.05"], "q").status.success());
    assert!(start.elapsed() >= std::time::Duration::from_millis(200), "four moves, a twentieth of a second each");
    for delay in ["-1", "nan", "inf", "3601", "soon"] {
        let output = run(folder.path(), &["psa3", "--replay", "log", &format!("--delay={delay}")], "q");
        assert_eq!(output.status.code(), Some(2), "{delay}");
    }
}

#[test]
fn damaged_files_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    let boards: [(&[u8], &str); 6] = [
        (b"", ":1:1: expected the size of the board, from 2 to 128, found the end of the file"),
        (b"4\n0\n2 2\n", ":4:1: expected the tile of row 1, column 3, found the end of the file"),
        (b"2\n0\n2 2 \n2 2 \n2 ", ":5:1: expected the end of the file, found \"2\""),
        (b"2\n0\n2 2 \n2 2,\n", ":4:3: expected the tile of row 2, column 2, found \"2,\""),
        (b"9999999\n0\n", ":1:1: expected the size of the board"),
        (b"PK\x03\x04\0\0\xff\xff", ":1:1: expected the size of the board"),
    ];
    let logs: [(&[u8], &str); 4] = [
        (b"", ":1:1: expected the size of the board"),
        (b"4 wsa;d", ":1:6: expected a move, w, a, s or d, found \";d\""),
        (b"4 ws\r\nad\r\nq\r\n", ":3:1: expected a move, w, a, s or d, found \"q\""),
        (b"0 ws", ":1:1: expected the size of the board"),
    ];
    for (option, cases) in [("-i", &boards[..]), ("--replay", &logs[..])] {
        for (bytes, place) in cases {
            fs::write(&file, bytes).unwrap();
            let output = run(folder.path(), &["psa3", option, "f"], "w q");
            assert_eq!(output.status.code(), Some(1));
            assert!(stderr(&output).contains(&format!("f{place}")), "{}", stderr(&output));
            assert_eq!(&fs::read(&file).unwrap(), bytes);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        let output = run(folder.path(), &["psa3", option, "missing"], "w q");
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("cannot open missing"));
    }
}

/// Waits until the program has asked for a command `prompts` times in all.
fn wait_for_prompts(out: &mut impl Read, seen: &mut Vec<u8>, prompts: usize) {
    while seen.windows(2).filter(|window| window == b"> ").count() < prompts {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
}

/// A kill at any moment loses at most the command that is being typed.
#[test]
fn a_killed_game_is_in_its_record() {
    let folder = tempfile::tempdir().unwrap();
    for moves in [0, 1, 2, 7, 40] {
        let keys: String = "wasdsawd".chars().cycle().take(moves).collect();
        let mut child = workbench(folder.path(), &["psa3", "--record", "log"]).spawn().unwrap();
        let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut seen = Vec::new();
        for (done, key) in keys.chars().enumerate() {
            wait_for_prompts(&mut out, &mut seen, done + 1);
            writeln!(stdin, "{key}").unwrap();
        }
        wait_for_prompts(&mut out, &mut seen, moves + 1);
        stdin.write_all(b"w").unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), format!("4 {keys}"));
        let replayed = stdout(&run(folder.path(), &["psa3", "--replay", "log", "--delay", "0"], "q"));
        let recorded = String::from_utf8(seen).unwrap();
        assert_eq!(replayed, recorded.replace("Recording gameplay", "Replaying a game"));
        check_only(folder.path(), "log");
    }
}

fn check_only(folder: &Path, name: &str) {
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [name]);
}

/// Nobody reads the output any more: the program ends without complaint, and the record has the command that it was
/// about to answer. (While another test starts a program, that one holds the output open for a moment.)
#[test]
fn a_closed_output_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = workbench(folder.path(), &["psa3", "--record", "log"]).spawn().unwrap();
    let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    wait_for_prompts(&mut out, &mut Vec::new(), 1);
    drop(out);
    drop(stdin.write_all(b"w a s d q\n"));
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.starts_with("4 w") && "4 wasd".starts_with(&log), "{log}");
}

/// What the board file holds after these keys and `q`.
fn board_after(keys: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["psa3"], format!("{keys} q")).status.success());
    fs::read_to_string(folder.path().join("2048.board")).unwrap()
}

#[test]
fn a_signal_saves_the_board() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = workbench(folder.path(), &["psa3"]).spawn().unwrap();
        let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        // The last word is cut short by the signal, so it is no command.
        stdin.write_all(b"d s a w\na").unwrap();
        wait_for_prompts(&mut out, &mut Vec::new(), 5);
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert_eq!(stderr(&output), "estr2048: the board is saved to 2048.board\n", "{signal}");
        assert_eq!(fs::read_to_string(folder.path().join("2048.board")).unwrap(), board_after("d s a w"));
        check_only(folder.path(), "2048.board");
    }
}

/// A signal ends a replay and a record, too; their file is as it was.
#[test]
fn a_signal_ends_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log"), "4 wasd").unwrap();
    let mut child = workbench(folder.path(), &["psa3", "--replay", "log", "--delay", "3600"]).spawn().unwrap();
    wait_for_prompts(child.stdout.as_mut().unwrap(), &mut Vec::new(), 1);
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), "4 wasd");
}

/// The board is kept, and the message names the output.
#[test]
fn a_full_or_closed_output_loses_no_board() {
    for (output, status, complaint) in
        [("> /dev/full", 1, "estr2048: cannot write to standard output: No space left on device"), ("| true", 0, "")]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("bash");
        shell
            .current_dir(folder.path())
            .arg("-c")
            .arg(format!("set -o pipefail; sleep 0.2; \"$0\" psa3 -s 3 {output}"));
        let ended = run_command(shell.arg(env!("CARGO_BIN_EXE_estr2048")), "w a s d q\n".repeat(3));
        assert_eq!(ended.status.code(), Some(status), "{}", stderr(&ended));
        assert!(stderr(&ended).contains(complaint), "{}", stderr(&ended));
        assert!(fs::read_to_string(folder.path().join("2048.board")).unwrap().starts_with("3\n"), "{output}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_refused_at_the_start() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    symlink("nosuch/x", folder.path().join("l")).unwrap();
    symlink("l", folder.path().join("m")).unwrap();
    symlink("round", folder.path().join("round")).unwrap();
    for (link, why) in
        [("l", "it is a link to ./nosuch/x: "), ("m", "link to ./nosuch/x: "), ("round", "symbolic links")]
    {
        let output = run(folder.path(), &["psa3", "-o", link], "w q");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{link}");
        let message = stderr(&output);
        assert!(message.contains(&format!("cannot save to {link}: ")) && message.contains(why), "{message}");
    }
    // A link to a file that is yet to be made is as good as the file.
    symlink("new", folder.path().join("good")).unwrap();
    assert!(run(folder.path(), &["psa3", "-o", "good"], "w q").status.success());
    assert_eq!(fs::read_to_string(folder.path().join("new")).unwrap(), board_after("w"));
}

#[test]
fn another_seed_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let starts: HashSet<String> =
        (0..20).map(|_| stdout(&run(folder.path(), &["psa3", "-s", "20", "--seed", "random"], "q"))).collect();
    assert!(starts.len() > 1);
    let output = run(folder.path(), &["psa3", "--seed", "soon"], "q");
    assert_eq!(output.status.code(), Some(2));
    // The record holds the seed that was drawn.
    let recorded = run(folder.path(), &["psa3", "--seed", "random", "--record", "log"], "w a s d q");
    let replayed = run(folder.path(), &["psa3", "--replay", "log", "--delay", "0"], "q");
    assert_eq!(stdout(&replayed), stdout(&recorded).replace("Recording gameplay", "Replaying a game"));
}
