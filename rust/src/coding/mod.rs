//! Keys as numbers: the first key is 0, and each key that is new gets the next number.
//!
//! So numbers depend on the rows alone: neither on threads nor on the seed of the hashes. The first
//! rows are numbered, and each thread goes on from there with a table of its own, for its share of the
//! rows; then the tables are joined in the order of the rows. `grouped` has what is done with numbers
//! of keys.

pub mod grouped;
pub mod slots;
pub mod texts;
pub mod words;

use crate::memory::{Grow, copied, gathered};
use crate::rows::{BLOCK, share};
use crate::workers::{Worker, Workers};
use std::ops::Range;
use std::sync::Mutex;
use texts::{Characters, TextTable};
use words::{WordTable, Words};

/// A column of keys.
pub enum Keys<'a> {
    Words(Words<'a>),
    Texts(Characters<'a>),
}

impl Keys<'_> {
    pub fn rows(&self) -> usize {
        match self {
            Keys::Words(words) => words.rows(),
            Keys::Texts(texts) => texts.rows(),
        }
    }
}

/// The distinct keys of some rows, each with a number and its first row.
trait Table: Send {
    type Column<'a>: Sync;
    /// A table for so many of the rows.
    fn new(column: &Self::Column<'_>, rows: usize) -> Self;
    fn copied(&self) -> Self;
    /// The numbers of at most BLOCK rows.
    fn number(&mut self, column: &Self::Column<'_>, rows: Range<usize>, codes: &mut [u32]);
    /// Adds the keys of later rows, but for the first ones, which both tables have; the new number
    /// of each.
    fn join(&mut self, later: &Self, common: usize) -> Vec<u32>;
    fn firsts(&self) -> &[u32];
}

/// Writes the number of each row's key; the first row of each number, or None if interrupted.
///
/// Of several columns, pairs of the numbers so far and those of the next column are numbered.
pub fn code_keys(columns: &[Keys], codes: &mut [u32], workers: &Workers) -> Option<Vec<u32>> {
    let mut firsts = code_column(columns.first()?, codes, workers)?;
    let mut more = Vec::new();
    for column in &columns[1..] {
        more.grow_to(codes.len(), 0);
        let count = code_column(column, &mut more, workers)?.len();
        let left = copied(codes);
        let (left, right) = (Words::U32(&left), Words::U32(&more));
        let pairs = Words::Pairs { left: &left, right: &right, width: count as u64 };
        firsts = finish(code_table::<WordTable>(&pairs, codes, workers)?);
    }
    Some(firsts)
}

/// Writes the rank of each row's word, below 2^63; the distinct words, or None if interrupted.
pub fn rank_words(words: &Words, ranks: &mut [u32], workers: &Workers) -> Option<Vec<u64>> {
    let (found, rank_of) = code_table::<WordTable>(words, ranks, workers)?.ranked();
    let blocks: Vec<_> = gathered(ranks.chunks_mut(SHARE).map(Mutex::new));
    workers.each(blocks.len(), |number| {
        for rank in blocks[number].lock().unwrap_or_else(|e| e.into_inner()).iter_mut() {
            *rank = rank_of[*rank as usize];
        }
    });
    (!workers.stopped()).then_some(found)
}

const SHARE: usize = 1 << 16; // rows

fn code_column(column: &Keys, codes: &mut [u32], workers: &Workers) -> Option<Vec<u32>> {
    Some(match column {
        Keys::Words(words) => finish(code_table::<WordTable>(words, codes, workers)?),
        Keys::Texts(texts) => finish(code_table::<TextTable>(texts, codes, workers)?),
    })
}

fn finish(table: impl Table) -> Vec<u32> {
    copied(table.firsts())
}

/// One of so many rows is numbered before threads have tables of their own.
const BEFORE: usize = 32;

/// The table of all rows, whose numbers are written.
fn code_table<T: Table>(column: &T::Column<'_>, codes: &mut [u32], workers: &Workers) -> Option<T> {
    let (rows, threads) = (codes.len(), workers.threads);
    let mut first = T::new(column, rows.div_ceil(threads));
    if threads == 1 {
        code_share(&mut first, column, 0, codes, &mut workers.caller());
        return (!workers.stopped()).then_some(first);
    }
    let (before, mut rest) = codes.split_at_mut(rows / BEFORE);
    code_share(&mut first, column, 0, before, &mut workers.caller());
    let (start, common) = (before.len(), first.firsts().len());
    let shares: Vec<_> = (0..threads)
        .map(|number| {
            let range = share(rows - start, number, threads);
            let (mine, others) = std::mem::take(&mut rest).split_at_mut(range.len());
            rest = others;
            let table = (number > 0).then(|| first.copied());
            Mutex::new((start + range.start, mine, table))
        })
        .collect();
    let first = Mutex::new(first);
    workers.run(|worker| {
        let mut share = shares[worker.number].lock().unwrap_or_else(|e| e.into_inner());
        let (start, codes, table) = &mut *share;
        match table {
            Some(table) => code_share(table, column, *start, codes, worker),
            None => {
                let mut first = first.lock().unwrap_or_else(|e| e.into_inner());
                code_share(&mut *first, column, *start, codes, worker);
            }
        }
    });
    let mut table = first.into_inner().unwrap_or_else(|e| e.into_inner());
    let numbers: Vec<_> = shares
        .iter()
        .map(|share| {
            let share = share.lock().unwrap_or_else(|e| e.into_inner());
            share.2.as_ref().map_or_else(Vec::new, |later| table.join(later, common))
        })
        .collect();
    workers.run(|worker| {
        let numbers = &numbers[worker.number][..];
        if numbers.is_empty() {
            return;
        }
        let mut share = shares[worker.number].lock().unwrap_or_else(|e| e.into_inner());
        for code in share.1.iter_mut() {
            let later = (*code as usize).wrapping_sub(common);
            *code = numbers.get(later).copied().unwrap_or(*code);
        }
    });
    (!workers.stopped()).then_some(table)
}

fn code_share<T: Table>(
    table: &mut T,
    column: &T::Column<'_>,
    first: usize,
    codes: &mut [u32],
    worker: &mut Worker,
) {
    for (number, block) in codes.chunks_mut(BLOCK).enumerate() {
        let start = first + number * BLOCK;
        table.number(column, start..start + block.len(), block);
        if number.is_multiple_of(16) && !worker.goes_on() {
            break;
        }
    }
}
