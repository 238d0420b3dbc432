//! Compares what a program printed with what it should have. *Wrong* is said only where it is certain: where the reading
//! was proved by boards that agree, or a known mistake gives the same boards. Everything else is for a human, with what
//! was understood.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::engine::{self, Mistake, Run};
use super::reader::{self, Cells, Reading};
use super::report::{BasicGame, BasicVerdict};
use super::screen;
use super::script::Script;
use estr2048_referee::sandbox::program::{Outcome, Stop};

/// The verdict on one scripted game.
pub fn judge(script: &Script, outcome: &Outcome) -> BasicGame {
    let expected = engine::run(script.seed, &script.letters, None);
    let game = |verdict, text: String, cause: Option<&str>| BasicGame {
        name: script.name.clone(),
        verdict,
        text,
        cause: cause.map(String::from),
    };
    if let Stop::Signal(signal) = outcome.ending {
        let (name, what) = estr2048_referee::verdict::signal_name(signal);
        return game(BasicVerdict::Crash, format!("it crashed with {name} ({what})"), None);
    }
    if outcome.ending == Stop::Starved {
        let text = "the machine had no time for it: nothing is known about this game";
        return game(BasicVerdict::NeedsHuman, text.into(), None);
    }
    let endless = matches!(outcome.ending, Stop::Timeout | Stop::Flood);
    let best = best_reading(&outcome.stdout, &expected);
    let Some((reading, agreed)) = &best else {
        return game(BasicVerdict::NeedsHuman, unread(outcome, &expected), None);
    };
    if let Some(at) = agreed.differs_at {
        return differing(script, &expected, reading, agreed, at, game);
    }
    let missing = expected.boards.len().saturating_sub(agreed.reached + 1);
    let what = if outcome.ending == Stop::Timeout { "does not end" } else { "prints without end" };
    if endless && missing == 0 {
        return game(
            BasicVerdict::Timeout,
            format!("all boards are right, but at the end of the input it {what}"),
            Some("loops forever at the end of input: scanf gives EOF then, and must be checked"),
        );
    }
    if missing > 0 && !shown_somehow(&outcome.stdout, expected.boards.last()) {
        let text = match missing {
            1 => "all boards are right, but it never shows the last one: after the last move the board must be shown, too".into(),
            _ => format!("its boards are right, but it stopped after {} of {} boards", agreed.reached + 1, expected.boards.len()),
        } + ended(outcome);
        return game(if endless { BasicVerdict::Timeout } else { BasicVerdict::Wrong }, text, None);
    }
    if missing > 1 {
        let text = format!(
            "its boards are right as far as they could be read ({} of {}); the last board seems to be there, too",
            agreed.reached + 1,
            expected.boards.len()
        );
        return game(BasicVerdict::NeedsHuman, text, None);
    }
    if !expected.over {
        return game(BasicVerdict::Passed, "all boards are right".into(), None);
    }
    judge_score(outcome, reading, &expected, game)
}

/// The reading that agrees longest with the game, if any makes sense, and how far it agrees.
pub fn best_reading(output: &str, expected: &Run) -> Option<(Reading, Agreement)> {
    let best = |readings: Vec<Reading>| {
        let walked = readings.into_iter().map(|reading| {
            let agreed = agreement(&reading.boards, expected);
            (reading, agreed)
        });
        let worth = |agreed: &Agreement| (agreed.differs_at.is_none() && agreed.matched > 1, agreed.matched);
        // Of equals the first.
        walked.reduce(|best, next| if worth(&next.1) > worth(&best.1) { next } else { best })
    };
    let usual = best(reader::readings(output));
    let rarer = match &usual {
        Some((_, agreed)) if agreed.differs_at.is_none() && agreed.matched + 1 >= expected.boards.len() => None,
        _ => best(reader::rarer_readings(output)),
    };
    let matched = |found: &Option<(Reading, Agreement)>| found.as_ref().map_or(0, |(_, agreed)| agreed.matched);
    let found = if matched(&rarer) > matched(&usual) { rarer } else { usual };
    found.filter(|(reading, agreed)| reading.sure || agreed.matched > 1)
}

