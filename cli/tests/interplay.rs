//! The courses' programs with somebody at the other end of the pipes: what they print is there before they read, and on
//! every way out.

mod support;
#[path = "support/terminal.rs"]
mod terminal;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{run, run_command, stderr, stdout, workbench};
use terminal::{ARROWS, Terminal};

/// Reads until the output ends with `end`.
fn read_until(out: &mut impl Read, end: &str) -> String {
    let mut seen = Vec::new();
    while !seen.ends_with(end.as_bytes()) {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    String::from_utf8(seen).unwrap()
}

const PROGRAMS: [(&[&str], &str); 5] = [
    (&["psa3", "-s", "128", "--seed", "7"], "> "),
    (&["pa4"], "> "),
    (&["comp1020", "128", "--seed", "7"], "for up,left,down,right:"),
    (&["cs61b", "--size", "128"], "\n> "),
    (&["estr1002"], ": "),
];

/// Each answer is typed only after its prompt was read, and the text is the same as by pipe at once.
#[test]
fn a_prompt_comes_before_its_answer() {
    let answers = |name: &str| if name == "estr1002" { ["1234", "R", "L", "R"] } else { ["w", "a", "x", "s"] };
    for (words, prompt) in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let mut child = workbench(folder.path(), words).spawn().unwrap();
        let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut text = String::new();
        for answer in answers(words[0]) {
            text += &read_until(&mut out, prompt);
            writeln!(stdin, "{answer}").unwrap();
        }
        text += &read_until(&mut out, prompt);
        drop(stdin);
        out.read_to_string(&mut text).unwrap();
        child.wait().unwrap();
        let at_once = run(folder.path(), words, answers(words[0]).join("\n") + "\n");
        assert_eq!(text, stdout(&at_once), "{words:?}");
    }
}

/// What was printed before an error is not lost, and comes before the complaint.
#[test]
fn errors_come_after_what_was_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("damaged"), "4 4 x").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    for (words, printed, complaint) in [
        (&["psa3", "-i", "damaged"][..], "Loading Board from damaged", "estr2048: damaged:1:5:"),
        (&["pa4", "damaged"], "from damaged..", "estr2048: damaged:1:5:"),
        (&["pa4", "d"], "from d..", "starting a new game"),
        (&["comp1020"], "The board:", "the input ended before the game did"),
    ] {
        let log = folder.path().join("log");
        let both = File::create(&log).unwrap();
        let mut command = workbench(folder.path(), words);
        let ended = command.stdin(Stdio::null()).stdout(both.try_clone().unwrap()).stderr(both).status().unwrap();
        assert_eq!(ended.code(), Some(1), "{words:?}");
        let text = std::fs::read_to_string(log).unwrap();
        let places = (text.find(printed), text.find(complaint));
        assert!(places.0.is_some() && places.0 < places.1, "{words:?}: {text}");
    }
}

/// A full disk does not pass for a game.
#[test]
fn an_output_that_cannot_be_written() {
    for (words, _) in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = std::process::Command::new("sh");
        shell.current_dir(folder.path()).args(["-c", "exec \"$0\" \"$@\" > /dev/full"]);
        shell.arg(env!("CARGO_BIN_EXE_estr2048")).args(words);
        let ended = run_command(&mut shell, "w\na\nq\n");
        assert_eq!(ended.status.code(), Some(1), "{words:?}");
        let message = stderr(&ended);
        assert!(message.contains("No space left") && message.contains("standard output"), "{words:?}: {message}");
    }
}

