//! The partition: rows of both classes in parts that are in the order of their keys.

use crate::amounts::Weight;
use crate::bins::{ScoreBins, SliceBins};
use crate::keys::{Bits, FrameOf, Key, Score};
use crate::memory;
use crate::rows::{self, BLOCK, Chunk};
use crate::slices::SliceFacts;
use crate::workers::{Worker, Workers};
use std::ops::Range;

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
type Bins<K> = ScoreBins<<<K as Key>::Score as Score>::Bits>;

/// Rows in parts: of each part the positives, then the negatives, both in any order.
pub struct Parts<R> {
    pub rows: Vec<R>,
    /// Where the positives and the negatives of each part start, and the end of all.
    pub starts: Vec<usize>,
    /// The slices of each part.
    pub codes: Vec<Range<u32>>,
}

/// About how many rows a part has: it is finished in the cache.
const PART: usize = 15_000;
const MOST_PARTS: usize = 2_000; // more would not be written at one time without misses
const BINS_A_PART: usize = 8;

struct Plan<'a, K: Key> {
    scores: &'a Bins<K>,
    slices: &'a SliceBins,
    frame: FrameOf<K>,
    last: u32, // code
}

impl<K: Key> Plan<'_, K> {
    /// The bin of each row of a block, twice, plus one for a positive row; and its word.
    #[inline(always)]
    fn read<W: Weight>(
        &self,
        chunk: &Chunk<K::Score, W>,
        rows: Range<usize>,
        codes: &mut [u32; BLOCK],
        mut each: impl FnMut(usize, K::Word, usize),
    ) {
        if K::SLICED {
            chunk.codes.read(rows.clone(), self.last, codes);
        }
        let (scores, positive) = (&chunk.scores[rows.clone()], &chunk.positive[rows]);
        for (place, (score, positive)) in scores.iter().zip(positive).enumerate() {
            let bits = score.bits();
            let mut bin = self.scores.bin(bits);
            let code = if K::SLICED { codes[place % BLOCK] } else { 0 };
            if K::SLICED {
                bin = self.slices.bin(code, bin);
            }
            each(
                place,
                K::word(&self.frame, code, bits),
                2 * bin as usize + (*positive == 0) as usize,
            );
        }
    }
}

/// The rows in parts; None where there is no memory, or the call was interrupted.
pub fn partition<K: Key, W: Weight>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    workers: &Workers,
) -> Option<Parts<RowOf<K, W>>> {
    let count = rows::count(chunks);
    let slices = facts.rows.len();
    let size = PART.max(count / MOST_PARTS);
    let goal = if count <= 2 * PART { 1 } else { BINS_A_PART * count / size };
    let scores: Bins<K> = ScoreBins::new(chunks, goal);
    let of_slices = SliceBins::new(&facts.rows, scores.count, size / BINS_A_PART);
    let plan = Plan::<K> {
        scores: &scores,
        slices: &of_slices,
        frame: facts.frame,
        last: slices as u32 - 1,
    };
    let shares = |number| rows::share(count, number, workers.threads);
    let histograms = workers.run(|worker| histogram(&plan, chunks, shares(worker.number), worker));
    let (of_bin, sizes) = parts_of_bins(&histograms, size);
    let (starts, mut cursors) = offsets(&histograms, &of_bin, sizes);
    let rows = memory::zeroed::<RowOf<K, W>>(count)?;
    let target = Target(rows.as_ptr() as *mut RowOf<K, W>, count);
    // A cursor for each thread, taken by that thread alone.
    let taken: Vec<_> = cursors.drain(..).map(std::sync::Mutex::new).collect();
    workers.run(|worker| {
        let mut mine =
            std::mem::take(&mut *taken[worker.number].lock().unwrap_or_else(|e| e.into_inner()));
        scatter(&plan, chunks, shares(worker.number), worker, &of_bin, &mut mine, &target);
    });
    if workers.stopped() {
        return None;
    }
    let codes = codes_of_parts(&of_bin, &of_slices, starts.len() / 2);
    Some(Parts { rows, starts, codes })
}

