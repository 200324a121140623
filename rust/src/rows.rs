//! The rows of a call as they came: several chunks of columns.

use crate::amounts::Weight;
use crate::keys::Score;
use crate::memory::gathered;
use crate::workers::Workers;
use std::ops::Range;

/// Slice codes of any unsigned width.
#[derive(Clone, Copy)]
pub enum Codes<'a> {
    One,
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

/// Some rows; all columns have the same length.
#[derive(Clone, Copy)]
pub struct Chunk<'a, S, W> {
    pub codes: Codes<'a>,
    pub scores: &'a [S],
    pub positive: &'a [u8],
    pub weights: &'a [W],
}

/// How many rows are looked at before the next step is done with them all.
pub const BLOCK: usize = 512;

impl Codes<'_> {
    /// How many rows; None where all have the code 0.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Codes::One => None,
            Codes::U8(codes) => Some(codes.len()),
            Codes::U16(codes) => Some(codes.len()),
            Codes::U32(codes) => Some(codes.len()),
            Codes::U64(codes) => Some(codes.len()),
        }
    }

    /// How many bits they may need.
    pub fn bits(&self) -> u32 {
        match self {
            Codes::One => 0,
            Codes::U8(_) => u8::BITS,
            Codes::U16(_) => u16::BITS,
            Codes::U32(_) | Codes::U64(_) => u32::BITS,
        }
    }

    /// The codes of a block, none above `last`.
    #[inline(always)]
    pub fn read(&self, rows: Range<usize>, last: u32, into: &mut [u32; BLOCK]) {
        macro_rules! copy {
            ($codes:expr) => {
                for (to, code) in into.iter_mut().zip(&$codes[rows]) {
                    *to = (*code as u64).min(last as u64) as u32;
                }
            };
        }
        match self {
            Codes::One => into[..rows.len()].fill(0),
            Codes::U8(codes) => copy!(codes),
            Codes::U16(codes) => copy!(codes),
            Codes::U32(codes) => copy!(codes),
            Codes::U64(codes) => copy!(codes),
        }
    }
}

/// Runs an expression on the column of codes, of whatever width.
macro_rules! of_width {
    ($all:expr, $codes:ident => $found:expr, $one:expr) => {
        match $all {
            Codes::One => $one,
            Codes::U8($codes) => $found,
            Codes::U16($codes) => $found,
            Codes::U32($codes) => $found,
            Codes::U64($codes) => $found,
        }
    };
}

/// A code below 2^32.
#[inline(always)]
fn narrow(code: impl Into<u64>) -> u32 {
    code.into() as u32
}

impl Codes<'_> {
    #[inline(always)]
    pub fn at(&self, row: usize) -> u32 {
        of_width!(self, codes => narrow(codes[row]), 0)
    }

    /// Every so many rows the code of one, none above `last`.
    pub fn sample(&self, step: usize, last: u32) -> Vec<u32> {
        let mut sample: Vec<u32> = of_width!(
            self,
            codes => gathered(codes.iter().step_by(step).map(|code| narrow(*code))),
            vec![]
        );
        sample.iter_mut().for_each(|code| *code = last.min(*code));
        sample
    }

    /// Whether no code of these rows is below the one before.
    pub fn rise(&self, rows: Range<usize>, mut goes_on: impl FnMut() -> bool) -> bool {
        const STEP: usize = 1 << 14;
        rows.clone().step_by(STEP).all(|start| {
            let rows = start..(start + STEP + 1).min(rows.end);
            goes_on()
                && of_width!(self, codes => {
                    let pairs = codes[rows].windows(2);
                    pairs.fold(true, |rising, pair| rising & (pair[0] <= pair[1]))
                }, true)
        })
    }

    /// Where the code of the first of these rows ends, if codes rise; none is above `last`.
    pub fn run_end(&self, rows: Range<usize>, last: u32) -> usize {
        const STEP: usize = 32;
        of_width!(self, codes => {
            let (own, mut end) = (narrow(codes[rows.start]).min(last), rows.start);
            for chunk in codes[rows].chunks(STEP) {
                // Codes rise: so those that are the same are the first ones, and no branch is needed.
                let same = |code| (narrow(code).min(last) == own) as u32;
                let same: u32 = chunk.iter().map(|code| same(*code)).sum();
                end += same as usize;
                if (same as usize) < STEP {
                    break;
                }
            }
            end
        }, rows.end)
    }

    /// Where the codes that the row before this one has end.
    pub fn group_end(&self, row: usize) -> usize {
        of_width!(self, codes => {
            let own = codes[row - 1];
            row + codes[row..].iter().take_while(|code| **code == own).count()
        }, row)
    }
}

pub fn count<S: Score, W: Weight>(chunks: &[Chunk<S, W>]) -> usize {
    chunks.iter().map(|chunk| chunk.scores.len()).sum()
}

/// The blocks of the rows in a range, where all chunks are one after another.
pub fn blocks<'a, 'b, S: Score, W: Weight>(
    chunks: &'b [Chunk<'a, S, W>],
    range: Range<usize>,
) -> impl Iterator<Item = (&'b Chunk<'a, S, W>, Range<usize>)> + use<'a, 'b, S, W> {
    let mut before = 0;
    chunks.iter().flat_map(move |chunk| {
        let length = chunk.scores.len();
        let first = range.start.clamp(before, before + length) - before;
        let last = range.end.clamp(before, before + length) - before;
        before += length;
        (first..last).step_by(BLOCK).map(move |at| (chunk, at..(at + BLOCK).min(last)))
    })
}

/// The share of all rows that one of several threads takes.
pub fn share(count: usize, number: usize, threads: usize) -> Range<usize> {
    count * number / threads..count * (number + 1) / threads
}

/// About the sum of all weights.
pub fn rough_weight<S: Score, W: Weight>(chunks: &[Chunk<S, W>], workers: &Workers) -> f64 {
    let count = count(chunks);
    let sums = workers.run(|worker| {
        let mut lanes = [0.0; 8]; // one sum would wait for itself
        for (chunk, rows) in blocks(chunks, share(count, worker.number, workers.threads)) {
            for weights in chunk.weights[rows].chunks(8) {
                for (lane, weight) in lanes.iter_mut().zip(weights) {
                    *lane += weight.rough();
                }
            }
            if !worker.goes_on() {
                break;
            }
        }
        lanes.iter().sum::<f64>()
    });
    sums.iter().sum()
}
