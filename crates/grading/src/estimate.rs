//! How long a class will take, before it starts: one plain player is checked and played on this machine.

use std::fs;
use std::time::Instant;

use anyhow::Result;

use crate::class::Classroom;
use crate::collect::Submission;
use crate::progress::in_words;
use crate::report::Part;

/// A player without any thought: the first move that changes something.
const PLAIN: &str = "int aiplayer_0(int b[4][4]) {
    for (int d = 0; d < 4; d++)
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) {
                int y = r + (d == 1) - (d == 0), x = c + (d == 3) - (d == 2);
                if (!b[r][c] || y < 0 || y > 3 || x < 0 || x > 3) continue;
                if (!b[y][x] || b[y][x] == b[r][c]) return d;
            }
    return 0;
}
";

/// Classes below this are done before an estimate is.
const SMALL: usize = 10;

/// A sentence about the time, for a class that is large enough.
pub fn estimate(classroom: &Classroom<'_>, submissions: &[Submission]) -> Result<Option<String>> {
    let left = submissions
        .iter()
        .filter(|one| classroom.known.get(&one.id).is_none_or(|known| known.report.is_none()))
        .count();
    if left < SMALL || classroom.part == Part::Basic {
        return Ok(None);
    }
    let folder = classroom.work.join("estimate");
    fs::create_dir_all(&folder)?;
    let (source, header) = (folder.join("aiplayer_0.c"), folder.join("aiplayer_0.h"));
    fs::write(&source, PLAIN)?;
    fs::write(&header, "int aiplayer_0(int b[4][4]);\n")?;
    let plain = Submission { id: "0".into(), source: Some(source), header: Some(header), ..Submission::default() };
    let sample = Classroom {
        compiler: classroom.compiler.clone(),
        rules: classroom.rules.clone(),
        seeds: classroom.seeds.iter().take(1).copied().collect(),
        policy: classroom.policy.clone(),
        jobs: 1,
        part: Part::Ai,
        quiet: true,
        work: folder,
        repros: None,
        script_folder: None,
        journal: None,
        known: Default::default(),
        after_game: &|_| Ok(()),
    };
    let start = Instant::now();
    sample.grade(&[plain])?;
    let games = left * classroom.seeds.len();
    let jobs = classroom.jobs.min(left) as u32;
    let quick = start.elapsed() * left as u32 / jobs;
    let most = match classroom.rules.game_time {
        Some(limit) => format!(
            "at most {}, if every game goes to its limit of {}",
            in_words(limit * games as u32 / jobs),
            in_words(limit)
        ),
        None => "and without --game-limit there is no end to slow ones".into(),
    };
    Ok(Some(format!("{games} games, {jobs} at a time: {} with players that answer at once, {most}", in_words(quick))))
}