/// How many rows each bin and class has.
fn histogram<K: Key, W: Weight>(
    plan: &Plan<K>,
    chunks: &[Chunk<K::Score, W>],
    range: Range<usize>,
    worker: &mut Worker,
) -> Vec<u32> {
    let bins = if K::SLICED { plan.slices.count() } else { plan.scores.count as usize };
    let mut found = vec![0u32; 2 * bins];
    let mut codes = [0; BLOCK];
    for (chunk, rows) in rows::blocks(chunks, range) {
        plan.read(chunk, rows, &mut codes, |_, _, bin| found[bin] += 1);
        if !worker.goes_on() {
            break;
        }
    }
    found
}

/// The part of each bin, and how many rows of both classes each part has.
fn parts_of_bins(histograms: &[Vec<u32>], size: usize) -> (Vec<u16>, Vec<[usize; 2]>) {
    let mut sizes = vec![[0; 2]];
    let bins = histograms[0].len() / 2;
    let of_bin = (0..bins).map(|bin| {
        let both = [0, 1].map(|class| {
            histograms.iter().map(|found| found[2 * bin + class] as usize).sum::<usize>()
        });
        let mut last = sizes.len() - 1;
        let now: usize = sizes[last].iter().sum();
        if now > 0 && now + both[0] + both[1] > size && last < u16::MAX as usize {
            sizes.push([0; 2]);
            last += 1;
        }
        sizes[last][0] += both[0];
        sizes[last][1] += both[1];
        last as u16
    });
    (of_bin.collect(), sizes)
}

/// Where each part and class starts, and where each thread writes its rows of it.
fn offsets(
    histograms: &[Vec<u32>],
    of_bin: &[u16],
    sizes: Vec<[usize; 2]>,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut starts = Vec::with_capacity(2 * sizes.len() + 1);
    let mut at = 0;
    for size in sizes.iter().flatten() {
        starts.push(at);
        at += size;
    }
    starts.push(at);
    let mut next = starts.clone();
    let cursors = histograms.iter().map(|found| {
        let mine = next.clone();
        for (bin, &part) in of_bin.iter().enumerate() {
            for class in [0, 1] {
                next[2 * part as usize + class] += found[2 * bin + class] as usize;
            }
        }
        mine
    });
    let cursors = cursors.collect();
    (starts, cursors)
}

/// The slices of each part: from that of its first bin to that of its last.
fn codes_of_parts(of_bin: &[u16], slices: &SliceBins, parts: usize) -> Vec<Range<u32>> {
    let mut found = vec![0..0; parts];
    if slices.count() != of_bin.len() {
        found.fill(0..1);
        return found;
    }
    for (bin, &part) in of_bin.iter().enumerate() {
        let (code, range) = (slices.code(bin), &mut found[part as usize]);
        *range = if range.end == 0 { code..code + 1 } else { range.start..code + 1 };
    }
    found
}

/// The buffer that all threads write to, and its length.
struct Target<R>(*mut R, usize);

// SAFETY: each thread writes to places of its own: see `scatter`.
unsafe impl<R: Send> Sync for Target<R> {}

fn scatter<K: Key, W: Weight>(
    plan: &Plan<K>,
    chunks: &[Chunk<K::Score, W>],
    range: Range<usize>,
    worker: &mut Worker,
    of_bin: &[u16],
    cursor: &mut [usize],
    target: &Target<RowOf<K, W>>,
) {
    let (mut codes, mut places) = ([0; BLOCK], [0; BLOCK]);
    let mut words = [K::Word::default(); BLOCK];
    for (chunk, rows) in rows::blocks(chunks, range) {
        let length = rows.len();
        // First where each row goes, then the rows: the lines to write are fetched meanwhile.
        plan.read(chunk, rows.clone(), &mut codes, |place, word, bin| {
            let next = &mut cursor[2 * of_bin[bin / 2] as usize + bin % 2];
            let to = (*next).min(target.1 - 1);
            *next += 1;
            prefetch(target.0.wrapping_add(to));
            places[place % BLOCK] = to;
            words[place % BLOCK] = word;
        });
        let rows = words.iter().zip(&chunk.weights[rows]).zip(&places[..length]);
        for ((&word, &weight), &to) in rows {
            // SAFETY: `to` is below the length of the buffer, for it was limited to that. Threads
            // write to different places, for each counted its rows before: only another thread of
            // Python that changes the columns meanwhile could make two of them meet, and then the
            // rows are plain numbers still.
            unsafe { target.0.add(to).write(Row { word, weight }) };
        }
        if !worker.goes_on() {
            break;
        }
    }
}

#[inline(always)]
fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is no access, only a hint.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
