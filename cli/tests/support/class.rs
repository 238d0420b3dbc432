//! A small class, graded by the real program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Hand-ins from these programs of the zoo, and the folder with their marks.
pub fn graded(folder: &Path, players: &[&str]) -> PathBuf {
    let (submissions, graded) = (folder.join("submissions"), folder.join("graded"));
    fs::create_dir(&submissions).unwrap();
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo/player");
    for (number, player) in players.iter().enumerate() {
        let id = format!("11551{:05}", 137 * number + 11);
        let text = fs::read_to_string(zoo.join(player).with_extension("c")).unwrap().replace("1155000000", &id);
        fs::write(submissions.join(format!("aiplayer_{id}.c")), text).unwrap();
        let header = format!("int aiplayer_{id}(int game_board[4][4]);\n");
        fs::write(submissions.join(format!("aiplayer_{id}.h")), header).unwrap();
    }
    let mut grade = Command::new(env!("CARGO_BIN_EXE_estr2048"));
    grade.arg("grade").arg(&submissions).arg("--out").arg(&graded).args(["--move-limit", "1s", "--seeds", "1,2,3,4,5"]);
    assert!(grade.stdout(Stdio::null()).status().unwrap().success());
    graded
}
