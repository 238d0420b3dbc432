//! Finds 4×4 boards in whatever a student's program prints.
//!
//! The look of the board is free. Every known way to read a look is tried on the whole output, and the one that finds
//! boards that could follow each other in a game wins.

use std::sync::LazyLock;

use regex::Regex;

/// Sixteen tiles in reading order.
pub type Cells = [i32; 16];

type Row = [i32; 4];

/// The boards in an output, in order, and how sure the reader is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub boards: Vec<Cells>,
    /// Whether the boards could be those of a game.
    pub sure: bool,
    /// The line on which the last board ends.
    pub last_line: usize,
}

/// Whether a line made of underscores between bars is a row of empty cells or a border, and whether the lines between
/// two borders belong to one row.
#[derive(Clone, Copy)]
enum Look {
    Bars {
        underscores_are_rows: bool,
        tall: bool,
    },
    Tokens,
    Tabs,
    /// A row's name before its four cells, and perhaps the columns' names above.
    Labelled,
    /// `[2][ ][4][ ]`
    Brackets,
    /// `[2, 0, 4, 0]` or `{2, 0, 4, 0},`
    List,
    Fixed(usize),
    /// The same with a line without numbers above and below each row: coloured fields, once the colours are gone.
    TallFixed(usize),
    /// The same without the blanks at the end of a line; an empty row is an empty line.
    Trimmed(usize),
    /// Cells with this mark between them, and perhaps around them; with `closed` one after each.
    Split {
        mark: char,
        closed: bool,
    },
}

/// Reads all boards of an output in the way that makes the most sense.
pub fn read(output: &str) -> Reading {
    readings(output).into_iter().next().unwrap_or_default()
}

/// Cells of one width have one of these.
const WIDTHS: std::ops::RangeInclusive<usize> = 3..=9;

fn usual_looks() -> Vec<Look> {
    let mut looks = vec![Look::Tokens, Look::Tabs, Look::Labelled, Look::Brackets, Look::List];
    for underscores_are_rows in [false, true] {
        looks.extend([false, true].map(|tall| Look::Bars { underscores_are_rows, tall }));
    }
    looks.extend(WIDTHS.map(Look::Fixed));
    looks
}

fn rare_looks() -> Vec<Look> {
    let marks = ['|', '!', ':', ';', ',', '/', '*', '#'];
    let split = marks.into_iter().flat_map(|mark| [false, true].map(|closed| Look::Split { mark, closed }));
    split.chain(WIDTHS.map(Look::TallFixed)).chain(WIDTHS.map(Look::Trimmed)).collect()
}

/// The usual ways to read an output that find boards, the most sensible first.
pub fn readings(output: &str) -> Vec<Reading> {
    read_in_all(&[Page::new(super::screen::plain(output), usual_looks())])
}

/// Rarer ways, for an output that the usual ones do not understand: with the prompts taken off the lines that they stand
/// on, and with a frame around the whole board taken away.
pub fn rarer_readings(output: &str) -> Vec<Reading> {
    /// A game has a hundred boards; who prints more than this has other things to say.
    const MOST: usize = 400_000;
    if output.len() > MOST {
        return Vec::new();
    }
    let plain = super::screen::plain(output);
    let looks = || usual_looks().into_iter().chain(rare_looks()).collect::<Vec<_>>();
    let prompted = without_prompts(&plain);
    let unframed = Page { text: UNFRAMED.replace_all(&prompted.text, "$1").into_owned(), ..prompted.clone() };
    read_in_all(&[
        Page::new(plain, rare_looks()),
        Page { looks: looks(), ..prompted },
        Page { looks: looks(), ..unframed },
    ])
}

/// A line of a frame that only goes around the whole board.
static UNFRAMED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^[^|\n]*\|([^|\n]*)\|[ \t]*$").expect("a regex"));

/// An output in one form, and how it may be read.
#[derive(Clone)]
struct Page {
    text: String,
    looks: Vec<Look>,
    /// For each line the number of the line that it was in the output.
    lines: Option<Vec<usize>>,
}

impl Page {
    fn new(text: String, looks: Vec<Look>) -> Self {
        Self { text, looks, lines: None }
    }
}

