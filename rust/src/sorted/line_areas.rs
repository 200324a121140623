//! What each line adds to the area of its slice: the rows of all lines are ranked, and their
//! placements added up, without a sorted table and without weights.
//!
//! A line is a number that a row carries, such as its cluster's. Parts of a partition are in the
//! order of scores, so that only the rows of a part must be ranked: those before are counted.

use crate::keys::{FrameOf, Key, Score};
use crate::memory::{Grow, Lines, Zeroed, gathered, room};
use crate::partition::pages::prefetch;
use crate::partition::scatter::{Parts, Row, RowOf, partition};
use crate::partition::slices::SliceFacts;
use crate::partition::sorter::Sorter;
use crate::rows::Chunk;
use crate::workers::Workers;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sums of a line, of positives and of negatives: their rows, and Σ of twice the rows of the
/// other class below (of a negative: above) and those at the score.
///
/// An area is below 2^63: there are fewer than 2^31 rows.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct LineSums {
    pub areas: [u64; 2],
    pub rows: [u64; 2],
}

/// The sums of all lines, each in a half of a line of memory: areas, then rows.
struct Sums(Lines);

impl Sums {
    fn new(lines: usize) -> Option<Self> {
        Some(Sums(Lines::zeroed(lines.checked_mul(WORDS)?)?))
    }

    /// Fetches the sums of a line, which will soon be added to.
    #[inline(always)]
    fn fetch(&self, line: u32) {
        prefetch(self.0.as_ptr().wrapping_add(line as usize * WORDS));
    }

    /// Adds a row; a line that is too large is a panic.
    #[inline(always)]
    fn add(&mut self, line: u32, class: usize, area: u64) {
        let sums = &mut self.0[line as usize * WORDS..][..WORDS];
        sums[class] += area;
        sums[2 + class] += 1;
    }

    fn of(&self, line: usize) -> LineSums {
        let sums = &self.0[line * WORDS..][..WORDS];
        LineSums { areas: [sums[0], sums[1]], rows: [sums[2], sums[3]] }
    }
}

const WORDS: usize = 4;

/// Lines far apart in memory are fetched before they are added to.
const AHEAD: usize = 32;

/// The sums of so many lines; None where there is no memory, or the call was interrupted.
pub fn line_areas<K: Key>(
    chunks: &[Chunk<K::Score, u32>],
    facts: &SliceFacts<<K::Score as Score>::Bits>,
    lines: usize,
    workers: &Workers,
) -> Option<Vec<LineSums>> {
    let parts = partition::<K, u32>(chunks, facts, workers)?;
    let places = places(&parts, &facts.rows);
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let mut adder = Adder::<K>::new(&facts.frame, Sums::new(lines)?);
        while worker.goes_on() {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= places.len() {
                break;
            }
            adder.add(&parts, part, &places[part]);
        }
        Some(adder.sums)
    });
    if workers.stopped() {
        return None;
    }
    let made = made.into_iter().collect::<Option<Vec<Sums>>>()?;
    let of_line = |line| {
        made.iter().map(|sums| sums.of(line)).fold(LineSums::default(), |sum, more| LineSums {
            areas: [0, 1].map(|class| sum.areas[class] + more.areas[class]),
            rows: [0, 1].map(|class| sum.rows[class] + more.rows[class]),
        })
    };
    Some(gathered((0..lines).map(of_line)))
}

/// Where the rows of a part are in their slice.
struct Place {
    /// The first slice with rows. It alone may have rows in other parts, which then have no others.
    slice: u32,
    /// Of that slice, the positives and the negatives in all parts before.
    before: [u64; 2],
    /// And its positives in all parts after.
    after: u64,
}

fn places<R: Zeroed + Send>(parts: &Parts<R>, rows: &[u64]) -> Vec<Place> {
    let mut places: Vec<Place> = room(parts.codes.len());
    for (part, codes) in parts.codes.iter().enumerate() {
        let slice = codes.clone().find(|code| rows[*code as usize] > 0).unwrap_or(codes.start);
        let before = match places.last() {
            Some(last) if last.slice == slice => {
                [0, 1].map(|class| last.before[class] + parts.count(part - 1, class) as u64)
            }
            _ => [0, 0],
        };
        places.put(Place { slice, before, after: 0 });
    }
    for part in (1..places.len()).rev() {
        if places[part - 1].slice == places[part].slice {
            places[part - 1].after = places[part].after + parts.count(part, 0) as u64;
        }
    }
    places
}

