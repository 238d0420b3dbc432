//! The files that `estr2048 grade` leaves: for the staff, for the students, and for other programs.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::json;

use crate::basic::BasicVerdict;
use crate::collect::{Odd, roster::Roster};
use crate::files::write_atomically;
use crate::gradebook;
use crate::marks::Scheme;
use crate::pages::{self, Overview};
use crate::places::{Place, places};
use crate::progress::in_words;
use crate::report::{Part, Report, Status};
use crate::similar::{self, Pair};
use crate::spreadsheet::safe_cell;
use crate::words;
use estr2048_referee::game::GameRules;
use estr2048_referee::verdict::Verdict;

/// Which files are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `summary.csv` and `times.csv`
    Csv,
    /// `ranking.md` and `feedback/<id>.md`
    Markdown,
    /// `gradescope/<id>/results.json`
    Gradescope,
    /// `check50/<id>.json`
    Check50,
    /// `junit.xml`
    Junit,
    /// `index.html` and `students/<id>.html`
    Html,
    /// `gradebook.csv`
    Gradebook,
}

/// Everything about a class.
pub struct Whole<'a> {
    pub reports: &'a [Report],
    pub scheme: &'a Scheme,
    pub odd: &'a [Odd],
    pub roster: Option<&'a Roster>,
    pub rules: &'a GameRules,
}

/// Writes the files that concern one student.
pub fn student(out: &Path, report: &Report, scheme: &Scheme, formats: &[Format]) -> Result<()> {
    let id = &report.id;
    if formats.contains(&Format::Markdown) {
        write_atomically(&out.join(format!("feedback/{id}.md")), words::feedback(report, scheme).as_bytes())?;
    }
    if formats.contains(&Format::Gradescope) {
        let text = serde_json::to_vec_pretty(&gradescope(report, scheme))?;
        write_atomically(&out.join(format!("gradescope/{id}/results.json")), &text)?;
    }
    if formats.contains(&Format::Check50) {
        let text = serde_json::to_vec_pretty(&check50(report))?;
        write_atomically(&out.join(format!("check50/{id}.json")), &text)?;
    }
    Ok(())
}

/// Writes the files that concern the whole class.
pub fn class(out: &Path, whole: &Whole<'_>, formats: &[Format]) -> Result<()> {
    let &Whole { reports, scheme, odd, roster, rules } = whole;
    let places = places(reports, scheme);
    let pairs = if formats.contains(&Format::Csv) || formats.contains(&Format::Html) {
        similar::pairs(
            &reports.iter().flat_map(|report| similar::documents(&report.id, &report.files)).collect::<Vec<_>>(),
        )
    } else {
        Vec::new()
    };
    if formats.contains(&Format::Csv) {
        write_atomically(&out.join("summary.csv"), &summary(&places)?)?;
        write_atomically(&out.join("times.csv"), &times(reports)?)?;
        write_atomically(&out.join("hand-ins.csv"), &hand_ins(odd)?)?;
        write_atomically(&out.join("similar.csv"), &similar_pairs(&pairs)?)?;
    }
    if formats.contains(&Format::Gradebook) {
        write_atomically(&out.join("gradebook.csv"), &gradebook::gradebook(&places, scheme, roster)?)?;
    }
    if formats.contains(&Format::Html) {
        for report in reports {
            let page = pages::student(report, scheme);
            write_atomically(&out.join(format!("students/{}.html", report.id)), page.as_bytes())?;
        }
        let limit =
            rules.game_time.map_or("no limit for a game".into(), |limit| format!("{} for a game", in_words(limit)));
        let facts = [
            format!("Isolation {}: {}.", rules.limits.level, rules.limits.level.explanation()),
            format!("{} for a move, {limit}, {} MB.", in_words(rules.limits.move_time), rules.limits.memory >> 20),
        ];
        let overview = Overview { places: &places, scheme, odd, pairs: &pairs, facts: &facts };
        write_atomically(&out.join("index.html"), pages::overview(&overview).as_bytes())?;
    }
    if formats.contains(&Format::Markdown) {
        write_atomically(&out.join("ranking.md"), words::ranking(&places).as_bytes())?;
    }
    if formats.contains(&Format::Junit) {
        write_atomically(&out.join("junit.xml"), junit(reports)?.as_bytes())?;
    }
    Ok(())
}

fn hand_ins(odd: &[Odd]) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["file", "what"])?;
    for odd in odd {
        table.write_record([safe_cell(&odd.place), safe_cell(&odd.what)])?;
    }
    Ok(table.into_inner()?)
}

fn similar_pairs(pairs: &[Pair]) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["part", "id", "other", "share", "share_of_other", "fingerprints"])?;
    for pair in pairs {
        let share = |side: usize| format!("{:.3}", pair.shares[side]);
        let [a, b] = [0, 1].map(|side| safe_cell(&pair.ids[side]));
        table.write_record([pair.kind.into(), a, b, share(0), share(1), pair.fingerprints.to_string()])?;
    }
    Ok(table.into_inner()?)
}