/// What stands before a board on its first line: words with what follows them, again and again the same.
fn without_prompts(text: &str) -> Page {
    static PROMPT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^.*\p{L}[^\s\p{L}\d\[{(<|+]*").expect("a regex"));
    const OFTEN: usize = 3;
    let prompt = |line: &str| PROMPT.find(line).map_or(0, |found| found.end());
    let mut counts = std::collections::HashMap::<&str, usize>::new();
    for line in text.lines() {
        *counts.entry(&line[..prompt(line)]).or_default() += 1;
    }
    let mut page = Page::new(String::with_capacity(text.len()), Vec::new());
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (before, rest) = line.split_at(prompt(line));
        if !before.is_empty() && counts[before] >= OFTEN {
            page.text.push_str(before);
            page.text.push('\n');
            page.text.push_str(rest.strip_prefix(' ').unwrap_or(rest));
            lines.push(number);
        } else {
            page.text.push_str(line);
        }
        page.text.push('\n');
        lines.push(number);
    }
    page.lines = Some(lines);
    page
}

fn read_in_all(pages: &[Page]) -> Vec<Reading> {
    let mut all: Vec<(i64, Reading)> = Vec::new();
    for page in pages {
        for &look in &page.looks {
            let (boards, last_line) = boards(&page.text, look);
            let boards = distinct(boards);
            let worth = plausibility(&boards);
            if worth > 0 && !all.iter().any(|(_, other)| other.boards == boards) {
                let sure = worth * 2 > boards.len() as i64;
                let last_line =
                    page.lines.as_ref().map_or(last_line, |lines| lines.get(last_line).copied().unwrap_or(last_line));
                all.push((worth, Reading { boards, sure, last_line }));
            }
        }
    }
    all.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    all.into_iter().map(|(_, reading)| reading).collect()
}

/// Leaves out a board that equals the one before it.
fn distinct(mut boards: Vec<Cells>) -> Vec<Cells> {
    boards.dedup();
    boards
}

/// Whether these can be the tiles of a game.
pub fn are_tiles(cells: &Cells) -> bool {
    cells.iter().all(|&tile| tile == 0 || tile >= 2 && tile.count_ones() == 1)
}

/// How many boards look like boards, and like successors of each other, less those that do not.
fn plausibility(boards: &[Cells]) -> i64 {
    let sum = |cells: &Cells| cells.iter().map(|&tile| i64::from(tile)).sum::<i64>();
    let mut worth = 0;
    let mut before = None;
    for cells in boards {
        let tiles = are_tiles(cells);
        let step = before.is_none_or(|before| (0..=4).contains(&(sum(cells) - before)));
        worth += if tiles && step && sum(cells) > 0 { 1 } else { -1 };
        before = Some(sum(cells));
    }
    worth
}

fn boards(output: &str, look: Look) -> (Vec<Cells>, usize) {
    let mut found = Vec::new();
    let mut last_line = 0;
    let mut label = None;
    let mut rows: Vec<Row> = Vec::new();
    let mut tall_row: Option<Row> = None;
    let mut tall_lines = 0;
    for (number, line) in output.lines().chain([""]).enumerate() {
        if let (Look::Labelled, Some(next)) = (look, label_of(line)) {
            // The rows are counted; anything else is no board.
            if label.is_none_or(|label| next != label + 1) {
                rows.clear();
            }
            label = Some(next);
        }
        match kind(line.trim_end_matches('\r'), look) {
            Kind::Row(row) => match look {
                Look::Bars { tall: true, .. } => {
                    let before = tall_row.get_or_insert([0; 4]);
                    *before = larger(*before, row);
                }
                Look::TallFixed(_) => {
                    tall_row = Some(larger(tall_row.unwrap_or_default(), row));
                    tall_lines = (tall_lines + 1) % 3;
                    if tall_lines == 0 {
                        rows.extend(tall_row.take());
                    }
                }
                _ => rows.push(row),
            },
            Kind::Border | Kind::Blank if !matches!(look, Look::TallFixed(_)) => rows.extend(tall_row.take()),
            _ => {
                (tall_row, tall_lines) = (None, 0);
                rows.clear();
            }
        }
        if rows.len() == 4 {
            let mut cells = [0; 16];
            cells.copy_from_slice(rows.as_flattened());
            found.push(cells);
            rows.clear();
            label = None;
            last_line = number;
        }
    }
    (found, last_line)
}

/// The larger of two tiles in each cell.
fn larger(a: Row, b: Row) -> Row {
    std::array::from_fn(|cell| a[cell].max(b[cell]))
}

enum Kind {
    Row(Row),
    Border,
    Blank,
    Other,
}

fn kind(line: &str, look: Look) -> Kind {
    match look {
        Look::Bars { underscores_are_rows, .. } => bars(line, underscores_are_rows),
        Look::Tokens => tokens(line),
        Look::Tabs => tabs(line),
        Look::Labelled => labelled(line),
        Look::Brackets => brackets(line),
        Look::List => list(line),
        Look::Fixed(width) | Look::TallFixed(width) => fixed(line, width),
        Look::Trimmed(width) => trimmed(line, width),
        Look::Split { mark, closed } => split(line, mark, closed),
    }
}

/// The part of a line after a prompt that was left standing on it.
fn after_prompt(line: &str) -> &str {
    line.rfind([':', '>', '?', ')', ']', '!', ';']).map_or(line, |at| &line[at + 1..])
}

fn is_border(line: &str) -> bool {
    let line = line.trim();
    let marks = line.chars().filter(|letter| "-=_+*#~".contains(*letter)).count();
    marks >= 3 && line.chars().all(|letter| "-=_+*#~|/\\ ".contains(letter))
}

fn value(cell: &str, underscores: bool) -> Option<i32> {
    let cell = if underscores { cell.trim_matches(['_', ' ', '\t']) } else { cell.trim() };
    let first = cell.chars().next();
    match first {
        None => Some(0),
        Some('x' | 'o' | 'O') if cell.len() == 1 => Some(0),
        // One mark, however often: an empty cell.
        Some(mark @ ('.' | '-' | '*' | '_' | '#' | '=' | '~')) => {
            cell.chars().all(|letter| letter == mark).then_some(0)
        }
        Some('0'..='9') => cell.parse().ok(),
        _ => None,
    }
}

fn bars(line: &str, underscores_are_rows: bool) -> Kind {
    if line.trim().is_empty() {
        return Kind::Blank;
    }
    let start = line.find(['|', '+']).unwrap_or(0);
    // Where bars stand only between the cells, the first cell stands before the first bar.
    let inside = line.matches('|').count() == 3 && !after_prompt(&line[..start]).trim().is_empty();
    let line = if inside { after_prompt(line) } else { &line[start..] }.trim_end();
    let only_underscores =
        line.contains('|') && line.contains('_') && line.chars().all(|letter| "|_ +".contains(letter));
    if is_border(line) && !(underscores_are_rows && only_underscores) {
        return Kind::Border;
    }
    let parts: Vec<&str> = line.split('|').collect();
    let cells = match parts.len() {
        6 => &parts[1..5],
        5 if parts[0].is_empty() => &parts[1..5],
        4 => &parts[..],
        _ => return if is_border(after_prompt(line)) { Kind::Border } else { Kind::Other },
    };
    row(cells.iter().map(|cell| value(cell, true)))
}

fn row(cells: impl Iterator<Item = Option<i32>>) -> Kind {
    let cells: Option<Vec<i32>> = cells.collect();
    match cells.as_deref() {
        Some(&[a, b, c, d]) => Kind::Row([a, b, c, d]),
        _ => Kind::Other,
    }
}

fn tokens(line: &str) -> Kind {
    let line = after_prompt(line);
    let parts: Vec<&str> = line.split([' ', '\t', ',']).filter(|part| !part.is_empty()).collect();
    match parts.len() {
        0 => Kind::Blank,
        4 => row(parts.into_iter().map(|part| value(part, false))),
        _ if is_border(line) => Kind::Border,
        _ => Kind::Other,
    }
}

fn tabs(line: &str) -> Kind {
    let line = after_prompt(line);
    if line.is_empty() {
        return Kind::Blank;
    }
    let mut parts: Vec<&str> = line.split('\t').collect();
    if parts.len() == 5 {
        let blank = if parts[4].trim().is_empty() { 4 } else { 0 };
        parts.remove(blank);
    }
    if parts.len() == 4 { row(parts.into_iter().map(|part| value(part, false))) } else { Kind::Other }
}

static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*([0-4a-dA-D])[\s|.:)]").expect("a regex"));

/// The number that a row's name stands for.
fn label_of(line: &str) -> Option<u32> {
    let found = LABEL.captures(line)?;
    let letter = found[1].chars().next()?.to_ascii_lowercase();
    letter.to_digit(10).or_else(|| Some(letter as u32 - 'a' as u32))
}

/// Four cells after the row's name; the line of the columns' names counts for nothing.
fn labelled(line: &str) -> Kind {
    let parts: Vec<&str> = line.split([' ', '\t', '|']).filter(|part| !part.is_empty()).collect();
    match parts.len() {
        0 | 4 => Kind::Blank,
        5 if label_of(line).is_some() => row(parts[1..].iter().map(|part| value(part, false))),
        _ if is_border(line) => Kind::Border,
        _ => Kind::Other,
    }
}

static BRACKETS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\[({<]\s*([0-9._*x-]{0,9})\s*[\])}>]").expect("a regex"));

