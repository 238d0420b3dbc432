//! The inmate of a playing cell: loads the submission, answers boards, and says what went wrong.
//!
//! The submission shares this address space and may overwrite anything here. All it can gain is to choose its own
//! moves, which is what it is for: rules, random numbers and clock are in another process. State that must survive a
//! `longjmp` of the submission is in statics, not in local variables.

use std::ffi::{CStr, c_int, c_void};
use std::fmt::Write;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};

use super::cell::{self, CHANNEL};
use super::isolation::Level;
use super::message::{self, Order, Request};
use super::{policy, sys};

static CHANNEL_NOW: AtomicI32 = AtomicI32::new(CHANNEL);
static COOKIE: AtomicU64 = AtomicU64::new(0);
static NUMBER: AtomicU32 = AtomicU32::new(0);
static STACK_LOW: AtomicUsize = AtomicUsize::new(0);
static MEMORY: AtomicU64 = AtomicU64::new(0);

/// Ints in the page that the board lies in, and the index of the board's first cell.
const PAGE_INTS: usize = 1024;
const BOARD_AT: usize = 480;

type Function = unsafe extern "C" fn(*mut [c_int; 4]) -> c_int;

/// Makes ready to report what goes wrong, from the loading of the submission on.
pub fn prepare(order: &Order) {
    COOKIE.store(order.cookie, Relaxed);
    MEMORY.store(order.limits.memory, Relaxed);
    remember_stack();
    sys::print_line_by_line();
    install_handlers();
}

/// Loads the submission and answers boards until the referee has enough.
pub fn play(order: &Order, library: &CStr, function: &str) -> Result<()> {
    let loaded = sys::load(library, false).and_then(|handle| sys::symbol(handle, function));
    let address = match loaded {
        Ok(address) => address,
        Err(complaint) => {
            report(message::LOAD_FAILED, &complaint);
            sys::exit_now(0);
        }
    };
    // SAFETY: the referee has checked the declaration; a lie here only harms this process.
    let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address) };
    let page = BoardPage::new(order.cookie)?;
    hide_channel(order.cookie)?;
    install_handlers();
    if order.level >= Level::L2 {
        let filter = policy::while_playing(CHANNEL_NOW.load(Relaxed), order.limits.memory)?;
        seccompiler::apply_filter(&filter).context("seccomp")?;
    }
    send(&message::ready(order.cookie));
    loop {
        answer_one(function, &page);
    }
}

fn channel() -> std::os::fd::BorrowedFd<'static> {
    cell::borrowed(CHANNEL_NOW.load(Relaxed))
}

/// Ends in a way that the referee knows: the submission has closed the channel, so nothing can be said through it.
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
fn answer_one(function: Function, page: &BoardPage) {
    let mut bytes = [0; Request::SIZE];
    match rustix::io::read(channel(), &mut bytes) {
        Ok(Request::SIZE) => {}
        Ok(_) => sys::exit_now(0),
        Err(_) => lose_channel(),
    }
    let request = Request::from_bytes(&bytes);
    NUMBER.store(request.number, Relaxed);
    let board = page.prepare(&request.board);
    // SAFETY: errno is this thread's own; it tells later whether an allocation failed during the call.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: `board` points to 16 ints inside a page of this process's own.
    let value = unsafe { function(board) };
    sys::flush_c_output();
    let (modified, outside) = page.compare(&request.board);
    send(&message::answer(COOKIE.load(Relaxed), NUMBER.load(Relaxed), value, modified, outside));
}

/// A page with the board in the middle, a pattern around it, and no memory before and after it.
struct BoardPage {
    ints: *mut c_int,
    pattern: Vec<c_int>,
}

impl BoardPage {
    fn new(cookie: u64) -> Result<Self> {
        let page = rustix::param::page_size();
        // SAFETY: a fresh private mapping; its first and last page are then closed again.
        let ints = unsafe {
            let start = rustix::mm::mmap_anonymous(ptr::null_mut(), 3 * page, ProtFlags::empty(), MapFlags::PRIVATE)?;
            let middle = start.cast::<u8>().add(page);
            rustix::mm::mprotect(middle.cast(), page, MprotectFlags::READ | MprotectFlags::WRITE)?;
            middle.cast::<c_int>()
        };
        let mut word = cookie | 1;
        let pattern = (0..PAGE_INTS).map(|_| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Odd and negative: no tile looks like this.
            ((word >> 33) as c_int) | c_int::MIN | 1
        });
        let page = Self { ints, pattern: pattern.collect() };
        page.refill();
        Ok(page)
    }

    fn refill(&self) {
        // SAFETY: the page holds PAGE_INTS ints, as many as the pattern.
        unsafe { ptr::copy_nonoverlapping(self.pattern.as_ptr(), self.ints, PAGE_INTS) };
    }

    fn prepare(&self, board: &[c_int; 16]) -> *mut [c_int; 4] {
        // SAFETY: the 16 ints from BOARD_AT on lie inside the page.
        unsafe {
            let place = self.ints.add(BOARD_AT);
            ptr::copy_nonoverlapping(board.as_ptr(), place, board.len());
            place.cast()
        }
    }

    /// Whether the board changed, and where the first change outside is, counted from the board's first cell.
    fn compare(&self, board: &[c_int; 16]) -> (bool, Option<i32>) {
        // SAFETY: the page holds PAGE_INTS ints, and nothing writes to it while this slice lives.
        let now = unsafe { std::slice::from_raw_parts(self.ints, PAGE_INTS) };
        let (before, rest) = now.split_at(BOARD_AT);
        let (middle, after) = rest.split_at(board.len());
        let modified = middle != board;
        let intact = before == &self.pattern[..BOARD_AT] && after == &self.pattern[BOARD_AT + board.len()..];
        if intact {
            return (modified, None);
        }
        // The change nearest to the board is the one that a student can make sense of.
        let changed = |&at: &usize| !(BOARD_AT..BOARD_AT + 16).contains(&at) && now[at] != self.pattern[at];
        let first = (0..PAGE_INTS).filter(changed).min_by_key(|&at| at.abs_diff(BOARD_AT + 8));
        self.refill();
        (modified, first.map(|at| at as i32 - BOARD_AT as i32))
    }
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

    fn send(&self) {
        let _ = rustix::io::write(channel(), &self.bytes[..self.len]);
    }
}

impl Write for Packet {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for &byte in text.as_bytes() {
            if self.len < self.bytes.len() {
                self.bytes[self.len] = byte;
                self.len += 1;
            }
        }
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
