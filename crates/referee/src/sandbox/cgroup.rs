//! Control groups (version 2), where this process may make them: they hold all processes of a cell together.
//!
//! Without them nothing is lost but a second line: the monitor counts memory, and leaves nobody behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where groups can be made, and what they can limit.
#[derive(Clone, Debug)]
pub struct Place {
    pub folder: PathBuf,
    pub memory: bool,
    pub processes: bool,
}

/// The processes of one cell. Dropping it ends them.
pub struct Group {
    folder: PathBuf,
}

/// Memory that a cell's own processes use beside the inmate.
const OWN: u64 = 64 << 20;

/// Processes of the cell's own.
const OWN_PROCESSES: u64 = 4;

/// The place of this process's own groups, if it has one. Looked for once.
pub fn place() -> Option<&'static Place> {
    static PLACE: OnceLock<Option<Place>> = OnceLock::new();
    PLACE.get_or_init(find).as_ref()
}

fn find() -> Option<Place> {
    let folder =
        own_folder(&fs::read_to_string("/proc/self/cgroup").ok()?, &fs::read_to_string("/proc/self/mountinfo").ok()?)?;
    let trial = folder.join(format!("estr2048-trial-{}", std::process::id()));
    fs::create_dir(&trial).ok()?;
    let _ = fs::remove_dir(&trial);
    let offered = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
    let offers = |name: &str| offered.split_whitespace().any(|word| word == name);
    let wanted: Vec<&str> = ["memory", "pids"].into_iter().filter(|name| offers(name)).collect();
    let enable =
        || wanted.iter().all(|name| fs::write(folder.join("cgroup.subtree_control"), format!("+{name}")).is_ok());
    let mut enabled = !wanted.is_empty() && enable();
    if !wanted.is_empty() && !enabled {
        // Only a group without processes may have groups with limits: this process moves into one below.
        let below = folder.join(format!("estr2048-{}", std::process::id()));
        let moved = fs::create_dir(&below).is_ok() && fs::write(below.join("cgroup.procs"), "0").is_ok();
        enabled = moved && enable();
        if moved && !enabled {
            let _ = fs::write(folder.join("cgroup.procs"), "0");
            let _ = fs::remove_dir(&below);
        }
    }
    Some(Place {
        memory: enabled && wanted.contains(&"memory"),
        processes: enabled && wanted.contains(&"pids"),
        folder,
    })
}

/// The folder of the group that this process is in, told from what the kernel says about groups and mounts.
fn own_folder(groups: &str, mounts: &str) -> Option<PathBuf> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        kind.starts_with("cgroup2 ").then_some(())?;
        let mut fields = mount.split(' ').skip(3);
        let (root, place) = (fields.next()?, fields.next()?);
        let below = Path::new(group).strip_prefix(root).ok()?;
        Some(Path::new(place).join(below))
    })
}

impl Group {
    /// A new group, if this machine lets this process make one. Limits of 0 are none.
    pub fn new(memory: u64, processes: u64) -> Option<Self> {
        Self::at(place()?, memory, processes)
    }

    fn at(place: &Place, memory: u64, processes: u64) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let group = Self { folder: place.folder.join(format!("estr2048-{}-{number}", std::process::id())) };
        fs::create_dir(&group.folder).ok()?;
        if place.memory && memory > 0 {
            let _ = fs::write(group.folder.join("memory.max"), (memory + OWN).to_string());
            let _ = fs::write(group.folder.join("memory.swap.max"), "0");
        }
        if place.processes && processes > 0 {
            let _ = fs::write(group.folder.join("pids.max"), (processes + OWN_PROCESSES).to_string());
        }
        Some(group)
    }

    /// Takes a process in, with all that it will start.
    pub fn take(&self, process: u32) -> bool {
        fs::write(self.folder.join("cgroup.procs"), process.to_string()).is_ok()
    }

    /// Whether the kernel has ended a process of the group because memory ran out.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
    }

    /// Ends everybody in the group.
    pub fn kill(&self) {
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        // The kernel keeps the folder until the last process is gone for good.
        for _ in 0..50 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_below_the_mount() {
        let mounts = "25 1 0:1 / /proc rw - proc proc rw\n\
                      40 30 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
        let groups = "9:pids:/x\n0::/user.slice/a.scope\n";
        assert_eq!(own_folder(groups, mounts).unwrap(), Path::new("/sys/fs/cgroup/user.slice/a.scope"));
        assert_eq!(own_folder("0::/\n", mounts).unwrap(), Path::new("/sys/fs/cgroup/"));
        assert_eq!(own_folder("3:pids:/x\n", mounts), None);
        assert_eq!(own_folder(groups, "25 1 0:1 / /proc rw - proc proc rw\n"), None);
    }

    #[test]
    fn limits_are_written_where_the_kernel_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place { folder: folder.path().into(), memory: true, processes: true };
        let group = Group::at(&place, 1 << 30, 1).unwrap();
        let read = |name: &str| fs::read_to_string(group.folder.join(name)).unwrap();
        assert_eq!(read("memory.max"), ((1_u64 << 30) + OWN).to_string());
        assert_eq!((read("memory.swap.max"), read("pids.max")), ("0".into(), "5".into()));
        fs::write(group.folder.join("memory.events"), "oom 0\noom_kill 0\n").unwrap();
        assert!(!group.ran_out_of_memory());
        fs::write(group.folder.join("memory.events"), "oom 1\noom_kill 1\n").unwrap();
        assert!(group.ran_out_of_memory());
        fs::remove_dir_all(&group.folder).unwrap();
    }
}