/// A pipe with a name has nobody at its other end, perhaps for ever.
#[test]
fn a_named_pipe_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for (words, verb) in [
        (&["psa3", "-i", "pipe"][..], "open"),
        (&["psa3", "-o", "pipe"], "save to"),
        (&["psa3", "--record", "pipe"], "save to"),
        (&["psa3", "--replay", "pipe"], "open"),
        (&["pa4", "pipe"], "open"),
    ] {
        let ended = run(folder.path(), words, "q\n");
        let message = format!("cannot {verb} pipe: it is a named pipe (FIFO), not a file\n");
        assert_eq!(ended.status.code(), Some(1), "{words:?}");
        assert!(stderr(&ended).ends_with(&message), "{words:?}: {}", stderr(&ended));
    }
    // The shell's own pipes have somebody at the other end.
    let mut shell = Command::new("bash");
    shell.current_dir(folder.path()).args(["-c", "exec \"$0\" psa3 -i <(printf '2 0 2 4 8 16') -o /dev/stderr"]);
    let ended = run_command(shell.arg(env!("CARGO_BIN_EXE_estr2048")), "q\n");
    assert_eq!((ended.status.code(), stderr(&ended).as_str()), (Some(0), "2\n0\n2 4 \n8 16 \n"));
}

/// A course's program on a terminal, and a way to read its last line.
fn on_a_terminal(folder: &Path, words: &[&str]) -> Terminal {
    Terminal::start(folder, (80, 1000), words, &[])
}

/// The lines of the screen that are not blank.
fn lines(screen: &vt100::Screen) -> Vec<String> {
    screen.contents().lines().map(str::trim_end).filter(|line| !line.is_empty()).map(String::from).collect()
}

fn ends_with(screen: &vt100::Screen, end: &str) -> bool {
    lines(screen).last().is_some_and(|line| line.ends_with(end))
}

/// What ends a game at a prompt stands on a line of its own, and so does the shell's next prompt.
#[test]
fn the_end_of_the_input_leaves_the_prompt() {
    for (words, prompt, status) in
        [(&["psa3"][..], ">", 0), (&["pa4"], ">", 1), (&["comp1020"], "right:", 1), (&["cs61b"], ">", 0)]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = on_a_terminal(folder.path(), words);
        terminal.wait(prompt, |screen| ends_with(screen, prompt));
        terminal.press("\x04");
        let (ended, screen) = terminal.end();
        assert_eq!(ended.exit_code(), status, "{words:?}");
        assert_eq!(screen.cursor_position().1, 0, "{words:?}: {}", screen.contents());
        let lines = lines(&screen);
        let asked = lines.iter().rposition(|line| line.ends_with(prompt)).unwrap();
        match words[0] {
            "psa3" => assert_eq!(lines[asked + 1..], ["estr2048: the board is saved to 2048.board"]),
            "cs61b" => assert_eq!(lines.len(), asked + 1),
            _ => assert!(lines[asked + 1].starts_with("estr2048: the input ended before the game did"), "{lines:?}"),
        }
    }
}

#[test]
fn control_c_saves_a_board_of_psa3() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = on_a_terminal(folder.path(), &["psa3", "-o", "mine"]);
    terminal.wait_for(">");
    terminal.press("\x03");
    let (ended, screen) = terminal.end();
    assert_eq!(ended.exit_code(), 130);
    assert_eq!(lines(&screen).last().unwrap(), "estr2048: the board is saved to mine");
    assert!(folder.path().join("mine").exists());
}

/// A key ends the waiting of a replay, and no key that is pressed meanwhile becomes a move.
#[test]
fn a_key_skips_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let record = format!("4 {}", "wasd".repeat(6));
    fs::write(folder.path().join("log"), &record).unwrap();
    let whole = stdout(&run(folder.path(), &["psa3", "--replay", "log", "--delay", "0"], "q"));
    let (_, last) = whole.rsplit_once("Score: ").unwrap();
    let last = last.lines().next().unwrap();
    let mut terminal = on_a_terminal(folder.path(), &["psa3", "--replay", "log", "--delay", "3600"]);
    terminal.wait_for("(Any key shows the rest at once.)");
    terminal.wait("the first prompt", |screen| ends_with(screen, ">"));
    terminal.press("wwww\n");
    // A prompt without a key behind it is the one after the last move.
    let score = format!("Score: {last}");
    terminal.wait("the end of the replay", |screen| {
        let lines = lines(screen);
        let board = lines.iter().rposition(|line| line.starts_with("Score: "));
        ends_with(screen, ">") && board.is_some_and(|board| lines[board] == score && lines[board - 1] == "> d")
    });
    terminal.press("q\n");
    let (ended, screen) = terminal.end();
    assert_eq!(ended.exit_code(), 0, "{}", screen.contents());
    assert!(screen.contents().contains("> q"), "the terminal shows again what is typed");
    assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), record);
}

