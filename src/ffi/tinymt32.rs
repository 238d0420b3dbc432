//! The functions of the authors' `tinymt32.h`, under their own names.
//!
//! `include/tinymt32.h` declares them by hand, in the reference's words, so that it can stand in for the reference's
//! header. A null state is left alone and draws 0.

use std::ffi::c_int;

use super::memory;
use crate::tinymt32::TinyMt32;

/// Lets `change` work on the caller's generator; `missing` if there is none.
///
/// # Safety
/// A pointer that is not null must be valid for reads and writes of one generator.
unsafe fn with<T>(random: *mut TinyMt32, missing: T, change: impl FnOnce(&mut TinyMt32) -> T) -> T {
    // SAFETY: the same promise.
    let Some(mut state) = (unsafe { memory::read(random) }) else {
        return missing;
    };
    let result = change(&mut state);
    // SAFETY: the same promise.
    unsafe { memory::write(random, state) };
    result
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_init(random: *mut TinyMt32, seed: u32) {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, (), |state| state.init(seed)) }
}

/// A null array or a negative length counts as no keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_init_by_array(random: *mut TinyMt32, init_key: *const u32, key_length: c_int) {
    let length = if init_key.is_null() { 0 } else { usize::try_from(key_length).unwrap_or(0) };
    // SAFETY: the array holds `length` keys by the caller's promise, and `init_by` asks for no others.
    let key = |index| unsafe { init_key.add(index).read_unaligned() };
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, (), |state| state.init_by(length, key)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_next_state(random: *mut TinyMt32) {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, (), TinyMt32::next_state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_temper(random: *mut TinyMt32) -> u32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::read(random) }.map_or(0, |state| state.temper())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_temper_conv(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::read(random) }.map_or(0.0, |state| state.temper_f32_1_2())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_temper_conv_open(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { memory::read(random) }.map_or(0.0, |state| state.temper_f32_open())
}

#[unsafe(no_mangle)]
pub extern "C" fn tinymt32_get_mexp(_random: *mut TinyMt32) -> c_int {
    127
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_uint32(random: *mut TinyMt32) -> u32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0, TinyMt32::generate_u32) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_float(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f32) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_float12(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f32_1_2) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_float01(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f32_0_1) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_floatOC(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f32_open_closed) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_floatOO(random: *mut TinyMt32) -> f32 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f32_open_open) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tinymt32_generate_32double(random: *mut TinyMt32) -> f64 {
    // SAFETY: the caller keeps the rule of this module.
    unsafe { with(random, 0.0, TinyMt32::generate_f64) }
}
