//! `curve_most`: the point of each slice that a measure chooses.

use crate::curves::blocks::{Block, Points};
use crate::memory::filled;
use crate::workers::Workers;

/// What chooses a point, given two whole numbers for each slice: `up` and `down`.
#[derive(Clone, Copy, PartialEq)]
pub enum Measure {
    Gain,
    Share,
    Precise,
    Allowed,
    Within,
    Reached,
}

impl Measure {
    pub fn named(name: &str) -> Option<Measure> {
        Some(match name {
            "gain" => Measure::Gain,
            "share" => Measure::Share,
            "precise" => Measure::Precise,
            "allowed" => Measure::Allowed,
            "within" => Measure::Within,
            "reached" => Measure::Reached,
            _ => return None,
        })
    }

    /// Of the points that it chooses, whether the lowest is wanted; else it is the best or highest.
    fn is_lowest(self) -> bool {
        matches!(self, Measure::Precise | Measure::Allowed | Measure::Within)
    }
}

/// A point; place -1: none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    pub place: i64,
    pub tp: u64,
    pub fp: u64,
}

const NONE: Chosen = Chosen { place: -1, tp: 0, fp: 0 };

/// The point of each slice that a measure chooses; up, down: its numbers for each slice.
///
/// None where the call was interrupted.
pub fn curve_most(
    points: &Points,
    measure: Measure,
    up: &[i64],
    down: &[i64],
    workers: &Workers,
) -> Option<Vec<Chosen>> {
    let blocks = points.blocks(workers);
    let mut chosen = filled(NONE, points.slices());
    for blocks in blocks.chunk_by(|left, right| left.slice == right.slice) {
        let slice = blocks[0].slice;
        let choice = Choice { measure, up: up[slice] as u64, down: down[slice] as u64 };
        chosen[slice] = choice.among(points, blocks);
        if workers.stopped() {
            return None;
        }
    }
    Some(chosen)
}

/// A measure with the numbers of one slice.
#[derive(Clone, Copy)]
struct Choice {
    measure: Measure,
    up: u64,
    down: u64,
}

impl Choice {
    /// Looks at the first point of each block, then at blocks that may have a better one.
    fn among(&self, points: &Points, blocks: &[Block]) -> Chosen {
        let mut best = NONE;
        if !self.measure.is_lowest() {
            for block in blocks {
                self.look(points, block.slice, block.rows.start, block.tp, &mut best);
            }
        }
        for (place, block) in blocks.iter().enumerate() {
            let above = match blocks.get(place + 1) {
                Some(next) => next.tp,
                None => 0, // at least so much
            };
            let last = block.rows.end - 1;
            // Of all points of the block, the most positives and the fewest negatives.
            let (place, fp) = (last as i64, points.fp(block.slice, last));
            if self.may_improve(Chosen { place, tp: block.tp, fp }, above, best) {
                let mut tp = block.tp;
                for place in block.rows.clone() {
                    self.look(points, block.slice, place, tp, &mut best);
                    tp = tp.wrapping_sub(points.own(place));
                }
                if self.measure.is_lowest() && best != NONE {
                    break;
                }
            }
        }
        best
    }

    fn look(&self, points: &Points, slice: usize, place: usize, tp: u64, best: &mut Chosen) {
        let fp = points.fp(slice, place);
        let here = Chosen { place: place as i64, tp, fp };
        if self.is_better(here, *best) {
            *best = here;
        }
    }

    /// Whether a point is chosen rather than the best of some others.
    fn is_better(&self, here: Chosen, best: Chosen) -> bool {
        let Chosen { tp, fp, .. } = here;
        let rises = here.place > best.place;
        match self.measure {
            Measure::Gain => {
                let (mine, other) = (self.gain(tp, fp), self.gain(best.tp, best.fp));
                mine > other || (best != NONE && rises && mine == other)
            }
            Measure::Share => {
                if tp < self.up || best == NONE {
                    return tp >= self.up;
                }
                let (mine, other) = (self.share(here, best), self.share(best, here));
                mine > other || (rises && mine == other)
            }
            Measure::Precise => best == NONE && product(self.up, tp) >= product(self.down, fp),
            Measure::Allowed => best == NONE && fp <= self.down,
            Measure::Within => best == NONE && tp.wrapping_add(fp) <= self.down,
            Measure::Reached => rises && tp >= self.up,
        }
    }

    /// Whether a block may have a better point; above: positives above the block.
    fn may_improve(&self, bound: Chosen, above: u64, best: Chosen) -> bool {
        match self.measure {
            Measure::Within => best == NONE && above.wrapping_add(bound.fp) <= self.down,
            _ => self.is_better(bound, best),
        }
    }

    fn gain(&self, tp: u64, fp: u64) -> i128 {
        (product(self.up, tp) as i128).wrapping_sub(product(self.down, fp) as i128)
    }

    /// One share with the denominator of another.
    fn share(&self, of: Chosen, other: Chosen) -> u128 {
        let called = (other.tp as u128) + other.fp as u128 + self.down as u128;
        (of.tp as u128).wrapping_mul(called)
    }
}

fn product(left: u64, right: u64) -> u128 {
    left as u128 * right as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::blocks::Whole;

    const MEASURES: [Measure; 6] = [
        Measure::Gain,
        Measure::Share,
        Measure::Precise,
        Measure::Allowed,
        Measure::Within,
        Measure::Reached,
    ];

    /// The same by looking at every point, without blocks.
    fn by_looking(points: &Points, slice: usize, choice: Choice) -> Chosen {
        let (mut best, mut tp) = (NONE, points.upwards.0[slice] as u64);
        for place in points.rows(slice) {
            choice.look(points, slice, place, tp, &mut best);
            tp -= points.own(place);
        }
        best
    }

    #[test]
    fn blocks_hide_no_better_point() {
        let mut state = 1u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % most
        };
        for _ in 0..300 {
            let count = random(2000) as usize;
            let cut = random(count as u64 + 1) as i64;
            let (many, few) = (random(5) + 1, random(40) + 1);
            let own: Vec<u32> = (0..count).map(|_| random(3) as u32 + 1).collect();
            let mut below: Vec<i64> = (0..count)
                .map(|_| if random(few) == 0 { random(many) as i64 } else { 0 })
                .collect();
            for place in 1..count {
                below[place] += if place as i64 == cut { 0 } else { below[place - 1] };
            }
            let points = Points {
                starts: &[0, cut, count as i64],
                positives: Some(Whole::U32(&own)),
                below: Whole::I64(&below),
                tied: None,
                upwards: (&[6000, 6000], &[8000, 9000]),
            };
            let workers = Workers::new(1, &|| false);
            for measure in MEASURES {
                let (up, down) = (random(9000), random(9000));
                let choice = Choice { measure, up, down };
                let [up, down] = [[up as i64; 2], [down as i64; 2]];
                let found = curve_most(&points, measure, &up, &down, &workers);
                let expected = [0, 1].map(|slice| by_looking(&points, slice, choice));
                assert_eq!(found, Some(expected.to_vec()));
            }
        }
    }
}
