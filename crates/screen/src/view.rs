//! What the screen shows: the board, beside or above it what there is to know, below it a line.

use std::time::Duration;

use estr2048::{Board, Direction};
use estr2048_session::advice::{Advice, Mark, Unit};
use estr2048_session::course;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};

use crate::app::{App, Asks, Over};
use crate::board::{self, Grid, Moment};
use crate::computer::Who;
use crate::keys;
use crate::replay::Replay;

/// Columns of what stands beside the board.
const PANEL: u16 = 32;

/// Draws everything.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let area = buffer.area;
    let board = shown_board(app);
    let places = Places::new(app, area, &board);
    let Some(grid) = places.board.and_then(|area| Grid::fit(area, &board, app.look)) else {
        too_small(app, area, &board, buffer);
        return;
    };
    let moment = app.motion.as_ref().map(|motion| Moment { ways: &motion.ways, part: app.part(motion) });
    let shown = app.motion.as_ref().map_or(&board, |motion| &motion.before);
    board::draw(buffer, &grid, shown, moment, app.fresh.map(|(cell, _)| cell), app.look);
    if let Some(area) = places.panel {
        Paragraph::new(panel(app, area)).render(area, buffer);
    }
    if let Some(area) = places.summary {
        Paragraph::new(summary(app, area.width)).render(area, buffer);
    }
    if let (Some(area), Some(replay)) = (places.timeline, &app.replay) {
        timeline(app, replay, area, buffer);
    }
    if let Some(area) = places.footer {
        Paragraph::new(footer(app, area.width)).render(area, buffer);
    }
    match &app.over {
        Over::Help => help(app, area, buffer),
        Over::Games(games, chosen) => {
            let titles: Vec<&str> = games.iter().map(|game| &*game.title).collect();
            choice(app, &titles, *chosen, area, buffer);
        }
        Over::Nothing | Over::Prompt(_) => {}
    }
}

fn shown_board(app: &App) -> Board {
    app.replay.as_ref().map_or_else(|| app.session.board().clone(), Replay::board)
}

/// Where everything is.
struct Places {
    board: Option<Rect>,
    panel: Option<Rect>,
    /// Two lines above the board where there is no room for a panel.
    summary: Option<Rect>,
    timeline: Option<Rect>,
    footer: Option<Rect>,
}

impl Places {
    fn new(app: &App, area: Rect, board: &Board) -> Self {
        let (wide, high) = Grid::least(board, app.look);
        let (wide, high) = (wide as u16, high as u16);
        let mut places = Self { board: None, panel: None, summary: None, timeline: None, footer: None };
        if area.width < wide || area.height < high {
            return places;
        }
        let mut rest = area;
        if rest.height > high {
            rest.height -= 1;
            places.footer = Some(Rect { y: rest.bottom(), height: 1, ..rest });
        }
        if app.replay.is_some() && rest.height > high + 4 {
            rest.height -= 3;
            places.timeline = Some(Rect { y: rest.bottom(), height: 3, ..rest });
        }
        // A panel is worth it if tiles keep the width of their numbers.
        let roomy = (wide + board.cols() as u16 * 2).max(24);
        if rest.width >= roomy + PANEL && rest.height >= 8 {
            // On a wide screen board and panel stand together in the middle.
            let most = (rest.height / board.rows() as u16 * 2 + 4) * board.cols() as u16 + 4;
            let together = (most + PANEL + 2).min(rest.width);
            let left = rest.x + (rest.width - together) / 2;
            places.panel = Some(Rect { x: left + together - PANEL, width: PANEL, ..rest });
            places.board = Some(Rect { x: left + 1, width: together - PANEL - 3, ..rest });
        } else {
            if rest.height > high + 1 {
                let lines = 2.min(rest.height - high);
                places.summary = Some(Rect { height: lines, ..rest });
                (rest.y, rest.height) = (rest.y + lines, rest.height - lines);
            }
            places.board = Some(rest);
        }
        places
    }
}

