//! The files that `estr2048 grade` leaves: for the staff, for the students, and for other programs.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::json;

use crate::files::write_atomically;
use crate::marks::Scheme;
use crate::places::{Place, places};
use crate::report::{Report, Status};
use crate::words;
use estr2048_referee::verdict::Verdict;

/// Which files are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// summary.csv and times.csv
    Csv,
    /// ranking.md and feedback/<id>.md
    Markdown,
    /// gradescope/<id>/results.json
    Gradescope,
    /// check50/<id>.json
    Check50,
    /// junit.xml
    Junit,
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
pub fn class(out: &Path, reports: &[Report], scheme: &Scheme, formats: &[Format]) -> Result<()> {
    let places = places(reports, scheme);
    if formats.contains(&Format::Csv) {
        write_atomically(&out.join("summary.csv"), &summary(&places)?)?;
        write_atomically(&out.join("times.csv"), &times(reports)?)?;
    }
    if formats.contains(&Format::Markdown) {
        write_atomically(&out.join("ranking.md"), words::ranking(&places).as_bytes())?;
    }
    if formats.contains(&Format::Junit) {
        write_atomically(&out.join("junit.xml"), junit(reports)?.as_bytes())?;
    }
    Ok(())
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
            words::slug(report.verdict),
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
        ])?;
    }
    Ok(table.into_inner()?)
}

/// A text that a spreadsheet does not take for a formula.
fn safe_cell(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text }
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
        let status = if check.status == Status::Fail { "failed" } else { "passed" };
        tests.push(json!({
            "name": check.name, "status": status, "output": words::plain(&check.text), "output_format": "text",
            "visibility": "visible",
        }));
    }
    for (number, game) in report.games.iter().enumerate() {
        let done = game.verdict == Verdict::Finished;
        let text = format!("{}: {} points in {} moves. {}", game.verdict, game.score, game.moves, game.detail);
        tests.push(json!({
            "name": format!("game {}", number + 1), "status": if done { "passed" } else { "failed" },
            "output": words::plain(&text), "output_format": "text", "visibility": "visible",
        }));
    }
    tests.push(json!({
        "name": "best score", "score": scheme.mark(scores.best), "max_score": scheme.full(),
        "status": if report.verdict == Verdict::Finished { "passed" } else { "failed" },
        "output": words::plain(&format!("best of {} games: {}", scores.games, scores.best)), "output_format": "text",
        "visibility": "visible",
    }));
    if let Some(basic) = &report.basic {
        for game in &basic.games {
            tests.push(json!({
                "name": format!("basic part: {}", game.name), "status": if game.passed() { "passed" } else { "failed" },
                "output": words::plain(&game.text), "output_format": "text", "visibility": "visible",
            }));
        }
    }
    json!({
        "output": words::plain(&format!("{}. {}", report.verdict, report.detail)),
        "output_format": "text",
        "score": scheme.mark(scores.best),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [
            { "name": "best", "value": scores.best, "order": "desc" },
            { "name": "mean", "value": (scores.mean * 10.0).round() / 10.0, "order": "desc" },
        ],
    })
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
    }
    Ok(file.to_string()?)
}
