//! The tied blocks of both classes, one by one or many at a time.

use crate::keys::Score;
use crate::sorted::runs::{Mass, Run, Weights};
use std::ops::Range;

/// The tied blocks of some rows, by rising score.
pub struct Blocks<'a, S> {
    runs: &'a [Run<'a, S>; 2],
    pub places: [usize; 2],
    pub ends: [usize; 2],
    /// How many rows with weights are left behind at a time: fewer near an edge.
    pub stride: usize,
    /// Whether each weight is 1.
    is_plain: bool,
}

pub const FAR: usize = 64; // rows that are worth several searches
const NEAR: usize = 16; // rows that are worth one
pub const WEIGHED: usize = 512; // rows with weights that are left behind at a time, at first

impl<'a, S: Score> Blocks<'a, S> {
    pub fn new(runs: &'a [Run<'a, S>; 2], rows: [Range<usize>; 2]) -> Self {
        let is_plain = runs.iter().all(|run| matches!(run.weights, Weights::Ones));
        let [up, down] = rows;
        let (places, ends) = ([up.start, down.start], [up.end, down.end]);
        Blocks { runs, places, ends, stride: WEIGHED, is_plain }
    }

    /// Leaves the next block behind; its weight.
    #[inline(always)]
    pub fn next_weight<M: Mass>(&mut self) -> Option<M> {
        let [up, down] = self.runs;
        let ([own, other], ends) = (self.places, self.ends);
        let first = own < ends[0] && !(other < ends[1] && down.scores[other] < up.scores[own]);
        if !first && other >= ends[1] {
            return None;
        }
        let score = if first { up.scores[own] } else { down.scores[other] };
        self.places[!first as usize] += 1;
        for (class, run) in self.runs.iter().enumerate() {
            let place = &mut self.places[class];
            while *place < ends[class] && run.scores[*place] == score {
                *place += 1;
            }
        }
        let of = |class: usize, start| M::sum(&self.runs[class].weights, start..self.places[class]);
        Some(of(0, own).plus(of(1, other)))
    }

    /// Leaves blocks behind that weigh at most so much together; what they weigh.
    pub fn skip<M: Mass>(&mut self, most: M) -> M {
        if self.is_plain {
            let ends = self.ahead(most.wide().min(self.left() as u128) as usize);
            let rows = ends[0] - self.places[0] + ends[1] - self.places[1];
            self.places = ends;
            return M::of(rows as u128);
        }
        let mut skipped = M::of(0);
        while self.stride >= NEAR && most - skipped >= M::of(FAR as u128) {
            let ends = self.ahead(self.stride);
            let weight =
                |class: usize| M::sum(&self.runs[class].weights, self.places[class]..ends[class]);
            let weight = weight(0).plus(weight(1));
            if ends == self.places {
                break;
            }
            if weight > most - skipped {
                self.stride = self.stride.min(self.left()) / 2;
                continue;
            }
            (self.places, skipped) = (ends, skipped.plus(weight));
        }
        skipped
    }

    /// How many rows are left.
    pub fn left(&self) -> usize {
        (self.ends[0] - self.places[0]) + (self.ends[1] - self.places[1])
    }

    /// Where blocks end that have at most so many rows together, or a few less.
    pub fn ahead(&self, most: usize) -> [usize; 2] {
        let most = most.min(self.left());
        if most < NEAR {
            return self.places;
        }
        let [up, down] =
            [0, 1].map(|class| &self.runs[class].scores[self.places[class]..self.ends[class]]);
        // Of the first `most` rows, how many are positives: the least number after which no negative
        // is left that is below the next positive.
        let (mut low, mut high) = (most.saturating_sub(down.len()), most.min(up.len()));
        while low < high {
            let middle = (low + high) / 2;
            if up[middle] < down[most - middle - 1] {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let next = match (up.get(low), down.get(most - low)) {
            (Some(own), Some(other)) => Some(if own < other { *own } else { *other }),
            (own, other) => own.or(other).copied(),
        };
        let ends = match next {
            // The block that goes on there is not left behind.
            Some(score) => [
                up[..low].partition_point(|other| *other < score),
                down[..most - low].partition_point(|other| *other < score),
            ],
            None => [low, most - low],
        };
        [self.places[0] + ends[0], self.places[1] + ends[1]]
    }
}
