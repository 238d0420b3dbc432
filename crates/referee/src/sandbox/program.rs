//! A whole program in a cell: the compiler, a sanitizer run, a student's basic part.

use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rustix::event::{PollFd, PollFlags};

use super::guard::{self, Cell, Ending};
use super::isolation::Level;
use super::message::{self, Order, ProcessLimits, Reply, Task};

/// A program and what it may use.
#[derive(Clone, Debug)]
pub struct Program {
    pub level: Level,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// Folders and files that it may read, beside the system's.
    pub read: Vec<PathBuf>,
    /// Folders that it may write.
    pub write: Vec<PathBuf>,
    /// File that it reads as standard input.
    pub stdin: Option<PathBuf>,
    /// Wall time.
    pub time: Duration,
    /// Bytes of address space, 0 for no limit.
    pub memory: u64,
    /// Bytes of each stream that are kept; the program is ended when it prints more.
    pub output: usize,
    /// Bytes of any file that it writes.
    pub file_size: u64,
    pub processes: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ending: Stop,
    pub stdout: String,
    pub stderr: String,
}

/// How a program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Exit(i32),
    Signal(i32),
    Timeout,
    Flood,
}

impl Outcome {
    /// Whether it ended by itself and reported success.
    pub fn success(&self) -> bool {
        self.ending == Stop::Exit(0)
    }
}

/// What every program needs to start: its libraries and their headers.
pub fn system_folders() -> Vec<PathBuf> {
    let folders = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/proc/self"];
    folders.map(PathBuf::from).into_iter().collect()
}

impl Program {
    /// Runs it to its end.
    pub fn run(&self) -> Result<Outcome> {
        let mut read = system_folders();
        read.extend(self.read.iter().cloned());
        let order = Order {
            level: self.level,
            cookie: 0,
            limits: ProcessLimits {
                memory: self.memory,
                cpu: Some(self.time + Duration::from_secs(1)),
                file_size: self.file_size,
                processes: self.processes,
            },
            task: Task::Execute {
                program: self.program.clone(),
                arguments: self.arguments.clone(),
                folder: self.folder.clone(),
                read,
                write: self.write.clone(),
            },
        };
        let stdin = match &self.stdin {
            Some(path) => std::fs::File::open(path)?.into(),
            None => Stdio::null(),
        };
        let (stdout, out) = guard::output_pipe()?;
        let (stderr, err) = guard::output_pipe()?;
        let start = Instant::now();
        let mut cell = Cell::start(&order, stdin, out.into(), err.into())?;
        let mut streams = [Stream::new(stdout), Stream::new(stderr)];
        let until = start + self.time;
        let mut stop = None;
        while streams.iter().any(|stream| stream.open) {
            let mut poll: Vec<_> = streams
                .iter()
                .filter(|stream| stream.open)
                .map(|stream| PollFd::from_borrowed_fd(stream.pipe.as_fd(), PollFlags::IN))
                .collect();
            if guard::wait_for(&mut poll, until)? == 0 {
                stop = Some(Stop::Timeout);
                break;
            }
            for stream in &mut streams {
                stream.drain();
            }
            if streams.iter().any(|stream| stream.bytes.len() > self.output) {
                stop = Some(Stop::Flood);
                break;
            }
        }
        let patience = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(200));
        let ending = match stop {
            Some(stop) => stop,
            None => match cell.ending(patience) {
                Some(Ending::Exit(code)) => Stop::Exit(code),
                Some(Ending::Signal(signal)) => Stop::Signal(signal),
                None => Stop::Timeout,
            },
        };
        let mut bytes = [0; message::MAX_PACKET];
        if let Ok((size, _)) = rustix::net::recv(&cell.channel, &mut bytes, rustix::net::RecvFlags::DONTWAIT)
            && let Some(Reply::Setup(text)) = message::parse(&bytes[..size], 0, 0)
        {
            bail!("{}: {text}", self.program.display());
        }
        cell.kill();
        let [stdout, stderr] = streams.map(|stream| stream.text(self.output));
        Ok(Outcome { ending, stdout, stderr })
    }
}

struct Stream {
    pipe: std::fs::File,
    bytes: Vec<u8>,
    open: bool,
}

impl Stream {
    fn new(pipe: OwnedFd) -> Self {
        Self { pipe: pipe.into(), bytes: Vec::new(), open: true }
    }

    fn drain(&mut self) {
        let mut buffer = [0; 64 * 1024];
        match self.pipe.read(&mut buffer) {
            Ok(0) => self.open = false,
            Ok(size) => self.bytes.extend_from_slice(&buffer[..size]),
            Err(_) => {}
        }
    }

    fn text(mut self, most: usize) -> String {
        self.bytes.truncate(most);
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
