//! The inmate of a cell that answers: loads the submission, has a guest ask it, and says what went wrong.
//!
//! The submission shares this address space and may overwrite anything here. All it can gain is to choose its own
//! answers, which is what it is for: whoever judges them is in another process. State that must survive a
//! `longjmp` of the submission is in statics, not in local variables.

use std::ffi::{CStr, c_int, c_void};
use std::fmt::Write;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result};

use super::descriptors::{CHANNEL, borrowed};
use super::isolation::Level;
use super::message::{self, Order};
use super::{policy, sys};

static CHANNEL_NOW: AtomicI32 = AtomicI32::new(CHANNEL);
static COOKIE: AtomicU64 = AtomicU64::new(0);
static NUMBER: AtomicU32 = AtomicU32::new(0);
static STACK_LOW: AtomicUsize = AtomicUsize::new(0);
static MEMORY: AtomicU64 = AtomicU64::new(0);

/// Who calls the submission's function: what the questions and answers mean is its business alone.
pub trait Guest {
    /// Answers a question in `room` and gives the answer's length; `None` if the question makes no sense.
    ///
    /// No state of the call may lie on the heap.
    fn answer(&self, question: &[u8], room: &mut [u8]) -> Option<usize>;
}

/// Makes the guest for the function at this address. The number is one that the submission does not know.
pub type Seat<G> = fn(*mut c_void, u64) -> Result<G>;

/// Makes ready to report what goes wrong, from the loading of the submission on.
pub fn prepare(order: &Order) {
    COOKIE.store(order.cookie, Relaxed);
    MEMORY.store(order.limits.memory, Relaxed);
    remember_stack();
    sys::print_line_by_line();
    install_handlers();
}

/// Loads the submission and answers questions until the guard has enough.
pub fn answer<G: Guest>(order: &Order, library: &CStr, function: &str, seat: Seat<G>) -> Result<()> {
    let loaded = sys::load(library, false).and_then(|handle| sys::symbol(handle, function));
    let address = match loaded {
        Ok(address) => address,
        Err(complaint) => {
            report(message::LOAD_FAILED, &complaint);
            sys::exit_now(0);
        }
    };
    let guest = seat(address, order.cookie)?;
    hide_channel(order.cookie)?;
    install_handlers();
    if order.level >= Level::L2 {
        let filter = policy::while_playing(CHANNEL_NOW.load(Relaxed), order.limits.memory)?;
        seccompiler::apply_filter(&filter).context("seccomp")?;
    }
    send(&message::ready(order.cookie));
    loop {
        answer_one(&guest);
    }
}

fn channel() -> std::os::fd::BorrowedFd<'static> {
    borrowed(CHANNEL_NOW.load(Relaxed))
}

/// Ends in a way that the guard knows: the submission has closed the channel, so nothing can be said through it.
fn lose_channel() -> ! {
    sys::die_of(message::CHANNEL_LOST);
    sys::exit_now(0)
}

fn send(packet: &[u8]) {
    if rustix::io::write(channel(), packet).is_err() {
        lose_channel();
    }
}

#[inline(never)]
fn answer_one<G: Guest>(guest: &G) {
    let mut request = [0; message::MAX_PACKET];
    let size = match rustix::io::read(channel(), &mut request) {
        Ok(size) => size,
        Err(_) => lose_channel(),
    };
    let Some((number, question)) = message::question(&request[..size]) else { sys::exit_now(0) };
    NUMBER.store(number, Relaxed);
    // SAFETY: errno is this thread's own; it tells later whether an allocation failed during the call.
    unsafe { *libc::__errno_location() = 0 };
    // Nothing of this is on the heap: a `longjmp` of the submission may come back here from a later question.
    let mut answer = [0; message::MAX_PACKET - message::HEADER];
    let Some(size) = guest.answer(question, &mut answer) else { sys::exit_now(0) };
    sys::flush_c_output();
    let mut packet = Packet::new(message::ANSWER);
    packet.push(&answer[..size.min(answer.len())]);
    send(&packet.bytes[..packet.len]);
}

/// Moves the channel to a number that the submission would have to search for.
fn hide_channel(cookie: u64) -> Result<()> {
    let number = 100 + (cookie >> 40) as i32 % 800;
    let copy = rustix::io::fcntl_dupfd_cloexec(channel(), number)?;
    CHANNEL_NOW.store(std::os::fd::IntoRawFd::into_raw_fd(copy), Relaxed);
    sys::close_all_but(&[0, 1, 2, CHANNEL_NOW.load(Relaxed)]);
    Ok(())
}

