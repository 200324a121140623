//! Scores in lines of seven, among which any score is ranked with one look into memory.
//!
//! A score has a line, which is found by arithmetic; lines are in the order of scores. Its rank is the
//! number of scores in the lines before, which the line knows, and of those in the line that are below.

use crate::keys::{Bits, Eight, Score};
use crate::memory::{self, Grow, filled, gathered, room};
use crate::partition::pages::prefetch;
use crate::rows::BLOCK;
use crate::workers::Workers;
use std::ops::Range;
use std::sync::Mutex;

const KEYS: usize = 7; // of a line; its first number is the count of those before
const FEW: u32 = 3; // a line gets so many keys on average: one in a hundred lines more than it holds
const CELLS: u32 = 11; // bits: 2,048 cells of 8 bytes stay in the first cache
const FINE: u32 = 24; // bits of the place in a cell
const RANGES: usize = 16; // of lines, each filled by one thread
pub const FURTHER: usize = 16; // one key, or score, in so many may need a further line
const LONGEST: usize = 8; // lines that a score may be compared with: beyond, sorting is faster
const MORE: u32 = 1 << 31; // not a count, but a line that has more keys

/// Equally wide cells of scores, each with as many lines as its keys need.
struct Cells<B> {
    least: B,
    span: B,
    shift: u32,
    /// The first line of each cell, and how many it has; a line may be of several cells.
    lines: Vec<(u32, u32)>,
}

impl<B: Bits> Cells<B> {
    /// How far a key is above the least one.
    #[inline(always)]
    fn above(&self, word: B) -> B {
        word.minus(self.least).min(self.span)
    }

    #[inline(always)]
    fn line(&self, above: B) -> usize {
        let (first, lines) = self.lines[above.right(self.shift).index()];
        let dropped = self.shift.saturating_sub(FINE);
        let place = above.low(self.shift).right(dropped).index() as u64;
        first as usize + ((place * lines as u64) >> (self.shift - dropped)) as usize
    }
}

/// How often a score is above and at the keys: summed over scores.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Ranks {
    pub below: u64,
    pub tied: u64,
}

/// Lines of all cells, and after them those that hold what is too much for a line.
///
/// The first number of a line says how many keys there are in the lines before, or which line has
/// more of its keys and knows that.
pub struct Lines<B: Bits> {
    cells: Cells<B>,
    lines: Vec<B::Eight>,
}

/// A range of lines to be filled.
struct Task<'a, B: Bits> {
    first: usize,
    lines: &'a mut [B::Eight],
    /// Where further lines are, and how many there may be.
    more: usize,
    further: &'a mut [B::Eight],
    before: u32,
}

impl<B: Bits> Lines<B> {
    /// About how many a key takes.
    pub const BYTES: usize = size_of::<B::Eight>() / FEW as usize;

    /// Of the keys that threads found, in any order, none the least or the highest number. None where
    /// there is no memory.
    pub fn new(keys: &[Vec<B>], workers: &Workers) -> Option<Self> {
        let (cells, ranges) = cut(keys, workers);
        let sorted = by_range(keys, &cells, &ranges, workers);
        let rows = |range| sorted.iter().map(|of_thread| of_thread.of(range).len()).sum::<usize>();
        let further = |range| rows(range) / KEYS;
        let last = ranges.last().map_or(0, |range| range.end);
        let mut lines = memory::zeroed(last + (0..RANGES).map(further).sum::<usize>())?;
        let (mut rest, mut others) = lines.split_at_mut(last);
        let (mut tasks, mut more, mut before) = (Vec::new(), last, 0);
        for (number, range) in ranges.iter().enumerate() {
            let (lines, after) = rest.split_at_mut(range.len());
            let (further, after_further) = others.split_at_mut(further(number));
            (rest, others) = (after, after_further);
            let next = (more + further.len(), before + rows(number) as u32);
            tasks.put(Mutex::new(Task { first: range.start, lines, more, further, before }));
            (more, before) = next;
        }
        workers.each(RANGES, |number| {
            let mut task = tasks[number].lock().unwrap_or_else(|e| e.into_inner());
            let keys = sorted.iter().flat_map(|of_thread| of_thread.of(number)).copied();
            task.fill(&cells, keys, &mut Filling::default()); // there are enough further lines
        });
        drop(tasks);
        Some(Lines { cells, lines })
    }

    /// How many lines some scores are compared with, beyond the first of each: whether at most so
    /// many. The rest is not counted, as one chain may be as long as all keys.
    pub fn further_up_to(&self, most: usize, words: impl Iterator<Item = B>) -> bool {
        let mut left = most;
        for word in words {
            let mut line = self.cells.line(self.cells.above(word));
            while let Some(next) = self.next(line) {
                if left == 0 {
                    return false;
                }
                (line, left) = (next, left - 1);
            }
        }
        true
    }

    fn next(&self, line: usize) -> Option<usize> {
        let first = self.lines[line].lanes()[0].index() as u32;
        (first & MORE != 0).then_some((first & !MORE) as usize)
    }

