//! `curve_sums`: exact sums of a term over the points of curves.

use crate::curves::blocks::{BLOCK, Block, Column, Points};
use crate::elementary::{atanh_tail, one_minus_log1p_ratio};
use crate::memory::{Grow, filled};
use crate::workers::Workers;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is added for each unit of positive weight.
#[derive(Clone, Copy, PartialEq)]
pub enum Term {
    Precision,
    PrSegment,
    DoubledFp,
}

/// Weights of a slice are below this: float64 holds twice of it.
pub const LARGEST: u64 = 1 << 52;

/// An exact sum: whole + high·2^-62 + low·2^-124.
#[derive(Clone, Copy, Default)]
pub struct Sum {
    whole: u128,
    high: u128,
    low: u128,
}

const DIGIT: u32 = 31;
/// Digits of a sum: the lowest counts 2^-124.
pub const DIGITS: usize = 8;
const SHARE: usize = 64; // blocks that a thread takes at a time
const HALF: f64 = (1u64 << 62) as f64;
const SHORT: f64 = 1.0 / 16.0; // z of almost all points

impl Sum {
    fn add(&mut self, other: Sum) {
        self.whole += other.whole;
        self.high += other.high;
        self.low += other.low;
    }

    /// The digits of the sum, each less than 2^32.
    pub fn digits(self) -> [i64; DIGITS] {
        let mut digits = [0; DIGITS];
        for (first, number) in [(0, self.low), (2, self.high), (4, self.whole)] {
            for place in 0..4 {
                let shifted = number >> (DIGIT * place as u32);
                digits[first + place] += (shifted & ((1 << DIGIT) - 1)) as i64;
            }
        }
        digits
    }
}

/// The sum of each slice, whose weights are below `LARGEST`.
///
/// None where a term has a bit below 2^-124, or the call was interrupted.
pub fn curve_sums(points: &Points, term: Term, workers: &Workers) -> Option<Vec<Sum>> {
    let blocks = points.blocks(workers);
    let next = AtomicUsize::new(0);
    let found = workers.run(|worker| {
        let (mut sums, mut columns) = (Vec::new(), Columns::new());
        while worker.goes_on() {
            let first = next.fetch_add(SHARE, Ordering::Relaxed);
            if first >= blocks.len() {
                break;
            }
            for block in &blocks[first..blocks.len().min(first + SHARE)] {
                sums.put((block.slice, columns.sum(points, block, term)?));
            }
        }
        Some(sums)
    });
    let mut sums = filled(Sum::default(), points.slices());
    for found in found {
        for (slice, sum) in found? {
            sums[slice].add(sum);
        }
    }
    (!workers.stopped()).then_some(sums)
}

/// A block: the weights at each point, and at or above it; the terms.
struct Columns {
    own: Column<u64>,
    tied: Column<u64>,
    tp: Column<u64>,
    fp: Column<u64>,
    terms: Column<f64>,
    z: Column<f64>,
}

impl Columns {
    fn new() -> Self {
        let (none, terms) = ([0; BLOCK], [0.0; BLOCK]);
        Columns { own: none, tied: none, tp: none, fp: none, terms, z: terms }
    }

    fn sum(&mut self, points: &Points, block: &Block, term: Term) -> Option<Sum> {
        let count = block.rows.len();
        points.read(block, &mut self.own, &mut self.tp, &mut self.fp);
        if term != Term::Precision {
            points.read_tied(block, &mut self.tied);
        }
        match term {
            Term::Precision => self.precisions(count),
            Term::PrSegment => self.segments(count),
            Term::DoubledFp => return Some(self.doubled_fp(count)),
        }
        weighted(&self.own[..count], &self.terms[..count])
    }

    fn precisions(&mut self, count: usize) {
        let rows = self.tp.iter().zip(&self.fp).zip(&mut self.terms).take(count);
        rows.for_each(|((tp, fp), term)| *term = float(*tp) / float(tp.wrapping_add(*fp)));
    }

    fn doubled_fp(&self, count: usize) -> Sum {
        let rows = self.own.iter().zip(&self.fp).zip(&self.tied).take(count);
        let each = |((own, fp), tied): ((&u64, &u64), &u64)| {
            *own as u128 * (fp << 1).wrapping_sub(*tied) as u128
        };
        Sum { whole: rows.map(each).fold(0, u128::wrapping_add), ..Sum::default() }
    }

