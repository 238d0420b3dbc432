//! `java.util.Random` for C.

use std::ffi::c_int;

use super::codes::{ESTR_BAD_BOUND, ESTR_NULL_POINTER};
use super::memory;
use crate::java_random::JavaRandom;

/// A java.util.Random: its 48-bit state. Call estr_java_random_init before anything else; a copy goes on by itself.
#[repr(C)]
pub struct EstrJavaRandom {
    /// The state, in the low 48 bits.
    pub state: u64,
}

/// Lets `draw` step the caller's generator; `missing` if there is none.
///
/// # Safety
/// A pointer that is not null must be valid for reads and writes of one generator.
unsafe fn with<T>(random: *mut EstrJavaRandom, missing: T, draw: impl FnOnce(&mut JavaRandom) -> T) -> T {
    // SAFETY: the same promise.
    let Some(EstrJavaRandom { state }) = (unsafe { memory::read(random) }) else {
        return missing;
    };
    let mut generator = JavaRandom::from_state(state);
    let result = draw(&mut generator);
    // SAFETY: the same promise.
    unsafe { memory::write(random, EstrJavaRandom { state: generator.state() }) };
    result
}

/// Seeds a generator like Java's new Random(seed).
///
/// random: the generator to seed; NULL is left alone.
/// seed: any number; its low 48 bits count.
///
/// Returns nothing.
/// Errors: none.
/// Threads: safe from any thread; no two calls on the same generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_java_random_init(random: *mut EstrJavaRandom, seed: i64) {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::write(random, EstrJavaRandom { state: JavaRandom::new(seed).state() }) };
}

/// Java's nextInt().
///
/// random: a generator that estr_java_random_init has seeded.
///
/// Returns any of the 2^32 ints.
/// Errors: 0 if `random` is NULL.
/// Threads: safe from any thread; no two calls on the same generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_java_random_next_int(random: *mut EstrJavaRandom) -> i32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0, JavaRandom::next_int) }
}

/// Java's nextInt(bound): a number from 0 to bound - 1.
///
/// random: a generator that estr_java_random_init has seeded.
/// bound: at least 1.
///
/// Returns the number.
/// Errors: ESTR_BAD_BOUND (nothing is drawn; Java throws), ESTR_NULL_POINTER.
/// Threads: safe from any thread; no two calls on the same generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_java_random_next_int_below(random: *mut EstrJavaRandom, bound: i32) -> c_int {
    let draw = |random: &mut JavaRandom| random.next_int_below(bound).unwrap_or(ESTR_BAD_BOUND);
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, ESTR_NULL_POINTER, draw) }
}

/// Java's nextLong().
///
/// random: a generator that estr_java_random_init has seeded.
///
/// Returns a 64-bit number; not every one can come, because the state has 48 bits.
/// Errors: 0 if `random` is NULL.
/// Threads: safe from any thread; no two calls on the same generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_java_random_next_long(random: *mut EstrJavaRandom) -> i64 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0, JavaRandom::next_long) }
}

/// Java's nextDouble().
///
/// random: a generator that estr_java_random_init has seeded.
///
/// Returns a number from 0.0 up to, but never, 1.0.
/// Errors: 0.0 if `random` is NULL.
/// Threads: safe from any thread; no two calls on the same generator at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn estr_java_random_next_double(random: *mut EstrJavaRandom) -> f64 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, JavaRandom::next_double) }
}
