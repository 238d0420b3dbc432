//! The names of everything that can come of a submission.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a game, or a submission, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Finished,
    Timeout,
    Crash,
    Exit,
    IllegalDirection,
    IllegalMove,
    Memory,
    OutputFlood,
    SandboxViolation,
    CompileError,
    MissingFile,
    WrongName,
    /// The machine gave the player too little time, twice: nothing is the student's fault.
    MachineFault,
    /// The referee could not do its work; nothing is the student's fault.
    NeedsHuman,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Finished => "finished",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Exit => "exit",
            Self::IllegalDirection => "illegal direction",
            Self::IllegalMove => "illegal move",
            Self::Memory => "memory",
            Self::OutputFlood => "output flood",
            Self::SandboxViolation => "sandbox violation",
            Self::CompileError => "compile error",
            Self::MissingFile => "missing file",
            Self::WrongName => "wrong name",
            Self::MachineFault => "machine fault",
            Self::NeedsHuman => "needs a human",
        })
    }
}

/// The name of a signal, and what usually causes it.
pub fn signal_name(signal: i32) -> (String, &'static str) {
    let (name, cause) = match signal {
        libc::SIGSEGV => ("SIGSEGV", "segmentation fault: a pointer or index that leads outside the program's memory"),
        libc::SIGBUS => ("SIGBUS", "bus error: a pointer that leads nowhere"),
        libc::SIGFPE => ("SIGFPE", "arithmetic error: usually an integer division by zero, or % 0"),
        libc::SIGILL => ("SIGILL", "illegal instruction: often a function without a return, or a bad function pointer"),
        libc::SIGABRT => {
            ("SIGABRT", "abort: a failed assert, a damaged heap (free twice, writing past malloc), or abort()")
        }
        libc::SIGTRAP => ("SIGTRAP", "trap: a check that the compiler put in has failed"),
        libc::SIGKILL => ("SIGKILL", "killed: usually because memory ran out"),
        libc::SIGALRM => ("SIGALRM", "an alarm that the program set for itself"),
        libc::SIGTERM => ("SIGTERM", "a request to end, sent by the program to itself"),
        libc::SIGXCPU => ("SIGXCPU", "too much processor time"),
        libc::SIGXFSZ => ("SIGXFSZ", "writing a larger file than it may"),
        libc::SIGSYS => ("SIGSYS", "a system call that no program of the course needs"),
        libc::SIGPIPE => ("SIGPIPE", "writing to a closed pipe"),
        _ => return (format!("signal {signal}"), "a signal that the program sent to itself"),
    };
    (name.into(), cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_limit_ends_is_not_told_to_have_ended_itself() {
        for signal in [libc::SIGKILL, libc::SIGSYS, libc::SIGXCPU, libc::SIGXFSZ] {
            let (name, cause) = signal_name(signal);
            assert!(name.starts_with("SIG") && !cause.contains("itself"), "{name}: {cause}");
        }
    }
}
