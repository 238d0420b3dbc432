//! The laboratory, through the real program, on a board that is solved in no time.

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use estr2048_lab::grid::{DIRECTIONS, Grid};
use estr2048_lab::retrograde::Made;
use estr2048_lab::store;
use support::{run, stderr, stdout, workbench};

const SETS: [&str; 8] = ["lab", "sets", "-q", "--board", "2x3", "--out", "sets", "--down-to"];
const LEARN: [&str; 11] =
    ["lab", "learn", "-q", "--board", "2x3", "--tuple", "0,1,2,3", "--tuple", "0,1,3,4", "--tuple", "1,2,4,5"];

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments, "");
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// Points, afterstates and boards of each line: not the seconds.
fn counts(table: &str) -> Vec<Vec<String>> {
    table.lines().map(|line| line.split_whitespace().take(3).map(str::to_owned).collect()).collect()
}

#[test]
fn sets_that_were_stopped_go_on_and_are_never_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = ["lab", "sets", "-q", "--board", "2x3", "--down-to", "16", "--last-moves", "12"];
    let whole = counts(&printed(folder, &whole));
    assert_eq!(whole.len(), 10);
    let part = |down_to, moves| [&SETS[..], &[down_to, "--last-moves", moves]].concat();
    let first = counts(&printed(folder, &part("8", "12")));
    assert_eq!(first, whole[..6]);
    let rest = counts(&printed(folder, &part("16", "12")));
    assert_eq!(rest[1..], whole[5..]);
    let other = run(folder, &part("20", "5"), "");
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("was made with --floor 1 and --last-moves 12"), "{}", stderr(&other));

    // The halves alone are a weaker claim, for more boards, which is not taken for the other.
    let halves = ["lab", "sets", "-q", "--board", "2x3", "--halves", "--last-moves", "5", "--out", "halves"];
    let halves: usize = counts(&printed(folder, &[&halves[..], &["--down-to", "8"]].concat()))[2][1].parse().unwrap();
    let whole = ["lab", "sets", "-q", "--board", "2x3", "--last-moves", "5", "--out", "fives", "--down-to", "8"];
    let whole: usize = counts(&printed(folder, &whole))[2][1].parse().unwrap();
    assert!(whole < halves, "{whole} and {halves}");
    let gate = run(folder, &[&LEARN[..], &["--sets", "halves", "--gate", "8", "--out", "net"]].concat(), "");
    assert!(stderr(&gate).contains("was made with --halves, --floor 1"), "{}", stderr(&gate));

    let shown = printed(folder, &[&part("8", "12")[..], &["--examples", "2"]].concat());
    let boards: Vec<Vec<&str>> = shown.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(boards.len(), 6, "{shown}");
    for board in boards.chunks(3) {
        let tiles = board.concat().into_iter().filter_map(|tile| tile.parse::<u32>().ok());
        assert_eq!(tiles.sum::<u32>(), 64 - 8, "{shown}");
    }
}

#[test]
fn the_real_board_has_sets_but_no_learner_here() {
    let folder = tempfile::tempdir().unwrap();
    let learn = run(folder.path(), &["lab", "learn", "--board", "4x4", "--out", "net"], "");
    assert_eq!(learn.status.code(), Some(2));
    assert!(stderr(&learn).contains("estr2048 train"), "{}", stderr(&learn));
    // One way alone leads nowhere.
    let sets = ["lab", "sets", "-q", "--board", "4x4", "--without", "left", "--without", "up", "--without", "right"];
    let table = printed(folder.path(), &sets);
    assert_eq!(counts(&table)[1..], [["0", "0", "0"]], "{table}");
}

#[test]
fn starts_come_from_sets_of_the_real_board() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &[&SETS[..], &["8", "--last-moves", "12"]].concat());
    for (sets, reason) in [("sets", "is no set of this board"), ("nothing", "00002.set")] {
        let refused = run(folder, &["lab", "starts", sets, "--down-to", "8", "--out", "starts.txt"], "");
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
        assert!(!folder.join("starts.txt").exists());
    }
}

#[test]
fn a_taught_learner_wins_what_it_is_sure_of() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &[&SETS[..], &["16", "--last-moves", "20"]].concat());
    let gate = ["--sets", "sets", "--gate", "16"];
    let curve = printed(folder, &[&LEARN[..], &gate, &["--out", "net", "--games", "2000"]].concat());
    assert!(curve.lines().nth(1).unwrap().trim_start().starts_with("2000 "), "{curve}");
    let play = ["lab", "play", "net", "-q", "--board", "2x3", "--games", "200", "--follow"];
    let played = printed(folder, &[&play[..], &LEARN[5..], &gate].concat());
    let last = played.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert!(last.starts_with("followed by the sets: ") && words[4] == words[6] && words[4] != "0", "{played}");
}