    fn segments(&mut self, count: usize) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function needs.
            return unsafe { self.segments_avx2(count) };
        }
        self.segments_of(count)
    }

    /// The same operations, four points at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn segments_avx2(&mut self, count: usize) {
        self.segments_of(count)
    }

    #[inline(always)]
    fn segments_of(&mut self, count: usize) {
        let (own, tied) = (&self.own[..count], &self.tied[..count]);
        let (tp, fp) = (&self.tp[..count], &self.fp[..count]);
        let made = self.terms[..count].iter_mut().zip(&mut self.z[..count]);
        let rows = own.iter().zip(tied).zip(tp.iter().zip(fp)).zip(made);
        for (((own, tied), (tp, fp)), (term, z)) in rows {
            let point = Point::new(*own, *tied, *tp, *fp);
            (*term, *z) = (point.mean_precision(short_ratio(point.y)), point.z);
        }
        for place in 0..count {
            if self.z[place] > SHORT {
                let (own, tied) = (self.own[place], self.tied[place]);
                let point = Point::new(own, tied, self.tp[place], self.fp[place]);
                self.terms[place] = point.long_mean_precision();
            }
        }
    }
}

/// 1 − ln(1+z)/z and ln(1+z)/z for z up to 1/16, as in `one_minus_log1p_ratio`.
#[inline(always)]
fn short_ratio(y: f64) -> (f64, f64) {
    let rest = y - (1.0 - y) * atanh_tail(y, 6);
    (rest, 1.0 - rest)
}

/// A point of the curve, in the letters of the contract.
struct Point {
    alpha: f64,
    beta: f64,
    pi: f64,
    phi: f64,
    y: f64,
    z: f64,
}

impl Point {
    #[inline(always)]
    fn new(own: u64, tied: u64, tp: u64, fp: u64) -> Self {
        let (p, t, a, f) =
            (float(own), float(tied), float(tp.wrapping_sub(own)), float(fp.wrapping_sub(tied)));
        let (block, above) = (p + t, a + f);
        Point {
            alpha: p / block,
            beta: t / block,
            pi: a / above,
            phi: f / above,
            y: block / (2.0 * above + block),
            z: block / above,
        }
    }

    #[inline(always)]
    fn mean_precision(&self, (g, l): (f64, f64)) -> f64 {
        let slope = self.phi * self.alpha - self.beta * self.pi;
        let (upwards, downwards) = (self.pi + slope * g, self.alpha - slope * l);
        let mean = if slope > 0.0 { upwards } else { downwards };
        if mean < 1.0 { mean } else { 1.0 }
    }

    fn long_mean_precision(&self) -> f64 {
        // Above the highest point is nothing.
        if self.z == f64::INFINITY {
            return self.alpha;
        }
        self.mean_precision(one_minus_log1p_ratio(self.z, self.y))
    }
}

/// A whole number below 2^52 as a float; conversions of 64 bits are done one by one.
#[inline(always)]
fn float(whole: u64) -> f64 {
    const WHOLE: f64 = (1u64 << 52) as f64;
    f64::from_bits(whole | WHOLE.to_bits()) - WHOLE
}

/// The exact Σ weight·term for terms from 0 to 1; None where a term has a bit below 2^-124.
fn weighted(weights: &[u64], terms: &[f64]) -> Option<Sum> {
    let (mut sum, mut rests, mut below) = (Sum::default(), [0.0; BLOCK], false);
    for ((weight, term), rest) in weights.iter().zip(terms).zip(&mut rests) {
        let scaled = term * HALF;
        let whole = scaled as i64;
        *rest = scaled - whole as f64;
        below |= *rest != 0.0;
        sum.high += *weight as u128 * whole as u64 as u128;
    }
    if below {
        for (weight, rest) in weights.iter().zip(&rests) {
            let scaled = rest * HALF;
            let whole = scaled as i64;
            if whole as f64 != scaled {
                return None;
            }
            sum.low += *weight as u128 * whole as u64 as u128;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_sum() {
        let sum = weighted(&[3, 1 << 51], &[0.75, (2.0f64).powi(-107)]).unwrap_or_default();
        let digits = sum.digits();
        let value: f64 = (0..DIGITS)
            .map(|place| digits[place] as f64 * 2f64.powi(DIGIT as i32 * place as i32 - 124))
            .sum();
        assert_eq!(value, 2.25 + 2f64.powi(-56));
        assert!(weighted(&[1], &[5e-324]).is_none());
    }

    #[test]
    fn short_ratios_are_the_elementary_ones() {
        for step in 0..1000 {
            let z = f64::from(step) / 16_000.0;
            let y = z / (2.0 + z);
            assert_eq!(short_ratio(y), one_minus_log1p_ratio(z, y));
        }
    }
}
