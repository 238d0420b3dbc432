//! The commands for those who study players, through the real program, with a network small enough to train on the way.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use support::{run, stderr, stdout, workbench};

/// What a command prints; it must succeed.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    success(run(folder, arguments, ""), arguments)
}

fn success(output: Output, arguments: &[&str]) -> String {
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The same with a small network in the place of the one inside the program.
fn planned(folder: &Path, arguments: &[&str]) -> String {
    let output = workbench(folder, arguments).env("ESTR_WEIGHTS", "small.net").output().unwrap();
    success(output, arguments)
}

/// Trains a network of two tuples for so many games and packs it.
fn small_network(folder: &Path, name: &str, games: &str) -> String {
    let (checkpoint, net) = (format!("{name}.ckp"), format!("{name}.net"));
    let tuples = ["--tuple", "0,1,2,3", "--tuple", "0,1,4,5"];
    let trained = printed(folder, &[&["train", "--out", &checkpoint, "--games", games], &tuples[..]].concat());
    assert!(trained.starts_with(&format!("{games} games, ")), "{trained}");
    printed(folder, &["pack", &checkpoint, "--out", &net, "--prune", "0", "--games", "3"])
}

#[test]
fn a_network_is_trained_packed_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, file) = (folder.path(), |name: &str| folder.path().join(name));
    let packed = small_network(folder, "small", "300");
    assert!(packed.contains("stages    1 ([])") && packed.contains("as packed,  3 games without search: "), "{packed}");
    assert!(fs::read_to_string(file("small.csv")).unwrap().starts_with("seconds,games,moves,mean,"));
    // One thread: the same games, the same weights, the same file.
    small_network(folder, "again", "300");
    assert_eq!(fs::read(file("small.net")).unwrap(), fs::read(file("again.net")).unwrap());
    // The mean of two trainings that learned the same is what they learned.
    let mean = ["mean", "small.ckp", "again.ckp", "--out", "mean.ckp"];
    assert!(printed(folder, &mean).starts_with("600 games, "));
    printed(folder, &["pack", "mean.ckp", "--prune", "0", "--out", "mean.net"]);
    assert_eq!(fs::read(file("small.net")).unwrap(), fs::read(file("mean.net")).unwrap());
    // A training goes on where it stopped, here from late boards and with a divided network.
    fs::write(file("boards"), "2 4 8 16 32 64 128 256 2 0 0 0 0 0 0 0\n").unwrap();
    let more = ["train", "--resume", "small.ckp", "--out", "more.ckp", "--games", "310", "--stages", "100"];
    let more = printed(folder, &[&more[..], &["--starts", "boards", "--start-sums", "512..512"]].concat());
    assert!(more.starts_with("310 games, "), "{more}");
    assert!(printed(folder, &["pack", "more.ckp", "--out", "more.net"]).contains("stages    2 ([100])"));
    // The stages of two trainings, joined before a game is played, are those that `pack` joins.
    let joined = ["train", "--resume", "small.ckp", "--stages", "100", "--join", "more.ckp:100", "--out", "joined.ckp"];
    printed(folder, &[&joined[..], &["--alpha", "0", "--games", "1"]].concat());
    printed(folder, &["pack", "joined.ckp", "--prune", "0", "--out", "joined.net"]);
    fs::copy(file("more.ckp"), file("with:colon.ckp")).unwrap();
    printed(folder, &["pack", "small.ckp", "with:colon.ckp:100", "--prune", "0", "--out", "both.net"]);
    let weights = |name: &str| estr2048::network::weights::load(&file(name)).unwrap();
    let (joined, both) = (weights("joined.net"), weights("both.net"));
    assert!((0..2).all(|stage| joined.weights(stage) == both.weights(stage)));
    // A packed network serves as well as the checkpoint that it was made of.
    let again = ["train", "--resume", "small.net", "--stages", "100", "--join", "both.net:100", "--out", "again.ckp"];
    printed(folder, &[&again[..], &["--alpha", "0", "--games", "1", "--force"]].concat());
    printed(folder, &["pack", "again.ckp", "--prune", "0", "--out", "rejoined.net"]);
    assert_eq!(weights("rejoined.net").weights(1), both.weights(1));
    // Late stages that see the largest tiles alike start anew, and replace those of a network that sees them apart.
    let walls = ["train", "--resume", "small.ckp", "--out", "walls.ckp", "--games", "302", "--stages", "100,200"];
    printed(folder, &[&walls[..], &["--walls-from", "200"]].concat());
    printed(folder, &["pack", "small.net", "walls.ckp:200", "--out", "walls.net"]);
    assert_eq!(weights("walls.net").shape().walls_from(), Some(200));
    let early = run(folder, &["pack", "walls.ckp", "small.net:300", "--out", "never.net"], "");
    assert!(stderr(&early).contains("comes before one that does not"), "{early:?}");

    let board = "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0";
    let analysis = printed(folder, &["analyse", board, "--weights", "small.net", "--nodes", "300", "--line", "2"]);
    let lines: Vec<&str> = analysis.lines().collect();
    assert!(lines[0].starts_with("U  no change") && lines[1].starts_with("D  "), "{analysis}");
    assert!(lines[4].starts_with("best ") && lines.last().unwrap().starts_with("line "), "{analysis}");
    let piped = run(folder, &["analyse", "-", "--weights", "small.net", "--nodes", "300", "--line", "2"], board);
    assert_eq!(stdout(&piped), format!("{board}\n{analysis}"));

    let games = |out: &str, jobs: &str| {
        let player = ["run", "--weights", "small.net", "--budget", "1", "--seeds", "1..4", "--json"];
        let text = printed(folder, &[&player[..], &["--out", out, "--jobs", jobs]].concat());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let (one, two, again) = (games("one", "1"), games("two", "2"), games("one", "1"));
    for summary in [&one, &two, &again] {
        assert_eq!(summary["games"], 4);
        assert_eq!((&summary["mean"], &summary["ci95"]), (&one["mean"], &one["ci95"]));
        let [low, high] = [0, 1].map(|end| summary["tiles_ci95"]["2048"][end].as_f64().unwrap());
        assert!(low <= summary["tiles"]["2048"].as_f64().unwrap() && high > low);
    }
    assert_eq!(fs::read_to_string(file("one")).unwrap().lines().count(), 5, "no game is played again");
}

