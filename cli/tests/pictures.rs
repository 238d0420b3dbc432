//! The pictures of the README, made from the real programs by `make pictures`.

#[path = "support/chromium.rs"]
#[allow(dead_code, reason = "touch is for another test")]
mod chromium;
#[path = "support/class.rs"]
mod class;
#[path = "support/terminal.rs"]
mod terminal;
#[path = "support/web.rs"]
#[allow(dead_code, reason = "the tabs without a browser are for another test")]
mod web;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use chromium::Page;
use tempfile::tempdir;
use terminal::{Terminal, number};
use web::Server;

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures")
}

/// Columns and lines of the pictured terminal.
const SIZE: (u16, u16) = (106, 30);
/// Moves that the computer makes before a picture is taken.
const MOVES: i64 = 1900;

#[test]
#[ignore = "make pictures writes it"]
fn terminal_picture() {
    let folder = tempdir().unwrap();
    let arguments = ["play", "estr1002", "--seed", "1234"];
    let mut terminal = Terminal::start(folder.path(), SIZE, &arguments, &[("COLORTERM", "truecolor")]);
    terminal.wait_for("1234");
    terminal.press("++++++++A");
    terminal.wait("a board worth a picture", |screen| number(screen, "Moves") > Some(MOVES));
    terminal.press("A");
    terminal.press("i");
    let screen = terminal.wait_for("Survives");
    fs::create_dir_all(pictures()).unwrap();
    fs::write(pictures().join("terminal.svg"), svg(&screen)).unwrap();
    terminal.press("q");
    assert!(terminal.end().0.success());
}

fn browser() -> PathBuf {
    chromium::find().expect("Chromium, or the variable CHROMIUM with its path")
}

/// Width and height of the pictured pages.
const WINDOW: (u32, u32) = (1100, 820);

#[test]
#[ignore = "make pictures writes it"]
fn page_picture() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut page = Page::open(&browser(), &server.address(), WINDOW, false);
    page.wait("game");
    page.value("by('speed').value = 8; by('speed').dispatchEvent(new Event('input')); ask({do: 'start', course: 'estr1002', seed: 1234})");
    page.wait("game.seed === 1234");
    page.click("#fair");
    page.wait(&format!("game.at > {MOVES}"));
    page.click("#fair");
    page.wait("watching === null");
    page.click("#hint");
    page.wait("by('advice-note').textContent.includes('Survives')");
    fs::write(pictures().join("page.png"), page.picture()).unwrap();
}

/// Players of the zoo, from good to broken.
const CLASS: [&str; 8] = [
    "correct",
    "random_walk",
    "static_state",
    "segfault",
    "does_not_compile",
    "returns_4",
    "sleeps",
    "divides_by_zero",
];

#[test]
#[ignore = "make pictures writes it"]
fn class_picture() {
    let folder = tempdir().unwrap();
    let graded = class::graded(folder.path(), &CLASS);
    let index = format!("file://{}", graded.join("index.html").display());
    let mut page = Page::open(&browser(), &index, WINDOW, false);
    page.wait("document.querySelector('table')");
    fs::write(pictures().join("class.png"), page.picture()).unwrap();
}

/// The screen as a drawing. Half blocks are drawn as the boxes that they are: fonts leave gaps between them.
fn svg(screen: &vt100::Screen) -> String {
    const WIDE: f32 = 8.4;
    const HIGH: f32 = 17.0;
    const GROUND: &str = "#1d1f21";
    const TEXT: &str = "#d8d4ce";
    let (cols, rows) = SIZE;
    let (width, height) = (f32::from(cols) * WIDE, f32::from(rows) * HIGH);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" shape-rendering=\"crispEdges\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{GROUND}\"/>\n"
    );
    let colour = |colour: vt100::Color, usual: &str| match colour {
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => usual.to_owned(),
    };
    let mut rect = |x: f32, y: f32, wide: f32, high: f32, fill: &str| {
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"{fill}\"/>")
            .unwrap();
    };
    let mut texts = String::new();
    for row in 0..rows {
        let (mut col, y) = (0, f32::from(row) * HIGH);
        while col < cols {
            let cell = screen.cell(row, col).unwrap();
            let ground = colour(cell.bgcolor(), GROUND);
            let same =
                |&other: &u16| screen.cell(row, other).is_some_and(|cell| colour(cell.bgcolor(), GROUND) == ground);
            let run = (col..cols).take_while(same).count() as u16;
            if ground != GROUND {
                rect(f32::from(col) * WIDE, y, f32::from(run) * WIDE, HIGH, &ground);
            }
            col += run;
        }
        for col in 0..cols {
            let cell = screen.cell(row, col).unwrap();
            let (x, ink) = (f32::from(col) * WIDE, colour(cell.fgcolor(), TEXT));
            match cell.contents() {
                "█" => rect(x, y, WIDE, HIGH, &ink),
                "▀" => rect(x, y, WIDE, HIGH / 2.0, &ink),
                "▄" => rect(x, y + HIGH / 2.0, WIDE, HIGH / 2.0, &ink),
                "" | " " => {}
                text => {
                    let text = text.replace('&', "&amp;").replace('<', "&lt;");
                    let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
                    let faint = if cell.dim() { " opacity=\".65\"" } else { "" };
                    let y = y + HIGH * 0.76;
                    writeln!(texts, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{ink}\"{weight}{faint}>{text}</text>")
                        .unwrap();
                }
            }
        }
    }
    svg + &texts + "</svg>\n"
}
