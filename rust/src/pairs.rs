//! Pairs of rows in the wrong order, for rank correlations.

use crate::amounts::{Amount, Counted};
use crate::memory::{Grow, room};
use crate::partition::scatter::Row;
use crate::workers::{Worker, Workers};
use std::ops::Range;

/// Of each slice Σ weight · weight over pairs whose later row has the lower code; None where the call
/// was interrupted. Rows come slice by slice, with `starts` and the end; they are moved.
pub fn inversions<W: Counted<A>, A: Amount>(
    rows: &mut [Row<u32, W>],
    starts: &[i64],
    workers: &Workers,
) -> Option<Vec<u128>> {
    let slice = |place: usize| starts[place] as usize..starts[place + 1] as usize;
    let slices = (0..starts.len().saturating_sub(1)).map(slice);
    let longest = slices.clone().map(|range| range.len()).max().unwrap_or(0);
    let (mut worker, mut ones, mut sums) = (workers.caller(), room(longest), room(slices.len()));
    for range in slices {
        let sum = disorder(&mut rows[range], &mut ones, &mut worker);
        sums.put(A::wide_area(sum).0);
    }
    (!workers.stopped()).then_some(sums)
}

/// Blocks of so few rows are compared pair by pair.
const FEW: usize = 32;
/// Blocks of fewer rows do not ask whether the call was interrupted.
const LONG: usize = 1 << 12;

/// Two codes differ first in some bit. So rows are split bit by bit, from the highest: in a block all
/// agree above the bit, and a pair is in the wrong order where a row without it comes after one that
/// has it. One half of a block after the other, so that small blocks stay in the cache.
fn disorder<W: Counted<A>, A: Amount>(
    rows: &mut [Row<u32, W>],
    ones: &mut Vec<Row<u32, W>>,
    worker: &mut Worker,
) -> A::Area {
    let highest = rows.iter().fold(0, |all, row| all | row.word);
    let mut sum = A::Area::default();
    // Blocks to do, and the bit to split them by: each bit leaves one for later.
    let mut blocks = [const { (0..0, 0) }; 1 + u32::BITS as usize];
    blocks[0] = (0..rows.len(), u32::BITS - highest.leading_zeros());
    let mut left = 1;
    while left > 0 {
        left -= 1;
        let (range, bits): (Range<usize>, u32) = blocks[left].clone();
        let block = &mut rows[range.clone()];
        if bits == 0 || (block.len() > LONG && !worker.goes_on()) {
            continue;
        }
        if block.len() <= FEW {
            sum = A::plus_area(sum, all_pairs(block));
            continue;
        }
        let (more, zeros) = split(block, ones, bits - 1);
        sum = A::plus_area(sum, more);
        let middle = range.start + zeros;
        blocks[left] = (middle..range.end, bits - 1);
        blocks[left + 1] = (range.start..middle, bits - 1);
        left += 2;
    }
    sum
}

fn all_pairs<W: Counted<A>, A: Amount>(rows: &[Row<u32, W>]) -> A::Area {
    let mut sum = A::Area::default();
    for (place, later) in rows.iter().enumerate() {
        let mut above = A::default();
        for row in &rows[..place] {
            let weight = row.weight.amount(1.0);
            above = above.plus(if row.word > later.word { weight } else { A::default() });
        }
        sum = A::plus_area(sum, later.weight.amount(1.0).product(above));
    }
    sum
}

/// Brings rows without a bit to the front, in their order; the weight of pairs that were in the wrong
/// order, and how many rows have no such bit.
fn split<W: Counted<A>, A: Amount>(
    rows: &mut [Row<u32, W>],
    ones: &mut Vec<Row<u32, W>>,
    bit: u32,
) -> (A::Area, usize) {
    ones.clear();
    ones.grow_to(rows.len(), Row::default()); // there is room for all rows of the slice
    let (mut sum, mut ahead) = (A::Area::default(), A::default());
    let (mut zeros, mut others) = (0, 0);
    for place in 0..rows.len() {
        // Each row is written to both, and stays in one: no branch.
        let (row, has) = (rows[place], rows[place].word >> bit & 1 == 1);
        let weight = row.weight.amount(1.0);
        (rows[zeros], ones[others]) = (row, row);
        sum = A::plus_area(sum, (if has { A::default() } else { weight }).product(ahead));
        ahead = ahead.plus(if has { weight } else { A::default() });
        (zeros, others) = (zeros + !has as usize, others + has as usize);
    }
    rows[zeros..].copy_from_slice(&ones[..others]);
    (sum, zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_all_rows() {
        let mut state = 9u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for (rows, codes) in [(0, 1), (1, 1), (2, 2), (40, 3), (500, 70), (3000, 1 << 31)] {
            let drawn: Vec<_> = (0..rows)
                .map(|_| Row { word: next(codes) as u32, weight: 1 + next(1 << 40) })
                .collect();
            let cut = next(rows + 1) as usize;
            let starts = [0, cut as i64, cut as i64, rows as i64];
            let literal = |part: &[Row<u32, u64>], weight: fn(u64) -> u128| -> u128 {
                let earlier = |place: usize| part[..place].iter();
                let pair = |row: &Row<u32, u64>, later: &Row<u32, u64>| {
                    let wrong = (row.word > later.word) as u128;
                    wrong * weight(row.weight) * weight(later.weight)
                };
                (0..part.len())
                    .map(|n| earlier(n).map(|row| pair(row, &part[n])).sum::<u128>())
                    .sum()
            };
            let parts = [&drawn[..cut], &[], &drawn[cut..]];
            let workers = Workers::new(1, &|| false);
            let found = inversions::<u64, u64>(&mut drawn.clone(), &starts, &workers).unwrap();
            assert_eq!(found, parts.map(|part| literal(part, u128::from)));
            let mut plain: Vec<_> =
                drawn.iter().map(|row| Row { word: row.word, weight: () }).collect();
            let found = inversions::<(), u32>(&mut plain, &starts, &workers).unwrap();
            assert_eq!(found, parts.map(|part| literal(part, |_| 1)));
        }
    }
}
