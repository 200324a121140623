//! The partition: rows of both classes in parts that are in the order of their keys.

use crate::amounts::Weight;
use crate::keys::{Bits, FrameOf, Key, Score};
use crate::memory;
use crate::partition::bins::{ScoreBins, SliceParts};
use crate::partition::pages::{Pages, Writer, prefetch_block};
use crate::partition::slices::SliceFacts;
use crate::rows::{self, BLOCK, Chunk};
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

/// Rows in parts. A part has pages of positives and pages of negatives, both in any order.
pub struct Parts<R> {
    pages: Pages<R>,
    /// The slices of each part.
    pub codes: Vec<Range<u32>>,
}

impl<R: memory::Zeroed + Send> Parts<R> {
    /// The pages of one class of a part; class 0 is the positives.
    pub fn pages(&self, part: usize, class: usize) -> impl Iterator<Item = &[R]> + Clone {
        self.pages.of(2 * part + class)
    }

    /// How many rows one class of a part has.
    pub fn count(&self, part: usize, class: usize) -> usize {
        self.pages(part, class).map(<[R]>::len).sum()
    }
}

/// About how many rows a part has: it is finished in the cache.
const PART: usize = 15_000;
const MOST_PARTS: usize = 2_000; // more would not be written at one time without misses

/// About how many rows a part of so many has, where `few` are enough.
pub fn part_size(count: usize, few: usize) -> usize {
    few.max(count / MOST_PARTS)
}

/// About how many rows each part of so many has; one where most scores are the same has more.
pub fn usual_part(count: usize) -> usize {
    part_size(count, PART)
}

/// The rows in parts; None where there is no memory, or the call was interrupted.
pub fn partition<K: Key, W: Weight>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    workers: &Workers,
) -> Option<Parts<RowOf<K, W>>> {
    let count = rows::count(chunks);
    let size = usual_part(count);
    let scores = ScoreBins::new(chunks, count / size);
    let slices = if K::SLICED {
        SliceParts::new(&facts.rows, scores.count, size)
    } else {
        SliceParts::one(scores.count)
    };
    let plan = Plan::<K> { scores, slices, frame: facts.frame, last: facts.rows.len() as u32 - 1 };
    let classes = 2 * plan.slices.codes.len();
    let pages = Pages::fill(count, classes, workers, |range, writer, worker| {
        plan.scatter(chunks, range, writer, worker);
    })?;
    Some(Parts { pages, codes: plan.slices.codes })
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
            if !K::SLICED {
                // The next block comes while this one is written: 2 to 5 %, not so with slices.
                prefetch_block(scores);
                prefetch_block(&chunk.weights[rows.clone()]);
            }
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
            }
            let staged = words.iter().zip(&chunk.weights[rows]).zip(&places);
            for ((&word, &weight), &place) in staged {
                // SAFETY: the writer gave this place for this row.
                unsafe { writer.write(place, Row { word, weight }) };
            }
            if !worker.goes_on() {
                break;
            }
        }
    }
}
