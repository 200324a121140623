//! Bins of equal mass: a tied block goes where its middle is.

use super::blocks::{Blocks, WEIGHED};
use crate::keys::Score;
use crate::memory::{Grow, room};
use crate::sorted::runs::{Mass, Piece, Run, by_piece, pieces};
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
pub struct Masses<'a, M> {
    pub totals: &'a [M],
    pub below: &'a [M],
    pub bins: u64,
}

/// The bins that have rows, by slice and number; None where the call was interrupted.
///
/// M holds twice the weight of a slice, and 128 bits hold that times the bins.
pub fn level_bins<S: Score, M: Mass>(
    runs: &[Run<S>; 2],
    masses: Masses<M>,
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
fn bins_of<S: Score, M: Mass>(
    runs: &[Run<S>; 2],
    piece: &Piece<M>,
    slice: usize,
    masses: Masses<M>,
    bins: &mut Vec<Bin>,
) {
    let doubled = 2 * masses.totals[slice].wide().max(1);
    let mut blocks = Blocks::new(runs, piece.of(runs, slice));
    let mut below = masses.below[slice].plus(piece.below[0]).plus(piece.below[1]);
    let mut edge = M::of(0); // twice the weight from which the next bin starts
    loop {
        let half = M::of(edge.wide() / 2);
        below = below.plus(blocks.skip(half.max(below) - below));
        let rows = blocks.places;
        let Some(weight) = blocks.next_weight() else { break };
        let middle = below.plus(below).plus(weight);
        if middle >= edge {
            let number = middle.wide() * masses.bins as u128 / doubled;
            bins.put(Bin { slice, number: number as u64, rows });
            edge = M::of((doubled * (number + 1)).div_ceil(masses.bins as u128));
            blocks.stride = WEIGHED;
        }
        below = below.plus(weight);
    }
}
