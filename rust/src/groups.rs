//! Rows by group: parts of whole groups, which fit the cache.
//!
//! Rows whose codes rise are cut into parts where they are; others are scattered by code, so that a
//! part has all rows of some codes that follow one another.

use crate::amounts::Weight;
use crate::bins::{ScoreBins, sample_step};
use crate::group_slices::Split;
use crate::keys::{Bits, Score};
use crate::memory::Zeroed;
use crate::pages::{Pages, Writer};
use crate::rows::{BLOCK, Codes};
use crate::scatter::{Row, part_size};
use crate::workers::Workers;
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

/// A row that was moved to its part; number: which row it is, where that is wanted.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Record<B, W, N> {
    bits: B,
    code: u32,
    number: N,
    weight: W,
}

// SAFETY: all of these are numbers, or nothing.
unsafe impl<B: Bits, W: Weight, N: Number> Zeroed for Record<B, W, N> {}

/// The number of a row, or nothing.
trait Number: Copy + Default + Send + Sync + 'static {
    fn of(row: usize) -> Self;
    fn push(self, place: usize, numbers: &mut [u32]);
}

impl Number for () {
    #[inline(always)]
    fn of(_: usize) {}
    #[inline(always)]
    fn push(self, _: usize, _: &mut [u32]) {}
}

impl Number for u32 {
    #[inline(always)]
    fn of(row: usize) -> u32 {
        row as u32
    }
    #[inline(always)]
    fn push(self, place: usize, numbers: &mut [u32]) {
        numbers[place] = self;
    }
}

/// Where the rows of each part are.
enum Places<B, W> {
    /// Codes rise: the ends of the parts.
    Adjacent(Vec<usize>),
    /// By class of a part.
    Moved(Pages<Record<B, W, ()>>),
    Numbered(Pages<Record<B, W, u32>>),
}

/// The weight of each row.
pub trait Weights<W: Weight>: Sync {
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
    numbered: bool,
}

/// The rows of one class, by group; numbers: which rows of the call they are.
///
/// Rows and numbers are as many as a part ever had.
struct ClassRows<B, W> {
    starts: Vec<u32>,
    rows: Vec<Row<B, W>>,
    numbers: Vec<u32>,
}

/// The rows of one group, by class; numbers are 0 where they are not wanted.
#[derive(Clone, Copy)]
pub struct Group<'a, B, W> {
    pub rows: [&'a [Row<B, W>]; CLASSES],
    pub numbers: [&'a [u32]; CLASSES],
}

impl<B: Bits, W: Weight> PartRows<B, W> {
    fn new(numbered: bool) -> Self {
        let class = || ClassRows { starts: vec![], rows: vec![], numbers: vec![] };
        PartRows { codes: vec![], classes: [class(), class(), class()], numbered }
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
        }
    }
}

impl<B: Bits, W: Weight> ClassRows<B, W> {
    fn reserve(&mut self, count: usize) {
        if self.rows.len() < count {
            self.rows.resize(count, Row::default());
            self.numbers.resize(count, 0);
        }
    }
}

/// The parts of all rows.
pub struct GroupParts<'a, 'b, S: Score, W, G> {
    rows: &'a GroupedRows<'b, S>,
    weights: &'a G,
    places: Places<S::Bits, W>,
    count: usize,
    numbered: bool,
}

impl<'a, 'b, S: Score, W: Weight, G: Weights<W>> GroupParts<'a, 'b, S, W, G> {
    /// None where there is no memory, or the call was interrupted; numbered: whether the numbers of
    /// rows are wanted.
    pub fn new(
        rows: &'a GroupedRows<'b, S>,
        weights: &'a G,
        numbered: bool,
        workers: &Workers,
    ) -> Option<Self> {
        if rows.rise(workers) {
            let ends = rows.ends();
            let (count, places) = (ends.len() - 1, Places::Adjacent(ends));
            return Some(GroupParts { rows, weights, places, count, numbered });
        }
        let count = rows.scores.len();
        let sample = || rows.codes.sample(sample_step(count), rows.groups - 1);
        let bins = ScoreBins::of(sample, count / part_size(count));
        let count = bins.count as usize;
        let places = if numbered {
            Places::Numbered(rows.moved(weights, &bins, workers)?)
        } else {
            Places::Moved(rows.moved(weights, &bins, workers)?)
        };
        Some(GroupParts { rows, weights, places, count, numbered })
    }

