//! Rows by group: parts of whole groups, which fit the cache.
//!
//! Rows whose codes rise are cut into parts where they are; others are scattered by code, so that a
//! part has all rows of some codes that follow one another.

use crate::amounts::Weight;
use crate::groups::by_slice::{Slices, Split};
use crate::groups::rows::{CLASSES, GroupedRows, HITS, OTHERS, PART, UNSCORED, Weights};
use crate::keys::{Bits, Score};
use crate::memory::{Grow, Zeroed, gathered};
use crate::partition::bins::{ScoreBins, sample_step};
use crate::partition::pages::{Pages, Writer, prefetch};
use crate::partition::scatter::{Row, part_size};
use crate::rows::BLOCK;
use crate::workers::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A row that was moved to its part. Above the code there may be a tag; number: of the row, or its
/// tag where both do not fit 32 bits, or nothing.
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

/// A number that a record has, or that stands above its code, which has `width` bits.
trait Number: Copy + Default + Send + Sync + 'static {
    fn kept(code: u32, number: u32, width: u32) -> (u32, Self);
    fn found(self, code: u32, width: u32) -> u32;
}

impl Number for () {
    #[inline(always)]
    fn kept(code: u32, number: u32, width: u32) -> (u32, Self) {
        (code | ((number as u64) << width) as u32, ())
    }
    #[inline(always)]
    fn found(self, code: u32, width: u32) -> u32 {
        ((code as u64) >> width) as u32
    }
}