#[test]
fn keys_of_comp1020() {
    let folder = tempfile::tempdir().unwrap();
    let prompts = |screen: &vt100::Screen, prompts: usize| {
        screen.contents().matches("right:").count() == prompts && screen.contents().trim_end().ends_with("right:")
    };
    // The same keys by pipe: one tile, and where each direction takes it.
    let pipe = |keys: &str| stdout(&run(folder.path(), &["comp1020", "3", "--seed", "1"], keys));
    let mut terminal = on_a_terminal(folder.path(), &["comp1020", "3", "--seed", "1"]);
    terminal.wait("a prompt", |screen| prompts(screen, 1));
    let mut letters = String::new();
    for (turn, (arrow, letter)) in ARROWS.into_iter().zip(["i\n", "k\n", "j\n", "l\n"]).enumerate() {
        terminal.press(&format!("{arrow}\n"));
        letters += letter;
        terminal.wait("the next prompt", |screen| prompts(screen, turn + 2));
    }
    // Home is no move.
    terminal.press("\x1b[H\n");
    let screen = terminal.wait("the next prompt", |screen| prompts(screen, 6));
    let shown: Vec<String> = lines(&screen).into_iter().filter(|line| !line.contains("right:")).collect();
    let by_pipe = pipe(&letters).replace("Type i,j,k,l or w,a,s,d for up,left,down,right:", "");
    let expected = vt100_text(&by_pipe);
    assert_eq!(
        shown.iter().filter(|line| !line.contains("Invalid")).collect::<Vec<_>>(),
        expected.iter().filter(|line| !line.contains("Invalid")).collect::<Vec<_>>()
    );
    terminal.press("q\n");
    assert_eq!(terminal.end().0.exit_code(), 0);
}

/// The lines that a terminal shows of this text, those not blank.
fn vt100_text(text: &str) -> Vec<String> {
    let mut parser = vt100::Parser::default();
    parser.screen_mut().set_size(60.try_into().unwrap(), 80.try_into().unwrap());
    parser.process(text.replace('\n', "\r\n").as_bytes());
    lines(parser.screen())
}

#[test]
fn the_last_move_of_comp1020_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["comp1020", "2", "--seed", "4"];
    let moves = "ijkl".repeat(30);
    let by_pipe = stdout(&run(folder.path(), &words, moves.chars().map(|key| format!("{key}\n")).collect::<String>()));
    assert!(by_pipe.ends_with("Game Over!\n"));
    let mut terminal = on_a_terminal(folder.path(), &words);
    for key in moves.chars().cycle() {
        let screen = terminal.wait("a question", |screen| {
            let text = screen.contents();
            text.trim_end().ends_with("right:") || text.contains("answer ends:")
        });
        if screen.contents().contains("Game Over!") {
            break;
        }
        let row = screen.cursor_position();
        terminal.press(&format!("{key}\n"));
        terminal
            .wait("an answer", |screen| screen.contents().contains("Game Over!") || screen.cursor_position() != row);
    }
    terminal.wait_for("z takes the last move back, any other answer ends:");
    terminal.press("z\n");
    terminal.wait("the game again", |screen| screen.contents().trim_end().ends_with("right:"));
    terminal.press("q\n");
    assert_eq!(terminal.end().0.exit_code(), 0);
}

#[test]
fn arrow_keys_of_cs61b() {
    let folder = tempfile::tempdir().unwrap();
    let by_pipe = stdout(&run(folder.path(), &["cs61b"], "Up\nDown\nLeft\nRight\nq\n"));
    let mut terminal = on_a_terminal(folder.path(), &["cs61b"]);
    for (turn, arrow) in ARROWS.into_iter().enumerate() {
        terminal
            .wait("a prompt", |screen| ends_with(screen, ">") && screen.contents().matches('>').count() == turn + 1);
        terminal.press(&format!("{arrow}\n"));
    }
    let screen = terminal
        .wait("the last prompt", |screen| ends_with(screen, ">") && screen.contents().matches('>').count() == 5);
    let boards = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('|')).map(|line| line.trim_end().into()).collect()
    };
    assert_eq!(boards(&screen.contents()), boards(&by_pipe));
    terminal.press("q\n");
    assert_eq!(terminal.end().0.exit_code(), 0);
}

