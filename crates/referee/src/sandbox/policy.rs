//! Which system calls an inmate may make: one allow-list for everybody, and what each kind of inmate needs beside it.
//!
//! Arguments are compared as the kernel takes them: 32 bits where it takes 32. Numbers of other ABIs are on no list.

use std::collections::BTreeMap;

use anyhow::Result;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use serde::{Deserialize, Serialize};

use super::descriptors::SETUP;

/// What kind of inmate this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A function in a process of its own: it computes. Anything else ends it.
    Answer,
    /// A whole program of somebody's: it may use its own folder. What is not allowed fails, and is noted.
    Program,
    /// A program of ours that reads somebody's text: it may start others.
    Compiler,
}

/// What the kernel does about a call that is on no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The monitor is asked, and the caller waits.
    Ask,
    /// There is nobody to ask: the call fails, or ends a process that may only compute.
    Decide,
}

/// Calls that reach nothing outside the process, on every architecture.
const HARMLESS: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getrandom,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_membarrier,
];

#[cfg(target_arch = "x86_64")]
const HARMLESS_HERE: &[i64] =
    &[libc::SYS_time, libc::SYS_alarm, libc::SYS_pause, libc::SYS_poll, libc::SYS_select, libc::SYS_arch_prctl];
#[cfg(not(target_arch = "x86_64"))]
const HARMLESS_HERE: &[i64] = &[];

/// Calls by which a whole program works with the files in its view. Nothing here changes a mode, an owner or a time:
/// Landlock does not watch those.
const FILES: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_mmap,
    libc::SYS_mremap,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_fadvise64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_umask,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    // It runs a file in its view, in the same cell: nothing is gained by it.
    libc::SYS_execve,
];

#[cfg(target_arch = "x86_64")]
const FILES_HERE: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const FILES_HERE: &[i64] = &[];

/// Calls by which the compiler's driver starts the compiler, the assembler and the linker, and waits for them.
const PROCESSES: &[i64] = &[libc::SYS_wait4, libc::SYS_waitid, libc::SYS_getpgid, libc::SYS_statfs, libc::SYS_fstatfs];

#[cfg(target_arch = "x86_64")]
const PROCESSES_HERE: &[i64] = &[libc::SYS_vfork, libc::SYS_fork, libc::SYS_getpgrp];
#[cfg(not(target_arch = "x86_64"))]
const PROCESSES_HERE: &[i64] = &[];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A comparison of an argument of which the kernel takes 32 bits.
fn int(argument: u8, operator: SeccompCmpOp, value: i32) -> Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, u64::from(value as u32))?)
}

/// A comparison of an argument of which the kernel takes all 64 bits.
fn long(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)?)
}

fn when(condition: SeccompCondition) -> Result<SeccompRule> {
    Ok(SeccompRule::new(vec![condition])?)
}

fn filter(rules: Rules, otherwise: SeccompAction, listed: SeccompAction) -> Result<BpfProgram> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    Ok(SeccompFilter::new(rules, otherwise, listed, architecture)?.try_into()?)
}

/// Commands of `fcntl` that concern nothing but the caller's own descriptors.
fn descriptor_commands(role: Role) -> &'static [i32] {
    match role {
        Role::Answer => &[libc::F_GETFD, libc::F_GETFL, libc::F_DUPFD_CLOEXEC],
        Role::Program | Role::Compiler => &[
            libc::F_GETFD,
            libc::F_GETFL,
            libc::F_DUPFD_CLOEXEC,
            libc::F_SETFD,
            libc::F_SETFL,
            libc::F_DUPFD,
            libc::F_GETLK,
            libc::F_SETLK,
        ],
    }
}

