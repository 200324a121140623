//! Rows by group: parts of whole groups, which fit the cache.
//!
//! Rows whose codes rise are cut into parts where they are; others are scattered by code, so that a
//! part has all rows of some codes that follow one another.

use crate::bins::{ScoreBins, sample_step};
use crate::group_slices::Split;
use crate::keys::{Bits, Score};
use crate::memory::Zeroed;
use crate::pages::{Pages, Writer};
use crate::rows::{BLOCK, Codes};
use crate::scatter::{Row, part_size};
use crate::workers::{Worker, Workers};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The grades of rows.
#[derive(Clone, Copy)]
pub enum Grades<'a> {
    U8(&'a [u8]),
    F64(&'a [f64]),
}

/// The rows of a call; all columns have the same length, below 2^32.
pub struct GroupedRows<'a, S> {
    pub codes: Codes<'a>,
    /// How many groups; codes are below it.
    pub groups: u32,
    pub scores: &'a [S],
    pub grades: Grades<'a>,
    /// The lowest grade of a row of the class of hits.
    pub least: f64,
    pub unscored: Option<&'a [u8]>,
}

/// The classes of rows: with a grade, without, and without a score.
pub const CLASSES: usize = 3;
pub const HITS: usize = 0;
pub const OTHERS: usize = 1;
pub const UNSCORED: usize = 2;

impl<S: Score> GroupedRows<'_, S> {
    /// The classes of a block.
    fn classes(&self, rows: Range<usize>, into: &mut [u8; BLOCK]) {
        match self.grades {
            Grades::U8(grades) => {
                for (class, grade) in into.iter_mut().zip(&grades[rows.clone()]) {
                    *class = (*grade == 0) as u8;
                }
            }
            Grades::F64(grades) => {
                for (class, grade) in into.iter_mut().zip(&grades[rows.clone()]) {
                    *class = (*grade < self.least) as u8;
                }
            }
        }
        if let Some(unscored) = self.unscored {
            for (class, none) in into.iter_mut().zip(&unscored[rows]) {
                *class = if *none != 0 { UNSCORED as u8 } else { *class };
            }
        }
    }

    fn rise(&self, workers: &Workers) -> bool {
        let count = self.scores.len();
        let rising = workers.run(|worker| {
            let own = crate::rows::share(count, worker.number, workers.threads);
            self.codes.rise(own.start.saturating_sub(1)..own.end, || worker.goes_on())
        });
        rising.into_iter().all(|each| each)
    }

    /// The ends of parts of whole groups, where codes rise.
    fn ends(&self) -> Vec<usize> {
        let (count, mut ends) = (self.scores.len(), vec![0]);
        let size = part_size(count);
        while ends[ends.len() - 1] < count {
            ends.push(self.codes.group_end((ends[ends.len() - 1] + size).min(count)));
        }
        ends
    }
}

/// A row that was moved to its part.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Record<B> {
    bits: B,
    code: u32,
    number: u32,
}

// SAFETY: bits are whole numbers.
unsafe impl<B: Bits> Zeroed for Record<B> {}

/// Where the rows of each part are.
enum Places<B> {
    /// Codes rise: the ends of the parts.
    Adjacent(Vec<usize>),
    /// By class of a part.
    Moved(Pages<Record<B>>, usize),
}

/// What the rows of a part are ordered and weighted by.
pub trait Weights<W>: Sync {
    fn of(&self, row: usize) -> W;
}

/// No weights.
pub struct Ones;

impl Weights<()> for Ones {
    #[inline(always)]
    fn of(&self, _: usize) {}
}

/// The rows of a part, by group.
pub struct PartRows<B, W> {
    pub codes: Vec<u32>,
    classes: [ClassRows<B, W>; CLASSES],
}

/// The rows of one class, by group; numbers: which rows of the call they are.
struct ClassRows<B, W> {
    starts: Vec<u32>,
    rows: Vec<Row<B, W>>,
    numbers: Vec<u32>,
}