fn too_small(app: &App, area: Rect, board: &Board, buffer: &mut Buffer) {
    let (wide, high) = Grid::least(board, app.look);
    let text = format!(
        "This window is {} x {}. The board of {} x {} needs {wide} x {high}.",
        area.width,
        area.height,
        board.rows(),
        board.cols()
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

/// `1234567` as `1 234 567`.
pub fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

fn arrow(direction: Direction, ascii: bool) -> &'static str {
    let (plain, fine) = match direction {
        Direction::Up => ("^", "↑"),
        Direction::Down => ("v", "↓"),
        Direction::Left => ("<", "←"),
        Direction::Right => (">", "→"),
    };
    if ascii { plain } else { fine }
}

fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// A name and a value, the value at the right edge.
fn row(label: &str, value: &str, style: Style) -> Line<'static> {
    let width = usize::from(PANEL) - 2;
    let room = width.saturating_sub(label.chars().count());
    Line::from(vec![Span::styled(label.to_owned(), dim()), Span::styled(format!("{value:>room$}"), style)])
}

fn panel(app: &App, area: Rect) -> Vec<Line<'static>> {
    let plain = Style::new();
    let accent = app.look.colours.accent();
    let mut lines = vec![Line::styled("2048".to_owned(), accent), Line::from(course::title(app.session.course()))];
    lines.push(Line::default());
    if let Some(replay) = &app.replay {
        lines.extend(replay_lines(app, replay));
    } else {
        let session = &app.session;
        lines.push(row("Score", &thousands(session.score()), accent));
        lines.push(row("Best", &thousands(app.best), plain));
        let (at, all) = (session.at(), session.tape().len());
        let moves = if at == all { at.to_string() } else { format!("{at} of {all}") };
        lines.push(row("Moves", &moves, plain));
        lines.push(row("Seed", &session.start().seed.to_string(), plain));
        lines.push(row("Time", &clock(session.played), plain));
        lines.push(Line::default());
        lines.extend(computer_lines(app));
        lines.extend(hint_lines(app));
    }
    lines.truncate(area.height.into());
    // What to press, as long as there is room for it.
    if app.replay.is_none() && lines.len() + 9 <= usize::from(area.height) && !app.hint.shown {
        let keys = [
            ("arrows", "move"),
            ("u r", "take back, make again"),
            ("i", "what would it play?"),
            ("A", "let the computer play"),
            ("n", "new game"),
            ("?", "all keys"),
            ("q", "quit, the game is kept"),
        ];
        lines.push(Line::default());
        for (key, what) in keys {
            let key = if key == "i" && app.session.course() == estr2048::Course::Comp1020 { "Tab" } else { key };
            lines.push(Line::from(vec![Span::raw(format!("{key:<7}")), Span::styled(what, dim())]));
        }
    }
    lines
}

fn computer_lines(app: &App) -> Vec<Line<'static>> {
    let Some(who) = app.computer.who else { return Vec::new() };
    let title = match who {
        Who::Fair => "The computer plays",
        Who::Clairvoyant => "The clairvoyant plays",
    };
    let mut lines =
        vec![Line::styled(title, app.look.colours.accent()), row("Speed (+ -)", &app.computer.speed(), Style::new())];
    if let Some(planned) = app.computer.planned {
        lines.push(row("Plans up to", &thousands(planned.sum), Style::new()));
        lines.push(row("Dead ends", &planned.dead_ends.to_string(), Style::new()));
        if !planned.finished {
            let width = usize::from(PANEL) - 2;
            let done = (planned.sum as usize * width / 131_070).min(width);
            let (full, empty) = if app.look.ascii { ("#", ".") } else { ("█", "░") };
            lines.push(Line::from(full.repeat(done) + &empty.repeat(width - done)));
        } else {
            lines.push(row("Moves to go", &app.computer.plan.len().to_string(), Style::new()));
        }
    }
    lines.push(Line::default());
    lines
}

