//! Which system calls an inmate may make.

use std::collections::BTreeMap;

use anyhow::Result;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

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

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn equals(argument: u8, value: u64) -> Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, value)?)
}

fn filter(rules: Rules, otherwise: SeccompAction, listed: SeccompAction) -> Result<BpfProgram> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    Ok(SeccompFilter::new(rules, otherwise, listed, architecture)?.try_into()?)
}

/// The policy while the submission is being loaded, and the outer one afterwards: the dynamic linker may open files,
/// of which Landlock has left none.
pub fn while_loading() -> Result<BpfProgram> {
    let itself = u64::from(std::process::id());
    let mut rules: Rules = HARMLESS.iter().chain(HARMLESS_HERE).map(|&call| (call, Vec::new())).collect();
    let for_the_cell = [libc::SYS_seccomp, libc::SYS_close_range];
    let for_the_linker = [libc::SYS_openat, libc::SYS_close, libc::SYS_mmap, libc::SYS_mremap, libc::SYS_rt_sigaction];
    for call in for_the_cell.into_iter().chain(for_the_linker) {
        rules.insert(call, Vec::new());
    }
    rules.insert(
        libc::SYS_prctl,
        vec![
            SeccompRule::new(vec![equals(0, libc::PR_SET_SECCOMP as u64)?])?,
            SeccompRule::new(vec![equals(0, libc::PR_SET_NO_NEW_PRIVS as u64)?])?,
        ],
    );
    rules.insert(
        libc::SYS_fcntl,
        vec![
            SeccompRule::new(vec![equals(1, libc::F_GETFD as u64)?])?,
            SeccompRule::new(vec![equals(1, libc::F_GETFL as u64)?])?,
            SeccompRule::new(vec![equals(1, libc::F_DUPFD_CLOEXEC as u64)?])?,
        ],
    );
    // A process may signal itself: that is what abort and raise do.
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![equals(0, itself)?])?]);
    rules.insert(libc::SYS_kill, vec![SeccompRule::new(vec![equals(0, itself)?])?]);
    filter(rules, SeccompAction::Trap, SeccompAction::Allow)
}

/// What is forbidden on top once the submission is loaded: opening files, closing the referee's channel, catching the
/// signal by which this policy speaks, and asking at once for more than `memory` bytes, if that is not 0.
pub fn while_playing(channel: i32, memory: u64) -> Result<BpfProgram> {
    let mut rules = Rules::new();
    for call in [libc::SYS_openat, libc::SYS_seccomp, libc::SYS_close_range] {
        rules.insert(call, Vec::new());
    }
    rules.insert(libc::SYS_close, vec![SeccompRule::new(vec![equals(0, channel as u64)?])?]);
    rules.insert(libc::SYS_rt_sigaction, vec![SeccompRule::new(vec![equals(0, libc::SIGSYS as u64)?])?]);
    let too_much = |argument| -> Result<Vec<SeccompRule>> {
        let size = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Gt, memory)?;
        Ok(vec![SeccompRule::new(vec![size])?])
    };
    if memory > 0 {
        rules.insert(libc::SYS_mmap, too_much(1)?);
        rules.insert(libc::SYS_mremap, too_much(2)?);
    }
    filter(rules, SeccompAction::Allow, SeccompAction::Trap)
}

/// The policy for whole programs (the compiler, a student's basic part): everything that a compiler or a textbook
/// program does, but no network, no other processes' memory, no new rights.
pub fn for_programs() -> Result<BpfProgram> {
    let forbidden = [
        libc::SYS_socket,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_setsid,
    ];
    let rules = forbidden.into_iter().map(|call| (call, Vec::new())).collect();
    filter(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))
}

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
        libc::SYS_dup | libc::SYS_dup3 => "copy file descriptors (dup)",
        libc::SYS_pipe2 => "make a pipe",
        libc::SYS_close | libc::SYS_close_range => "close the referee's channel",
        libc::SYS_setsid | libc::SYS_setpgid => "leave its process group",
        libc::SYS_memfd_create => "make a file in memory",
        libc::SYS_wait4 | libc::SYS_waitid => "wait for another process",
        libc::SYS_timer_create => "set a timer",
        _ => return None,
    })
}

/// Calls that the C library makes on its own account: refused, but no offence.
pub fn is_refused_quietly(call: i64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if matches!(call, libc::SYS_access | libc::SYS_readlink | libc::SYS_stat | libc::SYS_lstat | libc::SYS_getrlimit) {
        return true;
    }
    matches!(
        call,
        libc::SYS_faccessat
            | libc::SYS_faccessat2
            | libc::SYS_readlinkat
            | libc::SYS_statx
            | libc::SYS_getcwd
            | libc::SYS_ioctl
            | libc::SYS_fcntl
            | libc::SYS_prctl
            | libc::SYS_prlimit64
            | libc::SYS_sched_setaffinity
            | libc::SYS_sched_setscheduler
            | libc::SYS_setpriority
            | libc::SYS_getpriority
            | libc::SYS_mlock
            | libc::SYS_mlockall
            | libc::SYS_msync
            | libc::SYS_rt_sigaction
    )
}