/// Four cells in brackets of their own.
fn brackets(line: &str) -> Kind {
    if line.trim().is_empty() {
        return Kind::Blank;
    }
    let cells: Vec<&str> = BRACKETS.captures_iter(line).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    match cells.len() {
        4 => row(cells.into_iter().map(|cell| value(cell, true))),
        _ if is_border(line) => Kind::Border,
        _ => Kind::Other,
    }
}

/// Four cells with a mark between them. A mark at the beginning and the end belongs to the frame; where there is only one
/// of these, `closed` says that it is the end's.
fn split(line: &str, mark: char, closed: bool) -> Kind {
    let line = line.trim_end();
    if line.is_empty() {
        return Kind::Blank;
    }
    let parts: Vec<&str> = line.split(mark).collect();
    let empty = |at: usize| parts[at].trim().is_empty();
    let cells = match parts.len() {
        4 if !closed => &parts[..],
        5 if closed && empty(4) => &parts[..4],
        5 if !closed && empty(0) => &parts[1..],
        6 if empty(0) && empty(5) => &parts[1..5],
        _ => return if is_border(line) { Kind::Border } else { Kind::Other },
    };
    row(cells.iter().map(|cell| value(cell, true)))
}

/// Four cells in one pair of brackets.
fn list(line: &str) -> Kind {
    if line.trim().is_empty() {
        return Kind::Blank;
    }
    let marks = ['[', ']', '{', '}', '(', ')', ',', ';', ' ', '\t'];
    let Some(start) = line.find(['[', '{', '(']) else {
        return if line.trim_matches(marks).is_empty() { Kind::Blank } else { Kind::Other };
    };
    let parts: Vec<&str> = line[start..].split(marks).filter(|part| !part.is_empty()).collect();
    match parts.len() {
        0 => Kind::Blank,
        4 => row(parts.into_iter().map(|part| value(part, false))),
        _ => Kind::Other,
    }
}