fn summary(places: &[Place<'_>]) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "id",
        "rank",
        "verdict",
        "best",
        "mean",
        "ci95",
        "games",
        "finished",
        "mark",
        "bonus",
        "scores",
        "verdicts",
        "seeds",
        "flags",
        "basic_verdict",
        "basic_passed",
        "basic_games",
        "detail",
        "basic_mark",
        "late",
        "name",
        "for_staff",
    ])?;
    for place in places {
        let report = place.report;
        let scores = report.scores();
        let list = |of: &dyn Fn(&estr2048_referee::game::GameRecord) -> String| {
            report.games.iter().map(of).collect::<Vec<_>>().join(" ")
        };
        let finished = report.games.iter().filter(|game| game.verdict == Verdict::Finished).count();
        let number = |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
        let basic = report.basic.as_ref();
        table.write_record([
            safe_cell(&report.id),
            place.rank.map_or(String::new(), |rank| rank.to_string()),
            if report.part == Part::Basic { "not-graded".into() } else { words::slug(report.verdict) },
            scores.best.to_string(),
            number(scores.mean),
            number(scores.ci95),
            scores.games.to_string(),
            finished.to_string(),
            place.mark.to_string(),
            place.bonus.to_string(),
            list(&|game| game.score.to_string()),
            list(&|game| words::slug(game.verdict)),
            list(&|game| game.seed.clone()),
            report.flags.keys().map(|&flag| words::slug(flag)).collect::<Vec<_>>().join(" "),
            basic.map_or(String::new(), |basic| words::slug(basic.verdict)),
            basic.map_or(String::new(), |basic| basic.passed().to_string()),
            basic.map_or(String::new(), |basic| basic.games.len().to_string()),
            safe_cell(&report.detail),
            place.basic.map_or(String::new(), |mark| mark.to_string()),
            if report.late { "late".into() } else { String::new() },
            safe_cell(report.name.as_deref().unwrap_or_default()),
            safe_cell(&report.for_staff.join("; ")),
        ])?;
    }
    Ok(table.into_inner()?)
}

fn times(reports: &[Report]) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "id",
        "game",
        "seed",
        "moves",
        "wall_us_mean",
        "wall_us_p99",
        "wall_us_max",
        "cpu_us_mean",
        "cpu_us_slowest",
    ])?;
    for report in reports {
        for (number, game) in report.games.iter().enumerate() {
            let times = words::Times::of(game);
            table.write_record([
                safe_cell(&report.id),
                (number + 1).to_string(),
                game.seed.clone(),
                game.moves.to_string(),
                format!("{:.1}", times.mean),
                times.p99.to_string(),
                times.max.to_string(),
                format!("{:.1}", game.cpu_us as f64 / game.moves.max(1) as f64),
                game.slowest_cpu_us.to_string(),
            ])?;
        }
    }
    Ok(table.into_inner()?)
}

/// The form that Gradescope reads: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
fn gradescope(report: &Report, scheme: &Scheme) -> serde_json::Value {
    let scores = report.scores();
    let mut tests = Vec::new();
    for check in report.checks.iter().filter(|check| check.name != "games") {
        let status = match check.status {
            Status::Pass | Status::Warn => Some("passed"),
            Status::Fail => Some("failed"),
            Status::Skipped => None,
        };
        tests.push(test(&check.name, status, &check.text));
    }
    for (number, game) in report.games.iter().enumerate() {
        let status = match game.verdict {
            Verdict::Finished => Some("passed"),
            Verdict::NeedsHuman => None,
            _ => Some("failed"),
        };
        let text = format!("{}: {} points in {} moves. {}", game.verdict, game.score, game.moves, game.detail);
        tests.push(test(&format!("game {}", number + 1), status, &text));
    }
    let mut total = 0.0;
    if report.part != Part::Basic {
        let mark = scheme.mark(scores.best);
        total += mark;
        let status = (report.verdict != Verdict::NeedsHuman).then_some(if report.verdict == Verdict::Finished {
            "passed"
        } else {
            "failed"
        });
        let mut best = test("best score", status, &format!("best of {} games: {}", scores.games, scores.best));
        best["score"] = json!(mark);
        best["max_score"] = json!(scheme.full());
        tests.push(best);
    }
    if let Some(basic) = &report.basic {
        let colour = |verdict| match verdict {
            BasicVerdict::Passed => Some("passed"),
            BasicVerdict::NeedsHuman => None,
            _ => Some("failed"),
        };
        for game in &basic.games {
            tests.push(test(&format!("basic part: {}", game.name), colour(game.verdict), &game.text));
        }
        let mut whole = test("basic part", colour(basic.verdict), &basic.detail);
        if let Some(mark) = scheme.basic_mark(basic) {
            total += mark;
            whole["score"] = json!(mark);
            whole["max_score"] = json!(scheme.basic.full);
        }
        tests.push(whole);
    }
    json!({
        "output": words::plain(&format!("{}. {}", report.result(), report.detail)),
        "output_format": "text",
        "score": total,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [
            { "name": "best", "value": scores.best, "order": "desc" },
            { "name": "mean", "value": (scores.mean * 10.0).round() / 10.0, "order": "desc" },
        ],
    })
}

