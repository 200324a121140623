//! Exact sums of weighted numbers from 0 to 1 over adjacent rows.
//!
//! A number is taken 62 bits at a time, and its weight times these bits added to 128 bits, which hold
//! weights below 2^62 in total; what goes beyond is counted. One step is enough for most numbers.

use super::Reading;
use crate::keys::Score;
use crate::memory::{Grow, filled, gathered};
use crate::rows::share;
use crate::sorted::runs::{DIGIT, Run, Weights};
use crate::sums::digits::DigitColumns;
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
    /// How often weights brought a level beyond 128 bits: at most once in four rows.
    carries: [u32; LEVELS],
    used: usize,
}

impl Sum {
    /// One step is enough for most numbers from 2^-9, of float32 from 2^-38.
    #[inline(always)]
    fn add<const WEIGHED: bool>(&mut self, weight: u64, number: f64) {
        let rest = self.step::<WEIGHED>(0, weight, number * STEP);
        if rest != 0.0 {
            self.add_rest::<WEIGHED>(weight, rest);
        }
    }

    /// What a number that is not from 0 to 1 gives is not used.
    #[inline(always)]
    fn step<const WEIGHED: bool>(&mut self, level: usize, weight: u64, scaled: f64) -> f64 {
        let whole = scaled as i64;
        let more = weight as u128 * whole as u64 as u128;
        let (sum, over) = self.levels[level].overflowing_add(more);
        self.levels[level] = sum;
        if WEIGHED {
            self.carries[level] += over as u32;
        }
        scaled - whole as f64
    }

    /// Few rows come here: inside the loop over rows it would slow down all others.
    #[inline(never)]
    fn add_rest<const WEIGHED: bool>(&mut self, weight: u64, mut rest: f64) {
        for level in 1..LEVELS {
            rest = self.step::<WEIGHED>(level, weight, rest * STEP);
            self.used = self.used.max(level + 1);
            if rest == 0.0 {
                break;
            }
        }
    }

    /// Gives the sum to a segment, and starts again.
    fn finish(&mut self, segment: usize, parts: &mut Vec<Part>) {
        for level in 0..self.used {
            let sum = std::mem::take(&mut self.levels[level]);
            let carries = std::mem::take(&mut self.carries[level]);
            if sum != 0 || carries != 0 {
                parts.put(Part { segment, level: level as u32, carries, sum });
            }
        }
        self.used = 1;
    }
}

/// What some rows add to a segment, at one level.
struct Part {
    segment: usize,
    level: u32,
    carries: u32,
    sum: u128,
}

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
) -> Result<DigitColumns, Failure> {
    let segments = bounds.len().saturating_sub(1);
    let row = |place: usize| (bounds[place].max(0) as usize).min(run.scores.len());
    let (first, last) = if segments > 0 { (row(0), row(segments)) } else { (0, 0) };
    let count = last.saturating_sub(first);
    let found = workers.run(|worker| {
        let own = share(count, worker.number, workers.threads);
        let (mut next, end) = (first + own.start, first + own.end);
        let mut segment = bounds.partition_point(|bound| *bound <= next as i64).max(1) - 1;
        let mut sum = Sum { levels: [0; LEVELS], carries: [0; LEVELS], used: 1 };
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
            sum.add::<false>(1, number);
        }
    } else {
        for row in rows {
            let number = number(row);
            inside &= (0.0..=1.0).contains(&number);
            sum.add::<true>(run.weights.at(row), number);
        }
    }
    inside
}

/// Sums of all threads as digits of 31 bits.
fn digits<'a>(parts: impl Iterator<Item = &'a Part>, segments: usize) -> DigitColumns {
    const ABOVE: usize = 5; // digits of 192 bits above the place of the lowest one
    let mut columns = filled(Vec::new(), 2 * LEVELS + ABOVE);
    for part in parts {
        let mut place = 2 * (LEVELS - 1 - part.level as usize); // in digits
        let (mut rest, mut over) = (part.sum, part.carries as u128);
        while rest != 0 || over != 0 {
            let column = &mut columns[place];
            if column.is_empty() {
                column.grow_to(segments, 0);
            }
            column[part.segment] += (rest & ((1 << DIGIT) - 1)) as i64;
            rest = rest >> DIGIT | over << (u128::BITS - DIGIT);
            (over, place) = (over >> DIGIT, place + 1);
        }
    }
    let lowest = -BITS * LEVELS as i32;
    let powers = (0..).map(|place| lowest + DIGIT as i32 * place);
    let some = |column: &Vec<i64>| column.iter().any(|digit| *digit != 0);
    let mut found: DigitColumns = gathered(powers.zip(columns).filter(|(_, column)| some(column)));
    if found.is_empty() {
        found.put((0, filled(0, segments)));
    }
    found
}
