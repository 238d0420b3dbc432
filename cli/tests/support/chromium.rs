//! A real browser without a window, by the Chrome DevTools Protocol.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::protocol::WebSocket;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, connect};

/// Long enough for the slowest machine; nothing depends on how long it really takes.
const PATIENCE: Duration = Duration::from_secs(240);

/// The browser of this machine: `CHROMIUM` names it, or it has one of its usual names.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

/// A page in the browser.
pub struct Page {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last: u64,
    /// What the page complained about.
    pub errors: Vec<String>,
    /// Addresses that were asked for.
    pub requests: Vec<String>,
    _profile: TempDir,
}

impl Page {
    /// Opens an address in a window of this size; a telephone has touch.
    pub fn open(browser: &std::path::Path, address: &str, (width, height): (u32, u32), telephone: bool) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new(browser);
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"]);
        command.args(["--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-port=0"]);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let devtools = lines
            .by_ref()
            .find_map(|line| line.ok()?.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("the browser tells where it listens");
        // Nobody reads the rest, but somebody has to take it.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = connect(devtools).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let (errors, requests, session) = (Vec::new(), Vec::new(), String::new());
        let mut page = Self { child, socket, session, last: 0, errors, requests, _profile: profile };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = page.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        page.session = attached["sessionId"].as_str().unwrap().into();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 2, "mobile": telephone});
        page.call("Emulation.setDeviceMetricsOverride", metrics);
        page.call("Emulation.setTouchEmulationEnabled", json!({"enabled": telephone}));
        page.call("Page.navigate", json!({"url": address}));
        page
    }

    /// A command of the protocol and its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut command = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.last {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => self.errors.push(parameters["exceptionDetails"].to_string()),
            "Runtime.consoleAPICalled" if parameters["type"] == "error" => self.errors.push(parameters.to_string()),
            "Log.entryAdded" if parameters["entry"]["level"] == "error" => self.errors.push(parameters.to_string()),
            "Network.requestWillBeSent" => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap_or_default().into());
            }
            _ => {}
        }
    }

    /// The value of an expression, which may be a promise.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until this is true.
    pub fn wait(&mut self, condition: &str) {
        self.value(&format!(
            "new Promise((done) => {{ const look = () => {{ let good = false; \
             try {{ good = Boolean({condition}); }} catch {{}} good ? done(true) : setTimeout(look, 20); }}; look(); }})"
        ));
    }

    /// What the window shows, as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        // A page behind others is never drawn.
        self.call("Page.bringToFront", json!({}));
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap()
    }

    /// Clicks in the middle of an element, or at a part of its width.
    pub fn click_at(&mut self, selector: &str, part: f64) {
        let script = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const b = e.getBoundingClientRect(); return [b.left + b.width * {part}, b.top + b.height / 2]; }})()"
        );
        let place = self.value(&script);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// A finger that moves over the middle of an element.
    pub fn swipe(&mut self, selector: &str, (dx, dy): (f64, f64)) {
        let place = self.value(&format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [b.left + b.width / 2, b.top + b.height / 2]; }})()"
        ));
        let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        let point = |part: f64| json!([{"x": x + dx * part, "y": y + dy * part}]);
        self.call("Input.dispatchTouchEvent", json!({"type": "touchStart", "touchPoints": point(0.0)}));
        self.call("Input.dispatchTouchEvent", json!({"type": "touchMove", "touchPoints": point(1.0)}));
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
