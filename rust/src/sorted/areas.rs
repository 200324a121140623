//! Areas under the curves of rows that are sorted already: one walk through both classes.

use crate::keys::Score;
use crate::memory::{filled, gathered};
use crate::sorted::runs::{Piece, Run, by_piece, each_positive, pieces};
use crate::workers::Workers;

/// The totals of a slice, as of `curve_points`.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Areas {
    pub positives: u64,
    pub negatives: u64,
    pub doubled_area: u128,
    pub tied_pairs: u128,
}

/// The areas of each slice; None where the call was interrupted.
pub fn sorted_areas<S: Score>(runs: &[Run<S>; 2], workers: &Workers) -> Option<Vec<Areas>> {
    let pieces: Vec<Piece> = pieces(runs, workers);
    let found = by_piece(&pieces, workers, |piece| {
        let areas = |slice: usize| {
            let (rows, mut areas) = (piece.of(runs, slice), Areas::default());
            let (last, mut below) = (rows[1].end, piece.below[1]);
            let end = each_positive(runs, rows, |own, passed, tied| {
                let weight = runs[0].weights.sum(own) as u128;
                let at = runs[1].weights.sum(tied);
                below += runs[1].weights.sum(passed);
                areas.positives += weight as u64;
                areas.doubled_area += weight * (2 * below + at) as u128;
                areas.tied_pairs += weight * at as u128;
                below += at;
            });
            areas.negatives = below - piece.below[1] + runs[1].weights.sum(end..last);
            areas
        };
        gathered(piece.slices.clone().map(areas))
    })?;
    let mut sums = filled(Areas::default(), runs[0].slices());
    for (piece, areas) in pieces.iter().zip(found) {
        for (sum, more) in sums[piece.slices.clone()].iter_mut().zip(areas) {
            sum.positives += more.positives;
            sum.negatives += more.negatives;
            sum.doubled_area += more.doubled_area;
            sum.tied_pairs += more.tied_pairs;
        }
    }
    Some(sums)
}