    /// What `work` makes of each part, in the order of their codes. `work` has a scratch.
    pub fn each<C: Default, T: Send>(
        &self,
        workers: &Workers,
        work: impl Fn(&PartRows<S::Bits, W>, &mut C) -> T + Sync,
    ) -> Option<Vec<T>> {
        let next = AtomicUsize::new(0);
        let made = workers.run(|worker| {
            let (mut part, mut scratch) = (PartRows::new(self.numbered), C::default());
            let (mut places, mut made) = (Vec::new(), Vec::new());
            while worker.goes_on() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.count {
                    break;
                }
                part.clear();
                match &self.places {
                    Places::Adjacent(ends) => {
                        self.rows.read(ends[number]..ends[number + 1], self.weights, &mut part)
                    }
                    Places::Moved(pages) => load(pages, number, &mut places, &mut part),
                    Places::Numbered(pages) => load(pages, number, &mut places, &mut part),
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
}

impl<S: Score> GroupedRows<'_, S> {
    /// The rows of a part that are where they were.
    fn read<W: Weight>(
        &self,
        range: Range<usize>,
        weights: &impl Weights<W>,
        part: &mut PartRows<S::Bits, W>,
    ) {
        let (mut codes, mut classes) = ([0; BLOCK], [0; BLOCK]);
        let (numbered, mut ends) = (part.numbered, [0; CLASSES]);
        part.classes.iter_mut().for_each(|class| class.reserve(range.len()));
        for start in range.clone().step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(range.end);
            self.codes.read(rows.clone(), self.groups - 1, &mut codes);
            self.classes(rows.clone(), &mut classes);
            let mut from = rows.start;
            for run in codes[..rows.len()].chunk_by(|left, right| left == right) {
                if part.codes.last() != Some(&run[0]) {
                    part.codes.push(run[0]);
                    for (class, &end) in part.classes.iter_mut().zip(&ends) {
                        class.starts.push(end as u32);
                    }
                }
                let scores = self.scores[from..from + run.len()].iter();
                let classes = &classes[from - start..];
                for ((row, score), &class) in (from..).zip(scores).zip(classes) {
                    let (class, end) =
                        (&mut part.classes[class as usize], &mut ends[class as usize]);
                    class.rows[*end] = Row { word: score.bits(), weight: weights.of(row) };
                    if numbered {
                        class.numbers[*end] = row as u32;
                    }
                    *end += 1;
                }
                from += run.len();
            }
        }
        for (class, &end) in part.classes.iter_mut().zip(&ends) {
            class.starts.push(end as u32);
        }
    }

    /// The rows by class of a part.
    fn moved<W: Weight, N: Number>(
        &self,
        weights: &impl Weights<W>,
        bins: &ScoreBins<u32>,
        workers: &Workers,
    ) -> Option<Pages<Record<S::Bits, W, N>>> {
        let classes = CLASSES * bins.count as usize;
        Pages::fill(self.scores.len(), classes, workers, |range, writer, worker| {
            for start in range.clone().step_by(BLOCK) {
                self.scatter(start..(start + BLOCK).min(range.end), weights, bins, writer);
                if !worker.goes_on() {
                    break;
                }
            }
        })
    }

    fn scatter<W: Weight, N: Number>(
        &self,
        rows: Range<usize>,
        weights: &impl Weights<W>,
        bins: &ScoreBins<u32>,
        writer: &mut Writer<Record<S::Bits, W, N>>,
    ) {
        let (mut codes, mut classes, mut places) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        self.codes.read(rows.clone(), self.groups - 1, &mut codes);
        self.classes(rows.clone(), &mut classes);
        let stage = places.iter_mut().zip(&codes).zip(&classes);
        for ((place, &code), &class) in stage.take(rows.len()) {
            *place = writer.place(CLASSES * bins.bin(code) as usize + class as usize);
        }
        let staged = self.scores[rows.clone()].iter().zip(&codes).zip(&places);
        for (row, ((score, &code), &place)) in rows.zip(staged) {
            let (number, weight) = (N::of(row), weights.of(row));
            // SAFETY: the writer gave this place for this row.
            unsafe { writer.write(place, Record { bits: score.bits(), code, number, weight }) };
        }
    }
}

/// The rows of a part that were moved; places: of the next row of each code.
fn load<B: Bits, W: Weight, N: Number>(
    pages: &Pages<Record<B, W, N>>,
    number: usize,
    places: &mut Vec<[u32; CLASSES]>,
    part: &mut PartRows<B, W>,
) {
    let of_class = |class| pages.of(CLASSES * number + class);
    let (mut first, mut last) = (u32::MAX, 0);
    for record in (0..CLASSES).flat_map(of_class).flatten() {
        first = first.min(record.code);
        last = last.max(record.code);
    }
    if first > last {
        return;
    }
    places.clear();
    places.resize((last - first) as usize + 1, [0; CLASSES]);
    for (class, page) in (0..CLASSES).flat_map(|class| of_class(class).map(move |p| (class, p))) {
        for record in page {
            places[(record.code - first) as usize][class] += 1;
        }
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
        rows.reserve(sums[class] as usize);
        for page in of_class(class) {
            for record in page {
                let place = &mut places[(record.code - first) as usize][class];
                rows.rows[*place as usize] = Row { word: record.bits, weight: record.weight };
                record.number.push(*place as usize, &mut rows.numbers);
                *place += 1;
            }
        }
    }
}

/// Runs `work` on every group of a part, in the total and in each column of slices.
pub fn each_group<B: Bits, W: Weight>(
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