#[test]
fn from_gate_to_gate_games_reach_the_ceiling() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &[&SETS[..], &["16", "--last-moves", "20"]].concat());
    let ceiling = ["lab", "sets", "-q", "--board", "2x3", "--fill", "126", "--out", "ceiling", "--down-to"];
    let table = printed(folder, &[&ceiling[..], &["20"]].concat());
    assert_eq!(counts(&table)[1], ["0", "0", "0"], "the ceiling itself is not listed: {table}");
    // What was stopped goes on here as well.
    let further = printed(folder, &[&ceiling[..], &["40"]].concat());
    assert_eq!(counts(&further)[1], *counts(&table).last().unwrap());
    let other = run(folder, &[&SETS[..7], &["--fill", "96", "--down-to", "16"]].concat(), "");
    assert!(stderr(&other).contains("is no set of this board"), "{}", stderr(&other));

    printed(folder, &[&LEARN[..], &["--out", "first", "--games", "2000"]].concat());
    printed(folder, &[&LEARN[..], &["--behind", "64", "--out", "second", "--games", "2000"]].concat());
    let play = ["lab", "play", "first", "-q", "--board", "2x3", "--games", "200", "--budget", "20", "--then", "second"];
    let gates = ["--sets", "sets", "--gate", "16", "--sets", "ceiling", "--gate", "40", "--follow"];
    let played = printed(folder, &[&play[..], &LEARN[5..], &gates].concat());
    let lines: Vec<&str> = played.lines().collect();
    let share = |what: &str| -> f64 {
        let line = lines.iter().find_map(|line| line.strip_prefix(what)).unwrap_or_else(|| panic!("{what}: {played}"));
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let (first, ceiling) = (share("share with 64: "), share("share at 126: "));
    assert!(0.5 < ceiling && ceiling <= first, "{played}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("followed by the sets: ")).count(), 2, "{played}");
}

#[test]
fn gates_that_lead_nowhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &[&LEARN[..], &["--out", "net", "--games", "10"]].concat());
    printed(folder, &[&SETS[..], &["16"]].concat());
    let later = ["lab", "sets", "-q", "--board", "2x3", "--fill", "96", "--out", "later", "--down-to", "32"];
    printed(folder, &later);
    let play = [&["lab", "play", "net", "-q", "--board", "2x3", "--games", "5"], &LEARN[5..]].concat();
    let gate = |sets| ["--sets", sets, "--gate", "16"];
    let refused: [(Vec<&str>, &str); 9] = [
        (gate("later").to_vec(), "begin --behind the fill 64"),
        ([&gate("later")[..], &gate("sets"), &["--then", "net", "--follow"]].concat(), "ascending"),
        ([&gate("sets")[..], &["--then", "net"]].concat(), "only with --follow"),
        ([&gate("sets")[..], &["--behind", "64"]].concat(), "games have not begun: they do at 64"),
        (vec!["--sets", "sets", "--gate", "16", "--sets", "later", "--gate", "32"], "they do at 64"),
        (vec!["--behind", "126"], "nothing follows 126"),
        ([&gate("sets")[..], &["--gate", "8"]].concat(), "every --sets needs its --gate"),
        (vec!["--then", "net", "--then", "net"], "3 networks for 2 parts"),
        (vec!["--behind", "100"], "64, 96, 112"),
    ];
    for (arguments, reason) in refused {
        let output = run(folder, &[&play[..], &arguments].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{arguments:?}: {}", stderr(&output));
    }
    let learn = [&LEARN[..], &gate("sets"), &gate("later"), &["--out", "other"]].concat();
    let output = run(folder, &learn, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("one gate at most"), "{}", stderr(&output));
    // What comes later is looked at before the first game.
    let missing = run(folder, &[&play[..], &["--then", "none"]].concat(), "");
    assert!(stdout(&missing).is_empty() && stderr(&missing).contains("none"), "{}", stderr(&missing));
    fs::remove_file(folder.join("sets/00002.set")).unwrap();
    let missing = run(folder, &[&play[..], &gate("sets"), &["--follow"]].concat(), "");
    assert!(stdout(&missing).is_empty() && stderr(&missing).contains("00002.set"), "{}", stderr(&missing));

    let corner = run(folder, &["lab", "sets", "--board", "2x3", "--corner"], "");
    assert_eq!(corner.status.code(), Some(2));
    let corner = run(folder, &[&later[..], &["--corner"]].concat(), "");
    assert!(stderr(&corner).contains("without --corner: name another folder"), "{}", stderr(&corner));
    let fill = run(folder, &["lab", "sets", "--board", "2x3", "--fill", "100"], "");
    assert_eq!(fill.status.code(), Some(2));
    assert!(stderr(&fill).contains("64, 96, 112, 120, 124, 126"), "{}", stderr(&fill));
}