/// Why a program was ended that did not end by itself.
fn ended(outcome: &Outcome) -> &'static str {
    match outcome.ending {
        Stop::Timeout => " (and the program did not end)",
        Stop::Flood => " (and the program printed without end)",
        Stop::Memory => " (and the program was ended, because it wanted more memory or disk than it may use)",
        _ => "",
    }
}

/// What to say when no board could be read.
fn unread(outcome: &Outcome, expected: &Run) -> String {
    let mut text = format!("no board could be read from its output{}", ended(outcome));
    if shown_somehow(&outcome.stdout, expected.boards.last()) {
        text.push_str("; but the tiles of the right last board stand there in the right order");
    }
    let plain = screen::plain(&outcome.stdout);
    let sample: Vec<&str> = plain.lines().filter(|line| !line.trim().is_empty()).take(12).collect();
    if !sample.is_empty() {
        let _ = write!(text, ". It begins with:\n{}", sample.join("\n"));
    }
    text
}

/// A reading whose boards leave the expected game.
fn differing(
    script: &Script,
    expected: &Run,
    reading: &Reading,
    agreed: &Agreement,
    at: usize,
    game: impl Fn(BasicVerdict, String, Option<&str>) -> BasicGame,
) -> BasicGame {
    let shown = difference(script, expected, agreed, &reading.boards[at]);
    let cause = Mistake::ALL.into_iter().find(|&mistake| {
        let other = engine::run(script.seed, &script.letters, Some(mistake));
        let with = agreement(&reading.boards, &other);
        with.matched > 2 && with.differs_at.is_none_or(|there| there > at + 3)
    });
    if let Some(cause) = cause {
        return game(BasicVerdict::Wrong, shown, Some(cause.words()));
    }
    // A look that changes with large tiles, or a board of another kind in between, is no mistake in the game.
    let back =
        reading.boards[at + 1..].iter().filter(|board| expected.boards[agreed.reached + 1..].contains(board)).count();
    let odd = !reader::are_tiles(&reading.boards[at]);
    if agreed.matched < 2 {
        let text = format!(
            "boards could be read, but they are not those of this game, and no known mistake explains them (another order of \
             input? a menu before the game?). Understood was: {shown}"
        );
        return game(BasicVerdict::NeedsHuman, text, None);
    }
    if odd || back > 1 {
        let text = format!(
            "one board could not be understood, though {} agree. Understood was: {shown}",
            agreed.matched + back
        );
        return game(BasicVerdict::NeedsHuman, text, None);
    }
    game(BasicVerdict::Wrong, shown, None)
}

/// Whether the tiles of a board stand in the text in reading order, whatever is drawn around them.
fn shown_somehow(output: &str, board: Option<&Cells>) -> bool {
    let Some(board) = board else { return false };
    let tiles: Vec<i64> = board.iter().filter(|&&tile| tile != 0).map(|&tile| tile.into()).collect();
    let numbers: Vec<i64> = numbers(&screen::plain(output)).into_iter().filter(|&number| number != 0).collect();
    // Few tiles prove nothing.
    tiles.len() >= 6 && numbers.windows(tiles.len()).any(|window| window == tiles)
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d{1,3}(?:,\d{3})+|\d+").expect("a regex"));

fn numbers(text: &str) -> Vec<i64> {
    NUMBER.find_iter(text).filter_map(|found| found.as_str().replace(',', "").parse().ok()).collect()
}

static SCORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)scores?\b|scored|points?\b|\btotal\b|\bsum\b|\bmarks?\b|得分|分數|分数|總分|总分|成績|成绩|分")
        .expect("a regex")
});
static OTHER_SCORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)high|best|record|\btop\b|previous|\(c\)|copyright|version|最高|紀錄").expect("a regex")
});

