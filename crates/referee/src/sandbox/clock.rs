//! Whose time it was: a process's own, or time in which the machine gave it no processor.

use std::fs;
use std::time::{Duration, Instant};

use super::sys;

/// How often a process is looked at.
pub const GLANCE: Duration = Duration::from_millis(20);

/// What wall time is at most, as a multiple of the own time that is allowed.
const PATIENCE: u32 = 20;

/// What comes on top, for short limits on a very busy machine.
const GRACE: Duration = Duration::from_secs(60);

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
        Self { process, start, cpu, last, asleep: Duration::ZERO }
    }

    /// Looks what the process is doing.
    pub fn look(&mut self) {
        let Some(cpu) = sys::cpu_time(self.process) else { return };
        let now = Sample { at: Instant::now(), cpu, waited: waited(self.process) };
        let waited = now.waited.zip(self.last.waited).map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then));
        let idle = (now.at - self.last.at).saturating_sub(cpu.saturating_sub(self.last.cpu)).saturating_sub(waited);
        // The state is that of this moment; over many moments the shares come out right.
        if sleeps(self.process) {
            self.asleep += idle;
        }
        self.last = now;
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

    /// Whether it has used up its own time, or all patience: `None` if neither.
    pub fn verdict(&self, limit: Duration) -> Option<Overdue> {
        if self.own() >= limit {
            Some(Overdue::Fair)
        } else if self.wall() >= limit * PATIENCE + GRACE {
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
    use std::process::{Command, Stdio};

    /// A process in a pipeline of this test's own, and its clock.
    fn clock_of(script: &str) -> (std::process::Child, Clock) {
        let child = Command::new("/bin/sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap();
        let clock = Clock::new(child.id() as i32, Instant::now(), Duration::ZERO);
        (child, clock)
    }

    fn watch(clock: &mut Clock, until: impl Fn(&Clock) -> bool) {
        while !until(clock) {
            std::thread::sleep(GLANCE);
            clock.look();
        }
    }

    #[test]
    fn sleeping_and_computing_are_its_own_time() {
        for script in ["exec sleep 100", "while :; do :; done"] {
            let (mut child, mut clock) = clock_of(script);
            watch(&mut clock, |clock| clock.own() >= Duration::from_millis(300));
            assert!(clock.own() <= clock.wall() + GLANCE);
            assert_eq!(clock.verdict(Duration::from_millis(300)), Some(Overdue::Fair));
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn waiting_for_a_processor_is_not() {
        // Two processes on one processor, one of them with next to no share of it.
        let (mut greedy, _) = clock_of("taskset -p -c 0 $$ >&2; while :; do :; done");
        let (mut starved, mut clock) = clock_of("taskset -p -c 0 $$ >&2; renice 19 $$ >&2; while :; do :; done");
        watch(&mut clock, |clock| clock.wall() >= Duration::from_secs(1));
        let (own, wall) = (clock.own(), clock.wall());
        for child in [&mut greedy, &mut starved] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(own < wall.mul_f64(0.8), "{own:?} of {wall:?}");
        assert_eq!(clock.verdict(wall), None);
    }
}
