//! The terms of ranked lists: one number for each list, from its entries alone.
//!
//! Every operation is rounded once, in the order of the NumPy kernels.

use crate::groups::rows::Grades;
use crate::memory::{Grow, gathered};
use crate::workers::Workers;
use std::ops::Range;
use std::sync::Mutex;

/// The lists of a table, without their rows of grade 0.
pub struct RankedLists<'a> {
    /// The first entry of each list, and the end of all; likewise of judged rows.
    pub starts: &'a [i64],
    pub grades: Grades<'a>,
    pub above: &'a [u32],
    pub tied: &'a [u32],
    pub judged: Option<(&'a [i64], Grades<'a>)>,
}

/// A term of the interface; depth: the last rank that counts.
pub struct Term<'a> {
    pub name: &'a str,
    pub depth: u64,
    pub rel: f64,
    pub exp2: bool,
    pub p: f64,
    /// 1/log2(rank + 1) of each rank that lists have.
    pub discounts: &'a [f64],
}

/// A tied block with a relevant row: how many rows are above it and in it, how many of these are
/// relevant, and how many relevant rows of the list are above.
struct Block {
    first: usize,
    above: u64,
    size: u64,
    found: u64,
    found_above: u64,
}

/// The entries of one list.
struct List<'a> {
    lists: &'a RankedLists<'a>,
    entries: Range<usize>,
    judged: Range<usize>,
}

fn range(starts: &[i64], place: usize, rows: usize) -> Range<usize> {
    let end = (starts[place + 1].max(0) as usize).min(rows);
    (starts[place].max(0) as usize).min(end)..end
}

impl Grades<'_> {
    pub fn len(&self) -> usize {
        match self {
            Grades::U8(grades) => grades.len(),
            Grades::F64(grades) => grades.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl RankedLists<'_> {
    fn list(&self, place: usize) -> List<'_> {
        let judged =
            self.judged.map_or(0..0, |(starts, grades)| range(starts, place, grades.len()));
        List { lists: self, entries: range(self.starts, place, self.above.len()), judged }
    }
}

