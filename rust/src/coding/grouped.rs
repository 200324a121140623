//! Rows of groups that have numbers.

use super::words::Words;
use crate::memory::{filled, gathered};
use crate::rows::{BLOCK, share};
use crate::workers::{Worker, Workers};
use std::ops::Range;

/// A number with an order; HIGHEST and LOWEST bound all of its type.
pub trait Ordered: Copy + PartialOrd + Send + Sync {
    const HIGHEST: Self;
    const LOWEST: Self;
}

macro_rules! ordered {
    ($($type:ident $highest:ident $lowest:ident),*) => {
        $(impl Ordered for $type {
            const HIGHEST: Self = $type::$highest;
            const LOWEST: Self = $type::$lowest;
        })*
    };
}
ordered!(f64 INFINITY NEG_INFINITY, u32 MAX MIN, i64 MAX MIN, u64 MAX MIN);

/// Calls `each` with blocks of rows and their codes.
fn by_block(
    codes: &Words,
    range: Range<usize>,
    worker: &mut Worker,
    mut each: impl FnMut(Range<usize>, &[u64]),
) {
    let mut words = [0; BLOCK];
    for (number, start) in range.clone().step_by(BLOCK).enumerate() {
        let rows = start..(start + BLOCK).min(range.end);
        codes.read(rows.clone(), &mut words);
        each(rows.clone(), &words[..rows.len()]);
        if number.is_multiple_of(16) && !worker.goes_on() {
            break;
        }
    }
}

/// Writes the lowest and the highest number of each code; codes beyond are left out.
pub fn ends<N: Ordered>(
    codes: &Words,
    column: &[N],
    (low, high): (&mut [N], &mut [N]),
    workers: &Workers,
) {
    let found = workers.run(|worker| {
        let mut ends = filled((N::HIGHEST, N::LOWEST), low.len());
        let range = share(column.len(), worker.number, workers.threads);
        by_block(codes, range, worker, |rows, codes| {
            for (&code, &number) in codes.iter().zip(&column[rows]) {
                if let Some((low, high)) = ends.get_mut(code as usize) {
                    *low = if number < *low { number } else { *low };
                    *high = if number > *high { number } else { *high };
                }
            }
        });
        ends
    });
    low.fill(N::HIGHEST);
    high.fill(N::LOWEST);
    for ends in found {
        for ((low, high), (least, most)) in low.iter_mut().zip(high.iter_mut()).zip(ends) {
            *low = if least < *low { least } else { *low };
            *high = if most > *high { most } else { *high };
        }
    }
}

/// Writes the rows of each code in input order, and where each code starts; on one thread.
pub fn bring_together(codes: &Words, starts: &mut [i64], order: &mut [i64], workers: &Workers) {
    let Some(last) = starts.len().checked_sub(2) else { return };
    let mut own = workers.caller();
    let worker = &mut own;
    starts.fill(0);
    by_block(codes, 0..order.len(), worker, |_, codes| {
        for &code in codes {
            starts[(code as usize).min(last) + 1] += 1;
        }
    });
    for code in 0..=last {
        starts[code + 1] += starts[code];
    }
    let mut next = gathered(starts[..=last].iter().copied());
    by_block(codes, 0..order.len(), worker, |rows, codes| {
        for (row, &code) in rows.zip(codes) {
            let next = &mut next[(code as usize).min(last)];
            // Whoever changes the codes between both passes gets rows of both states.
            if let Some(to) = order.get_mut(*next as usize) {
                *to = row as i64;
            }
            *next += 1;
        }
    });
}
