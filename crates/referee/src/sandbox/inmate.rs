//! The inmate of a cell that answers: loads the submission, has a guest ask it, and says what went wrong.
//!
//! The submission shares this address space and may overwrite anything here. All it can gain is to choose its own
//! answers, which is what it is for: whoever judges them is in another process. State that must survive a
//! `longjmp` of the submission is in statics, not in local variables.

use std::ffi::{CString, c_int, c_void};
use std::fmt::Write;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use anyhow::Result;

use super::descriptors::{CHANNEL, borrowed};
use super::message::{self, Order};
use super::report::retry;
use super::sys;

static CHANNEL_NOW: AtomicI32 = AtomicI32::new(CHANNEL);
static COOKIE: AtomicU64 = AtomicU64::new(0);
static NUMBER: AtomicU32 = AtomicU32::new(0);
static STACK_LOW: AtomicUsize = AtomicUsize::new(0);

/// Who calls the submission's function: what the questions and answers mean is its business alone.
pub trait Guest {
    /// Answers a question in `room` and gives the answer's length; `None` if the question makes no sense.
    ///
    /// No state of the call may lie on the heap.
    fn answer(&self, question: &[u8], room: &mut [u8]) -> Option<usize>;
}

/// Makes the guest for the function at this address. The number is one that the submission does not know.
pub type Seat<G> = fn(*mut c_void, u64) -> Result<G>;

/// Makes ready to report what goes wrong, from the loading of the submission on. Gives the channel's number: one that
/// the submission would have to search for.
pub fn prepare(order: &Order) -> Result<i32> {
    COOKIE.store(order.cookie, Relaxed);
    let number = 100 + (order.cookie >> 40) as i32 % 800;
    let copy = rustix::io::fcntl_dupfd_cloexec(channel(), number)?;
    let number = std::os::fd::IntoRawFd::into_raw_fd(copy);
    sys::close(CHANNEL_NOW.swap(number, Relaxed));
    remember_stack();
    sys::print_line_by_line();
    install_handlers();
    Ok(number)
}

/// Loads the submission and answers questions until the guard has enough.
pub fn answer<G: Guest>(library: &Library, function: &str, seat: Seat<G>) -> Result<()> {
    send(&message::header_bytes(COOKIE.load(Relaxed), 0, message::LOADING));
    let loaded = sys::load(&library.path, false).and_then(|handle| sys::symbol(handle, function));
    let address = match loaded {
        Ok(address) => address,
        Err(complaint) => {
            report(message::LOAD_FAILED, &complaint);
            sys::exit_now(0);
        }
    };
    if let Some(number) = library.descriptor {
        sys::close(number);
    }
    let guest = seat(address, COOKIE.load(Relaxed))?;
    install_handlers();
    send(&message::ready(COOKIE.load(Relaxed)));
    loop {
        answer_one(&guest);
    }
}

/// Where the submission's shared object is.
pub struct Library {
    pub path: CString,
    /// The descriptor that holds it, if it is in memory.
    pub descriptor: Option<i32>,
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
    if retry(|| rustix::io::write(channel(), packet)).is_err() {
        lose_channel();
    }
}

#[inline(never)]
fn answer_one<G: Guest>(guest: &G) {
    let mut request = [0; message::MAX_PACKET];
    // A timer of the submission's may go off while it is not even being asked.
    let size = match retry(|| rustix::io::read(channel(), &mut request)) {
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
        let _ = retry(|| rustix::io::write(channel(), &self.bytes[..self.len]));
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

/// The registers of an interrupted program.
#[cfg(target_arch = "x86_64")]
mod registers {
    use std::ffi::c_void;

    fn all(context: *mut c_void) -> *mut [i64; 23] {
        // SAFETY: the third argument of a SA_SIGINFO handler is a ucontext_t.
        unsafe { (&raw mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs).cast() }
    }

    pub fn stack_pointer(context: *mut c_void) -> usize {
        // SAFETY: see `all`.
        unsafe { (*all(context))[libc::REG_RSP as usize] as usize }
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

    pub fn stack_pointer(context: *mut c_void) -> usize {
        // SAFETY: see `all`.
        unsafe { (*all(context)).sp as usize }
    }
}
