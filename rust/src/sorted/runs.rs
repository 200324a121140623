//! Sorted runs of both classes, and pieces of them for several threads.

use crate::amounts::Amount;
use crate::keys::Score;
use crate::memory::{Grow, gathered, room};
use crate::workers::Workers;
use std::ops::{Range, Sub};
use std::sync::Mutex;

/// Row weights: whole numbers of up to three digits of 31 bits, the lowest first.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    Ones,
    One(&'a [u32]),
    Two(&'a [u32], &'a [u32]),
    Three(&'a [u32], &'a [u32], &'a [u32]),
}

pub const DIGIT: u32 = 31;

impl Weights<'_> {
    /// As far as 62 bits hold it.
    #[inline(always)]
    pub fn at(&self, row: usize) -> u64 {
        match self {
            Weights::Ones => 1,
            Weights::One(low) => low[row] as u64,
            Weights::Two(low, high) | Weights::Three(low, high, _) => {
                low[row] as u64 + ((high[row] as u64) << DIGIT)
            }
        }
    }

    pub fn sum(&self, rows: Range<usize>) -> u64 {
        match self {
            Weights::Ones => rows.len() as u64,
            _ => rows.fold(0, |sum, row| sum.wrapping_add(self.at(row))),
        }
    }

    /// As it is.
    #[inline(always)]
    fn wide(&self, row: usize) -> u128 {
        match self {
            Weights::Three(_, _, top) => self.at(row) as u128 + ((top[row] as u128) << (2 * DIGIT)),
            _ => self.at(row) as u128,
        }
    }

    /// How many rows have weights, and all digits of them; None where each is 1.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Weights::Ones => None,
            Weights::One(low) => Some(low.len()),
            Weights::Two(low, high) => Some(low.len().min(high.len())),
            Weights::Three(low, high, top) => Some(low.len().min(high.len()).min(top.len())),
        }
    }

    /// The sum of some rows as it is, however large.
    pub fn total(&self, rows: Range<usize>) -> u128 {
        let digits = |column: &[u32]| {
            column[rows.clone()].iter().map(|digit| *digit as u64).sum::<u64>() as u128
        };
        match self {
            Weights::Ones => rows.len() as u128,
            Weights::One(low) => digits(low),
            Weights::Two(low, high) => digits(low) + (digits(high) << DIGIT),
            Weights::Three(low, high, top) => {
                digits(low) + (digits(high) << DIGIT) + (digits(top) << (2 * DIGIT))
            }
        }
    }
}

/// The weight of many rows: 64 bits hold it in most tables, 128 bits in all.
pub trait Mass: Amount + Ord + Sub<Output = Self> {
    fn of(weight: u128) -> Self;
    fn at(weights: &Weights, row: usize) -> Self;
    fn sum(weights: &Weights, rows: Range<usize>) -> Self;
}

impl Mass for u64 {
    #[inline(always)]
    fn of(weight: u128) -> Self {
        weight as u64
    }

    #[inline(always)]
    fn at(weights: &Weights, row: usize) -> Self {
        weights.at(row)
    }

    #[inline(always)]
    fn sum(weights: &Weights, rows: Range<usize>) -> Self {
        weights.sum(rows)
    }
}

impl Mass for u128 {
    #[inline(always)]
    fn of(weight: u128) -> Self {
        weight
    }

    #[inline(always)]
    fn at(weights: &Weights, row: usize) -> Self {
        weights.wide(row)
    }

    #[inline(always)]
    fn sum(weights: &Weights, rows: Range<usize>) -> Self {
        weights.total(rows)
    }
}

/// Rows of one class by slice and rising score.
///
/// starts: the first row of each slice, and the end of all
#[derive(Clone, Copy)]
pub struct Run<'a, S> {
    pub starts: &'a [i64],
    pub scores: &'a [S],
    pub weights: Weights<'a>,
}

impl<S: Score> Run<'_, S> {
    pub fn slices(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The weight of all rows.
    pub fn total(&self) -> u128 {
        self.weights.total(0..self.scores.len())
    }

    /// The rows of a slice; whatever `starts` says, they are rows of the run.
    pub fn rows(&self, slice: usize) -> Range<usize> {
        let start = (self.starts[slice] as usize).min(self.scores.len());
        start..(self.starts[slice + 1] as usize).clamp(start, self.scores.len())
    }
}

/// Rows of both classes: those of some slices, or a part of one slice that cuts no tied block.
#[derive(Clone, Debug)]
pub struct Piece<M = u64> {
    pub slices: Range<usize>,
    /// The rows of positives and of negatives.
    pub rows: [Range<usize>; 2],
    /// The weight of both in its only slice, below the piece.
    pub below: [M; 2],
}

impl<M: Mass> Piece<M> {
    /// The rows of a slice that are in the piece.
    pub fn of<S: Score>(&self, runs: &[Run<S>; 2], slice: usize) -> [Range<usize>; 2] {
        [0, 1].map(|class| {
            let (rows, own) = (runs[class].rows(slice), &self.rows[class]);
            let start = rows.start.clamp(own.start, own.end);
            start..rows.end.clamp(start, own.end)
        })
    }

