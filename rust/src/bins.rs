//! Bins of about equally many rows, by slice and score, found with a sample.

use crate::amounts::Weight;
use crate::keys::{Bits, Score};
use crate::rows::{self, Chunk};

const SAMPLE: usize = 1 << 14;
const CELLS: u32 = 11; // bits: 2048 cells of 8 bytes stay in the first cache

#[derive(Clone, Copy)]
struct Cell {
    first: u32,
    shift: u32,
}

/// Bins by score: equally wide cells, each cut into as many bins as the sample asks for.
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
    /// About `goal` bins of all rows; scores beyond those of the sample fall into the outer bins.
    pub fn new<S: Score<Bits = B>, W: Weight>(chunks: &[Chunk<S, W>], goal: usize) -> Self {
        let step = (rows::count(chunks) / SAMPLE).max(1);
        let sample: Vec<B> = chunks
            .iter()
            .flat_map(|chunk| chunk.scores.iter().step_by(step))
            .map(|score| score.bits())
            .collect();
        let least = sample.iter().copied().min().unwrap_or_default();
        let span = sample.iter().copied().max().unwrap_or_default().minus(least);
        let shift = span.width().saturating_sub(CELLS);
        let mut sampled = vec![0usize; span.right(shift).index() + 1];
        for bits in &sample {
            sampled[bits.minus(least).right(shift).index()] += 1;
        }
        let mut count = 0;
        let cells = sampled.iter().map(|&found| {
            let bins = (found * goal).div_ceil(sample.len().max(1)).next_power_of_two().max(1);
            let bits = bins.ilog2().min(shift);
            let cell = Cell { first: count, shift: shift - bits };
            count += 1 << bits;
            cell
        });
        ScoreBins { least, span, shift, cells: cells.collect(), count }
    }

    #[inline(always)]
    pub fn bin(&self, bits: B) -> u32 {
        let above = bits.minus(self.least).min(self.span);
        let cell = self.cells[above.right(self.shift).index()];
        cell.first + above.low(self.shift).right(cell.shift).index() as u32
    }
}

/// Bins by slice, and by score in slices of many rows.
pub struct SliceBins {
    /// The first bin of each slice, and how many bits of the score's bin are dropped.
    slices: Vec<(u32, u32)>,
    /// The slice of each bin.
    codes: Vec<u32>,
}

impl SliceBins {
    /// rows: how many each slice has; few: rows that one bin may well have
    pub fn new(rows: &[u64], scores: u32, few: usize) -> Self {
        let bits = u32::BITS - scores.saturating_sub(1).leading_zeros(); // of a score's bin
        let mut codes = Vec::with_capacity(rows.len());
        let mut slices = Vec::with_capacity(rows.len());
        for (code, &rows) in rows.iter().enumerate() {
            let wanted = (rows as usize).div_ceil(few).next_power_of_two().ilog2();
            let dropped = bits.saturating_sub(wanted);
            slices.push((codes.len() as u32, dropped));
            let bins = ((scores.max(1) - 1) >> dropped) + 1;
            codes.resize(codes.len() + bins as usize, code as u32);
        }
        SliceBins { slices, codes }
    }

    #[inline(always)]
    pub fn bin(&self, code: u32, score: u32) -> u32 {
        let (first, dropped) = self.slices[code as usize];
        first + (score >> dropped)
    }

    pub fn count(&self) -> usize {
        self.codes.len()
    }

    pub fn code(&self, bin: usize) -> u32 {
        self.codes[bin]
    }
}