#[test]
fn nothing_is_lost_by_ctrl_c_or_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let learn = [&LEARN[..], &["--out", "net", "--games", "1000000000", "--every", "100"]].concat();
    let mut child = workbench(folder, &learn).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.join("net").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::yield_now();
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("--resume net goes on"), "{}", stderr(&output));
    printed(folder, &[&LEARN[..], &["--out", "net", "--resume", "net", "--games", "10"]].concat());

    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = workbench(folder, &["lab", "solve", "--board", "2x2"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write to standard output"), "{}", stderr(&output));
}

#[test]
fn games_are_told_apart_by_the_fills_where_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let fills = ["lab", "fills", "-q", "--games", "1", "--nodes", "1", "--boards", "1000", "--to", "61440"];
    let table = printed(folder.path(), &fills);
    assert!(
        table.starts_with("1 games, ") && table.lines().nth(2).unwrap().trim_start().starts_with("61440 "),
        "{table}"
    );
    let wrong = run(folder.path(), &["lab", "fills", "--from", "600", "--to", "500"], "");
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn games_over_a_stretch_are_counted_whoever_plays_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // An open board, one that the games have behind them, and one that is over.
    let boards =
        "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n1024 512 0 0 0 0 0 0 0 0 0 0 0 0 0 2\n2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2\n";
    fs::write(folder.join("boards.txt"), boards).unwrap();
    let stretch = ["lab", "stretch", "-q", "boards.txt", "--nodes", "1", "--games", "40", "--to"];
    let table = printed(folder, &[&stretch[..], &["200"]].concat());
    assert!(table.starts_with("40 games from 1 boards, 40 came to 200: 1.000 (95 %: 0.912 to 1.000)\n"), "{table}");
    let far = printed(folder, &[&stretch[..], &["30000"]].concat());
    let count = far.lines().nth(1).unwrap().split_whitespace().filter(|word| *word != "ends:").count();
    assert!(far.contains(&format!("from 2 boards, {} came to 30000", 40 - count)), "{far}");
    assert_eq!(printed(folder, &[&stretch[..], &["30000", "--jobs", "3"]].concat()), far);
    let json = printed(folder, &[&stretch[..], &["30000", "--json"]].concat());
    assert!(json.contains(&format!("\"came\":{}", 40 - count)), "{json}");

    let kept = |name: &str, more: &[&str]| {
        printed(folder, &[&stretch[..], &["200", "--sums", "2..2", "--out", name], more].concat());
        fs::read_to_string(folder.join(name)).unwrap()
    };
    let (every, fourth) = (kept("every.txt", &["--every", "1"]), kept("fourth.txt", &["--every", "4"]));
    assert_eq!(every.lines().count(), 40 * 99);
    assert_eq!(fourth.lines().count(), (1..=40).map(|seed| (99 + seed - 1) / 4 - (seed - 1) / 4).sum::<usize>());
    assert!(fourth.lines().all(|line| every.contains(line)));
    assert_eq!(kept("jobs.txt", &["--every", "4", "--jobs", "3"]), fourth);
    let strayed = kept("strayed.txt", &["--every", "1", "--stray", "9"]);
    assert!((40 * 90..40 * 99).contains(&strayed.lines().count()), "each game lacks up to nine");
    let sum = |line: &str| line.split(' ').filter_map(|tile| tile.parse::<i32>().ok()).sum::<i32>();
    assert!(strayed.lines().map(sum).all(|sum| (2..200).contains(&sum)));

    for (sums, status, reason) in [("5000..9000", 2, "--sums begins at 5000"), ("40..60", 1, "holds no boards")] {
        let refused = run(folder, &[&stretch[..], &["200", "--sums", sums]].concat(), "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
}

#[test]
fn the_endgame_is_solved_backwards_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // One move before the end; the same where the game is over, which is no board to ask for; one long
    // before, and one with no wall.
    let boards = "65536 32768 16384 8192 512 1024 2048 4096 256 128 64 32 8 16 2 2\n\
        65536 32768 16384 8192 512 1024 2048 4096 256 128 64 2 8 16 2 32\n65536 2 2 0 0 0 0 0 0 0 0 0 0 0 0 0\n\
        32768 32768 32768 16384 512 1024 2048 4096 256 128 64 2 2 0 8192 0\n";
    fs::write(folder.join("boards.txt"), boards).unwrap();
    let endgame = ["lab", "endgame", "-q", "--every", "1000", "--boards", "boards.txt", "--free"];
    let five = printed(folder, &[&endgame[..], &["5", "--examples", "1"]].concat());
    assert!(five.lines().nth(1).unwrap().trim_start().starts_with("131010 "), "{five}");
    assert!(five.contains("1 of 3 boards are among these; mean chance of all 0.333333, best 1.000000"), "{five}");
    assert_eq!(five.lines().filter(|line| line.contains('W')).count(), 4, "{five}");

    let kept = [&endgame[..], &["4", "--out", "ends"]].concat();
    printed(folder, &kept);
    assert_eq!(fs::read_dir(folder.join("ends")).unwrap().count(), 14);
    let numbers = |text: &str| {
        let row = |line: &str| line.split_whitespace().take(4).map(str::to_owned).collect::<Vec<_>>();
        text.lines().map(row).collect::<Vec<_>>()
    };
    let longer = printed(folder, &[&endgame[..], &["5", "--out", "ends"]].concat());
    assert_eq!(numbers(&longer)[..], numbers(&five)[..numbers(&longer).len()]);
    let json = printed(folder, &[&endgame[..], &["5", "--out", "ends", "--json"]].concat());
    assert!(json.contains("\"asked\":3") && json.contains("\"known\":1"), "{json}");

    let few = printed(folder, &["lab", "endgame", "-q", "--free", "6", "--most", "1", "--most-at-fills", "1"]);
    assert!(few.contains("is left: keep more of them"), "{few}");
    for (more, reason) in
        [(["--most", "5"], "made with another --floor, --most"), (["--floor", "1"], "made with another")]
    {
        let refused = run(folder, &[&kept[..], &more].concat(), "");
        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
    fs::write(folder.join("ends/00030.end"), "no").unwrap();
    let damaged = run(folder, &[&endgame[..], &["5", "--out", "ends"]].concat(), "");
    assert!(stderr(&damaged).contains("00030.end"), "{}", stderr(&damaged));
    let wrong = run(folder, &[&endgame[..], &["14"]].concat(), "");
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn the_best_play_to_the_end_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The best moves from here are sure to make 131070.
    let board = "65536 32768 16384 8192 4096 2048 1024 512 256 128 64 32 16 4 2 2\n";
    fs::write(folder.join("boards.txt"), board).unwrap();
    printed(folder, &["lab", "endgame", "-q", "--free", "3", "--out", "ends"]);
    let found = printed(folder, &["lab", "endgame-play", "-q", "ends", "boards.txt", "--out", "moves.tab"]);
    assert!(found.starts_with("3 boards in moves.tab, to which the best play from 1 boards comes"), "{found}");
    assert!(found.contains("comes to the goal in 1.0000 of the games, has no chance left in 0.0000"), "{found}");
}

#[test]
fn a_fill_is_solved_backwards_with_the_largest_tiles_in_given_layouts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // With five free cells the second 32 is due at 65536: one move makes it. Behind it, and without a 32768, nothing is asked.
    let boards = "32768 16384 8192 4096 256 512 1024 2048 128 64 32 2 2 4 16 16\n\
        32768 16384 8192 4096 256 512 1024 2048 128 64 32 2 2 4 32 2\n16384 16384 16384 8192 8192 0 0 2 0 0 0 0 0 0 0 0\n";
    fs::write(folder.join("boards.txt"), boards).unwrap();
    fs::write(folder.join("layouts.txt"), "WWWW/WWWW/WWW./....\n\nWWWW/WWWW/WW../....\n").unwrap();
    let fill =
        ["lab", "endgame", "-q", "--fill", "5", "--late", "6", "--every", "1", "--layouts", "layouts.txt", "--free"];
    let solved = printed(folder, &[&fill[..], &["6", "--boards", "boards.txt", "--out", "ends"]].concat());
    let first: Vec<&str> = solved.lines().nth(1).unwrap().split_whitespace().take(2).collect();
    assert_eq!(first, ["65548", "11"], "{solved}");
    assert!(solved.contains("1 of 3 boards are among these; mean chance of all 0.333333, best 1.000000"), "{solved}");
    let other = run(folder, &[&fill[..], &["6", "--out", "ends", "--anywhere", "6"]].concat(), "");
    assert!(stderr(&other).contains("other --layouts"), "{}", stderr(&other));

    let play = ["lab", "endgame-play", "-q", "ends", "boards.txt", "--out"];
    let found = printed(folder, &[&play[..], &["moves.tab"]].concat());
    assert!(found.starts_with("1 boards in moves.tab, to which the best play from 1 boards comes"), "{found}");
    assert!(found.contains("comes to the goal in 1.0000 of the games"), "{found}");
    fs::write(folder.join("none.txt"), "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0\n").unwrap();
    let none = run(folder, &["lab", "endgame-play", "-q", "ends", "none.txt", "--out", "none.tab"], "");
    assert!(stderr(&none).contains("ends knows none of these boards"), "{}", stderr(&none));
    assert!(!folder.join("none.tab").exists());

    // Games end where a folder or a file knows a board.
    let train = ["train", "-q", "--games", "2", "--tuple", "0,1", "--worth-of-top", "9", "--end-sums"];
    for ends in ["ends", "moves.tab"] {
        printed(folder, &[&train[..], &["65500..65540", "--ends", ends, "--out", &format!("{ends}.ckp")]].concat());
    }
    let late = run(folder, &[&train[..], &["65500..65560", "--ends", "ends", "--out", "late.ckp"]].concat(), "");
    assert!(stderr(&late).contains("has no sums after 65548"), "{}", stderr(&late));

    fs::write(folder.join("ten.txt"), "WWWW/WWWW/WW../....\n").unwrap();
    fs::write(folder.join("odd.txt"), "WWWW/WWWW/WWh./....\n").unwrap();
    for (more, reason) in [
        (&["4", "--layouts", "layouts.txt"][..], "--free 4 is fewer cells than --fill 5"),
        (&["6", "--layouts", "layouts.txt", "--late", "8"], "--late 8 is too late"),
        (&["6", "--late", "6", "--layouts", "ten.txt"], "names no layout of 11 tiles"),
        (&["6", "--layouts", "odd.txt"], "has to name layouts"),
        (&["6", "--layouts", "none.txt"], "none.txt"),
    ] {
        let refused = run(folder, &[&["lab", "endgame", "--fill", "5", "--free"], more].concat(), "");
        assert_ne!(refused.status.code(), Some(0));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
    let alone = run(folder, &["lab", "endgame", "--fill", "5"], "");
    assert_eq!(alone.status.code(), Some(2), "{}", stderr(&alone));
    assert!(stderr(&alone).contains("--layouts"), "{}", stderr(&alone));
}

/// A small network climbs from boards two and four points before 65536, stops, and goes on.
#[test]
fn a_ladder_stands_on_sets_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let grid = Grid::new(4, 4, &DIRECTIONS).unwrap();
    fs::create_dir(folder.join("sets")).unwrap();
    // All tiles once, from the corner on.
    let made = Made { floor: 1.0, last_moves: 15, halves: true, corner: false };
    for (points, board) in [(2, 0x1234_5678_9abc_def0), (4, 0x0234_5678_9abc_def0)] {
        let afters = vec![(grid.canonical(board), 1.0)];
        store::save(&folder.join("sets"), &grid, 65536 - points, made, &afters).unwrap();
    }
    let train = ["train", "-q", "--out", "small.ckp", "--games", "5", "--tuple", "0,1,2,3", "--tuple", "0,1,4,5"];
    printed(folder, &train);
    let ladder = |from: &'static str, down_to: &'static str, out: &'static str| {
        let fixed = ["lab", "ladder", "-q", "--sets", "sets", "--weights", "small.ckp", "--moves", "0", "0"];
        [&fixed[..], &["--boards", "50", "--from", from, "--down-to", down_to, "--out", out]].concat()
    };
    let first = counts(&printed(folder, &ladder("4", "8", "way")));
    assert_eq!(first.iter().map(|line| line[0].as_str()).collect::<Vec<_>>(), ["points", "-4", "-8"]);
    let kept = fs::read(folder.join("way/00008.set")).unwrap();
    let rest = counts(&printed(folder, &ladder("4", "16", "way")));
    assert_eq!(rest.iter().map(|line| line[0].as_str()).collect::<Vec<_>>(), ["points", "-12", "-16"]);
    assert_eq!(fs::read(folder.join("way/00008.set")).unwrap(), kept);
    printed(folder, &["train", "-q", "--out", "on.ckp", "--resume", "way/network.ckp", "--games", "6"]);

    for (from, status, reason) in
        [("6", 1, "00006.set, which `estr2048 lab sets` makes"), ("8", 2, "goes from --from to --down-to")]
    {
        let refused = run(folder, &ladder(from, "8", "new"), "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
    assert!(!folder.join("new").exists(), "nothing is made of what is refused");
}

/// With twelve walls the last sixteen points are solved in no time.
#[test]
fn the_last_points_are_solved_among_walls_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let walls = |slack: &'static str, more: &[&'static str]| {
        [&["lab", "walls", "-q", "--walls", "12", "--out", "tables", "--slack", slack], more].concat()
    };
    let cells = |table: &str| -> Vec<Vec<String>> {
        table.lines().map(|line| line.split_whitespace().rev().skip(1).map(str::to_owned).collect()).collect()
    };
    let part = printed(folder, &walls("8", &["--down-to", "6", "--threads", "1"]));
    let files = |folder: &Path| {
        let mut files: Vec<_> =
            fs::read_dir(folder.join("tables")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
    };
    let layers = part.lines().count() - 1;
    assert_eq!(files(folder).len(), layers + 1, "and one to go on from");
    fs::write(folder.join("boards.txt"), WALLED).unwrap();
    let starts = |tables: &'static str, seed: &'static str| {
        let fixed = ["lab", "wall-starts", "-q", tables, "boards.txt", "--out", "starts.txt", "--games", "3000"];
        [&fixed[..], &["--seed", seed]].concat()
    };
    let early = run(folder, &starts("tables", "1"), "");
    assert!(stderr(&early).contains("holds no board"), "{}", stderr(&early));

    // Nothing is solved anew, neither before all sums are there nor behind that.
    let whole = printed(folder, &walls("8", &["--threads", "2"]));
    assert!(whole.lines().last().unwrap().trim_start().starts_with("-16 "), "{whole}");
    assert_eq!(whole.lines().nth(1).unwrap().split_whitespace().next(), Some("-8"), "{whole}");
    let solved = files(folder);
    assert_eq!(solved.len(), layers + whole.lines().count() - 1);
    let shown = printed(folder, &walls("8", &["--examples", "2"]));
    assert_eq!(shown.lines().count(), 2 + 2 * 6, "{shown}");
    assert_eq!(shown.matches('W').count(), 24, "{shown}");
    assert_eq!(files(folder), solved);
    fs::rename(folder.join("tables"), folder.join("done")).unwrap();
    let anew = cells(&printed(folder, &walls("8", &["--threads", "3"])));
    assert_eq!(anew, [cells(&part), cells(&whole)[1..].to_vec()].concat());
    assert_eq!(files(folder), solved);

    let other = run(folder, &walls("6", &[]), "");
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("--walls 12 and --slack 8: name another folder"), "{}", stderr(&other));
    for wrong in [walls("5", &[]), walls("8", &["--down-to", "18"]), walls("8", &["--walls", "13"])] {
        let wrong = run(folder, &wrong, "");
        assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
    }

    // What the tables promise is kept.
    let table = printed(folder, &starts("tables", "1"));
    let first = fs::read_to_string(folder.join("starts.txt")).unwrap();
    let words: Vec<&str> = table.split_whitespace().collect();
    assert!(table.starts_with("3000 games from 2 boards, ") && words[9] == "16:", "{table}");
    let number = |place: usize| words[place].parse::<f64>().unwrap();
    let (share, promised) = (number(10), number(16));
    assert!((share - promised).abs() < 0.03 && share > 0.2 && share < 0.95, "{table}");
    assert!(table.ends_with(&format!("\n{} boards in starts.txt\n", first.lines().count())), "{table}");
    assert_eq!(printed(folder, &starts("tables", "1")), table);
    assert_eq!(fs::read_to_string(folder.join("starts.txt")).unwrap(), first);
    printed(folder, &starts("tables", "9000"));
    assert_ne!(fs::read_to_string(folder.join("starts.txt")).unwrap(), first);

    fs::write(folder.join("boards.txt"), "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n").unwrap();
    let none = run(folder, &starts("tables", "1"), "");
    assert!(stderr(&none).contains("boards.txt holds no board"), "{}", stderr(&none));
    let missing = run(folder, &starts("nothing", "1"), "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("nothing"), "{}", stderr(&missing));
    fs::create_dir(folder.join("empty")).unwrap();
    let missing = run(folder, &starts("empty", "1"), "");
    assert!(stderr(&missing).contains("`estr2048 lab walls` makes"), "{}", stderr(&missing));
    fs::write(folder.join("empty/bare-000.walls"), "something else").unwrap();
    let foreign = run(folder, &starts("empty", "1"), "");
    assert!(stderr(&foreign).contains("bare-000.walls is no layer"), "{}", stderr(&foreign));
}

/// Eleven walls, and a 16 that is made in two steps: an 8, whose place is known then, and another one beside it.
#[test]
fn a_wall_is_made_of_two_halves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let walls = |more: &[&'static str]| [&["lab", "walls", "-q", "--slack", "8"], more].concat();
    printed(folder, &walls(&["--walls", "12", "--out", "twelve"]));
    let halves = ["--walls", "11", "--halves", "--behind", "twelve"];
    let told =
        printed(folder, &walls(&[&halves[..], &["--out", "halves", "--layout", "WWWW/WWWW/WWW./...h"]].concat()));
    let last: Vec<&str> = told.lines().last().unwrap().split_whitespace().collect();
    assert!(last[0] == "-24" && last[3].parse::<f64>().unwrap() > 0.0, "{told}");
    let board = "32768 16384 8192 4096 256 512 1024 2048 0 0 0 2 128 64 0 32\n";
    fs::write(folder.join("boards.txt"), board).unwrap();
    let half = ["--walls", "11", "--behind", "halves", "--boards", "boards.txt"];
    let told = printed(folder, &walls(&[&half[..], &["--out", "half"]].concat()));
    let row = told.lines().find(|line| line.trim_start().starts_with("-30 ")).unwrap();
    let worth: f64 = row.split_whitespace().nth(10).unwrap().parse().unwrap();
    assert!((0.1..1.0).contains(&worth), "{told}");
    // A wall that may be made in any way is worth more.
    let whole = ["--walls", "11", "--behind", "twelve", "--boards", "boards.txt"];
    let any = printed(folder, &walls(&whole));
    let any = any.lines().find(|line| line.trim_start().starts_with("-30 ")).unwrap().to_owned();
    assert!(any.split_whitespace().nth(10).unwrap().parse::<f64>().unwrap() >= worth, "{any}");

    let new = ["train", "-q", "--out", "net.ckp", "--tuple", "0,1,2,3", "--initial", "100", "--games", "5"];
    printed(folder, &new);
    printed(folder, &["pack", "net.ckp", "--prune", "0", "--out", "ends.net"]);
    let tablebase = |more: &[&'static str]| {
        let fixed = ["lab", "tablebase", "-q", "half", "boards.txt", "--weights", "ends.net", "--worth", "1e-6"];
        [&fixed[..], &["--least", "0", "--out", "half.table"], more].concat()
    };
    let found = printed(folder, &tablebase(&["--behind", "halves", "twelve", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&found).unwrap();
    let [made, lost] = ["made", "lost"].map(|name| report[name].as_f64().unwrap());
    assert!((made + lost - 1.0).abs() < 1e-3 && (made - worth).abs() < 0.02, "{report}, {worth} by the tables");

    // Games say what an end is worth, the same ones each time.
    let played = |more: &[&'static str]| {
        let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../weights/estr1002.net");
        let fixed = ["lab", "tablebase", "-q", "half", "boards.txt", "--weights", network, "--least", "0"];
        [&fixed[..], &["--behind", "halves", "twelve"], more].concat()
    };
    let found = printed(folder, &played(&["--playouts", "20", "--out", "one.table", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&found).unwrap();
    let [made, passed] = ["made", "passed"].map(|name| report[name].as_f64().unwrap());
    assert!((0.05..=made).contains(&passed) && passed < 0.99, "the chain does not always fall together: {report}");
    assert_eq!(printed(folder, &played(&["--playouts", "20", "--out", "other.table", "--json"])), found);
    assert_eq!(fs::read(folder.join("one.table")).unwrap(), fs::read(folder.join("other.table")).unwrap());

    // A training whose games end where these tables begin learns what they say.
    let train = |more: &[&'static str]| {
        let fixed = ["train", "-q", "--tuple", "0,1,2,3,11", "--starts", "boards.txt", "--start-sums", "65506..65506"];
        [
            &fixed[..],
            &[
                "--start-share",
                "1",
                "--initial",
                "1000",
                "--games",
                "500",
                "--force",
                "--out",
                "taught.ckp",
                "--ends",
                "half",
            ],
            more,
        ]
        .concat()
    };
    printed(folder, &train(&["--end-sums", "65508..65512", "--worth-of-top", "1000"]));
    printed(folder, &["pack", "taught.ckp", "--prune", "0", "--out", "taught.net"]);
    let position: Vec<&str> = board.split_whitespace().collect();
    let analyse = ["analyse", "--weights", "taught.net", "--budget", "1", "--json"];
    let told: serde_json::Value = serde_json::from_str(&printed(folder, &[&analyse[..], &position].concat())).unwrap();
    let best = told["values"].as_object().unwrap().values().filter_map(|value| value.as_f64()).fold(0.0, f64::max);
    assert!((best - 1000.0 * worth).abs() < 100.0, "{told}, {worth} by the tables");

    fs::write(folder.join("few.txt"), "WWWW/WWWW/WWW./...h\nWWWW/WWWW/WWW./..h.\n").unwrap();
    let few = printed(folder, &walls(&[&halves[..], &["--layouts", "few.txt", "--out", "few"]].concat()));
    assert_eq!(few.lines().last().unwrap().split_whitespace().nth(4), Some("2"), "{few}");
    for (arguments, status, reason) in [
        (walls(&["--walls", "8", "--behind", "twelve"]), 1, "twelve has to hold tables of 9 walls"),
        (walls(&["--walls", "6"]), 2, "with 6 walls --behind has to name the tables of 7"),
        (walls(&["--walls", "11", "--halves"]), 2, "--behind"),
        (walls(&["--walls", "11", "--halves", "--behind", "halves"]), 1, "made without --halves"),
        (walls(&["--walls", "10", "--behind", "halves"]), 1, "halves has to hold tables of 11 walls"),
        (walls(&[&halves[..], &["--layout", "WWWW/WWWW/WWW./...."]].concat()), 2, "11 walls and an h"),
        (walls(&[&halves[..], &["--layouts", "boards.txt"]].concat()), 1, "layouts of 11 walls and an h, one a line"),
        (walls(&[&halves[..], &["--layouts", "nothing"]].concat()), 1, "nothing"),
        (walls(&["--walls", "11", "--behind", "twelve", "--out", "halves"]), 1, "--slack 8, --halves, upon tables"),
        (walls(&["--walls", "12", "--out", "half"]), 1, "upon tables with --halves and --slack 8"),
        (train(&["--end-sums", "65500..65510", "--worth-of-top", "1"]), 1, "half has the sums from 65506 to 65520"),
        (train(&["--worth-of-top", "1"]), 2, "--end-sums"),
        (train(&["--end-sums", "65506..65510"]), 2, "--worth-of-top"),
        (played(&["--out", "x"]), 2, "--worth"),
        (played(&["--playouts", "9", "--worth", "1", "--out", "x"]), 2, "--worth"),
        (played(&["--playouts", "0", "--out", "x"]), 2, "--playouts"),
        (tablebase(&["--behind", "twelve"]), 1, "name the tables of 11 walls and --halves that are behind"),
        (tablebase(&["--behind", "halves"]), 1, "name the tables of 12 walls that are behind"),
        (tablebase(&["--behind", "halves", "twelve", "twelve"]), 1, "nothing is behind these tables"),
        (
            vec!["lab", "wall-starts", "-q", "half", "boards.txt", "--behind", "halves", "--out", "starts.txt"],
            1,
            "games by tables of halves are not played",
        ),
    ] {
        let refused = run(folder, &arguments, "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
}

/// Eleven walls with the tables of twelve behind them: the first 16 becomes the twelfth wall.
#[test]
fn points_before_others_are_solved_and_played_with_these_behind() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let walls = |more: &[&'static str]| [&["lab", "walls", "-q", "--slack", "8"], more].concat();
    printed(folder, &walls(&["--walls", "12", "--out", "twelve"]));
    let eleven = ["--walls", "11", "--behind", "twelve"];
    let told = printed(folder, &walls(&[&eleven[..], &["--layout", "WWWW/WWWW/WWW./...."]].concat()));
    let last: Vec<&str> = told.lines().last().unwrap().split_whitespace().collect();
    let (best, asked) = (last[2].parse::<f64>().unwrap(), last[3].parse::<f64>().unwrap());
    assert!(last[0] == "-32" && best >= asked && asked > 0.0, "{told}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "nothing is kept without --out");
    let kept = printed(folder, &walls(&[&eleven[..], &["--out", "eleven", "--down-to", "20"]].concat()));
    assert_eq!(kept.lines().count(), fs::read_dir(folder.join("eleven")).unwrap().count(), "and one to go on from");
    let kept = printed(folder, &walls(&[&eleven[..], &["--out", "eleven"]].concat()));
    assert_eq!(kept.lines().last().unwrap().split_whitespace().nth(2), Some(last[2]));

    printed(folder, &["lab", "walls", "-q", "--walls", "12", "--slack", "6", "--out", "other"]);
    fs::write(folder.join("open.txt"), "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n").unwrap();

    // Where a table goes far enough, one move can make the tile twice.
    printed(folder, &["lab", "walls", "-q", "--walls", "11", "--behind", "twelve", "--slack", "48"]);

    let others = "32768 16384 8192 4096 256 512 1024 2048 0 0 0 2 128 64 0 32\n\
        32768 16384 8192 4096 256 512 1024 2048 2 0 0 0 128 64 0 32\n";
    fs::write(folder.join("boards.txt"), others).unwrap();
    let starts = |tables: &'static str, more: &[&'static str]| {
        let fixed = ["lab", "wall-starts", "-q", tables, "boards.txt", "--out", "starts.txt", "--games", "4000"];
        [&fixed[..], more].concat()
    };
    let played = printed(folder, &starts("eleven", &["--behind", "twelve"]));
    let words: Vec<&str> = played.split_whitespace().collect();
    assert!(played.starts_with("4000 games from 2 boards, ") && words[9] == "16:", "{played}");
    let (share, promised) = (words[10].parse::<f64>().unwrap(), words[16].parse::<f64>().unwrap());
    assert!((share - promised).abs() < 0.03 && share > 0.1, "{played}");
    let lessons = ["--behind", "twelve", "--lessons", "lessons.txt", "--stray", "0.3"];
    let strayed = printed(folder, &starts("eleven", &lessons));
    let share_strayed = strayed.split_whitespace().nth(10).unwrap().parse::<f64>().unwrap();
    assert!(share_strayed < share - 0.02, "random moves lose: {strayed}");
    let text = fs::read_to_string(folder.join("lessons.txt")).unwrap();
    let columns = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let chances: Vec<f64> =
        columns.inspect(|all| assert_eq!(all.len(), 17)).map(|all| all[16].parse().unwrap()).collect();
    let labels = ["--behind", "twelve", "--lessons", "labels.txt", "--moves", "1"];
    let labelled = printed(folder, &starts("eleven", &labels));
    assert!(labelled.starts_with("4000 games from 2 boards, left after 1 moves, "), "{labelled}");
    assert!(labelled.contains("\n4000 boards in "), "{labelled}");
    let labels = fs::read_to_string(folder.join("labels.txt")).unwrap();
    let kinds: std::collections::BTreeSet<&str> = labels.lines().collect();
    assert!((2..=8).contains(&kinds.len()) && labels.lines().count() >= 4000, "the moves of two boards: {kinds:?}");
    for (count, of) in [(5000, 0.0..0.001), (100, 0.001..0.999), (500, 0.999..1.001)] {
        assert!(chances.iter().filter(|chance| of.contains(*chance)).count() > count, "{of:?}");
    }
    let train = ["train", "-q", "--out", "taught.ckp", "--tuple", "0,1,2,3", "--lessons", "lessons.txt"];
    let taught = run(folder, &[&train[..], &["--worth-of-top", "100", "--passes", "2"]].concat(), "");
    assert_eq!(stdout(&taught), format!("{} lessons, 2 passes: taught.ckp\n", chances.len()), "{}", stderr(&taught));
    assert!(stderr(&taught).contains("pass 2: "), "{}", stderr(&taught));
    printed(folder, &["train", "-q", "--out", "on.ckp", "--resume", "taught.ckp", "--games", "5"]);
    assert_eq!(run(folder, &train, "").status.code(), Some(2), "--worth-of-top is missing");
    // The best play from these boards. A network that holds all boards behind it for worth the same knows no better than the
    // tables.
    printed(folder, &["pack", "taught.ckp", "--out", "ends.net"]);
    let tablebase = |more: &[&'static str]| {
        let fixed = ["lab", "tablebase", "-q", "eleven", "boards.txt", "--weights", "ends.net", "--worth", "1e-6"];
        [&fixed[..], more].concat()
    };
    let whole = ["--behind", "twelve", "--least", "0", "--out", "all.table", "--ends", "ends.txt"];
    let all = printed(folder, &tablebase(&whole));
    let numbers: Vec<f64> =
        all.split_whitespace().filter_map(|word| word.trim_end_matches([',', ';']).parse().ok()).collect();
    let [boards, from, 16.0, made, passed, lost, left_out, chance] = numbers[..] else { panic!("{all}") };
    assert!(from == 2.0 && boards > 50.0 && left_out == 0.0 && (made + lost - 1.0).abs() < 1e-3, "{all}");
    assert!((made - promised).abs() < 0.01 && (passed - chance).abs() < 0.01 && passed <= made, "{all}");
    let first = fs::read(folder.join("all.table")).unwrap();
    let ends = fs::read_to_string(folder.join("ends.txt")).unwrap();
    assert!(ends.lines().count() > 10 && ends.lines().all(|line| line.split(' ').count() == 16), "{ends}");
    assert_eq!(printed(folder, &tablebase(&whole)), all);
    assert_eq!(fs::read(folder.join("all.table")).unwrap(), first);
    let some = printed(folder, &tablebase(&["--behind", "twelve", "--least", "0.01", "--out", "some.table"]));
    assert!(fs::metadata(folder.join("some.table")).unwrap().len() < first.len() as u64, "{some}");
    let mut too_large = tablebase(&["--behind", "twelve", "--out", "other.table", "--json"]);
    too_large[8] = "1e9";
    let told = run(folder, &too_large, "");
    assert!(stderr(&told).contains("of --worth: boards that are not solved looked better"), "{}", stderr(&told));
    let report: serde_json::Value = serde_json::from_str(&stdout(&told)).unwrap();
    assert!((0.0..0.01).contains(&report["best_end"].as_f64().unwrap()), "{report}");
    let packed = printed(folder, &["pack", "ends.net", "--tablebase", "all.table", "--out", "known.net"]);
    assert!(packed.contains(&format!("\ntablebase {boards} boards\n")), "{packed}");
    let kept = printed(folder, &["pack", "known.net", "--out", "again.net"]);
    assert!(kept.contains(&format!("\ntablebase {boards} boards\n")), "{kept}");
    let both = printed(folder, &["pack", "ends.net", "--tablebase", "some.table", "known.net", "--out", "both.net"]);
    assert!(both.contains(&format!("\ntablebase {boards} boards\n")), "some are all in the other: {both}");
    // Tables of the layouts alone that these boards have.
    let some_layouts = |walls: &'static str, more: &[&'static str]| {
        let fixed = ["lab", "walls", "-q", "--slack", "8", "--layouts-of", "known.net", "--walls", walls];
        [&fixed[..], more].concat()
    };
    printed(folder, &some_layouts("12", &["--out", "few-twelve"]));
    let few = ["--behind", "few-twelve", "--out", "few-eleven"];
    let told = printed(folder, &some_layouts("11", &few));
    let number: usize = told.lines().last().unwrap().split_whitespace().nth(4).unwrap().parse().unwrap();
    let named = fs::read_to_string(folder.join("few-eleven/layouts")).unwrap();
    assert!(number > 1 && number < 200 && named.lines().count() == number, "{told}");
    let mut by_few = tablebase(&["--behind", "few-twelve", "--least", "0", "--out", "few.table"]);
    by_few[3] = "few-eleven";
    let found = printed(folder, &by_few);
    assert!(found.contains(&format!("it makes a second 16 in {made:.4} ")), "the best play knows no others: {found}");
    fs::write(folder.join("later.txt"), "65536 8192 8192 8192 4096 2048 1024 512 256 128 64 32 8 4 0 0\n").unwrap();
    let mut of_later = tablebase(&["--behind", "twelve", "--fill", "98304", "--out", "later.table"]);
    of_later[4] = "later.txt";
    let ended = ["--worth-of-top", "100", "--ends", "eleven", "--end-sums", "65508..65512"];
    for (arguments, status, reason) in [
        (walls(&["--walls", "12", "--out", "few-twelve"]), 1, "few-twelve is for tables of other layouts"),
        (some_layouts("12", &["--out", "twelve"]), 1, "twelve is for tables of other layouts"),
        (some_layouts("12", &["--least", "1000000"]), 1, "no layout of 12 walls has 1000000 boards of known.net"),
        (some_layouts("12", &["--layout", "W.W./.WWW/WW.W/WWWW"]), 1, "none of the layouts"),
        (walls(&["--layouts-of", "boards.txt"]), 1, "boards.txt"),
        (walls(&["--layouts-of", "ends.net"]), 1, "ends.net is no tablebase"),
        (walls(&["--layouts-of", "known.net", "--least", "0"]), 2, "--least"),
        (of_later, 1, "later.txt holds no board with each tile from 32 to 32768 once, once its tiles from 65536 down"),
        ([&train[..], &ended].concat(), 2, "'--lessons <FILE>' cannot be used with '--ends <FOLDER|FILE>...'"),
    ] {
        let refused = run(folder, &arguments, "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
    // The same boards behind a fill play alike, and are taken for that fill alone.
    let behind = fs::read_to_string(folder.join("boards.txt")).unwrap().replace("32768", "65536");
    fs::write(folder.join("behind.txt"), behind).unwrap();
    let later = |fill| {
        let mut arguments = tablebase(&["--behind", "twelve", "--least", "0", "--out", "all.table", "--fill", fill]);
        arguments[4] = "behind.txt";
        arguments
    };
    assert_eq!(printed(folder, &later("98304")), all);
    for (fill, status, reason) in [("65536", 1, "holds no board"), ("98306", 2, "expected 65536, 98304")] {
        let refused = run(folder, &later(fill), "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }

    let told = printed(folder, &walls(&[&eleven[..], &["--boards", "boards.txt"]].concat()));
    let columns = told.lines().skip(1).map(|line| line.split_whitespace().skip(9).collect::<Vec<_>>());
    let found: Vec<Vec<&str>> = columns.filter(|columns| columns[0] != "0").collect();
    let [found] = &found[..] else { panic!("{told}") };
    assert!(found[0] == "2" && (found[1].parse::<f64>().unwrap() - promised).abs() < 0.005, "{told}");

    for (arguments, status, reason) in [
        (walls(&["--walls", "7"]), 2, "--behind has to name the tables of 8"),
        (walls(&[&eleven[..], &["--down-to", "14"]].concat()), 2, "16 to 32 points before the fill, not 14"),
        (walls(&[&eleven[..], &["--layout", "WWWW/WWWW/..../...."]].concat()), 2, "--layout has to have 11 walls"),
        (walls(&[&eleven[..], &["--layout", "WWWW/WWWW"]].concat()), 2, "expected four rows of W and ."),
        (walls(&["--walls", "10", "--behind", "twelve"]), 1, "twelve has to hold tables of 11 walls"),
        (walls(&["--walls", "10", "--behind", "eleven"]), 1, "made without --behind"),
        (walls(&["--walls", "11", "--behind", "nothing"]), 1, "nothing"),
        (walls(&["--walls", "12", "--behind", "twelve"]), 2, "no tables for --behind"),
        (walls(&["--walls", "10", "--out", "twelve"]), 1, "was made with --walls 12 and --slack 8"),
        (
            walls(&["--walls", "12", "--out", "eleven"]),
            1,
            "was made with --walls 11 and --slack 8, upon tables with --slack 8",
        ),
        (starts("eleven", &[]), 1, "name the tables of 12 walls that are behind"),
        (starts("eleven", &["--behind", "eleven"]), 1, "name the tables of 12 walls that are behind"),
        (starts("eleven", &["--behind", "other"]), 1, "behind these ones, with --slack 8"),
        (walls(&["--walls", "11", "--behind", "other", "--out", "eleven"]), 1, "upon tables with --slack 8"),
        (walls(&["--walls", "12", "--boards", "nothing"]), 1, "nothing"),
        (walls(&["--walls", "12", "--boards", "open.txt"]), 1, "open.txt holds no board"),
        (starts("twelve", &["--behind", "twelve"]), 1, "nothing is behind these tables"),
        (tablebase(&["--out", "x"]), 1, "name the tables of 12 walls that are behind"),
        (tablebase(&["--behind", "twelve"]), 2, "--out"),
        (tablebase(&["--behind", "twelve", "--out", "x", "--least", "2"]), 2, "--least"),
        (tablebase(&["--behind", "twelve", "--out", "nowhere/x"]), 1, "nowhere"),
        (tablebase(&["--behind", "twelve", "--out", "x", "--ends", "x"]), 2, "x"),
    ] {
        let refused = run(folder, &arguments, "");
        assert_eq!(refused.status.code(), Some(status), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
    fs::remove_file(folder.join("twelve/012.walls")).unwrap();
    for arguments in [walls(&eleven), starts("eleven", &["--behind", "twelve"])] {
        let refused = run(folder, &arguments, "");
        assert!(stderr(&refused).contains("twelve lacks layers"), "{}", stderr(&refused));
    }
}

/// Two boards that are taken, one with two 32s, one with a sum that is behind the fill, one without a move.
const WALLED: &str = "\
32768 16384 8192 4096 256 512 1024 2048 128 64 32 16 2 0 0 0
32768 16384 8192 4096 256 512 1024 2048 128 0 32 16 64 2 0 2
32768 16384 8192 4096 256 512 1024 2048 128 32 32 16 2 0 0 0
32768 16384 8192 4096 256 512 1024 2048 128 64 32 16 8 8 2 0
32768 16384 8192 4096 256 512 1024 2048 128 64 32 16 8 4 8 2
";
