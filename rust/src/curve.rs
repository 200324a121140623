//! `curve_points`: the curves of all slices.

use crate::amounts::{Amount, Counted};
use crate::join::{Joined, join};
use crate::keys::{Key, Score};
use crate::part::{Found, Scratch, Wanted, finish};
use crate::rows::Chunk;
use crate::scatter::partition;
use crate::slices::SliceFacts;
use crate::workers::Workers;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The curves of all slices: totals, and the points of each part.
pub struct Curves<A: Amount, S> {
    pub joined: Joined,
    pub parts: Vec<Found<A, S>>,
}

/// None where there is no memory, or the call was interrupted.
pub fn curve_points<K: Key, W: Counted<A>, A: Amount>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    scale: f64,
    points: bool,
    workers: &Workers,
) -> Option<Curves<A, K::Score>> {
    let parts = partition::<K, W>(chunks, facts, workers)?;
    let full = |part: &usize| parts.count(*part, 0) + parts.count(*part, 1) > 0;
    let all = 0..parts.codes.len();
    let outer = [all.clone().find(full).unwrap_or(0), all.rev().find(full).unwrap_or(0)];
    let wanted = Wanted::<K> { frame: facts.frame, scale, points, outer };
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let mut scratch = Scratch::<K::Word, W, A>::default();
        let mut made = Vec::new();
        while worker.goes_on() {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts.codes.len() {
                break;
            }
            made.push((part, finish::<K, W, A>(&parts, part, &wanted, &mut scratch)));
        }
        made
    });
    if workers.stopped() {
        return None;
    }
    drop(parts);
    let mut found: Vec<_> = made.into_iter().flatten().collect();
    found.sort_unstable_by_key(|(part, _)| *part);
    let parts: Vec<_> = found.into_iter().map(|(_, found)| found).collect();
    let joined = join(&parts, facts.rows.len());
    Some(Curves { joined, parts })
}
