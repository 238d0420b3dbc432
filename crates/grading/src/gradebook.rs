//! `gradebook.csv`: the columns by which Blackboard and Canvas know a student, then the marks.

use anyhow::Result;

use crate::collect::roster::{Roster, Student};
use crate::marks::Scheme;
use crate::places::Place;
use crate::report::{Part, Report};
use crate::spreadsheet::safe_cell;
use crate::words;
use estr2048_referee::verdict::Verdict;

/// The table, with the mark by which Excel knows UTF-8. A cell that a human must fill in is empty.
pub fn gradebook(places: &[Place<'_>], scheme: &Scheme, roster: Option<&Roster>) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(vec![0xef, 0xbb, 0xbf]);
    table.write_record([
        // Canvas wants these five first.
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        // Blackboard looks for these.
        "Last Name",
        "First Name",
        "Username",
        "Student ID",
        "Computer player",
        "Bonus",
        "Basic part",
        "Late",
        "Comment",
    ])?;
    let full = [scheme.full().to_string(), scheme.bonus(1).to_string(), scheme.basic.full.to_string()];
    let [player, bonus, basic] = full;
    table.write_record(["    Points Possible", "", "", "", "", "", "", "", "", &player, &bonus, &basic, "", ""])?;
    let mut places: Vec<&Place<'_>> = places.iter().collect();
    places.sort_by(|a, b| a.report.id.cmp(&b.report.id));
    for place in places {
        let report = place.report;
        let known = roster.and_then(|roster| roster.students.get(&report.id)).cloned();
        let student = known.unwrap_or_else(|| Student { id: report.id.clone(), ..Student::default() });
        let whole = match (student.last.as_str(), student.first.as_str()) {
            ("", "") => report.id.clone(),
            ("", first) => first.into(),
            (last, first) => format!("{last}, {first}"),
        };
        let login = if student.username.is_empty() { report.id.clone() } else { student.username.clone() };
        let decided = report.part != Part::Basic && report.verdict != Verdict::NeedsHuman;
        let mark = |mark: f64| if decided { mark.to_string() } else { String::new() };
        table.write_record([
            safe_cell(&whole),
            String::new(),
            safe_cell(&report.id),
            safe_cell(&login),
            String::new(),
            safe_cell(&student.last),
            safe_cell(&student.first),
            safe_cell(&login),
            safe_cell(&report.id),
            mark(place.mark),
            mark(place.bonus),
            place.basic.map_or(String::new(), |mark| mark.to_string()),
            if report.late { "late".into() } else { String::new() },
            safe_cell(&comment(report)),
        ])?;
    }
    Ok(table.into_inner()?)
}

/// The result in a sentence.
fn comment(report: &Report) -> String {
    let mut text = String::new();
    if report.part != Part::Basic {
        text = words::capital(&report.verdict.to_string());
        if !report.detail.is_empty() {
            text = format!("{text}: {}", report.detail);
        }
    }
    if let Some(basic) = &report.basic {
        let verdict = words::slug(basic.verdict).replace('-', " ");
        text = format!("{text} Basic part {verdict}: {}", basic.detail);
    }
    text.chars().take(500).collect::<String>().trim().into()
}
