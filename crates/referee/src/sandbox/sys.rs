//! The few calls of the C library that no safe crate offers, behind safe functions.

use std::ffi::{CStr, CString, c_int, c_void};
use std::io;
use std::os::fd::RawFd;
use std::time::Duration;

/// The user and group that a privileged referee gives its cells: `nobody`.
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

/// Becomes `nobody`, if this process is privileged. True if it was.
pub fn drop_root() -> io::Result<bool> {
    // SAFETY: plain calls with plain numbers.
    let failed = unsafe {
        if libc::geteuid() != 0 {
            return Ok(false);
        }
        libc::setgroups(0, std::ptr::null()) != 0
            || libc::setresgid(NOBODY, NOBODY, NOBODY) != 0
            || libc::setresuid(NOBODY, NOBODY, NOBODY) != 0
    };
    if failed { Err(io::Error::last_os_error()) } else { Ok(true) }
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

/// Gives a file to `nobody`, if this process is privileged.
pub fn give_away(path: &std::path::Path) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(())
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
