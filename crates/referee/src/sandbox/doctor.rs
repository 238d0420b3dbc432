//! What a machine offers to a referee, and what can be done about what it does not.

use std::fs;
use std::path::Path;

use super::isolation::Level;
use super::{cgroup, probe, sys};

/// How a finding is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// As it should be.
    Good,
    /// It works, and could be better.
    Note,
    /// Without it submissions are not locked up well enough.
    Missing,
}

/// One thing that matters to a referee.
#[derive(Clone, Debug)]
pub struct Finding {
    pub grade: Grade,
    pub what: &'static str,
    pub state: String,
    /// What to install, allow or change, if anything.
    pub remedy: Option<String>,
}

fn good(what: &'static str, state: impl Into<String>) -> Finding {
    Finding { grade: Grade::Good, what, state: state.into(), remedy: None }
}

fn poor(grade: Grade, what: &'static str, state: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { grade, what, state: state.into(), remedy: Some(remedy.into()) }
}

/// Looks at this machine.
pub fn examine() -> Vec<Finding> {
    let level = probe::offer().map_or(Level::L1, |offer| offer.level);
    vec![
        isolation(),
        namespaces(level),
        landlock(level),
        seccomp(),
        control_groups(),
        user(),
        threads_of_a_core(&read("/sys/devices/system/cpu/smt/active")),
        swap(&read("/proc/swaps")),
        frequency(&read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        scheduling(),
    ]
}

/// Whether submissions can be locked up well enough for a class.
pub fn is_fit(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.grade != Grade::Missing)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_string()
}

fn isolation() -> Finding {
    match probe::offer() {
        Ok(offer) if offer.level >= Level::L2 => {
            let mut state = format!("{}: {}", offer.level, offer.level.explanation());
            for missing in offer.missing {
                state.push_str(&format!("; not {missing}"));
            }
            good("isolation", state)
        }
        Ok(offer) => poor(
            Grade::Missing,
            "isolation",
            format!("{} only: {}", offer.level, offer.missing.join("; ")),
            "allow user namespaces, or use a kernel with Landlock (5.13 or later): see the lines below",
        ),
        Err(error) => poor(Grade::Missing, "isolation", format!("none: {error:#}"), "use Linux 5.13 or later"),
    }
}

fn namespaces(level: Level) -> Finding {
    const WHAT: &str = "namespaces";
    if level >= Level::L3 {
        return good(WHAT, "a file system, processes and a network of its own for each submission");
    }
    let remedy = namespace_remedy(
        &read("/proc/sys/kernel/unprivileged_userns_clone"),
        &read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        &read("/proc/sys/user/max_user_namespaces"),
        rustix::process::geteuid().is_root(),
    );
    poor(Grade::Note, WHAT, "this machine refuses them", remedy)
}

fn namespace_remedy(clone: &str, apparmor: &str, most: &str, root: bool) -> String {
    if root {
        "this looks like a container: start it with --cap-add SYS_ADMIN, or run as an ordinary user outside of it"
            .into()
    } else if clone == "0" {
        "as root: sysctl kernel.unprivileged_userns_clone=1".into()
    } else if apparmor == "1" {
        "as root: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or give estr2048 an AppArmor profile with `userns,`"
            .into()
    } else if most == "0" {
        "as root: sysctl user.max_user_namespaces=10000".into()
    } else {
        "inside a container: allow the system calls unshare and mount (Docker: --security-opt seccomp=unconfined)"
            .into()
    }
}

fn landlock(level: Level) -> Finding {
    match sys::landlock_version() {
        Some(version) => good("Landlock", format!("version {version}")),
        None => {
            let grade = if level >= Level::L3 { Grade::Note } else { Grade::Missing };
            let remedy =
                "use Linux 5.13 or later, with `landlock` among the kernel's lsm= (see /sys/kernel/security/lsm)";
            poor(grade, "Landlock", "this kernel has none", remedy)
        }
    }
}

