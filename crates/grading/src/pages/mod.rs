//! Pages for a browser, each one whole in itself: one for the staff, and one for each student without anybody else in it.

mod charts;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;

use crate::collect::Odd;
use crate::marks::Scheme;
use crate::places::Place;
use crate::report::Report;
use crate::similar::Pair;
use crate::words;
use estr2048_referee::verdict::Verdict;

const STYLE: &str = include_str!("style.css");
const REPLAY: &str = include_str!("replay.js");

/// Letters of games in one page; above it only each player's best and first failed game are shown.
const MOST_LETTERS: usize = 24 << 20;

/// The page around a body. Nothing is loaded from anywhere, and nothing may be.
fn page(title: &str, games: &serde_json::Value, body: &Markup) -> String {
    // Inside a script nothing but `<` could end it.
    let games = games.to_string().replace('<', "\\u003c");
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script id="games" type="application/json" { (PreEscaped(games)) }
                script { (PreEscaped(REPLAY)) }
            }
        }
    }
    .into_string()
}

/// A text in our Markdown as HTML. What a student wrote is escaped in it; links and HTML are not let through at all.
fn rendered(markdown: &str) -> Markup {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock) => None,
        Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => None,
        event => Some(event),
    });
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, events);
    // The student's chapters stand below the page's own.
    for level in (1..=4).rev() {
        text = text.replace(&format!("<h{level}>"), &format!("<h{}>", level + 2));
        text = text.replace(&format!("</h{level}>"), &format!("</h{}>", level + 2));
    }
    PreEscaped(text)
}

/// The games of a report, as the script reads them.
fn games(report: &Report, wanted: &dyn Fn(usize) -> bool) -> serde_json::Value {
    let game = |(number, game): (usize, &estr2048_referee::game::GameRecord)| {
        let shown = wanted(number) && !game.spawns.contains('?');
        if shown { json!({ "moves": game.move_string, "cells": game.spawns }) } else { json!(null) }
    };
    report.games.iter().enumerate().map(game).collect()
}

fn replays(report: &Report, wanted: &dyn Fn(usize) -> bool) -> Markup {
    html! {
        @for (number, game) in report.games.iter().enumerate().filter(|(number, game)| wanted(*number) && !game.spawns.contains('?')) {
            div.replay data-student=(report.id) data-game=(number) data-end=[(game.verdict != Verdict::Finished).then_some("1")] {
                button.start { "▶ Game " (number + 1) ": " (game.score) " points, " (game.verdict.to_string()) }
            }
        }
    }
}

/// The page for one student.
pub fn student(report: &Report, scheme: &Scheme) -> String {
    let all = |_: usize| true;
    let body = html! {
        h1 { "2048: result of " (report.id) }
        (rendered(&words::feedback(report, scheme)))
        @if !report.games.is_empty() {
            h2 { "The games, step by step" }
            (replays(report, &all))
        }
    };
    page(&format!("2048: {}", report.id), &json!({ &report.id: games(report, &all) }), &body)
}

/// What the page for the staff shows.
pub struct Overview<'a> {
    pub places: &'a [Place<'a>],
    pub scheme: &'a Scheme,
    pub odd: &'a [Odd],
    pub pairs: &'a [Pair],
    /// How submissions were locked up, and other facts of the run.
    pub facts: &'a [String],
}

