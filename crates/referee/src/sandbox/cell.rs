//! The inside of a cell: this program, started anew by the guard, so that nothing of the guard is in its memory.
//!
//! Three processes: a monitor, which decides about forbidden deeds and reports how the inmate ended; at level 3 the
//! first process of the new process namespace, which only sleeps, so that the inmate has the ordinary rights and duties
//! of a second process; and the inmate, which locks itself up and then runs what somebody else wrote.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::mount::{MountFlags, MountPropagationFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::{Resource, Rlimit, Signal};
use rustix::thread::UnshareFlags;

use super::descriptors::{CHANNEL, MONITOR, SETUP, borrowed};
use super::inmate::{self, Guest, Library, Seat};
use super::isolation::Level;
use super::message::{Order, Task};
use super::monitor;
use super::policy::{self, Otherwise, Role};
use super::processes;
use super::report::{self, Word};
use super::sys::{self, Fork};
use super::tree::{self, LIBRARY, MEMORY_FILES};

/// The name of the hidden subcommand that turns this program into a cell.
pub const SUBCOMMAND: &str = "__cell";

/// How long an order may be, in bytes.
pub const MAX_ORDER: usize = 128 * 1024;

/// Runs the cell, with this guest in it if its task is to answer. Never returns to ordinary code.
pub fn main<G: Guest>(seat: Seat<G>) -> ! {
    sys::close_all_but(&[0, 1, 2, CHANNEL, MONITOR]);
    let Ok(order) = receive_order(borrowed(CHANNEL)) else { sys::exit_now(2) };
    if let Err(error) = supervise(&order, seat) {
        let _ = report::say(borrowed(MONITOR), &Word::Trouble(format!("{error:#}")), None);
        sys::exit_now(2);
    }
    sys::exit_now(0)
}

fn receive_order(channel: BorrowedFd<'_>) -> Result<Order> {
    let mut buffer = vec![0; MAX_ORDER];
    let size = report::retry(|| rustix::io::read(channel, &mut buffer[..]))?;
    Ok(serde_json::from_slice(&buffer[..size])?)
}

fn supervise<G: Guest>(order: &Order, seat: Seat<G>) -> Result<()> {
    die_with_parent()?;
    let flags = SocketFlags::CLOEXEC;
    let (ours, theirs) = rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    let (ours, theirs) = (above(ours)?, above(theirs)?);
    let mut first = None;
    if order.level >= Level::L3 {
        enter_namespaces().context("namespaces")?;
        match sys::fork()? {
            Fork::Child => first_process(order),
            Fork::Parent(pid) => first = Some(pid),
        }
    } else {
        // Whoever loses its parent becomes a child of this process, which ends it.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    match sys::fork().context("fork")? {
        Fork::Child => {
            drop(ours);
            if let Err(error) = wait_for_monitor(theirs).and_then(|()| imprison(order, seat)) {
                let _ = report::say(borrowed(SETUP), &Word::Trouble(format!("{error:#}")), None);
            }
            sys::exit_now(2);
        }
        Fork::Parent(inmate) => {
            drop(theirs);
            if let Some(user) = order.user {
                sys::become_user(user).context("become the cell's own user")?;
                die_with_parent()?;
            }
            report::send(ours.as_fd(), READY, None)?;
            monitor::watch(order, inmate, first, ours)
        }
    }
}

/// What the monitor says when it is the cell's own user.
const READY: &[u8] = b"ready";

/// Waits for the monitor's word: as long as it counted as another user's, the inmate could start a process in its stead.
fn wait_for_monitor(line: OwnedFd) -> Result<()> {
    sys::place(line, SETUP)?;
    report::receive(borrowed(SETUP)).context("the monitor has ended")?;
    Ok(())
}

/// The same descriptor under a number that does not collide with those that an inmate expects.
fn above(descriptor: OwnedFd) -> Result<OwnedFd> {
    const FREE: i32 = 10;
    Ok(rustix::io::fcntl_dupfd_cloexec(descriptor, FREE)?)
}

fn die_with_parent() -> io::Result<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?)
}