impl List<'_> {
    /// The blocks that have a relevant row, from the top.
    fn blocks(&self, rel: f64) -> impl Iterator<Item = Block> + '_ {
        let (lists, end) = (self.lists, self.entries.end);
        let (mut next, mut found_above) = (self.entries.start, 0);
        std::iter::from_fn(move || {
            while next < end && lists.grades.at(next) < rel {
                next += 1;
            }
            if next >= end {
                return None;
            }
            let (first, above) = (next, lists.above[next]);
            let mut found = 0;
            while next < end && lists.above[next] == above {
                // Grades fall within a block, so that relevant rows come first.
                found += (lists.grades.at(next) >= rel) as u64;
                next += 1;
            }
            let size = lists.tied[first] as u64;
            let block = Block { first, above: above as u64, size, found, found_above };
            found_above += found;
            Some(block)
        })
    }

    fn judged(&self) -> impl Iterator<Item = f64> + '_ {
        let grades = self.lists.judged.map(|(_, grades)| grades);
        self.judged.clone().filter_map(move |row| grades.map(|grades| grades.at(row)))
    }

    /// The grades of all rows, ranked or not.
    fn grades(&self) -> impl Iterator<Item = f64> + '_ {
        self.entries.clone().map(|row| self.lists.grades.at(row)).chain(self.judged())
    }

    fn relevant(&self, rel: f64) -> u64 {
        self.grades().filter(|grade| *grade >= rel).count() as u64
    }

    /// Σ r·m/n to a rank, as a fraction.
    fn hits(&self, rel: f64, depth: u64) -> (u64, u64) {
        let (mut whole, mut cut) = (0, None);
        for block in self.blocks(rel) {
            if block.above + block.size <= depth {
                whole += block.found;
                continue;
            }
            if block.above < depth {
                cut = Some(block);
            }
            break; // what follows is below
        }
        match cut {
            None => (whole, 1),
            Some(block) => (whole * block.size + block.found * (depth - block.above), block.size),
        }
    }

    /// Σ of what each row to a rank adds: of its block, its rank, and how many of its block are
    /// above it.
    fn sum(&self, term: &Term, mut row: impl FnMut(&Block, u64, u64) -> f64) -> f64 {
        let mut sum = 0.0;
        for block in self.blocks(term.rel) {
            let count = block.size.min(term.depth.saturating_sub(block.above));
            if count == 0 {
                break;
            }
            for before in 0..count {
                sum += row(&block, block.above + before + 1, before);
            }
        }
        sum
    }

    /// The mean gain of a block: of equal grades the gain of one.
    fn mean_gain(&self, block: &Block, term: &Term) -> f64 {
        let gain = |row: usize| term.gain(self.lists.grades.at(row));
        let last = block.first + block.found as usize - 1;
        let equal = self.lists.grades.at(block.first) == self.lists.grades.at(last);
        if block.found == block.size && equal {
            return gain(block.first);
        }
        (block.first..=last).fold(0.0, |sum, row| sum + gain(row)) / block.size as f64
    }

    fn gain(&self, term: &Term, discounted: bool) -> f64 {
        let mut sum = 0.0;
        for block in self.blocks(0.0) {
            let count = block.size.min(term.depth.saturating_sub(block.above));
            if count == 0 {
                break;
            }
            let mean = self.mean_gain(&block, term);
            for rank in block.above + 1..=block.above + count {
                sum += if discounted { mean * term.discounts[rank as usize] } else { mean };
            }
        }
        sum
    }

    /// The discounted gain of the best order.
    fn ideal_gain(&self, term: &Term, sorted: &mut Vec<f64>) -> f64 {
        if let (Grades::U8(grades), None) = (self.lists.grades, self.lists.judged) {
            return term.gain_of_counted(&grades[self.entries.clone()]);
        }
        sorted.clear();
        sorted.put_all(self.grades());
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let depth = usize::try_from(term.depth).unwrap_or(usize::MAX);
        let ranked = sorted.iter().take(depth).zip(&term.discounts[1..]);
        ranked.fold(0.0, |sum, (grade, discount)| sum + term.gain(*grade) * discount)
    }

    fn persistence(&self, term: &Term) -> f64 {
        let (mut power, mut reached) = (1.0, 1);
        self.sum(term, |block, rank, _| {
            while reached < rank {
                power *= term.p;
                reached += 1;
            }
            block.found as f64 / block.size as f64 * power
        })
    }

    /// A row after j others of its block is relevant with the chance r/n; given that, each of the j
    /// others is relevant with the chance (r − 1)/(n − 1).
    fn precisions(&self, term: &Term) -> f64 {
        self.sum(term, |block, rank, others| {
            if block.size == 1 {
                // As below: a share of 1 and no others change nothing.
                return (block.found_above + 1) as i64 as f64 / rank as i64 as f64;
            }
            let share = block.found as f64 / block.size as f64;
            let more = (block.found - 1) as f64 / (block.size - 1).max(1) as f64;
            share * ((block.found_above + 1) as f64 + others as f64 * more) / rank as f64
        })
    }

    /// The first relevant row is at one of n − r + 1 places of its block; those to `depth` count.
    fn reciprocal(&self, term: &Term) -> f64 {
        let Some(block) = self.blocks(term.rel).next() else { return 0.0 };
        let (n, r) = (block.size, block.found.min(block.size));
        let (mut sum, mut chance) = (0.0, 1.0);
        for j in 0..(n - r + 1).min(term.depth.saturating_sub(block.above)) {
            chance *= match j {
                0 => r as f64 / n as f64,
                _ => (n - j - r + 1) as f64 / (n - j) as f64,
            };
            sum += chance / (block.above + 1 + j) as f64;
        }
        sum
    }

    fn hit(&self, term: &Term) -> f64 {
        let mut cut = None;
        for block in self.blocks(term.rel) {
            if block.above + block.size <= term.depth {
                return 1.0;
            } else if block.above < term.depth {
                cut = Some(block);
            }
        }
        let Some(block) = cut else { return 0.0 };
        let (n, taken) = (block.size, term.depth - block.above);
        if block.found + taken > n {
            return 1.0;
        }
        // The rows taken and the relevant rows are two random subsets of the block. The first
        // overlap comes after j others; chances are added, as 1 − missed loses digits.
        let (few, many) = (block.found.min(taken), block.found.max(taken));
        let (mut chance, mut missed) = (0.0, 1.0);
        for j in 0..few {
            chance += missed * many as f64 / (n - j) as f64;
            missed *= n.saturating_sub(many + j) as f64 / (n - j) as f64;
        }
        f64::min(chance, 1.0)
    }

    fn broken(&self) -> f64 {
        let broken = self.grades().filter(|grade| *grade != grade.floor());
        let lowest = broken.fold(f64::INFINITY, f64::min);
        if lowest.is_infinite() { 0.0 } else { lowest }
    }
}

