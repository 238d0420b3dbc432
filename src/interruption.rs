//! Short pieces of work that neither a signal nor a fork can cut in two.
//!
//! C programs leave a slow call by `siglongjmp` out of a signal handler, and fork while other threads are at work. What
//! all threads share must outlive both: a lock that is held at such a moment would be held for ever.

use std::cell::UnsafeCell;

// The feature `stdio` brings the C library.
#[cfg(all(unix, feature = "stdio"))]
mod system {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Gate(UnsafeCell<libc::pthread_mutex_t>);

    // SAFETY: a mutex of the C library is there to be used by all threads.
    unsafe impl Sync for Gate {}

    static GATE: Gate = Gate(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));

    extern "C" fn lock() {
        // SAFETY: the mutex is initialised, and no thread that holds it asks for it again.
        unsafe { libc::pthread_mutex_lock(GATE.0.get()) };
    }

    extern "C" fn unlock() {
        // SAFETY: this thread, or the one that it was forked from, holds the mutex.
        unsafe { libc::pthread_mutex_unlock(GATE.0.get()) };
    }

    /// Forks from now on wait until nobody is behind the gate.
    fn watch_forks() {
        static WATCHED: AtomicBool = AtomicBool::new(false);
        if !WATCHED.swap(true, Ordering::Relaxed) {
            // SAFETY: the three functions are safe to call around a fork. Without memory for them forks are not watched.
            unsafe { libc::pthread_atfork(Some(lock), Some(unlock), Some(unlock)) };
        }
    }

    /// Signals are held back and other threads kept out as long as this lives.
    pub struct Shield {
        before: MaybeUninit<libc::sigset_t>,
    }

    impl Shield {
        pub fn new() -> Self {
            watch_forks();
            let mut all = MaybeUninit::uninit();
            let mut before = MaybeUninit::uninit();
            // SAFETY: both sets are written before they are read, `before` by pthread_sigmask, which cannot fail here.
            unsafe {
                libc::sigfillset(all.as_mut_ptr());
                libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            }
            lock();
            Self { before }
        }
    }

    impl Drop for Shield {
        fn drop(&mut self) {
            unlock();
            // SAFETY: `before` was written in `new`.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, self.before.as_ptr(), null_mut()) };
        }
    }
}

#[cfg(not(all(unix, feature = "stdio")))]
mod system {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    pub struct Shield {
        _gate: MutexGuard<'static, ()>,
    }

    impl Shield {
        pub fn new() -> Self {
            static GATE: Mutex<()> = Mutex::new(());
            Self { _gate: GATE.lock().unwrap_or_else(PoisonError::into_inner) }
        }
    }
}

/// What all threads share, and what is changed in short pieces of work alone.
#[derive(Debug)]
pub struct Shielded<T>(UnsafeCell<T>);

// SAFETY: the value is reached by one thread at a time, behind the gate.
unsafe impl<T: Send> Sync for Shielded<T> {}

impl<T> Shielded<T> {
    /// A value that threads may share.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Does a short piece of work on the value. Signals wait until it is done, and so does the like work of other threads,
    /// on this value or another. It must not ask for another shielded value.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let _shield = system::Shield::new();
        // SAFETY: there is one shield at a time, and this work asks for no other.
        work(unsafe { &mut *self.0.get() })
    }
}

/// A thread of a process. A fork of it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    process: u32,
    thread: usize,
}

impl Caller {
    /// The thread that asks.
    #[must_use]
    pub fn here() -> Self {
        thread_local! {
            static PLACE: u8 = const { 0 };
        }
        Self { process: std::process::id(), thread: PLACE.with(|place| std::ptr::from_ref(place).addr()) }
    }

    /// Whether this caller may still be at work: it belongs to this process, and is not the one that asks.
    #[must_use]
    pub fn may_be_at_work(self) -> bool {
        let here = Self::here();
        self.process == here.process && self.thread != here.thread
    }
}