/// The boards that a screen shows, first to last: runs of lines of nothing but cells.
fn boards_on(screen: &vt100::Screen) -> Vec<Vec<String>> {
    let is_row = |line: &str| {
        !line.trim().is_empty()
            && line.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, ' ' | '-' | '|'))
            && line.contains(['-', '|', '2', '4'])
    };
    let mut boards = vec![Vec::new()];
    for line in screen.contents().lines() {
        match is_row(line) {
            true => boards.last_mut().unwrap().push(line.trim().to_owned()),
            false => boards.push(Vec::new()),
        }
    }
    boards.retain(|board| !board.is_empty());
    boards
}

/// A person can go back to the first board, and never beyond it; a pipe has no such key.
#[test]
fn moves_are_taken_back_on_a_terminal() {
    for course in ["psa3", "pa4", "cs61b"] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = on_a_terminal(folder.path(), &[course]);
        let mut prompts = 1;
        let mut type_and_wait = |terminal: &mut Terminal, keys: &str| {
            for key in keys.chars() {
                terminal.press(&format!("{key}\n"));
                prompts += 1;
                let prompt = |line: &&str| line.trim_end() == ">" || line.starts_with("> ");
                terminal.wait("the next prompt", |screen| {
                    ends_with(screen, ">") && screen.contents().lines().filter(prompt).count() == prompts
                });
            }
        };
        let first = boards_on(&terminal.wait("a prompt", |screen| ends_with(screen, ">"))).remove(0);
        type_and_wait(&mut terminal, "wasdwasd");
        let later = boards_on(&terminal.wait_for(">")).pop().unwrap();
        assert_ne!(later, first, "{course}");
        type_and_wait(&mut terminal, &"z".repeat(9));
        assert_eq!(boards_on(&terminal.wait_for(">")).pop().unwrap(), first, "{course}");
        // The generator went back, too: the same moves make the same game.
        type_and_wait(&mut terminal, "wasdwasd");
        assert_eq!(boards_on(&terminal.wait_for(">")).pop().unwrap(), later, "{course}");
        terminal.press("q\n");
        assert_eq!(terminal.end().0.exit_code(), 0, "{course}");
        let piped = run(folder.path(), &[course], "w\nz\nq\n");
        assert!(!stdout(&piped).contains("takes the last move back"), "{course}");
    }
}

/// A reader that has stopped keeps nobody from saving the board.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_gets_past_an_output_that_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = workbench(folder.path(), &["psa3", "-o", "mine"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || drop(stdin.write_all("what? ".repeat(100_000).as_bytes())));
    let id = child.id();
    let written = || {
        let counters = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
        let written = counters.lines().find_map(|line| line.strip_prefix("wchar: "));
        written.and_then(|count| count.parse::<u64>().ok()).unwrap_or(0)
    };
    // As much as fits into a pipe, and nothing more for a while: what follows waits.
    let (mut before, mut unchanged) = (0, 0);
    while unchanged < 10 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before its output was full");
        let now = written();
        unchanged = if now == before && now > 0 { unchanged + 1 } else { 0 };
        before = now;
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap().success());
    // The output is held open, and read by nobody, until the program has ended.
    let unread = child.stdout.take();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    drop(unread);
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(stderr(&output), "estr2048: the board is saved to mine\n");
    assert!(folder.path().join("mine").exists());
}

#[test]
fn a_name_that_is_no_files_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["psa3", "-o", "missing/"], "q");
    assert_eq!(output.status.code(), Some(1));
    let complaint = "cannot save to missing/: this is the name of a folder that does not exist, not of a file";
    assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
}