    /// Adds what is below and at some scores.
    #[inline(always)]
    pub fn rank(&self, words: &[B], ranks: &mut Ranks) {
        let mut places = [0; BLOCK];
        // First all places, then the lines: these are fetched meanwhile.
        for (place, &word) in places.iter_mut().zip(words) {
            *place = self.cells.line(self.cells.above(word)) as u32;
            prefetch(self.lines.as_ptr().wrapping_add(*place as usize));
        }
        let (mut below, mut tied, mut before) = ([B::default(); 8], [B::default(); 8], 0u64);
        for (&place, &word) in places.iter().zip(words) {
            let mut first = place | MORE;
            while first & MORE != 0 {
                let lanes = self.lines[(first & !MORE) as usize].lanes();
                for (lane, &key) in lanes.iter().enumerate() {
                    below[lane] = below[lane].one_more(key < word);
                    tied[lane] = tied[lane].one_more(key == word);
                }
                first = lanes[0].index() as u32;
            }
            before += first as u64;
        }
        // The first lanes are no keys; a compiler that knows that would cut the loop in pieces.
        let (below, tied) = std::hint::black_box((below, tied));
        ranks.below += before + below[1..].iter().map(|lane| lane.index() as u64).sum::<u64>();
        ranks.tied += tied[1..].iter().map(|lane| lane.index() as u64).sum::<u64>();
    }
}

impl<B: Bits> Lines<B> {
    pub fn empty() -> Self {
        let zero = B::default();
        let cells = Cells { least: zero, span: zero, shift: 0, lines: Vec::new() };
        Lines { cells, lines: Vec::new() }
    }

    /// Holds other keys, evenly spread ones; false where too many are close together, in all or in
    /// one line, which most scores may look up.
    #[inline(always)]
    pub fn refill(&mut self, keys: &[B], filling: &mut Filling<B>) -> bool {
        let (mut least, mut most) = (B::highest(), B::default());
        for &word in keys {
            (least, most) = (least.min(word), most.max(word));
        }
        let span = most.minus(least);
        let (cells, count) = (&mut self.cells, keys.len().div_ceil(FEW as usize).max(1));
        (cells.least, cells.span, cells.shift) = (least, span, span.width().min(B::BITS - 1));
        cells.lines.clear();
        for cell in 0..=span.right(cells.shift).index() {
            cells.lines.put(((cell * count) as u32, count as u32));
        }
        let (last, further) = (count * cells.lines.len(), keys.len() / FURTHER + 1);
        self.lines.grow_to(last + further, B::Eight::all(B::highest()));
        let (lines, further) = self.lines.split_at_mut(last);
        let mut task = Task { first: 0, lines, more: last, further, before: 0 };
        let held = task.fill(cells, keys.iter().copied(), filling);
        let fullest = filling.counts.iter().fold(0, |most, count| most.max(*count));
        held && fullest as usize <= LONGEST * KEYS
    }
}

/// Memory that is used again.
pub struct Filling<B> {
    counts: Vec<u32>,
    spilled: Vec<(usize, B)>,
}

impl<B> Default for Filling<B> {
    fn default() -> Self {
        Filling { counts: Vec::new(), spilled: Vec::new() }
    }
}

impl<B: Bits> Task<'_, B> {
    /// False where there are not enough further lines.
    #[inline(always)]
    fn fill(
        &mut self,
        cells: &Cells<B>,
        keys: impl Iterator<Item = B>,
        filling: &mut Filling<B>,
    ) -> bool {
        let empty = B::Eight::all(B::highest()); // which is below and at no score
        self.lines.fill(empty);
        let Filling { counts, spilled } = filling;
        counts.clear();
        counts.grow_to(self.lines.len(), 0);
        spilled.clear();
        for word in keys {
            let line = cells.line(cells.above(word)) - self.first;
            counts[line] += 1;
            if counts[line] as usize <= KEYS {
                self.lines[line].lanes_mut()[counts[line] as usize] = word;
            } else if spilled.len() < KEYS * self.further.len() {
                spilled.put((line, word));
            } else {
                return false;
            }
        }
        let mut before = self.before;
        for (line, &count) in self.lines.iter_mut().zip(&*counts) {
            line.lanes_mut()[0] = B::of(before);
            before += count;
        }
        if !spilled.is_empty() { self.spill(spilled) } else { true }
    }

    #[cold]
    fn spill(&mut self, spilled: &mut [(usize, B)]) -> bool {
        spilled.sort_unstable_by_key(|(line, _)| *line);
        let mut used = 0;
        for same in spilled.chunk_by(|one, next| one.0 == next.0) {
            let first = &mut self.lines[same[0].0];
            for keys in same.chunks(KEYS) {
                let Some(further) = self.further.get_mut(used) else { return false };
                *further = B::Eight::all(B::highest());
                for (to, (_, word)) in further.lanes_mut()[1..].iter_mut().zip(keys) {
                    *to = *word;
                }
                // It comes between the line and what that knew: a count, or a further line.
                further.lanes_mut()[0] = first.lanes()[0];
                first.lanes_mut()[0] = B::of((self.more + used) as u32 | MORE);
                used += 1;
            }
        }
        true
    }
}

