//! The few calls of the C library that no safe crate offers, behind safe functions.

use std::ffi::{CStr, CString, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// The user and group that a cell without privileges sees itself as: `nobody`.
pub const NOBODY: u32 = 65534;

/// Which side of a fork this is.
pub enum Fork {
    Parent(i32),
    Child,
}

/// Makes a copy of this process. Only to be called while it has one thread.
pub fn fork() -> io::Result<Fork> {
    // SAFETY: cells are single-threaded when they fork, so the child may do whatever the parent might.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Fork::Child),
        pid => Ok(Fork::Parent(pid)),
    }
}

/// Waits for a child and gives its raw wait status.
pub fn wait(pid: i32) -> io::Result<i32> {
    let mut status = 0;
    loop {
        // SAFETY: `status` is a live int.
        if unsafe { libc::waitpid(pid, &mut status, 0) } >= 0 {
            return Ok(status);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Ends this process at once, without any clean-up.
pub fn exit_now(code: c_int) -> ! {
    // SAFETY: `_exit` has no precondition.
    unsafe { libc::_exit(code) }
}

/// Sends this process a signal with its default action.
pub fn die_of(signal: c_int) {
    // SAFETY: plain calls with a valid signal number.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Closes all descriptors but these.
pub fn close_all_but(kept: &[RawFd]) {
    let mut kept: Vec<u32> = kept.iter().filter_map(|&fd| u32::try_from(fd).ok()).collect();
    kept.sort_unstable();
    let mut first = 0_u32;
    for fd in kept.into_iter().chain([u32::MAX]) {
        if first < fd {
            // SAFETY: closing descriptors is memory-safe, and this process owns no object that would miss them.
            unsafe { libc::syscall(libc::SYS_close_range, first, fd - 1, 0) };
        }
        first = fd.saturating_add(1);
    }
}

/// Becomes this user, with a group of the same number and no other.
pub fn become_user(user: u32) -> io::Result<()> {
    // SAFETY: plain calls with plain numbers.
    let failed = unsafe {
        libc::setgroups(0, std::ptr::null()) != 0
            || libc::setresgid(user, user, user) != 0
            || libc::setresuid(user, user, user) != 0
    };
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Installs a filter of system calls.
pub fn install_filter(filter: &[seccompiler::sock_filter]) -> io::Result<()> {
    seccomp(filter, 0).map(|_| ())
}

/// Installs a filter that asks, and gives the descriptor on which it does.
pub fn install_listener(filter: &[seccompiler::sock_filter]) -> io::Result<OwnedFd> {
    let listener = seccomp(filter, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    // SAFETY: the kernel has just made this descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

fn seccomp(filter: &[seccompiler::sock_filter], flags: libc::c_ulong) -> io::Result<RawFd> {
    let program = libc::sock_fprog { len: filter.len() as libc::c_ushort, filter: filter.as_ptr().cast_mut().cast() };
    // SAFETY: the program is alive, and its instructions have the kernel's layout; the kernel copies them.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as RawFd) }
}

/// Whether this kernel can ask about system calls.
pub fn can_listen() -> bool {
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the argument is a live u32.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// A system call that waits for its answer.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    id: u64,
    pub process: i32,
    pub number: i64,
    pub arguments: [u64; 6],
}

/// The call that waits on a listener; `None` if its caller is gone.
pub fn waiting_call(listener: BorrowedFd<'_>) -> Option<Call> {
    // SAFETY: all-zero is a valid value of this plain struct, and what the kernel asks for.
    let mut notice: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the argument is a live struct of the type that this request fills.
    let failed = unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice) != 0 };
    let data = notice.data;
    (!failed).then_some(Call {
        id: notice.id,
        process: notice.pid as i32,
        number: i64::from(data.nr),
        arguments: data.args,
    })
}

/// Answers a call: it fails with this error, or the kernel goes on with it.
pub fn answer_call(listener: BorrowedFd<'_>, call: &Call, error: Option<i32>) {
    let flags = if error.is_some() { 0 } else { libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32 };
    let answer = libc::seccomp_notif_resp { id: call.id, val: 0, error: -error.unwrap_or(0), flags };
    // SAFETY: the argument is a live struct of the type that this request reads. A caller that is gone needs no answer.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
}

/// Reads another process's memory, as far as it is readable.
pub fn read_memory(process: i32, address: u64, room: &mut [u8]) -> usize {
    let page = rustix::param::page_size();
    let mut done = 0;
    // Page by page: the text may end before a page that is not there.
    while done < room.len() {
        let at = address.wrapping_add(done as u64) as usize;
        let size = (room.len() - done).min(page - at % page);
        let local = libc::iovec { iov_base: room[done..].as_mut_ptr().cast(), iov_len: size };
        let remote = libc::iovec { iov_base: at as *mut c_void, iov_len: size };
        // SAFETY: the local part lies within `room`; the kernel checks the remote part.
        let read = unsafe { libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0) };
        if read != size as isize {
            break;
        }
        done += size;
    }
    done
}

/// CPU time that the process has used so far, all threads together.
pub fn cpu_time(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are to live values of the right type.
    let failed =
        unsafe { libc::clock_getcpuclockid(pid, &mut clock) != 0 || libc::clock_gettime(clock, &mut time) != 0 };
    (!failed).then(|| Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32))
}

/// Loads a shared object, all its names resolved. The error is the dynamic linker's.
pub fn load(path: &CStr, global: bool) -> Result<*mut c_void, String> {
    let flags = libc::RTLD_NOW | if global { libc::RTLD_GLOBAL } else { 0 };
    // SAFETY: the path is a C string. The object's constructors run here: that is what the cell is locked up for.
    let handle = unsafe { libc::dlopen(path.as_ptr(), flags) };
    if handle.is_null() { Err(linker_error()) } else { Ok(handle) }
}

/// The address of a name in a loaded object.
pub fn symbol(handle: *mut c_void, name: &str) -> Result<*mut c_void, String> {
    let name = CString::new(name).map_err(|error| error.to_string())?;
    // SAFETY: the handle is from `load` and never closed.
    let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
    if address.is_null() { Err(linker_error()) } else { Ok(address) }
}

fn linker_error() -> String {
    // SAFETY: dlerror gives null or a C string that lives until the next call of the dl functions.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Hands everything that C's stdio holds back to the kernel.
pub fn flush_c_output() {
    // SAFETY: a null pointer means all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Makes C's standard output go out line by line, so that a crash does not swallow what was printed before it.
pub fn print_line_by_line() {
    unsafe extern "C" {
        static mut stdout: *mut libc::FILE;
    }
    // SAFETY: `stdout` is the C library's own stream and no other thread exists yet; a null buffer lets it allocate.
    unsafe { libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, 4096) };
}

/// Hands two descriptors to the command's process under the numbers `first` and `second`. Both must be above them.
pub fn hand_over(command: &mut std::process::Command, descriptors: [(RawFd, RawFd); 2]) {
    use std::os::unix::process::CommandExt;
    // SAFETY: the closure only calls dup2, which is async-signal-safe.
    unsafe {
        command.pre_exec(move || {
            for (from, to) in descriptors {
                if libc::dup2(from, to) < 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
}

/// Sets these flags (read-only, no set-uid, no devices) on a mount and all mounts below it.
pub fn restrict_mounts(place: &std::path::Path, flags: rustix::mount::MountFlags) -> io::Result<()> {
    use rustix::mount::MountFlags;
    use std::os::unix::ffi::OsStrExt;
    /// `struct mount_attr` of the kernel.
    #[repr(C)]
    struct Change {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const AT_RECURSIVE: libc::c_int = 0x8000;
    let place = CString::new(place.as_os_str().as_bytes())?;
    let names = [(MountFlags::RDONLY, 1), (MountFlags::NOSUID, 2), (MountFlags::NODEV, 4)];
    let set = names.iter().filter(|(flag, _)| flags.contains(*flag)).fold(0, |set, (_, bit)| set | bit);
    let change = Change { set, clear: 0, propagation: 0, user_namespace: 0 };
    // SAFETY: the path is a C string and the struct is alive; its size is given.
    let failed = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            place.as_ptr(),
            AT_RECURSIVE,
            &raw const change,
            size_of::<Change>(),
        ) != 0
    };
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Lets the kernel forget the children of this process as they end.
pub fn forget_children() {
    // SAFETY: a plain call with a valid signal number and no handler.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Moves a descriptor to this number, closed when another program is run.
pub fn place(descriptor: OwnedFd, number: RawFd) -> io::Result<()> {
    // SAFETY: nothing in this process owns the number: all others have been closed.
    let failed = unsafe { libc::dup3(descriptor.as_raw_fd(), number, libc::O_CLOEXEC) < 0 };
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The raw wait status of a child, if it has ended.
pub fn wait_if_ended(pid: i32) -> io::Result<Option<i32>> {
    let mut status = 0;
    // SAFETY: `status` is a live int.
    match unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Some(status)),
    }
}

/// Waits until any child has ended. An error if there is none.
pub fn wait_for_anybody() -> io::Result<()> {
    wait(-1).map(|_| ())
}

/// Closes a descriptor by its number.
pub fn close(number: RawFd) {
    // SAFETY: closing is memory-safe, and no object in this process owns the number.
    unsafe { libc::close(number) };
}

/// The version of Landlock in this kernel, if it has it and uses it.
pub fn landlock_version() -> Option<i64> {
    const VERSION: libc::c_int = 1;
    // SAFETY: with this flag the call takes no struct and only gives a number.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<c_void>(), 0_usize, VERSION) };
    (version > 0).then_some(version)
}
