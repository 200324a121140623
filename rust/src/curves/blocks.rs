//! The points of curves in blocks, and the weight at and above each point.

use crate::memory::{Grow, gathered, room};
use crate::workers::Workers;
use std::ops::Range;

/// Points that are looked at together. With 256, columns would be 4 KB apart, and the processor would
/// take what is written to one for what is read from another: sums took five times as long.
pub const BLOCK: usize = 240;
pub type Column<T> = [T; BLOCK];

/// A column of whole numbers below 2^63.
#[derive(Clone, Copy)]
pub enum Whole<'a> {
    U32(&'a [u32]),
    I64(&'a [i64]),
}

impl Whole<'_> {
    pub fn count(&self) -> usize {
        match self {
            Whole::U32(column) => column.len(),
            Whole::I64(column) => column.len(),
        }
    }

    pub fn at(&self, place: usize) -> u64 {
        match self {
            Whole::U32(column) => column[place].into(),
            Whole::I64(column) => column[place] as u64,
        }
    }

    #[inline(always)]
    fn map(&self, rows: &Range<usize>, into: &mut Column<u64>, number: impl Fn(u64) -> u64) {
        match self {
            Whole::U32(column) => {
                for (to, from) in into.iter_mut().zip(&column[rows.clone()]) {
                    *to = number((*from).into());
                }
            }
            Whole::I64(column) => {
                for (to, from) in into.iter_mut().zip(&column[rows.clone()]) {
                    *to = number(*from as u64);
                }
            }
        }
    }

    fn sum(&self, rows: &Range<usize>) -> u64 {
        match self {
            Whole::U32(column) => column[rows.clone()].iter().map(|from| u64::from(*from)).sum(),
            Whole::I64(column) => {
                column[rows.clone()].iter().fold(0, |sum, from| sum.wrapping_add(*from as u64))
            }
        }
    }
}

/// The columns of `CurvePoints`, and the weights of `Upwards`; None: 1 each, and 0.
///
/// starts rise up to the length of the other columns, which are of the same length.
pub struct Points<'a> {
    pub starts: &'a [i64],
    pub positives: Option<Whole<'a>>,
    pub below: Whole<'a>,
    pub tied: Option<Whole<'a>>,
    pub upwards: (&'a [i64], &'a [i64]),
}

/// Some points of one slice; tp: the weight of positives from the first of them upwards.
pub struct Block {
    pub slice: usize,
    pub rows: Range<usize>,
    pub tp: u64,
}

const SHORT: usize = 1 << 17; // points that one thread adds: to start another takes longer

impl Points<'_> {
    pub fn slices(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn rows(&self, slice: usize) -> Range<usize> {
        self.starts[slice] as usize..self.starts[slice + 1] as usize
    }

    /// The weight of negatives from a point upwards.
    pub fn fp(&self, slice: usize, place: usize) -> u64 {
        (self.upwards.1[slice] as u64).wrapping_sub(self.below.at(place))
    }

    pub fn own(&self, place: usize) -> u64 {
        self.positives.map_or(1, |column| column.at(place))
    }

    fn positives(&self, rows: &Range<usize>) -> u64 {
        self.positives.map_or(rows.len() as u64, |column| column.sum(rows))
    }

    /// All points in blocks, by slice.
    pub fn blocks(&self, workers: &Workers) -> Vec<Block> {
        let mut blocks = room(self.slices() + self.below.count() / BLOCK);
        for slice in 0..self.slices() {
            let rows = self.rows(slice);
            for start in rows.clone().step_by(BLOCK) {
                blocks.put(Block { slice, rows: start..rows.end.min(start + BLOCK), tp: 0 });
            }
        }
        self.weigh(&mut blocks, workers);
        let (mut slice, mut tp) = (usize::MAX, 0);
        for block in &mut blocks {
            if block.slice != slice {
                (slice, tp) = (block.slice, self.upwards.0[block.slice] as u64);
            }
            let own = block.tp;
            block.tp = tp;
            tp = tp.wrapping_sub(own);
        }
        blocks
    }

    /// Writes the positive weight of each block.
    fn weigh(&self, blocks: &mut [Block], workers: &Workers) {
        let share = blocks.len().div_ceil(workers.threads).max(SHORT / BLOCK);
        let parts = gathered(blocks.chunks_mut(share).map(std::sync::Mutex::new));
        let add = |part: usize| {
            for block in parts[part].lock().unwrap_or_else(|e| e.into_inner()).iter_mut() {
                block.tp = self.positives(&block.rows);
            }
        };
        if parts.len() < 2 || self.positives.is_none() {
            (0..parts.len()).for_each(add);
        } else {
            workers.each(parts.len(), add);
        }
    }

    /// The weight of positives at each point of a block, and of both classes at or above it.
    pub fn read(
        &self,
        block: &Block,
        own: &mut Column<u64>,
        tp: &mut Column<u64>,
        fp: &mut Column<u64>,
    ) {
        match &self.positives {
            None => own.fill(1),
            Some(column) => column.map(&block.rows, own, |number| number),
        }
        let mut above = block.tp;
        for (tp, own) in tp.iter_mut().zip(&*own) {
            *tp = above;
            above = above.wrapping_sub(*own);
        }
        let negatives = self.upwards.1[block.slice] as u64;
        self.below.map(&block.rows, fp, |below| negatives.wrapping_sub(below));
    }

    /// The weight of negatives at each point of a block.
    pub fn read_tied(&self, block: &Block, tied: &mut Column<u64>) {
        match &self.tied {
            None => tied.fill(0),
            Some(column) => column.map(&block.rows, tied, |number| number),
        }
    }
}