#[test]
fn a_planned_game_is_the_game_that_its_moves_play() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "50");
    let quick = ["--beam", "64", "--limit-s", "1"];
    let text =
        planned(folder, &[&["perfect", "--seed", "7", "--out", "moves", "--trace", "trace"], &quick[..]].concat());
    let score = text.split("Score ").nth(1).unwrap().split(' ').next().unwrap();
    let played = stdout(&run(folder, &["estr1002"], fs::read(folder.join("moves")).unwrap()));
    assert!(played.contains(&format!("Your score is {score}.")), "{text}{played}");
    assert!(fs::read_to_string(folder.join("trace")).unwrap().starts_with("depth,sum,boards,width,value,deaths\n"));

    let at_once = ["--beam", "2", "--limit-s", "0", "--out", "scores"];
    let table = planned(folder, &[&["perfect", "--seeds", "1..3"], &at_once[..]].concat());
    let lines = fs::read_to_string(folder.join("scores")).unwrap();
    assert_eq!(lines.lines().count(), 4, "{lines}");
    assert!(table.contains("0 of 3 seeds reach "), "{table}");
    // The older name, which finds all seeds planned already.
    assert_eq!(planned(folder, &[&["ceiling", "--seeds", "1..3"], &at_once[..]].concat()), table);
    assert_eq!(fs::read_to_string(folder.join("scores")).unwrap(), lines);
}

#[test]
fn the_seed_of_a_game_is_found_in_its_boards() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1234\n".to_string() + &"R\nD\nL\nD\n".repeat(12);
    fs::write(folder.path().join("game"), run(folder.path(), &["estr1002"], moves).stdout).unwrap();
    let found = printed(folder.path(), &["recover", "game", "--threads", "1"]);
    assert!(found.starts_with("seed 1234 with zero parameters\n1 candidates left"), "{found}");
    let none = run(folder.path(), &["recover", "-"], "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("too few to search"), "{}", stderr(&none));
}