/// The rows of one group, by class.
#[derive(Clone, Copy)]
pub struct Group<'a, B, W> {
    pub rows: [&'a [Row<B, W>]; CLASSES],
    pub numbers: [&'a [u32]; CLASSES],
}

impl<B: Bits, W: Copy + Default> PartRows<B, W> {
    fn new() -> Self {
        let class = || ClassRows { starts: vec![], rows: vec![], numbers: vec![] };
        PartRows { codes: vec![], classes: [class(), class(), class()] }
    }

    pub fn group(&self, place: usize) -> Group<'_, B, W> {
        let range = |class: &ClassRows<B, W>| {
            class.starts[place] as usize..class.starts[place + 1] as usize
        };
        Group {
            rows: self.classes.each_ref().map(|class| &class.rows[range(class)]),
            numbers: self.classes.each_ref().map(|class| &class.numbers[range(class)]),
        }
    }

    fn clear(&mut self) {
        self.codes.clear();
        for class in &mut self.classes {
            class.starts.clear();
            class.rows.clear();
            class.numbers.clear();
        }
    }

    /// The next rows belong to a group of this code.
    fn start_group(&mut self, code: u32) {
        self.codes.push(code);
        self.end_group();
    }

    fn end_group(&mut self) {
        for class in &mut self.classes {
            class.starts.push(class.rows.len() as u32);
        }
    }
}

/// The parts of all rows; None where there is no memory, or the call was interrupted.
pub struct GroupParts<'a, 'b, S: Score> {
    rows: &'a GroupedRows<'b, S>,
    places: Places<S::Bits>,
}

impl<'a, 'b, S: Score> GroupParts<'a, 'b, S> {
    pub fn new(rows: &'a GroupedRows<'b, S>, workers: &Workers) -> Option<Self> {
        if rows.rise(workers) {
            return Some(GroupParts { rows, places: Places::Adjacent(rows.ends()) });
        }
        let count = rows.scores.len();
        let sample = || rows.codes.sample(sample_step(count), rows.groups - 1);
        let bins = ScoreBins::of(sample, count / part_size(count));
        let parts = bins.count as usize;
        let pages = Pages::fill(count, CLASSES * parts, workers, |range, writer, worker| {
            scatter(rows, &bins, range, writer, worker);
        })?;
        Some(GroupParts { rows, places: Places::Moved(pages, parts) })
    }

    fn count(&self) -> usize {
        match &self.places {
            Places::Adjacent(ends) => ends.len() - 1,
            Places::Moved(_, parts) => *parts,
        }
    }

    /// What `work` makes of each part, in the order of their codes. `work` has a scratch.
    pub fn each<W: Copy + Default, C: Default, T: Send>(
        &self,
        weights: &impl Weights<W>,
        workers: &Workers,
        work: impl Fn(&PartRows<S::Bits, W>, &mut C) -> T + Sync,
    ) -> Option<Vec<T>> {
        let next = AtomicUsize::new(0);
        let made = workers.run(|worker| {
            let (mut part, mut scratch, mut made) = (PartRows::new(), C::default(), Vec::new());
            let mut places = Vec::new();
            while worker.goes_on() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.count() {
                    break;
                }
                part.clear();
                match &self.places {
                    Places::Adjacent(ends) => {
                        self.read(ends[number]..ends[number + 1], weights, &mut part)
                    }
                    Places::Moved(pages, _) => load(pages, number, weights, &mut places, &mut part),
                }
                made.push((number, work(&part, &mut scratch)));
            }
            made
        });
        if workers.stopped() {
            return None;
        }
        let mut found: Vec<_> = made.into_iter().flatten().collect();
        found.sort_unstable_by_key(|(number, _)| *number);
        Some(found.into_iter().map(|(_, made)| made).collect())
    }

    /// The rows of a part that are where they were.
    fn read<W: Copy + Default>(
        &self,
        range: Range<usize>,
        weights: &impl Weights<W>,
        part: &mut PartRows<S::Bits, W>,
    ) {
        let (mut codes, mut classes) = ([0; BLOCK], [0; BLOCK]);
        for start in range.clone().step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(range.end);
            self.rows.codes.read(rows.clone(), self.rows.groups - 1, &mut codes);
            self.rows.classes(rows.clone(), &mut classes);
            let scores = self.rows.scores[rows.clone()].iter();
            for (((row, score), &code), &class) in rows.zip(scores).zip(&codes).zip(&classes) {
                if part.codes.last() != Some(&code) {
                    part.start_group(code);
                }
                let class = &mut part.classes[class as usize];
                class.rows.push(Row { word: score.bits(), weight: weights.of(row) });
                class.numbers.push(row as u32);
            }
        }
        part.end_group();
    }
}