/// Whether the score stands where a score should stand.
fn judge_score(
    outcome: &Outcome,
    reading: &Reading,
    expected: &Run,
    game: impl Fn(BasicVerdict, String, Option<&str>) -> BasicGame,
) -> BasicGame {
    let score = expected.score();
    let plain = screen::plain(&outcome.stdout);
    let lines: Vec<&str> = plain.lines().collect();
    let after = (reading.last_line + 1).min(lines.len());
    let speaks = |at: &usize| {
        SCORE.is_match(lines[*at]) || *at > 0 && SCORE.is_match(lines[*at - 1]) && numbers(lines[*at - 1]).is_empty()
    };
    let about: Vec<usize> = (0..lines.len()).filter(speaks).filter(|&at| !numbers(lines[at]).is_empty()).collect();
    let end = about.len().saturating_sub(3);
    let near = about[end..].iter().any(|&at| numbers(lines[at]).contains(&score));
    if near || lines[after..].iter().any(|line| numbers(line).contains(&score)) {
        return game(BasicVerdict::Passed, format!("all boards are right, and the score {score}"), None);
    }
    // One single number after the last board that is called a score, and is not the sum of a round before, is another score.
    let said: Vec<usize> =
        about.iter().copied().filter(|&at| at >= after && !OTHER_SCORE.is_match(lines[at])).collect();
    let mut values: Vec<i64> = said.iter().flat_map(|&at| numbers(lines[at])).collect();
    values.sort_unstable();
    values.dedup();
    let sums = |board: &Cells| board.iter().map(|&tile| i64::from(tile)).sum::<i64>();
    if let &[shown] = &values[..]
        && !expected.boards.iter().rev().take(3).any(|board| sums(board) == shown)
    {
        return game(
            BasicVerdict::Wrong,
            format!("all boards are right, but it says {shown} where the score is {score}"),
            Some("score is not the sum: the score is the sum of all tiles on the last board"),
        );
    }
    let mut text = format!("all boards are right, but the score could not be found; it should be {score}");
    let shown: Vec<&str> = about.iter().rev().take(3).rev().map(|&at| lines[at].trim()).collect();
    if shown.is_empty() {
        let tail: Vec<&str> =
            lines[after..].iter().map(|line| line.trim()).filter(|line| !line.is_empty()).take(5).collect();
        let _ = write!(text, ". After the last board it says:\n{}", tail.join("\n"));
    } else {
        let _ = write!(text, ". What it says of a score:\n{}", shown.join("\n"));
    }
    game(BasicVerdict::NeedsHuman, text, None)
}

pub struct Agreement {
    /// Index of the first board that is not the expected one.
    pub differs_at: Option<usize>,
    /// Index of the last expected board that was seen.
    pub reached: usize,
    /// How many expected boards were seen.
    pub matched: usize,
}

/// Walks through both sequences. A program may leave the starting board out, show an empty or sample board before it,
/// and show boards before the new cell.
pub fn agreement(boards: &[Cells], expected: &Run) -> Agreement {
    const SAMPLES: usize = 2;
    let mut next = 0;
    let mut matched = 0;
    // Boards before the first expected one belong to the title, if the game follows them.
    let start = boards.iter().take(SAMPLES + 1).position(|board| Some(board) == expected.boards.first());
    for (at, board) in boards.iter().enumerate().skip(start.unwrap_or(0)) {
        if expected.boards.get(next) == Some(board) {
            next += 1;
            matched += 1;
        } else if at == 0 && expected.boards.get(1) == Some(board) {
            next = 2;
            matched += 1;
        } else if next > 0 && (expected.moved.get(next - 1) == Some(board) || expected.boards[next - 1] == *board) {
            // The board before the new cell, or the last one again.
        } else {
            return Agreement { differs_at: Some(at), reached: next.saturating_sub(1), matched };
        }
    }
    Agreement { differs_at: None, reached: next.saturating_sub(1), matched }
}

