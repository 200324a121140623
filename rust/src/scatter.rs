//! The partition: rows of both classes in parts that are in the order of their keys.

use crate::amounts::Weight;
use crate::bins::{ScoreBins, SliceParts};
use crate::keys::{Bits, FrameOf, Key, Score};
use crate::memory;
use crate::rows::{self, BLOCK, Chunk};
use crate::slices::SliceFacts;
use crate::workers::{Worker, Workers};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A row of a part.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Row<B, W> {
    pub word: B,
    pub weight: W,
}

// SAFETY: words and weights are numbers, or nothing.
unsafe impl<B: Bits, W: Weight> memory::Zeroed for Row<B, W> {}

pub type RowOf<K, W> = Row<<K as Key>::Word, W>;

/// Rows in parts. A part has pages of positives and pages of negatives, both in any order.
///
/// Pages need no histogram, which took a fifth of the time: a row is read once.
pub struct Parts<R> {
    rows: Vec<R>,
    /// Where each page starts, and how many rows it has; by part, positives first.
    pages: Vec<(usize, usize)>,
    /// The first page of each class of each part, and the end of all.
    starts: Vec<usize>,
    /// The slices of each part.
    pub codes: Vec<Range<u32>>,
}

impl<R> Parts<R> {
    /// The pages of one class of a part; class 0 is the positives.
    pub fn pages(&self, part: usize, class: usize) -> impl Iterator<Item = &[R]> + Clone {
        let pages = self.starts[2 * part + class]..self.starts[2 * part + class + 1];
        self.pages[pages].iter().map(|&(start, rows)| &self.rows[start..start + rows])
    }

    /// How many rows one class of a part has.
    pub fn count(&self, part: usize, class: usize) -> usize {
        self.pages(part, class).map(<[R]>::len).sum()
    }
}

/// About how many rows a part has: it is finished in the cache.
const PART: usize = 15_000;
const MOST_PARTS: usize = 2_000; // more would not be written at one time without misses
const PAGE: usize = 512; // rows
const SHARE: usize = 1 << 16; // rows that a thread takes at a time

/// The rows in parts; None where there is no memory, or the call was interrupted.
pub fn partition<K: Key, W: Weight>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    workers: &Workers,
) -> Option<Parts<RowOf<K, W>>> {
    let count = rows::count(chunks);
    let size = PART.max(count / MOST_PARTS);
    let scores = ScoreBins::new(chunks, count / size);
    let slices = if K::SLICED {
        SliceParts::new(&facts.rows, scores.count, size)
    } else {
        SliceParts::one(scores.count)
    };
    let plan = Plan::<K> { scores, slices, frame: facts.frame, last: facts.rows.len() as u32 - 1 };
    let classes = 2 * plan.slices.codes.len();
    let most = count.div_ceil(PAGE) + classes * workers.threads;
    let target = Target::new(memory::zeroed(most * PAGE)?);
    let next = AtomicUsize::new(0); // share
    let found = workers.run(|worker| {
        let mut writer = Writer { target: &target, ends: vec![0; classes], owners: Vec::new() };
        while worker.goes_on() {
            let start = next.fetch_add(SHARE, Ordering::Relaxed);
            if start >= count {
                break;
            }
            plan.scatter(chunks, start..(start + SHARE).min(count), &mut writer, worker);
        }
        (writer.ends, writer.owners)
    });
    if workers.stopped() {
        return None;
    }
    let (pages, starts) = in_order(&found, classes);
    Some(Parts { rows: target.rows, pages, starts, codes: plan.slices.codes })
}

/// The pages of all threads by class of a part, and the first of each.
fn in_order(found: &[(Vec<usize>, Owners)], classes: usize) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut starts = vec![0; classes + 1];
    for (_, owners) in found {
        for &(class, _) in owners {
            starts[class as usize + 1] += 1;
        }
    }
    for class in 0..classes {
        starts[class + 1] += starts[class];
    }
    let mut next = starts.clone();
    let mut pages = vec![(0, 0); starts[classes]];
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

/// The class of a part that each page belongs to.
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

/// What one thread writes: where the next row of each class of a part goes.
///
/// At a multiple of PAGE there is no room, and a page must be taken.
struct Writer<'a, R> {
    target: &'a Target<R>,
    ends: Vec<usize>,
    owners: Owners,
}

impl<R> Writer<'_, R> {
    #[inline(always)]
    fn place(&mut self, class: usize) -> usize {
        let mut place = self.ends[class];
        if place.is_multiple_of(PAGE) {
            place = self.take_page(class);
        }
        self.ends[class] = place + 1;
        place
    }

    #[cold]
    fn take_page(&mut self, class: usize) -> usize {
        let page = self.target.taken.fetch_add(1, Ordering::Relaxed);
        assert!((page + 1) * PAGE <= self.target.rows.len(), "more pages than rows need");
        self.owners.push((class as u32, page));
        page * PAGE
    }
}

/// Where rows go.
struct Plan<K: Key> {
    scores: ScoreBins<<K::Score as Score>::Bits>,
    slices: SliceParts,
    frame: FrameOf<K>,
    last: u32, // code
}

impl<K: Key> Plan<K> {
    fn scatter<W: Weight>(
        &self,
        chunks: &[Chunk<K::Score, W>],
        range: Range<usize>,
        writer: &mut Writer<RowOf<K, W>>,
        worker: &mut Worker,
    ) {
        let (mut codes, mut places) = ([0; BLOCK], [0; BLOCK]);
        let mut words = [K::Word::default(); BLOCK];
        for (chunk, rows) in rows::blocks(chunks, range) {
            if K::SLICED {
                chunk.codes.read(rows.clone(), self.last, &mut codes);
            }
            // First where each row goes, then the rows: the lines to write are fetched meanwhile.
            let (scores, positive) = (&chunk.scores[rows.clone()], &chunk.positive[rows.clone()]);
            let stage = words.iter_mut().zip(&mut places).zip(&codes);
            for ((score, positive), ((word, place), &code)) in
                scores.iter().zip(positive).zip(stage)
            {
                let bits = score.bits();
                let mut part = self.scores.bin(bits);
                if K::SLICED {
                    part = self.slices.part(code, part);
                }
                *word = K::word(&self.frame, code, bits);
                *place = writer.place(2 * part as usize + (*positive == 0) as usize);
                prefetch(writer.target.start.wrapping_add(*place));
            }
            let staged = words.iter().zip(&chunk.weights[rows]).zip(&places);
            for ((&word, &weight), &place) in staged {
                // SAFETY: `place` is on a page that this thread took, which `take_page` found to be
                // within the buffer.
                unsafe { writer.target.start.add(place).write(Row { word, weight }) };
            }
            if !worker.goes_on() {
                break;
            }
        }
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
