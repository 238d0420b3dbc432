//! The monitor of a cell: decides about what the inmate may not do, holds it to its memory, and leaves nobody behind.
//!
//! It is a process of its own, which nothing of the submission's can reach: what it reports is what happened.

use std::fmt::Write;
use std::fs;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::descriptors::{MONITOR, borrowed};
use super::message::Order;
use super::policy::{self, Role};
use super::processes::{children, everybody_below, resident};
use super::report::{self, Word};
use super::sys::{self, Call};
use super::tree::{LIBRARY, MEMORY_FILES};

/// How often memory is looked at, where the kernel does not limit it.
const GLANCE: Duration = Duration::from_millis(5);

/// Offences of a program that are reported; it may try as many as it likes.
const MOST_OFFENCES: usize = 20;

/// Watches the inmate to its end, then ends everybody else in the cell.
pub fn watch(order: &Order, inmate: i32, first: Option<i32>, setup: OwnedFd) -> Result<()> {
    sys::close_all_but(&[MONITOR, setup.as_raw_fd()]);
    let mut watch = Watch { order, inmate, first, listener: None, offences: 0, ended: false, folder_before: None };
    watch.say(&Word::Started(inmate));
    let process = Pid::from_raw(inmate).and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
    let mut setup = Some(setup);
    let mut glance = Instant::now();
    let status = loop {
        let listener = watch.listener.take();
        let event = watch.wait(setup.as_ref(), listener.as_ref(), process.as_ref());
        watch.listener = listener;
        if event.setup && !watch.pass_on(setup.as_ref()) {
            setup = None;
        }
        match (event.listener, watch.listener.take()) {
            (Ready::Call, Some(listener)) => {
                watch.judge(listener.as_fd());
                watch.listener = Some(listener);
            }
            (Ready::Nothing, listener) => watch.listener = listener,
            // Whoever could ask is gone.
            _ => {}
        }
        if event.guard_is_gone {
            watch.end(inmate);
        }
        if let Some(status) = sys::wait_if_ended(inmate)? {
            break status;
        }
        if watch.looks() && setup.is_none() && glance.elapsed() >= GLANCE {
            glance = Instant::now();
            watch.look_at_memory();
            watch.look_at_folder();
        }
    };
    while setup.is_some() && watch.pass_on(setup.as_ref()) {}
    watch.end_everybody();
    watch.say(&Word::Ended(status));
    Ok(())
}

struct Watch<'a> {
    order: &'a Order,
    inmate: i32,
    /// The first process of the cell's process namespace.
    first: Option<i32>,
    listener: Option<OwnedFd>,
    offences: usize,
    /// Whether the inmate has been ended.
    ended: bool,
    /// Files and bytes in the cell's folder when it was locked in.
    folder_before: Option<(usize, u64)>,
}

/// What a listener has.
#[derive(PartialEq, Eq)]
enum Ready {
    Nothing,
    Call,
    End,
}

struct Event {
    setup: bool,
    listener: Ready,
    guard_is_gone: bool,
}

impl Watch<'_> {
    fn say(&self, word: &Word) {
        let _ = report::say(borrowed(MONITOR), word, None);
    }

    fn wait(&self, setup: Option<&OwnedFd>, listener: Option<&OwnedFd>, process: Option<&OwnedFd>) -> Event {
        let guard = borrowed(MONITOR);
        // Nobody speaks to the monitor: its line only ever ends.
        let mut poll = vec![PollFd::from_borrowed_fd(guard, PollFlags::HUP)];
        poll.extend([setup, listener, process].into_iter().flatten().map(|fd| PollFd::new(fd, PollFlags::IN)));
        let patience = if self.looks() || process.is_none() { GLANCE } else { Duration::from_secs(60) };
        let _ = super::guard::wait_for(&mut poll, Instant::now() + patience);
        let mut seen = poll.iter().map(PollFd::revents);
        let guard_is_gone = seen.next().is_some_and(|events| events.intersects(PollFlags::HUP | PollFlags::ERR));
        let setup = setup.is_some() && seen.next().is_some_and(|events| !events.is_empty());
        let listener = match listener.and_then(|_| seen.next()) {
            Some(events) if events.contains(PollFlags::IN) => Ready::Call,
            Some(events) if events.intersects(PollFlags::HUP | PollFlags::ERR) => Ready::End,
            _ => Ready::Nothing,
        };
        Event { setup, listener, guard_is_gone }
    }

    /// Hands on what the inmate says while it locks itself up. False at the end of that line.
    fn pass_on(&mut self, setup: Option<&OwnedFd>) -> bool {
        let Some((word, descriptor)) = setup.and_then(|setup| report::hear(setup.as_fd())) else { return false };
        match word {
            Word::Locked { .. } => {
                self.say(&word);
                self.listener = descriptor;
                self.look_at_folder();
            }
            Word::Trouble(_) => self.say(&word),
            Word::Folder => {
                let _ = report::say(borrowed(MONITOR), &word, descriptor.as_ref().map(AsFd::as_fd));
            }
            _ => {}
        }
        true
    }

    /// Decides about a system call that is not on the inmate's list.
    fn judge(&mut self, listener: BorrowedFd<'_>) {
        let Some(call) = sys::waiting_call(listener) else { return };
        match verdict(&call, self.order.role, self.order.limits.memory) {
            Verdict::Harmless => sys::answer_call(listener, &call, None),
            Verdict::Refused(error) => sys::answer_call(listener, &call, Some(error)),
            Verdict::TooMuch(text) => {
                self.say(&Word::Memory(text));
                self.end(self.inmate);
            }
            Verdict::Offence(text) => {
                self.offences += 1;
                if self.offences <= MOST_OFFENCES {
                    self.say(&Word::Offence(text));
                }
                if self.order.role == Role::Answer {
                    self.end(self.inmate);
                } else {
                    sys::answer_call(listener, &call, Some(libc::EPERM));
                }
            }
        }
    }

    fn end(&mut self, process: i32) {
        self.ended |= process == self.inmate;
        if let Some(process) = Pid::from_raw(process) {
            let _ = rustix::process::kill_process(process, Signal::KILL);
        }
    }

    /// Whether there is something that the kernel does not limit.
    fn looks(&self) -> bool {
        self.order.limits.resident > 0 || self.order.folder.is_some()
    }

    /// Ends an inmate that fills a folder which is not a file system of its own.
    fn look_at_folder(&mut self) {
        /// Files that a folder may hold beside what was brought.
        const MOST_FILES: usize = 1000;
        let Some(folder) = self.order.folder.as_ref().filter(|_| !self.ended) else { return };
        let (mut files, mut bytes) = (0, 0);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            bytes += entry.metadata().map_or(0, |kind| kind.blocks() * 512);
        }
        // Whatever was brought has been there from the start.
        let (files_then, bytes_then) = *self.folder_before.get_or_insert((files, bytes));
        let limit = self.order.limits.disk.max(1 << 20);
        if files > files_then + MOST_FILES || bytes > bytes_then + limit {
            self.say(&Word::Memory(format!("it filled its folder; the limit is {} MB", limit >> 20)));
            for process in everybody_below(self.inmate).into_iter().rev() {
                self.end(process);
            }
        }
    }

    fn look_at_memory(&mut self) {
        if self.ended || self.order.limits.resident == 0 {
            return;
        }
        let used: u64 = everybody_below(self.inmate).into_iter().filter_map(resident).sum();
        let limit = self.order.limits.resident;
        if used > limit {
            self.say(&Word::Memory(format!("it used {} MB of memory; the limit is {} MB", used >> 20, limit >> 20)));
            for process in everybody_below(self.inmate).into_iter().rev() {
                self.end(process);
            }
        }
    }

    /// Ends whoever is left in the cell.
    fn end_everybody(&mut self) {
        if let Some(first) = self.first {
            self.end(first);
        }
        loop {
            for child in children(std::process::id() as i32) {
                self.end(child);
            }
            if sys::wait_for_anybody().is_err() {
                return;
            }
        }
    }
}

