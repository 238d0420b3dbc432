//! The page's server, and tabs without a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocket;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message};

/// Long enough for the slowest machine; nothing depends on how long it really takes.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
}

impl Server {
    /// Starts it; what it keeps is below `folder`.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estr2048"));
        command.arg("web").args(arguments).current_dir(folder).env("XDG_STATE_HOME", folder.join("state"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line:?}"));
        let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        Self { child, port: port.parse().unwrap(), token: token.into() }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Sends these bytes and nothing more, and gives everything that comes back.
    pub fn raw(&self, bytes: &[u8]) -> String {
        self.talk(bytes, true)
    }

    fn talk(&self, bytes: &[u8], hang_up: bool) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // A server that has heard enough may hang up before it has read all.
        let _ = stream.write_all(bytes);
        if hang_up {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a GET with these further header lines.
    pub fn get(&self, path: &str, host: &str, more: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        self.talk(request.as_bytes(), false)
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A new tab.
    pub fn tab(&self) -> Tab {
        self.try_tab(&self.token, None).unwrap()
    }

    pub fn try_tab(&self, token: &str, origin: Option<&str>) -> Result<Tab, Error> {
        let mut request = format!("ws://127.0.0.1:{}/{token}/socket", self.port).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let (socket, _) = tungstenite::connect(request)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Ok(Tab { socket })
    }

    /// The threads of the server that think at the moment, by their name.
    pub fn thinkers(&self) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
        names.filter(|name| name.trim() == "thinker").count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Tab {
    pub socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Tab {
    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next answer.
    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("the server has closed the tab"),
                _ => {}
            }
        }
    }

    /// The next answer of this kind.
    pub fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let answer = self.hear();
            if answer["is"] == kind {
                return answer;
            }
        }
    }

    pub fn ask(&mut self, request: Value, kind: &str) -> Value {
        self.send(&request.to_string());
        self.hear_of(kind)
    }

    pub fn begin(&mut self, course: &str, seed: i64) -> Value {
        self.ask(json!({"do": "start", "course": course, "seed": seed}), "game")
    }
}
