//! What `/proc` tells of processes: who descends from whom, and what they use.

use std::fs;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A process and all that descend from it.
pub fn everybody_below(process: i32) -> Vec<i32> {
    let mut all = vec![process];
    let mut next = 0;
    while let Some(&parent) = all.get(next) {
        all.extend(children(parent));
        next += 1;
    }
    all
}

/// The children of a process.
pub fn children(parent: i32) -> Vec<i32> {
    let numbers = |text: String| text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if let Ok(text) = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")) {
        return numbers(text);
    }
    // A kernel without those lists.
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    processes.filter(|&process| parent_of(process) == Some(parent)).collect()
}

fn parent_of(process: i32) -> Option<i32> {
    field(&stat(process)?, 4)
}

/// The line that the kernel keeps about a process, from its third field on: the second may hold anything.
fn stat(process: i32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    text.rsplit(')').next().map(String::from)
}

/// A field by its number in proc_pid_stat(5).
fn field<N: FromStr>(stat: &str, number: usize) -> Option<N> {
    stat.split_whitespace().nth(number - 3)?.parse().ok()
}

/// CPU time of a process and all that descend from it, of those that have ended, too.
pub fn cpu_time_below(process: i32) -> Duration {
    const OWN_AND_ENDED_CHILDREN: RangeInclusive<usize> = 14..=17;
    let ticks = |process| {
        let stat = stat(process).unwrap_or_default();
        OWN_AND_ENDED_CHILDREN.filter_map(|number| field::<u64>(&stat, number)).sum::<u64>()
    };
    let all: u64 = everybody_below(process).into_iter().map(ticks).sum();
    Duration::from_millis(all * 1000 / rustix::param::clock_ticks_per_second())
}

/// How many processes and threads this process's user has.
pub fn of_this_user() -> u64 {
    let user = rustix::process::getuid().as_raw();
    let count = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("status")).ok()?;
        let word = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.split_whitespace().next());
        (word("Uid:")?.parse() == Ok(user)).then(|| word("Threads:")?.parse::<u64>().ok()).flatten()
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(count).sum()
}

/// Bytes of memory that a process has in use.
pub fn resident(process: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
