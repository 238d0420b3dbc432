//! The inside of a cell: this program, started anew by the referee, so that nothing of the referee is in its memory.
//!
//! Three processes: a monitor, which waits and reports how the inmate ended; at level 3 the first process of the new
//! process namespace, which only sleeps, so that the inmate has the ordinary rights and duties of a second process;
//! and the inmate, which locks itself up and then runs what somebody else wrote.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::mount::{MountFlags, MountPropagationFlags};
use rustix::process::{Resource, Rlimit, Signal};
use rustix::thread::UnshareFlags;

use super::descriptors::{CHANNEL, MONITOR, borrowed};
use super::inmate::{self, Guest, Seat};
use super::isolation::Level;
use super::message::{self, Order, Task};
use super::policy;
use super::sys::{self, Fork};

/// The name of the hidden subcommand that turns this program into a cell.
pub const SUBCOMMAND: &str = "__cell";

/// Where the shared object lies in its empty file system.
const PLAYER: &str = "/player.so";

/// How long an order may be, in bytes.
pub const MAX_ORDER: usize = 32 * 1024;

/// Runs the cell, with this guest in it if its task is to answer. Never returns to ordinary code.
pub fn main<G: Guest>(seat: Seat<G>) -> ! {
    sys::close_all_but(&[0, 1, 2, CHANNEL, MONITOR]);
    let channel = borrowed(CHANNEL);
    let Ok(order) = receive_order(channel) else { sys::exit_now(2) };
    if let Err(error) = supervise(&order, seat) {
        let mut packet = message::header_bytes(order.cookie, 0, message::SETUP).to_vec();
        packet.extend_from_slice(format!("{error:#}").as_bytes());
        packet.truncate(message::MAX_PACKET);
        let _ = rustix::io::write(channel, &packet);
        sys::exit_now(2);
    }
    sys::exit_now(0)
}

fn receive_order(channel: BorrowedFd<'_>) -> Result<Order> {
    let mut buffer = vec![0; MAX_ORDER];
    let size = rustix::io::read(channel, &mut buffer[..])?;
    Ok(serde_json::from_slice(&buffer[..size])?)
}

fn supervise<G: Guest>(order: &Order, seat: Seat<G>) -> Result<()> {
    die_with_parent()?;
    if order.level >= Level::L3 {
        enter_namespaces().context("namespaces")?;
        if let Fork::Child = sys::fork()? {
            first_process();
        }
    }
    match sys::fork().context("fork")? {
        Fork::Child => {
            if let Err(error) = imprison(order, seat) {
                let mut packet = message::header_bytes(order.cookie, 0, message::SETUP).to_vec();
                packet.extend_from_slice(format!("{error:#}").as_bytes());
                packet.truncate(message::MAX_PACKET);
                let _ = rustix::io::write(borrowed(CHANNEL), &packet);
            }
            sys::exit_now(2);
        }
        Fork::Parent(pid) => {
            let monitor = borrowed(MONITOR);
            rustix::io::write(monitor, &pid.to_ne_bytes())?;
            sys::close_all_but(&[MONITOR]);
            let status = sys::wait(pid)?;
            rustix::io::write(monitor, &status.to_ne_bytes())?;
        }
    }
    Ok(())
}

fn die_with_parent() -> io::Result<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?)
}

fn enter_namespaces() -> Result<()> {
    let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
    let mut spaces = UnshareFlags::NEWNS | UnshareFlags::NEWPID | UnshareFlags::NEWIPC | UnshareFlags::NEWNET;
    if uid.is_root() {
        // A privileged referee needs no user namespace: the inmate becomes `nobody` later.
        unshare(spaces)?;
    } else {
        spaces |= UnshareFlags::NEWUSER;
        unshare(spaces)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{} {} 1", sys::NOBODY, uid.as_raw()))?;
        fs::write("/proc/self/gid_map", format!("{} {} 1", sys::NOBODY, gid.as_raw()))?;
    }
    rustix::mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    Ok(())
}

fn unshare(spaces: UnshareFlags) -> Result<()> {
    // SAFETY: no descriptor table is unshared, and this process has one thread.
    unsafe { rustix::thread::unshare_unsafe(spaces) }.context("unshare")
}

/// The first process of a process namespace: when it ends, the kernel ends everybody in the namespace.
fn first_process() -> ! {
    let _ = die_with_parent();
    sys::close_all_but(&[]);
    loop {
        std::thread::park();
    }
}

fn imprison<G: Guest>(order: &Order, seat: Seat<G>) -> Result<()> {
    sys::close_all_but(&[0, 1, 2, CHANNEL]);
    match &order.task {
        Task::Answer { library, function } => {
            let bytes = fs::read(library).with_context(|| library.display().to_string())?;
            // Submissions may use mathematics; nothing can be opened any more once the doors are shut.
            let _ = sys::load(c"libm.so.6", true);
            let used = address_space();
            let path = if order.level >= Level::L3 { into_empty_root(&bytes)? } else { into_memory(&bytes)? };
            lock(order, used, &[PLAYER.into()], &[])?;
            inmate::prepare(order);
            if order.level >= Level::L2 {
                seccompiler::apply_filter(&policy::while_loading()?).context("seccomp")?;
            }
            inmate::answer(order, &path, function, seat)
        }
        Task::Execute { program, arguments, folder, read, write } => {
            std::env::set_current_dir(folder).with_context(|| folder.display().to_string())?;
            lock(order, 0, read, write)?;
            if order.level >= Level::L2 {
                seccompiler::apply_filter(&policy::for_programs()?).context("seccomp")?;
            }
            execute(program, arguments)
        }
    }
}