fn remember_stack() {
    let here = 0_u8;
    let size = rustix::process::getrlimit(rustix::process::Resource::Stack).current.unwrap_or(1 << 40);
    STACK_LOW.store((&raw const here as usize).saturating_sub(size as usize), Relaxed);
}

/// A text on the stack: signal handlers must not allocate.
struct Packet {
    bytes: [u8; message::MAX_PACKET],
    len: usize,
}

impl Packet {
    fn new(kind: u32) -> Self {
        let header = message::header_bytes(COOKIE.load(Relaxed), NUMBER.load(Relaxed), kind);
        let mut bytes = [0; message::MAX_PACKET];
        bytes[..header.len()].copy_from_slice(&header);
        Self { bytes, len: header.len() }
    }

    /// Adds these bytes, as far as there is room.
    fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.len < self.bytes.len() {
                self.bytes[self.len] = byte;
                self.len += 1;
            }
        }
    }

    fn send(&self) {
        let _ = rustix::io::write(channel(), &self.bytes[..self.len]);
    }
}

impl Write for Packet {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

fn report(kind: u32, text: &str) {
    let mut packet = Packet::new(kind);
    let _ = packet.write_str(text);
    packet.send();
}

type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

fn install_handlers() {
    /// Room for the handlers when the stack itself is used up.
    const SPARE: usize = 64 * 1024;
    let spare = Box::leak(vec![0_u8; SPARE].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: spare.as_mut_ptr().cast(), ss_flags: 0, ss_size: SPARE };
    // SAFETY: the stack is leaked, so it lives as long as the process.
    unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    let deadly = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP];
    for signal in deadly {
        set_handler(signal, on_crash);
    }
    set_handler(libc::SIGSYS, on_forbidden_call);
}

fn set_handler(signal: c_int, handler: Handler) {
    // SAFETY: an all-zero sigaction is valid, and the handler has the signature that SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        libc::sigaction(signal, &action, ptr::null_mut());
    }
}

extern "C" fn on_crash(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands valid pointers to a SA_SIGINFO handler; errno is this thread's own.
    let (address, code, errno) = unsafe { ((*info).si_addr() as usize, (*info).si_code, *libc::__errno_location()) };
    let low = STACK_LOW.load(Relaxed);
    let pointer = registers::stack_pointer(context);
    const MARGIN: usize = 256 * 1024;
    let near_end = |place: usize| place.wrapping_sub(low.saturating_sub(MARGIN)) < 2 * MARGIN;
    // A large local array puts the stack pointer far below the stack at once.
    let below = pointer < low && low - pointer < 1 << 32;
    let stack = signal == libc::SIGSEGV && code > 0 && (near_end(address) || near_end(pointer) || below);
    let mut packet = Packet::new(message::CRASH);
    let _ = write!(packet, "{signal} {} {} {address}", u8::from(stack), u8::from(errno == libc::ENOMEM));
    packet.send();
    // SAFETY: back to the default action; then the fault repeats, or the signal is sent again, and the process dies.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        if code <= 0 {
            libc::raise(signal);
        }
    }
}

/// Where the kernel keeps the number of a refused system call in `siginfo_t`.
const CALL_OFFSET: usize = 24;

