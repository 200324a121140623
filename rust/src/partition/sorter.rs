//! Rows of a part sorted in the cache: a scatter into buckets, then an insertion sort.

use crate::keys::Bits;
use crate::memory::Grow;
use crate::partition::scatter::Row;

/// Rows to sort, and sorted; the memory is used again for the next part.
pub struct Sorter<B, W> {
    pub unsorted: Vec<Row<B, W>>,
    pub sorted: Vec<Row<B, W>>,
    pub buckets: Buckets<B>,
}

/// Equally wide buckets of sorted rows.
pub struct Buckets<B> {
    least: B,
    span: B,
    shift: u32,
    pub starts: Vec<u32>,
}

const LONG: usize = 24; // rows of a bucket that are worth a real sort

impl<B: Bits> Buckets<B> {
    #[inline(always)]
    pub fn of(&self, word: B) -> usize {
        word.minus(self.least).min(self.span).right(self.shift).index()
    }

    pub fn last(&self) -> usize {
        self.span.right(self.shift).index()
    }
}

impl<B: Bits, W> Default for Sorter<B, W> {
    fn default() -> Self {
        let zero = B::default();
        let buckets = Buckets { least: zero, span: zero, shift: 0, starts: Vec::new() };
        Sorter { unsorted: Vec::new(), sorted: Vec::new(), buckets }
    }
}

impl<B: Bits, W: Copy + Default> Sorter<B, W> {
    /// Sorts rows into `sorted`, after `first`, which is below, and before two that are above all.
    pub fn sort(&mut self, first: Row<B, W>, highest: B) {
        let rows = &self.unsorted[..];
        let (count, mut least, mut most) = (rows.len(), highest, B::default());
        for row in rows {
            least = least.min(row.word);
            most = most.max(row.word);
        }
        let buckets = &mut self.buckets;
        buckets.least = least;
        buckets.span = most.minus(least);
        let wanted = (2 * count).next_power_of_two().max(2);
        buckets.shift = buckets.span.width().saturating_sub(wanted.ilog2());
        let used = buckets.last() + 1;
        buckets.starts.clear();
        buckets.starts.grow_to(used + 2, 0);
        for row in rows {
            let bucket = buckets.of(row.word);
            buckets.starts[bucket + 2] += 1;
        }
        let (mut sum, mut longest) = (1, 0); // after the first row
        for start in &mut buckets.starts {
            longest = longest.max(*start);
            sum += *start;
            *start = sum;
        }
        self.sorted.clear();
        let last = Row { word: highest, weight: W::default() };
        self.sorted.grow_to(count + 3, last);
        self.sorted[0] = first;
        for row in rows {
            let next = buckets.of(row.word) + 1;
            let next = &mut buckets.starts[next];
            self.sorted[*next as usize] = *row;
            *next += 1;
        }
        if longest as usize > LONG {
            for bucket in buckets.starts.windows(2) {
                if bucket[1] - bucket[0] > LONG as u32 {
                    self.sorted[bucket[0] as usize..bucket[1] as usize]
                        .sort_unstable_by_key(|row| row.word);
                }
            }
        }
        insertion_sort(&mut self.sorted[..count + 1]);
    }
}

/// For rows that are almost in order.
fn insertion_sort<B: Bits, W: Copy>(rows: &mut [Row<B, W>]) {
    for at in 1..rows.len() {
        let row = rows[at];
        let mut to = at;
        while to > 0 && rows[to - 1].word > row.word {
            rows[to] = rows[to - 1];
            to -= 1;
        }
        rows[to] = row;
    }
}