impl Term<'_> {
    /// The discounted gain of the best order of some grades, which are counted.
    fn gain_of_counted(&self, grades: &[u8]) -> f64 {
        let (mut counts, mut highest) = ([0u32; u8::MAX as usize + 1], 0);
        for grade in grades {
            counts[*grade as usize] += 1;
            highest = highest.max(*grade);
        }
        let depth = usize::try_from(self.depth).unwrap_or(usize::MAX);
        let mut discounts = self.discounts[1..].iter().take(depth);
        let (mut sum, mut grade) = (0.0, highest);
        while grade > 0 {
            let gain = self.gain(grade as f64);
            for discount in discounts.by_ref().take(counts[grade as usize] as usize) {
                sum += gain * discount;
            }
            grade -= 1;
        }
        sum
    }

    fn gain(&self, grade: f64) -> f64 {
        if !self.exp2 {
            return grade;
        }
        power(grade as i64) - 1.0
    }
}

/// 2**exponent of an exponent ≥ 0; infinite beyond float64.
fn power(exponent: i64) -> f64 {
    f64::from_bits((exponent.clamp(0, 1024) as u64 + 1023) << 52)
}

/// Numbers of lists that a thread takes at a time.
const SHARE: usize = 1 << 12;

/// The numbers of a term, whole or not; whether the name is known.
pub fn numbers(lists: &RankedLists, term: &Term, into: &mut [f64], workers: &Workers) -> bool {
    let of_list: fn(&List, &Term, &mut Vec<f64>) -> f64 = match term.name {
        "gain" => |list, term, _| list.gain(term, false),
        "discounted_gain" => |list, term, _| list.gain(term, true),
        "ideal_gain" => |list, term, sorted| list.ideal_gain(term, sorted),
        "persistence" => |list, term, _| list.persistence(term),
        "precisions" => |list, term, _| list.precisions(term),
        "reciprocal" => |list, term, _| list.reciprocal(term),
        "hit" => |list, term, _| list.hit(term),
        "highest" => |list, _, _| list.grades().fold(0.0, f64::max),
        "broken" => |list, _, _| list.broken(),
        _ => return false,
    };
    by_share(into, workers, |first, share| {
        let mut sorted = Vec::new();
        for (place, number) in (first..).zip(share) {
            *number = of_list(&lists.list(place), term, &mut sorted);
        }
    });
    true
}

/// Numerator and denominator of a term that counts; whether the name is known.
pub fn counts(lists: &RankedLists, term: &Term, into: &mut [[i64; 2]], workers: &Workers) -> bool {
    let of_list: fn(&List, &Term) -> (u64, u64) = match term.name {
        "relevant" => |list, term| (list.relevant(term.rel), 1),
        "hits" => |list, term| list.hits(term.rel, term.depth),
        "hits_to_relevant" => |list, term| list.hits(term.rel, list.relevant(term.rel)),
        _ => return false,
    };
    by_share(into, workers, |first, share| {
        for (place, number) in (first..).zip(share) {
            let (above, below) = of_list(&lists.list(place), term);
            *number = [above as i64, below as i64];
        }
    });
    true
}

fn by_share<T: Send>(into: &mut [T], workers: &Workers, work: impl Fn(usize, &mut [T]) + Sync) {
    let shares: Vec<_> = gathered(into.chunks_mut(SHARE).map(Mutex::new));
    workers.each(shares.len(), |number| {
        let mut share = shares[number].lock().unwrap_or_else(|e| e.into_inner());
        work(number * SHARE, &mut share);
    });
}