    fn count(&self) -> usize {
        self.rows[0].len() + self.rows[1].len()
    }
}

/// Rows of a piece: more would only make threads wait for each other.
pub const PIECE: usize = 1 << 16;

/// The pieces of two runs of the same slices, one after the other.
pub fn pieces<S: Score, M: Mass>(runs: &[Run<S>; 2], workers: &Workers) -> Vec<Piece<M>> {
    let mut pieces: Vec<Piece<M>> = Vec::new();
    let mut is_open = false; // whether the last piece may get more slices
    for slice in 0..runs[0].slices().min(runs[1].slices()) {
        let ends = |class: usize| pieces.last().map_or(0, |last| last.rows[class].end);
        let ends = [ends(0), ends(1)];
        let rows = [0, 1].map(|class| ends[class]..runs[class].rows(slice).end.max(ends[class]));
        let whole = Piece { slices: slice..slice + 1, rows, below: [M::of(0); 2] };
        let count = whole.count();
        match pieces.last_mut() {
            Some(last) if is_open && last.count() + count <= PIECE => {
                last.slices.end = slice + 1;
                last.rows = [0, 1].map(|class| last.rows[class].start..whole.rows[class].end);
            }
            _ if count <= PIECE => {
                pieces.put(whole);
                is_open = true;
            }
            _ => {
                cut(runs, whole, &mut pieces);
                is_open = false;
            }
        }
    }
    weigh(runs, &mut pieces, workers);
    pieces
}

/// The pieces of one long slice.
fn cut<S: Score, M: Mass>(runs: &[Run<S>; 2], mut rest: Piece<M>, pieces: &mut Vec<Piece<M>>) {
    let longer = (rest.rows[1].len() > rest.rows[0].len()) as usize;
    let rows = rest.rows[longer].clone();
    for row in rows.step_by(PIECE).skip(1) {
        let score = runs[longer].scores[row];
        let ends = [0, 1].map(|class| {
            let rows = rest.rows[class].clone();
            rows.start + runs[class].scores[rows].partition_point(|other| *other < score)
        });
        let rows = [0, 1].map(|class| rest.rows[class].start..ends[class]);
        rest.rows = [0, 1].map(|class| ends[class]..rest.rows[class].end);
        pieces.put(Piece { rows, ..rest.clone() });
    }
    pieces.put(rest);
}

/// The weight below each piece.
fn weigh<S: Score, M: Mass>(runs: &[Run<S>; 2], pieces: &mut [Piece<M>], workers: &Workers) {
    let sums: Vec<_> = gathered(pieces.iter().map(|_| Mutex::new([M::of(0); 2])));
    workers.each(pieces.len(), |number| {
        let rows = &pieces[number].rows;
        let sum = [0, 1].map(|class| M::sum(&runs[class].weights, rows[class].clone()));
        *sums[number].lock().unwrap_or_else(|e| e.into_inner()) = sum;
    });
    for number in 1..pieces.len() {
        if pieces[number].slices == pieces[number - 1].slices {
            let sum = *sums[number - 1].lock().unwrap_or_else(|e| e.into_inner());
            let before = pieces[number - 1].below;
            pieces[number].below = [0, 1].map(|class| before[class].plus(sum[class]));
        }
    }
}

/// What `work` makes of each piece, in their order; None where the call was interrupted.
pub fn by_piece<T: Send, M: Mass>(
    pieces: &[Piece<M>],
    workers: &Workers,
    work: impl Fn(&Piece<M>) -> T + Sync,
) -> Option<Vec<T>> {
    let made: Vec<_> = gathered(pieces.iter().map(|_| Mutex::new(None)));
    workers.each(pieces.len(), |number| {
        let found = work(&pieces[number]);
        *made[number].lock().unwrap_or_else(|e| e.into_inner()) = Some(found);
    });
    let mut all = room(made.len());
    for found in made {
        all.put(found.into_inner().unwrap_or_else(|e| e.into_inner())?);
    }
    Some(all)
}

/// Calls `each` for every distinct positive score, rising: with its rows, the negatives since the
/// score before, and the negatives at it. What is left are negatives above: from the row returned.
#[inline(always)]
pub fn each_positive<S: Score>(
    runs: &[Run<S>; 2],
    rows: [Range<usize>; 2],
    mut each: impl FnMut(Range<usize>, Range<usize>, Range<usize>),
) -> usize {
    let (up, down) = (&runs[0].scores[..rows[0].end], &runs[1].scores[..rows[1].end]);
    let (mut own, mut other) = (rows[0].start, rows[1].start);
    while own < up.len() {
        let (score, start, below) = (up[own], own, other);
        own += 1;
        while own < up.len() && up[own] == score {
            own += 1;
        }
        while other < down.len() && down[other] < score {
            other += 1;
        }
        let tied = other;
        while other < down.len() && down[other] == score {
            other += 1;
        }
        each(start..own, below..tied, tied..other);
    }
    other
}
