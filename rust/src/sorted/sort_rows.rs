//! `sort_scores`: the rows of both classes by slice and score, each with a number carried beside.

use crate::amounts::Weight;
use crate::keys::{FrameOf, Key, Score};
use crate::memory::{Grow, gathered};
use crate::partition::scatter::{Parts, Row, RowOf, partition};
use crate::partition::slices::SliceFacts;
use crate::partition::sorter::Sorter;
use crate::rows::Chunk;
use crate::workers::Workers;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The columns of one class, to be written.
///
/// starts: the first row of each slice, and the end of all
pub struct Side<'a, S, W> {
    pub starts: &'a mut [i64],
    pub scores: &'a mut [S],
    pub carried: &'a mut [W],
}

/// Why there are no sorted rows.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// No memory, or the call was interrupted.
    Stopped,
    /// A class has not as many rows as its columns: they were changed meanwhile.
    Changed,
}

/// What one class of a part writes.
struct Task<'a, S, W> {
    class: usize,
    part: usize,
    scores: &'a mut [S],
    carried: &'a mut [W],
}

/// How many rows of a class a slice has, in a part.
struct Count {
    class: usize,
    code: u32,
    rows: usize,
}

/// Writes the rows of both classes, positives first. Rows with equal scores are in the order of what
/// they carry, which does not depend on threads.
pub fn sort_rows<K: Key, W: Weight + Ord>(
    chunks: &[Chunk<K::Score, W>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    sides: [Side<K::Score, W>; 2],
    workers: &Workers,
) -> Result<(), Failure> {
    let parts = partition::<K, W>(chunks, facts, workers).ok_or(Failure::Stopped)?;
    let (mut starts, mut tasks) = (Vec::new(), Vec::new());
    for (class, side) in sides.into_iter().enumerate() {
        cut::<K, W>(&parts, class, side.scores, side.carried, &mut tasks)?;
        starts.put(side.starts);
    }
    let tasks: Vec<_> = gathered(tasks.into_iter().map(|task| Mutex::new(Some(task))));
    let next = AtomicUsize::new(0);
    let found = workers.run(|worker| {
        let (mut sorter, mut counts) = (Sorter::default(), Vec::new());
        while worker.goes_on() {
            let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if let Some(task) = task.lock().unwrap_or_else(|e| e.into_inner()).take() {
                sort_part::<K, W>(&parts, &task, facts, &mut sorter);
                write::<K, W>(&sorter, task, &facts.frame, &mut counts);
            }
        }
        counts
    });
    if workers.stopped() {
        return Err(Failure::Stopped);
    }
    starts.iter_mut().for_each(|column| column.fill(0));
    for count in found.iter().flatten() {
        starts[count.class][count.code as usize + 1] += count.rows as i64;
    }
    for column in starts {
        for code in 1..column.len() {
            column[code] += column[code - 1];
        }
    }
    Ok(())
}

/// A task for each part with rows of a class.
fn cut<'a, K: Key, W: Weight>(
    parts: &Parts<RowOf<K, W>>,
    class: usize,
    mut scores: &'a mut [K::Score],
    mut carried: &'a mut [W],
    tasks: &mut Vec<Task<'a, K::Score, W>>,
) -> Result<(), Failure> {
    for part in 0..parts.codes.len() {
        let rows = parts.count(part, class);
        if rows > scores.len() || rows > carried.len() {
            return Err(Failure::Changed);
        }
        let (first, others) = (scores.split_at_mut(rows), carried.split_at_mut(rows));
        (scores, carried) = (first.1, others.1);
        if rows > 0 {
            tasks.put(Task { class, part, scores: first.0, carried: others.0 });
        }
    }
    if scores.is_empty() && carried.is_empty() { Ok(()) } else { Err(Failure::Changed) }
}

/// Sorts one class of a part.
fn sort_part<K: Key, W: Weight + Ord>(
    parts: &Parts<RowOf<K, W>>,
    task: &Task<K::Score, W>,
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    sorter: &mut Sorter<K::Word, W>,
) {
    sorter.unsorted.clear();
    for page in parts.pages(task.part, task.class) {
        sorter.unsorted.put_slice(page);
    }
    let first = K::start(&facts.frame, parts.codes[task.part].start);
    sorter.sort(Row { word: first, weight: W::default() }, K::highest());
    if size_of::<W>() > 0 {
        let count = sorter.unsorted.len();
        for rows in sorter.sorted[1..=count].chunk_by_mut(|one, next| one.word == next.word) {
            if rows.len() > 1 {
                rows.sort_unstable_by_key(|row| row.weight);
            }
        }
    }
}

/// Writes sorted rows, and counts those of each slice.
fn write<K: Key, W: Weight>(
    sorter: &Sorter<K::Word, W>,
    task: Task<K::Score, W>,
    frame: &FrameOf<K>,
    counts: &mut Vec<Count>,
) {
    let rows = &sorter.sorted[1..=task.scores.len()];
    for ((row, score), carried) in rows.iter().zip(task.scores).zip(task.carried) {
        (*score, *carried) = (K::score(frame, row.word), row.weight);
    }
    let mut count = |code, rows| counts.put(Count { class: task.class, code, rows });
    if K::SLICED {
        let code = |row: &Row<K::Word, W>| K::code(frame, row.word);
        rows.chunk_by(|one, next| code(one) == code(next))
            .for_each(|rows| count(code(&rows[0]), rows.len()));
    } else {
        count(0, rows.len());
    }
}

/// Takes numbers from a column at places of their own; one beyond its end is the last.
pub fn gather<T: Copy + Send + Sync>(
    column: &[T],
    places: &[u32],
    result: &mut [T],
    workers: &Workers,
) {
    const BLOCK: usize = 1 << 14;
    let Some(last) = column.len().checked_sub(1) else { return };
    let blocks: Vec<_> =
        gathered(result.chunks_mut(BLOCK).zip(places.chunks(BLOCK)).map(Mutex::new));
    workers.each(blocks.len(), |number| {
        let mut block = blocks[number].lock().unwrap_or_else(|e| e.into_inner());
        let (result, places) = &mut *block;
        for (to, place) in result.iter_mut().zip(*places) {
            *to = column[(*place as usize).min(last)];
        }
    });
}