fn enter_namespaces() -> Result<()> {
    let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
    let spaces = UnshareFlags::NEWPID | UnshareFlags::NEWIPC | UnshareFlags::NEWNET | UnshareFlags::NEWUTS;
    if uid.is_root() {
        // A privileged guard needs no user namespace: the inmate becomes a user of its own later.
        unshare(spaces)?;
    } else {
        unshare(spaces | UnshareFlags::NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{} {} 1", sys::NOBODY, uid.as_raw()))?;
        fs::write("/proc/self/gid_map", format!("{} {} 1", sys::NOBODY, gid.as_raw()))?;
    }
    Ok(())
}

fn unshare(spaces: UnshareFlags) -> Result<()> {
    // SAFETY: no descriptor table is unshared, and this process has one thread.
    unsafe { rustix::thread::unshare_unsafe(spaces) }.context("unshare")
}

/// The first process of a process namespace: when it ends, the kernel ends everybody in the namespace.
fn first_process(order: &Order) -> ! {
    if let Some(user) = order.user {
        let _ = sys::become_user(user);
    }
    let _ = die_with_parent();
    sys::forget_children();
    sys::close_all_but(&[]);
    loop {
        std::thread::park();
    }
}

fn imprison<G: Guest>(order: &Order, seat: Seat<G>) -> Result<()> {
    die_with_parent()?;
    if order.level >= Level::L3 {
        unshare(UnshareFlags::NEWNS)?;
    }
    match &order.task {
        Task::Answer { library, function } => {
            sys::close_all_but(&[0, 1, 2, CHANNEL, SETUP]);
            let bytes = fs::read(library).with_context(|| library.display().to_string())?;
            // Submissions may use mathematics; nothing can be opened any more once the doors are shut.
            let _ = sys::load(c"libm.so.6", true);
            let used = address_space();
            let library = if order.level >= Level::L3 { into_empty_root(&bytes)? } else { into_memory(&bytes)? };
            let channel = inmate::prepare(order)?;
            let landlock = give_up_rights(order, used, &[LIBRARY.into()], &[])?;
            close_doors(order, channel, landlock)?;
            inmate::answer(&library, function, seat)
        }
        Task::Execute { program, arguments, view, environment } => {
            sys::close_all_but(&[0, 1, 2, SETUP]);
            let folder = match &order.folder {
                Some(folder) => {
                    tree::fill(order, folder)?;
                    folder.clone()
                }
                None => {
                    let folder = tree::build(order, view)?;
                    report::say(borrowed(SETUP), &Word::Folder, Some(folder.as_fd()))?;
                    tree::FOLDER.into()
                }
            };
            let landlock = give_up_rights(order, 0, view, &[folder])?;
            close_doors(order, CHANNEL, landlock)?;
            execute(order.role, program, arguments, environment)
        }
    }
}

/// Replaces this process by a program, with an environment that says nothing else.
fn execute(role: Role, program: &Path, arguments: &[String], environment: &[(String, String)]) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = std::process::Command::new(program)
        .args(arguments)
        .env_clear()
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"), ("TMPDIR", "."), ("HOME", "/")])
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .exec();
    if role == Role::Program {
        // Whether such a program can be run at all is its author's doing.
        eprintln!("it cannot be run: {error}");
        sys::exit_now(127);
    }
    bail!("{}: {error}", program.display())
}

/// Puts the shared object alone into a file system of its own, makes that the root, and gives the object's path.
fn into_empty_root(library: &[u8]) -> Result<Library> {
    rustix::mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let place = ["/tmp", "/mnt", "/var", "/usr"].map(Path::new).into_iter().find(|path| path.is_dir());
    let place = place.context("no folder to mount an empty file system on")?;
    rustix::mount::mount("none", place, "tmpfs", MountFlags::NODEV | MountFlags::NOSUID, c"size=256m,mode=755")
        .context("mount an empty file system")?;
    fs::write(place.join(LIBRARY.trim_start_matches('/')), library)?;
    rustix::process::chroot(place)?;
    std::env::set_current_dir("/")?;
    let flags = MountFlags::NODEV | MountFlags::NOSUID | MountFlags::RDONLY;
    rustix::mount::mount_remount("/", flags, c"").context("make the empty file system read-only")?;
    Ok(Library { path: CString::new(LIBRARY)?, descriptor: None })
}

/// Puts the shared object into memory and gives a path to it.
fn into_memory(library: &[u8]) -> Result<Library> {
    let file = rustix::fs::memfd_create("player", rustix::fs::MemfdFlags::empty())?;
    let mut rest = library;
    while !rest.is_empty() {
        rest = &rest[report::retry(|| rustix::io::write(&file, rest))?..];
    }
    let number = file.into_raw_fd();
    Ok(Library { path: CString::new(format!("{MEMORY_FILES}{number}"))?, descriptor: Some(number) })
}