/// The cells of all keys, and ranges of lines with about equally many keys.
fn cut<B: Bits>(keys: &[Vec<B>], workers: &Workers) -> (Cells<B>, Vec<Range<usize>>) {
    let own = |number: usize| keys.iter().skip(number).step_by(workers.threads);
    let ends = workers.run(|worker| {
        let (mut least, mut most) = (B::highest(), B::default());
        for word in own(worker.number).flatten() {
            (least, most) = (least.min(*word), most.max(*word));
        }
        (least, most)
    });
    let least = ends.iter().map(|ends| ends.0).min().unwrap_or_default();
    let span = ends.iter().map(|ends| ends.1).max().unwrap_or_default().minus(least);
    let shift = span.width().saturating_sub(CELLS);
    let mut cells = Cells { least, span, shift, lines: Vec::new() };
    let cells_of = &cells;
    let found = workers.run(|worker| {
        let mut counts = filled(0u32, span.right(shift).index() + 1);
        for word in own(worker.number).flatten() {
            counts[cells_of.above(*word).right(shift).index()] += 1;
        }
        counts
    });
    let count = |cell: usize| found.iter().map(|counts| counts[cell]).sum::<u32>();
    let total: usize = keys.iter().map(Vec::len).sum();
    let (mut ranges, mut start) = (room(RANGES), 0);
    let (mut line, mut filled, mut sum) = (0, 0, 0); // the line that cells share, its keys, and all
    let mut lines = room(found[0].len());
    for count in (0..found[0].len()).map(count) {
        if filled > 0 && filled + count > FEW {
            (line, filled) = (line + 1, 0);
            if sum * RANGES >= (ranges.len() + 1) * total && ranges.len() + 1 < RANGES {
                ranges.put(start..line as usize);
                start = line as usize;
            }
        }
        let wanted = count.div_ceil(FEW).max(1);
        lines.put((line, wanted));
        (line, filled, sum) = (line + wanted - 1, filled + count, sum + count as usize);
    }
    cells.lines = lines;
    let end = line as usize + 1;
    ranges.put(start..end);
    ranges.grow_to(RANGES, end..end);
    (cells, ranges)
}

/// Keys by range of lines.
struct ByRange<B> {
    keys: Vec<B>,
    starts: Vec<usize>,
}

impl<B> ByRange<B> {
    fn of(&self, range: usize) -> &[B] {
        &self.keys[self.starts[range]..self.starts[range + 1]]
    }
}

/// The keys of each thread by range.
fn by_range<B: Bits>(
    keys: &[Vec<B>],
    cells: &Cells<B>,
    ranges: &[Range<usize>],
    workers: &Workers,
) -> Vec<ByRange<B>> {
    let range = |cell: &(u32, u32)| ranges.partition_point(|range| range.end <= cell.0 as usize);
    let of_cells = gathered(cells.lines.iter().map(|cell| range(cell) as u8));
    workers.run(|worker| {
        let own = || keys.iter().skip(worker.number).step_by(workers.threads).flatten();
        let range = |word: B| of_cells[cells.above(word).right(cells.shift).index()] as usize;
        let mut starts = filled(0, RANGES + 2);
        for word in own() {
            starts[range(*word) + 2] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut sorted = filled(B::default(), starts[RANGES + 1]);
        for word in own() {
            let next = &mut starts[range(*word) + 1];
            sorted[*next] = *word;
            *next += 1;
        }
        ByRange { keys: sorted, starts }
    })
}

/// The word of one row.
#[inline(always)]
pub fn word_of_others<B: Bits>(bits: B, positive: u8, not: bool) -> B {
    if (positive != 0) == not { B::default() } else { bits }
}

/// The words of scores, where rows of the class `not` get the number 0, which is above no key; their
/// least and highest.
#[inline(always)]
pub fn words_of_others<S: Score>(
    scores: &[S],
    positive: &[u8],
    not: bool,
    ends: &mut (S::Bits, S::Bits),
    words: &mut [S::Bits; BLOCK],
) {
    let (mut least, mut most) = *ends;
    for ((word, score), positive) in words.iter_mut().zip(scores).zip(positive) {
        let bits = score.bits();
        (least, most) = (least.min(bits), most.max(bits));
        *word = word_of_others(bits, *positive, not);
    }
    *ends = (least, most);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_long_chain_are_refused() {
        let spread = (0..6000u32).map(|key| 1000 * key + 1);
        let (mut lines, mut filling) = (Lines::<u32>::empty(), Filling::default());
        for (close, held) in [(0, true), (LONGEST * KEYS - 10, true), (LONGEST * KEYS + 1, false)] {
            let near = (0..close as u32).map(|key| 3_000_002 + key % 5);
            let keys: Vec<_> = spread.clone().chain(near).collect();
            assert_eq!(lines.refill(&keys, &mut filling), held);
        }
    }

    #[test]
    fn keys_that_are_all_the_same_are_not_kept() {
        let (mut lines, mut filling) = (Lines::<u32>::empty(), Filling::default());
        assert!(!lines.refill(&[7; 100_000], &mut filling));
        assert!(filling.spilled.len() < 100_000 / 2);
    }
}