#[test]
fn many_games_of_a_simple_player() {
    let folder = tempfile::tempdir().unwrap();
    let random = ["run", "--player", "random", "--seeds", "5..7"];
    let text = printed(folder.path(), &random);
    assert!(text.starts_with("games     3\nmean      ") && text.contains(" ± "), "{text}");
    let one =
        printed(folder.path(), &[&random[..], &["--games", "1", "--boards", "boards", "--boards-every", "1"]].concat());
    assert!(one.contains("games     1\n") && one.contains("(one game tells nothing about the next)"), "{one}");
    let boards = fs::read_to_string(folder.path().join("boards")).unwrap();
    assert!(boards.lines().all(|line| line.split(' ').count() == 16), "{boards}");
    // In the order of the seeds, however many games are played at a time.
    for (jobs, name) in [("1", "alone"), ("8", "eight")] {
        let games = ["run", "--player", "random", "--games", "200", "--jobs", jobs, "--boards", name];
        printed(folder.path(), &games);
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("alone"), read("eight"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, status, complaint) in [
        (&["run", "--seeds", "7..3"][..], 2, "7 is above 3"),
        (&["run", "--player", "nobody", "--seeds", "1"], 2, "there is no player \"nobody\""),
        (&["perfect"], 2, "--seed"),
        (&["perfect", "--seed", "1", "--seeds", "1..2"], 2, "cannot be used with"),
        (&["train", "--out", "x", "--tuple", "0,16"], 2, "no cell from 0 to 15"),
        (&["train", "--out", "x", "--initial", "5", "--resume", "y"], 2, "--fresh-from"),
        (&["pack", "nothing.ckp", "--out", "x"], 1, "nothing.ckp"),
        (&["pack", "nothing.ckp:late", "--out", "x"], 2, "no sum of tiles"),
        (&["pack", "nothing.ckp", "--out", "x", "--step", "nan"], 2, "--step"),
        (&["mean", "nothing.ckp", "none.ckp", "--out", "x"], 1, "nothing.ckp"),
        (&["mean", "nothing.ckp", "--out", "x"], 2, "2 values required"),
        (&["train", "--out", "x", "--stages", "500,100"], 2, "stage"),
        (&["layouts", "--starts", "nothing", "--out", "x"], 2, "--minutes"),
        (&["layouts", "--out", "x", "--games", "1"], 2, "--starts"),
        (&["layouts", "--starts", "nothing", "--out", "x", "--games", "1"], 1, "nothing"),
        (&["layouts", "--starts", "nothing", "--out", "x", "--games", "1", "--trust", "2"], 2, "--trust"),
        (&["train", "--out", "x", "--stages", "500", "--walls-from", "400"], 2, "from the beginning of a stage on"),
        (&["train", "--out", "x", "--alpha", "nan"], 2, "--alpha"),
        (&["train", "--out", "x.svg", "--plot", "x.svg"], 2, "x.svg is named twice"),
        (&["run", "--out", "x.svg", "--plot", "x.svg"], 2, "x.svg is named twice"),
        (&["perfect", "--seed", "1", "--trace", "x.svg", "--plot", "x.svg"], 2, "x.svg is named twice"),
        (&["perfect", "--seeds", "1", "--out", "x.svg", "--plot", "x.svg"], 2, "x.svg is named twice"),
        (&["train", "--out", "x", "--lambda", "2"], 2, "--lambda"),
        (&["train", "--out", "x", "--discount", "1.1"], 2, "--discount"),
        (&["train", "--out", "x", "--join", "y:100"], 2, "--resume"),
        (&["train", "--out", "x", "--learn", "512..1023"], 2, "--start-share 1"),
        (&["train", "--out", "x", "--most-moves", "0"], 2, "--most-moves"),
        (&["train", "--out", "x", "--resume", "y", "--join", "y:late"], 2, "no sum of tiles"),
        (&["train", "--out", "x", "--minutes=-1"], 2, "--minutes"),
        (&["train", "--out", "x", "--threads", "1000000"], 2, "--threads"),
        (&["train", "--out", "x", "--start-share", "inf"], 2, "--start-share"),
        (&["lab", "play", "x", "--budget", "nan"], 2, "--budget"),
        (&["lab", "solve", "--board", "3x4"], 2, "too many states"),
        (&["pack", "nothing.ckp", "--out", "no/such/folder"], 1, "cannot save to no/such/folder"),
        (&["analyse", "1 2 3"], 2, "a board has 16 cells"),
        (&["recover", "nothing"], 1, "nothing"),
        (&["run", "--games", "5", "--seeds", "1..4"], 2, "more games than --seeds 1..4 has (4)"),
        (&["run", "--games", "0"], 2, "--games"),
        (&["run", "--jobs", "1000000"], 2, "--jobs"),
        (&["run", "--jobs", "0"], 2, "--jobs"),
        (&["run", "--move-ms=-1"], 2, "--move-ms"),
        (&["run", "--move-ms", "nan"], 2, "--move-ms"),
        (&["perfect", "--seed", "1", "--beam", "0"], 2, "1 to 8192"),
        (&["analyse", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3", "--budget", "1"], 2, "tile"),
    ] {
        let output = run(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(complaint), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A file of results is one player's: another player, network or generator is refused, and the file is left alone.
#[test]
fn results_of_two_players_are_never_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "50");
    let games = |more: &[&str]| run(folder, &[&["run", "--seeds", "1..2", "--out", "results"], more].concat(), "");
    assert!(games(&["--player", "random"]).status.success());
    let results = fs::read(folder.join("results")).unwrap();
    let others: [(&[&str], &str); 4] = [
        (&["--player", "hand-made"], "player \"random\" there, \"hand-made\" now"),
        (&["--player", "random", "--tinymt", "official"], "tinymt \"zero\" there"),
        (&["--weights", "small.net", "--budget", "1"], "network null there"),
        (&["--player", "nobody"], "there is no player"),
    ];
    for (other, complaint) in others {
        let output = games(other);
        assert!(stderr(&output).contains(complaint), "{other:?}: {}", stderr(&output));
        assert_ne!(output.status.code(), Some(0));
        assert_eq!(fs::read(folder.join("results")).unwrap(), results);
    }
    // What an older version left, or somebody else.
    for text in ["{\"seed\":1,\"score\":200}\n", "Dear Sir,\n"] {
        fs::write(folder.join("results"), text).unwrap();
        assert_eq!(games(&["--player", "random"]).status.code(), Some(1));
        assert_eq!(fs::read_to_string(folder.join("results")).unwrap(), text);
    }
}

#[test]
fn a_summary_in_json_says_what_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = printed(folder.path(), &["run", "--player", "random", "--games", "2", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&summary["player"], &summary["tinymt"], &summary["schema"]),
        (&"random".into(), &"zero".into(), &2.into())
    );
    assert_eq!(summary["tiles"]["4"], 1.0);
    // A player that ends at small tiles is told about by small tiles.
    let words = printed(folder.path(), &["run", "--player", "random", "--games", "2"]);
    assert!(words.contains("tile    ") && !words.contains("65536"), "{words}");
}

/// A last line that a kill cut off is played again, and nothing else is.
#[test]
fn a_file_of_results_that_was_cut_off_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = ["run", "--player", "random", "--seeds", "1..3", "--out", "results"];
    let first = printed(folder, &play);
    let whole = fs::read(folder.join("results")).unwrap();
    fs::write(folder.join("results"), &whole[..whole.len() - 20]).unwrap();
    let again = run(folder, &play, "");
    let scores = |text: &str| text.lines().take(5).map(str::to_owned).collect::<Vec<_>>();
    assert!(stderr(&again).contains("cut off"), "{}", stderr(&again));
    assert_eq!(scores(&stdout(&again)), scores(&first));
    assert_eq!(fs::read_to_string(folder.join("results")).unwrap().lines().count(), 4);
}

/// What ran out of time is planned again by those who give it more.
#[test]
fn unfinished_plans_are_not_kept_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "50");
    let plan = |limit: &str| {
        planned(folder, &["perfect", "--seeds", "1", "--beam", "2", "--out", "scores", "--limit-s", limit]);
        fs::read_to_string(folder.join("scores")).unwrap().lines().count()
    };
    assert_eq!((plan("0"), plan("0"), plan("1")), (2, 2, 3));
}

