//! What must be known of slices before their rows are partitioned.

use crate::amounts::Weight;
use crate::keys::{Bits, Frame, Score};
use crate::memory::{filled, gathered};
use crate::rows::{self, BLOCK, Chunk};
use crate::workers::Workers;

/// How many rows each slice has, and where words of these rows lie.
pub struct SliceFacts<B> {
    pub rows: Vec<u64>,
    pub frame: Frame<B>,
}

impl<B: Bits> SliceFacts<B> {
    /// All rows are of one slice.
    pub fn one(rows: usize) -> Self {
        SliceFacts { rows: vec![rows as u64], frame: Frame::default() }
    }

    pub fn new<S: Score<Bits = B>, W: Weight>(
        chunks: &[Chunk<S, W>],
        slices: usize,
        workers: &Workers,
    ) -> Self {
        let count = rows::count(chunks);
        let found = workers.run(|worker| {
            let mut codes = [0; BLOCK];
            let (mut totals, mut most) = (filled(0u64, slices), B::default());
            let mut least = None;
            for (chunk, rows) in
                rows::blocks(chunks, rows::share(count, worker.number, workers.threads))
            {
                chunk.codes.read(rows.clone(), slices as u32 - 1, &mut codes);
                let mut lowest = chunk.scores[rows.start].bits();
                for (score, &code) in chunk.scores[rows].iter().zip(&codes) {
                    totals[code as usize] += 1;
                    lowest = lowest.min(score.bits());
                    most = most.max(score.bits());
                }
                least = Some(least.map_or(lowest, |other: B| other.min(lowest)));
                if !worker.goes_on() {
                    break;
                }
            }
            (totals, least, most)
        });
        let least = found.iter().filter_map(|(_, least, _)| *least).min().unwrap_or_default();
        let most = found.iter().map(|(_, _, most)| *most).max().unwrap_or_default();
        let rows = (0..slices).map(|code| found.iter().map(|(totals, ..)| totals[code]).sum());
        SliceFacts { rows: gathered(rows), frame: Frame::new(least, most) }
    }
}
