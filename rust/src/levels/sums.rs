//! Exact sums of weighted numbers from 0 to 1 over adjacent rows.
//!
//! A number is taken 62 bits at a time, and its weight times these bits added to 128 bits, which hold
//! weights below 2^62 in total. One step is enough for most numbers.

use super::Reading;
use crate::keys::Score;
use crate::memory::{Grow, filled, gathered};
use crate::rows::share;
use crate::sorted::runs::{DIGIT, Run, Weights};
use crate::workers::Workers;

/// The terms of a probability.
#[derive(Clone, Copy)]
pub enum Term {
    Expected,
    Variance,
    Squares,
    SquaresOfRest,
}

impl Term {
    pub fn named(name: &str) -> Option<Term> {
        match name {
            "expected" => Some(Term::Expected),
            "variance" => Some(Term::Variance),
            "squares" => Some(Term::Squares),
            "squares_of_rest" => Some(Term::SquaresOfRest),
            _ => None,
        }
    }

    #[inline(always)]
    fn of(self, q: f64) -> f64 {
        match self {
            Term::Expected => q,
            Term::Variance => q * (1.0 - q),
            Term::Squares => q * q,
            Term::SquaresOfRest => (1.0 - q) * (1.0 - q),
        }
    }
}

const BITS: i32 = 62;
const STEP: f64 = (1u64 << BITS) as f64;
const LEVELS: usize = 18; // 62 bits each: every float64 below 1 ends there

/// A sum: what is counted in multiples of 2^-62, of 2^-124, and so on; levels from `used` on are 0.
struct Sum {
    levels: [u128; LEVELS],
    used: usize,
}

impl Sum {
    /// One step is enough for most numbers from 2^-9, of float32 from 2^-38.
    #[inline(always)]
    fn add(&mut self, weight: u64, number: f64) {
        let rest = self.step(0, weight, number * STEP);
        if rest != 0.0 {
            self.add_rest(weight, rest);
        }
    }

    /// What a number that is not from 0 to 1 gives is not used.
    #[inline(always)]
    fn step(&mut self, level: usize, weight: u64, scaled: f64) -> f64 {
        let whole = scaled as i64;
        let more = weight as u128 * whole as u64 as u128;
        self.levels[level] = self.levels[level].wrapping_add(more);
        scaled - whole as f64
    }

    fn add_rest(&mut self, weight: u64, mut rest: f64) {
        for level in 1..LEVELS {
            rest = self.step(level, weight, rest * STEP);
            self.used = self.used.max(level + 1);
            if rest == 0.0 {
                break;
            }
        }
    }

    /// Gives the sum to a segment, and starts again.
    fn finish(&mut self, segment: usize, parts: &mut Vec<Part>) {
        for (level, sum) in self.levels[..self.used].iter_mut().enumerate() {
            if *sum != 0 {
                parts.put(Part { segment, level, sum: std::mem::take(sum) });
            }
        }
        self.used = 1;
    }
}

/// What some rows add to a segment, at one level.
struct Part {
    segment: usize,
    level: usize,
    sum: u128,
}

/// Columns of digits by the power of two that they count.
pub type Digits = Vec<(i32, Vec<i64>)>;

/// Why there are no sums.
#[derive(Debug, PartialEq)]
pub enum Failure {
    Stopped,
    /// Some number is not from 0 to 1.
    OutOfRange,
}

/// The exact sums of weight times term over the rows from each bound to the next.
pub fn level_sums<S: Score>(
    run: &Run<S>,
    bounds: &[i64],
    term: Term,
    reading: Reading,
    workers: &Workers,
) -> Result<Digits, Failure> {
    let segments = bounds.len().saturating_sub(1);
    let row = |place: usize| (bounds[place].max(0) as usize).min(run.scores.len());
    let (first, last) = if segments > 0 { (row(0), row(segments)) } else { (0, 0) };
    let count = last.saturating_sub(first);
    let found = workers.run(|worker| {
        let own = share(count, worker.number, workers.threads);
        let (mut next, end) = (first + own.start, first + own.end);
        let mut segment = bounds.partition_point(|bound| *bound <= next as i64).max(1) - 1;
        let mut sum = Sum { levels: [0; LEVELS], used: 1 };
        let (mut parts, mut inside) = (Vec::new(), true);
        // Bounds that another thread changes may end before the rows.
        while next < end && segment < segments && worker.goes_on() {
            let block = end.min(next + BLOCK);
            while next < block && segment < segments {
                let last = row(segment + 1);
                let to = last.clamp(next, block);
                inside &= add_rows(run, next..to, term, reading, &mut sum);
                next = to;
                if next >= last {
                    sum.finish(segment, &mut parts);
                    segment += 1;
                }
            }
        }
        sum.finish(segment, &mut parts);
        (parts, inside)
    });
    if workers.stopped() {
        return Err(Failure::Stopped);
    }
    if !found.iter().all(|(_, inside)| *inside) {
        return Err(Failure::OutOfRange);
    }
    Ok(digits(found.iter().flat_map(|(parts, _)| parts), segments))
}

/// Rows after which a call may be interrupted.
const BLOCK: usize = 1 << 16;

/// Adds some rows; false where a number is not from 0 to 1.
fn add_rows<S: Score>(
    run: &Run<S>,
    rows: std::ops::Range<usize>,
    term: Term,
    reading: Reading,
    sum: &mut Sum,
) -> bool {
    let mut inside = true;
    let number = |row: usize| term.of(reading.probability(run.scores[row].wide()));
    if let Weights::Ones = run.weights {
        for row in rows {
            let number = number(row);
            inside &= (0.0..=1.0).contains(&number);
            sum.add(1, number);
        }
    } else {
        for row in rows {
            let number = number(row);
            inside &= (0.0..=1.0).contains(&number);
            sum.add(run.weights.at(row), number);
        }
    }
    inside
}

/// Sums of all threads as digits of 31 bits.
fn digits<'a>(parts: impl Iterator<Item = &'a Part>, segments: usize) -> Digits {
    const ABOVE: usize = 4; // digits of 128 bits above the place of the lowest one
    let mut columns = filled(Vec::new(), 2 * LEVELS + ABOVE);
    for part in parts {
        let mut place = 2 * (LEVELS - 1 - part.level); // in digits
        let mut rest = part.sum;
        while rest != 0 {
            let column = &mut columns[place];
            if column.is_empty() {
                column.grow_to(segments, 0);
            }
            column[part.segment] += (rest & ((1 << DIGIT) - 1)) as i64;
            (rest, place) = (rest >> DIGIT, place + 1);
        }
    }
    let lowest = -BITS * LEVELS as i32;
    let powers = (0..).map(|place| lowest + DIGIT as i32 * place);
    let some = |column: &Vec<i64>| column.iter().any(|digit| *digit != 0);
    let mut found: Digits = gathered(powers.zip(columns).filter(|(_, column)| some(column)));
    if found.is_empty() {
        found.put((0, filled(0, segments)));
    }
    found
}