/// The page for the staff.
pub fn overview(class: &Overview<'_>) -> String {
    let places = class.places;
    let letters: usize = places.iter().flat_map(|place| &place.report.games).map(|game| 2 * game.moves).sum();
    let few = letters > MOST_LETTERS;
    let wanted = |report: &Report, number: usize| {
        let best = report.games.iter().map(|game| game.score).max();
        let is_best = report.games.iter().position(|game| Some(game.score) == best) == Some(number);
        let is_failure = report.games.iter().position(|game| game.verdict != Verdict::Finished) == Some(number);
        !few || is_best || is_failure
    };
    let all: serde_json::Map<String, serde_json::Value> = places
        .iter()
        .map(|place| (place.report.id.clone(), games(place.report, &|number| wanted(place.report, number))))
        .collect();
    let scores: Vec<_> = places.iter().map(|place| place.report.scores()).collect();
    let axis = charts::Axis::over(&scores);
    let named = places.iter().any(|place| place.report.name.is_some());
    let body = html! {
        h1 { "2048: the class" }
        p {
            (places.len()) " submissions. "
            @for (verdict, count) in words::fates_of(places) { (count) " " (verdict) ". " }
        }
        @for fact in class.facts { p.soft { (fact) } }
        h2 { "Ranking" }
        p.soft {
            "By best score (circle). The bar is the 95 % interval of the mean (dot, Student's t): where two bars overlap widely, \
             the players cannot be told apart by these games."
        }
        div.wide { table {
            thead { tr {
                th.number { "rank" } th { "player" } @if named { th { "name" } }
                th.number { "best" } th.number { "mean" } th { (axis.head()) } th { "result" }
                th.number { "mark" } th.number { "bonus" } th.number { "basic part" } th { "notes" }
            } }
            tbody {
                @for (place, scores) in places.iter().zip(&scores) {
                    tr {
                        td.number { (place.rank.map_or("-".into(), |rank| rank.to_string())) }
                        td { a href={ "#s-" (place.report.id) } { (place.report.id) } }
                        @if named { td { (place.report.name.as_deref().unwrap_or_default()) } }
                        td.number { (scores.best) }
                        td.number { (format!("{:.1}", scores.mean)) }
                        td { (axis.interval(scores)) }
                        td.short.bad[place.report.result() != "finished" && place.report.result() != "passed"] { (place.report.result()) }
                        td.number { (place.mark) }
                        td.number { (place.bonus) }
                        td.number { (basic(place)) }
                        td.soft { (notes(place.report)) }
                    }
                }
            }
        } }
        h2 { "Distribution of best scores" }
        (charts::distribution(&scores))
        @if !class.odd.is_empty() {
            h2 { "Odd files" }
            div.wide { table {
                thead { tr { th { "file" } th { "what became of it" } } }
                tbody { @for odd in class.odd { tr { td { (words::plain(&odd.place)) } td { (words::plain(&odd.what)) } } } }
            } }
        }
        h2 { "Similar programs" }
        (similar(class.pairs))
        h2 { "Students" }
        @if few { p.soft { "Of each player the best and the first failed game can be replayed; the others are in journal.jsonl." } }
        @for place in places {
            (one(place, class.scheme, &|number| wanted(place.report, number)))
        }
    };
    page("2048: the class", &all.into(), &body)
}

fn basic(place: &Place<'_>) -> String {
    let verdict = place.report.basic.as_ref().map(|basic| words::slug(basic.verdict).replace('-', " "));
    place.basic.map(|mark| mark.to_string()).or(verdict).unwrap_or("-".into())
}

fn notes(report: &Report) -> String {
    let late = report.late.then(|| "late".to_string());
    let flags = report.flags.keys().map(|flag| words::slug(flag).replace('-', " "));
    late.into_iter().chain(flags).collect::<Vec<_>>().join(", ")
}

fn one(place: &Place<'_>, scheme: &Scheme, wanted: &dyn Fn(usize) -> bool) -> Markup {
    let report = place.report;
    html! {
        section.student id={ "s-" (report.id) } {
            h3 { (report.id) @if let Some(name) = &report.name { " · " (name) } ": " (report.result()) }
            @for note in &report.for_staff { p.bad { "For the staff: " (words::plain(note)) } }
            @if report.verdict != Verdict::Finished && !report.detail.is_empty() { p { (words::plain(&report.detail)) } }
            (replays(report, wanted))
            details.feedback {
                summary { "Feedback as the student gets it" }
                (rendered(&words::feedback(report, scheme)))
            }
        }
    }
}

fn similar(pairs: &[Pair]) -> Markup {
    html! {
        p.soft {
            "Pairs that share more than the template and the rest of the class explain, with names and comments left out \
             (winnowing: Schleimer, Wilkerson, Aiken 2003). A hint to look, not a proof, and no part of any mark."
        }
        @if pairs.is_empty() { p { "None." } }
        @for pair in pairs {
            details {
                summary {
                    (pair.kind) ": " (pair.ids[0]) " and " (pair.ids[1]) " share "
                    (format!("{:.0} % and {:.0} %", 100.0 * pair.shares[0], 100.0 * pair.shares[1]))
                    " of their own code"
                }
                div.side {
                    @for side in 0..2 {
                        div {
                            b { (pair.ids[side]) }
                            pre { @for (number, line) in pair.texts[side].lines().take(3000).enumerate() {
                                @if pair.lines[side].contains(&number) { mark { (clean(line)) } } @else { (clean(line)) }
                                "\n"
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// A line without control characters, and not too long.
fn clean(line: &str) -> String {
    words::plain(line).chars().take(400).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_keeps_its_tables_and_lets_nothing_act() {
        let text =
            rendered("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>x</script> [y](javascript:z) ![i](http://q)\n")
                .into_string();
        assert!(text.contains("<table>") && text.contains("<h3>T</h3>"), "{text}");
        assert!(!text.contains("<script") && !text.contains("href") && !text.contains("<img"), "{text}");
    }

    #[test]
    fn a_students_text_cannot_leave_the_page() {
        let mut report = Report::new("1155000001", String::new());
        report.detail = "</script><script>alert(1)</script>".into();
        report.games.push(crate::report::tests::game(90));
        report.games[0].printed = "</pre><img src=x onerror=alert(1)>".into();
        let text = student(&report, &Scheme::default());
        assert_eq!(text.matches("<script").count(), 2, "the games and the program");
        assert!(!text.contains("<img") && !text.contains("http-equiv=\"refresh\""));
        assert!(text.contains("data-game=\"0\""));
    }
}
