//! The areas of all pairs of slices: positives of one against negatives of another.
//!
//! The rows of the smaller class are points: each is compared with the sums of all slices of the
//! other class, so the time is that of points times slices.

use crate::memory::filled;
use crate::sorted::runs::{Mass, Weights};
use crate::workers::Workers;

/// Rows by rising score.
///
/// edges: where each run of equal scores starts, and the end of all
#[derive(Clone, Copy)]
pub struct ScoredRows<'a> {
    pub edges: &'a [i64],
    pub positive: &'a [u8],
    pub codes: &'a [u32],
    pub weights: Weights<'a>,
}

/// weights: of the points and of the others, by slice
/// areas: by slice of the point, then of the other: Σ weight of the point · (twice the weight of
/// others below it, and once that at its score)
pub struct PointAreas<M: Mass> {
    pub weights: [Vec<M>; 2],
    pub areas: Vec<M::Area>,
}

/// Rows between two questions whether the call was interrupted.
const PATIENCE: usize = 1 << 12;

/// The areas of so many slices; positive_points: the class of the points. None where the call was
/// interrupted; a code that is too large is a panic.
pub fn point_areas<M: Mass>(
    rows: &ScoredRows,
    positive_points: bool,
    count: usize,
    workers: &Workers,
) -> Option<PointAreas<M>> {
    let mut areas = filled(M::Area::default(), count * count);
    let mut weights = [(); 2].map(|_| filled(M::default(), count));
    // Twice the weight below, and in the middle of a block once that at its score.
    let mut doubled = filled(M::default(), count);
    let (mut worker, mut asked) = (workers.caller(), 0);
    for edge in rows.edges.windows(2) {
        let block = edge[0] as usize..edge[1] as usize;
        if block.end - asked >= PATIENCE {
            if !worker.goes_on() {
                return None;
            }
            asked = block.end;
        }
        let own = |row: &usize| (rows.positive[*row] != 0) == positive_points;
        let add = |sums: &mut [M], row: usize| {
            let sum = &mut sums[rows.codes[row] as usize];
            *sum = sum.plus(M::at(&rows.weights, row));
        };
        for row in block.clone().filter(|row| !own(row)) {
            add(&mut doubled, row);
        }
        for row in block.clone().filter(own) {
            let (weight, code) = (M::at(&rows.weights, row), rows.codes[row] as usize);
            for (area, pairs) in areas[code * count..][..count].iter_mut().zip(&doubled) {
                *area = M::plus_area(*area, weight.product(*pairs));
            }
            add(&mut weights[0], row);
        }
        for row in block.filter(|row| !own(row)) {
            add(&mut doubled, row);
            add(&mut weights[1], row);
        }
    }
    Some(PointAreas { weights, areas })
}
