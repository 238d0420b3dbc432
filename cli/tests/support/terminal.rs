//! The workbench on a terminal of its own, with a model of what that terminal shows.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Long enough for the slowest machine; nothing depends on how long it really takes.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Terminal {
    shared: Arc<(Mutex<State>, Condvar)>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
}

struct State {
    parser: vt100::Parser,
    ended: bool,
}

pub const ARROWS: [&str; 4] = ["\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"];

impl Terminal {
    /// Starts it in `folder`, which also holds what it keeps. `variables` are set beside a usual environment.
    pub fn start(folder: &Path, (cols, rows): (u16, u16), arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_estr2048"));
        command.args(arguments);
        command.cwd(folder);
        command.env_clear();
        command.env("XDG_STATE_HOME", folder.join("state"));
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")].iter().chain(variables) {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let state = State { parser: vt100::Parser::new(side(rows), side(cols), 0), ended: false };
        let shared = Arc::new((Mutex::new(state), Condvar::new()));
        let seen = shared.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 65536];
            loop {
                let read = reader.read(&mut bytes).unwrap_or(0);
                let mut state = seen.0.lock().unwrap();
                state.parser.process(&bytes[..read]);
                state.ended = read == 0;
                seen.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self { shared, writer, master: pair.master, child }
    }

    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.shared.0.lock().unwrap().parser.screen_mut().set_size(side(rows), side(cols));
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// What the screen shows once it is as it should be.
    pub fn wait(&self, what: &str, good: impl Fn(&vt100::Screen) -> bool) -> vt100::Screen {
        let (state, changed) = &*self.shared;
        let waiting = |state: &mut State| !good(state.parser.screen()) && !state.ended;
        let (state, time) = changed.wait_timeout_while(state.lock().unwrap(), PATIENCE, waiting).unwrap();
        let screen = state.parser.screen();
        assert!(good(screen), "{what} (timed out: {}):\n{}", time.timed_out(), screen.contents());
        screen.clone()
    }

    /// The same for a text that must be there.
    pub fn wait_for(&self, text: &str) -> vt100::Screen {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    pub fn signal(&self, signal: libc::c_int) {
        let process = self.child.process_id().unwrap() as libc::pid_t;
        // SAFETY: kill has no requirements of memory; the process is a child that was not waited for.
        assert_eq!(unsafe { libc::kill(process, signal) }, 0);
    }

    /// Waits for the end, and for all that was printed before it.
    ///
    /// # Panics
    /// If it does not end.
    pub fn end(mut self) -> (ExitStatus, vt100::Screen) {
        let begin = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if begin.elapsed() > PATIENCE => {
                    self.child.kill().unwrap();
                    panic!("it does not end:\n{}", self.shared.0.lock().unwrap().parser.screen().contents());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        // The last of the output can come after the end of the process.
        let Self { shared, writer, master, .. } = self;
        drop(writer);
        let (state, changed) = &*shared;
        let state = changed.wait_timeout_while(state.lock().unwrap(), PATIENCE, |state| !state.ended).unwrap().0;
        let screen = state.parser.screen().clone();
        drop(state);
        drop(master);
        (status, screen)
    }
}

fn side(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a terminal has cells")
}

/// The number behind a label such as `Moves`, blanks between its digits left out.
pub fn number(screen: &vt100::Screen, label: &str) -> Option<i64> {
    let contents = screen.contents();
    let line = contents.lines().find_map(|line| line.split_once(label))?.1;
    line.split(" of ").next()?.replace(' ', "").parse().ok()
}
