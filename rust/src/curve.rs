//! `curve_points`: the curves of all slices.

use crate::amounts::{Amount, Counted};
use crate::join::{Joined, join};
use crate::keys::{Key, Score};
use crate::part::{Found, Scratch, finish};
use crate::rows::Chunk;
use crate::scatter::{RowOf, partition};
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
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let mut scratch = Scratch::<K::Word, W, A>::default();
        let mut made = Vec::new();
        while worker.goes_on() {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts.codes.len() {
                break;
            }
            let rows = |class: usize| -> &[RowOf<K, W>] {
                &parts.rows[parts.starts[class]..parts.starts[class + 1]]
            };
            let codes = parts.codes[part].clone();
            let (up, down) = (rows(2 * part), rows(2 * part + 1));
            made.push((
                part,
                finish::<K, W, A>(up, down, codes, &facts.frame, scale, points, &mut scratch),
            ));
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
