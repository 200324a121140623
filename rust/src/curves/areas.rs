//! `curve_points`: the curves of all slices.

use crate::amounts::{Amount, Counted};
use crate::curves::few;
use crate::curves::join::{Joined, join};
use crate::curves::part::{Found, Point, Scratch, Wanted, finish};
use crate::curves::part_area::PartArea;
use crate::curves::rare;
use crate::keys::{Key, Score};
use crate::memory::{self, Grow, gathered};
use crate::partition::scatter::partition;
use crate::partition::slices::SliceFacts;
use crate::rows::{self, Chunk};
use crate::workers::Workers;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The curves of all slices: totals, the parts, and the points that each thread found.
pub struct Curves<A: Amount, S> {
    pub joined: Joined,
    pub parts: Vec<Found<A, S>>,
    points: Vec<Vec<Point<A, S>>>,
}

impl<A: Amount, S> Curves<A, S> {
    pub fn points(&self, part: usize) -> &[Point<A, S>] {
        let part = &self.parts[part];
        &self.points[part.thread][part.points.clone()]
    }
}

/// None where there is no memory, or the call was interrupted.
pub fn curve_points<K: Key, W: Counted<A>, A: Amount>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    scale: f64,
    points: bool,
    workers: &Workers,
) -> Option<Curves<A, K::Score>> {
    if !K::SLICED
        && let Some((sums, points)) = few::counted(chunks, scale, points, workers)
    {
        let parts = vec![Found { slices: vec![sums], thread: 0, points: 0..points.len() }];
        return Some(Curves { joined: join(&parts, 1), parts, points: vec![points] });
    }
    if W::ONE && !K::SLICED && !points {
        if let Some(total) = rare::total(chunks, workers) {
            let joined = Joined { totals: vec![total], below: Vec::new() };
            return (!workers.stopped()).then_some(Curves {
                joined,
                parts: Vec::new(),
                points: Vec::new(),
            });
        }
        if workers.stopped() {
            return None;
        }
    }
    let parts = partition::<K, W>(chunks, facts, workers)?;
    let full = |part: &usize| parts.count(*part, 0) + parts.count(*part, 1) > 0;
    let all_parts = 0..parts.codes.len();
    let outer = [all_parts.clone().find(full), all_parts.clone().rev().find(full)]
        .map(|part| part.unwrap_or(0));
    let wanted = Wanted::<K> { frame: facts.frame, scale, points, outer };
    // Half as many points again as a thread finds; pages that it does not write are never there.
    let positives = || all_parts.clone().map(|part| parts.count(part, 0)).sum::<usize>();
    let room = if points { positives().div_ceil(workers.threads) * 3 / 2 } else { 0 };
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let mut scratch = Scratch::<K::Word, W, A>::default();
        let mut area = PartArea::new(rows::count(chunks));
        let (mut made, mut points) = (Vec::new(), memory::reserved(room)?);
        while worker.goes_on() {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts.codes.len() {
                break;
            }
            let first = points.len();
            let sums = if W::ONE && !K::SLICED && !wanted.points {
                area.sums::<K, W, A>(&parts, part, outer.contains(&part))
            } else {
                None
            };
            let slices = sums.map(|sums| vec![sums]).unwrap_or_else(|| {
                finish::<K, W, A>(&parts, part, &wanted, &mut scratch, &mut points)
            });
            let found = Found { slices, thread: worker.number, points: first..points.len() };
            made.put((part, found));
        }
        Some((made, points))
    });
    if workers.stopped() {
        return None;
    }
    drop(parts);
    let made: Vec<_> = made.into_iter().collect::<Option<_>>()?;
    let (found, points): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let mut found: Vec<_> = gathered(found.into_iter().flatten());
    found.sort_unstable_by_key(|(part, _)| *part);
    let parts = gathered(found.into_iter().map(|(_, found)| found));
    let joined = join(&parts, facts.rows.len());
    Some(Curves { joined, parts, points })
}
