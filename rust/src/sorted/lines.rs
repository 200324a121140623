//! What each line adds to the area of its slice, from a sorted table: one walk through both classes.

use crate::amounts::U256;
use crate::keys::Score;
use crate::memory::{filled, gathered};
use crate::partition::pages::prefetch;
use crate::sorted::runs::{Mass, Piece, Run, each_positive, pieces};
use crate::sums::digits::{DigitColumns, Digits};
use crate::workers::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sums of a line, of positives and of negatives: Σ weight · (twice the weight of the other class
/// below, of a negative: above, and once that at the score), and Σ weight.
#[derive(Clone, Copy)]
struct Line<M: Mass> {
    areas: [M::Area; 2],
    weights: [M; 2],
}

impl<M: Mass> Line<M> {
    fn empty() -> Self {
        Line { areas: [M::Area::default(); 2], weights: [M::default(); 2] }
    }

    fn plus(self, other: &Self) -> Self {
        Line {
            areas: [0, 1].map(|class| M::plus_area(self.areas[class], other.areas[class])),
            weights: [0, 1].map(|class| self.weights[class].plus(other.weights[class])),
        }
    }
}

/// Lines far apart in memory are fetched before they are added to.
const AHEAD: usize = 16;

/// Of positives and of negatives the weight of each line, then the areas; None where the call was
/// interrupted. codes: the line of each row, one that is too large is a panic
pub fn sorted_line_areas<S: Score, M: Mass>(
    runs: &[Run<S>; 2],
    codes: [&[u32]; 2],
    lines: usize,
    workers: &Workers,
) -> Option<[DigitColumns; 4]> {
    let pieces: Vec<Piece<M>> = pieces(runs, workers);
    let up = &runs[0];
    let positives: Vec<M> =
        gathered((0..up.slices()).map(|slice| M::sum(&up.weights, up.rows(slice))));
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let mut walk = Walk { runs, codes, lines: filled(Line::empty(), lines) };
        while worker.goes_on() {
            let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            walk.add(piece, &positives);
        }
        walk.lines
    });
    if workers.stopped() {
        return None;
    }
    let mut digits = [(); 4].map(|_| Digits::new(lines));
    for line in 0..lines {
        let all = made.iter().fold(Line::empty(), |sum: Line<M>, own| sum.plus(&own[line]));
        let [up, down] = all.weights.map(|weight| U256(weight.wide(), 0));
        let [area_up, area_down] = all.areas.map(M::wide_area);
        for (column, number) in digits.iter_mut().zip([up, down, area_up, area_down]) {
            for (place, word) in number.words().into_iter().enumerate() {
                column.add(line, word.into(), (u64::BITS as usize * place) as i32);
            }
        }
    }
    Some(digits.map(Digits::into_columns))
}

struct Walk<'a, S, M: Mass> {
    runs: &'a [Run<'a, S>; 2],
    codes: [&'a [u32]; 2],
    lines: Vec<Line<M>>,
}

impl<S: Score, M: Mass> Walk<'_, S, M> {
    /// positives: their weight in each slice
    fn add(&mut self, piece: &Piece<M>, positives: &[M]) {
        let (runs, twice) = (self.runs, |mass: M| mass.plus(mass));
        for slice in piece.slices.clone() {
            let rows = piece.of(runs, slice);
            let (mut above, mut below) = (positives[slice] - piece.below[0], piece.below[1]);
            let last = rows[1].end;
            let end = each_positive(runs, rows, |own, passed, tied| {
                below = below.plus(self.add_rows(1, passed, twice(above)));
                let at = M::sum(&runs[1].weights, tied.clone());
                let weight = self.add_rows(0, own, twice(below).plus(at));
                above = above - weight;
                self.add_rows(1, tied, twice(above).plus(weight));
                below = below.plus(at);
            });
            self.add_rows(1, end..last, twice(above));
        }
    }

    /// Adds rows with one number of doubled pairs; their weight.
    #[inline(always)]
    fn add_rows(&mut self, class: usize, rows: Range<usize>, doubled: M) -> M {
        let (weights, codes) = (&self.runs[class].weights, self.codes[class]);
        let mut sum = M::default();
        for row in rows {
            if let Some(next) = codes.get(row + AHEAD) {
                prefetch(self.lines.as_ptr().wrapping_add(*next as usize));
            }
            let (weight, line) = (M::at(weights, row), &mut self.lines[codes[row] as usize]);
            line.areas[class] = M::plus_area(line.areas[class], weight.product(doubled));
            line.weights[class] = line.weights[class].plus(weight);
            sum = sum.plus(weight);
        }
        sum
    }
}