impl Number for u32 {
    #[inline(always)]
    fn kept(code: u32, number: u32, _: u32) -> (u32, Self) {
        (code, number)
    }
    #[inline(always)]
    fn found(self, _: u32, _: u32) -> u32 {
        self
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

/// The rows of a part, by group.
pub struct PartRows<B, W> {
    pub codes: Vec<u32>,
    classes: [ClassRows<B, W>; CLASSES],
    numbered: bool,
}

/// The rows of one class, by group; numbers: which rows of the call they are, or their tags.
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

    /// The rows so far are those of the groups before the next one.
    fn end_group(&mut self, ends: &[usize; CLASSES]) {
        for (class, &end) in self.classes.iter_mut().zip(ends) {
            class.starts.put(end as u32);
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
            self.rows.grow_to(count, Row::default());
            self.numbers.grow_to(count, 0);
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
    /// How many bits codes take.
    width: u32,
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
        let mut width = u32::BITS;
        if rows.rise(workers) {
            let ends = rows.ends();
            let (count, places) = (ends.len() - 1, Places::Adjacent(ends));
            return Some(GroupParts { rows, weights, places, count, numbered, width });
        }
        let count = rows.scores.len();
        let sample = || rows.codes.sample(sample_step(count), rows.groups - 1);
        let bins = ScoreBins::of(sample, count / part_size(count, PART));
        let count = bins.count as usize;
        let of_groups = (rows.groups - 1).width();
        let beside = rows.tags.is_some_and(|tags| of_groups + tags.bits() <= width);
        let places = if numbered && !beside {
            Places::Numbered(rows.moved(weights, &bins, width, workers)?)
        } else {
            width = if beside { of_groups } else { width };
            Places::Moved(rows.moved(weights, &bins, width, workers)?)
        };
        Some(GroupParts { rows, weights, places, count, numbered, width })
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
                    Places::Moved(pages) => load(pages, number, self.width, &mut places, &mut part),
                    Places::Numbered(pages) => {
                        load(pages, number, self.width, &mut places, &mut part)
                    }
                }
                made.put((number, work(&part, &mut scratch)));
            }
            made
        });
        if workers.stopped() {
            return None;
        }
        let mut found: Vec<_> = gathered(made.into_iter().flatten());
        found.sort_unstable_by_key(|(number, _)| *number);
        Some(gathered(found.into_iter().map(|(_, made)| made)))
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
        let (mut codes, mut classes, mut numbers) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        let mut ends = [0; CLASSES];
        part.classes.iter_mut().for_each(|class| class.reserve(range.len() + 1));
        for start in range.clone().step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(range.end);
            self.codes.read(rows.clone(), self.groups - 1, &mut codes);
            self.classes(rows.clone(), &mut classes);
            if part.numbered {
                self.numbers(rows.clone(), &mut numbers);
            }
            let mut from = rows.start;
            for run in codes[..rows.len()].chunk_by(|left, right| left == right) {
                if part.codes.last() != Some(&run[0]) {
                    part.codes.put(run[0]);
                    part.end_group(&ends);
                }
                let (rows, own) = (from..from + run.len(), from - start..from - start + run.len());
                let tags = classes[own.clone()].iter().zip(&numbers[own]);
                self.read_run(rows.clone(), weights, tags, part, &mut ends);
                from = rows.end;
            }
        }
        part.end_group(&ends);
    }

    /// Rows of one group. Each is written to all classes, and stays in its own: no branch.
    #[inline(always)]
    fn read_run<'a, W: Weight>(
        &self,
        rows: Range<usize>,
        weights: &impl Weights<W>,
        tags: impl Iterator<Item = (&'a u8, &'a u32)>,
        part: &mut PartRows<S::Bits, W>,
        ends: &mut [usize; CLASSES],
    ) {
        let [hits, others, unscored] = &mut part.classes;
        let [mut hit, mut other, mut none] = *ends;
        for ((row, score), (&class, &number)) in rows.clone().zip(&self.scores[rows]).zip(tags) {
            let made = Row { word: score.bits(), weight: weights.of(row) };
            (hits.rows[hit], hits.numbers[hit]) = (made, number);
            hit += (class == HITS as u8) as usize;
            (others.rows[other], others.numbers[other]) = (made, number);
            other += (class == OTHERS as u8) as usize;
            if self.unscored.is_some() {
                (unscored.rows[none], unscored.numbers[none]) = (made, number);
                none += (class == UNSCORED as u8) as usize;
            }
        }
        *ends = [hit, other, none];
    }

    /// The rows by class of a part.
    fn moved<W: Weight, N: Number>(
        &self,
        weights: &impl Weights<W>,
        bins: &ScoreBins<u32>,
        width: u32,
        workers: &Workers,
    ) -> Option<Pages<Record<S::Bits, W, N>>> {
        let classes = CLASSES * bins.count as usize;
        Pages::fill(self.scores.len(), classes, workers, |range, writer, worker| {
            for start in range.clone().step_by(BLOCK) {
                let rows = start..(start + BLOCK).min(range.end);
                self.scatter(rows, weights, (bins, width), writer);
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
        (bins, width): (&ScoreBins<u32>, u32),
        writer: &mut Writer<Record<S::Bits, W, N>>,
    ) {
        let (mut codes, mut classes, mut places) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        let mut numbers = [0; BLOCK];
        self.codes.read(rows.clone(), self.groups - 1, &mut codes);
        self.classes(rows.clone(), &mut classes);
        if size_of::<N>() > 0 || width < u32::BITS {
            self.numbers(rows.clone(), &mut numbers);
        }
        let stage = places.iter_mut().zip(&codes).zip(&classes);
        for ((place, &code), &class) in stage.take(rows.len()) {
            *place = writer.place(CLASSES * bins.bin(code) as usize + class as usize);
        }
        let staged = codes.iter().zip(&numbers).zip(&places);
        for ((row, score), ((&code, &number), &place)) in
            rows.clone().zip(&self.scores[rows]).zip(staged)
        {
            let ((code, number), weight) = (N::kept(code, number, width), weights.of(row));
            // SAFETY: the writer gave this place for this row.
            unsafe { writer.write(place, Record { bits: score.bits(), code, number, weight }) };
        }
    }
}

/// The rows of a part that were moved; places: of the next row of each code.
fn load<B: Bits, W: Weight, N: Number>(
    pages: &Pages<Record<B, W, N>>,
    number: usize,
    width: u32,
    places: &mut Vec<[u32; CLASSES]>,
    part: &mut PartRows<B, W>,
) {
    let code_of = |record: &Record<B, W, N>| record.code & ((1u64 << width) - 1) as u32;
    let of_class = |class| pages.of(CLASSES * number + class);
    let (mut first, mut last) = (u32::MAX, 0);
    let mut all = (0..CLASSES).flat_map(of_class).peekable();
    while let Some(page) = all.next() {
        // Pages are all over memory: the next one is fetched meanwhile.
        let next = all.peek().copied().unwrap_or_default();
        next.iter()
            .step_by(64 / size_of::<Record<B, W, N>>().clamp(1, 64))
            .for_each(|row| prefetch(row));
        for record in page {
            first = first.min(code_of(record));
            last = last.max(code_of(record));
        }
    }
    if first > last {
        return;
    }
    places.clear();
    places.grow_to((last - first) as usize + 1, [0; CLASSES]);
    for (class, page) in (0..CLASSES).flat_map(|class| of_class(class).map(move |p| (class, p))) {
        for record in page {
            places[(code_of(record) - first) as usize][class] += 1;
        }
    }
    let mut sums = [0; CLASSES];
    for (code, place) in (first..=last).zip(&mut *places) {
        if *place == [0; CLASSES] {
            continue;
        }
        part.codes.put(code);
        for class in 0..CLASSES {
            part.classes[class].starts.put(sums[class]);
            (sums[class], place[class]) = (sums[class] + place[class], sums[class]);
        }
    }
    for (class, rows) in part.classes.iter_mut().enumerate() {
        rows.starts.put(sums[class]);
        rows.reserve(sums[class] as usize);
        for page in of_class(class) {
            for record in page {
                let place = &mut places[(code_of(record) - first) as usize][class];
                rows.rows[*place as usize] = Row { word: record.bits, weight: record.weight };
                rows.numbers[*place as usize] = record.number.found(record.code, width);
                *place += 1;
            }
        }
    }
}

/// Runs `work` on every group of a part, in the total and in each column of slices.
pub fn each_group<B: Bits, W: Weight>(
    part: &PartRows<B, W>,
    slices: &[Slices],
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