/// One test as Gradescope shows it. Without a status and a score it is neither green nor red.
fn test(name: &str, status: Option<&str>, text: &str) -> serde_json::Value {
    let mut test =
        json!({ "name": name, "output": words::plain(text), "output_format": "text", "visibility": "visible" });
    match status {
        Some(status) => test["status"] = json!(status),
        None => test["name"] = json!(format!("{name} (not decided)")),
    }
    test
}

/// The form of check50's `--output json`.
fn check50(report: &Report) -> serde_json::Value {
    let mut results = Vec::new();
    for check in &report.checks {
        let passed = match check.status {
            Status::Pass | Status::Warn => json!(true),
            Status::Fail => json!(false),
            Status::Skipped => json!(null),
        };
        let rationale = if check.status == Status::Fail {
            json!({ "rationale": words::plain(&check.text), "help": null })
        } else {
            json!(null)
        };
        results.push(json!({
            "name": check.name.replace(' ', "_"), "description": check.name, "passed": passed, "log": [words::plain(&check.text)],
            "cause": rationale, "data": {}, "dependency": null,
        }));
    }
    for (number, game) in report.games.iter().enumerate() {
        let passed = game.verdict == Verdict::Finished;
        let rationale =
            if passed { json!(null) } else { json!({ "rationale": words::plain(&game.detail), "help": null }) };
        results.push(json!({
            "name": format!("game_{}", number + 1), "description": format!("game {} is played to its end", number + 1),
            "passed": passed, "log": [format!("{} points in {} moves", game.score, game.moves)], "cause": rationale,
            "data": { "score": game.score, "moves": game.moves }, "dependency": "compiles",
        }));
    }
    for game in report.basic.iter().flat_map(|basic| &basic.games) {
        let passed = match game.verdict {
            BasicVerdict::Passed => json!(true),
            BasicVerdict::NeedsHuman => json!(null),
            _ => json!(false),
        };
        let rationale = if passed == json!(false) {
            json!({ "rationale": words::plain(&game.text), "help": game.cause })
        } else {
            json!(null)
        };
        results.push(json!({
            "name": format!("basic_{}", game.name.replace(' ', "_")), "description": format!("basic part: {}", game.name),
            "passed": passed, "log": [words::plain(&game.text)], "cause": rationale, "data": {}, "dependency": null,
        }));
    }
    json!({ "slug": "estr1002/2048", "version": env!("CARGO_PKG_VERSION"), "results": results })
}

fn junit(reports: &[Report]) -> Result<String> {
    let mut file = quick_junit::Report::new("estr2048 grade");
    for report in reports {
        let mut suite = TestSuite::new(format!("aiplayer_{}", report.id));
        for check in &report.checks {
            let mut status = match check.status {
                Status::Pass | Status::Warn => TestCaseStatus::success(),
                Status::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
                Status::Skipped => TestCaseStatus::skipped(),
            };
            if check.status != Status::Pass && check.status != Status::Warn {
                status.set_message(words::plain(&check.text));
            }
            suite.add_test_case(TestCase::new(check.name.clone(), status));
        }
        for (number, game) in report.games.iter().enumerate() {
            let mut status = match game.verdict {
                Verdict::Finished => TestCaseStatus::success(),
                _ => TestCaseStatus::non_success(NonSuccessKind::Failure),
            };
            if game.verdict != Verdict::Finished {
                status.set_type(words::slug(game.verdict)).set_message(words::plain(&game.detail));
            }
            let mut case = TestCase::new(format!("game {}", number + 1), status);
            case.set_time(Duration::from_micros(game.times_us.iter().map(|&us| u64::from(us)).sum()));
            suite.add_test_case(case);
        }
        file.add_test_suite(suite);
        let Some(basic) = &report.basic else { continue };
        let mut suite = TestSuite::new(format!("basic_{}", report.id));
        let whole = [("basic part", basic.verdict, &basic.detail)];
        let games = basic.games.iter().map(|game| (game.name.as_str(), game.verdict, &game.text));
        for (name, verdict, text) in whole.into_iter().chain(games) {
            let mut status = match verdict {
                BasicVerdict::Passed => TestCaseStatus::success(),
                BasicVerdict::NeedsHuman => TestCaseStatus::skipped(),
                _ => TestCaseStatus::non_success(NonSuccessKind::Failure),
            };
            if verdict != BasicVerdict::Passed {
                status.set_message(words::plain(text));
            }
            suite.add_test_case(TestCase::new(name, status));
        }
        file.add_test_suite(suite);
    }
    Ok(file.to_string()?)
}
