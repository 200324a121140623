//! The points of all parts, written into columns.

use crate::amounts::Amount;
use crate::curves::areas::Curves;
use crate::keys::Score;
use crate::memory::{Grow, filled, room};
use crate::workers::Workers;
use std::any::Any;
use std::sync::Mutex;

/// Numbers of columns, and the letters of their types in the buffer protocol.
pub trait Number: Copy + Send + Sync + 'static {
    const KINDS: &'static [u8];
}

macro_rules! number {
    ($type:ty, $kinds:expr) => {
        impl Number for $type {
            const KINDS: &'static [u8] = $kinds;
        }
    };
}
number!(f32, b"f");
number!(f64, b"d");
number!(u8, b"B?");
number!(i8, b"b");
number!(u16, b"H");
number!(i16, b"h");
number!(u32, b"IL");
number!(i32, b"il");
number!(u64, b"LQ");
number!(i64, b"lq");

/// The type of a column of whole numbers.
pub trait WholeNumber: Number {
    fn of(number: u128) -> Self;
}
impl WholeNumber for u32 {
    #[inline(always)]
    fn of(number: u128) -> u32 {
        number as u32
    }
}
impl WholeNumber for i64 {
    #[inline(always)]
    fn of(number: u128) -> i64 {
        number as i64
    }
}

/// The points of all parts, whatever their types.
pub trait Fill: Any + Send + Sync {
    fn starts(&self) -> &[i64];
    fn count(&self) -> usize;
    fn parts(&self) -> usize;
    /// Whether some score has negatives at it.
    fn tied(&self) -> bool;
    /// How many points a part has.
    fn points(&self, part: usize) -> usize;
    fn as_any(&self) -> &dyn Any;
}

/// The points of all parts, and the first point of each slice.
pub struct Columns<A: Amount, S> {
    curves: Curves<A, S>,
    starts: Vec<i64>,
}

impl<A: Amount, S: Score> Columns<A, S> {
    pub fn new(curves: Curves<A, S>) -> Self {
        let mut starts = filled(0i64, curves.joined.totals.len() + 1);
        for slice in curves.parts.iter().flat_map(|part| &part.slices) {
            starts[slice.code as usize + 1] += slice.points as i64;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Columns { curves, starts }
    }

    fn write<N: WholeNumber>(&self, part: usize, scores: &mut [S], columns: [&mut [N]; 3]) {
        let (points, before) = (self.curves.points(part), self.curves.joined.below[part]);
        let [positives, below, tied] = columns;
        // Only the first slice of a part may have rows in the parts before.
        let slices = &self.curves.parts[part].slices;
        let first = slices.first().map_or(0, |slice| slice.points);
        let rows = positives.iter_mut().zip(below).zip(tied).zip(scores);
        for (place, (point, (((own, low), same), score))) in points.iter().zip(rows).enumerate() {
            let before = if place < first { before } else { 0 };
            (*score, *own) = (point.score, N::of(point.positives.wide()));
            (*low, *same) = (N::of(point.below.wide() + before), N::of(point.tied.wide()));
        }
    }
}

impl<A: Amount, S: Score> Fill for Columns<A, S> {
    fn starts(&self) -> &[i64] {
        &self.starts
    }
    fn count(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }
    fn parts(&self) -> usize {
        self.curves.parts.len()
    }
    fn tied(&self) -> bool {
        let zero = <A::Area>::default();
        let slices = || self.curves.parts.iter().flat_map(|part| &part.slices);
        slices().any(|slice| A::wide_area(slice.tied_pairs) != A::wide_area(zero))
    }
    fn points(&self, part: usize) -> usize {
        self.curves.points(part).len()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Writes scores, positives, below and tied; all columns have one entry for each point.
pub fn fill<S: Score, N: WholeNumber>(
    points: &dyn Fill,
    mut scores: &mut [S],
    mut columns: [&mut [N]; 3],
    workers: &Workers,
) -> Result<(), &'static str> {
    let mut tasks = room(points.parts());
    for part in 0..points.parts() {
        let (count, [a, b, c]) = (points.points(part), columns);
        let (mine, rest) = scores.split_at_mut(count);
        let (a, b, c) = (a.split_at_mut(count), b.split_at_mut(count), c.split_at_mut(count));
        tasks.put(Mutex::new(Some((mine, [a.0, b.0, c.0]))));
        (scores, columns) = (rest, [a.1, b.1, c.1]);
    }
    let take = |part: usize| tasks[part].lock().unwrap_or_else(|e| e.into_inner()).take();
    macro_rules! of_amounts {
        ($type:ty) => {
            if let Some(made) = points.as_any().downcast_ref::<Columns<$type, S>>() {
                workers.each(points.parts(), |part| {
                    if let Some((scores, columns)) = take(part) {
                        made.write(part, scores, columns);
                    }
                });
                return Ok(());
            }
        };
    }
    of_amounts!(u32);
    of_amounts!(u64);
    of_amounts!(u128);
    Err("columns of other types than the points")
}