fn hint_lines(app: &App) -> Vec<Line<'static>> {
    if !app.hint.shown {
        return Vec::new();
    }
    let mut lines = vec![Line::styled("What the computer would do", app.look.colours.accent())];
    let Some(advice) = app.hint.advice else {
        let text = if app.session.end().is_some() { "nothing: the game is over" } else { "thinking ..." };
        lines.push(Line::styled(text, dim()));
        return lines;
    };
    lines.extend(value_lines(app, &advice));
    let unit = match advice.unit {
        Unit::Moves => "expected further moves",
        Unit::Points => "points of a simple player",
    };
    lines.push(Line::styled(unit, dim()));
    if let Some(chance) = advice.passing {
        lines.push(row("Passes the next fill", &format!("{:.1} %", chance * 100.0), Style::new()));
    }
    if let Some(survives) = app.hint.survives {
        let least = if survives.exact { "" } else { "at least " };
        lines.push(row("Survives", &format!("{least}{}", moves(survives.moves)), Style::new()));
    }
    lines.push(Line::default());
    lines
}

fn moves(number: u32) -> String {
    format!("{number} move{}", if number == 1 { "" } else { "s" })
}

fn value_lines(app: &App, advice: &Advice) -> Vec<Line<'static>> {
    let best = advice.values[advice.best as usize].unwrap_or(0.0);
    Direction::ALL
        .into_iter()
        .map(|direction| {
            let is_best = direction == advice.best;
            let mark = arrow(direction, app.look.ascii);
            let style = if is_best { app.look.colours.accent() } else { Style::new() };
            let value = match advice.values[direction as usize] {
                None => "changes nothing".to_owned(),
                Some(value) if is_best => format!("{value:.0}"),
                // Directions that differ by less than a move are told apart, too.
                Some(value) if best - value < 10.0 => format!("{value:.0}  {:+.1}", value - best),
                Some(value) => format!("{value:.0}  {:+.0}", value - best),
            };
            row(&format!("{mark} {direction}"), &value, style)
        })
        .collect()
}

fn replay_lines(app: &App, replay: &Replay) -> Vec<Line<'static>> {
    let plain = Style::new();
    let accent = app.look.colours.accent();
    let mut lines = vec![Line::styled("Replay", accent)];
    let width = usize::from(PANEL) - 2;
    let title: Vec<char> = replay.title.chars().collect();
    lines.extend(title.chunks(width).take(3).map(|part| Line::from(part.iter().collect::<String>())));
    lines.push(Line::default());
    lines.push(row("Move", &format!("{} of {}", replay.at, replay.tape.len()), accent));
    lines.push(row("Score", &thousands(replay.tape.score(replay.at)), plain));
    if let Some(step) = replay.tape.steps().get(replay.at) {
        let next = format!("{} {}", arrow(step.direction, app.look.ascii), step.direction);
        lines.push(row("Next move", &next, plain));
        match replay.marks.get(replay.at).copied().flatten() {
            None => lines.push(row("Best", "thinking ...", dim())),
            Some(Mark { loss: 0.0, .. }) => lines.push(row("Best", "the same", plain)),
            Some(mark) => {
                let best = Direction::from_number(mark.best).unwrap_or(step.direction);
                lines.push(row("Best", &format!("{} {best}", arrow(best, app.look.ascii)), plain));
                let unit = if mark.unit == Unit::Moves { "expected moves" } else { "points" };
                lines.push(row("Loses", &format!("{:.1} {unit} {}", mark.loss, mark.sign()), accent));
            }
        }
    } else {
        lines.push(row("Next move", "none: the end", plain));
    }
    lines.push(Line::default());
    let signs = |sign: &str| replay.marks.iter().flatten().filter(|mark| mark.sign() == sign).count();
    lines.push(row("??  lost a tenth or more", &signs("??").to_string(), plain));
    lines.push(row("?   lost a fiftieth", &signs("?").to_string(), plain));
    lines.push(row("?!  lost half a hundredth", &signs("?!").to_string(), plain));
    if replay.compared() < replay.tape.len() {
        let part = 100 * replay.compared() / replay.tape.len().max(1);
        lines.push(row("compared so far", &format!("{part} %"), dim()));
    }
    lines
}

