//! `group_areas`: the area of every group of each table.

use crate::amounts::{Amount, Counted};
use crate::curves::part::Scratch;
use crate::groups::by_slice::{Split, slices_of};
use crate::groups::parts::{Group, GroupParts, each_group};
use crate::groups::rows::{GroupedRows, HITS, OTHERS, Weights};
use crate::keys::{Bits, Score};
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
struct Memory<B, W, A> {
    split: Split<B, W>,
    pairs: Scratch<B, W, A>,
}

impl<B: Bits, W: Copy + Default, A: Amount> Default for Memory<B, W, A> {
    fn default() -> Self {
        Memory { split: Split::default(), pairs: Scratch::default() }
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

fn add<B: Bits, W: Counted<A>, A: Amount>(
    table: &mut Areas<A>,
    group: &Group<B, W>,
    counts: Option<&[i64]>,
    pairs: &mut Scratch<B, W, A>,
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
    table.doubled.put(doubled_area(group.rows[HITS], group.rows[OTHERS], pairs));
}

/// Pairs for each row up to which all are compared.
const FEW: usize = 24;

/// Σ over positives of 2·(negatives below) + (negatives at the score).
fn doubled_area<B: Bits, W: Counted<A>, A: Amount>(
    positives: &[Row<B, W>],
    negatives: &[Row<B, W>],
    pairs: &mut Scratch<B, W, A>,
) -> A::Area {
    if positives.len() * negatives.len() > FEW * (positives.len() + negatives.len()) {
        return pairs.doubled_area(positives, negatives);
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
