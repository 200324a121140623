//! Bins of equal mass: a tied block goes where its middle is.

use super::blocks::Blocks;
use crate::keys::Score;
use crate::memory::{Grow, room};
use crate::sorted::runs::{Piece, Run, by_piece, pieces};
use crate::workers::Workers;

/// The first row of a bin in both classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    pub slice: usize,
    pub number: u64,
    pub rows: [usize; 2],
}

/// What is known of the slices: their weight, the part of it below these rows, and how many bins.
#[derive(Clone, Copy)]
pub struct Masses<'a> {
    pub totals: &'a [u64],
    pub below: &'a [u64],
    pub bins: u64,
}

/// The bins that have rows, by slice and number; None where the call was interrupted.
pub fn level_bins<S: Score>(
    runs: &[Run<S>; 2],
    masses: Masses,
    workers: &Workers,
) -> Option<Vec<Bin>> {
    let pieces = pieces(runs, workers);
    let found = by_piece(&pieces, workers, |piece| {
        let mut bins = Vec::new();
        for slice in piece.slices.clone() {
            bins_of(runs, piece, slice, masses, &mut bins);
        }
        bins
    })?;
    let mut bins = room(found.iter().map(Vec::len).sum());
    found.iter().for_each(|found| bins.put_slice(found));
    // A bin may go on in the next piece of its slice.
    bins.dedup_by_key(|bin| (bin.slice, bin.number));
    Some(bins)
}

/// The bins of the rows of one slice.
fn bins_of<S: Score>(
    runs: &[Run<S>; 2],
    piece: &Piece,
    slice: usize,
    masses: Masses,
    bins: &mut Vec<Bin>,
) {
    let doubled = 2 * masses.totals[slice].max(1) as u128;
    let mut blocks = Blocks::new(runs, piece.of(runs, slice));
    let mut below = masses.below[slice].wrapping_add(piece.below[0]).wrapping_add(piece.below[1]);
    let mut edge = 0u64; // twice the weight from which the next bin starts
    loop {
        below = below.wrapping_add(blocks.skip((edge / 2).saturating_sub(below)));
        let rows = blocks.places;
        let Some(weight) = blocks.next_weight() else { break };
        let middle = (2 * below).wrapping_add(weight);
        if middle >= edge {
            let number = middle as u128 * masses.bins as u128 / doubled;
            bins.put(Bin { slice, number: number as u64, rows });
            edge = (doubled * (number + 1)).div_ceil(masses.bins as u128) as u64;
        }
        below = below.wrapping_add(weight);
    }
}
