//! The rows of a call that have groups: their columns, classes, weights and tags.

use crate::amounts::Weight;
use crate::keys::Score;
use crate::memory::Grow;
use crate::partition::scatter::part_size;
use crate::rows::{BLOCK, Codes};
use crate::workers::Workers;
use std::ops::Range;

/// About how many rows a part of whole groups has: with 15,000, the lines that a scatter writes
/// leave the first cache, which takes a tenth longer.
pub const PART: usize = 40_000;

/// The grades of rows.
#[derive(Clone, Copy)]
pub enum Grades<'a> {
    U8(&'a [u8]),
    F64(&'a [f64]),
}

/// The rows of a call; all columns have the same length, below 2^32.
pub struct GroupedRows<'a, S> {
    pub codes: Codes<'a>,
    /// How many groups; codes are below it.
    pub groups: u32,
    pub scores: &'a [S],
    pub grades: Grades<'a>,
    /// The lowest grade of a row of the class of hits.
    pub least: f64,
    pub unscored: Option<&'a [u8]>,
    /// What is wanted of each row in place of its number.
    pub tags: Option<Codes<'a>>,
}

/// The classes of rows: with a grade, without, and without a score.
pub const CLASSES: usize = 3;
pub const HITS: usize = 0;
pub const OTHERS: usize = 1;
pub const UNSCORED: usize = 2;

impl<S: Score> GroupedRows<'_, S> {
    /// The classes of a block.
    pub fn classes(&self, rows: Range<usize>, into: &mut [u8; BLOCK]) {
        match self.grades {
            Grades::U8(grades) => {
                for (class, grade) in into.iter_mut().zip(&grades[rows.clone()]) {
                    *class = (*grade == 0) as u8;
                }
            }
            Grades::F64(grades) => {
                for (class, grade) in into.iter_mut().zip(&grades[rows.clone()]) {
                    *class = (*grade < self.least) as u8;
                }
            }
        }
        if let Some(unscored) = self.unscored {
            for (class, none) in into.iter_mut().zip(&unscored[rows]) {
                *class = if *none != 0 { UNSCORED as u8 } else { *class };
            }
        }
    }

    /// Whether no code is below the one before.
    pub fn rise(&self, workers: &Workers) -> bool {
        let count = self.scores.len();
        let rising = workers.run(|worker| {
            let own = crate::rows::share(count, worker.number, workers.threads);
            self.codes.rise(own.start.saturating_sub(1)..own.end, || worker.goes_on())
        });
        rising.into_iter().all(|each| each)
    }

    /// The ends of parts of whole groups, where codes rise.
    pub fn ends(&self) -> Vec<usize> {
        let (count, mut ends) = (self.scores.len(), vec![0]);
        let size = part_size(count, PART);
        while ends[ends.len() - 1] < count {
            ends.put(self.codes.group_end((ends[ends.len() - 1] + size).min(count)));
        }
        ends
    }

    /// Calls `each` with the rows of each code, where codes rise.
    pub fn each_run(&self, rows: Range<usize>, mut each: impl FnMut(u32, Range<usize>)) {
        let (last, mut start) = (self.groups - 1, rows.start);
        while start < rows.end {
            let end = self.codes.run_end(start..rows.end, last);
            each(self.codes.at(start).min(last), start..end);
            start = end;
        }
    }

    /// The numbers or tags of a block.
    pub fn numbers(&self, rows: Range<usize>, into: &mut [u32; BLOCK]) {
        match self.tags {
            Some(tags) => tags.read(rows, u32::MAX, into),
            None => into.iter_mut().zip(rows).for_each(|(number, row)| *number = row as u32),
        }
    }
}

/// The weight of each row.
pub trait Weights<W: Weight>: Sync {
    fn of(&self, row: usize) -> W;
}

/// No weights.
pub struct Ones;

impl Weights<()> for Ones {
    #[inline(always)]
    fn of(&self, _: usize) {}
}