/// Everything that this kind of inmate may do. `channel` is the descriptor that it must not close; it may ask for
/// `memory` bytes at once, if that is not 0.
fn allowed(role: Role, channel: i32, memory: u64) -> Result<Rules> {
    use SeccompCmpOp::{Eq, Le, MaskedEq, Ne};
    let mut rules: Rules = HARMLESS.iter().chain(HARMLESS_HERE).map(|&call| (call, Vec::new())).collect();
    let commands = descriptor_commands(role).iter().map(|&command| when(int(1, Eq, command)?));
    rules.insert(libc::SYS_fcntl, commands.collect::<Result<_>>()?);
    // A process may signal itself: that is what abort and raise do.
    let itself = std::process::id() as i32;
    rules.insert(libc::SYS_tgkill, vec![when(int(0, Eq, itself)?)?]);
    rules.insert(libc::SYS_kill, vec![when(int(0, Eq, itself)?)?]);
    // So the monitor gets the listener of this very filter. Afterwards that descriptor is closed.
    rules.insert(libc::SYS_sendmsg, vec![when(int(0, Eq, SETUP)?)?]);
    if role == Role::Answer {
        rules.insert(libc::SYS_close, vec![when(int(0, Ne, channel)?)?]);
        let enough = |argument| -> Result<Vec<SeccompRule>> {
            if memory == 0 { Ok(Vec::new()) } else { Ok(vec![when(long(argument, Le, memory)?)?]) }
        };
        rules.insert(libc::SYS_mmap, enough(1)?);
        rules.insert(libc::SYS_mremap, enough(2)?);
        return Ok(rules);
    }
    rules.extend(FILES.iter().chain(FILES_HERE).map(|&call| (call, Vec::new())));
    rules.insert(libc::SYS_prlimit64, vec![when(int(0, Eq, 0)?)?]);
    if role == Role::Compiler {
        rules.extend(PROCESSES.iter().chain(PROCESSES_HERE).map(|&call| (call, Vec::new())));
        let spaces = libc::CLONE_NEWNS
            | libc::CLONE_NEWCGROUP
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUSER
            | libc::CLONE_NEWPID
            | libc::CLONE_NEWNET;
        rules.insert(libc::SYS_clone, vec![when(int(0, MaskedEq(u64::from(spaces as u32)), 0)?)?]);
    }
    Ok(rules)
}

/// Calls that fail without a word, because the C library makes them on its own account and can do without.
fn quiet(role: Role, allowed: &Rules) -> Result<Rules> {
    use SeccompCmpOp::Ne;
    let mut rules: Rules = QUIET
        .iter()
        .chain(QUIET_HERE)
        .filter(|call| !allowed.contains_key(call))
        .map(|&call| (call, Vec::new()))
        .collect();
    let others = descriptor_commands(role).iter().map(|&command| int(1, Ne, command));
    rules.insert(libc::SYS_fcntl, vec![SeccompRule::new(others.collect::<Result<_>>()?)?]);
    if role != Role::Answer {
        rules.insert(libc::SYS_prlimit64, vec![when(int(0, Ne, 0)?)?]);
    }
    Ok(rules)
}

