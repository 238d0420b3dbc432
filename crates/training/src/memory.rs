//! Memory for numbers that threads read and write without locks.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use anyhow::{Context, Result};
use estr2048_toolbox::output::tell;
use memmap2::MmapMut;

/// Memory that is zero at first, in huge pages where the system has them.
#[derive(Debug)]
pub struct Memory(MmapMut);

impl Memory {
    /// So many bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn zero(bytes: usize) -> Result<Self> {
        let memory = Self::in_small_pages(bytes)?;
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.0.advise(memmap2::Advice::HugePage) {
            tell(format_args!("no huge pages ({error}): training is slower"));
        }
        Ok(memory)
    }

    /// The same in pages of the usual size, of which those that nobody writes to take no memory.
    ///
    /// # Errors
    /// If there are not so many bytes.
    pub fn in_small_pages(bytes: usize) -> Result<Self> {
        Ok(Self(MmapMut::map_anon(bytes).context("no memory for the weights")?))
    }

    /// All of it.
    #[inline]
    pub fn cells(&self) -> &[AtomicU32] {
        let len = self.0.len() / size_of::<AtomicU32>();
        // SAFETY: the mapping is page-aligned, zeroed (a valid `AtomicU32`), holds `len` of them, lives as long as
        // `self`, and is never reached in any other way. Atomics may be shared.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), len) }
    }
}

/// The number in a cell.
#[inline]
pub fn load(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

/// Puts a number into a cell.
#[inline]
pub fn store(cell: &AtomicU32, value: f32) {
    cell.store(value.to_bits(), Relaxed);
}

/// Asks for memory that will be read soon.
#[inline(always)]
pub fn prefetch<T>(cell: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program sees, and every x86-64 processor has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cell;
}
