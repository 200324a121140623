//! `group_areas`: the area of every group of each table.

use crate::amounts::{Amount, Counted};
use crate::curves::part::Scratch;
use crate::groups::by_slice::{Split, slices_of};
use crate::groups::compare::{Compared, signed_words};
use crate::groups::parts::{Group, GroupParts, each_group};
use crate::groups::rows::{GroupedRows, HITS, OTHERS, Weights};
use crate::keys::Score;
use crate::memory::{Grow, gathered};
use crate::partition::scatter::Row;
use crate::rows::Codes;
use crate::workers::Workers;

/// The groups of one table, by slice and code; sums are of exact whole numbers.
pub struct Areas<A: Amount> {
    pub codes: Vec<u32>,
    pub slices: Vec<u32>,
    pub rows: Vec<u64>,
    pub positive_rows: Vec<u64>,
    pub positives: Vec<A>,
    pub negatives: Vec<A>,
    pub doubled: Vec<A::Area>,
}

impl<A: Amount> Default for Areas<A> {
    fn default() -> Self {
        Areas {
            codes: vec![],
            slices: vec![],
            rows: vec![],
            positive_rows: vec![],
            positives: vec![],
            negatives: vec![],
            doubled: vec![],
        }
    }
}

impl<A: Amount> Areas<A> {
    fn reserve(&mut self, count: usize) {
        self.codes.make_room(count);
        self.slices.make_room(count);
        self.rows.make_room(count);
        self.positive_rows.make_room(count);
        self.positives.make_room(count);
        self.negatives.make_room(count);
        self.doubled.make_room(count);
    }

    fn append(&mut self, other: &mut Self) {
        self.codes.append(&mut other.codes);
        self.slices.append(&mut other.slices);
        self.rows.append(&mut other.rows);
        self.positive_rows.append(&mut other.positive_rows);
        self.positives.append(&mut other.positives);
        self.negatives.append(&mut other.negatives);
        self.doubled.append(&mut other.doubled);
    }
}

/// Memory of one thread.
struct Memory<B: Compared, W, A> {
    split: Split<B, W>,
    pairs: Pairs<B, W, A>,
}

/// For groups with many pairs, and for those with few.
struct Pairs<B: Compared, W, A> {
    sorted: Scratch<B, W, A>,
    words: Vec<B::Signed>,
    chosen: Vec<B::Signed>,
}

impl<B: Compared, W: Copy + Default, A: Amount> Default for Memory<B, W, A> {
    fn default() -> Self {
        let pairs = Pairs { sorted: Scratch::default(), words: vec![], chosen: vec![] };
        Memory { split: Split::default(), pairs }
    }
}

/// The groups of the total and of each column of slices, by code; None where there is no memory, or
/// the call was interrupted. counts: how many rows each stands for.
pub fn group_areas<S: Score, W: Counted<A>, A: Amount>(
    rows: &GroupedRows<S>,
    weights: &impl Weights<W>,
    counts: Option<&[i64]>,
    slices: &[Codes],
    workers: &Workers,
) -> Option<Vec<Areas<A>>> {
    // One column of slices goes with the rows; more, or counts, are looked up.
    let tags = if counts.is_none() && slices.len() == 1 { Some(slices[0]) } else { None };
    let (rows, slices) = (&GroupedRows { tags, ..*rows }, slices_of(slices, tags.is_some()));
    let numbered = counts.is_some() || !slices.is_empty();
    let parts = GroupParts::new(rows, weights, numbered, workers)?;
    let tables = || gathered((0..=slices.len()).map(|_| Areas::default()));
    let made = parts.each(workers, |part, memory: &mut Memory<S::Bits, W, A>| {
        let mut found = tables();
        let Memory { split, pairs } = memory;
        each_group(part, &slices, split, |table, slice, code, group| {
            let table: &mut Areas<A> = &mut found[table];
            table.codes.put(code);
            table.slices.put(slice);
            add(table, group, counts, pairs);
        });
        found
    })?;
    drop(parts);
    let mut found = tables();
    for (table, all) in found.iter_mut().enumerate() {
        all.reserve(made.iter().map(|part| part[table].codes.len()).sum());
    }
    for mut part in made {
        for (all, some) in found.iter_mut().zip(&mut part) {
            all.append(some);
        }
    }
    Some(found)
}

fn add<B: Compared, W: Counted<A>, A: Amount>(
    table: &mut Areas<A>,
    group: &Group<B, W>,
    counts: Option<&[i64]>,
    pairs: &mut Pairs<B, W, A>,
) {
    let [positive_rows, other_rows] = [HITS, OTHERS].map(|class| match counts {
        None => group.rows[class].len() as u64,
        Some(counts) => {
            let counts = group.numbers[class].iter().map(|row| counts[*row as usize] as u64);
            counts.fold(0, u64::wrapping_add)
        }
    });
    let [positives, negatives] = [HITS, OTHERS].map(|class| {
        group.rows[class].iter().fold(A::default(), |sum, row| sum.plus(row.weight.amount(1.0)))
    });
    table.rows.put(positive_rows.wrapping_add(other_rows));
    table.positive_rows.put(positive_rows);
    table.positives.put(positives);
    table.negatives.put(negatives);
    table.doubled.put(doubled_area([HITS, OTHERS].map(|class| group.rows[class]), pairs));
}

/// Pairs for each row up to which all are compared.
const FEW: usize = 24;

/// Σ over positives of 2·(negatives below) + (negatives at the score).
fn doubled_area<B: Compared, W: Counted<A>, A: Amount>(
    [positives, negatives]: [&[Row<B, W>]; 2],
    memory: &mut Pairs<B, W, A>,
) -> A::Area {
    let pairs = positives.len() * negatives.len();
    if pairs > FEW * (positives.len() + negatives.len()) {
        return memory.sorted.doubled_area(positives, negatives);
    }
    if W::ONE {
        // Of each pair 1, and one more or less where the negative is below or above.
        signed_words(negatives.iter().map(|row| row.word), &mut memory.words);
        memory.chosen.clear();
        memory.chosen.put_all(positives.iter().map(|row| row.word.signed()));
        let padded = (memory.words.len() - negatives.len()) * positives.len();
        let surplus = B::surplus(&memory.words, &memory.chosen) - padded as i64;
        return A::area((pairs as i64 + surplus) as u64);
    }
    let mut area = A::Area::default();
    for positive in positives {
        let (mut below, mut most) = (A::default(), A::default());
        for negative in negatives {
            // Sums of choices, not branches: they become vector instructions.
            let weight = negative.weight.amount(1.0);
            let lower = if negative.word < positive.word { weight } else { A::default() };
            let tied = if negative.word <= positive.word { weight } else { A::default() };
            (below, most) = (below.plus(lower), most.plus(tied));
        }
        let weight = positive.weight.amount(1.0);
        area = A::plus_area(area, weight.product(below.plus(most)));
    }
    area
}
