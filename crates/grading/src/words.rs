//! What students and staff read. Everything that a student wrote is shown so that it cannot act.

use std::fmt::Write as _;

use crate::basic::{BasicReport, BasicVerdict};
use crate::marks::Scheme;
use crate::places::Place;
use crate::report::{Part, Report, Status};
pub use crate::slug::slug;
use estr2048_referee::game::GameRecord;

/// Without control characters, and not too long.
pub fn plain(text: &str) -> String {
    const LONGEST: usize = 8000;
    let keep = |letter: &char| *letter == '\n' || *letter == '\t' || !letter.is_control();
    text.chars().filter(keep).take(LONGEST).collect()
}

/// As a piece of Markdown that shows exactly these characters.
pub fn escaped(text: &str) -> String {
    let letters: Vec<char> = plain(text).chars().collect();
    let mut out = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let inside_word = [before, after].iter().all(|near| near.is_some_and(|near| near.is_ascii_alphanumeric()));
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(' '),
            '_' if inside_word => out.push(letter),
            // A bracket alone is only a bracket; before a parenthesis it makes a link.
            ']' if after == Some(&'(') => out.push_str("\\]"),
            '\\' | '`' | '*' | '_' | '#' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

/// As a block of code whose fence the text cannot close.
pub fn block(text: &str) -> String {
    let text = plain(text);
    let mut longest = 0;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A board as four lines.
pub fn board(cells: &[i32; 16]) -> String {
    let row = |row: &[i32]| row.iter().map(|tile| format!("{tile:6}")).collect::<String>();
    cells.chunks(4).map(row).collect::<Vec<_>>().join("\n")
}

/// Time of a game's moves, in microseconds.
pub struct Times {
    pub mean: f64,
    pub p99: u32,
    pub max: u32,
}

impl Times {
    pub fn of(game: &GameRecord) -> Self {
        let mut times = game.times_us.clone();
        times.sort_unstable();
        let mean = times.iter().map(|&us| f64::from(us)).sum::<f64>() / times.len().max(1) as f64;
        let p99 = times.get((times.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0);
        Self { mean, p99, max: times.last().copied().unwrap_or(0) }
    }
}

/// A time in the unit that fits it.
pub fn time(us: f64) -> String {
    match us {
        us if us < 1e3 => format!("{us:.0} µs"),
        us if us < 1e6 => format!("{:.1} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

fn mark_of(status: Status) -> &'static str {
    match status {
        Status::Pass => "ok",
        Status::Warn => "note",
        Status::Fail => "FAILED",
        Status::Skipped => "skipped",
    }
}

/// The student's own page.
pub fn feedback(report: &Report, scheme: &Scheme) -> String {
    let mut text = String::new();
    let id = escaped(&report.id);
    if report.late {
        let _ = writeln!(text, "Handed in late.\n");
    }
    if report.part == Part::Basic {
        if let Some(basic) = &report.basic {
            text.push_str(&basic_part(basic, scheme));
        }
        return text;
    }
    let scores = report.scores();
    let _ = writeln!(text, "# Computer player of {id}\n");
    let _ = writeln!(text, "**{}.** {}\n", capital(&report.verdict.to_string()), escaped(&report.detail));
    if scores.games > 0 {
        let _ = writeln!(
            text,
            "Best score **{}** of {} games: {} of {} marks.",
            scores.best,
            scores.games,
            scheme.mark(scores.best),
            scheme.full()
        );
        if scores.ci95.is_finite() {
            let _ = writeln!(text, "Mean {:.1} ± {:.1} (95 % interval).", scores.mean, scores.ci95);
        }
        text.push('\n');
    }
    if let Some(found) = &report.sanitizer {
        let _ = writeln!(text, "The sanitizers say where it goes wrong: **{}**\n", escaped(found));
    }
    if let Some(game) = report.first_failure() {
        let _ = writeln!(text, "The board of move {}, on which this happened:\n", game.moves + 1);
        text.push_str(&block(&board(&game.board)));
        let flat: Vec<String> = game.board.iter().map(i32::to_string).collect();
        let _ = writeln!(text, "\nAs 16 numbers: `{}`\n", flat.join(" "));
    }
    if let Some(repro) = &report.repro {
        let _ = writeln!(text, "`{repro}` repeats that game on your own machine:\n");
        text.push_str(&block(&format!(
            "gcc -g -fsanitize=address,undefined {repro} aiplayer_{}.c -lm -o repro && ./repro",
            report.id
        )));
        text.push('\n');
    }
    let _ = writeln!(text, "## Checks\n");
    for check in &report.checks {
        let _ = writeln!(text, "- **{}** {}: {}", mark_of(check.status), escaped(&check.name), escaped(&check.text));
    }
    if !report.flags.is_empty() {
        let _ = writeln!(text, "\n## Notes\n");
        for (flag, note) in &report.flags {
            let _ = writeln!(text, "- {}: {}", slug(flag).replace('-', " "), escaped(note));
        }
    }
    if !report.games.is_empty() {
        let _ = writeln!(text, "\n## Games\n");
        let _ = writeln!(
            text,
            "| game | result | score | largest tile | moves | time a move: mean | p99 | longest | processor time of all moves |"
        );
        let _ = writeln!(text, "|---|---|---|---|---|---|---|---|---|");
        for (number, game) in report.games.iter().enumerate() {
            let times = Times::of(game);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                number + 1,
                game.verdict,
                game.score,
                game.tile,
                game.moves,
                time(times.mean),
                time(times.p99.into()),
                time(times.max.into()),
                time(game.cpu_us as f64),
            );
        }
        for (number, game) in report.games.iter().enumerate().filter(|(_, game)| !game.detail.is_empty()) {
            let _ = writeln!(text, "\nGame {}: {}", number + 1, escaped(&game.detail));
        }
        if let Some(game) = report.games.iter().find(|game| !game.printed.is_empty()) {
            let _ = writeln!(text, "\nWhat it printed began with:\n");
            text.push_str(&block(&game.printed));
        }
    }
    if !report.compiler.trim().is_empty() {
        let _ = writeln!(text, "\n## What gcc said\n");
        text.push_str(&block(&report.compiler));
    }
    if let Some(basic) = &report.basic {
        text.push_str(&basic_part(basic, scheme));
    }
    text
}

/// The basic part's chapter of the student's page.
fn basic_part(report: &BasicReport, scheme: &Scheme) -> String {
    let mut text = String::from("\n# Basic part\n\n");
    let verdict = slug(report.verdict).replace('-', " ");
    let _ = writeln!(text, "**{}.** {}\n", capital(&verdict), escaped(&report.detail));
    match scheme.basic_mark(report) {
        Some(mark) => {
            let _ = writeln!(text, "{mark} of {} marks.\n", scheme.basic.full);
        }
        None => text.push_str("A human looks at it before it gets its marks.\n\n"),
    }
    for cause in &report.causes {
        let _ = writeln!(text, "- Likely cause: {}", escaped(cause));
    }
    for message in &report.missing_messages {
        let _ = writeln!(text, "- {}", escaped(message));
    }
    for game in &report.games {
        let mark = match game.verdict {
            BasicVerdict::Passed => "ok",
            BasicVerdict::NeedsHuman => "needs a human",
            _ => "FAILED",
        };
        let _ = writeln!(text, "\n**{mark}** {}\n", escaped(&game.name));
        text.push_str(&block(&game.text));
    }
    if !report.compiler.trim().is_empty() {
        let _ = writeln!(text, "\n## What gcc said about it\n");
        text.push_str(&block(&report.compiler));
    }
    text
}

/// With a capital first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The class by best score.
pub fn ranking(places: &[Place<'_>]) -> String {
    let mut text = String::from("# Ranking by best score\n\n");
    text.push_str(
        "| rank | player | best | mean | 95 % interval | result | mark | bonus | told apart from the player above |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    let mut above = None;
    for place in places {
        let scores = place.report.scores();
        let interval = match scores.ci95.is_finite() {
            true => format!("{:.1} to {:.1}", scores.mean - scores.ci95, scores.mean + scores.ci95),
            false => "unknown".into(),
        };
        let apart = match (&above, place.rank) {
            (_, None) => "-",
            (None, _) => "-",
            (Some(above), _) if scores.differs_from(above) => "yes",
            _ => "no: the means are too close for this many games",
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} | {interval} | {} | {} | {} | {apart} |",
            place.rank.map_or("-".into(), |rank| rank.to_string()),
            escaped(&place.report.id),
            scores.best,
            scores.mean,
            place.report.result(),
            place.mark,
            place.bonus,
        );
        above = place.rank.map(|_| scores);
    }
    text.push_str(
        "\nRank and marks follow the best score. The mean shows strength; its interval says how far luck reaches.\n",
    );
    text
}

/// How many submissions of a list met each fate, most frequent first.
pub fn fates_of(places: &[Place<'_>]) -> Vec<(String, usize)> {
    count(places.iter().map(|place| place.report))
}

/// How many submissions met each fate, most frequent first.
pub fn fates(reports: &[Report]) -> Vec<(String, usize)> {
    count(reports.iter())
}

fn count<'a>(reports: impl Iterator<Item = &'a Report>) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for report in reports {
        *counts.entry(report.result()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_text_cannot_act() {
        assert_eq!(escaped("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
        assert_eq!(escaped("[x](http://y)\n# z"), "[x\\](http://y) \\# z");
        assert_eq!(escaped("game_board[4][0] _x_"), "game_board[4][0] \\_x\\_");
        assert_eq!(escaped("\u{1b}[31mred"), "[31mred");
        let block = block("```\n# out of the block\n````");
        assert!(block.starts_with("`````text\n") && block.ends_with("\n`````\n"), "{block}");
    }
}
