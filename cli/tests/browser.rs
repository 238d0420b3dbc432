//! The page in a real browser. Without Chromium these tests say so and pass.

#[path = "support/chromium.rs"]
#[allow(dead_code, reason = "pictures are for another test")]
mod chromium;
#[path = "support/class.rs"]
mod class;
#[path = "support/web.rs"]
#[allow(dead_code, reason = "the tabs without a browser are for another test")]
mod web;

use std::fs;
use std::path::PathBuf;

use chromium::Page;
use tempfile::tempdir;
use web::Server;

fn browser() -> Option<PathBuf> {
    let found = chromium::find();
    if found.is_none() {
        eprintln!("SKIPPED: there is no Chromium here; install it or name it in the variable CHROMIUM");
    }
    found
}

const DESK: (u32, u32) = (1100, 900);
const TELEPHONE: (u32, u32) = (390, 844);

/// Nothing was complained about, and nothing was asked of any other server.
fn assert_clean(page: &mut Page, server: &Server) {
    page.value("1");
    assert_eq!(page.errors, [""; 0]);
    let own = |address: &&String| {
        address.starts_with(&server.address()) || address.starts_with("data:") || address.starts_with("blob:")
    };
    let foreign: Vec<_> = page.requests.iter().filter(|address| !own(address)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

/// A game of 2 × 2 is over after few moves.
fn begin_small(page: &mut Page) {
    page.wait("game");
    page.value("ask({do: 'resume', course: 'psa3'})");
    page.wait("game.course === 'psa3'");
    page.value("by('rows').value = 2; by('seed').value = 7; by('start').requestSubmit()");
    page.wait("game.rows === 2 && game.at === 0 && game.seed === 7");
}

#[test]
fn a_whole_game_by_keys() {
    let Some(browser) = browser() else { return };
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut page = Page::open(&browser, &server.address(), DESK, false);
    begin_small(&mut page);
    let keys = ["ArrowUp", "a", "ArrowDown", "l"];
    for turn in 0..2000 {
        if page.value("game.over") == true {
            break;
        }
        page.press(keys[turn % 4]);
        // The answer to a request behind it tells that the move was heard.
        page.value("new Promise((done) => setTimeout(done, 5))");
    }
    page.wait("game.over && !by('end').hidden");
    assert_eq!(page.value("document.querySelectorAll('#board .tile:not(.gone)').length >= 3"), true);
    page.press("u");
    page.wait("!game.over && by('end').hidden");
    page.press("r");
    page.wait("game.over");
    assert_eq!(page.value("by('announce').textContent.includes('The game is over')"), true);
    assert_clean(&mut page, &server);
}

#[test]
fn a_whole_game_by_touch_on_a_telephone() {
    let Some(browser) = browser() else { return };
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut page = Page::open(&browser, &server.address(), TELEPHONE, true);
    begin_small(&mut page);
    assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth"), true, "nothing sticks out");
    let ways = [(0.0, -90.0), (-90.0, 0.0), (0.0, 90.0), (90.0, 0.0)];
    for turn in 0..2000 {
        if page.value("game.over") == true {
            break;
        }
        page.swipe("#board", ways[turn % 4]);
        page.value("new Promise((done) => setTimeout(done, 5))");
    }
    page.wait("game.over && !by('end').hidden");
    for tab in ["replay", "analyse", "class"] {
        page.click(&format!("#tab-{tab}"));
        assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth"), true, "{tab}");
    }
    assert_clean(&mut page, &server);
}

#[test]
fn the_computer_is_watched_a_game_replayed_a_board_analysed() {
    let Some(browser) = browser() else { return };
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut page = Page::open(&browser, &server.address(), DESK, false);
    page.wait("game && game.course === 'estr1002'");
    page.value("by('speed').value = 7; by('speed').dispatchEvent(new Event('input'))");
    page.click("#fair");
    page.wait("watching === 'fair' && game.at > 30");
    page.click("#fair");
    page.wait("watching === null");
    page.click("#hint");
    page.wait("by('values').rows.length === 4 && by('advice-note').textContent.includes('Survives')");
    page.click("#clairvoyant");
    page.wait("by('plan').textContent.includes('Planning') || by('plan').textContent.includes('plan of')");
    page.press("ArrowLeft");
    page.press("ArrowUp");
    page.wait("watching === null");

    page.click("#tab-replay");
    page.click("#review");
    page.wait("viewer.length > 30 && viewer.marks.every(Boolean)");
    page.click_at(".curve", 0.5);
    page.wait("Math.abs(viewer.at - viewer.length / 2) < 3");
    let before = page.value("viewer.at").as_u64().unwrap();
    page.press("ArrowRight");
    page.wait(&format!("viewer.at === {}", before + 1));
    assert_eq!(page.value("viewer.view.cells.join() === viewer.board(viewer.at).join()"), true);
    page.click("#continue");
    page.wait(&format!("game.at === {}", before + 1));

    page.click("#tab-analyse");
    for cell in [1, 1, 2, 6, 6, 6] {
        page.click(&format!("#editor .cell:nth-child({cell})"));
    }
    assert_eq!(page.value("editor.cells.slice(0, 6).join()"), "4,2,0,0,0,8");
    page.click("#run");
    page.wait("by('a-values').rows.length === 4 && by('line').textContent && by('chances').rows.length === 3");
    page.click("#halt");
    assert_clean(&mut page, &server);
}

#[test]
fn a_replay_in_one_file_works_without_a_server() {
    let Some(browser) = browser() else { return };
    let folder = tempdir().unwrap();
    let moves = format!("1234\n{}", "ULDR".repeat(30));
    fs::write(folder.path().join("moves.txt"), moves).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_estr2048"));
    let made = command.args(["page", "moves.txt", "--marks", "--out", "g.html"]).current_dir(folder.path()).status();
    assert!(made.unwrap().success());
    let address = format!("file://{}", folder.path().join("g.html").display());
    let mut page = Page::open(&browser, &address, DESK, false);
    page.wait("viewer.length > 20");
    page.call(
        "Network.emulateNetworkConditions",
        serde_json::json!({"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}),
    );
    page.press("End");
    page.wait("viewer.at === viewer.length");
    assert_eq!(page.value("viewer.view.cells.reduce((a, b) => a + b) === game.scores.at(-1)"), true);
    page.click_at(".curve", 0.25);
    page.wait("viewer.at < viewer.length / 2 && viewer.at > 0");
    page.value("1");
    assert_eq!(page.errors, [""; 0]);
    assert!(page.requests.iter().all(|asked| asked.starts_with("file:")), "{:?}", page.requests);
}

#[test]
fn a_class_is_looked_at_and_its_games_replayed() {
    let Some(browser) = browser() else { return };
    let folder = tempdir().unwrap();
    let graded = class::graded(folder.path(), &["correct", "returns_4"]);
    let server = Server::start(folder.path(), &["--class", graded.to_str().unwrap()]);
    let mut page = Page::open(&browser, &server.address(), DESK, false);
    page.wait("game");
    page.value("by('class-page').addEventListener('load', () => { window.loaded = true; })");
    page.click("#tab-class");
    page.wait("window.loaded");
    page.click("#class-games");
    page.wait("by('class-list').children.length >= 5");
    page.click("#class-list li:nth-child(2) button");
    page.wait("viewer.length > 10 && viewer.game.title.includes('game 2')");
    // The class's own page, which has no origin and runs its own script.
    page.call("Page.navigate", serde_json::json!({"url": format!("{}class/index.html", server.address())}));
    page.wait("document.querySelector('button.start')");
    page.click("button.start");
    page.wait("document.querySelectorAll('.replay .board div').length === 16");
    page.click(".replay button[aria-label=last]");
    page.wait("[...document.querySelectorAll('.replay .board div')].every((cell) => cell.textContent)");
    assert_clean(&mut page, &server);
}
