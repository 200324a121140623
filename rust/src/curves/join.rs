//! The parts of all rows, joined in the order of their keys.

use crate::amounts::{Amount, U256};
use crate::curves::part::Found;
use crate::keys::Score;
use crate::memory::{Grow, filled, room};

/// The totals of one slice.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Total {
    pub positives: u128,
    pub negatives: u128,
    pub doubled_area: U256,
    pub tied_pairs: U256,
    /// Infinite where there are no rows.
    pub lowest: f64,
    pub highest: f64,
}

/// The totals of all slices, and the first slice of each part with what lies below it.
pub struct Joined {
    pub totals: Vec<Total>,
    pub below: Vec<u128>,
}

/// Each slice has its parts one after another.
pub fn join<A: Amount, S: Score>(parts: &[Found<A, S>], slices: usize) -> Joined {
    let empty = Total { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, ..Total::default() };
    let mut totals = filled(empty, slices);
    let mut below = room(parts.len());
    for part in parts {
        let first = part.slices.first().map_or(0, |slice| totals[slice.code as usize].negatives);
        below.put(first);
        for slice in &part.slices {
            let total = &mut totals[slice.code as usize];
            let (positives, negatives) = (slice.positives.wide(), slice.negatives.wide());
            if positives == 0 && negatives == 0 {
                continue; // the start of a slice without rows in this part
            }
            // Every positive of this part is above the negatives of the parts before.
            total.doubled_area = total
                .doubled_area
                .plus(A::wide_area(slice.doubled_area))
                .plus(U256::product(2 * positives, total.negatives));
            total.tied_pairs = total.tied_pairs.plus(A::wide_area(slice.tied_pairs));
            total.positives += positives;
            total.negatives += negatives;
            total.lowest = total.lowest.min(slice.lowest.wide());
            total.highest = total.highest.max(slice.highest.wide());
        }
    }
    Joined { totals, below }
}
