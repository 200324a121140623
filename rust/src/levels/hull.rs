//! Isotonic regression: the corners of the lower hull of each slice's cumulative diagram.

use super::blocks::{Blocks, FAR};
use crate::keys::Score;
use crate::memory::Grow;
use crate::sorted::runs::{Piece, Run, by_piece, each_positive, pieces};
use crate::workers::Workers;
use std::ops::Range;

/// A point of the diagram: the weight of negatives (x) and of positives (y) below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub slice: usize,
    pub x: u64,
    pub y: u64,
}

/// The corners by slice and rising score; None where the call was interrupted.
pub fn level_hull<S: Score>(runs: &[Run<S>; 2], workers: &Workers) -> Option<Vec<Corner>> {
    let pieces: Vec<Piece> = pieces(runs, workers);
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
            hull.corners.put_all(corners);
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
            self.corners.put(point);
        }
    }
}

/// Whether the line from a to c turns left at b.
#[inline(always)]
fn is_left(a: Corner, b: Corner, c: Corner) -> bool {
    product(b.x - a.x, c.y - b.y) > product(c.x - b.x, b.y - a.y)
}

#[inline(always)]
fn product(x: u64, y: u64) -> u128 {
    x as u128 * y as u128
}

/// Slices with fewer rows are read row by row.
const LONG: usize = 2048;
const RANGE: usize = 128; // rows between two points of the grid

/// Adds the rows of a slice.
fn add_slice<S: Score>(runs: &[Run<S>; 2], piece: &Piece, slice: usize, hull: &mut Hull) {
    let rows = piece.of(runs, slice);
    let count = rows[0].len() + rows[1].len();
    if count == 0 {
        return;
    }
    hull.first = hull.corners.len();
    let [y, x] = piece.below;
    let start = Point { corner: Corner { slice, x, y }, rows: [rows[0].start, rows[1].start] };
    hull.push(start.corner);
    if count < LONG {
        return add_rows(runs, start, rows.map(|rows| rows.end), hull);
    }
    let points = grid(runs, rows, start);
    for line in corners(&points).windows(2) {
        let (a, b) = (points[line[0]].corner, points[line[1]].corner);
        for range in line[0]..line[1] {
            let [start, end] = [&points[range], &points[range + 1]];
            if is_below(a, b, start.corner, end.corner) {
                add_rows(runs, *start, end.rows, hull);
            }
        }
        hull.push(b);
    }
}

/// A point of the diagram, and the first row of each class that is not below it.
#[derive(Clone, Copy)]
struct Point {
    corner: Corner,
    rows: [usize; 2],
}

/// Points about a hundred rows apart, from the start to the end of some rows.
fn grid<S: Score>(runs: &[Run<S>; 2], rows: [Range<usize>; 2], start: Point) -> Vec<Point> {
    let mut blocks = Blocks::new(runs, rows);
    let mut points = vec![start];
    let mut last = start;
    while blocks.places != blocks.ends {
        let ends = blocks.ahead(RANGE);
        if ends != blocks.places {
            blocks.places = ends;
        } else if blocks.left() < FAR {
            blocks.places = blocks.ends;
        } else if blocks.next_weight::<u64>().is_none() {
            break;
        }
        let weight = |class: usize| runs[class].weights.sum(last.rows[class]..blocks.places[class]);
        last.corner.y += weight(0);
        last.corner.x += weight(1);
        last.rows = blocks.places;
        points.put(last);
    }
    points
}

/// The numbers of the points that are corners of their hull.
fn corners(points: &[Point]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        while let [.., a, b] = found[..] {
            if is_left(points[a].corner, points[b].corner, point.corner) {
                break;
            }
            found.pop();
        }
        found.put(number);
    }
    found
}

/// Whether the lower right corner of a range, from one point to the next, is below a line from a
/// to b: no point of another range is.
fn is_below(a: Corner, b: Corner, start: Corner, end: Corner) -> bool {
    product(end.x - a.x, b.y - a.y) > product(start.y - a.y, b.x - a.x)
}

/// Adds the points after a known one; a corner is just below a positive score, or at an end.
fn add_rows<S: Score>(runs: &[Run<S>; 2], start: Point, ends: [usize; 2], hull: &mut Hull) {
    let rows = [start.rows[0]..ends[0], start.rows[1]..ends[1]];
    let Corner { slice, mut x, mut y } = start.corner;
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
    x += runs[1].weights.sum(end..ends[1]);
    hull.push(Corner { slice, x, y });
}
