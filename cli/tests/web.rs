//! The page's server: who gets in, what it answers, and that it stays up.

mod support;
#[path = "support/web.rs"]
#[allow(dead_code, reason = "the address is for browsers")]
mod web;

use std::fs;

use serde_json::{Value, json};
use support::{run, stderr};
use tempfile::tempdir;
use web::Server;

const COURSES: [&str; 5] = ["estr1002", "psa3", "pa4", "comp1020", "cs61b"];
const DIRECTIONS: [&str; 4] = ["up", "left", "down", "right"];

#[test]
fn only_who_knows_the_address_gets_in() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let (host, path) = (server.host(), format!("/{}/", server.token));
    let page = server.get(&path, &host, "");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'none'"), "{page}");
    for file in ["style.css", "board.js", "replay.js", "app.js"] {
        assert!(server.get(&format!("{path}{file}"), &host, "").starts_with("HTTP/1.1 200"), "{file}");
    }
    let (most, last) = server.token.split_at(31);
    let nearly = format!("/{most}{}/", if last == "0" { 1 } else { 0 });
    for wrong in ["/", "/index.html", "/socket", &nearly, "//", "/%2e%2e/", &format!("{path}none.js")] {
        let answer = server.get(wrong, &host, "");
        assert!(answer.starts_with("HTTP/1.1 404"), "{wrong}: {answer}");
        assert!(!answer.contains(&server.token));
    }
    assert!(server.get(&path, "evil.example", "").starts_with("HTTP/1.1 421"));
    assert!(server.get(&path, &host, "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403"));
    assert!(server.try_tab(&server.token, Some("http://evil.example")).is_err());
    assert!(server.try_tab(&server.token, Some("null")).is_err());
    assert!(server.try_tab("0123456789abcdef0123456789abcdef", None).is_err());
    assert!(server.try_tab(&server.token, Some(&format!("http://127.0.0.1:{}", server.port))).is_ok());
}

#[test]
fn junk_gets_an_error_and_the_server_stays() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for junk in
        [&b"\0\xff\xfe junk\r\n\r\n"[..], b"GET", b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"]
    {
        assert!(!server.raw(junk).starts_with("HTTP/1.1 200"));
    }
    server.raw(&vec![b'A'; 1 << 20]);
    let mut tab = server.tab();
    let junk = [
        "",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"do":"fly"}"#,
        r#"{"do":"move"}"#,
        r#"{"do":"move","direction":"up","more":1}"#,
        r#"{"do":"move","direction":"up"}"#,
        r#"{"do":"undo"}"#,
        r#"{"do":"goto","at":-1}"#,
        r#"{"do":"start","course":"none"}"#,
        r#"{"do":"start","course":"psa3","rows":1000000,"cols":1000000}"#,
        r#"{"do":"start","course":"estr1002","seed":-1}"#,
        r#"{"do":"start","course":"psa3","rows":3,"cols":4}"#,
        r#"{"do":"analyse","board":[1,2,3]}"#,
        r#"{"do":"analyse","board":[3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"#,
        r#"{"do":"open","text":"hello"}"#,
        r#"{"do":"open","text":"{\"event\":\"game\"}"}"#,
        r#"{"do":"look","game":7}"#,
        r#"{"do":"class"}"#,
        r#"{"do":"continue","at":3}"#,
        r#"{"do":"file","kind":"moves"}"#,
        r#"{"do":"watch","player":"fair","pause":10}"#,
    ];
    tab.ask(json!({"do": "undo"}), "hello");
    assert_eq!(tab.hear()["is"], "error");
    for junk in junk {
        tab.send(junk);
        let answer = tab.hear();
        assert_eq!(answer["is"], "error", "{junk}: {answer}");
        assert!(answer["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
    tab.socket.send(tungstenite::Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(tab.hear()["is"], "error");
    assert_eq!(tab.begin("psa3", 7)["at"], 0);
}

fn tiles(game: &Value) -> Vec<i64> {
    game["board"].as_array().unwrap().iter().map(|tile| tile.as_i64().unwrap()).collect()
}

#[test]
fn every_course_is_played_undone_and_resumed() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for course in COURSES {
        let mut tab = server.tab();
        let start = tab.begin(course, 7);
        assert_eq!((start["course"].as_str(), start["seed"].as_i64()), (Some(course), Some(7)));
        let mut game = start.clone();
        for turn in 0..40 {
            tab.send(&json!({"do": "move", "direction": DIRECTIONS[turn % 4]}).to_string());
            // A move without effect gets no answer, so another request tells that it was heard.
            tab.send(&json!({"do": "goto", "at": 100_000}).to_string());
            game = tab.hear_of("game");
            if game.get("moved").is_some() {
                game = tab.hear_of("game");
            }
        }
        let moves = game["at"].as_u64().unwrap();
        assert!(moves >= 10, "{game}");
        let back = tab.ask(json!({"do": "goto", "at": 0}), "game");
        assert_eq!(tiles(&back), tiles(&start));
        let again = tab.ask(json!({"do": "goto", "at": moves}), "game");
        assert_eq!(tiles(&again), tiles(&game));
        let resumed = server.tab().ask(json!({"do": "resume", "course": course}), "game");
        assert_eq!((tiles(&resumed), resumed["at"].as_u64()), (tiles(&game), Some(moves)));
        // The file of the session is the game.
        let file = tab.ask(json!({"do": "file", "kind": "session"}), "file");
        let tape = tab.ask(json!({"do": "open", "text": file["text"]}), "tape");
        assert_eq!(tape["moves"].as_str().unwrap().len() as u64, moves);
        let tape = tab.ask(json!({"do": "continue", "at": 3}), "game");
        assert_eq!((tape["at"].as_u64(), tape["moves"].as_u64()), (Some(3), Some(moves)));
    }
}

#[test]
fn the_computer_plays_advises_and_analyses() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut tab = server.tab();
    tab.begin("estr1002", 1234);
    let advice = tab.ask(json!({"do": "hint", "on": true}), "advice");
    assert_eq!((advice["unit"].as_str(), advice["values"].as_array().unwrap().len()), (Some("moves"), 4));
    let game = tab.ask(json!({"do": "watch", "player": "fair", "pause": 0, "once": true}), "game");
    assert_eq!(game["at"], 1);
    tab.ask(json!({"do": "watch", "player": "fair", "pause": 1}), "watching");
    while tab.hear_of("game")["at"].as_u64().unwrap() < 50 {}
    tab.ask(json!({"do": "stop"}), "watching");
    tab.ask(json!({"do": "watch", "player": "clairvoyant", "pause": 0}), "planned");
    tab.send(&json!({"do": "stop"}).to_string());
    tab.hear_of("watching");
    // A board near a fill has exact chances, and few games are needed to see the rest.
    let board = [2, 4, 8, 16, 256, 128, 64, 32, 512, 1024, 2048, 4096, 32768, 16384, 8192, 0];
    tab.send(&json!({"do": "analyse", "board": board}).to_string());
    assert_eq!(tab.hear_of("advice")["is"], "advice");
    assert!(tab.hear_of("line")["moves"].is_array());
    let chances = tab.hear_of("chances");
    assert_eq!(chances["reached_32768"], chances["games"]);
}

#[test]
fn a_tab_that_goes_away_stops_thinking() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut tab = server.tab();
    tab.send(&json!({"do": "analyse", "board": [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]}).to_string());
    tab.hear_of("advice");
    assert_eq!(server.thinkers(), 1);
    drop(tab);
    // The thread is gone as soon as it has noticed; that it never goes would hang here until the test is killed.
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while server.thinkers() > 0 && std::time::Instant::now() < patience {
        std::thread::yield_now();
    }
    assert_eq!(server.thinkers(), 0);
}

