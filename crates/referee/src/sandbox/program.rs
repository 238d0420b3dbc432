//! A whole program in a cell: the compiler, a sanitizer run, a student's basic part.

use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rustix::event::{PollFd, PollFlags};

use super::clock::{Clock, GLANCE, Overdue};
use super::guard::{self, Cell, Ending};
use super::isolation::Level;
use super::message::{Order, ProcessLimits, Task};
use super::policy::Role;
use super::processes;

/// A program and what it may use. It runs in a folder of its own, which is gone afterwards.
#[derive(Clone, Debug)]
pub struct Program {
    pub level: Level,
    pub role: Role,
    /// A path in the cell's view, or a name in its folder with `./` before it.
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Files and folders that are copied into the cell's folder, and their names there; `.` is the folder itself.
    pub bring: Vec<(PathBuf, PathBuf)>,
    /// Files that are copied from the cell's folder afterwards, and where to.
    pub fetch: Vec<(String, PathBuf)>,
    /// A folder of the caller's in which the cell's folder may be made.
    pub workshop: PathBuf,
    /// Files and folders that it sees beside the system's libraries.
    pub view: Vec<PathBuf>,
    pub environment: Vec<(String, String)>,
    /// File that it reads as standard input.
    pub stdin: Option<PathBuf>,
    /// Time of its own; for a compiler, CPU time of each of its processes, and half of what all may take together.
    pub time: Duration,
    /// Bytes of memory that all its processes use together.
    pub memory: u64,
    /// Whether the address space of each process is limited, too. Sanitizers need more than there is.
    pub plain: bool,
    /// Bytes of each stream that are kept; the program is ended when it prints more.
    pub output: usize,
    /// Bytes of any file that it writes, and half of what its folder holds.
    pub file_size: u64,
    pub processes: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ending: Stop,
    pub stdout: String,
    pub stderr: String,
    /// What it was refused, in words.
    pub offences: Vec<String>,
}

/// How a program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Exit(i32),
    Signal(i32),
    Timeout,
    Flood,
    /// It used more memory than it may.
    Memory,
    /// The machine gave it too little time: nothing is known about the program.
    Starved,
}

impl Outcome {
    /// Whether it ended by itself and reported success.
    pub fn success(&self) -> bool {
        self.ending == Stop::Exit(0)
    }
}

/// What every program needs to start: the system's libraries.
pub fn libraries() -> Vec<PathBuf> {
    let folders = ["/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];
    folders.into_iter().chain(super::tree::DEVICES).map(PathBuf::from).collect()
}

/// What a compiler needs beside them: itself, its helpers and the system's headers.
pub fn tools(compiler: &Path) -> Vec<PathBuf> {
    let folders =
        ["/bin", "/usr/bin", "/usr/include", "/usr/libexec", "/usr/share/gcc", "/usr/local", "/etc/alternatives"];
    let mut view: Vec<PathBuf> = folders.into_iter().map(PathBuf::from).collect();
    // A compiler of its own kind brings its folders along: `/opt/gcc/bin/gcc` needs `/opt/gcc`.
    let real = compiler.canonicalize().unwrap_or_else(|_| compiler.into());
    for path in [compiler, &real] {
        let root = path.parent().and_then(Path::parent);
        view.extend(root.filter(|root| root.components().count() > 1 && *root != Path::new("/usr")).map(PathBuf::from));
    }
    view
}

impl Program {
    fn order(&self) -> Order {
        let mut view = libraries();
        view.extend(self.view.iter().cloned());
        Order {
            level: self.level,
            cookie: 0,
            user: None,
            limits: ProcessLimits {
                memory: if self.plain { self.memory } else { 0 },
                resident: if self.plain && self.role == Role::Program { 0 } else { self.memory },
                cpu: Some(self.time + Duration::from_secs(1)),
                file_size: self.file_size,
                disk: 2 * self.file_size,
                processes: self.processes,
            },
            role: self.role,
            task: Task::Execute {
                program: self.program.clone(),
                arguments: self.arguments.clone(),
                view,
                environment: self.environment.clone(),
            },
            bring: self.bring.clone(),
            folder: None,
        }
    }

    /// Runs it to its end.
    pub fn run(&self) -> Result<Outcome> {
        let stdin = match &self.stdin {
            Some(path) => std::fs::File::open(path)?.into(),
            None => Stdio::null(),
        };
        let (stdout, out) = guard::output_pipe()?;
        let (stderr, err) = guard::output_pipe()?;
        let start = Instant::now();
        let mut cell = Cell::start(&self.order(), &self.workshop, stdin, out.into(), err.into())?;
        let mut streams = [Stream::new(stdout), Stream::new(stderr)];
        let ending = self.follow(&mut cell, &mut streams, start)?;
        cell.kill();
        if let Some(trouble) = cell.trouble() {
            bail!("{}: {trouble}", self.program.display());
        }
        let ending = if cell.memory().is_some() { Stop::Memory } else { ending };
        for (name, target) in self.fetch.iter().filter(|_| matches!(ending, Stop::Exit(_))) {
            cell.fetch(name, target, self.file_size)?;
        }
        let offences = cell.offences().to_vec();
        let [stdout, stderr] = streams.map(|stream| stream.text(self.output));
        Ok(Outcome { ending, stdout, stderr, offences })
    }

    /// Reads what it prints until it ends or has to be stopped.
    fn follow(&self, cell: &mut Cell, streams: &mut [Stream; 2], start: Instant) -> Result<Stop> {
        // Without an inmate there is trouble, or a machine that cannot even start a process.
        let Some(inmate) = cell.inmate() else { return Ok(Stop::Starved) };
        let mut clock = Clock::new(inmate, start, Duration::ZERO);
        let mut looked = start;
        loop {
            let open: Vec<_> = streams.iter().filter(|stream| stream.open).collect();
            if open.is_empty() {
                // It may go on without a word.
                match cell.ending(GLANCE) {
                    Some(Ending::Exit(code)) => return Ok(Stop::Exit(code)),
                    Some(Ending::Signal(libc::SIGXCPU)) => return Ok(Stop::Timeout),
                    Some(Ending::Signal(signal)) => return Ok(Stop::Signal(signal)),
                    None if cell.trouble().is_some() => return Ok(Stop::Starved),
                    None => {}
                }
            } else {
                let pipes = open.iter().map(|stream| PollFd::from_borrowed_fd(stream.pipe.as_fd(), PollFlags::IN));
                guard::wait_for(&mut pipes.collect::<Vec<_>>(), looked + GLANCE)?;
            }
            for stream in streams.iter_mut() {
                stream.drain();
            }
            if streams.iter().any(|stream| stream.bytes.len() > self.output) {
                return Ok(Stop::Flood);
            }
            if looked.elapsed() < GLANCE {
                continue;
            }
            looked = Instant::now();
            clock.look(streams.iter().map(|stream| stream.bytes.len() as u64).sum());
            match clock.verdict(self.time) {
                // A compiler's driver sleeps while its helpers work: their CPU time is limited instead.
                Some(Overdue::Fair) if self.role != Role::Compiler => return Ok(Stop::Timeout),
                Some(Overdue::Starved) => return Ok(Stop::Starved),
                _ => {}
            }
            // As many helpers as there are files, each within its own limit, must not take hours.
            if self.role == Role::Compiler && processes::cpu_time_below(inmate) > 2 * self.time {
                return Ok(Stop::Timeout);
            }
        }
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