/// What is to be done about a call.
enum Verdict {
    Harmless,
    Refused(i32),
    TooMuch(String),
    Offence(String),
}

fn verdict(call: &Call, role: Role, memory: u64) -> Verdict {
    let argument = |index: usize| call.arguments[index];
    if role == Role::Answer
        && let Some(shift) = path_argument(call.number)
    {
        let mut room = [0; 256];
        let size = sys::read_memory(call.process, argument(shift), &mut room);
        let path = room[..size].split(|&byte| byte == 0).next().unwrap_or_default();
        let writes = argument(shift + 1) as i32 & (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) != 0;
        // Nothing is in view but the inmate's own library: this is about telling what it tried, not about stopping it.
        let own = path == LIBRARY.as_bytes() || path.starts_with(MEMORY_FILES.as_bytes());
        return match (size, writes) {
            (0, _) => Verdict::Harmless,
            (_, false) if own => Verdict::Harmless,
            (_, false) if is_looked_up_by_the_c_library(path) => Verdict::Refused(libc::ENOENT),
            _ => {
                let mut text =
                    String::from(if writes { "it tried to write the file " } else { "it tried to read the file " });
                let shown = |&byte: &u8| if (b' '..=b'~').contains(&byte) { byte as char } else { '?' };
                text.extend(path.iter().take(200).map(shown));
                Verdict::Offence(text)
            }
        };
    }
    if call.number == libc::SYS_mmap || call.number == libc::SYS_mremap {
        let size = argument(if call.number == libc::SYS_mmap { 1 } else { 2 });
        let (size, limit) = (size as f64 / 1e9, memory as f64 / 1e9);
        return Verdict::TooMuch(format!("it asked for {size:.1} GB at once; the limit is {limit:.1} GB"));
    }
    let mut text = String::from("it ");
    let _ = match deed(call) {
        Some(deed) => write!(text, "tried to {deed}"),
        None => write!(text, "made the forbidden system call number {}", call.number),
    };
    Verdict::Offence(text)
}

fn deed(call: &Call) -> Option<&'static str> {
    if call.number == libc::SYS_clone {
        let thread = call.arguments[0] & libc::CLONE_THREAD as u64 != 0;
        return Some(if thread { "start a thread" } else { "start another process (fork)" });
    }
    policy::deed(call.number)
}

/// Which argument of an opening call is the path.
fn path_argument(call: i64) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if call == libc::SYS_open {
        return Some(0);
    }
    (call == libc::SYS_openat).then_some(1)
}

/// Files that functions like `localtime` and `setlocale` look for, and can do without.
fn is_looked_up_by_the_c_library(path: &[u8]) -> bool {
    let places: [&[u8]; 7] = [
        b"/etc/localtime",
        b"/usr/share/zoneinfo/",
        b"/usr/lib/locale/",
        b"/usr/share/locale/",
        b"/usr/lib/x86_64-linux-gnu/gconv/",
        b"/sys/devices/system/cpu",
        b"/proc/sys/vm/overcommit_memory",
    ];
    places.iter().any(|place| path.starts_with(place))
}