#[test]
fn a_hundred_tabs_play_at_once() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut tabs: Vec<_> = (0..100).map(|_| server.tab()).collect();
    for (number, tab) in tabs.iter_mut().enumerate() {
        tab.send(&json!({"do": "start", "course": COURSES[number % 5], "seed": number}).to_string());
    }
    for (number, tab) in tabs.iter_mut().enumerate() {
        assert_eq!(tab.hear_of("game")["seed"], number);
    }
    for tab in &mut tabs {
        for direction in DIRECTIONS {
            tab.send(&json!({"do": "move", "direction": direction}).to_string());
        }
    }
    for tab in &mut tabs {
        assert!(tab.hear_of("game")["at"].as_u64().unwrap() >= 1);
    }
}

#[test]
fn a_class_is_shown_and_nothing_beside_it() {
    let folder = tempdir().unwrap();
    let graded = folder.path().join("graded");
    fs::create_dir(&graded).unwrap();
    fs::write(graded.join("index.html"), "<p>marks</p>").unwrap();
    fs::write(folder.path().join("class.secret"), "secret").unwrap();
    let record = json!({"event": "game", "id": "1155000001", "digest": "", "game": 0, "record": {
        "seed": "7", "detail": "finished", "sum": 6, "move_string": "RD", "spawns": "0f7"}});
    fs::write(graded.join("journal.jsonl"), format!("{}\n{record}\n", json!({"event": "settings"}))).unwrap();
    let server = Server::start(folder.path(), &["--class", "graded"]);
    let path = format!("/{}/class/index.html", server.token);
    let page = server.get(&path, &server.host(), "");
    assert!(page.contains("<p>marks</p>") && page.contains("sandbox allow-scripts"), "{page}");
    for outside in ["../class.secret", "%2e%2e/class.secret", "..%2fclass.secret", "/etc/passwd"] {
        let answer = server.get(&format!("/{}/class/{outside}", server.token), &server.host(), "");
        assert!(!answer.contains("secret\n") && !answer.ends_with("secret") && !answer.contains("root:"), "{answer}");
    }
    let mut tab = server.tab();
    assert_eq!(tab.ask(json!({"do": "class"}), "hello")["class"], true);
    let games = tab.hear_of("games");
    assert!(games["titles"][0].as_str().unwrap().contains("1155000001"));
    let tape = tab.ask(json!({"do": "look", "game": 0}), "tape");
    assert_eq!((tape["moves"].as_str(), tape["scores"][2].as_i64()), (Some("RD"), Some(6)));
    assert_eq!(tab.hear_of("marks")["marks"][0][0], 0);
}

#[test]
fn a_replay_becomes_one_page() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("game.log"), "4 wasdwasdwasd").unwrap();
    let made =
        run(folder.path(), &["page", "game.log", "--marks", "--title", "a </script> of mine", "--out", "g.html"], "");
    assert!(made.status.success(), "{}", stderr(&made));
    let page = fs::read_to_string(folder.path().join("g.html")).unwrap();
    assert!(page.contains("\"course\":\"psa3\"") && page.matches("</script>").count() == 1);
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
    let missing = run(folder.path(), &["page", "none.log"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("none.log"));
    let taken = Server::start(folder.path(), &[]);
    let second = run(folder.path(), &["web", "--port", &taken.port.to_string()], "");
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("--port"));
}
