//! Memory that grows with the rows: asked for with care, large buffers in huge pages where the system
//! has them.
//!
//! Where there is none, std's own vectors end the process. These functions end the call instead: they
//! unwind to the binding, which raises MemoryError. Not every function between hands a failure on.

use std::alloc::{Layout, alloc_zeroed};
use std::collections::TryReserveError;

/// What a call ends with where there is no memory.
#[derive(Debug)]
pub struct NoMemory;

/// Ends the call. Nothing is written, as it would be of a panic.
#[cold]
pub fn give_up() -> ! {
    std::panic::resume_unwind(Box::new(NoMemory))
}

/// An empty vector with room for so many.
pub fn room<T>(capacity: usize) -> Vec<T> {
    let mut made = Vec::new();
    check(made.try_reserve_exact(capacity));
    made
}

/// So many times the same; `zeroed` is faster for large columns of zeros.
pub fn filled<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut made = room(length);
    made.resize(length, value);
    made
}

/// A copy of some numbers.
pub fn copied<T: Copy>(values: &[T]) -> Vec<T> {
    let mut made = room(values.len());
    made.extend_from_slice(values);
    made
}

/// All that is yielded.
pub fn gathered<T>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut made = Vec::new();
    made.put_all(values);
    made
}

/// How vectors grow.
pub trait Grow<T> {
    /// Room for so many more.
    fn make_room(&mut self, more: usize);
    fn put(&mut self, value: T);
    fn put_all(&mut self, values: impl IntoIterator<Item = T>);
    fn put_slice(&mut self, values: &[T])
    where
        T: Clone;
    fn grow_to(&mut self, length: usize, value: T)
    where
        T: Clone;
}

impl<T> Grow<T> for Vec<T> {
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        check(self.try_reserve(more));
    }

    #[inline(always)]
    fn put(&mut self, value: T) {
        if self.len() == self.capacity() {
            one_more(self);
        }
        self.push(value);
    }

    #[inline(always)]
    fn put_all(&mut self, values: impl IntoIterator<Item = T>) {
        let values = values.into_iter();
        let (least, most) = values.size_hint();
        self.make_room(least);
        if most == Some(least) {
            self.extend(values);
        } else {
            values.for_each(|value| self.put(value));
        }
    }

    #[inline(always)]
    fn put_slice(&mut self, values: &[T])
    where
        T: Clone,
    {
        self.make_room(values.len());
        self.extend_from_slice(values);
    }

    #[inline(always)]
    fn grow_to(&mut self, length: usize, value: T)
    where
        T: Clone,
    {
        self.make_room(length.saturating_sub(self.len()));
        self.resize(length, value);
    }
}

#[cold]
fn one_more<T>(vector: &mut Vec<T>) {
    vector.make_room(1);
}

#[inline(always)]
fn check(made: Result<(), TryReserveError>) {
    if made.is_err() {
        give_up();
    }
}

/// Whether so many bytes are to be had now.
pub fn has_room(bytes: usize) -> bool {
    let mut asked = Vec::<u8>::new();
    let made = asked.try_reserve_exact(bytes);
    std::hint::black_box(asked); // a compiler may leave out what nobody looks at
    made.is_ok()
}

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
    end: usize,
}

impl Lines {
    /// None where there is no memory.
    pub fn zeroed(length: usize) -> Option<Lines> {
        const LINE: usize = 64; // bytes
        let words: Vec<u64> = zeroed(length.checked_add(LINE / size_of::<u64>())?)?;
        let first = words.as_ptr().align_offset(LINE).min(words.len() - length);
        Some(Lines { words, first, end: first + length })
    }
}

impl std::ops::Deref for Lines {
    type Target = [u64];
    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.words[self.first..self.end]
    }
}

impl std::ops::DerefMut for Lines {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.first..self.end]
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
