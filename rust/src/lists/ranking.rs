//! The ranks of one list: only rows with a grade are compared with its rows and sorted.

use crate::groups::compare::{Compared, signed_words};
use crate::lists::ranks::Ties;
use crate::memory::Grow;

/// A row with a grade.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    pub above: u32,
    pub tied: u32,
    pub grade: f64,
    pub row: u32,
}

/// A list, and its entries once they are ranked; the memory is used again for the next list.
pub struct Ranking<B: Compared> {
    /// All rows that have a score, padded.
    words: Vec<B::Signed>,
    /// Those with a grade: the words, and the entries, in any order.
    chosen: Vec<B>,
    hits: Vec<Entry>,
    /// By rank and falling grade.
    pub entries: Vec<Entry>,
    ranks: Vec<[u32; 2]>,
    order: Vec<u64>,
    /// Of a long list its sorted hits, and how many rows are above each, and at it.
    sorted: Vec<B>,
    counts: Vec<[u32; 2]>,
    all: Vec<(B, i64, Entry)>,
}

impl<B: Compared> Default for Ranking<B> {
    fn default() -> Self {
        Ranking {
            words: vec![],
            chosen: vec![],
            hits: vec![],
            entries: vec![],
            ranks: vec![],
            order: vec![],
            sorted: vec![],
            counts: vec![],
            all: vec![],
        }
    }
}

/// Rows with a grade up to which each is compared with the whole list.
const FEW: usize = 32;
/// Entries up to which the rank of each is counted.
const FEW_SORTED: usize = 24;

impl<B: Compared> Ranking<B> {
    /// A list: the words of its rows, and of those that have a grade words and entries.
    pub fn read(
        &mut self,
        words: impl Iterator<Item = B> + Clone,
        hits: impl Iterator<Item = (B, Entry)>,
    ) {
        self.entries.clear();
        self.hits.clear();
        self.chosen.clear();
        for (word, entry) in hits {
            self.chosen.put(word);
            self.hits.put(entry);
        }
        self.ranks.clear();
        self.ranks.grow_to(self.hits.len(), [0; 2]);
        if self.hits.is_empty() {
            return;
        }
        if self.hits.len() > FEW {
            self.search(words);
        } else {
            self.compare(words);
        }
        for (entry, &[above, not_below]) in self.hits.iter_mut().zip(&self.ranks) {
            (entry.above, entry.tied) = (above, not_below - above);
        }
    }

    /// The entries of the list, by rank and falling grade; others: words and numbers of the rows
    /// without a grade, for a rule that orders them.
    pub fn rank(&mut self, ties: Ties, others: impl Iterator<Item = (B, u32)>) {
        let tied = self.hits.iter().any(|entry| entry.tied > 1);
        match ties {
            Ties::Keys(keys) if tied => return self.by_key(others, keys),
            _ => self.sort(tied),
        }
        match ties {
            Ties::Optimistic if tied => self.number(|_| 0),
            Ties::Pessimistic if tied => {
                let order =
                    |a: &Entry, b: &Entry| a.above.cmp(&b.above).then(a.grade.total_cmp(&b.grade));
                self.entries.sort_unstable_by(order);
                self.number(|block| block[0].tied - block.len() as u32);
            }
            _ => {}
        }
    }

    fn sort(&mut self, tied: bool) {
        self.order.clear();
        let places = self.hits.iter().zip(0..);
        self.order.put_all(places.map(|(entry, place)| (entry.above as u64) << 32 | place));
        self.entries.grow_to(self.hits.len(), Entry::default());
        if self.order.len() <= FEW_SORTED {
            // As many comparisons as pairs, but no branch that depends on them.
            for (key, entry) in self.order.iter().zip(&self.hits) {
                let place: u64 = self.order.iter().map(|other| (other < key) as u64).sum();
                self.entries[place as usize] = *entry;
            }
        } else {
            self.order.sort_unstable();
            for (key, entry) in self.order.iter().zip(&mut self.entries) {
                *entry = self.hits[*key as u32 as usize];
            }
        }
        if tied {
            for block in self.entries.chunk_by_mut(|a, b| a.above == b.above) {
                block.sort_unstable_by(|a, b| b.grade.total_cmp(&a.grade));
            }
        }
    }

    /// Gives each entry a rank of its own; before: how many rows of a block are above all of these.
    fn number(&mut self, before: impl Fn(&[Entry]) -> u32) {
        for block in self.entries.chunk_by_mut(|a, b| a.above == b.above) {
            let first = block[0].above + before(block);
            for (place, entry) in (0..).zip(block) {
                (entry.above, entry.tied) = (first + place, 1);
            }
        }
    }

    /// Every hit is compared with all rows.
    fn compare(&mut self, words: impl Iterator<Item = B>) {
        signed_words(words, &mut self.words);
        let mut chosen = [B::PADDING; FEW];
        for (signed, word) in chosen.iter_mut().zip(&self.chosen) {
            *signed = word.signed();
        }
        B::ranks(&self.words, &chosen[..self.chosen.len()], &mut self.ranks);
    }

    /// The hits are sorted, and every row is searched among them.
    fn search(&mut self, words: impl Iterator<Item = B>) {
        let (sorted, counts) = (&mut self.sorted, &mut self.counts);
        sorted.clear();
        sorted.put_slice(&self.chosen);
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        counts.clear();
        counts.grow_to(sorted.len() + 1, [0; 2]);
        for word in words {
            let place = sorted.partition_point(|hit| *hit > word);
            let tied = sorted.get(place) == Some(&word);
            counts[place][tied as usize] += 1;
        }
        // From here: how many rows are above the hit, and how many are not below it.
        let mut sum = 0;
        for count in counts.iter_mut() {
            let [above, tied] = *count;
            *count = [sum + above, sum + above + tied];
            sum += above + tied;
        }
        for (word, rank) in self.chosen.iter().zip(&mut self.ranks) {
            *rank = counts[sorted.partition_point(|other| *other > *word)];
        }
    }

    /// The whole list is sorted by falling score, rising key and falling grade.
    fn by_key(&mut self, others: impl Iterator<Item = (B, u32)>, keys: &[i64]) {
        let all = &mut self.all;
        all.clear();
        let hits = self.chosen.iter().zip(&self.hits);
        all.put_all(hits.map(|(word, entry)| (*word, keys[entry.row as usize], *entry)));
        all.put_all(others.map(|(word, row)| {
            (word, keys[row as usize], Entry { above: 0, tied: 1, grade: 0.0, row })
        }));
        all.sort_unstable_by(|a, b| {
            b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(b.2.grade.total_cmp(&a.2.grade))
        });
        for (place, (_, _, entry)) in (0..).zip(all.iter()) {
            if entry.grade > 0.0 {
                self.entries.put(Entry { above: place, tied: 1, ..*entry });
            }
        }
    }
}
