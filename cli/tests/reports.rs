//! What the commands tell programs and shells: JSON, pictures, completions and man pages.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{run, stderr, stdout, workbench};

/// The only line that a command prints, as JSON; it must succeed.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = workbench(folder, arguments).env("ESTR_WEIGHTS", "small.net").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], 2, "{text}");
    assert!(value["version"].is_string() && value["command"].is_string(), "{text}");
    value
}

/// A network of two tuples, and the picture of its training.
fn small_network(folder: &Path) {
    let train = ["train", "--out", "small.ckp", "--games", "40", "--tuple", "0,1,2,3", "--tuple", "0,1,4,5"];
    let told = json(folder, &[&train[..], &["--plot", "learning.svg", "--json"]].concat());
    assert_eq!((&told["games"], &told["out"], &told["curve"]), (&40.into(), &"small.ckp".into(), &"small.csv".into()));
    let packed = json(folder, &["pack", "small.ckp", "--out", "small.net", "--prune", "0", "--games", "2", "--json"]);
    assert_eq!(packed["bytes"], fs::metadata(folder.join("small.net")).unwrap().len());
    assert_eq!(packed["strength"]["packed"]["games"], 2);
    let mean = json(folder, &["mean", "small.ckp", "small.ckp", "--out", "mean.ckp", "--json"]);
    assert_eq!((&mean["checkpoints"], &mean["games"], &mean["out"]), (&2.into(), &80.into(), &"mean.ckp".into()));
}

fn picture(folder: &Path, name: &str) -> String {
    let svg = fs::read_to_string(folder.join(name)).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(svg.contains("prefers-color-scheme: dark"), "a dark page");
    svg
}

#[test]
fn every_report_is_there_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder);
    let board = "2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 0";
    let analysis = json(folder, &["analyse", board, "--nodes", "50", "--line", "2", "--json"]);
    assert_eq!((&analysis["sum"], &analysis["values"]["U"]), (&30.into(), &Value::Null));
    let best = analysis["best"].as_str().unwrap();
    assert!(analysis["values"][best].is_f64());
    assert_eq!((&analysis["line"][0]["direction"], analysis["line"].as_array().unwrap().len()), (&best.into(), 2));
    let over = json(folder, &["analyse", "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2", "--json"]);
    assert_eq!((&over["over"], &over["best"]), (&true.into(), &Value::Null));

    let planned = json(folder, &["perfect", "--seed", "7", "--limit-s", "0", "--json"]);
    assert_eq!((&planned["finished"], &planned["seed"]), (&false.into(), &7.into()));
    let many = json(folder, &["perfect", "--seeds", "1..3", "--limit-s", "0", "--json"]);
    assert_eq!((&many["tinymt"], many["games"].as_array().unwrap().len()), (&"zero".into(), 3));

    let moves = "1234\n".to_string() + &"R\nD\nL\nD\n".repeat(12);
    fs::write(folder.join("game"), run(folder, &["estr1002"], moves).stdout).unwrap();
    let found = json(folder, &["recover", "game", "--json", "--quiet"]);
    assert_eq!((&found["seeds"][0]["seed"], &found["seeds"][0]["tinymt"]), (&1234.into(), &"zero".into()));
    assert_eq!(found["candidates"], 1);

    let bench = json(folder, &["bench", "--json"]);
    assert_eq!(bench["moves"].as_str().unwrap().len(), 16);
    let solved = json(folder, &["lab", "solve", "--board", "2x2", "--json"]);
    assert_eq!(solved["chances"]["16"], 1.0);
}

#[test]
fn pictures_of_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder);
    assert!(picture(folder, "learning.svg").contains("mean score"));
    json(folder, &["run", "--player", "random", "--games", "20", "--plot", "scores.svg", "--json"]);
    let scores = picture(folder, "scores.svg");
    assert!(scores.contains("Scores: random, 20 games") && scores.contains("score (sum of all tiles)"), "{scores}");
    json(folder, &["perfect", "--seed", "3", "--limit-s", "1", "--plot", "beam.svg", "--json"]);
    assert!(picture(folder, "beam.svg").contains("boards in the beam"));
    let plan = ["perfect", "--seeds", "1..3", "--limit-s", "0", "--json"];
    json(folder, &[&plan[..], &["--plot", "seeds.svg"]].concat());
    assert_eq!(
        picture(folder, "seeds.svg").matches("<circle").count(),
        6,
        "a score and a time for each of three seeds"
    );
    // Told before the work, not after it.
    for (name, status, complaint) in
        [("scores.png", 2, "must end with .svg"), ("no/such/folder.svg", 1, "cannot save to no/such/folder.svg")]
    {
        let refused = run(folder, &["run", "--player", "random", "--games", "1", "--plot", name], "");
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(status), 0), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(complaint), "{}", stderr(&refused));
    }
}