#[test]
fn a_checkpoint_is_never_replaced_by_accident() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "20");
    let before = fs::read(folder.join("small.ckp")).unwrap();
    let train = |more: &[&str]| run(folder, &[&["train", "--out", "small.ckp", "--games", "21"], more].concat(), "");
    let refused = train(&["--tuple", "0,1"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--resume small.ckp goes on with it"), "{}", stderr(&refused));
    assert_eq!(fs::read(folder.join("small.ckp")).unwrap(), before);
    assert!(train(&["--resume", "./small.ckp"]).status.success());
    assert!(train(&["--tuple", "0,1", "--force"]).status.success());
}

/// Chances before a fill are learned from games, and a network has them in place of its last stages.
#[test]
fn weights_of_layouts_are_trained_and_packed() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, file) = (folder.path(), |name: &str| folder.path().join(name));
    small_network(folder, "small", "20");
    printed(folder, &["train", "--resume", "small.ckp", "--out", "late.ckp", "--games", "21", "--stages", "100,65000"]);
    let board = "32768 16384 8192 4096 256 512 1024 2048 256 0 0 0 2 4 0 0";
    fs::write(file("starts"), format!("{board}\n")).unwrap();
    fs::write(file("lessons"), "32768 16384 8192 4096 256 512 1024 2048 128 64 0 0 2 4 0 0 0.5\n").unwrap();
    let train = |name: &str, more: &[&str]| {
        let train = ["layouts", "--starts", "starts", "--out", name, "--searched", "0", "-q"];
        printed(folder, &[&train[..], more].concat())
    };
    let trained = train("once.lay", &["--lessons", "lessons", "--games", "30"]);
    assert!(trained.starts_with("30 games, ") && trained.contains("came through: once.lay"), "{trained}");
    train("again.lay", &["--lessons", "lessons", "--games", "30"]);
    assert_eq!(fs::read(file("once.lay")).unwrap(), fs::read(file("again.lay")).unwrap());
    let kept = run(folder, &["layouts", "--starts", "starts", "--out", "once.lay", "--games", "1"], "");
    assert!(stderr(&kept).contains("--resume once.lay goes on with it"), "{kept:?}");
    let more = train("once.lay", &["--resume", "once.lay", "--games", "10", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&more).unwrap()["games"], 40);

    let layouts = ["--layouts", "once.lay", "again.lay", "--prune-layouts", "0", "--worths", "1000,500"];
    let packed = printed(folder, &[&["pack", "late.ckp", "--out", "chances.net"][..], &layouts].concat());
    assert!(packed.contains("\nlayouts   ") && packed.contains("stages    2 ([100])"), "{packed}");
    printed(folder, &["pack", "chances.net", "--out", "same.net"]);
    assert_eq!(fs::read(file("chances.net")).unwrap(), fs::read(file("same.net")).unwrap());
    let network = estr2048::network::weights::load(&file("chances.net")).unwrap();
    assert_eq!([0, 1, 2].map(|fill| network.layouts().unwrap().worth(fill)), [1000.0, 500.0, 500.0]);
    let analysis = printed(folder, &["analyse", board, "--weights", "chances.net", "--nodes", "100"]);
    assert!(analysis.contains("best U") || analysis.contains("best D"), "{analysis}");
    fs::write(file("early"), "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0\n").unwrap();
    for (starts, complaint) in [("early", "holds no boards of these sums"), ("small.ckp", "small.ckp")] {
        let refused = run(folder, &["layouts", "--starts", starts, "--out", "x", "--games", "1"], "");
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(stderr(&refused).contains(complaint), "{refused:?}");
    }
    let other = run(folder, &["pack", "late.ckp", "--tablebase", "small.ckp", "--out", "x.net"], "");
    assert!(stderr(&other).contains("small.ckp is no tablebase"), "{other:?}");
    let other = run(folder, &["pack", "late.ckp", "--layouts", "small.ckp", "--out", "x.net"], "");
    assert!(stderr(&other).contains("small.ckp holds no weights of layouts"), "{other:?}");
}