/// Replaces this process by a program, with an environment that says nothing.
fn execute(program: &Path, arguments: &[String]) -> Result<()> {
    use std::os::unix::process::CommandExt;
    rustix::io::fcntl_setfd(borrowed(CHANNEL), rustix::io::FdFlags::CLOEXEC)?;
    let error = std::process::Command::new(program)
        .args(arguments)
        .env_clear()
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"), ("TMPDIR", "."), ("HOME", "/")])
        .env("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=0:symbolize=1:color=never:allocator_may_return_null=1:hard_rss_limit_mb=2048")
        .env("UBSAN_OPTIONS", "print_stacktrace=1:color=never")
        .exec();
    bail!("{}: {error}", program.display())
}

/// Puts the shared object alone into a file system of its own, makes that the root, and gives the object's path.
fn into_empty_root(library: &[u8]) -> Result<CString> {
    let place = ["/tmp", "/mnt", "/var", "/usr"].map(Path::new).into_iter().find(|path| path.is_dir());
    let place = place.context("no folder to mount an empty file system on")?;
    rustix::mount::mount("none", place, "tmpfs", MountFlags::NODEV | MountFlags::NOSUID, c"size=256m,mode=755")
        .context("mount an empty file system")?;
    fs::write(place.join(PLAYER.trim_start_matches('/')), library)?;
    rustix::process::chroot(place)?;
    std::env::set_current_dir("/")?;
    let flags = MountFlags::NODEV | MountFlags::NOSUID | MountFlags::RDONLY;
    rustix::mount::mount_remount("/", flags, c"").context("make the empty file system read-only")?;
    Ok(CString::new(PLAYER)?)
}

/// Puts the shared object into memory and gives a path to it.
fn into_memory(library: &[u8]) -> Result<CString> {
    let file = rustix::fs::memfd_create("player", rustix::fs::MemfdFlags::empty())?;
    let mut rest = library;
    while !rest.is_empty() {
        rest = &rest[rustix::io::write(&file, rest)?..];
    }
    Ok(CString::new(format!("/proc/self/fd/{}", file.into_raw_fd()))?)
}

/// Gives up every right that the task does not need. `used` is the address space that the cell itself uses.
fn lock(order: &Order, used: u64, read: &[PathBuf], write: &[PathBuf]) -> Result<()> {
    let limits = &order.limits;
    if sys::drop_root()? {
        // Changing the user closed /proc/self to this process; the shared object is read through it.
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::Dumpable)?;
    } else {
        let none = rustix::thread::CapabilitySets {
            effective: rustix::thread::CapabilitySet::empty(),
            permitted: rustix::thread::CapabilitySet::empty(),
            inheritable: rustix::thread::CapabilitySet::empty(),
        };
        rustix::thread::set_capabilities(None, none).context("capabilities")?;
    }
    die_with_parent()?;
    rustix::thread::set_no_new_privs(true)?;
    if order.level >= Level::L2 {
        shut_files(read, write).context("Landlock")?;
    }
    let limit = |resource, value: u64| {
        let limit = Rlimit { current: Some(value), maximum: Some(value) };
        rustix::process::setrlimit(resource, limit).with_context(|| format!("limit {resource:?}"))
    };
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, limits.file_size)?;
    limit(Resource::Nproc, limits.processes)?;
    if limits.memory > 0 {
        limit(Resource::As, limits.memory.saturating_add(used))?;
    }
    if let Some(cpu) = limits.cpu {
        limit(Resource::Cpu, cpu.as_secs().max(1))?;
    }
    Ok(())
}

/// Bytes of address space that this process uses, read before `/proc` is out of reach.
fn address_space() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    pages.map_or(256 << 20, |pages| pages * rustix::param::page_size() as u64)
}

fn shut_files(read: &[PathBuf], write: &[PathBuf]) -> Result<()> {
    let abi = ABI::V5;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    let null = [PathBuf::from("/dev/null")];
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    for (paths, access) in [(&null[..], device), (read, AccessFs::from_read(abi)), (write, AccessFs::from_all(abi))] {
        for path in paths.iter().filter(|path| path.exists()) {
            let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
            let file = PathFd::new(path).with_context(|| path.display().to_string())?;
            rules = rules.add_rule(PathBeneath::new(file.as_fd(), access))?;
        }
    }
    let status = rules.restrict_self()?;
    ensure!(status.ruleset != RulesetStatus::NotEnforced, "this kernel does not enforce it");
    Ok(())
}