fn scatter<S: Score>(
    rows: &GroupedRows<S>,
    bins: &ScoreBins<u32>,
    range: Range<usize>,
    writer: &mut Writer<Record<S::Bits>>,
    worker: &mut Worker,
) {
    let (mut codes, mut classes, mut places) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
    for start in range.clone().step_by(BLOCK) {
        let block = start..(start + BLOCK).min(range.end);
        rows.codes.read(block.clone(), rows.groups - 1, &mut codes);
        rows.classes(block.clone(), &mut classes);
        let stage = places.iter_mut().zip(&codes).zip(&classes);
        for ((place, &code), &class) in stage.take(block.len()) {
            *place = writer.place(CLASSES * bins.bin(code) as usize + class as usize);
        }
        let staged = rows.scores[block.clone()].iter().zip(&codes).zip(&places);
        for (number, ((score, &code), &place)) in block.zip(staged) {
            let record = Record { bits: score.bits(), code, number: number as u32 };
            // SAFETY: the writer gave this place for this row.
            unsafe { writer.write(place, record) };
        }
        if !worker.goes_on() {
            break;
        }
    }
}

/// The rows of a part that were moved; places: of the next row of each code.
fn load<B: Bits, W: Copy + Default>(
    pages: &Pages<Record<B>>,
    number: usize,
    weights: &impl Weights<W>,
    places: &mut Vec<[u32; CLASSES]>,
    part: &mut PartRows<B, W>,
) {
    let of_class = |class| pages.of(CLASSES * number + class).flatten();
    let (mut first, mut last) = (u32::MAX, 0);
    for record in (0..CLASSES).flat_map(of_class) {
        first = first.min(record.code);
        last = last.max(record.code);
    }
    if first > last {
        return;
    }
    places.clear();
    places.resize((last - first) as usize + 1, [0; CLASSES]);
    for (class, record) in (0..CLASSES).flat_map(|class| of_class(class).map(move |r| (class, r))) {
        places[(record.code - first) as usize][class] += 1;
    }
    let mut sums = [0; CLASSES];
    for (code, place) in (first..=last).zip(&mut *places) {
        if *place == [0; CLASSES] {
            continue;
        }
        part.codes.push(code);
        for class in 0..CLASSES {
            part.classes[class].starts.push(sums[class]);
            (sums[class], place[class]) = (sums[class] + place[class], sums[class]);
        }
    }
    for (class, rows) in part.classes.iter_mut().enumerate() {
        rows.starts.push(sums[class]);
        rows.rows.resize(sums[class] as usize, Row { word: B::default(), weight: W::default() });
        rows.numbers.resize(sums[class] as usize, 0);
        for record in of_class(class) {
            let place = &mut places[(record.code - first) as usize][class];
            let weight = weights.of(record.number as usize);
            rows.rows[*place as usize] = Row { word: record.bits, weight };
            rows.numbers[*place as usize] = record.number;
            *place += 1;
        }
    }
}

/// Runs `work` on every group of a part, in the total and in each column of slices.
pub fn each_group<B: Bits, W: Copy + Default>(
    part: &PartRows<B, W>,
    slices: &[Codes],
    split: &mut Split<B, W>,
    mut work: impl FnMut(usize, u32, u32, &Group<B, W>),
) {
    for (place, &code) in part.codes.iter().enumerate() {
        let group = part.group(place);
        work(0, 0, code, &group);
        for (table, codes) in slices.iter().enumerate() {
            split.by_slice(&group, codes, |slice, group| work(table + 1, slice, code, group));
        }
    }
}