static FIXED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[ 0-9.]*$").expect("a regex"));

/// Cells of one width with nothing between them; an empty cell is blank.
fn fixed(line: &str, width: usize) -> Kind {
    let line = after_prompt(line);
    if line.is_empty() {
        return Kind::Blank;
    }
    if is_border(line) {
        return Kind::Border;
    }
    let length = 4 * width;
    if !FIXED.is_match(line) || line.len() < length || line.len() > length + 2 {
        return Kind::Other;
    }
    // A prompt may have left a blank before the first cell.
    let from = line.len() - length;
    if !line[..from].trim().is_empty() {
        return Kind::Other;
    }
    row((0..4).map(|cell| value(&line[from + cell * width..from + (cell + 1) * width], false)))
}

/// Cells of one width whose line ends with its last number.
fn trimmed(line: &str, width: usize) -> Kind {
    let line = line.trim_end();
    if line.len() > 4 * width || !FIXED.is_match(line) {
        return if is_border(line) { Kind::Border } else { Kind::Other };
    }
    fixed(&format!("{line:<0$}", 4 * width), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Cells = [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const SECOND: Cells = [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0];

    fn drawn(draw: impl Fn(&Cells) -> String) {
        for prompt in ["", "Next move? ", "Your move: \n"] {
            let text = format!("Seed: {}{prompt}{}{prompt}", draw(&FIRST), draw(&SECOND));
            let reading = read(&text);
            assert_eq!(reading.boards, [FIRST, SECOND], "{text}");
            assert!(reading.sure);
        }
    }

    fn by_row(cells: &Cells, line: impl Fn(&[i32]) -> String) -> String {
        cells.chunks(4).map(line).collect()
    }

    fn cells(row: &[i32], cell: impl Fn(i32) -> String) -> String {
        row.iter().map(|&tile| cell(tile)).collect()
    }

    fn blank(tile: i32, empty: &str) -> String {
        if tile == 0 { empty.into() } else { tile.to_string() }
    }

    #[test]
    fn a_frame() {
        let border = "+----+----+----+----+\n";
        drawn(|board| {
            border.to_string()
                + &by_row(board, |row| cells(row, |tile| format!("|{:>4}", blank(tile, ""))) + "|\n" + border)
        });
    }

    #[test]
    fn a_frame_with_tall_cells() {
        let border = "+------+------+------+------+\n";
        let empty = "|      |      |      |      |\n";
        drawn(|board| {
            border.to_string()
                + &by_row(board, |row| {
                    format!("{empty}{}|\n{empty}{border}", cells(row, |tile| format!("|{:^6}", blank(tile, ""))))
                })
        });
    }

    #[test]
    fn underscores() {
        let top = " ____ ____ ____ ____ \n";
        drawn(|board| {
            top.to_string() + &by_row(board, |row| cells(row, |tile| format!("|{:_>4}", blank(tile, ""))) + "|\n")
        });
        drawn(|board| {
            top.to_string()
                + &by_row(board, |row| {
                    cells(row, |tile| format!("|{:>4}", blank(tile, ""))) + "|\n|____|____|____|____|\n"
                })
        });
    }

    #[test]
    fn bare_numbers() {
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("{tile} ")) + "\n"));
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("{:>5}", blank(tile, "."))) + "\n"));
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("{tile}\t")) + "\n"));
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("{}\t", blank(tile, ""))) + "\n"));
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("{:>5}", blank(tile, ""))) + "\n"));
    }

    #[test]
    fn box_drawing_and_colours() {
        let (top, bottom) = ("┌────┬────┬────┬────┐\n", "└────┴────┴────┴────┘\n");
        let middle = "├────┼────┼────┼────┤\n";
        drawn(|board| {
            let rows: Vec<String> = board
                .chunks(4)
                .map(|row| {
                    cells(row, |tile| format!("│\u{1b}[1;3{}m{:>4}\u{1b}[0m", tile % 8, blank(tile, ""))) + "│\n"
                })
                .collect();
            format!("\u{1b}[2J\u{1b}[H{top}{}{bottom}", rows.join(middle))
        });
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("║{:>3}", blank(tile, "·"))) + "║\n"));
    }

    #[test]
    fn names_of_rows_and_columns() {
        for labels in ["0123", "1234", "abcd", "ABCD"] {
            let mut label = labels.chars();
            let head: String = labels.chars().map(|letter| format!("    {letter}")).collect();
            let mut rows = |board: &Cells| {
                label = labels.chars();
                by_row(board, |row| cells(row, |tile| format!("{tile:5}")) + "\n")
                    .lines()
                    .map(|line| format!("{} {line}\n", label.next().unwrap()))
                    .collect::<String>()
            };
            let text = format!("Seed: 7\n  {head}\n{}Move? \n  {head}\n{}", rows(&FIRST), rows(&SECOND));
            assert_eq!(read(&text).boards, [FIRST, SECOND], "{text}");
        }
        drawn(|board| {
            by_row(board, |row| "1 ".to_string() + &cells(row, |tile| format!("|{:>3}", blank(tile, ""))) + "|\n")
        });
    }

    #[test]
    fn brackets_of_all_kinds() {
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("[{}]", blank(tile, " "))) + "\n"));
        drawn(|board| by_row(board, |row| cells(row, |tile| format!("[ {tile} ] ")) + "\n"));
        drawn(|board| by_row(board, |row| format!("{row:?}\n")));
        drawn(|board| {
            by_row(board, |row| format!("{{{}}},\n", row.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")))
        });
    }

    #[test]
    fn what_is_no_board_is_no_board() {
        assert_eq!(read("Hello.\nEnter a seed: \nGoodbye 1 2 3 4\n"), Reading::default());
        assert!(read("").boards.is_empty());
    }
}
