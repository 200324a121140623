//! Rows of many classes, written by several threads into pages, each of one class.
//!
//! Pages need no histogram, which took a fifth of the time: a row is read once.

use crate::memory::{self, Grow, Zeroed, filled, gathered};
use crate::workers::{Worker, Workers};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

const PAGE: usize = 512; // rows
const SHARE: usize = 1 << 16; // rows that a thread takes at a time

/// Rows by class, in any order within one.
pub struct Pages<R> {
    rows: Vec<R>,
    /// Where each page starts, and how many rows it has; by class.
    pages: Vec<(usize, usize)>,
    /// The first page of each class, and the end of all.
    starts: Vec<usize>,
}

impl<R: Zeroed + Send> Pages<R> {
    /// Pages of so many rows: `scatter` writes those of a range. None where there is no memory, or
    /// the call was interrupted.
    pub fn fill(
        count: usize,
        classes: usize,
        workers: &Workers,
        scatter: impl Fn(Range<usize>, &mut Writer<R>, &mut Worker) + Sync,
    ) -> Option<Self> {
        let most = count.div_ceil(PAGE) + classes * workers.threads;
        let target = Target::new(memory::zeroed(most * PAGE)?);
        let next = AtomicUsize::new(0); // share
        let found = workers.run(|worker| {
            let mut writer =
                Writer { target: &target, ends: filled(0, classes), owners: Vec::new() };
            while worker.goes_on() {
                let start = next.fetch_add(SHARE, Ordering::Relaxed);
                if start >= count {
                    break;
                }
                scatter(start..(start + SHARE).min(count), &mut writer, worker);
            }
            (writer.ends, writer.owners)
        });
        if workers.stopped() {
            return None;
        }
        let (pages, starts) = in_order(&found, classes);
        Some(Pages { rows: target.rows, pages, starts })
    }

    /// The pages of one class.
    pub fn of(&self, class: usize) -> impl Iterator<Item = &[R]> + Clone {
        let pages = self.starts[class]..self.starts[class + 1];
        self.pages[pages].iter().map(|&(start, rows)| &self.rows[start..start + rows])
    }
}

/// The pages of all threads by class, and the first of each.
fn in_order(found: &[(Vec<usize>, Owners)], classes: usize) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut starts = filled(0, classes + 1);
    for (_, owners) in found {
        for &(class, _) in owners {
            starts[class as usize + 1] += 1;
        }
    }
    for class in 0..classes {
        starts[class + 1] += starts[class];
    }
    let mut next = gathered(starts.iter().copied());
    let mut pages = filled((0, 0), starts[classes]);
    for (ends, owners) in found {
        for &(class, page) in owners {
            let (start, end) = (page * PAGE, ends[class as usize]);
            // The last page of a class ends where its next row would go; others are full.
            let rows = if (end.max(1) - 1) / PAGE == page { end - start } else { PAGE };
            pages[next[class as usize]] = (start, rows);
            next[class as usize] += 1;
        }
    }
    (pages, starts)
}

/// The class that each page belongs to.
type Owners = Vec<(u32, usize)>;

/// Pages that threads take one after another.
struct Target<R> {
    rows: Vec<R>,
    start: *mut R,
    taken: AtomicUsize,
}

// SAFETY: a page is written by the thread that took it, and read after all have ended.
unsafe impl<R: Send> Sync for Target<R> {}

impl<R> Target<R> {
    fn new(mut rows: Vec<R>) -> Self {
        let start = rows.as_mut_ptr();
        Target { rows, start, taken: AtomicUsize::new(0) }
    }
}

/// What one thread writes: where the next row of each class goes.
///
/// At a multiple of PAGE there is no room, and a page must be taken.
pub struct Writer<'a, R> {
    target: &'a Target<R>,
    ends: Vec<usize>,
    owners: Owners,
}

impl<R> Writer<'_, R> {
    /// The place of the next row of a class; its line of memory is fetched.
    #[inline(always)]
    pub fn place(&mut self, class: usize) -> usize {
        let mut place = self.ends[class];
        if place.is_multiple_of(PAGE) {
            place = self.take_page(class);
        }
        self.ends[class] = place + 1;
        prefetch(self.target.start.wrapping_add(place));
        place
    }

    #[cold]
    fn take_page(&mut self, class: usize) -> usize {
        let page = self.target.taken.fetch_add(1, Ordering::Relaxed);
        assert!((page + 1) * PAGE <= self.target.rows.len(), "more pages than rows need");
        self.owners.put((class as u32, page));
        page * PAGE
    }

    /// Writes a row.
    ///
    /// # Safety
    /// `place` is one that this writer gave.
    #[inline(always)]
    pub unsafe fn write(&mut self, place: usize, row: R) {
        // SAFETY: the place is on a page that this thread took, which `take_page` found to be
        // within the buffer.
        unsafe { self.target.start.add(place).write(row) };
    }
}

/// Asks for a line of memory that will soon be used.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is no access, only a hint.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for what a column has after a block of its rows.
#[inline(always)]
pub fn prefetch_block<T>(block: &[T]) {
    const LINE: usize = 64; // bytes
    for byte in (0..size_of_val(block)).step_by(LINE) {
        prefetch((block.as_ptr_range().end as *const u8).wrapping_add(byte));
    }
}