/// The score over the game, with a place for every mark.
fn timeline(app: &App, replay: &Replay, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let all = replay.tape.len();
    if width == 0 || all == 0 {
        return;
    }
    let column = |at: usize| (at * (width - 1)).checked_div(all).unwrap_or(0) as u16;
    let highest = replay.tape.score(all).max(1);
    for x in 0..width {
        let score = replay.tape.score(all * x / (width - 1).max(1));
        let height = (score.max(0) * 8 / highest).clamp(0, 8) as usize;
        let symbol = if app.look.ascii {
            [" ", ".", ".", "-", "-", "=", "=", "#", "#"][height]
        } else {
            [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][height]
        };
        buffer.set_string(area.x + x as u16, area.y + 1, symbol, dim());
    }
    for (at, mark) in replay.marks.iter().enumerate() {
        let Some(mark) = mark.filter(|mark| matches!(mark.sign(), "?" | "??")) else { continue };
        let place = (area.x + column(at), area.y);
        let style = if mark.sign() == "??" { app.look.colours.accent() } else { dim() };
        let worse = buffer[place].symbol() == "?" && buffer[place].modifier.contains(Modifier::BOLD);
        if !worse {
            buffer.set_string(place.0, place.1, "?", style);
        }
    }
    let here = area.x + column(replay.at);
    buffer.set_string(here, area.y + 2, if app.look.ascii { "^" } else { "▲" }, app.look.colours.accent());
}

fn summary(app: &App, width: u16) -> Vec<Line<'static>> {
    let accent = app.look.colours.accent();
    let separator = if app.look.ascii { " | " } else { " · " };
    let (first, second) = match &app.replay {
        Some(replay) => {
            let mark = replay.marks.get(replay.at).copied().flatten().filter(|mark| mark.loss > 0.0);
            let lost = mark.map(|mark| format!("next move loses {:.1} {}", mark.loss, mark.sign()));
            let at = format!("Move {} of {}", replay.at, replay.tape.len());
            (format!("{at}{separator}score {}", thousands(replay.tape.score(replay.at))), lost.unwrap_or_default())
        }
        None => {
            let session = &app.session;
            let score = format!("Score {}{separator}best {}", thousands(session.score()), thousands(app.best));
            let second = match app.hint.advice.filter(|_| app.hint.shown) {
                Some(advice) => {
                    let value = advice.values[advice.best as usize].unwrap_or(0.0);
                    format!("best: {}, {value:.0}", advice.best)
                }
                None => format!("Moves {}{separator}seed {}", session.at(), session.start().seed),
            };
            (score, second)
        }
    };
    let cut = |text: String| text.chars().take(width.into()).collect::<String>();
    vec![Line::styled(cut(first), accent), Line::styled(cut(second), dim())]
}

