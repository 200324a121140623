//! Exact sums of columns by code, the ends of a column, and codes of bins.

use crate::memory::{filled, gathered};
use crate::rows::{BLOCK, share};
use crate::sums::exact::ExactSums;
use crate::sums::row_terms::{Columns, Line, Weights, read_scores};
use crate::vectors::with_avx2;
use crate::workers::Workers;
use std::ops::Range;
use std::sync::Mutex;

/// The exact sum of value times weight for each code; values are not `Weights::One`.
pub fn sums_by_code(
    line: Line,
    rows: usize,
    values: Weights,
    weights: Weights,
    workers: &Workers,
) -> ExactSums {
    let made = workers.run(|worker| {
        let mut sums = ExactSums::new(line.size);
        let rows = share(rows, worker.number, workers.threads);
        for first in rows.clone().step_by(BLOCK) {
            add_block(&mut sums, line, first..(first + BLOCK).min(rows.end), values, weights);
            if !worker.goes_on() {
                break;
            }
        }
        sums
    });
    let mut made = made.into_iter();
    let first = made.next().unwrap_or_else(|| ExactSums::new(line.size));
    made.fold(first, |mut sums, more| {
        sums.merge(more);
        sums
    })
}

fn add_block(
    sums: &mut ExactSums,
    line: Line,
    rows: Range<usize>,
    values: Weights,
    weights: Weights,
) {
    let (mut codes, count) = ([0; BLOCK], rows.len());
    let (mut value, mut weight) = ([[0.0; BLOCK]; 2], [[0.0; BLOCK]; 2]);
    line.read(rows.clone(), &mut codes);
    let at = line.at(&codes[..count]);
    let read = |column: Weights, [low, high]: &mut [[f64; BLOCK]; 2]| {
        1 + usize::from(column.read(rows.clone(), &mut low[..count], &mut high[..count]))
    };
    let (parts, others) = (read(values, &mut value), read(weights, &mut weight));
    for value in &mut value[..parts] {
        if let Weights::One = weights {
            sums.add_and_overwrite(at, &mut value[..count]);
            continue;
        }
        for weight in &weight[..others] {
            sums.add_products(at, &value[..count], &weight[..count]);
        }
    }
}

/// Rows by code; `chosen`: those of these rows that are not 0.
pub fn count_codes(line: Line, rows: usize, chosen: Option<&[u8]>, workers: &Workers) -> Vec<i64> {
    let made = workers.run(|worker| {
        let (mut counts, mut codes) = (filled(0, line.size), [0; BLOCK]);
        let rows = share(rows, worker.number, workers.threads);
        for first in rows.clone().step_by(BLOCK) {
            let rows = first..(first + BLOCK).min(rows.end);
            line.read(rows.clone(), &mut codes);
            let codes = &codes[..rows.len()];
            match chosen {
                None => codes.iter().for_each(|code| counts[*code as usize] += 1),
                Some(chosen) => {
                    for (code, chosen) in codes.iter().zip(&chosen[rows]) {
                        counts[*code as usize] += i64::from(*chosen != 0);
                    }
                }
            }
            if !worker.goes_on() {
                break;
            }
        }
        counts
    });
    let mut sums = filled(0, line.size);
    for counts in made {
        sums.iter_mut().zip(counts).for_each(|(sum, count): (&mut i64, i64)| *sum += count);
    }
    sums
}

/// The least and the largest number, both NaN where one is; 0 without any.
pub fn ends<T: Copy + Sync + Into<f64>>(
    values: &[T],
    ends_of: impl Fn(&[T]) -> [f64; 2] + Sync,
    workers: &Workers,
) -> [f64; 2] {
    let Some(first) = values.first() else { return [0.0; 2] };
    let first: f64 = (*first).into();
    let made = workers.run(|worker| {
        let rows = &values[share(values.len(), worker.number, workers.threads)];
        let mut found = [first; 2];
        for block in rows.chunks(1 << 14) {
            found = wider(found, ends_of(block));
            if !worker.goes_on() {
                break;
            }
        }
        found
    });
    made.into_iter().fold([first; 2], wider)
}

fn wider(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    if one[0].is_nan() || other[0].is_nan() {
        return [f64::NAN; 2];
    }
    [one[0].min(other[0]), one[1].max(other[1])]
}

macro_rules! ends_of {
    ($values:expr, $type:ty) => {{
        const LANES: usize = 16;
        let (mut low, mut high) = ([<$type>::INFINITY; LANES], [<$type>::NEG_INFINITY; LANES]);
        let mut spoilt = [false; LANES];
        let (whole, rest) = $values.as_chunks::<LANES>();
        for values in whole {
            for lane in 0..LANES {
                let value = values[lane];
                low[lane] = if value < low[lane] { value } else { low[lane] };
                high[lane] = if value > high[lane] { value } else { high[lane] };
                spoilt[lane] |= value.is_nan();
            }
        }
        for (lane, value) in rest.iter().enumerate() {
            (low[lane], high[lane]) = (low[lane].min(*value), high[lane].max(*value));
            spoilt[lane] |= value.is_nan();
        }
        if spoilt.contains(&true) {
            return [f64::NAN; 2];
        }
        let low = low.into_iter().fold(<$type>::INFINITY, <$type>::min);
        let high = high.into_iter().fold(<$type>::NEG_INFINITY, <$type>::max);
        [f64::from(low), f64::from(high)]
    }};
}

with_avx2! {
    /// The ends of a block, NaN where a value is.
    pub fn single_ends, single_ends_plain, single_ends_avx2(values: &[f32]) -> [f64; 2] {
        ends_of!(values, f32)
    }

    /// The ends of a block, NaN where a value is.
    pub fn double_ends, double_ends_plain, double_ends_avx2(values: &[f64]) -> [f64; 2] {
        ends_of!(values, f64)
    }
}

/// The bin of each row's probability: how many of the edges 1/B, 2/B, … are not above it.
pub fn bin_codes(columns: &Columns, bins: usize, codes: &mut [i64], workers: &Workers) {
    let edges: Vec<_> = gathered((0..=bins).map(|bin| bin as f64 / bins as f64));
    let blocks: Vec<_> = gathered(codes.chunks_mut(BLOCK * 16).map(Mutex::new));
    workers.each(blocks.len(), |number| {
        let mut block = blocks[number].lock().unwrap_or_else(|e| e.into_inner());
        for (place, codes) in block.chunks_mut(BLOCK).enumerate() {
            let (first, count) = ((number * 16 + place) * BLOCK, codes.len());
            let (mut scores, mut chances) = ([0.0; BLOCK], [0.0; BLOCK]);
            let (scores, chances) = (&mut scores[..count], &mut chances[..count]);
            read_scores(columns, first..first + count, scores, chances);
            for (code, chance) in codes.iter_mut().zip(chances) {
                *code = bin(*chance, &edges);
            }
        }
    });
}

/// edges: the lower end of each bin, and 1
#[inline(always)]
fn bin(chance: f64, edges: &[f64]) -> i64 {
    const WHOLE: f64 = (1u64 << 52) as f64;
    let last = edges.len() - 1;
    // To add 2^52 rounds to the nearest edge, the last bits of the sum: a conversion takes longer.
    let near = (chance * last as f64 + WHOLE).to_bits() as u32 as usize;
    let near = near.min(last);
    (near as i64 - i64::from(chance < edges[near])).min(last as i64 - 1)
}