/// The filters for an inmate that is this process, in the order in which they are to be installed. The last one is the
/// list; with [`Otherwise::Ask`] it needs a listener.
pub fn filters(role: Role, channel: i32, memory: u64, otherwise: Otherwise) -> Result<Vec<BpfProgram>> {
    // With nobody to ask, the library must still be opened, and too much memory is what the limit says.
    let alone = otherwise == Otherwise::Decide;
    let mut allowed = allowed(role, channel, if alone { 0 } else { memory })?;
    if alone {
        allowed.insert(libc::SYS_openat, Vec::new());
    }
    let refuse = |errno: i32| SeccompAction::Errno(errno as u32);
    let quiet = filter(quiet(role, &allowed)?, SeccompAction::Allow, refuse(libc::EPERM))?;
    let no_terminal = BTreeMap::from([(libc::SYS_ioctl, Vec::new())]);
    let no_terminal = filter(no_terminal, SeccompAction::Allow, refuse(libc::ENOTTY))?;
    // Its flags lie in memory, out of a filter's sight; the C library then takes `clone`.
    let old_clone =
        filter(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), SeccompAction::Allow, refuse(libc::ENOSYS))?;
    let unlisted = match (otherwise, role) {
        (Otherwise::Ask, _) => SeccompAction::Trace(ASK),
        (Otherwise::Decide, Role::Answer) => SeccompAction::KillProcess,
        (Otherwise::Decide, _) => refuse(libc::EPERM),
    };
    let mut list = filter(allowed, unlisted, SeccompAction::Allow)?;
    // The library has no name for this action.
    let trace = u32::from(SeccompAction::Trace(ASK));
    for instruction in &mut list {
        if libc::c_uint::from(instruction.code) == libc::BPF_RET && instruction.k == trace {
            instruction.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Ok(vec![quiet, no_terminal, old_clone, list])
}

/// Marks the place of the action that asks the monitor.
const ASK: u32 = 0x2048;

/// The name of a system call that a report is likely to mention, and what it is for.
pub fn deed(call: i64) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    match call {
        libc::SYS_fork | libc::SYS_vfork => return Some("start another process (fork)"),
        libc::SYS_open | libc::SYS_creat => return Some("open a file"),
        libc::SYS_unlink | libc::SYS_rename | libc::SYS_rmdir => return Some("remove or rename a file"),
        libc::SYS_mkdir => return Some("make a folder"),
        libc::SYS_dup2 => return Some("move file descriptors (dup2)"),
        libc::SYS_pipe => return Some("make a pipe"),
        libc::SYS_chmod | libc::SYS_chown | libc::SYS_lchown | libc::SYS_utime | libc::SYS_utimes => {
            return Some("change a file's mode, owner or time");
        }
        libc::SYS_link | libc::SYS_symlink | libc::SYS_mknod => return Some("make a link or a device"),
        _ => {}
    }
    Some(match call {
        libc::SYS_clone | libc::SYS_clone3 => "start another process or thread",
        libc::SYS_execve | libc::SYS_execveat => "run another program (exec)",
        libc::SYS_socket | libc::SYS_socketpair => "open a network socket",
        libc::SYS_connect | libc::SYS_bind | libc::SYS_listen | libc::SYS_sendto | libc::SYS_sendmsg => {
            "use the network"
        }
        libc::SYS_recvfrom | libc::SYS_recvmsg => "use the network",
        libc::SYS_kill | libc::SYS_tkill | libc::SYS_tgkill | libc::SYS_rt_sigqueueinfo => {
            "send a signal to another process (kill)"
        }
        libc::SYS_ptrace | libc::SYS_process_vm_readv | libc::SYS_process_vm_writev => {
            "look into another process's memory"
        }
        libc::SYS_openat | libc::SYS_openat2 => "open a file",
        libc::SYS_unlinkat | libc::SYS_renameat | libc::SYS_renameat2 => "remove or rename a file",
        libc::SYS_mkdirat => "make a folder",
        libc::SYS_fchmod | libc::SYS_fchmodat | libc::SYS_fchown | libc::SYS_fchownat | libc::SYS_utimensat => {
            "change a file's mode, owner or time"
        }
        libc::SYS_linkat | libc::SYS_symlinkat | libc::SYS_mknodat => "make a link or a device",
        libc::SYS_dup | libc::SYS_dup3 => "copy file descriptors (dup)",
        libc::SYS_pipe2 => "make a pipe",
        libc::SYS_close | libc::SYS_close_range => "close the referee's channel",
        libc::SYS_setsid | libc::SYS_setpgid => "leave its process group",
        libc::SYS_memfd_create => "make a file in memory",
        libc::SYS_shmget | libc::SYS_shmat | libc::SYS_msgget | libc::SYS_semget => {
            "share memory, messages or semaphores with other processes"
        }
        libc::SYS_unshare | libc::SYS_setns | libc::SYS_mount | libc::SYS_chroot | libc::SYS_pivot_root => {
            "make a world of its own (namespaces, mounts)"
        }
        libc::SYS_seccomp => "filter its own system calls (seccomp)",
        libc::SYS_wait4 | libc::SYS_waitid => "wait for another process",
        libc::SYS_timer_create => "set a timer",
        _ => return None,
    })
}

const QUIET: &[i64] = &[
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    libc::SYS_getcwd,
    libc::SYS_prctl,
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getparam,
    libc::SYS_setpriority,
    libc::SYS_getpriority,
    libc::SYS_mlock,
    libc::SYS_mlockall,
    libc::SYS_msync,
];

#[cfg(target_arch = "x86_64")]
const QUIET_HERE: &[i64] =
    &[libc::SYS_access, libc::SYS_readlink, libc::SYS_stat, libc::SYS_lstat, libc::SYS_getrlimit];
#[cfg(not(target_arch = "x86_64"))]
const QUIET_HERE: &[i64] = &[];