fn footer(app: &App, width: u16) -> Line<'static> {
    let accent = app.look.colours.accent();
    if let Over::Prompt(prompt) = &app.over {
        let asks = match prompt.asks {
            Asks::SaveTo => "Save to file: ",
            Asks::Open => "Open file: ",
            Asks::GoTo => "Go to move: ",
        };
        // The end of a long name is what is being typed.
        let room = usize::from(width).saturating_sub(asks.len() + 1);
        let skipped = prompt.text.chars().count().saturating_sub(room);
        let text: String = prompt.text.chars().skip(skipped).collect();
        let cursor = if app.look.ascii { "_" } else { "▏" };
        return Line::from(vec![Span::styled(asks, accent), Span::raw(text), Span::styled(cursor, accent)]);
    }
    if !app.message.is_empty() {
        return Line::styled(app.message.clone(), accent);
    }
    if let Some(ending) = app.ending().filter(|_| app.replay.is_none()) {
        return Line::styled(ending, accent);
    }
    let text = match (&app.replay, app.computer.who) {
        (Some(_), _) if app.only_replay => "left right: move   n: next lost move   Space: run   ?: keys   q: quit",
        (Some(_), _) => "left right: move   n: next lost move   Space: run   Esc: back to the game   ?: keys",
        (None, Some(_)) if app.computer.plan.is_empty() && app.computer.planned.is_some() => {
            "planning the whole game; any move stops it"
        }
        (None, Some(_)) => "Enter: stop   + -: speed   any move takes over",
        (None, None) => "?: keys   i: hint   A: the computer plays   u: take back   q: quit",
    };
    let text = if app.session.course() == estr2048::Course::Comp1020 {
        text.replace("i: hint", "Tab: hint")
    } else {
        text.into()
    };
    Line::styled(text, dim())
}

fn help(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut keys: Vec<(&str, &str)> = match app.replay {
        Some(_) => keys::REPLAY_KEYS.to_vec(),
        None => keys::GAME_KEYS.to_vec(),
    };
    if app.replay.is_none() {
        keys.splice(1..1, keys::own_keys(app.session.course()));
    }
    let longest = keys.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let line = |(key, what): &(&str, &str)| {
        let key = Span::styled(format!("{key:<longest$}  "), app.look.colours.accent());
        Line::from(vec![key, Span::raw((*what).to_owned())])
    };
    let lines: Vec<Line> = keys.iter().map(line).collect();
    window(app, " Keys ", lines, area, buffer);
}

fn choice(app: &App, titles: &[&str], chosen: usize, area: Rect, buffer: &mut Buffer) {
    let room = usize::from(area.height.saturating_sub(2)).max(1);
    let first = chosen.saturating_sub(room / 2).min(titles.len().saturating_sub(room));
    let line = |(number, title): (usize, &&str)| {
        let style = if number == chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        Line::styled((*title).to_owned(), style)
    };
    let lines = titles.iter().enumerate().skip(first).take(room).map(line).collect();
    window(app, " Games: Enter shows one ", lines, area, buffer);
}

/// Lines in a frame, in the middle of the screen.
fn window(app: &App, title: &str, lines: Vec<Line>, area: Rect, buffer: &mut Buffer) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len()) as u16;
    let (width, height) = ((widest + 4).min(area.width), (lines.len() as u16 + 2).min(area.height));
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect::new(x, y, width, height);
    Clear.render(place, buffer);
    if app.look.ascii {
        let edge = format!("+{}+", "-".repeat(usize::from(width).saturating_sub(2)));
        for y in place.top()..place.bottom() {
            let line = if y == place.top() || y + 1 == place.bottom() { edge.clone() } else { String::new() };
            buffer.set_stringn(place.x, y, &line, width.into(), Style::new());
            buffer.set_stringn(place.x, y, if line.is_empty() { "|" } else { "" }, 1, Style::new());
            buffer.set_stringn(place.right() - 1, y, if line.is_empty() { "|" } else { "" }, 1, Style::new());
        }
        buffer.set_stringn(place.x + 1, place.y, title, usize::from(width).saturating_sub(2), Style::new());
    } else {
        Block::bordered().border_type(BorderType::Rounded).title(title).render(place, buffer);
    }
    Paragraph::new(lines).render(place.inner(Margin::new(2, 1)), buffer);
}

#[cfg(test)]
mod tests {
    use super::{clock, thousands};
    use std::time::Duration;

    #[test]
    fn numbers_and_times_are_grouped() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1 000"), (131_070, "131 070"), (-12_345, "-12 345")];
        for (number, text) in numbers {
            assert_eq!(thousands(number), text);
        }
        assert_eq!(clock(Duration::from_secs(59)), "0:59");
        assert_eq!(clock(Duration::from_secs(3661)), "1:01:01");
    }
}