/// Expected and actual board side by side, and what was typed so far.
fn difference(script: &Script, expected: &Run, agreed: &Agreement, actual: &Cells) -> String {
    let next = (agreed.reached + usize::from(agreed.matched > 0)).min(expected.boards.len() - 1);
    let read = expected.read[next];
    let typed: String = script.letters[..read].iter().map(|&letter| letter as char).collect();
    let mut text = format!("round {next} differs. Seed {}, typed so far: {typed}\n", script.seed);
    let _ = writeln!(text, "{:<28}its board", "expected board");
    for (want, have) in expected.boards[next].chunks(4).zip(actual.chunks(4)) {
        let row = |row: &[i32]| row.iter().map(|tile| format!("{tile:6}")).collect::<String>();
        let _ = writeln!(text, "{:<28}{}", row(want), row(have));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::script;
    use super::*;

    /// A program that draws boards and the end in these ways.
    fn play(mistake: Option<Mistake>, board: impl Fn(&Cells) -> String, end: impl Fn(&Run) -> String) -> BasicGame {
        let script = script::standard().into_iter().next().unwrap();
        let run = engine::run(script.seed, &script.letters, mistake);
        let boards: String = run.boards.iter().map(|cells| board(cells) + "Next move (U, D, L, R): ").collect();
        let stdout = format!("2048 (c) 2021\nEnter a seed: {boards}{}", end(&run));
        judge(&script, &Outcome { ending: Stop::Exit(0), stdout, stderr: String::new(), offences: Vec::new() })
    }

    fn plain(cells: &Cells) -> String {
        let row = |row: &[i32]| row.iter().map(|tile| format!("{tile:6}")).collect::<String>() + "\n";
        format!("\n{}", cells.chunks(4).map(row).collect::<String>())
    }

    #[test]
    fn ten_natural_ways_to_tell_the_score() {
        let ways: [&dyn Fn(&Run) -> String; 13] = [
            &|run| format!("\nGame over! Your score is {}.\n", run.score()),
            &|run| format!("\nYou scored {} points in {} rounds\n", run.score(), run.boards.len()),
            &|run| format!("\nHigh score: 99999\nYour score: {}\n", run.score()),
            &|run| format!("\nYour score: {}\nHigh score: 99999\n", run.score()),
            &|run| format!("\nScore: {}\n(c) 2021\n", run.score()),
            &|run| format!("\n\u{1b}[1;31mScore\u{1b}[0m: \u{1b}[1m{}\u{1b}[0m\n", run.score()),
            &|run| format!("\n遊戲結束!得分:{}\n", run.score()),
            &|run| format!("\nScore\n-----\n{}\n", run.score()),
            &|run| format!("\nGame over: {}\n", run.score()),
            &|run| format!("\n=== {} POINTS ===\n", run.score()),
            &|run| format!("\nTotal score = {}, moves = {}\n", run.score(), run.boards.len()),
            &|run| format!("\nAfter 113 rounds, the final score is: {}\n", run.score()),
            &|run| format!("\nThe sum of all tiles: {}!\n", run.score()),
        ];
        for (number, way) in ways.iter().enumerate() {
            let found = play(None, plain, way);
            assert_eq!(found.verdict, BasicVerdict::Passed, "way {number}: {}", found.text);
        }
    }

    /// Looks of real programs, each with its first row behind the prompt.
    #[test]
    fn natural_ways_to_draw_a_board() {
        fn rows(cells: &Cells, row: impl Fn(usize, &[String]) -> String, tile: impl Fn(i32) -> String) -> String {
            let rows = cells.chunks(4).map(|row| row.iter().map(|&cell| tile(cell)).collect::<Vec<_>>());
            rows.enumerate().map(|(number, tiles)| row(number, &tiles) + "\n").collect()
        }
        fn number(tile: i32, empty: &str) -> String {
            format!("{:>5}", if tile == 0 { empty.into() } else { tile.to_string() })
        }
        let joined = |mark: &'static str| move |_: usize, tiles: &[String]| tiles.join(mark);
        let around = |mark: &'static str| move |_: usize, tiles: &[String]| format!("{mark}{}{mark}", tiles.join(mark));
        let outer = |cells: &Cells, empty: &str| {
            let edge = "+--------------------+\n";
            let row = |_: usize, tiles: &[String]| format!("|{}|", tiles.concat());
            format!("{edge}{}{edge}", rows(cells, row, |tile| number(tile, empty)))
        };
        let coloured = |cells: &Cells| {
            let field = |tile: i32, text: &str| format!("\u{1b}[48;5;{tile}m{text:^7}\u{1b}[0m");
            let line = |row: &[i32], numbers: bool| {
                let text = |tile: i32| if numbers && tile != 0 { tile.to_string() } else { String::new() };
                row.iter().map(|&tile| field(tile, &text(tile))).collect::<String>() + "\n"
            };
            cells
                .chunks(4)
                .map(|row| [false, true, false].map(|numbers| line(row, numbers)).concat())
                .collect::<String>()
        };
        let placed = |cells: &Cells| {
            let place = |at: usize| format!("\u{1b}[{};{}H{:5}", at / 4 + 1, at % 4 * 6 + 1, cells[at]);
            format!("\u{1b}[2J{}\n", (0..16).map(place).collect::<String>())
        };
        let looks: [&dyn Fn(&Cells) -> String; 24] = [
            &|cells| outer(cells, "."),
            &|cells| outer(cells, ""),
            &|cells| outer(cells, "0"),
            &|cells| rows(cells, |row, tiles| format!("{}. {}", row + 1, tiles.concat()), |tile| number(tile, "0")),
            &|cells| rows(cells, joined(""), |tile| format!("[{}]", number(tile, "____").trim())),
            &|cells| rows(cells, joined(""), |tile| format!("[{}]", number(tile, "-").trim())),
            &|cells| rows(cells, joined(""), |tile| format!("<{tile:4}>")),
            &|cells| rows(cells, |_, tiles| format!("[{}]", tiles.join(", ")), |tile| tile.to_string()),
            &|cells| rows(cells, joined(","), |tile| number(tile, "").trim().into()),
            &|cells| rows(cells, joined(";"), |tile| tile.to_string()),
            &|cells| rows(cells, joined("/"), |tile| tile.to_string()),
            &|cells| rows(cells, |_, tiles| tiles.concat().trim_end().into(), |tile| number(tile, "")),
            &|cells| rows(cells, joined(""), |tile| number(tile, "---")),
            &|cells| rows(cells, joined(""), |tile| number(tile, "#")),
            &|cells| rows(cells, around("*"), |tile| number(tile, "")),
            &|cells| rows(cells, around("#"), |tile| number(tile, "")),
            &|cells| rows(cells, around("!"), |tile| number(tile, "")),
            &|cells| rows(cells, around(":"), |tile| number(tile, "")),
            &|cells| rows(cells, joined("|"), |tile| number(tile, "")),
            &|cells| rows(cells, joined(" | "), |tile| tile.to_string()),
            &|cells| rows(cells, joined(" "), |tile| format!("{tile:04}")),
            &|cells| rows(cells, |_, tiles| tiles.join("|") + "|", |tile| number(tile, "")),
            &coloured,
            &placed,
        ];
        for (number, look) in looks.iter().enumerate() {
            let found = play(None, look, |run| format!("\nScore: {}\n", run.score()));
            assert_eq!(found.verdict, BasicVerdict::Passed, "look {number}: {}", found.text);
            // The same look with a mistake in the game is not understood as something else.
            let found = play(Some(Mistake::DoubleMerge), look, |run| format!("\nScore: {}\n", run.score()));
            assert_eq!(found.cause.as_deref(), Some(Mistake::DoubleMerge.words()), "look {number}: {}", found.text);
        }
    }

    #[test]
    fn another_score_is_wrong_only_where_it_is_certain() {
        let found = play(None, plain, |_| "\nScore: 1234\n".into());
        assert_eq!(found.verdict, BasicVerdict::Wrong, "{}", found.text);
        assert!(found.cause.unwrap().contains("not the sum"));
        for end in ["\nGood bye.\n", "\nHigh score: 99999\n", "\nYou scored 17 points in 113 rounds\n"] {
            let found = play(None, plain, |_| end.into());
            assert_eq!(found.verdict, BasicVerdict::NeedsHuman, "{end}: {}", found.text);
            assert!(found.cause.is_none() && found.text.contains("it should be"));
        }
    }

    #[test]
    fn a_last_board_that_is_not_shown_does_not_pass() {
        let script = script::standard().into_iter().next().unwrap();
        let run = engine::run(script.seed, &script.letters, None);
        let boards: String = run.boards[..run.boards.len() - 1].iter().map(plain).collect();
        let stdout = format!("{boards}\nScore: {}\n", run.score());
        let found =
            judge(&script, &Outcome { ending: Stop::Exit(0), stdout, stderr: String::new(), offences: Vec::new() });
        assert_eq!(found.verdict, BasicVerdict::Wrong);
        assert!(found.text.contains("never shows the last"), "{}", found.text);
    }

    #[test]
    fn mistakes_are_told_by_name() {
        for mistake in Mistake::ALL.into_iter().filter(|&mistake| mistake != Mistake::LowerCase) {
            let found = play(Some(mistake), plain, |run| format!("\nScore: {}\n", run.score()));
            assert_eq!(found.verdict, BasicVerdict::Wrong, "{mistake:?}: {}", found.text);
            assert_eq!(found.cause.as_deref(), Some(mistake.words()), "{mistake:?}: {}", found.text);
        }
    }

    #[test]
    fn what_ended_a_program_is_told() {
        let script = script::standard().into_iter().next().unwrap();
        let run = engine::run(script.seed, &script.letters, None);
        let half: String = run.boards[..run.boards.len() / 2].iter().map(plain).collect();
        let ended = |ending, stdout: &str| {
            judge(&script, &Outcome { ending, stdout: stdout.into(), stderr: String::new(), offences: Vec::new() })
        };
        for (stdout, verdict) in [("", BasicVerdict::NeedsHuman), (&half, BasicVerdict::Wrong)] {
            let found = ended(Stop::Memory, stdout);
            assert!(found.verdict == verdict && found.text.contains("more memory"), "{found:?}");
            assert!(!ended(Stop::Exit(0), stdout).text.contains("memory"));
        }
    }

    #[test]
    fn another_game_is_for_a_human() {
        // The same program with another seed: it may have read its input in another order.
        let script = script::standard().into_iter().next().unwrap();
        let run = engine::run(99, &script.letters, None);
        let stdout = run.boards.iter().map(plain).collect::<String>();
        let found =
            judge(&script, &Outcome { ending: Stop::Exit(0), stdout, stderr: String::new(), offences: Vec::new() });
        assert_eq!(found.verdict, BasicVerdict::NeedsHuman);
        assert!(found.text.contains("expected board"), "{}", found.text);
    }

    #[test]
    fn an_empty_or_sample_board_before_the_game_is_no_mistake() {
        let found = play(None, plain, |run| format!("\nScore: {}\n", run.score()));
        assert_eq!(found.verdict, BasicVerdict::Passed);
        let script = script::standard().into_iter().next().unwrap();
        let run = engine::run(script.seed, &script.letters, None);
        let boards: String = std::iter::once(&[0; 16]).chain(&run.boards).map(plain).collect();
        let stdout = format!("{boards}\nScore: {}\n", run.score());
        let found =
            judge(&script, &Outcome { ending: Stop::Exit(0), stdout, stderr: String::new(), offences: Vec::new() });
        assert_eq!(found.verdict, BasicVerdict::Passed, "{}", found.text);
    }
}
