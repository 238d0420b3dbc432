//! What the referee costs per move and per game: `cargo bench -p estr2048-cli --bench referee`.
//!
//! The player is the zoo's correct one, which itself needs well under a microsecond a move.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ID: &str = "1155000000";

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the benchmark");
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo/player/correct.c");
    fs::copy(zoo, folder.path().join(format!("aiplayer_{ID}.c"))).expect("the zoo");
    let header = format!("int aiplayer_{ID}(int game_board[4][4]);\n");
    fs::write(folder.path().join(format!("aiplayer_{ID}.h")), header).expect("a header");
    println!("level  µs a move (median of game means)  ms a game beyond its moves");
    for level in ["L1", "L2", "L3"] {
        const FEW: u32 = 20;
        const MANY: u32 = 220;
        let (short, _, _) = grade(folder.path(), level, FEW);
        let (long, move_us, moves) = grade(folder.path(), level, MANY);
        let games = f64::from(MANY - FEW);
        let moves_s = move_us * moves / 1e6;
        let game_ms = ((long.as_secs_f64() - short.as_secs_f64()) / games - moves_s) * 1e3;
        println!("{level}     {move_us:28.1}  {game_ms:26.2}");
    }
}

/// Time of the whole run, median over the games of the mean time a move, and mean number of moves.
fn grade(folder: &Path, level: &str, games: u32) -> (Duration, f64, f64) {
    let out = folder.join(format!("{level}_{games}"));
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_estr2048"))
        .args(["grade", "--isolation", level, "--jobs", "1", "--format", "csv", "--games", &games.to_string()])
        .args(["--seeds", "1..400", "--out"])
        .arg(&out)
        .arg(folder.join(format!("aiplayer_{ID}.c")))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the program runs");
    assert!(status.success());
    let time = start.elapsed();
    let text = fs::read_to_string(out.join("times.csv")).expect("times.csv");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').filter_map(|field| field.parse().ok()).collect()).collect();
    let mut means: Vec<f64> = rows.iter().map(|row| row[4]).collect();
    means.sort_by(f64::total_cmp);
    let moves = rows.iter().map(|row| row[3]).sum::<f64>() / rows.len() as f64;
    (time, means[means.len() / 2], moves)
}
