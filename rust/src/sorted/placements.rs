//! For each row of a sorted table, the weight of the other class below its score and at it.

use crate::curves::output::WholeNumber;
use crate::keys::Score;
use crate::memory::{Grow, room};
use crate::sorted::runs::{Piece, Run, by_piece, each_positive, pieces};
use crate::workers::Workers;
use std::ops::Range;
use std::sync::Mutex;

/// The columns of one class, to be written.
pub struct Placed<'a, N> {
    pub below: &'a mut [N],
    pub tied: &'a mut [N],
}

impl<'a, N> Placed<'a, N> {
    fn split(self, rows: usize) -> Option<(Self, Self)> {
        let (below, tied) =
            (self.below.split_at_mut_checked(rows)?, self.tied.split_at_mut_checked(rows)?);
        Some((Placed { below: below.0, tied: tied.0 }, Placed { below: below.1, tied: tied.1 }))
    }
}

/// Writes the placements of both classes, as long as their rows; None where the call was
/// interrupted, or where the columns are shorter than the rows.
pub fn placements<S: Score, N: WholeNumber>(
    runs: &[Run<S>; 2],
    mut columns: [Placed<N>; 2],
    workers: &Workers,
) -> Option<()> {
    let pieces: Vec<Piece> = pieces(runs, workers);
    let mut tasks = room(pieces.len());
    for piece in &pieces {
        let [up, down] = columns;
        let (up, down) = (up.split(piece.rows[0].len())?, down.split(piece.rows[1].len())?);
        columns = [up.1, down.1];
        tasks.put(Mutex::new(Some([up.0, down.0])));
    }
    workers.each(pieces.len(), |number| {
        let columns = tasks[number].lock().unwrap_or_else(|e| e.into_inner()).take();
        if let Some(columns) = columns {
            place(runs, &pieces[number], columns);
        }
    });
    (!workers.stopped()).then_some(())
}

fn place<S: Score, N: WholeNumber>(runs: &[Run<S>; 2], piece: &Piece, columns: [Placed<N>; 2]) {
    let [up, down] = columns;
    let first = [piece.rows[0].start, piece.rows[1].start];
    for slice in piece.slices.clone() {
        let rows = piece.of(runs, slice);
        let [mut positives, mut negatives] = piece.below;
        let last = rows[1].end;
        let end = each_positive(runs, rows, |own, passed, tied| {
            let weight = runs[0].weights.sum(own.clone());
            negatives += runs[1].weights.sum(passed.clone());
            let at = runs[1].weights.sum(tied.clone());
            fill(&mut *up.below, own.clone(), first[0], negatives);
            fill(&mut *up.tied, own, first[0], at);
            fill(&mut *down.below, passed.clone(), first[1], positives);
            fill(&mut *down.tied, passed, first[1], 0);
            fill(&mut *down.below, tied.clone(), first[1], positives);
            fill(&mut *down.tied, tied, first[1], weight);
            positives += weight;
            negatives += at;
        });
        fill(&mut *down.below, end..last, first[1], positives);
        fill(&mut *down.tied, end..last, first[1], 0);
    }
}

#[inline(always)]
fn fill<N: WholeNumber>(column: &mut [N], rows: Range<usize>, first: usize, number: u64) {
    let number = N::of(number as u128);
    for place in &mut column[rows.start - first..rows.end - first] {
        *place = number;
    }
}

/// The weight of the heaviest slice, both classes together; None where the call was interrupted.
pub fn heaviest<S: Score>(runs: &[Run<S>; 2], workers: &Workers) -> Option<u64> {
    let pieces: Vec<Piece> = pieces(runs, workers);
    let found = by_piece(&pieces, workers, |piece| {
        let weight = |slice| {
            let [up, down] = piece.of(runs, slice);
            let own = runs[0].weights.sum(up) + runs[1].weights.sum(down);
            own + piece.below[0] + piece.below[1]
        };
        piece.slices.clone().map(weight).max().unwrap_or(0)
    })?;
    Some(found.into_iter().max().unwrap_or(0))
}