/// Seconds of processor time that a process has left when it is told that its time is over.
const UNHEARD: u64 = 60;

/// Gives up every right that the task does not need, and tells whether Landlock helps. `used` is the address space that
/// the cell itself uses.
fn give_up_rights(order: &Order, used: u64, read: &[PathBuf], write: &[PathBuf]) -> Result<bool> {
    let limits = &order.limits;
    let mut most_processes = limits.processes;
    if let Some(user) = order.user {
        sys::become_user(user).context("become the cell's own user")?;
        // Changing the user closed this process to its monitor and /proc/self to this process.
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::Dumpable)?;
        // The monitor is the same user's, and so is the first process of a namespace.
        most_processes += 1 + u64::from(order.level >= Level::L3);
    } else {
        let none = rustix::thread::CapabilitySets {
            effective: rustix::thread::CapabilitySet::empty(),
            permitted: rustix::thread::CapabilitySet::empty(),
            inheritable: rustix::thread::CapabilitySet::empty(),
        };
        rustix::thread::set_capabilities(None, none).context("capabilities")?;
        // The kernel counts whatever else this user runs, too.
        if order.role == Role::Compiler {
            most_processes += processes::of_this_user();
        }
    }
    die_with_parent()?;
    rustix::thread::set_no_new_privs(true)?;
    let landlock = match order.level {
        Level::L1 => false,
        Level::L2 => shut_files(read, write).map(|()| true).context("Landlock")?,
        // A mount tree of its own does Landlock's work where the kernel has none.
        Level::L3 => shut_files(read, write).is_ok(),
    };
    let limit_twice = |resource, soft: u64, hard: u64| {
        // Nobody may raise what the machine's owner has set.
        let most = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) };
        rustix::process::setrlimit(resource, limit).with_context(|| format!("limit {resource:?}"))
    };
    let limit = |resource, value| limit_twice(resource, value, value);
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, limits.file_size)?;
    limit(Resource::Nproc, most_processes)?;
    if limits.memory > 0 {
        limit(Resource::As, limits.memory.saturating_add(used))?;
    }
    if let Some(cpu) = limits.cpu {
        // SIGXCPU says why; the SIGKILL at a hard limit could have come from anybody.
        let seconds = cpu.as_secs().max(1);
        limit_twice(Resource::Cpu, seconds, seconds + UNHEARD)?;
    }
    Ok(landlock)
}

/// Leaves only the system calls of its role, and hands the monitor the listener for all others.
fn close_doors(order: &Order, channel: i32, landlock: bool) -> Result<()> {
    let mut listener = None;
    if order.level >= Level::L2 {
        let filters = |otherwise| policy::filters(order.role, channel, order.limits.memory, otherwise);
        let mut asking = filters(Otherwise::Ask)?;
        let Some(ask) = asking.pop() else { bail!("a policy without a list") };
        for filter in &asking {
            sys::install_filter(filter).context("seccomp")?;
        }
        // There may be a listener already, if this machine is itself a cell of somebody's; and old kernels have none.
        listener = sys::install_listener(&ask).ok();
        if listener.is_none() {
            let decide = filters(Otherwise::Decide)?.pop().unwrap_or_default();
            sys::install_filter(&decide).context("seccomp")?;
        }
    }
    let word = Word::Locked { landlock, witness: listener.is_some() };
    report::say(borrowed(SETUP), &word, listener.as_ref().map(AsFd::as_fd))?;
    // Whoever held the listener could answer for the monitor.
    drop(listener);
    if order.role == Role::Answer {
        sys::close(SETUP);
    }
    Ok(())
}

/// Bytes of address space that this process uses, read before `/proc` is out of reach.
fn address_space() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    pages.map_or(256 << 20, |pages| pages * rustix::param::page_size() as u64)
}

/// Shuts away all files but these.
fn shut_files(read: &[PathBuf], write: &[PathBuf]) -> Result<()> {
    let abi = ABI::V5;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    let devices = tree::DEVICES.map(PathBuf::from);
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    let special = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo;
    let own = AccessFs::from_all(abi) & !(special | AccessFs::IoctlDev);
    for (paths, access) in [(&devices[..], device), (read, AccessFs::from_read(abi)), (write, own)] {
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