/// Nobody reads, or the disk is full: no command panics, and a full disk is told.
#[test]
fn outputs_that_take_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder, "small", "20");
    let moves = "1234\n".to_string() + &"R\nD\nL\nD\n".repeat(12);
    fs::write(folder.join("game"), run(folder, &["estr1002"], moves).stdout).unwrap();
    let board = "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0";
    let commands: [&[&str]; 7] = [
        &["run", "--player", "random", "--games", "1"],
        &["analyse", board, "--weights", "small.net", "--nodes", "20"],
        &["recover", "game", "--threads", "1"],
        &["perfect", "--seed", "1", "--limit-s", "0"],
        &["perfect", "--seeds", "1", "--limit-s", "0"],
        &["pack", "small.ckp", "--out", "again.net"],
        &["mean", "small.ckp", "small.ckp", "--out", "mean.ckp", "--force"],
    ];
    for command in commands {
        let start =
            |out: Stdio| workbench(folder, command).env("ESTR_WEIGHTS", "small.net").stdout(out).output().unwrap();
        let full = start(fs::File::options().write(true).open("/dev/full").unwrap().into());
        assert_eq!(full.status.code(), Some(1), "{command:?}: {}", stderr(&full));
        assert!(stderr(&full).contains("cannot write to standard output"), "{command:?}: {}", stderr(&full));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = start(writer.into());
        assert!(closed.status.success(), "{command:?}: {}", stderr(&closed));
        assert!(!stderr(&closed).contains("panicked"), "{command:?}: {}", stderr(&closed));
    }
}