/// One thread's sums, and memory that is used again for the next part.
struct Adder<'a, K: Key> {
    frame: &'a FrameOf<K>,
    sums: Sums,
    sorter: Sorter<K::Word, u32>,
    /// For each sorted row, how many negatives are below it and above the one before; and at it.
    ranked: Vec<u32>,
    /// Likewise, twice the positives above such a negative, and those at it.
    above: Vec<u64>,
}

impl<'a, K: Key> Adder<'a, K> {
    fn new(frame: &'a FrameOf<K>, sums: Sums) -> Self {
        let (sorter, ranked, above) = (Sorter::default(), Vec::new(), Vec::new());
        Adder { frame, sums, sorter, ranked, above }
    }

    fn add(&mut self, parts: &Parts<RowOf<K, u32>>, part: usize, place: &Place) {
        let (codes, frame) = (parts.codes[part].clone(), self.frame);
        // A row at the start of each slice: no gap has negatives of two slices.
        let start = |code| Row { word: K::start(frame, code), weight: 0 };
        let unsorted = &mut self.sorter.unsorted;
        unsorted.clear();
        unsorted.put_all((codes.start + 1..codes.end).map(start));
        for page in parts.pages(part, 0) {
            unsorted.put_slice(page);
        }
        self.sorter.sort(start(codes.start), K::highest());
        self.rank_positives(place);
        self.ranked.clear();
        self.ranked.grow_to(2 * self.sorter.sorted.len(), 0);
        for page in parts.pages(part, 1) {
            self.add_negatives(page);
        }
        self.add_positives(place);
    }

    /// What a negative adds, by its place among the sorted rows.
    fn rank_positives(&mut self, place: &Place) {
        let rows = &self.sorter.sorted[..self.sorter.sorted.len() - 2];
        self.above.clear();
        self.above.grow_to(2 * self.sorter.sorted.len(), 0);
        let mut first = 0;
        while first < rows.len() {
            let positives = rows[first + 1..].iter();
            let count = positives.take_while(|row| !K::is_start(self.frame, row.word)).count();
            let own = K::code(self.frame, rows[first].word) == place.slice;
            let after = if own { place.after } else { 0 };
            let end = first + 1 + count;
            let mut tied = 0; // rows from this one on that have its score
            for at in (first + 1..=end).rev() {
                let above = 2 * (after + (end - at) as u64);
                self.above[2 * at] = above;
                if at < end {
                    let same = at + 1 < end && rows[at + 1].word == rows[at].word;
                    tied = if same { tied + 1 } else { 1 };
                    self.above[2 * at + 1] = above - tied;
                }
            }
            first = end;
        }
    }

    fn add_negatives(&mut self, negatives: &[Row<K::Word, u32>]) {
        let (sorted, buckets) = (&self.sorter.sorted[..], &self.sorter.buckets);
        let starts = &buckets.starts[..];
        const BLOCK: usize = 128;
        let mut places = [0; BLOCK];
        for rows in negatives.chunks(BLOCK) {
            // First the ranks; the lines of memory to be added to are fetched meanwhile.
            for (row, place) in rows.iter().zip(&mut places) {
                self.sums.fetch(row.weight);
                let bucket = buckets.of(row.word);
                let mut rank = starts[bucket] as usize;
                rank += (sorted[rank].word < row.word) as usize;
                rank += (sorted[rank].word < row.word) as usize;
                if sorted[rank].word < row.word {
                    rank += sorted[rank..starts[bucket + 1] as usize]
                        .partition_point(|other| other.word < row.word);
                }
                *place = 2 * rank + (sorted[rank].word == row.word) as usize;
            }
            for (row, place) in rows.iter().zip(&places) {
                self.ranked[*place] += 1;
                self.sums.add(row.weight, 1, self.above[*place]);
            }
        }
    }

    fn add_positives(&mut self, place: &Place) {
        let rows = &self.sorter.sorted[..self.sorter.sorted.len() - 2];
        let (mut negatives, mut doubled, mut last) = (0, 0, K::highest());
        for (at, row) in rows.iter().enumerate() {
            let (lower, tied) = (self.ranked[2 * at] as u64, self.ranked[2 * at + 1] as u64);
            if K::is_start(self.frame, row.word) {
                let own = K::code(self.frame, row.word) == place.slice;
                (negatives, last) = (if own { place.before[1] } else { 0 }, row.word);
                continue;
            }
            if let Some(next) = rows.get(at + AHEAD) {
                self.sums.fetch(next.weight);
            }
            negatives += lower;
            if row.word != last {
                (doubled, last) = (2 * negatives + tied, row.word);
            }
            negatives += tied;
            self.sums.add(row.weight, 0, doubled);
        }
    }
}