fn seccomp() -> Finding {
    let witness = probe::offer().is_ok_and(|offer| offer.locked.witness);
    if witness {
        good("seccomp", "an allow-list of system calls, and a witness for what is refused")
    } else if sys::can_listen() {
        let remedy = "nothing needs to be done; outside of this container (or debugger) the witness is there";
        poor(Grade::Note, "seccomp", "an allow-list, but no witness: offences are stopped and not named", remedy)
    } else {
        let remedy = "use Linux 5.5 or later, with CONFIG_SECCOMP_FILTER";
        poor(Grade::Note, "seccomp", "no witness: offences are stopped, if at all, and not named", remedy)
    }
}

fn control_groups() -> Finding {
    const WHAT: &str = "cgroup v2";
    let remedy =
        "systemd-run --user --scope -p Delegate=yes estr2048 grade ... (not needed: memory is watched all the same)";
    match cgroup::place() {
        Some(place) if place.memory && place.processes => {
            good(WHAT, format!("delegated: memory and processes are limited below {}", place.folder.display()))
        }
        Some(place) => poor(
            Grade::Note,
            WHAT,
            format!("groups can be made below {}, but they limit no memory", place.folder.display()),
            remedy,
        ),
        None => poor(Grade::Note, WHAT, "not delegated to this user", remedy),
    }
}

fn user() -> Finding {
    if rustix::process::geteuid().is_root() {
        poor(
            Grade::Note,
            "user",
            "root: every submission runs as a user of its own that nobody else is",
            "an ordinary user is enough",
        )
    } else {
        good("user", "an ordinary one")
    }
}

fn threads_of_a_core(active: &str) -> Finding {
    const WHAT: &str = "SMT";
    if active == "1" {
        let remedy = "use --jobs with the number of cores, or, as root: echo off > /sys/devices/system/cpu/smt/control";
        poor(Grade::Note, WHAT, "two submissions may share a core, and slow each other down", remedy)
    } else {
        good(WHAT, "no core is shared")
    }
}

fn swap(swaps: &str) -> Finding {
    if swaps.lines().count() > 1 {
        poor(
            Grade::Note,
            "swap",
            "a submission's memory may be swapped out, which costs it time",
            "as root: swapoff -a",
        )
    } else {
        good("swap", "none")
    }
}

fn frequency(governor: &str) -> Finding {
    const WHAT: &str = "frequency";
    match governor {
        "" => good(WHAT, "not this machine's to choose"),
        "performance" => good(WHAT, "the governor is `performance`"),
        _ => poor(
            Grade::Note,
            WHAT,
            format!("the governor is `{governor}`: times vary"),
            "as root: cpupower frequency-set -g performance",
        ),
    }
}

fn scheduling() -> Finding {
    if Path::new("/proc/self/schedstat").exists() {
        good("time", "the kernel tells how long a player waited for a processor")
    } else {
        let remedy = "use a kernel with CONFIG_SCHED_INFO; until then leave a processor free (--jobs)";
        poor(Grade::Note, "time", "the kernel does not tell how long a player waited for a processor", remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcoming_has_a_remedy() {
        for finding in examine() {
            assert_eq!(finding.grade != Grade::Good, finding.remedy.is_some(), "{finding:?}");
        }
        assert_eq!(threads_of_a_core("1").grade, Grade::Note);
        assert_eq!(swap("Filename Type\n/dev/sda2 partition 1 0 -2").grade, Grade::Note);
        assert_eq!(swap("Filename Type").grade, Grade::Good);
        assert_eq!(frequency("powersave").grade, Grade::Note);
        assert!(namespace_remedy("0", "", "", false).contains("unprivileged_userns_clone"));
        assert!(namespace_remedy("1", "1", "", false).contains("apparmor"));
        assert!(namespace_remedy("", "", "0", false).contains("max_user_namespaces"));
    }
}