extern "C" fn on_forbidden_call(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: for a SIGSYS of seccomp these bytes of `siginfo_t` hold the number of the system call.
    let call = i64::from(unsafe { info.cast::<u8>().add(CALL_OFFSET).cast::<i32>().read_unaligned() });
    let argument = |index| registers::argument(context, index);
    if call == libc::SYS_openat || is_plain_open(call) {
        let shift = usize::from(call == libc::SYS_openat);
        // SAFETY: if the submission passed a bad pointer, this faults in its stead, and the fault is reported.
        let path = unsafe { CStr::from_ptr(argument(shift) as *const libc::c_char) }.to_bytes();
        let writes = argument(shift + 1) as i32 & (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) != 0;
        if !writes && is_looked_up_by_the_c_library(path) {
            registers::set_result(context, -i64::from(libc::ENOENT));
            return;
        }
        let mut packet = Packet::new(message::VIOLATION);
        let _ = packet.write_str(if writes { "it tried to write the file " } else { "it tried to read the file " });
        for &byte in path.iter().take(200) {
            let _ = packet.write_char(if (b' '..=b'~').contains(&byte) { byte as char } else { '?' });
        }
        packet.send();
    } else if call == libc::SYS_mmap || call == libc::SYS_mremap {
        let size = argument(if call == libc::SYS_mmap { 1 } else { 2 });
        let mut packet = Packet::new(message::MEMORY);
        let (size, limit) = (size as f64 / 1e9, MEMORY.load(Relaxed) as f64 / 1e9);
        let _ = write!(packet, "it asked for {size:.1} GB at once; the limit is {limit:.1} GB");
        packet.send();
    } else if policy::is_refused_quietly(call) {
        registers::set_result(context, -i64::from(if call == libc::SYS_ioctl { libc::ENOTTY } else { libc::EPERM }));
        return;
    } else {
        let mut packet = Packet::new(message::VIOLATION);
        let _ = match what(call, &argument) {
            Some(deed) => write!(packet, "it tried to {deed}"),
            None => write!(packet, "it made the forbidden system call number {call}"),
        };
        packet.send();
    }
    sys::exit_now(0);
}

fn what(call: i64, argument: &impl Fn(usize) -> u64) -> Option<&'static str> {
    if call == libc::SYS_clone || call == libc::SYS_clone3 {
        let flags = match call {
            // SAFETY: as above: a bad pointer faults in the submission's stead.
            libc::SYS_clone3 => unsafe { (argument(0) as *const u64).read_unaligned() },
            _ => argument(0),
        };
        let thread = flags & libc::CLONE_THREAD as u64 != 0;
        return Some(if thread { "start a thread" } else { "start another process (fork)" });
    }
    policy::deed(call)
}

#[cfg(target_arch = "x86_64")]
fn is_plain_open(call: i64) -> bool {
    call == libc::SYS_open
}

#[cfg(not(target_arch = "x86_64"))]
fn is_plain_open(_: i64) -> bool {
    false
}

/// Files that functions like `localtime` and `setlocale` look for, and can do without.
fn is_looked_up_by_the_c_library(path: &[u8]) -> bool {
    let places: [&[u8]; 7] = [
        b"/etc/localtime",
        b"/usr/share/zoneinfo/",
        b"/usr/lib/locale/",
        b"/usr/share/locale/",
        b"/usr/lib/x86_64-linux-gnu/gconv/",
        b"/sys/devices/system/cpu",
        b"/proc/sys/vm/overcommit_memory",
    ];
    places.iter().any(|place| path.starts_with(place))
}

/// The registers of an interrupted program.
#[cfg(target_arch = "x86_64")]
mod registers {
    use std::ffi::c_void;

    fn all(context: *mut c_void) -> *mut [i64; 23] {
        // SAFETY: the third argument of a SA_SIGINFO handler is a ucontext_t.
        unsafe { (&raw mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs).cast() }
    }

    pub fn argument(context: *mut c_void, index: usize) -> u64 {
        let order = [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX, libc::REG_R10, libc::REG_R8, libc::REG_R9];
        // SAFETY: see `all`.
        unsafe { (*all(context))[order[index] as usize] as u64 }
    }

    pub fn stack_pointer(context: *mut c_void) -> usize {
        // SAFETY: see `all`.
        unsafe { (*all(context))[libc::REG_RSP as usize] as usize }
    }

    pub fn set_result(context: *mut c_void, value: i64) {
        // SAFETY: see `all`.
        unsafe { (*all(context))[libc::REG_RAX as usize] = value };
    }
}

/// The registers of an interrupted program.
#[cfg(target_arch = "aarch64")]
mod registers {
    use std::ffi::c_void;

    fn all(context: *mut c_void) -> *mut libc::mcontext_t {
        // SAFETY: the third argument of a SA_SIGINFO handler is a ucontext_t.
        unsafe { &raw mut (*context.cast::<libc::ucontext_t>()).uc_mcontext }
    }

    pub fn argument(context: *mut c_void, index: usize) -> u64 {
        // SAFETY: see `all`.
        unsafe { (*all(context)).regs[index] }
    }

    pub fn stack_pointer(context: *mut c_void) -> usize {
        // SAFETY: see `all`.
        unsafe { (*all(context)).sp as usize }
    }

    pub fn set_result(context: *mut c_void, value: i64) {
        // SAFETY: see `all`.
        unsafe { (*all(context)).regs[0] = value as u64 };
    }
}
