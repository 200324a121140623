//! Isotonic regression: the corners of the lower hull of each slice's cumulative diagram.

use crate::keys::Score;
use crate::runs::{Piece, Run, by_piece, each_positive, pieces};
use crate::workers::Workers;

/// A point of the diagram: the weight of negatives (x) and of positives (y) below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub slice: usize,
    pub x: u64,
    pub y: u64,
}

/// The corners by slice and rising score; None where the call was interrupted.
pub fn level_hull<S: Score>(runs: &[Run<S>; 2], workers: &Workers) -> Option<Vec<Corner>> {
    let pieces = pieces(runs, workers);
    let found = by_piece(&pieces, workers, |piece| {
        let mut hull = Hull::default();
        for slice in piece.slices.clone() {
            add_slice(runs, piece, slice, &mut hull);
        }
        hull.corners
    })?;
    // The hull of a slice in several pieces is that of their corners.
    let mut hull = Hull::default();
    for (piece, corners) in pieces.iter().zip(found) {
        if piece.below == [0, 0] {
            hull.corners.extend(corners);
            hull.first = hull.corners.partition_point(|corner| corner.slice + 1 < piece.slices.end);
        } else {
            corners.into_iter().for_each(|corner| hull.push(corner));
        }
    }
    Some(hull.corners)
}

/// Corners so far; those from `first` on are of the slice that gets more points.
#[derive(Default)]
struct Hull {
    corners: Vec<Corner>,
    first: usize,
}

impl Hull {
    /// Adds a point that is not below the ones before; corners where the line does not turn left go.
    #[inline(always)]
    fn push(&mut self, point: Corner) {
        while let [.., a, b] = self.corners[self.first..] {
            if is_left(a, b, point) && b != point {
                break;
            }
            self.corners.pop();
        }
        if self.corners[self.first..].last() != Some(&point) {
            self.corners.push(point);
        }
    }
}

/// Whether the line from a to c turns left at b.
#[inline(always)]
fn is_left(a: Corner, b: Corner, c: Corner) -> bool {
    let product = |x: u64, y: u64| x as u128 * y as u128;
    product(b.x.wrapping_sub(a.x), c.y.wrapping_sub(b.y))
        > product(c.x.wrapping_sub(b.x), b.y.wrapping_sub(a.y))
}

/// Adds the rows of a slice; a corner is just below a positive score, or at an end.
fn add_slice<S: Score>(runs: &[Run<S>; 2], piece: &Piece, slice: usize, hull: &mut Hull) {
    let rows = piece.of(runs, slice);
    if rows.iter().all(|rows| rows.is_empty()) {
        return;
    }
    hull.first = hull.corners.len();
    let [mut y, mut x] = piece.below;
    let last = rows[1].end;
    hull.push(Corner { slice, x, y });
    let end = each_positive(runs, rows, |own, passed, tied| {
        // Without a negative since the positive below, the point is above that one.
        if !passed.is_empty() {
            x += runs[1].weights.sum(passed);
            hull.push(Corner { slice, x, y });
        }
        y += runs[0].weights.sum(own);
        if !tied.is_empty() {
            x += runs[1].weights.sum(tied);
            hull.push(Corner { slice, x, y });
        }
    });
    x += runs[1].weights.sum(end..last);
    hull.push(Corner { slice, x, y });
}
