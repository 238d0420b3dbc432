//! Whose time it was: a process's own, or time in which the machine gave it no processor.

use std::fs;
use std::time::{Duration, Instant};

use super::sys;

/// How often a process is looked at.
pub const GLANCE: Duration = Duration::from_millis(20);

/// After this long without [`PROGRESS`] a process is starved. On a busy machine it gets little, but not nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// Own time that shows that the machine has not forgotten a process.
const PROGRESS: Duration = Duration::from_millis(50);

/// What counts at most between two looks: after more than that, whoever looks has been held up, too.
const LONGEST_GLANCE: Duration = Duration::from_secs(1);

/// Bytes of output that are found at once if a process had to wait until somebody read them.
const FULL_PIPE: u64 = 4096;

/// Tells how a process spends its time, from now on.
///
/// Its own is the time in which it computes or sleeps because it wants to. Time in which it could run and does not,
/// for whatever reason - another program, a hypervisor, a quota, the disk - is the machine's.
pub struct Clock {
    process: i32,
    start: Instant,
    /// CPU time at the start.
    cpu: Duration,
    last: Sample,
    asleep: Duration,
    /// Bytes of its output that were read up to the last look.
    output: u64,
    /// Own time when there last was progress, and the time that has been watched since.
    progress: Duration,
    without: Duration,
}

#[derive(Clone, Copy)]
struct Sample {
    at: Instant,
    cpu: Duration,
    /// Time spent ready to run, if the kernel counts it.
    waited: Option<Duration>,
}

impl Clock {
    /// Starts at an instant when the process had used this much CPU time.
    pub fn new(process: i32, start: Instant, cpu: Duration) -> Self {
        let last = Sample { at: start, cpu, waited: None };
        let none = Duration::ZERO;
        Self { process, start, cpu, last, asleep: none, output: 0, progress: none, without: none }
    }

    /// Looks what the process is doing, after so many bytes of its output have been read since the start.
    pub fn look(&mut self, output: u64) {
        let written = output - std::mem::replace(&mut self.output, output);
        let cpu = sys::cpu_time(self.process).unwrap_or(self.last.cpu);
        let now = Sample { at: Instant::now(), cpu, waited: waited(self.process) };
        let passed = (now.at - self.last.at).min(LONGEST_GLANCE);
        let computed = cpu.saturating_sub(self.last.cpu);
        let waited = match (now.waited, self.last.waited) {
            (Some(now), Some(then)) => now.saturating_sub(then),
            // How much of the time before the first look was the machine's is not known.
            (Some(_), None) => passed,
            (None, _) => Duration::ZERO,
        };
        // The state is that of this moment; over many moments the shares come out right.
        if written < FULL_PIPE && sleeps(self.process) {
            self.asleep += passed.saturating_sub(computed).saturating_sub(waited);
        }
        self.last = now;
        self.without += passed;
        if self.own() >= self.progress + PROGRESS {
            self.progress = self.own();
            self.without = Duration::ZERO;
        }
    }

    /// Time since the start.
    pub fn wall(&self) -> Duration {
        self.start.elapsed()
    }

    /// CPU time since the start.
    pub fn cpu(&self) -> Duration {
        self.last.cpu.saturating_sub(self.cpu)
    }

    /// Time that was the process's own, up to the last look.
    pub fn own(&self) -> Duration {
        self.cpu() + self.asleep
    }

    /// Whether it has used up its own time, or gets none any more: `None` if neither.
    pub fn verdict(&self, limit: Duration) -> Option<Overdue> {
        if self.own() >= limit {
            Some(Overdue::Fair)
        } else if self.without >= PATIENCE {
            Some(Overdue::Starved)
        } else {
            None
        }
    }
}

/// Why a process is out of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// The time was its own.
    Fair,
    /// The machine gave it too little.
    Starved,
}

/// Time that a process has been ready to run and had no processor.
pub fn waited(process: i32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split(' ').nth(1)?.parse().ok()?))
}

/// Whether it sleeps or is stopped, both by its own will.
fn sleeps(process: i32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = text.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
    matches!(state, Some("S" | "T" | "t" | "I"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};

    /// A process that has said a letter when all before it was done, and its clock from then on.
    fn clock_of(script: &str) -> (Child, Clock) {
        let mut child = Command::new("/bin/sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let process = child.id() as i32;
        let clock = Clock::new(process, Instant::now(), sys::cpu_time(process).unwrap());
        (child, clock)
    }

    fn end(mut child: Child) {
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn watch(clock: &mut Clock, until: impl Fn(&Clock) -> bool) {
        while !until(clock) {
            std::thread::sleep(GLANCE);
            clock.look(0);
        }
    }

    #[test]
    fn sleeping_and_computing_are_its_own_time() {
        for script in ["echo; exec sleep 100", "echo; while :; do :; done"] {
            let (child, mut clock) = clock_of(script);
            watch(&mut clock, |clock| clock.own() >= Duration::from_millis(300));
            assert!(clock.own() <= clock.wall() + GLANCE);
            assert_eq!(clock.verdict(Duration::from_millis(300)), Some(Overdue::Fair));
            end(child);
        }
    }

    #[test]
    fn waiting_for_a_processor_is_not() {
        // Two processes on one processor, one of them with next to no share of it.
        let one = "taskset -p -c 0 $$ >&2";
        let (greedy, _) = clock_of(&format!("{one}; echo; while :; do :; done"));
        let (starved, mut clock) = clock_of(&format!("{one}; renice 19 $$ >&2; echo; while :; do :; done"));
        watch(&mut clock, |clock| clock.wall() >= Duration::from_secs(1));
        let (own, wall) = (clock.own(), clock.wall());
        end(greedy);
        end(starved);
        assert!(own < wall.mul_f64(0.8), "{own:?} of {wall:?}");
        assert_eq!(clock.verdict(wall), None);
    }

    #[test]
    fn a_process_that_gets_no_time_is_starved_and_one_that_gets_little_is_not() {
        let (child, mut clock) = clock_of("echo; while :; do :; done");
        let limit = Duration::from_millis(300);
        clock.without = PATIENCE;
        assert_eq!(clock.verdict(limit), Some(Overdue::Starved));
        watch(&mut clock, |clock| clock.own() >= PROGRESS);
        assert!(clock.without < PATIENCE);
        watch(&mut clock, |clock| clock.verdict(limit).is_some());
        assert_eq!(clock.verdict(limit), Some(Overdue::Fair));
        end(child);
    }
}