/// Ctrl-C leaves the games that are finished, their summary, and a way to go on.
#[test]
fn a_stopped_run_tells_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = ["run", "--player", "random", "--games", "100000000", "--out", "results"];
    let child = workbench(folder, &play).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(folder.join("results")).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::yield_now();
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("games     "), "{}", stdout(&output));
    assert!(stderr(&output).contains("the same command goes on from here"), "{}", stderr(&output));
}

/// A pipe with a name and nobody at its other end is waited for by no command.
#[cfg(unix)]
#[test]
fn named_pipes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let board = "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0";
    std::fs::write(folder.path().join("game.txt"), "1\nL\nR\n").unwrap();
    let commands: [&[&str]; 17] = [
        &["layouts", "--starts", "pipe", "--out", "x", "--games", "1"],
        &["pack", "x", "--layouts", "pipe", "--out", "y"],
        &["pack", "x", "--tablebase", "pipe", "--out", "y"],
        &["run", "--weights", "pipe", "--games", "1"],
        &["run", "--player", "random", "--games", "1", "--boards", "pipe"],
        &["run", "--player", "random", "--games", "1", "--out", "pipe"],
        &["analyse", board, "--weights", "pipe"],
        &["recover", "pipe"],
        &["perfect", "--seed", "1", "--trace", "pipe"],
        &["train", "--out", "x", "--resume", "pipe"],
        &["train", "--out", "x", "--starts", "pipe"],
        &["pack", "pipe", "--out", "x"],
        &["mean", "pipe", "pipe", "--out", "x"],
        &["lab", "play", "pipe"],
        &["page", "pipe"],
        &["page", "game.txt", "--out", "pipe"],
        &["grade", ".", "--secret", "pipe", "--marks", "pipe"],
    ];
    for command in commands {
        let output = run(folder.path(), command, "");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
        assert!(message.contains("named pipe") || message.contains("no ordinary file"), "{command:?}: {message}");
    }
}
