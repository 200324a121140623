//! Sums by code of several terms, those of a code next to each other: one line of memory for a row.
//!
//! A block's counts wait in columns, one for each slot, and are added for all slots at once. Sums of
//! each term in columns of their own would be fetched one after another: for 200,000 codes that took
//! two thirds of the time.

use crate::memory::{Grow, Lines, gathered, give_up};
use crate::partition::pages::prefetch;
use crate::sums::exact::{At, BLOCK};

/// Rows whose lines of memory are fetched before they are added to.
const AHEAD: usize = 32;
/// Sums in a line of memory.
const SLOTS: usize = 8;
/// Bytes of such lines: where there are more, most sums of few terms would be memory for nothing.
const MOST: usize = 64 << 20;

/// How many slots are made at a time for so many terms.
fn step(codes: usize, terms: usize) -> usize {
    let whole = terms.next_multiple_of(SLOTS);
    if codes.saturating_mul(whole * size_of::<u64>()) > MOST { terms } else { whole }
}

/// Sums by code and slot, and the counts of a block that are to be added.
///
/// step: how many slots are made at a time; width: how many there are
pub struct Stage {
    codes: usize,
    step: usize,
    width: usize,
    /// Whole numbers with a sign, as their bits.
    sums: Lines,
    waiting: Vec<[i64; BLOCK]>,
    used: Vec<bool>,
    /// The slots that have counts of this block.
    filled: Vec<usize>,
}

impl Stage {
    pub fn new(codes: usize, step: usize) -> Self {
        let (sums, waiting, used, filled) = (Lines::default(), vec![], vec![], vec![]);
        Stage { codes, step, width: 0, sums, waiting, used, filled }
    }

    pub fn of_terms(codes: usize, terms: usize) -> Self {
        Stage::new(codes, step(codes, terms))
    }

    /// A slot whose sums are 0.
    pub fn take_slot(&mut self) -> usize {
        let slot = self.used.iter().position(|used| !used).unwrap_or(self.used.len());
        if slot == self.used.len() {
            self.used.put(false);
            self.waiting.put([0; BLOCK]);
        }
        self.used[slot] = true;
        if slot >= self.width {
            let width = self.width + self.step;
            let mut wider = Lines::zeroed(self.codes * width).unwrap_or_else(|| give_up());
            if self.width > 0 {
                let lines = wider.chunks_exact_mut(width).zip(self.sums.chunks_exact(self.width));
                lines.for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
            }
            (self.sums, self.width) = (wider, width);
        }
        slot
    }

    /// Has the counts of a block written, which wait until they are added.
    pub fn take<T>(&mut self, slot: usize, write: impl FnOnce(&mut [i64; BLOCK]) -> T) -> T {
        if !self.filled.contains(&slot) {
            self.filled.put(slot);
            return write(&mut self.waiting[slot]);
        }
        let mut more = [0; BLOCK];
        let made = write(&mut more);
        self.waiting[slot].iter_mut().zip(more).for_each(|(count, more)| *count += more);
        made
    }

    /// Adds what waits. A code that is too large is a panic.
    pub fn add(&mut self, at: At) {
        let (At::Each(codes), width) = (at, self.width) else { return };
        let (sums, waiting) = (&mut self.sums[..], &self.waiting[..]);
        for group in self.filled.chunks(6) {
            // The number of columns is known where rows are added.
            match *group {
                [a] => add_columns(sums, width, codes, [a], waiting),
                [a, b] => add_columns(sums, width, codes, [a, b], waiting),
                [a, b, c] => add_columns(sums, width, codes, [a, b, c], waiting),
                [a, b, c, d] => add_columns(sums, width, codes, [a, b, c, d], waiting),
                [a, b, c, d, e] => add_columns(sums, width, codes, [a, b, c, d, e], waiting),
                [a, b, c, d, e, f] => add_columns(sums, width, codes, [a, b, c, d, e, f], waiting),
                _ => {}
            }
        }
        self.filled.clear();
    }

    /// The sums of a slot by code; the slot is free again.
    pub fn empty(&mut self, slot: usize) -> Vec<i64> {
        self.used[slot] = false;
        let lines = self.sums.chunks_exact_mut(self.width.max(1));
        gathered(lines.take(self.codes).map(|line| std::mem::take(&mut line[slot]) as i64))
    }
}

/// Adds counts of some slots.
#[inline(always)]
fn add_columns<const N: usize>(
    sums: &mut [u64],
    width: usize,
    codes: &[u32],
    slots: [usize; N],
    waiting: &[[i64; BLOCK]],
) {
    let columns = slots.map(|slot| &waiting[slot][..codes.len()]);
    for (row, code) in codes.iter().enumerate() {
        if let Some(code) = codes.get(row + AHEAD) {
            prefetch(sums.as_ptr().wrapping_add(*code as usize * width));
        }
        let line = &mut sums[*code as usize * width..][..width];
        for (slot, column) in slots.iter().zip(&columns) {
            line[*slot] = line[*slot].wrapping_add(column[row] as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_codes_have_no_slots_for_nothing() {
        assert_eq!([1, 8, 9].map(|terms| step(1000, terms)), [8, 8, 16]);
        assert_eq!([1, 8, 9].map(|terms| step(10_000_000, terms)), [1, 8, 9]);
    }
}
