//! Whole numbers as keys.

use super::Table;
use super::slots::{Seed, Slots};
use crate::memory::{self, Grow, copied, filled, gathered};
use crate::partition::pages::prefetch;
use crate::rows::BLOCK;
use std::ops::Range;

/// A column of whole numbers of any type, or of pairs of two numbers.
#[derive(Clone, Copy)]
pub enum Words<'a> {
    U8(&'a [u8]),
    I8(&'a [i8]),
    U16(&'a [u16]),
    I16(&'a [i16]),
    U32(&'a [u32]),
    I32(&'a [i32]),
    U64(&'a [u64]),
    I64(&'a [i64]),
    /// left · width + right; right numbers are below the width.
    Pairs {
        left: &'a Words<'a>,
        right: &'a Words<'a>,
        width: u64,
    },
}

macro_rules! each_type {
    ($self:expr, $rows:ident => $made:expr, $left:ident, $right:ident, $width:ident => $pairs:expr) => {
        match *$self {
            Words::U8($rows) => $made,
            Words::I8($rows) => $made,
            Words::U16($rows) => $made,
            Words::I16($rows) => $made,
            Words::U32($rows) => $made,
            Words::I32($rows) => $made,
            Words::U64($rows) => $made,
            Words::I64($rows) => $made,
            Words::Pairs { left: $left, right: $right, width: $width } => $pairs,
        }
    };
}

impl Words<'_> {
    pub fn rows(&self) -> usize {
        each_type!(self, rows => rows.len(), left, _right, _width => left.rows())
    }

    /// The words of at most BLOCK rows: equal ones for equal numbers.
    #[allow(clippy::unnecessary_cast)] // of 64-bit columns alone
    pub fn read(&self, rows: Range<usize>, into: &mut [u64; BLOCK]) {
        each_type!(self,
            column => for (to, &from) in into.iter_mut().zip(&column[rows]) {
                *to = from as u64;
            },
            left, right, width => {
                let mut more = [0; BLOCK];
                left.read(rows.clone(), into);
                right.read(rows.clone(), &mut more);
                for (to, right) in into.iter_mut().zip(more).take(rows.len()) {
                    *to = to.wrapping_mul(width).wrapping_add(right);
                }
            }
        )
    }

    #[allow(clippy::unnecessary_cast)] // as above
    fn at(&self, row: usize) -> u64 {
        each_type!(self,
            column => column[row] as u64,
            left, right, width => left.at(row).wrapping_mul(width).wrapping_add(right.at(row))
        )
    }

    /// The lowest and the highest of some words and how many lie between, signed or not.
    fn range(&self) -> Option<(u64, u64)> {
        let last = self.rows().checked_sub(1)?;
        let steps = (last / 8).clamp(1, SAMPLE);
        let sample: Vec<_> = gathered((0..=steps).map(|step| self.at(last * step / steps)));
        let (low, high) = (sample.iter().copied().min()?, sample.iter().copied().max()?);
        let signed = || sample.iter().map(|&word| word as i64);
        let (least, most) = (signed().min()? as u64, signed().max()? as u64);
        let unsigned = (low, high - low);
        let signed = (least, most.wrapping_sub(least));
        Some(if unsigned.1 <= signed.1 { unsigned } else { signed })
    }
}

const SAMPLE: usize = 1 << 10;
const FEW: usize = 1 << 7; // rows, for which a range of this size is narrow too

/// Words of a narrow range have a number each, others are hashed.
pub struct WordTable {
    low: u64,
    /// The number and one of each word of the range; 0: it has none yet.
    near: Vec<u32>,
    slots: Slots,
    seed: Seed,
    words: Vec<u64>,
    firsts: Vec<u32>,
}

impl WordTable {
    /// The number of a word; the next one where it is new.
    #[inline(always)]
    fn number_of(&mut self, word: u64, tag: u32) -> u32 {
        let next = self.words.len() as u32;
        if !self.is_near(word) {
            return self.slots.number(tag, next, |number| self.words[number as usize] == word);
        }
        let number = &mut self.near[word.wrapping_sub(self.low) as usize];
        if *number == 0 {
            *number = next + 1;
        }
        *number - 1
    }

    #[cold]
    fn keep(&mut self, word: u64, row: u32) {
        self.words.put(word);
        self.firsts.put(row);
    }

    #[inline(always)]
    fn is_near(&self, word: u64) -> bool {
        word.wrapping_sub(self.low) < self.near.len() as u64
    }

    /// The numbers of words of which most are in the narrow range, and known.
    fn number_near(&mut self, words: &[u64], first: usize, codes: &mut [u32]) {
        const NONE: u32 = u32::MAX;
        let (near, low) = (&self.near[..], self.low);
        let mut missing = 0;
        for (&word, code) in words.iter().zip(&mut *codes) {
            let found = near.get(word.wrapping_sub(low) as usize).copied().unwrap_or_default();
            missing += (found == 0) as usize;
            *code = found.wrapping_sub(1);
        }
        if 2 * missing > words.len() {
            return self.number_any(words, first, codes);
        }
        if missing > 0 {
            for (place, (&word, code)) in words.iter().zip(codes).enumerate() {
                if *code == NONE {
                    *code = self.number_new(word, first + place);
                }
            }
        }
    }

    /// The number of a word, which may be a new one.
    #[inline(never)]
    fn number_new(&mut self, word: u64, row: usize) -> u32 {
        let number = self.number_of(word, Seed::tag(self.seed.mix(word, 0)));
        if number as usize == self.words.len() {
            self.keep(word, row as u32);
        }
        number
    }

    /// The numbers of rows of which most have the word of the row before.
    fn number_runs(&mut self, words: &[u64], first: usize, codes: &mut [u32]) {
        let (mut row, mut rest) = (first, codes);
        for run in words.chunk_by(|word, next| word == next) {
            let number = self.number_new(run[0], row);
            let (own, others) = std::mem::take(&mut rest).split_at_mut(run.len());
            own.fill(number);
            (row, rest) = (row + run.len(), others);
        }
    }

    fn number_any(&mut self, words: &[u64], first: usize, codes: &mut [u32]) {
        let mut tags = [0; BLOCK];
        for (tag, &word) in tags.iter_mut().zip(words) {
            *tag = Seed::tag(self.seed.mix(word, 0));
            self.slots.expect(*tag);
        }
        for &tag in &tags[..words.len()] {
            if let Some(number) = self.slots.likely(tag) {
                prefetch(self.words.as_ptr().wrapping_add(number));
            }
        }
        for (place, ((&word, &tag), code)) in words.iter().zip(&tags).zip(codes).enumerate() {
            *code = self.number_of(word, tag);
            if *code as usize == self.words.len() {
                self.keep(word, (first + place) as u32);
            }
        }
    }
}

/// Whether at most a quarter of the words differ from the one before.
fn are_runs(words: &[u64]) -> bool {
    let pairs = words.iter().zip(words.get(1..).unwrap_or_default());
    4 * pairs.map(|(word, next)| (word != next) as u32).sum::<u32>() <= words.len() as u32
}

impl WordTable {
    /// The distinct words in rising order, and the rank of each number among them.
    pub fn ranked(self) -> (Vec<u64>, Vec<u32>) {
        let mut ranks = filled(0, self.words.len());
        let mut order: Vec<u32> = gathered(self.near.iter().filter_map(|kept| kept.checked_sub(1)));
        if order.len() < ranks.len() {
            order = gathered(0..ranks.len() as u32);
            order.sort_unstable_by_key(|number| self.words[*number as usize]);
        }
        for (rank, number) in order.iter().enumerate() {
            ranks[*number as usize] = rank as u32;
        }
        (gathered(order.iter().map(|number| self.words[*number as usize])), ranks)
    }
}

impl Table for WordTable {
    type Column<'a> = Words<'a>;

    fn new(column: &Words, rows: usize) -> Self {
        let (low, span) = column.range().unwrap_or_default();
        // The sample may not have the outermost words.
        let margin = span / 8 + 1;
        let size = span.saturating_add(1).saturating_add(margin.saturating_mul(2));
        let size = if size <= 2 * rows.max(FEW) as u64 { size as usize } else { 0 };
        WordTable {
            low: low.wrapping_sub(margin),
            near: memory::zeroed(size).unwrap_or_default(),
            slots: Slots::new(rows),
            seed: Seed::default(),
            words: Vec::new(),
            firsts: Vec::new(),
        }
    }

    fn number(&mut self, column: &Words, rows: Range<usize>, codes: &mut [u32]) {
        let mut words = [0; BLOCK];
        column.read(rows.clone(), &mut words);
        let words = &words[..rows.len()];
        if are_runs(words) {
            self.number_runs(words, rows.start, codes);
        } else if self.near.is_empty() {
            self.number_any(words, rows.start, codes);
        } else {
            self.number_near(words, rows.start, codes);
        }
    }

    fn copied(&self) -> Self {
        let (near, slots) = (copied(&self.near), self.slots.copied());
        let (words, firsts) = (copied(&self.words), copied(&self.firsts));
        WordTable { near, slots, words, firsts, ..*self }
    }

    fn join(&mut self, later: &Self, common: usize) -> Vec<u32> {
        let each = later.words.iter().zip(&later.firsts).skip(common);
        gathered(each.map(|(&word, &first)| self.number_new(word, first as usize)))
    }

    fn firsts(&self) -> &[u32] {
        &self.firsts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_as_far_apart_as_there_are_numbers() {
        // The lowest and the highest are farthest from each other both signed and unsigned.
        let column = [0, -1, i64::MIN, i64::MAX].repeat(50);
        let table = WordTable::new(&Words::I64(&column), column.len());
        assert!(table.near.is_empty());
    }
}