/// Hours of work that another command would replace.
#[test]
fn what_was_learned_or_measured_is_not_replaced_by_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small_network(folder);
    json(folder, &["perfect", "--seeds", "1", "--limit-s", "0", "--out", "results", "--json"]);
    fs::write(folder.join("letter.csv"), "Dear Sir,\n").unwrap();
    let refused: [(&[&str], &str, &str); 8] = [
        (&["pack", "small.ckp", "--out", "small.ckp"], "small.ckp", "is no packed network"),
        (&["mean", "small.ckp", "small.net", "--out", "x.ckp"], "small.net", "small.net is a packed network"),
        (&["mean", "small.ckp", "small.ckp", "--out", "small.ckp"], "small.ckp", "--force replaces it"),
        (&["perfect", "--seed", "1", "--limit-s", "0", "--out", "results"], "results", "results of many games"),
        (&["train", "--games", "50", "--out", "x.csv"], "small.csv", "name another --out"),
        (&["train", "--games", "50", "--out", "letter.net"], "letter.csv", "--force replaces it"),
        (
            &["train", "--games", "50", "--resume", "small.ckp", "--out", "letter.net"],
            "letter.csv",
            "no learning curve",
        ),
        (&["lab", "learn", "--games", "1", "--out", "small.net"], "small.net", "--force replaces it"),
    ];
    for (command, file, complaint) in refused {
        let before = fs::read(folder.join(file)).unwrap();
        let output = run(folder, command, "");
        assert!(!output.status.success() && stderr(&output).contains(complaint), "{command:?}: {}", stderr(&output));
        assert_eq!(fs::read(folder.join(file)).unwrap(), before, "{command:?}");
    }
    // The curve of a training that goes on goes on, too; a new one begins anew.
    let lines = || fs::read_to_string(folder.join("small.csv")).unwrap().lines().count();
    let before = lines();
    let train = |more: &[&str]| run(folder, &[&["train", "--out", "small.ckp", "--games", "45"], more].concat(), "");
    assert!(train(&["--resume", "small.ckp"]).status.success());
    assert_eq!(lines(), before + 1);
    assert!(train(&["--tuple", "0,1", "--force"]).status.success());
    assert_eq!(lines(), 2);
}

/// Help is output like any other.
#[test]
fn help_and_completions_reach_their_reader_or_say_why_not() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        &["--help"][..],
        &["--version"],
        &["run", "--help"],
        &["completions", "bash"],
        &["lab", "solve", "--board", "2x2"],
    ] {
        let start = |out: Stdio| workbench(folder.path(), command).stdout(out).output().unwrap();
        let full = start(fs::File::options().write(true).open("/dev/full").unwrap().into());
        assert_eq!(full.status.code(), Some(1), "{command:?}: {}", stderr(&full));
        assert!(stderr(&full).contains("cannot write to standard output"), "{command:?}: {}", stderr(&full));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = start(writer.into());
        assert!(closed.status.success() && stderr(&closed).is_empty(), "{command:?}: {}", stderr(&closed));
    }
    // Nobody can be told on a standard error that is full, and that is no reason to stop.
    let mut quiet = workbench(folder.path(), &["recover", "-"]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(quiet.stderr(full).stdin(Stdio::null()).output().unwrap().status.code(), Some(1));
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    let mut names: Vec<String> =
        found.iter().map(|path| path.strip_prefix(folder).unwrap().display().to_string()).collect();
    names.sort();
    names
}

/// `packaging/install.sh` as the Makefile calls it, with a library that is only a name.
#[test]
fn man_pages_and_completions_are_installed_and_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["packaging", "man"] {
        std::os::unix::fs::symlink(top.join(name), at(name)).unwrap();
    }
    fs::create_dir(at("include")).unwrap();
    for name in ["include/estr2048.h", "include/tinymt32.h"] {
        fs::copy(top.join(name), at(name)).unwrap();
    }
    fs::write(at("include/aiplayer_7.h"), "").unwrap();
    fs::write(at("libestr2048.a"), "").unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_estr2048"), at("estr2048")).unwrap();
    let prefix = at("my prefix");
    let below = |path: &str| prefix.join(path);
    let script = |task: &str| {
        let paths: [(&str, PathBuf); 7] = [
            ("prefix", prefix.clone()),
            ("bindir", below("bin")),
            ("libdir", below("lib")),
            ("includedir", below("include")),
            ("mandir", below("share/man")),
            ("datadir", below("share")),
            ("DESTDIR", PathBuf::new()),
        ];
        let words = [("BUILT_ID", "7"), ("STUDENT_ID", "7"), ("VERSION", "0.1.0"), ("NATIVE_LIBS", "-lm")];
        let mut command = Command::new("sh");
        command.args(["packaging/install.sh", task]).current_dir(folder.path()).envs(paths).envs(words);
        // No cargo, and nothing else that this is not made of.
        let output = command.env("PATH", "/usr/bin:/bin").env("SHARED", "none").env("SONAME", "none").output().unwrap();
        assert!(output.status.success(), "{task}: {}", stderr(&output));
    };
    script("install");
    let page = fs::read_to_string(below("share/man/man1/estr2048-run.1")).unwrap();
    assert!(page.contains(".TH estr2048-run 1") && page.contains("plot"), "{page}");
    let all = files(&prefix);
    for name in [
        "share/man/man1/estr2048.1",
        "share/man/man1/estr2048-lab-solve.1",
        "share/bash-completion/completions/estr2048",
        "share/fish/vendor_completions.d/estr2048.fish",
        "share/zsh/site-functions/_estr2048",
    ] {
        assert!(all.iter().any(|file| file == name), "{name}: {all:?}");
    }
    assert!(!all.iter().any(|file| file.contains("ceiling")), "a hidden command: {all:?}");
    let complete = ". \"$1\" && complete -p estr2048";
    let script_file = below("share/bash-completion/completions/estr2048");
    let bash = Command::new("bash").args(["-c", complete, "bash"]).arg(script_file).output().unwrap();
    assert!(stdout(&bash).contains("estr2048"), "{}", stderr(&bash));
    script("uninstall");
    assert!(!prefix.exists() || files(&prefix).is_empty(), "{:?}", files(&prefix));
}

/// Where standard error is no terminal, long work tells every ten seconds how far it is, however long a game takes.
#[test]
fn long_work_tells_how_far_it_is() {
    if std::env::var_os("ESTR_TEST_ALL").is_none() {
        eprintln!("skipped: ten seconds of a run (make test-all)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let play = ["run", "--player", "fair", "--move-ms", "1000", "--games", "1"];
    let mut child = workbench(folder.path(), &play).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "0/1 games\n");
}
