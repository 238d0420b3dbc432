//! The figures of `docs/` are what the numbers in `docs/data` draw; `make figures` draws them anew.

use std::fs;
use std::path::{Path, PathBuf};

use estr2048_figures::{Group, beam, learning, scores};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn data(name: &str) -> String {
    let path = docs().join("data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn holds(figure: &str, drawn: &str) {
    let path = docs().join(figure);
    if std::env::var_os("UPDATE_FIGURES").is_some() {
        fs::write(&path, drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{} is not what its numbers draw: make figures", path.display());
}

#[test]
fn player_scores() {
    let data = data("player-scores.csv");
    let rows: Vec<Vec<&str>> =
        data.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect()).collect();
    let group = |name: &str, label: &str| {
        let scores = rows.iter().filter(|row| row[0] == name).map(|row| row[2].parse().unwrap());
        Group { label: label.into(), scores: scores.collect() }
    };
    let groups = [
        group("budget-1", "no search"),
        group("nodes-1000", "1000 evaluations a move"),
        group("usual", "5000 evaluations a move"),
    ];
    assert_eq!(
        groups.each_ref().map(|group| group.scores.len()),
        [2000, 100, 200],
        "as the table of docs/player.md says"
    );
    holds("player-scores.svg", &scores(&groups));
}

#[test]
fn player_learning() {
    let title = "Training of the stages below 49152: games without search";
    holds("player-learning.svg", &learning(&data("player-learning.csv"), title).unwrap());
}

#[test]
fn clairvoyant_beam() {
    let title = "The beam over the game of seed 1234, zero parameters, beam 16";
    holds("clairvoyant_beam.svg", &beam(&data("clairvoyant-beam.csv"), title).unwrap());
}
