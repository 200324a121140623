//! Parts of about equally many rows, by slice and score, chosen with a sample of the scores.

use crate::amounts::Weight;
use crate::keys::{Bits, Score};
use crate::memory::{Grow, filled, gathered, room};
use crate::rows::{self, Chunk};
use std::ops::Range;

const SAMPLE: usize = 1 << 14;
const CELLS: u32 = 11; // bits: 2048 cells of 8 bytes stay in the first cache

/// Every how many rows one is looked at.
pub fn sample_step(count: usize) -> usize {
    (count / SAMPLE).max(1)
}

#[derive(Clone, Copy)]
struct Cell {
    first: u32,
    shift: u32,
}

/// Bins by score, about equally full: equally wide cells, cut into bins or put together.
///
/// The bits of floats are spread unevenly: between -0.001 and 0.001 lies most of their range.
pub struct ScoreBins<B> {
    least: B,
    span: B,
    shift: u32,
    cells: Vec<Cell>,
    pub count: u32,
}

impl<B: Bits> ScoreBins<B> {
    /// About `goal` bins; scores beyond those of the sample fall into the outer ones.
    pub fn new<S: Score<Bits = B>, W: Weight>(chunks: &[Chunk<S, W>], goal: usize) -> Self {
        let step = sample_step(rows::count(chunks));
        let scores = chunks.iter().flat_map(|chunk| chunk.scores.iter().step_by(step));
        ScoreBins::of(|| gathered(scores.map(|score| score.bits())), goal)
    }

    /// The same of any whole numbers: a sample of them, which one bin does not need.
    pub fn of(sample: impl FnOnce() -> Vec<B>, goal: usize) -> Self {
        let (least, span) = (B::default(), B::default());
        let mut bins =
            ScoreBins { least, span, shift: 0, cells: vec![Cell { first: 0, shift: 0 }], count: 1 };
        if goal < 2 {
            return bins;
        }
        let sample = sample();
        bins.least = sample.iter().copied().min().unwrap_or_default();
        bins.span = sample.iter().copied().max().unwrap_or_default().minus(bins.least);
        bins.shift = bins.span.width().saturating_sub(CELLS);
        let mut sampled = filled(0, bins.span.right(bins.shift).index() + 1);
        for bits in &sample {
            sampled[bits.minus(bins.least).right(bins.shift).index()] += 1;
        }
        bins.cut(&sampled, (sample.len() / goal).max(1));
        bins
    }

    /// Bins of at most `few` rows of the sample; sampled: how many each cell has.
    fn cut(&mut self, sampled: &[usize], few: usize) {
        self.cells.clear();
        let (mut next, mut filled) = (0, 0); // the bin that cells are put into, and its rows
        for &found in sampled {
            let cut = found.div_ceil(few).max(1).next_power_of_two().ilog2().min(self.shift);
            if filled > 0 && (cut > 0 || filled + found > few) {
                (next, filled) = (next + 1, 0);
            }
            self.cells.put(Cell { first: next, shift: self.shift - cut });
            filled += found;
            if cut > 0 {
                (next, filled) = (next + (1 << cut), 0);
            }
        }
        self.count = if filled > 0 { next + 1 } else { next.max(1) };
    }

    #[inline(always)]
    pub fn bin(&self, bits: B) -> u32 {
        let above = bits.minus(self.least).min(self.span);
        let cell = self.cells[above.right(self.shift).index()];
        cell.first + above.low(self.shift).right(cell.shift).index() as u32
    }
}

/// Parts by slice: one of several slices, or several of a slice with many rows.
pub struct SliceParts {
    /// The first part of each slice, and how many bits of the score's bin are dropped.
    slices: Vec<(u32, u32)>,
    /// The slices of each part.
    pub codes: Vec<Range<u32>>,
}

impl SliceParts {
    /// The parts of one slice: its bins.
    pub fn one(bins: u32) -> Self {
        SliceParts { slices: vec![(0, 0)], codes: filled(0..1, bins as usize) }
    }

    /// rows: how many each slice has; few: how many a part may well have
    pub fn new(rows: &[u64], bins: u32, few: usize) -> Self {
        let bits = u32::BITS - (bins - 1).leading_zeros();
        let mut codes = Vec::from([Range::<u32>::default()]);
        let (mut slices, mut filled) = (room(rows.len()), 0);
        for (code, &rows) in rows.iter().enumerate() {
            let (code, rows) = (code as u32, rows as usize);
            let wanted = rows.div_ceil(few).max(1).next_power_of_two().ilog2();
            let dropped = bits.saturating_sub(wanted);
            let parts = ((bins - 1) >> dropped) + 1;
            if filled > 0 && (parts > 1 || filled + rows > few) {
                codes.put(code..code);
                filled = 0;
            }
            let last = codes.len() - 1;
            slices.put((last as u32, dropped));
            codes[last].end = code + 1;
            filled += rows;
            if parts > 1 {
                codes.grow_to(last + parts as usize, code..code + 1);
                filled = few; // the next slice starts a part of its own
            }
        }
        SliceParts { slices, codes }
    }

    #[inline(always)]
    pub fn part(&self, code: u32, bin: u32) -> u32 {
        let (first, dropped) = self.slices[code as usize];
        first + (bin >> dropped)
    }
}
